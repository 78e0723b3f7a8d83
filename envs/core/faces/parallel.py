"""The PettingZoo Parallel environment: all seats act at once, but the action of only one counts."""

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from alehouse.envs.core.faces.settings import check_options
from alehouse.envs.core.faces.table import Table


class Parallel(Table, ParallelEnv):  # type: ignore[misc]
    """One table as a PettingZoo Parallel environment; Table describes the settings."""

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start the first game of this seed or the next of the series; return observations and infos of all agents."""
        check_options(options)
        self._open(seed)
        self._show()
        return self._views()

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the action of the agent to move. The other agents have all-zero masks, and their actions are ignored."""
        self._check_open()
        for agent in actions:
            self._seat(agent)
        mover = self.possible_agents[self.tables.seat[0]]
        if mover not in actions:
            raise ValueError(f"actions: {mover} is to move and has none")
        fault = self._move(actions[mover])
        terminated, truncated, rewards = self._verdict(fault)
        if terminated or truncated:
            self.agents = []
        observations, infos = self._views()
        if fault is not None:
            infos[mover]["illegal"] = str(fault)
        self._show()
        everyone = self.possible_agents
        return (
            observations,
            dict(zip(everyone, rewards, strict=True)),
            dict.fromkeys(everyone, terminated),
            dict.fromkeys(everyone, truncated),
            infos,
        )

    def _views(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return observations and infos of all agents, in new arrays."""
        seen = self.tables.observe_all(0)
        masks = self._idle_masks.copy()
        if self.agents:
            masks[self.tables.seat[0]] = self.tables.mask[0]
        infos: dict[str, Any] = {agent: {"action_mask": mask} for agent, mask in zip(self.possible_agents, masks, strict=True)}
        if self.tables.over[0]:
            outcome = self._outcome()
            for info in infos.values():
                info |= outcome
        observations = {agent: self.form.seen(seen[p], masks[p].copy()) for agent, p in self._places.items()}
        return observations, infos
