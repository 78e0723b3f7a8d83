"""What the decisions of a game cost: from each, every answer is played on many times on the same luck.

A table is redealt for the seat that decides before it is played on. So an answer is judged by what the seat could know, not by the cards
that it could not see or the dice that came later. The best of many uncertain values looks better than it is. Therefore half of the plays
choose the best answer, and the other half compare it with the answer that was given.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.agent import Agent
from alehouse.agents.forks import AS_IT_IS, play_forks
from alehouse.agents.kernel_agent import Kernel
from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.run.context import ask
from alehouse.envs.core.run.luck import REDEALS, draw_each, game_seed
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.standings import win_shares
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.intervals import Z95

CLEAR = 0.02  # a mistake costs at least this share of the win
LEVEL = 0.05  # the chance that any decision of a game is called a mistake though it cost nothing

Floats = npt.NDArray[np.float64]


class Course(NamedTuple):
    """The decisions of a game in order."""

    variant: Variant
    states: npt.NDArray[Any]  # the table before each decision
    seats: list[int]
    legal: list[npt.NDArray[np.int64]]
    actions: list[int]
    won: Floats | None  # each seat's share of the win; None for a game in progress

    @classmethod
    def of(cls, replay: Replay) -> "Course":
        """Return the decisions of a replay."""
        v, states, seats, legal = as_variant(replay.variant), list[Any](), list[int](), list[npt.NDArray[np.int64]]()
        for table in replay.played():
            states.append(table.states[0].copy())
            seats.append(int(table.seat[0]))
            legal.append(np.flatnonzero(table.mask[0]))
        n = len(replay.actions)
        shares = np.maximum(table.utility, 0.0) if v.seats == 1 else win_shares(table.utility)  # a seat that loses alone has less than 0
        won = shares[0].astype(np.float64) if table.over[0] else None
        return cls(v, np.array(states[:n], v.spec.STATE), seats[:n], legal[:n], list(replay.actions), won)


@dataclass(frozen=True)
class Answer:
    """An answer with the share of the win that the seat may expect from it, and the standard error of that."""

    action: int
    value: float
    error: float


@dataclass(frozen=True)
class Decision:
    """A decision, and what it cost the seat that took it, in shares of the win."""

    move: int  # its number in the game, from 1 on
    seat: int
    action: int
    answers: tuple[Answer, ...]  # all legal answers
    best: int  # the action that half of the plays found best
    loss: float  # by how much the best answer beat the given one in the other half; 0 if they are the same
    error: float  # the standard error of the loss
    shares: tuple[float, ...]  # the share of the win that each seat may expect after the answer
    plays: int  # how often each answer was played on for that

    @property
    def choice(self) -> bool:
        """Whether there was another legal answer."""
        return len(self.answers) > 1


def played_on(course: Course, at: int, actions: Sequence[int], agent: Kernel, keys: Any, seat: int, threads: int = 1) -> Floats:
    """Return each seat's share of the win, for each of some answers at a decision and each key of luck."""
    rows = np.array([(0, a, seat) for a in actions for _ in keys], np.int64)
    states, rules = course.states[at : at + 1], course.variant.rules_record()
    shares = play_forks(agent, states, rules, [0], rows, np.tile(keys, len(actions)), threads)
    return shares.reshape(len(actions), len(keys), course.variant.seats)


def lucks(seed: int, at: int, plays: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return the keys of the luck at a decision, in two halves."""
    keys = draw_each(np.full(plays, game_seed(np.uint64(seed), at)), REDEALS, np.arange(plays))
    return keys[: plays // 2], keys[plays // 2 :]


def error_of(values: Floats) -> float:
    """Return the standard error of a mean, never quite 0: two values half a win away are added, as even equal plays prove nothing."""
    return float(np.sqrt((np.square(values - values.mean()).sum() + 0.5) / (values.size - 1) / values.size))


class Compared(NamedTuple):
    """The answers of a decision, played on: in one half of the plays all of them, in the other half the best and those to be compared."""

    shares: Floats  # for each legal answer, play of the first half and seat, the share of the win
    best: int  # the answer that the first half found best
    loss: dict[int, tuple[float, float]]  # by how much the best beat each answer in the other half, with the standard error


def compared(course: Course, at: int, given: Collection[int], agent: Kernel, plays: int, seed: int, threads: int = 1) -> Compared:
    """Compare the given answers of a decision with the best one. The best answer is a given one if that looks as good as any."""
    seat, legal = course.seats[at], course.legal[at].tolist()
    first, second = lucks(seed, at, plays)
    shares = played_on(course, at, legal, agent, first, seat, threads)
    values = dict(zip(legal, shares[:, :, seat].mean(axis=1), strict=True))
    best = max(legal, key=lambda a: (values[a], a in given))
    others = sorted({*given} - {best})
    loss = {best: (0.0, 0.0)}
    if others:
        top, *rest = played_on(course, at, [best, *others], agent, second, seat, threads)[:, :, seat]
        loss |= {a: (float((top - one).mean()), error_of(top - one)) for a, one in zip(others, rest, strict=True)}
    return Compared(shares, best, loss)


def decisions(course: Course, agent: Kernel, plays: int, seed: int = 0, threads: int = 1) -> Iterator[Decision]:
    """Yield every decision of a game with its cost. `plays` is how often the best and the given answer are played on."""
    for at, (seat, legal, action) in enumerate(zip(course.seats, course.legal, course.actions, strict=True)):
        found = compared(course, at, [action], agent, plays, seed, threads)
        own = found.shares[:, :, seat]
        answers = tuple(Answer(int(a), float(x.mean()), error_of(x)) for a, x in zip(legal, own, strict=True))
        shares = tuple(map(float, found.shares[legal.tolist().index(action)].mean(axis=0)))
        yield Decision(at + 1, seat, action, answers, found.best, *found.loss[action], shares, own.shape[1])


def losses(course: Course, agents: Sequence[Agent], agent: Kernel, plays: int, seed: int = 0, threads: int = 1) -> Floats:
    """Return what the answers of several agents would cost at each decision of a game that leaves a choice, whoever took it there.

    All agents are asked at the same tables and compared on the same luck, so none of them has more to lose than another.
    """
    choices = [at for at, legal in enumerate(course.legal) if len(legal) > 1]
    tables = Tables(course.variant, n=max(1, len(choices)), autoreset=False)
    tables.states[: len(choices)] = course.states[choices]
    tables.show()
    answers = np.array([ask(one, tables, np.arange(len(choices))) for one in agents]).reshape(len(agents), len(choices)).T
    rows = []
    for at, given in zip(choices, answers.tolist(), strict=True):
        found = compared(course, at, given, agent, plays, seed, threads)
        rows.append([found.loss[a][0] for a in given])
    return np.array(rows).reshape(len(choices), len(agents))


class Tried(NamedTuple):
    """An answer compared with the given one on the same luck; all are shares of the win of the seat that decides."""

    action: int
    value: float
    half: float  # half of the 95 % interval
    more: float  # how much more the answer brings than the given one
    more_half: float
    as_it_was: float  # with hidden cards and all luck as they were in the game


class Fork(NamedTuple):
    """A decision with all its answers played on, and what its luck brought."""

    at: int
    seat: int
    action: int
    tried: tuple[Tried, ...]  # best first
    best: int  # the action that half of the plays found best
    gain: float  # by how much it beat the given answer in the other half
    gain_half: float
    luck: float  # what luck as it was brought beyond the luck that could be expected, after the given answer
    luck_half: float


def fork(course: Course, at: int, agent: Kernel, plays: int, seed: int = 0, threads: int = 1) -> Fork:
    """Play all answers of a decision on: on luck that the seat could expect, the same for all answers, and on the luck as it was."""
    seat, legal, action = course.seats[at], course.legal[at].tolist(), course.actions[at]
    keys = np.concatenate(lucks(seed, at, plays))
    expected = played_on(course, at, legal, agent, keys, seat, threads)[:, :, seat]
    actual = played_on(course, at, legal, agent, keys, AS_IT_IS, threads)[:, :, seat]
    given, half = legal.index(action), plays // 2
    means = expected[:, :half].mean(axis=1)
    best = given if means[given] == means.max() else int(means.argmax())
    gain = (expected[best] - expected[given])[half:]
    brought = actual[given] - expected[given]
    more = expected - expected[given]
    tried = [
        Tried(a, float(x.mean()), Z95 * error_of(x), float(m.mean()), Z95 * error_of(m), float(y.mean()))
        for a, x, m, y in zip(legal, expected, more, actual, strict=True)
    ]
    ranked = tuple(sorted(tried, key=lambda one: -one.value))
    luck = float(brought.mean()), Z95 * error_of(brought)
    return Fork(at, seat, action, ranked, legal[best], float(gain.mean()), Z95 * error_of(gain), *luck)


class Accuracy(NamedTuple):
    """What the decisions of one player cost in a game, in shares of the win."""

    seat: int
    decisions: int  # those with a choice
    loss: float  # for each decision with a choice
    half: float  # half of its 95 % interval
    total: float
    mistakes: int


def accuracy(found: Sequence[Decision], seats: int) -> list[Accuracy]:
    """Return the accuracy of each player."""
    rows, wrong = [], mistakes(found)
    for seat in range(seats):
        own = [one for one in found if one.seat == seat and one.choice]
        n, total = max(1, len(own)), sum(one.loss for one in own)
        error = float(np.sqrt(sum(one.error**2 for one in own)))
        rows.append(Accuracy(seat, len(own), total / n, Z95 * error / n, total, sum(one in wrong for one in own)))
    return rows


def mistakes(found: Sequence[Decision]) -> list[Decision]:
    """Return the decisions of a game that surely cost something that matters, the costliest first.

    The more decisions are compared, the further one of them must stand out.
    """
    choices = [one for one in found if one.choice]
    far = NormalDist().inv_cdf(1 - LEVEL / 2 / max(1, len(choices)))
    sure = [one for one in choices if one.loss >= max(CLEAR, far * one.error)]
    return sorted(sure, key=lambda one: -one.loss)
