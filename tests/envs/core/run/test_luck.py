"""Luck is compared with a second implementation in plain numbers, and with the laws of chance."""

import json
import math
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alehouse.envs.core.run.luck import below, draw, draw_each, game_seed, redrawn

WORD = 1 << 64
seeds = st.integers(0, WORD - 1)
streams = st.integers(0, 255)
rounds = st.integers(0, 2**16 - 1)
seats = st.integers(0, 255)
indices = st.integers(0, 2**32 - 1)
LIKELY = 5.0  # standard deviations


def mixed(x):
    """The finisher of SplitMix64 (Steele, Lea and Flood 2014, as published by Vigna)."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31


def spread(seed, key):
    return mixed((mixed(seed) + key * 0x9E3779B97F4A7C15) % WORD)


def drawn(seed, stream, number, seat, index):
    if seed // 2**56 != stream + 1:
        seed %= 2**48
    return spread(seed, stream * 2**56 + number * 2**40 + seat * 2**32 + index)


def chosen(seed, stream, number, seat, index, n):
    """Lemire's method: the upper half of a product, drawn again while the lower half is one that comes too often."""
    x = drawn(seed, stream, number, seat, index)
    while (x >> 32) * n % 2**32 < 2**32 % n:
        x = spread(x, 1)
    return (x >> 32) * n >> 32


def uneven(counts, n):
    """How far counts are from even, in standard deviations of the chi-square they follow."""
    expected = sum(counts) / n
    square = sum((c - expected) ** 2 / expected for c in counts)
    return (square - (n - 1)) / math.sqrt(2 * (n - 1))


@pytest.mark.lanes
def test_the_finisher_gives_the_published_numbers():
    """SplitMix64 from state 0 starts with these numbers, in every published implementation."""
    golden = 0x9E3779B97F4A7C15
    assert [mixed(golden * k % WORD) for k in (1, 2, 3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [int(draw(np.uint64(0), 0, 0, 0, k)) for k in (1, 2, 3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


@pytest.mark.lanes
@given(seeds, streams, rounds, seats, indices)
def test_draw(seed, stream, number, seat, index):
    assert int(draw(np.uint64(seed), stream, number, seat, index)) == drawn(seed, stream, number, seat, index)


@pytest.mark.lanes
@given(seeds, streams, rounds, seats, indices, st.one_of(st.integers(1, 100), st.integers(2**31 - 100, 2**31 - 1)))
def test_below(seed, stream, number, seat, index, n):
    found = below(np.uint64(seed), stream, number, seat, index, n)
    assert found == chosen(seed, stream, number, seat, index, n)
    assert 0 <= found < n


@pytest.mark.lanes
@given(seeds, st.integers(0, 254), st.integers(0, 255), streams)
def test_one_stream_is_redrawn_and_no_other(seed, stream, k, other):
    found = int(redrawn(np.uint64(seed), stream, k))
    assert (found % 2**48, found >> 48) == (seed % 2**48, (stream + 1) * 256 + k)
    luck = {s: int(draw(np.uint64(found), s, 3, 2, 1)) for s in (stream, other)}
    common = {s: int(draw(np.uint64(seed % 2**48), s, 3, 2, 1)) for s in (stream, other)}
    assert luck[stream] != common[stream]
    assert other == stream or luck[other] == common[other]


def test_below_draws_again_when_it_must():
    n = 2**31 - 1
    again = [k for k in range(200_000) if (drawn(0, 3, 0, 0, k) >> 32) * n % 2**32 < 2**32 % n]
    assert not again, "with two left over of 2**32, one in a billion is drawn again"
    n = 3 * 2**29 + 1  # about one draw in five comes too often
    again = [k for k in range(1000) if (drawn(0, 3, 0, 0, k) >> 32) * n % 2**32 < 2**32 % n]
    assert len(again) > 100
    assert [below(np.uint64(0), 3, 0, 0, k, n) for k in again] == [chosen(0, 3, 0, 0, k, n) for k in again]


def test_one_of_one_is_no_choice():
    assert {int(below(np.uint64(k), 0, 0, 0, 0, 1)) for k in range(1000)} == {0}


@pytest.mark.lanes
@given(seeds, st.integers(0, 2**40))
def test_game_seed(seed, k):
    assert int(game_seed(np.uint64(seed), k)) == spread(seed, k)


def test_draw_each():
    keys = draw_each(np.array([5, 6, 2**63], np.uint64), 9, np.array([0, 1, 2]))
    assert keys.tolist() == [drawn(5, 9, 0, 0, 0), drawn(6, 9, 0, 0, 1), drawn(2**63, 9, 0, 0, 2)]


@pytest.mark.parametrize("n", [2, 3, 6, 7, 49, 1000])
@pytest.mark.parametrize("varied", range(5))
def test_every_number_is_as_likely(n, varied):
    """Whatever varies: seed, stream, round, seat or index."""
    trials = 20_000
    names = [[np.uint64(1), 2, 3, 4, 5] for _ in range(trials)]
    ranges = (trials, 256, 2**16, 256, trials)
    names = [[*name[:varied], np.uint64(k) if varied == 0 else k, *name[varied + 1 :]] for k, name in enumerate(names[: ranges[varied]])]
    if varied in (1, 3):
        names = [[np.uint64(s), *name[1:]] for s in range(trials // 256) for name in names]
    counts = Counter(int(below(*name, n)) for name in names)
    assert abs(uneven([counts[k] for k in range(n)], n)) < LIKELY


def test_neighbours_are_independent():
    """Two draws whose names differ in one place make an even table of pairs."""
    one = [np.uint64(7), 1, 1, 1, 1]
    for place in range(5):
        pairs: Counter[tuple[int, int]] = Counter()
        for k in range(20_000):
            name = [np.uint64(k), *one[1:]]
            other = list(name)
            other[place] = np.uint64(k + 1) if place == 0 else other[place] + 1
            pairs[int(below(*name, 6)), int(below(*other, 6))] += 1
        assert abs(uneven([pairs[a, b] for a in range(6) for b in range(6)], 36)) < LIKELY


def test_with_and_without_the_jit_it_is_the_same():
    text = (
        "import json, numpy as np; from alehouse.envs.core.run.luck import *;"
        "print(json.dumps([[int(draw(np.uint64(s), 255, 65535, 255, 4294967295)), int(below(np.uint64(s), 200, k, 2, k, 1610612737)),"
        "int(game_seed(np.uint64(s), k))] for k, s in enumerate((0, 1, 2**63, 2**64 - 1))]))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=True, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}
    )
    compiled = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=True, env=os.environ | {"NUMBA_DISABLE_JIT": "0"}
    )
    due = [
        [drawn(s, 255, 65535, 255, 4294967295), chosen(s, 200, k, 2, k, 1610612737), spread(s, k)]
        for k, s in enumerate((0, 1, 2**63, 2**64 - 1))
    ]
    assert json.loads(plain.stdout) == json.loads(compiled.stdout) == due
