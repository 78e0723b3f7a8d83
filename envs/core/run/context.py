"""What agents are told of the decisions they take, beside observations and masks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.record import picked
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, REDEALS, draw, draw_each
from alehouse.envs.core.run.tables import Tables


@jit
def chance(seed, asked, seat):
    """A number for a decision that follows from the game's seed and does not give it away."""
    return draw(seed, AGENTS, asked, seat, 1) ^ draw(seed, AGENTS, asked, seat, 2)


@jit
def chances(seeds, asked, seats):
    """A number for each decision."""
    out = np.empty(seeds.size, np.uint64)
    for i in range(seeds.size):
        out[i] = chance(seeds[i], asked[i], seats[i])
    return out


@dataclass(frozen=True)
class Context:
    """N decisions, each of the seat to move at one table of a batch."""

    seats: npt.NDArray[np.int8]  # who decides
    _tables: Tables
    _which: npt.NDArray[np.int64]

    @classmethod
    def of(cls, tables: Tables, which: Any = None) -> "Context":
        """The decisions open at the tables listed, or at all of them."""
        index = np.arange(tables.n) if which is None else np.asarray(which, np.int64)
        return cls(tables.seat[index], tables, index)

    @property
    def game(self) -> Game:
        """The game all of them play."""
        return self._tables.game

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """What is played at each table."""
        return tuple(self._tables.variants[i] for i in self._which)

    @cached_property
    def keys(self) -> npt.NDArray[np.uint64]:
        """A number for each decision to draw an agent's own chance from, whatever its place in the batch."""
        states = self._tables.states
        return np.asarray(chances(states["seed"][self._which], states["asked"][self._which], self.seats), np.uint64)

    @property
    def records(self) -> tuple[Any, Any, Any]:
        """Copies of the states, the rules, and which of them each state is played by: for kernels that are shown, by a test that
        deals anew what a seat can not know, not to use it."""
        return picked(self._tables.states, self._which), self._tables.rules, self._tables.rule[self._which]

    def redeal(self, key: int) -> Tables:
        """Tables to search in: as those who decide may believe theirs to stand, another draw for another key."""
        check_whole("key", key, 0, 2**32 - 1)
        keys = draw_each(self.keys, REDEALS, np.full(self._which.size, key))
        return self._tables.redealt(self._which, self.seats, keys)


def ask(agent: Any, tables: Tables, which: Any = None) -> npt.NDArray[np.int64]:
    """An agent's actions at the tables listed, or at all of them; a ValueError unless it answers with one for each."""
    ctx = Context.of(tables, which)
    index = ctx._which
    answer = np.asarray(agent.act(tables.obs[index], tables.mask[index], ctx))
    if answer.shape != index.shape or answer.dtype.kind not in "iu":
        name = getattr(agent, "name", type(agent).__name__)
        raise ValueError(f"agent {name!r}: {index.size} whole numbers are wanted, it answered shape {answer.shape} of {answer.dtype}")
    return answer.astype(np.int64)
