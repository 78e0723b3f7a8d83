"""The PettingZoo AEC environment: one seat acts after the other."""

from collections.abc import Mapping
from typing import Any

from pettingzoo import AECEnv

from alehouse.envs.core.faces.settings import check_options
from alehouse.envs.core.faces.table import Table


class AEC(Table, AECEnv):  # type: ignore[misc]
    """One table as a PettingZoo AEC environment; Table describes the settings."""

    agent_selection = ""

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start the first game of this seed or, without a seed, the next game of the series."""
        check_options(options)
        self._open(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._idle_mask.copy()} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()
        self._show()

    def step(self, action: Any) -> None:
        """Play the selected agent's action; it must be None for an agent whose game is over."""
        self._check_open()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        punished = self._refused > 0
        fault = self._move(action)
        if punished:
            self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        if fault is None:
            self.infos[agent] = {"action_mask": self._idle_mask.copy()}
        else:
            self.infos[agent]["illegal"] = str(fault)
        if fault is None and not self.tables.over[0]:
            self._select()
        else:
            self._settle(*self._verdict(fault))
        self._show()

    def observe(self, agent: str) -> Any:
        """Return what an agent may know now, with the mask of its legal actions."""
        seat = self._seat(agent)
        seen = self.tables.obs[0] if self.tables.seat[0] == seat else self.tables.observe(0, seat)
        if self.obs == "flat":
            return self.form.numbers(seen)
        mask = self.infos[agent]["action_mask"] if agent in self.infos else self._idle_mask
        return {"observation": self.form.numbers(seen), "action_mask": mask.copy()}

    def _select(self) -> None:
        """Select the seat that must act next."""
        self.agent_selection = self.possible_agents[self.tables.seat[0]]
        self.infos[self.agent_selection] = {"action_mask": self.tables.mask[0].copy()}

    def _settle(self, terminated: bool, truncated: bool, rewards: list[float]) -> None:
        """Give out the rewards; all agents end together."""
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()
        if not (terminated or truncated):
            return
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos[self.agent_selection]["action_mask"] = self._idle_mask.copy()
        if self.tables.over[0]:
            outcome = self._outcome()
            for info in self.infos.values():
                info |= outcome
        self._deads_step_first()
