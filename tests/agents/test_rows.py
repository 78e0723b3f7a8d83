"""Sums of rows and scalar products, in float32 and in float16, of widths that are no multiple of what a processor takes at once."""

import numpy as np
import pytest

from alehouse.agents.rows import LANES, add_listed, add_picked, dot
from alehouse.envs.core.run.jit import jit

pytestmark = pytest.mark.lanes


@jit
def product(numbers, row):
    """Return a scalar product."""
    return dot(numbers, row)


@pytest.mark.parametrize("width", [1, LANES, 3 * LANES + 5])
@pytest.mark.parametrize("halves", [False, True])
def test_rows_are_added(width: int, halves: bool) -> None:
    luck = np.random.default_rng(width)
    table = luck.integers(-8, 9, (20, width)).astype(np.float16 if halves else np.float32)
    rows = table.view(np.uint16) if halves else table
    numbers, listed = luck.integers(1, 4, 20).astype(np.uint8), luck.permutation(20)
    for n in range(12):
        sums, picked = np.ones(width, np.float32), np.ones(width, np.float32)
        add_listed(rows, numbers, listed, n, sums)
        add_picked(rows, listed, n, picked)
        chosen = table[listed[:n]].astype(np.float32)
        assert (sums == 1 + (chosen * numbers[listed[:n], None]).sum(axis=0)).all()
        assert (picked == 1 + chosen.sum(axis=0)).all()
        assert product(sums, rows[n]) == (sums * table[n]).sum()
