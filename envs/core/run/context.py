"""What an agent is given besides observations and masks: who decides, what is played, and how to redeal a table."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

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


@dataclass(frozen=True, eq=False)
class Context:
    """Some open decisions, each taken by the seat to move at one table of a batch. Nothing in it leads to the true states."""

    seats: npt.NDArray[np.int8]  # the seat that decides, for each decision

    @classmethod
    def of(cls, tables: Tables, which: Any = None) -> "Context":
        """Return the decisions open at the listed tables, or at all tables."""
        index = np.arange(tables.n) if which is None else np.asarray(which, np.int64)
        ctx = cls(tables.seat[index])
        _BEHIND[ctx] = tables, index
        return ctx

    @property
    def game(self) -> Game:
        """The game that is played at all these tables."""
        return _BEHIND[self][0].game

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The variant that is played at each table."""
        tables, which = _BEHIND[self]
        return tuple(tables.distinct[k] for k in tables.rule[which])

    @cached_property
    def keys(self) -> npt.NDArray[np.uint64]:
        """A random number for each decision, for agents that play by chance; it does not depend on the position in the batch."""
        tables, which = _BEHIND[self]
        return np.asarray(chances(tables.states["seed"][which], tables.states["asked"][which], self.seats), np.uint64)

    def redeal(self, key: int) -> Tables:
        """Return copies of the tables for search: what each seat to move cannot know is dealt again; another key gives another deal."""
        check_whole("key", key, 0, 2**32 - 1)
        tables, which = _BEHIND[self]
        return tables.redealt(which, self.seats, draw_each(self.keys, REDEALS, np.full(which.size, key)))


_BEHIND = WeakKeyDictionary[Context, tuple[Tables, npt.NDArray[np.int64]]]()  # the tables behind each context, and which of them


def true_records(ctx: Context) -> tuple[Any, Any, Any]:
    """Return copies of the true states, the rules, and each state's index in the rules. This is the door for kernels of this package that
    a test has proven not to use what a seat cannot know; no other code may call it, and a test sees to that.
    """
    tables, which = _BEHIND[ctx]
    return picked(tables.states, which), tables.rules, tables.rule[which]


def ask(agent: Any, tables: Tables, which: Any = None) -> npt.NDArray[np.int64]:
    """Return an agent's actions at the listed tables, or at all; raise a ValueError if it does not return one action for each."""
    index = np.arange(tables.n) if which is None else np.asarray(which, np.int64)
    ctx = Context.of(tables, index)
    answer = np.asarray(agent.act(tables.obs[index], tables.mask[index], ctx))
    if answer.shape != index.shape or answer.dtype.kind not in "iu":
        name = getattr(agent, "name", type(agent).__name__)
        raise ValueError(f"agent {name!r}: {index.size} whole numbers are wanted, it answered shape {answer.shape} of {answer.dtype}")
    return answer.astype(np.int64)
