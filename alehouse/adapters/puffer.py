"""A native vector environment of PufferLib: one seat at each of many tables, against given opponents."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pufferlib
from gymnasium import spaces

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.learner_tables import LearnerTables, RandomAgent, listed


class PufferTables(pufferlib.PufferEnv):
    """One seat at each of n tables; a step takes its actions and plays on to its next decision with a choice.

    PufferLib knows no masks, so an observation is a row of bytes in two parts: what the seat sees, then the mask of its legal actions.
    `split` parts them. A policy must give illegal actions no chance: an illegal action raises IllegalAction.

    variant: a variant, or several of one game to draw from.
    n: the number of tables, PufferLib's agents.
    opponents: an agent or the name of one, or several; each game draws one for all other seats. By default they take random legal actions.
    seat: one's own seat, or None to draw it for each game.
    reward: what a game is worth at its end: "rank", "win" or "score".
    threads: the number of threads that play.
    """

    def __init__(
        self,
        variant: Variant | str | Sequence[Variant | str],
        n: int = 1024,
        opponents: Any = None,
        *,
        seat: int | None = None,
        reward: str = "rank",
        threads: int = 1,
        buf: Any = None,
        seed: int = 0,
    ) -> None:
        agents = [RandomAgent()] if opponents is None else listed(opponents)
        line_ups = [[k] for k in range(len(agents))]
        self.tables = LearnerTables(variant, n, agents, line_ups, seat=seat, skip_forced=True, seed=seed, threads=threads, reward=reward)
        self.size, actions = self.tables.obs.shape[1], self.tables.mask.shape[1]
        self.single_observation_space = spaces.Box(0, 255, (self.size + actions,), np.uint8)
        self.single_action_space = spaces.Discrete(actions)
        self.num_agents = n
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[np.uint8], list[dict[str, Any]]]:
        """Begin new games at all tables, from the first game of a seed if one is given."""
        if seed is None:
            self.tables.reset()
        else:
            self.tables.restart(seed)
        self.rewards[:] = 0
        self.terminals[:] = self.truncations[:] = False
        return self._seen(), []

    def step(self, actions: Any) -> tuple[Any, ...]:
        """Take one action at each table; the infos tell the share of wins of the games that ended."""
        t = self.tables
        t.step(np.asarray(actions).reshape(t.n))
        ended = np.flatnonzero(t.over)
        self.rewards[:] = 0
        self.rewards[ended] = t.utility[ended, t.moved[ended]]
        self.terminals[:] = t.over
        infos = [{"won": float(t.won[ended, t.moved[ended]].mean())}] if ended.size else []
        return self._seen(), self.rewards, self.terminals, self.truncations, infos

    def split(self, seen: Any) -> tuple[Any, Any]:
        """Part a batch of observations, an array or a tensor, into what the seats see and the masks."""
        return seen[..., : self.size], seen[..., self.size :]

    def close(self) -> None:
        """Do nothing: no resource is held open."""

    def _seen(self) -> npt.NDArray[np.uint8]:
        self.observations[:, : self.size] = self.tables.obs
        self.observations[:, self.size :] = self.tables.mask
        seen: npt.NDArray[np.uint8] = self.observations
        return seen
