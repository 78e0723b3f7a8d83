"""Sets as bits are compared with Python's own sets."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit

SIZE = 200  # members of a word set: not a multiple of 64
WORDS = 4

members = st.sets(st.integers(0, SIZE - 1))
small = st.sets(st.integers(0, 61), max_size=62)
pytestmark = pytest.mark.lanes


@jit
def popcount(x):
    return bits.popcount(x)


@jit
def ends(x):
    return bits.lowest(x), bits.highest(x)


@jit
def member(x, k):
    return bits.member(x, k)


def number(chosen):
    return sum(1 << k for k in chosen)


def words_of(chosen):
    words = np.zeros(WORDS, np.uint64)
    for w in range(WORDS):
        words[w] = number({k - 64 * w for k in chosen if k >> 6 == w})
    return words


@given(small)
def test_small_sets(chosen):
    x = np.int64(number(chosen))
    assert popcount(x) == len(chosen)
    assert [bits.within(x, k) for k in range(62)] == [k in chosen for k in range(62)]
    for k in range(62):
        assert bits.without(x, k) == number(chosen - {k})
    if chosen:
        assert ends(x) == (min(chosen), max(chosen))


@given(small)
def test_members_of_a_small_set_in_order(chosen):
    word = number(chosen)
    assert [member(word, k) for k in range(len(chosen))] == sorted(chosen)


@pytest.mark.slow
def test_members_are_found_without_the_instruction_for_it():
    code = "from alehouse.envs.core.run import bits; print(bits.PDEP, bits.nth(bits.np.array([0, 74], bits.np.uint64), 2))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"NUMBA_CPU_FEATURES": "+sse2"}, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "False 70\n", done.stderr


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.uint64])
def test_small_sets_of_every_width(kind):
    top = 8 * np.dtype(kind).itemsize - (1 if kind == np.uint64 else 2)
    for k in range(top + 1):
        assert popcount(kind(1 << k)) == 1
        assert ends(kind(1 << k)) == (k, k)
        assert ends(kind(1 | 1 << k)) == (0, k)


def test_single_bits_and_runs():
    for k in range(62):
        assert bits.bit(k) == 1 << k
        assert bits.first(k) == sum(1 << j for j in range(k))


@given(members)
def test_word_sets(chosen):
    words, order = words_of(chosen), sorted(chosen)
    assert bits.count(words) == len(order)
    assert [k for k in range(SIZE) if bits.has(words, k)] == order
    assert [bits.nth(words, j) for j in range(len(order))] == order
    assert [bits.rank(words, k) for k in order] == list(range(len(order)))
    assert [bits.rank(words, k) for k in range(SIZE)] == [sum(j < k for j in order) for k in range(SIZE)]


@given(members)
def test_unpack_writes_every_byte(chosen):
    out = np.full(SIZE, 7, np.int8)
    bits.unpack(words_of(chosen), out)
    assert out.tolist() == [int(k in chosen) for k in range(SIZE)]


@given(members, small, st.integers(0, 64 * WORDS - 62))
def test_put_adds_a_small_set_anywhere(chosen, added, start):
    words = words_of(chosen)
    bits.put(words, start, np.int64(number(added)))
    assert {k for k in range(64 * WORDS) if bits.has(words, k)} == chosen | {start + k for k in added}


@given(members)
def test_clear_leaves_nothing(chosen):
    words = words_of(chosen)
    bits.clear(words)
    assert not words.any()
