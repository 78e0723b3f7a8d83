"""What would have come anyway: how a game ends if the heuristic plays all seats from here on, with the luck it has.

A learner's advantage is what its decisions changed, so this is taken off as a part of what its position is worth: with the same luck
on both sides most of chance cancels out, and a decision that the heuristic would have taken changes nothing at all. What each answer
would change is looked up likewise. A replay may stop some stages ahead, where a judge says what it comes to: that leaves out the chance
of all that follows. It reads what no seat may know, and only the learner's figures see it, never what it learns to decide by.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents import Agent, heuristic
from alehouse.agents.heuristic import heuristic_of, weights_of
from alehouse.agents.instant import instant_kernels
from alehouse.agents.network import BEST, net_kernels
from alehouse.agents.whole_games import as_instant
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import bare, batch_kernels
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.standings import RANK
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.run.threads import Chunked, chunked
from alehouse.training.judge import Paid, accountant, weigh
from alehouse.training.opponents import Pool
from alehouse.training.streams import Floats, Which, lasting

FRESH, STALE, NEW = 0, 1, 2  # what is known of a table: still true, of an earlier position of its game, of another game
ARRAYS = ("anyway", "known", "stage", "judge")
GREEDY = np.array([BEST])


@functools.cache
def players(game: Game, width: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the kernels that make a workspace and decide: the heuristic, or at their seats networks of a width, if it is not 0."""
    best = instant_kernels(game).best

    @jit
    def alone(options):
        """Return something: the heuristic needs no workspace."""
        return options

    @jit
    def heuristic_s(s, R, nets, player, weights, options, work):
        """What the heuristic does."""
        return best(s, R, weights, lasting(s))

    if not width:
        return alone, heuristic_s
    networks = net_kernels(game, width)
    prepare, decide = networks.prepare, networks.decide

    @jit
    def each_its_own(s, R, nets, player, weights, options, work):
        """What the network does whose seat it is, or else the heuristic."""
        p = int(s.turn)
        if player[p] < 0:
            return best(s, R, weights, lasting(s))
        return decide(s, R, nets[player[p]], p, chance(s.seed, s.asked, p), options, work)

    return prepare, each_its_own


class Positions(NamedTuple):
    """Positions to play on from, with a row for each."""

    states: Any
    rules: Any
    rule: Any
    nets: Any
    player: Any  # by table and seat: the network that plays there, below 0 the heuristic
    options: Any
    weights: Any  # of the heuristic
    judge: Any
    ahead: Any  # stages after which the judge is asked; 0: the game is played to its end
    which: Any  # the table
    place: Any  # of the first action among the legal ones, -1 to leave it open
    scores: Any
    utility: Any
    judged: Any


@functools.cache
def replayer(game: Game, width: int = 0) -> Chunked:
    """Return the kernel that plays copies of tables on: the heuristic plays, or at their seats networks of a width, if it is not 0."""
    step, finish, state = game.step, batch_kernels(game).finish, game.STATE
    (prepare, answer), (take_stock, stage) = players(game, width), accountant(game)

    @chunked
    @jit
    def replay(job, chunk, low, high):
        j = Positions(*bare(job))
        places, work = np.zeros(j.utility.shape[1], np.int64), prepare(j.options)
        table, stock = np.zeros(1, state), np.zeros((j.utility.shape[1], j.judge.shape[2]), np.int16)
        for k in range(low, high):
            i = j.which[k]
            table[0] = j.states[i]
            t, R = table[0], j.rules[j.rule[i]]
            until = stage(t) + j.ahead
            if j.place[k] >= 0:
                step(t, R, bits.nth(t.can, j.place[k]))
            while t.turn >= 0 and (j.ahead == 0 or stage(t) < until):
                step(t, R, answer(t, R, j.nets, j.player[i], j.weights[0], j.options, work))
            j.judged[k] = t.turn >= 0
            if j.judged[k]:
                take_stock(t, R, stock)
                weigh(j.judge[j.rule[i], stage(t)], stock, R.seats, j.utility[k])
            else:
                finish(t, R, RANK, places, j.scores[k], j.utility[k])

    found: Chunked = replay
    return found


@functools.cache
def stages(game: Game) -> Callable[..., None]:
    """Return the kernel that writes how far the game at each table has come."""
    stage = accountant(game)[1]

    @jit
    def write(states, out):
        for i in range(out.size):
            out[i] = stage(states[i])

    found: Callable[..., None] = write
    return found


def is_heuristic(agent: Agent, game: Game) -> bool:
    """Whether an agent decides as the heuristic does that ends games here."""
    one, own = as_instant(agent, game), heuristic(game)
    return one is not None and bool((one.options == own.options).all()) and one.weights.tobytes() == own.weights.tobytes()


class Replays:
    """How the games of a batch of tables would end, as far as it has been looked up."""

    def __init__(self, tables: Tables, share: float, paid: Paid, seed: int, ahead: int = 0, judge: Floats | None = None,
                 pool: Pool | None = None) -> None:  # fmt: skip
        """`share`: of the positions at which what is known is no longer true, those at which it is looked up again.

        `ahead`: stages after which the judge says what a game comes to; 0: games end. `pool`: its networks go on at their seats.
        """
        self.share, self.paid, self.ahead = share if heuristic_of(tables.game) else 0.0, paid, ahead
        self.seats = np.array([v.seats for v in tables.variants], np.int64)
        self.judge = np.zeros((1, 1, 0), np.float32) if judge is None else judge
        self.stage = np.zeros(tables.n, np.int64)  # at which it was looked up
        self.weights, self.pool = weights_of(tables.game).record(), pool
        self.anyway: Floats = np.zeros(tables.utility.shape, np.float32)  # what each seat would be paid
        self.known = np.full(tables.n, NEW, np.int8)
        self.rng = np.random.default_rng([seed, 3])

    def look(self, tables: Tables, deciding: npt.NDArray[np.bool_], threads: int) -> None:
        """Look up how games would end where a learner decides."""
        if self.ahead:
            before = self.stage.copy()
            stages(tables.game)(tables.states, self.stage)
            self.known[(self.known == FRESH) & (before != self.stage)] = STALE
        due = self.known + (self.rng.random(tables.n) < self.share)
        which = np.flatnonzero(deciding & (due >= NEW))
        self.anyway[which], self.known[which] = self._ends(tables, which, np.full(which.size, -1), threads), FRESH

    def effects(
        self, tables: Tables, deciding: npt.NDArray[np.bool_], others: npt.NDArray[np.bool_], threads: int
    ) -> tuple[Which, Which, Floats]:
        """What other answers than a replay's own would change where it was looked up what comes anyway: tables, places, effects."""
        which, place = np.nonzero(others & (deciding & (self.known == FRESH))[:, None])
        seat = tables.seat[which]
        return which, place, self._ends(tables, which, place, threads)[np.arange(which.size), seat] - self.anyway[which, seat]

    def _ends(self, tables: Tables, which: Which, place: Which, threads: int) -> Floats:
        """What each seat would be paid at the tables listed, after the legal action at a place, if not below 0."""
        shape = which.size, self.anyway.shape[1]
        points, utility, judged = np.zeros(shape, np.int64), np.zeros(shape, np.float32), np.zeros(which.size, np.bool_)
        nets, player, width = np.zeros(1), np.zeros((tables.n, 1), np.int8), 0
        if self.pool:
            nets, player, width = self.pool.nets, self.pool.player, self.pool.nets["first_bias"].shape[1]
        job = Positions(tables.states, tables.rules, tables.rule, nets, player, GREEDY, self.weights, self.judge, self.ahead,
                        which, place, points, utility, judged)  # fmt: skip
        replayer(tables.game, width)(job, which.size, threads)
        return np.where(judged[:, None], utility, self.paid(utility, points, self.seats[which]))

    def moved(self, apart: npt.NDArray[np.bool_]) -> None:
        """Take in where somebody did not do what replays would have done, or would no more."""
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
            setattr(self, name, arrays[name].copy())
        self.rng.bit_generator.state = luck
