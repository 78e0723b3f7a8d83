"""Counterfactual games: how a game would end if the learner stopped deciding and the heuristic played all seats from here on.

A learner should be paid for what its decisions changed, so what the counterfactual game pays is subtracted as a baseline. Both games have
the same luck, so most of chance cancels out, and a decision that the heuristic would have taken changes nothing at all. The effect of
each answer is found in the same way. A counterfactual game may stop some stages ahead, where a judge estimates how it ends; that leaves
out the chance of all that follows. These games use facts that no seat may know, so they only serve to compute rewards, never to decide.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents import Agent, heuristic
from alehouse.agents.heuristic import heuristic_of, weights_of
from alehouse.agents.instant import BEST, instant_kernels
from alehouse.agents.network import net_kernels
from alehouse.agents.whole_games import as_instant
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import batch_kernels
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.learner_kernels import Inside
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import RANK
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.run.threads import Chunked, chunked
from alehouse.training.decisions import Floats, lasting
from alehouse.training.judge import Paid, accountant, weigh
from alehouse.training.opponents import Opponents
from alehouse.training.samples import Which

FRESH, STALE, NEW = 0, 1, 2  # the known end of the counterfactual game belongs to this position, to an earlier position, or to another game
ARRAYS = ("baseline", "known", "stage", "judge")
GREEDY = np.array([BEST])


@functools.cache
def steady_heuristic(game: Game) -> Inside:
    """Return the heuristic as it continues counterfactual games: it breaks ties the same way all through a game."""
    best = instant_kernels(game).best

    @jit
    def decide(s, R, W, seat, key, options, work):
        return best(s, R, W, lasting(s))

    @jit
    def prepare(options):
        return options

    return Inside(decide, prepare, weights_of(game).record(), np.zeros(1, np.int64))


class SteadyHeuristic:
    """The heuristic as it continues counterfactual games, as an opponent at a learner's tables."""

    def inside(self, game: Game) -> Inside:
        """Return this agent in the form that decides inside numba."""
        return steady_heuristic(game)


class Continued(NamedTuple):
    """A job of games to continue, with a row for each: how it is continued, and how it ends."""

    states: Any
    rules: Any
    rule: Any
    nets: Any  # an array of records, one for each network; one number if no network plays
    player: Any  # for each table and seat, the index of its network, or below 0 for the heuristic
    options: Any  # the options of the networks
    weights: Any  # the weights of the heuristic
    judge: Any  # the weights of the judge, for each rules record and stage
    ahead: Any  # the judge estimates the end after this many stages; 0 plays games to the end
    which: Any  # for each row, its table
    place: Any  # for each row, the first answer to take (as its index among the legal ones), or -1 to let the players decide
    points: Any
    utility: Any
    judged: Any  # for each row, whether the judge estimated the utility


@functools.cache
def players(game: Game, width: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Make two kernels, one for the players' workspace and one that decides for a seat.

    The heuristic plays or, at seats with a network, networks of one width (0: none).
    """
    best = instant_kernels(game).best

    @jit
    def no_workspace(options):
        """Return an arbitrary value, because the heuristic needs no workspace."""
        return options

    @jit
    def by_heuristic(s, R, j, i, work):
        """Return the heuristic's action."""
        return best(s, R, j.weights[0], lasting(s))

    if not width:
        return no_workspace, by_heuristic
    networks = net_kernels(game, width)
    prepare, decide = networks.prepare, networks.decide

    @jit
    def by_each(s, R, j, i, work):
        """Return the action of the network that plays the seat at table i, or else the heuristic's."""
        p = int(s.turn)
        player = j.player[i, p]
        if player < 0:
            return best(s, R, j.weights[0], lasting(s))
        return decide(s, R, j.nets[player], p, chance(s.seed, s.asked, p), j.options, work)

    return prepare, by_each


@functools.cache
def continuing(game: Game, width: int = 0) -> Chunked:
    """Make the kernel that continues copies of games: by the heuristic and, if `width` is not 0, by networks of that width."""
    step, finish, state = game.step, batch_kernels(game).finish, game.STATE
    (prepare, answer), (take_stock, stage) = players(game, width), accountant(game)

    @chunked
    @jit
    def play_on(job, chunk, low, high):
        j = Continued(*bare(job))
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
                step(t, R, answer(t, R, j, i, work))
            j.judged[k] = t.turn >= 0
            if j.judged[k]:
                take_stock(t, R, stock)
                weigh(j.judge[j.rule[i], stage(t)], stock, R.seats, j.utility[k])
            else:
                finish(t, R, RANK, places, j.points[k], j.utility[k])

    found: Chunked = play_on
    return found


@functools.cache
def stages(game: Game) -> Callable[..., None]:
    """Make the kernel that writes the stage that the game at each table has reached."""
    stage = accountant(game)[1]

    @jit
    def write(states, out):
        for i in range(out.size):
            out[i] = stage(states[i])

    found: Callable[..., None] = write
    return found


def is_heuristic(agent: Agent, game: Game) -> bool:
    """Return whether an agent decides like the heuristic that continues games here."""
    one = as_instant(agent, game)
    if one is None or heuristic_of(game) is None:
        return False
    own = heuristic(game)
    return bool((one.options == own.options).all()) and one.weights.tobytes() == own.weights.tobytes()


class Counterfactuals:
    """How the games in a batch of tables would end if the learner stopped deciding, as far as that is known."""

    def __init__(self, tables: Tables, share: float, paid: Paid, seed: int, ahead: int = 0, judge: Floats | None = None,
                 opponents: Opponents | None = None) -> None:  # fmt: skip
        """Set up counterfactual games for a batch of tables.

        `share`: which share of the positions whose known end is stale is looked up again. `ahead`: the judge estimates the end after this
        many
        stages; 0 plays games to the end. `opponents`: at their seats their networks play on.
        """
        self.share, self.paid, self.ahead = share if heuristic_of(tables.game) else 0.0, paid, ahead
        self.seats = np.array([v.seats for v in tables.variants], np.int64)
        self.judge = np.zeros((1, 1, 0), np.float32) if judge is None else judge
        self.stage = np.zeros(tables.n, np.int64)  # for each game, its stage when its end was looked up
        self.weights, self.opponents = weights_of(tables.game).record(), opponents
        self.baseline: Floats = np.zeros(tables.utility.shape, np.float32)  # for each seat, what it would be paid
        self.known = np.full(tables.n, NEW, np.int8)
        self.rng = np.random.default_rng([seed, 3])

    def look_up(self, tables: Tables, deciding: npt.NDArray[np.bool_], threads: int) -> None:
        """Find how games would end, at tables where a learner decides."""
        if self.ahead:
            before = self.stage.copy()
            stages(tables.game)(tables.states, self.stage)
            self.known[(self.known == FRESH) & (before != self.stage)] = STALE
        due = self.known + (self.rng.random(tables.n) < self.share)
        which = np.flatnonzero(deciding & (due >= NEW))
        self.baseline[which], self.known[which] = self._ends(tables, which, np.full(which.size, -1), threads), FRESH

    def effects(
        self, tables: Tables, deciding: npt.NDArray[np.bool_], each_differs: npt.NDArray[np.bool_], threads: int
    ) -> tuple[Which, Which, Floats]:
        """Find the effect of answers that the counterfactual game does not take, where its end is known; return tables, indices and
        effects.
        """
        which, place = np.nonzero(each_differs & (deciding & (self.known == FRESH))[:, None])
        seat = tables.seat[which]
        return which, place, self._ends(tables, which, place, threads)[np.arange(which.size), seat] - self.baseline[which, seat]

    def _ends(self, tables: Tables, which: Which, place: Which, threads: int) -> Floats:
        """Return what each seat would be paid at the listed tables, after the answers with the given indices."""
        player, width = np.zeros((tables.n, 1), np.int8), 0
        nets: npt.NDArray[Any] = np.zeros(1)
        if self.opponents:
            nets, player = self.opponents.nets, self.opponents.player
            width = nets["first_bias"].shape[1]
        shape = which.size, self.baseline.shape[1]
        points, utility, judged = np.zeros(shape, np.int64), np.zeros(shape, np.float32), np.zeros(which.size, np.bool_)
        job = Continued(tables.states, tables.rules, tables.rule, nets, player, GREEDY, self.weights, self.judge, self.ahead,
                        which, place, points, utility, judged)  # fmt: skip
        continuing(tables.game, width)(job, which.size, threads)
        return np.where(judged[:, None], utility, self.paid(utility, points, self.seats[which]))

    def moved(self, differs: npt.NDArray[np.bool_]) -> None:
        """Mark the known end as stale where an action may differ from the one in the counterfactual game."""
        self.known[differs & (self.known == FRESH)] = STALE

    def began(self, which: Which) -> None:
        """Mark the tables where a new game has begun."""
        self.known[which] = NEW

    def saved(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Return everything as arrays, with the state of the random generator."""
        return {name: getattr(self, name) for name in ARRAYS}, dict(self.rng.bit_generator.state)

    def restore(self, arrays: dict[str, npt.NDArray[Any]], luck: dict[str, Any]) -> None:
        """Go on from what `saved` returned."""
        for name in ARRAYS:
            setattr(self, name, arrays[name].copy())
        self.rng.bit_generator.state = luck
