"""Starts in the middle of a game, from positions met in other games, so that the learner sees late positions more often."""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.record import picked
from alehouse.envs.core.run.admission import admit
from alehouse.envs.core.run.tables import Tables

SPACING = 256  # each table's position is kept once in this many steps


class MidGameStarts:
    """Keeps one position of each table; new games may begin from any kept position of their variant."""

    def __init__(self, tables: Tables, share: float, seed: int) -> None:
        """Begin with no kept positions. `share` of the new games begin in the middle."""
        self.share, self.steps = share, 0
        self.kept = np.zeros(tables.n, tables.game.STATE)
        self.filled = np.zeros(tables.n, np.bool_)
        self.rng = np.random.default_rng([seed, 2])
        self.rule = tables.rule.copy()
        self.admit = functools.partial(admit, tables.game, tables.distinct, tables.rules)
        self.order = np.argsort(tables.rule, kind="stable")
        self.low = np.searchsorted(tables.rule, tables.rule, sorter=self.order)
        self.high = np.searchsorted(tables.rule, tables.rule, side="right", sorter=self.order)

    def keep(self, tables: Tables) -> None:
        """Keep the positions of some of the tables; other tables follow in the next steps."""
        at = slice(self.steps % SPACING, None, SPACING)
        self.kept[at], self.filled[at] = tables.states[at], True
        self.steps += 1

    def start(self, tables: Tables, ended: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Let some of the games that have just begun start in the middle instead; return their tables.

        What the seat to move cannot know is redealt, future luck included.
        """
        which = ended[self.rng.random(ended.size) < self.share]
        donors = self.order[self.rng.integers(self.low[which], self.high[which])]
        keys = self.rng.integers(2**64, size=which.size, dtype=np.uint64)
        ready = self.filled[donors]
        which, donors, keys = which[ready], donors[ready], keys[ready]
        tables.states[which] = self.kept[donors]
        tables.redeal(which, self.kept["turn"][donors], keys)
        return which

    def saved(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Return everything as arrays and JSON facts."""
        return {"kept": self.kept.view(np.uint8).reshape(self.kept.size, -1), "filled": self.filled}, {
            "steps": self.steps,
            "luck": self.rng.bit_generator.state,
        }

    def restore(self, arrays: dict[str, npt.NDArray[Any]], facts: dict[str, Any]) -> None:
        """Go on from what `saved` returned."""
        filled = np.array(arrays["filled"], np.bool_)
        kept = np.array(arrays["kept"]).reshape(-1).view(self.kept.dtype)
        self.admit(self.rule[filled], picked(kept, filled))
        self.kept[:], self.filled[:] = kept, filled
        self.steps, self.rng.bit_generator.state = facts["steps"], facts["luck"]
