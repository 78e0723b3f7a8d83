"""What would have come anyway: how a game ends if the heuristic plays all seats from here on, with the luck it has.

A learner's advantage is what its decisions changed, so this is taken off as a part of what its position is worth: with the same luck
on both sides most of chance cancels out, and a decision that the heuristic would have taken changes nothing at all. Answers that are
only tried are looked up likewise. It reads what no seat may know, and only the learner's figures see it, never what it learns to decide by.
"""

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import prange

from alehouse.agents import Agent, heuristic
from alehouse.agents.heuristic import heuristic_of, weights_of
from alehouse.agents.quick import RANK, quick
from alehouse.agents.whole import as_quick
from alehouse.envs.core import bits
from alehouse.envs.core.drive import bare, drivers
from alehouse.envs.core.game import Game
from alehouse.envs.core.jit import jit
from alehouse.envs.core.tables import Tables
from alehouse.training.streams import Floats, Which, lasting

FRESH, STALE, NEW = 0, 1, 2  # what is known of a table: still true, of an earlier position of its game, of another game
ARRAYS = ("anyway", "known")


@functools.cache
def replayer(game: Game) -> SimpleNamespace:
    """The kernels that play tables to the end by a game's heuristic, on one thread and on several."""
    best, step, finish, state = quick(game).best, game.step, drivers(game).finish, game.STATE

    @jit
    def some(states, rules, rule, weights, which, place, points, utility, low, high):
        """How a copy of each table listed would end, after the legal action at a place if one is told."""
        states, rules, weights, points, utility = bare(states), bare(rules), bare(weights), bare(points), bare(utility)
        places = np.zeros(utility.shape[1], np.int64)
        room = np.zeros(1, state)
        for k in range(low, high):
            room[0] = states[which[k]]
            t, R = room[0], rules[rule[which[k]]]
            if place[k] >= 0:
                step(t, R, bits.nth(t.can, place[k]))
            while t.turn >= 0:
                step(t, R, best(t, R, weights[0], lasting(t)))
            finish(t, R, RANK, places, points[k], utility[k])

    @functools.partial(jit, parallel=True)
    def several(states, rules, rule, weights, which, place, points, utility, threads):
        size = (which.size + threads - 1) // threads
        for c in prange(threads):
            some(states, rules, rule, weights, which, place, points, utility, c * size, min(which.size, (c + 1) * size))

    return SimpleNamespace(some=some, several=several)


def is_heuristic(agent: Agent, game: Game) -> bool:
    """Whether an agent decides as the heuristic does that ends games here."""
    one, own = as_quick(agent, game), heuristic(game)
    return one is not None and bool((one.how == own.how).all()) and one.weights.tobytes() == own.weights.tobytes()


class Replays:
    """How the games of a batch of tables would end, as far as it has been looked up."""

    def __init__(self, tables: Tables, share: float, paid: Callable[..., Floats], seed: int) -> None:
        """`share`: of the positions at which what is known is no longer true, those at which it is looked up again.

        `paid` says what utilities by rank and points at the tables listed are worth.
        """
        self.share, self.paid = share if heuristic_of(tables.game) else 0.0, paid
        self.weights = weights_of(tables.game).record()
        self.anyway = np.zeros(tables.utility.shape, np.float32)  # what each seat would be paid
        self.known = np.full(tables.n, NEW, np.int8)
        self.rng = np.random.default_rng([seed, 3])

    def look(self, tables: Tables, deciding: npt.NDArray[np.bool_], threads: int) -> None:
        """Look up how games would end where a learner decides."""
        due = self.known + (self.rng.random(tables.n) < self.share)
        which = np.flatnonzero(deciding & (due >= NEW))
        self.anyway[which], self.known[which] = self._ends(tables, which, np.full(which.size, -1), threads), FRESH

    def effects(
        self, tables: Tables, deciding: npt.NDArray[np.bool_], drawn: npt.NDArray[np.int8], threads: int
    ) -> tuple[Which, Which, Floats]:
        """What answers drawn at some tables would change, times how often each was drawn: tables, places, effects other than none."""
        which, place = np.nonzero(drawn * (deciding & (self.known == FRESH))[:, None])
        seat = tables.seat[which]
        found = self._ends(tables, which, place, threads)[np.arange(which.size), seat] - self.anyway[which, seat]
        some = found != 0
        return which[some], place[some], (found * drawn[which, place])[some]

    def _ends(self, tables: Tables, which: Which, place: Which, threads: int) -> Floats:
        """What each seat would be paid at the tables listed, after the legal action at a place, if not below 0."""
        shape = which.size, self.anyway.shape[1]
        points, utility = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
        args: tuple[Any, ...] = (tables.states, tables.rules, tables.rule, self.weights, which, place, points, utility)
        if threads > 1:
            numba.set_num_threads(threads)
            replayer(tables.game).several(*args, threads)
        else:
            replayer(tables.game).some(*args, 0, which.size)
        return self.paid(utility, points, which)

    def moved(self, apart: npt.NDArray[np.bool_]) -> None:
        """Take in where somebody did not do what the heuristic would have done."""
        self.known[apart & (self.known == FRESH)] = STALE

    def began(self, which: npt.NDArray[np.int64]) -> None:
        """Take in where a new game has begun."""
        self.known[which] = NEW

    def saved(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Everything, as arrays and as facts."""
        return {name: getattr(self, name) for name in ARRAYS}, dict(self.rng.bit_generator.state)

    def restore(self, arrays: dict[str, npt.NDArray[Any]], luck: dict[str, Any]) -> None:
        """Go on from what was saved."""
        for name in ARRAYS:
            getattr(self, name)[:] = arrays[name]
        self.rng.bit_generator.state = luck
