"""Who plays at each table: line-ups, drawn when a game begins and kept until it ends.

The network plays in every seat; or in one seat, with an anchor (an agent that never changes) in all others.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.agents import Agent
from alehouse.envs.core.run.learner_kernels import LEARNER
from alehouse.envs.core.run.learner_tables import LearnerTables
from alehouse.training.metrics import Share

MEMORY = 0.99  # the share of games won against an anchor is a running average; each game keeps this much of the old value
EASY = 1.1  # above 1, so that an anchor that is always beaten still comes up now and then
ARRAYS = ("hero", "won", "tally")


class Opponents:
    """Draws and keeps the line-ups at a batch of tables."""

    def __init__(self, tables: LearnerTables, current: float, anchors: Sequence[Agent], seed: int) -> None:
        """`current`: the share of games that the network plays in every seat; without anchors these are all games."""
        self.tables = tables
        self.seats = np.array([v.seats for v in tables.variants], np.int64)
        self.current, self.anchors = current if anchors else 1.0, list(anchors)
        self.rng = np.random.default_rng([seed, 1])
        self.hero = np.zeros(tables.n, np.int8)  # for each table, the seat in which the network plays against an anchor
        self.won = np.full(len(self.anchors), 0.5)  # for each anchor, the recent share of games won against it
        self.tally = np.zeros((max(1, len(self.anchors)), 3))  # for each anchor: games, games won, and games that even play would win

    def draw(self, which: npt.NDArray[np.int64]) -> None:
        """Write new line-ups into the listed tables; anchors that are rarely beaten come more often."""
        size = which.size
        hero, alone = self.rng.integers(self.seats[which]), self.rng.random(size) < self.current
        weights = (EASY - self.won) ** 2
        met = self.rng.choice(weights.size, size, p=weights / weights.sum()) if weights.size else np.zeros(size, np.int64)
        self.tables.players[which] = np.where(alone, LEARNER, met)[:, None]
        self.tables.players[which, hero] = LEARNER
        self.hero[which] = hero

    def ended(self, which: npt.NDArray[np.int64], won: npt.NDArray[np.float64]) -> None:
        """Count games that have ended: `won[k, p]` is the share of the win of seat p in the k-th of them."""
        foe = self.tables.players[which].max(axis=1).astype(np.int64)  # below 0 where the network plays in every seat
        mine, anchored = won[np.arange(which.size), self.hero[which]], foe >= 0
        np.add.at(self.tally, foe[anchored], np.stack([np.ones(mine.size), mine, 1 / self.seats[which]], axis=1)[anchored])
        for k in np.unique(foe[anchored]):
            share = mine[foe == k]
            kept = MEMORY**share.size
            self.won[k] = kept * self.won[k] + (1 - kept) * share.mean()

    def figures(self) -> dict[str, Share]:
        """Return the results against each anchor since the last call."""
        found = {
            a.name: Share(int(n), won / n, even / n) for a, (n, won, even) in zip(self.anchors, self.tally.tolist(), strict=False) if n
        }
        self.tally[:] = 0
        return found

    def saved(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Return everything as arrays, with the state of the random generator."""
        return {name: getattr(self, name) for name in ARRAYS}, dict(self.rng.bit_generator.state)

    def restore(self, arrays: dict[str, npt.NDArray[Any]], luck: dict[str, Any]) -> None:
        """Go on from what `saved` returned."""
        for name in ARRAYS:
            getattr(self, name)[:] = arrays[name]
        self.rng.bit_generator.state = luck
