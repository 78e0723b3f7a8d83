"""Fit the network of `agents.value`: gradients computed by hand and Adam, which skip all rows that a batch of positions does not pick.

The row of a value is the sum of a row of its own and of its byte's slope times the value, so that rare values learn from common ones. Only
the sum is kept; the slope lives on in how it changes.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.network import copy_row, rectify
from alehouse.agents.rows import add_picked, dot
from alehouse.agents.value import FIRST, LAYERS, SECOND, Value, list_rows, new_reading, places, rated, soften
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.threads import chunked

BATCH = 256  # positions in each step of Adam
DECAY, SQUARE_DECAY, TINY = 0.9, 0.999, 1e-8  # of Adam
Arrays = dict[str, npt.NDArray[Any]]


class Fit(NamedTuple):
    """The network as it learns: its numbers, and the moments that Adam keeps of each."""

    most: Any
    before: Any
    byte: Any  # for each row, its byte
    part: Any  # for each row, its value as a part of the largest
    rows: Any
    rows_1: Any
    rows_2: Any
    slope_1: Any
    slope_2: Any
    dense: Any  # the numbers of the layers, one after another
    dense_1: Any
    dense_2: Any
    steps: Any  # how many steps were taken

    @classmethod
    def begin(cls, most: npt.NDArray[np.uint8], seed: int) -> "Fit":
        """Return a network that has learnt nothing; its rows are zero and its layers are drawn."""
        rng = np.random.default_rng(seed)
        drawn = (
            rng.uniform(0, 1, FIRST), rng.normal(0, np.sqrt(2 / FIRST), (FIRST, SECOND)), np.zeros(SECOND),
            rng.normal(0, np.sqrt(1 / SECOND), SECOND),
        )  # fmt: skip
        return cls.of_value(Value(places(most), most, np.zeros((int(most.sum()), FIRST), np.float32), *drawn))

    @classmethod
    def of_value(cls, value: Value) -> "Fit":
        """Return a network with the numbers of a value, and without moments yet."""
        most, before, rows, n = value.most, value.before, value.rows.copy(), len(value.rows)
        dense = np.concatenate([getattr(value, name).ravel() for name in LAYERS]).astype(np.float32)
        byte = np.repeat(np.arange(most.size), most)
        part = ((np.arange(n) - before[byte]) / most[byte]).astype(np.float32)
        rows_1, rows_2 = np.zeros((2, n, FIRST), np.float32)
        slope_1, slope_2 = np.zeros((2, most.size, FIRST), np.float32)
        dense_1, dense_2 = np.zeros((2, dense.size), np.float32)
        steps = np.zeros(1, np.int64)
        return cls(most, before, byte, part, rows, rows_1, rows_2, slope_1, slope_2, dense, dense_1, dense_2, steps)

    @classmethod
    def of(cls, arrays: Arrays) -> "Fit":
        """Return a network from its arrays, as `_asdict` gives them."""
        return cls(**{name: arrays[name] for name in cls._fields})

    def layers(self) -> list[npt.NDArray[Any]]:
        """Return the numbers of the layers as arrays, which share memory with `dense`."""
        return layers(self.dense)

    def value(self) -> Value:
        """Return the network as agents play by it; it shares memory with this one."""
        return Value(self.before, self.most, self.rows, *self.layers())


def layers(dense: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """Return the parts of a vector that belong to each layer."""
    sizes = [int(np.prod(shape)) for shape in LAYERS.values()]
    parts = np.split(dense, np.cumsum(sizes)[:-1])
    return [part.reshape(shape) for part, shape in zip(parts, LAYERS.values(), strict=True)]


class Positions(NamedTuple):
    """Positions to learn from or to predict."""

    obs: Any  # for each position and seat, what the seat knows
    seats: Any
    label: Any  # for each position and seat, its share of the result
    which: Any  # the indices of the positions to use, in order


class Sums(NamedTuple):
    """Sums of gradients over a batch, and working memory."""

    rows: Any
    slope: Any
    dense: Any
    first_bias: Any  # this and the next ones are parts of `dense`
    second: Any
    second_bias: Any
    last: Any
    used: Any  # for each row, the last step that used it
    touched: Any  # the rows used in this step
    steep: Any  # for each byte, the last step that used it
    back_1: Any
    back_2: Any


def sums(fit: Fit) -> Sums:
    """Return working memory for a network."""
    dense = np.zeros_like(fit.dense)
    n, bytes_ = fit.byte.size, fit.most.size
    first_bias, second, second_bias, last = layers(dense)
    slope, used, touched, steep = np.zeros((bytes_, FIRST), np.float32), np.full(n, -1), np.zeros(n, np.int64), np.full(bytes_, -1)
    back_1, back_2 = np.zeros(FIRST, np.float32), np.zeros(SECOND, np.float32)
    return Sums(np.zeros_like(fit.rows), slope, dense, first_bias, second, second_bias, last, used, touched, steep, back_1, back_2)


@jit
def forward(V, obs, listed, first, second):
    """Compute the layers for one observation, listing its rows; return their number and the network's number."""
    n = list_rows(V, obs, listed)
    copy_row(first, V.first_bias)
    add_picked(V.rows, listed, n, first)
    rectify(first)
    copy_row(second, V.second_bias)
    for k in range(first.size):
        if first[k] != 0:
            for j in range(second.size):
                second[j] += first[k] * V.second[k, j]
    rectify(second)
    return n, dot(second, V.last)


@jit
def backward(V, S, error, first, second):
    """Add the gradients of the layers for one observation; leave that of the first layer's sums in S.back_1."""
    for j in range(second.size):
        S.last[j] += error * second[j]
        S.back_2[j] = error * V.last[j] if second[j] > 0 else np.float32(0)
        S.second_bias[j] += S.back_2[j]
    for k in range(first.size):
        S.back_1[k] = 0
        if first[k] > 0:
            S.back_1[k] = dot(V.second[k], S.back_2)
            for j in range(second.size):
                S.second[k, j] += first[k] * S.back_2[j]
        S.first_bias[k] += S.back_1[k]


@jit
def spread_out(S, listed, n, step, touched):
    """Add the gradient of the first layer's sums to every row that was listed; return how many rows this step has used."""
    for q in range(n):
        r = listed[q]
        row = S.rows[r]
        if S.used[r] != step:
            S.used[r] = step
            S.touched[touched] = r
            touched += 1
            copy_row(row, S.back_1)
        else:
            for k in range(row.size):
                row[k] += S.back_1[k]
    return touched


@jit
def adam(x, gradient, mean, square, rate, factor):
    """Take a step of Adam; each entry of x changes by `factor` times the step. Return nothing."""
    a, b = np.float32(1 - DECAY), np.float32(1 - SQUARE_DECAY)
    for k in range(x.size):
        mean[k] += a * (gradient[k] - mean[k])
        square[k] += b * (gradient[k] * gradient[k] - square[k])
        x[k] -= np.float32(factor) * np.float32(rate) * mean[k] / (np.sqrt(square[k]) + np.float32(TINY))


@jit
def move(F, S, touched, rate, step):
    """Take a step with all gradients: those of the rows used, of their bytes' slopes, and of the layers."""
    rate *= np.sqrt(1 - SQUARE_DECAY ** (step + 1)) / (1 - DECAY ** (step + 1))
    change = np.zeros(S.back_1.size, np.float32)
    for q in range(touched):
        r = S.touched[q]
        f = F.byte[r]
        if S.steep[f] != step:
            S.steep[f] = step
            S.slope[f] = 0
        for k in range(change.size):
            S.slope[f, k] += F.part[r] * S.rows[r, k]
        adam(F.rows[r], S.rows[r], F.rows_1[r], F.rows_2[r], rate, 1.0)
    for f in range(F.most.size):
        if S.steep[f] == step:
            change[:] = 0
            adam(change, S.slope[f], F.slope_1[f], F.slope_2[f], rate, 1.0)
            for x in range(1, F.most[f] + 1):
                row, part = F.rows[F.before[f] + x], np.float32(x) / np.float32(F.most[f])
                for k in range(change.size):
                    row[k] += part * change[k]
    adam(F.dense, S.dense, F.dense_1, F.dense_2, rate, 1.0)


@jit
def learn(fit, value, sums, positions, rate):
    """Learn from positions in their order, and return the mean cross-entropy of their labels."""
    F, V, S, P = Fit(*bare(fit)), Value(*bare(value)), Sums(*bare(sums)), Positions(*bare(positions))
    seats = P.label.shape[1]
    listed, count, out = np.zeros((seats, P.obs.shape[2]), np.int64), np.zeros(seats, np.int64), np.zeros(seats)
    first, second = np.zeros((seats, FIRST), np.float32), np.zeros((seats, SECOND), np.float32)
    lost = 0.0
    for start in range(0, P.which.size, BATCH):
        step, touched, end = F.steps[0], 0, min(P.which.size, start + BATCH)
        S.dense[:] = 0
        for b in range(start, end):
            i = P.which[b]
            for p in range(P.seats[i]):
                count[p], out[p] = forward(V, P.obs[i, p], listed[p], first[p], second[p])
            soften(out, P.seats[i])
            for p in range(P.seats[i]):
                lost -= P.label[i, p] * np.log(out[p] + 1e-9)
                backward(V, S, np.float32((out[p] - P.label[i, p]) / (end - start)), first[p], second[p])
                touched = spread_out(S, listed[p], count[p], step, touched)
        move(F, S, touched, rate, step)
        F.steps[0] += 1
    return lost / max(1, P.which.size)


@chunked
@jit
def predict(job, chunk, low, high):
    """Write the share of each seat at a range of positions; a job is a network, positions, and the shares."""
    value, positions, out = job
    V, P, shares = Value(*bare(value)), Positions(*bare(positions)), bare(out)
    reading = new_reading(P.obs.shape[2])
    for b in range(low, high):
        i = P.which[b]
        for p in range(P.seats[i]):
            copy_row(reading.obs, P.obs[i, p])
            shares[b, p] = rated(V, reading)
        soften(shares[b], P.seats[i])
