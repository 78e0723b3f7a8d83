"""Arrays that last as long as a call: of every shape, filled with zeros each time, and apart from one another."""

import numpy as np
import pytest

from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch

pytestmark = pytest.mark.lanes
LONG, ROWS, WIDE = 7, 3, 5
PAIR = np.dtype((np.record, [("a", "i1"), ("b", "f8")]))


@jit
def fill(array, value):
    before = array.sum()
    array[:] = value
    return before


@jit
def twice(value):
    before = 0.0
    for _ in range(3):
        row, table = scratch(LONG, np.float64), scratch((ROWS, WIDE), np.int64)
        before += fill(row, value) + fill(table, 2 * value)
    return before, row.sum(), table.sum(), table[1, 4], table.size


@jit
def records():
    pairs = scratch(LONG, PAIR)
    pairs[2].a = -3
    pairs[6].b = 0.5
    total = 0.0
    for k in range(pairs.size):
        total += pairs[k].a + pairs[k].b
    return total


def test_zeros_each_time() -> None:
    assert twice(3) == (0, 3 * LONG, 6 * ROWS * WIDE, 6, ROWS * WIDE)


def test_arrays_of_records() -> None:
    assert records() == -2.5
