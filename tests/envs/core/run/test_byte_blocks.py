"""Blocks of bytes are written where they should be, and nothing beside them changes."""

from typing import Annotated

import numpy as np
import pytest

from alehouse.envs.core.declare.record import Array, i1, i8, record
from alehouse.envs.core.run.byte_blocks import wipe, write, write_raised, write_sets
from alehouse.envs.core.run.jit import jit

GROUND = 77  # a byte that nothing here writes


class Board:
    """Arrays of one and of two dimensions, and sets."""

    line: Annotated[Array, "i1", 5]
    grid: Annotated[Array, "i1", (2, 3)]
    small: i1
    large: i8


BOARD = record(Board)


@jit
def copied(boards, out):
    write(out, 2, boards[0].line)
    write(out, 10, boards[0].grid)


@jit
def raised(boards, out):
    write_raised(out, 2, boards[0].line)
    write_raised(out, 10, boards[0].grid)


@jit
def counted(boards, out):
    s = boards[0]
    write_sets(out, 3, 1, (s.small,))
    write_sets(out, 8, 7, (s.small,))
    write_sets(out, 20, 36, (s.large,))
    write_sets(out, 60, 63, (s.large, s.small))


@jit
def wiped(boards):
    wipe(boards[1])


def boards():
    made = np.zeros(3, BOARD)
    made["line"], made["grid"] = np.arange(1, 6), [[6, 7, 8], [9, 10, 11]]
    made["small"], made["large"] = 0b1010011, 0x5A5A_0F0F_1234_8001
    return made


@pytest.mark.lanes
def test_arrays_are_copied_whole():
    out = np.full(20, GROUND, np.uint8)
    copied(boards(), out)
    assert out.tolist() == [GROUND] * 2 + [1, 2, 3, 4, 5] + [GROUND] * 3 + [6, 7, 8, 9, 10, 11] + [GROUND] * 4


@pytest.mark.lanes
def test_arrays_are_raised():
    out, made = np.full(20, GROUND, np.uint8), boards()
    made["line"][0, 1] = -1
    raised(made, out)
    assert out.tolist() == [GROUND] * 2 + [2, 0, 4, 5, 6] + [GROUND] * 3 + [7, 8, 9, 10, 11, 12] + [GROUND] * 4


@pytest.mark.lanes
def test_sets_are_written_bit_by_bit():
    out = np.full(130, GROUND, np.uint8)
    counted(boards(), out)
    small = [1, 1, 0, 0, 1, 0, 1]
    large = [0x5A5A_0F0F_1234_8001 >> k & 1 for k in range(63)]
    both = [one + other for one, other in zip(large, small + [0] * 56, strict=True)]
    due = {3: small[:1], 8: small, 20: large[:36], 60: both}
    expected = [GROUND] * 130
    for start, row in due.items():
        expected[start : start + len(row)] = row
    assert out.tolist() == expected


@pytest.mark.lanes
def test_only_the_record_named_is_wiped():
    made = boards()
    before = made.copy()
    wiped(made)
    assert made[1].tobytes() == bytes(BOARD.itemsize)
    assert made[[0, 2]].tobytes() == before[[0, 2]].tobytes()
