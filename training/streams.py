"""One honest stream a seat: what tables show step by step becomes samples to learn from.

A sample is a decision of a learner that left a choice. It stays open until the same seat decides again or its game ends, however
many others decide in between; advantages (GAE) run along these links. What is open when a batch is full opens the next batch.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.instant import instant_kernels
from alehouse.agents.network import adviser, dot, highest, layers, put, rate, sampled, soften, student
from alehouse.agents.network_file import aspects_of
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import bare
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.run.threads import Chunked, chunked

NOBODY = -1  # learns from a seat's decisions
OPEN, ENDED = -1, -2  # where no later sample follows
ASKED = -1  # an action that someone else is asked for
TINY = 1e-8  # where nothing changes anything
ROWS = 16  # of aspects for each sample there is room for, on the mean of a batch
Floats = npt.NDArray[np.float32]
Which = npt.NDArray[np.int64]
CARRIED = ("obs", "can", "prior", "action", "log", "value", "anyway", "who", "effect")


def choices(game: Game) -> int:
    """Legal actions at once, at most."""
    return game.most_choices or len(game.ACTIONS)


class Decided(NamedTuple):
    """What is decided at each table of a batch in one step."""

    prior: npt.NDArray[np.float32]  # what the heuristic thinks of each legal action
    aspects: npt.NDArray[np.float32]  # and what each is about
    action: npt.NDArray[np.int64]
    log: npt.NDArray[np.float32]  # the logarithm of the action's chance
    value: npt.NDArray[np.float32]  # what the seat may expect
    apart: npt.NDArray[np.bool_]  # perhaps not what replays would have done
    others: npt.NDArray[np.bool_]  # the same of each legal action

    @classmethod
    def room(cls, tables: Tables) -> "Decided":
        """Room for the decisions of a batch."""
        n, legal = tables.n, choices(tables.game)
        log, value = np.zeros((2, n), np.float32)
        prior, aspects = np.zeros((n, legal), np.float32), np.zeros((n, legal, len(aspects_of(tables.game))), np.float32)
        return cls(prior, aspects, np.zeros(n, np.int64), log, value, np.zeros(n, np.bool_), np.zeros((n, legal), np.bool_))


class Samples(NamedTuple):
    """The arrays of samples, with a row for each."""

    obs: npt.NDArray[np.uint8]
    can: npt.NDArray[np.uint64]
    prior: Floats
    aspects: Floats  # a row for each legal action of each sample
    row: Which  # the first of these rows, by sample
    action: npt.NDArray[np.int16]
    log: Floats
    value: Floats
    anyway: Floats
    reward: Floats
    advantage: Floats
    target: Floats
    who: npt.NDArray[np.int8]
    after: npt.NDArray[np.int32]  # the seat's next sample, OPEN or ENDED


class Streams:
    """Room for the samples of one batch, and the links between them."""

    def __init__(self, tables: Tables, size: int) -> None:
        """`size`: samples of a batch, besides those carried over from the one before."""
        n, seats = tables.utility.shape
        most, legal, aspects = size + n * (seats + 1), choices(tables.game), len(aspects_of(tables.game))
        self.size, self.count, self.carried = size, 0, 0
        self.obs = np.zeros((most, tables.obs.shape[1]), np.uint8)
        self.can = np.zeros((most, tables.game.ACTIONS.words), np.uint64)
        self.prior, self.effect = np.zeros((2, most, legal), np.float32)
        self.enough = most * ROWS
        self.aspects = np.zeros((self.enough + n * legal, aspects), np.float32)  # a row for each legal action
        self.row, self.rows = np.zeros(most, np.int64), 0  # the first of each sample, and how many there are
        self.action = np.zeros(most, np.int16)
        self.log, self.value, self.anyway, self.reward, self.advantage, self.target = np.zeros((6, most), np.float32)
        self.who = np.zeros(most, np.int8)
        self.after = np.full(most, OPEN, np.int32)
        self.open = np.full((n, seats), -1, np.int32)
        self.samples = Samples(*(getattr(self, name) for name in Samples._fields))

    @property
    def full(self) -> bool:
        """Whether the batch is large enough to learn from."""
        return self.count >= self.carried + self.size or self.rows > self.enough

    def note(self, tables: Tables, who: npt.NDArray[np.int8], decided: Decided, anyway: npt.NDArray[np.float32]) -> None:
        """Take in the decisions about to be taken: one sample for each seat that learns and has a choice.

        `anyway[i, p]` is what seat p of table i would be paid if nobody learnt.
        """
        size = self.count, self.rows
        self.count, self.rows = note(tables.states, tables.obs, who, decided, anyway, self.open, self.samples, size)

    def weigh(self, tables: Tables, which: Which, place: Which, effect: Floats) -> None:
        """Take in what answers would change, by their places among the legal, at the positions noted last of the tables listed."""
        self.effect[self.open[which, tables.seat[which]], place] = effect

    def usual(self, which: Which) -> float:
        """How much answers usually change at some samples: the root of the mean square."""
        answers = np.bitwise_count(self.can[which]).sum()
        return float(np.sqrt((self.effect[which] ** 2).sum() / max(1, answers)) + TINY)

    def close(self, ended: npt.NDArray[np.int64], reward: npt.NDArray[np.float32]) -> None:
        """Take in the games that have just ended: every seat gets what its game was worth, whoever moved last."""
        close(ended, reward, self.open, self.after, self.reward)

    def settle(self, discount: float, smoothing: float) -> None:
        """Advantages and targets of all samples that are not open; a target is what is to be had beside what would come anyway."""
        settle(self.samples, self.count, discount, smoothing)

    def about(self, which: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """The rows of some samples one after another, and which is the first of each."""
        n = np.bitwise_count(self.can[which]).sum(axis=1, dtype=np.int64) * (self.aspects.shape[1] > 0)
        first = np.cumsum(n) - n
        return self.aspects[np.repeat(self.row[which] - first, n) + np.arange(n.sum())], first

    def learnt(self, who: int) -> npt.NDArray[np.int64]:
        """The samples a learner learns from: its own, those open aside."""
        return np.flatnonzero((self.after[: self.count] != OPEN) & (self.who[: self.count] == who))

    def carry(self) -> None:
        """Begin the next batch with the samples that are open."""
        still = np.flatnonzero(self.after[: self.count] == OPEN)
        moved = np.full(self.count + 1, -1, np.int32)
        moved[still] = np.arange(still.size)
        self.open[:] = moved[self.open]  # those without a sample stay without one
        self._put(*self.about(still))
        for name in CARRIED:
            array = getattr(self, name)
            array[: still.size] = array[still]
        self.after[: still.size], self.count, self.carried = OPEN, still.size, still.size
        self.effect[still.size :] = 0

    def _put(self, aspects: npt.NDArray[np.float32], first: npt.NDArray[np.int64]) -> None:
        """Take these rows for those of the first samples."""
        self.rows = len(aspects)
        self.aspects[: self.rows], self.row[: first.size] = aspects, first

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """The samples that are open, right after `carry`, as arrays."""
        found = {name: getattr(self, name)[: self.count] for name in CARRIED}
        return found | {"open": self.open, "aspects": self.aspects[: self.rows], "row": self.row[: self.count]}

    def restore(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from saved arrays."""
        self.count = self.carried = len(arrays["action"])
        for name in CARRIED:
            getattr(self, name)[: self.count] = arrays[name]
        self._put(arrays["aspects"], arrays["row"])
        self.after[: self.count] = OPEN
        self.open[:] = arrays["open"]


class Deciding(NamedTuple):
    """Tables at which networks decide, what they decide by, and the arrays of `Decided`."""

    states: Any
    rules: Any
    rule: Any
    obs: Any
    nets: Any
    player: Any  # by table and seat: a network, or below 0 an anchor
    known: Any  # by anchor: whether it decides as the heuristic does
    weights: Any  # of the heuristic
    sure: Any  # whether networks take what they like best, not by chance
    own: Any  # whether replays do as networks do
    prior: Any
    aspects: Any
    action: Any
    log: Any
    value: Any
    apart: Any
    others: Any


@functools.cache
def deciders(game: Game) -> Chunked:
    """Return the kernel by which networks, and anchors that are heuristics, decide at many tables. A forced move is made without asking."""
    advise, study, best = adviser(game), student(game), instant_kernels(game).best

    @chunked
    @jit
    def decide(job, chunk, low, high):
        d = Deciding(*bare(job))
        first, second = np.zeros(d.nets[0].first_bias.size, np.float32), np.zeros(d.nets[0].first_bias.size, np.float32)
        outputs, places = d.nets[0].policy_bias.size, np.zeros(d.obs.shape[1] + first.size, np.int64)
        answer = np.zeros((outputs + 1, d.nets[0].answer.size), np.float32)
        choice, logits, chances = np.zeros(outputs, np.int64), np.zeros(outputs, np.float32), np.zeros(outputs, np.float32)
        for i in range(low, high):
            s, R = d.states[i], d.rules[d.rule[i]]
            p = int(s.turn)
            d.apart[i] = False
            d.others[i] = False
            if bits.count(s.can) == 1:
                d.action[i] = bits.nth(s.can, 0)
                continue
            d.action[i] = ASKED
            if d.player[i, p] < 0:
                if d.known[-1 - d.player[i, p]]:
                    d.action[i] = best(s, R, d.weights[0], lasting(s))
                continue
            W, key, prior = d.nets[d.player[i, p]], chance(s.seed, s.asked, p), d.prior[i]
            layers(W, d.obs[i], places, first, second)
            d.value[i] = W.value_bias[0] + dot(second, W.value)
            if W.trust[0] != 0:
                advise(s, R, W.heuristic, key, W.reach[0], prior)
            study(s, R, W.heuristic, prior, d.aspects[i])
            n = rate(W, second, s.can, prior, d.aspects[i], places, answer, choice, logits)
            soften(logits, n, chances)
            k = highest(logits, n) if d.sure else sampled(chances, n, key)
            d.action[i], d.log[i] = choice[k], logits[k]
            for j in range(n):
                d.others[i, j] = j != k if d.own else W.trust[0] == 0 or not alone_best(prior, n, j)
            d.apart[i] = d.others[i, k]

    found: Chunked = decide
    return found


@jit
def lasting(s):
    """A number by which a seat settles ties all through a game: what one game does at one time, a game much like it does too."""
    return chance(s.seed, 0, s.turn)


@jit
def alone_best(prior, n, k):
    """Whether the k-th of n legal actions is what the heuristic would do, whatever settles its ties."""
    level = 0
    for j in range(n):
        level += int(prior[j] >= prior[k])
    return level == 1


@jit
def note(states, obs, who, decided, anyway, open_, samples, size):
    """Write a sample for each decision of a learner that left a choice. `size`: samples and rows of aspects so far; return both."""
    count, rows = size
    states, obs, decided, samples = bare(states), bare(obs), bare(decided), bare(samples)
    for i in range(obs.shape[0]):
        s = states[i]
        p = int(s.turn)
        n = bits.count(s.can)
        if who[i, p] < 0 or n == 1:
            continue
        put(samples.obs[count], obs[i])
        put(samples.can[count], s.can)
        put(samples.prior[count], decided.prior[i, :n])
        samples.row[count] = rows
        if samples.aspects.shape[1] > 0:
            for k in range(n):
                put(samples.aspects[rows + k], decided.aspects[i, k])
            rows += n
        samples.action[count], samples.log[count], samples.value[count] = decided.action[i], decided.log[i], decided.value[i]
        samples.anyway[count], samples.who[count] = anyway[i, p], who[i, p]
        samples.after[count] = OPEN
        if open_[i, p] >= 0:
            samples.after[open_[i, p]] = count
        open_[i, p] = count
        count += 1
    return count, rows


@jit
def close(ended, worth, open_, after, reward):
    """Every open sample of a game that has ended gets what the game was worth to its seat."""
    for e in range(ended.size):
        i = ended[e]
        for p in range(open_.shape[1]):
            k = open_[i, p]
            if k >= 0:
                after[k], reward[k], open_[i, p] = ENDED, worth[e, p], -1


@jit
def settle(samples, count, discount, smoothing):
    """Write advantages (GAE) and targets, last sample first. An open sample passes on what it is worth, and no advantage."""
    value, anyway, after, advantage = samples.value, samples.anyway, samples.after, samples.advantage
    for k in range(count - 1, -1, -1):
        if after[k] == OPEN:
            advantage[k] = 0
            continue
        if after[k] == ENDED:
            advantage[k] = samples.reward[k] - anyway[k] - value[k]
        else:
            j = after[k]
            advantage[k] = discount * (anyway[j] + value[j] + smoothing * advantage[j]) - anyway[k] - value[k]
        samples.target[k] = advantage[k] + value[k]
