"""Samples to learn from, collected step by step from the tables.

A sample is a decision of a learner that had a choice. It stays open until the same seat decides again or its game ends, however many other
seats decide in between; advantages (GAE) are computed along these links. Samples that are still open when a batch is full are carried
over to the next batch.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.network import copy_row
from alehouse.agents.network_file import aspects_of
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.tables import Tables
from alehouse.training.decisions import Decided, Floats

OPEN, ENDED = -1, -2  # stand in place of the next sample: not known yet, or the game has ended
TINY = 1e-8  # added to a typical effect, so that it is never 0
ROWS = 16  # room for this many rows of aspects per sample, on average over a batch
Which = npt.NDArray[np.int64]
CARRIED = ("obs", "can", "prior", "action", "log", "value")


class Samples(NamedTuple):
    """Arrays with a row for each sample; `aspects` has a row for each legal action of each sample."""

    obs: npt.NDArray[np.uint8]
    can: npt.NDArray[np.uint64]  # the set of legal actions
    prior: Floats  # for each legal action, the heuristic's rating
    effect: Floats  # for each legal action, how much more than the others it is worth, where that was looked up
    aspects: Floats
    row: Which  # the row of `aspects` where those of a sample begin
    action: npt.NDArray[np.int16]
    log: Floats  # the logarithm of the chosen action's probability
    value: Floats  # the reward that the network expected
    reward: Floats
    advantage: Floats
    target: Floats  # what the value should have been, as later known
    after: npt.NDArray[np.int32]  # the next sample of the same seat in the same game, or OPEN, or ENDED

    @classmethod
    def room(cls, game: Game, most: int, legal: int, rows: int) -> "Samples":
        """Return empty arrays for up to `most` samples of up to `legal` actions, with this many rows of aspects in all."""
        prior, effect = np.zeros((2, most, legal), np.float32)
        log, value, reward, advantage, target = np.zeros((5, most), np.float32)
        return cls(
            np.zeros((most, game.FEATURES.size), np.uint8), np.zeros((most, game.ACTIONS.words), np.uint64), prior, effect,
            np.zeros((rows, len(aspects_of(game))), np.float32), np.zeros(most, np.int64), np.zeros(most, np.int16),
            log, value, reward, advantage, target, np.full(most, OPEN, np.int32),
        )  # fmt: skip

    def aspects_at(self, which: Which) -> tuple[Floats, Which]:
        """Return the aspects of some samples in one array, and for each sample the row where its aspects begin."""
        n = np.bitwise_count(self.can[which]).sum(axis=1, dtype=np.int64) * (self.aspects.shape[1] > 0)
        first = np.cumsum(n) - n
        return self.aspects[np.repeat(self.row[which] - first, n) + np.arange(n.sum())], first

    def usual_effect(self, which: Which) -> float:
        """Return how much an answer typically changes at some samples (root mean square)."""
        answers = np.bitwise_count(self.can[which]).sum()
        return float(np.sqrt((self.effect[which] ** 2).sum() / max(1, answers)) + TINY)


class Collector:
    """Collects samples batch after batch, and keeps the links between them."""

    def __init__(self, tables: Tables, size: int) -> None:
        """`size`: the number of samples in a batch, not counting those carried over from the one before."""
        n, seats = tables.utility.shape
        most = size + n * (seats + 1)
        choices = tables.game.choices
        self.samples = Samples.room(tables.game, most, choices, most * ROWS + n * choices)
        self.size, self.carried, self.most_rows = size, 0, most * ROWS
        self.filled = np.zeros(2, np.int64)  # how many samples, and how many rows of aspects, there are
        self.open = np.full((n, seats), -1, np.int32)  # for each table and seat, the index of its open sample, or -1

    @property
    def count(self) -> int:
        """Return the number of samples."""
        return int(self.filled[0])

    @property
    def rows(self) -> int:
        """Return the number of rows of aspects."""
        return int(self.filled[1])

    @property
    def full(self) -> bool:
        """Return whether the batch is large enough to learn from."""
        return self.count >= self.carried + self.size or self.rows > self.most_rows

    def note(self, tables: Tables, learns: npt.NDArray[np.bool_], decided: Decided) -> None:
        """Add a sample for each table where the network decides and has a choice; `learns[i, p]`: whether it plays seat p of table i."""
        note(tables.states, tables.obs, learns, decided, self.open, self.samples, self.filled)

    def close(self, ended: Which, reward: Floats) -> None:
        """Close the samples of games that have ended: every seat gets the reward of its game, whoever decided last."""
        close(ended, reward, self.open, self.samples)

    def settle(self, smoothing: float) -> None:
        """Compute advantages and targets of all samples that are not open."""
        settle(self.samples, self.count, smoothing)

    def settled(self) -> Which:
        """Return the samples that are not open."""
        return np.flatnonzero(self.samples.after[: self.count] != OPEN)

    def carry(self) -> None:
        """Begin the next batch with the samples that are still open."""
        still = np.flatnonzero(self.samples.after[: self.count] == OPEN)
        moved = np.full(self.count + 1, -1, np.int32)
        moved[still] = np.arange(still.size)
        self.open[:] = moved[self.open]  # index -1 stays -1: seats without an open sample
        kept = {name: getattr(self.samples, name)[still] for name in CARRIED}
        self._begin(kept, *self.samples.aspects_at(still))

    def _begin(self, kept: dict[str, npt.NDArray[Any]], aspects: Floats, row: Which) -> None:
        """Begin a batch with the open samples given."""
        samples, count = self.samples, len(kept["action"])
        for name in CARRIED:
            getattr(samples, name)[:count] = kept[name]
        samples.aspects[: len(aspects)], samples.row[:count], samples.after[:count] = aspects, row, OPEN
        self.filled[:], self.carried = (count, len(aspects)), count

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Return the open samples as arrays; right after `carry` there are no others."""
        found = {name: getattr(self.samples, name)[: self.count] for name in (*CARRIED, "row")}
        return found | {"open": self.open, "aspects": self.samples.aspects[: self.rows]}

    def restore(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from the arrays that `saved` returned."""
        self._begin(arrays, arrays["aspects"], arrays["row"])
        self.open[:] = arrays["open"]


@jit
def note(states, obs, learns, decided, open_, to, filled):
    """Add a sample for each decision of the network that had a choice; `filled` counts samples and rows of aspects."""
    states, obs, decided, to = bare(states), bare(obs), bare(decided), bare(to)
    count, rows = filled[0], filled[1]
    for i in range(obs.shape[0]):
        s = states[i]
        p = int(s.turn)
        n = bits.count(s.can)
        if not learns[i, p] or n == 1:
            continue
        copy_row(to.obs[count], obs[i])
        copy_row(to.can[count], s.can)
        copy_row(to.prior[count], decided.prior[i, :n])
        to.row[count] = rows
        if to.aspects.shape[1] > 0:
            for k in range(n):
                copy_row(to.aspects[rows + k], decided.aspects[i, k])
            rows += n
        to.action[count], to.log[count], to.value[count] = decided.action[i], decided.log[i], decided.value[i]
        to.after[count] = OPEN
        if open_[i, p] >= 0:
            to.after[open_[i, p]] = count
        open_[i, p] = count
        count += 1
    filled[0], filled[1] = count, rows


@jit
def close(ended, worth, open_, samples):
    """Give the reward of its seat to every open sample of a game that has ended."""
    for e in range(ended.size):
        i = ended[e]
        for p in range(open_.shape[1]):
            k = open_[i, p]
            if k >= 0:
                samples.after[k], samples.reward[k], open_[i, p] = ENDED, worth[e, p], -1


@jit
def settle(samples, count, smoothing):
    """Compute GAE along the links, last sample first; an open sample only passes its value to the sample before it."""
    value, advantage = samples.value, samples.advantage
    for k in range(count - 1, -1, -1):
        j = samples.after[k]
        if j == OPEN:
            advantage[k] = 0
            continue
        if j == ENDED:
            advantage[k] = samples.reward[k] - value[k]
        else:
            advantage[k] = value[j] + smoothing * advantage[j] - value[k]
        samples.target[k] = advantage[k] + value[k]
