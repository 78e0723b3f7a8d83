"""Columns of a heuristic's numbers are found by their names."""

import numpy as np

from alehouse.agents.heuristic.columns import columns
from alehouse.envs.core.run.jit import jit

C = columns(("points", "lead", "rounds"))


@jit
def fill(row):
    row[C.lead] = 5
    row[C.rounds] = 7


def test_a_kernel_writes_to_the_columns_it_names():
    row = np.zeros(3, np.int64)
    fill(row)
    assert row.tolist() == [0, 5, 7]
