"""What an agent is given besides observations and masks: who decides, what is played, and how to redeal a table."""

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
    """Return a random number for one decision; it follows from the game's seed but does not reveal it."""
    return draw(seed, AGENTS, asked, seat, 1) ^ draw(seed, AGENTS, asked, seat, 2)


@jit
def chances(seeds, asked, seats):
    """Return a random number for each decision."""
    out = np.empty(seeds.size, np.uint64)
    for i in range(seeds.size):
        out[i] = chance(seeds[i], asked[i], seats[i])
    return out


@dataclass(frozen=True)
class Context:
    """Some open decisions, each taken by the seat to move at one table of a batch."""

    seats: npt.NDArray[np.int8]  # the seat that decides, for each decision
    _tables: Tables
    _which: npt.NDArray[np.int64]

    @classmethod
    def of(cls, tables: Tables, which: Any = None) -> "Context":
        """Return the decisions open at the listed tables, or at all tables."""
        index = np.arange(tables.n) if which is None else np.asarray(which, np.int64)
        return cls(tables.seat[index], tables, index)

    @property
    def game(self) -> Game:
        """The game that is played at all these tables."""
        return self._tables.game

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The variant that is played at each table."""
        return tuple(self._tables.variants[i] for i in self._which)

    @cached_property
    def keys(self) -> npt.NDArray[np.uint64]:
        """A random number for each decision, for agents that play by chance; it does not depend on the position in the batch."""
        states = self._tables.states
        return np.asarray(chances(states["seed"][self._which], states["asked"][self._which], self.seats), np.uint64)

    @property
    def records(self) -> tuple[Any, Any, Any]:
        """Return copies of the states and the rules, and each state's index in the rules.

        They are only for kernels that a test has shown not to use what a seat cannot know.
        """
        return picked(self._tables.states, self._which), self._tables.rules, self._tables.rule[self._which]

    def redeal(self, key: int) -> Tables:
        """Return copies of the tables for search: what each seat to move cannot know is dealt again; another key gives another deal."""
        check_whole("key", key, 0, 2**32 - 1)
        keys = draw_each(self.keys, REDEALS, np.full(self._which.size, key))
        return self._tables.redealt(self._which, self.seats, keys)


def ask(agent: Any, tables: Tables, which: Any = None) -> npt.NDArray[np.int64]:
    """Return an agent's actions at the listed tables, or at all; raise a ValueError if it does not return one action for each."""
    ctx = Context.of(tables, which)
    index = ctx._which
    answer = np.asarray(agent.act(tables.obs[index], tables.mask[index], ctx))
    if answer.shape != index.shape or answer.dtype.kind not in "iu":
        name = getattr(agent, "name", type(agent).__name__)
        raise ValueError(f"agent {name!r}: {index.size} whole numbers are wanted, it answered shape {answer.shape} of {answer.dtype}")
    return answer.astype(np.int64)
