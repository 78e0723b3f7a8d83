"""Luck with a purpose: a random number is a function of the game's seed and of what it is drawn for.

A draw is named by (stream, round, seat, index), so two games of one seed have the same luck however their players act. 48 bits of a seed
decide the luck of all streams. The 16 bits above change the luck of one stream only, so that a study can tell how much each stream
matters.
"""

from typing import Any

import numpy as np
from numba import config

from alehouse.envs.core.run.jit import jit

AGENTS = 255  # the stream of agents' own randomness; games number their streams from 0
SEATING = 253  # the stream of the seat that a lone learner takes
REDEALS = 254  # the stream of the keys of redealt tables

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32, S48, S56 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(48), np.uint64(56)
LOW, COMMON = np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFFFFFF)

if config.DISABLE_JIT:

    def mix(x: Any) -> Any:
        """Compute the jitted `mix` below in plain Python integers."""
        word = (1 << 64) - 1
        y = int(x)
        y = (y ^ y >> 30) * int(MIX_1) & word
        y = (y ^ y >> 27) * int(MIX_2) & word
        return np.uint64(y ^ y >> 31)

    def spread(seed: Any, key: Any) -> Any:
        """Return 64 random bits for a seed and a key."""
        return mix(int(mix(seed)) + int(key) * int(GOLDEN) & (1 << 64) - 1)

else:

    @jit
    def mix(x):
        """Mix 64 bits so that every input bit changes every output bit; no two inputs give the same output."""
        x = (x ^ (x >> S30)) * MIX_1
        x = (x ^ (x >> S27)) * MIX_2
        return x ^ (x >> S31)

    @jit
    def spread(seed, key):
        """Return 64 random bits for a seed and a key."""
        return mix(mix(np.uint64(seed)) + np.uint64(key) * GOLDEN)


@jit
def draw(seed, stream, round, seat, index):
    """Return 64 random bits for one purpose; round must be below 2**16, seat below 2**8, index below 2**32."""
    whole = np.uint64(seed)
    own = whole if int(whole >> S56) == int(stream) + 1 else whole & COMMON
    return spread(own, (int(stream) << 56) | (int(round) << 40) | (int(seat) << 32) | int(index))


@jit
def redrawn(seed, stream, k):
    """Return the k-th seed (k from 0 to 255) that differs from this seed in the luck of one stream only."""
    return (np.uint64(seed) & COMMON) | (np.uint64(stream + 1) << S56) | (np.uint64(k) << S48)


@jit
def draw_each(seeds, stream, indices):
    """Return 64 random bits for each seed and the index given with it."""
    out = np.empty(seeds.size, np.uint64)
    for i in range(seeds.size):
        out[i] = draw(seeds[i], stream, 0, 0, indices[i])
    return out


@jit
def below(seed, stream, round, seat, index, n):
    """Return a number from 0 to n - 1, all exactly equally likely (n below 2**31)."""
    bits = draw(seed, stream, round, seat, index)
    size = np.uint64(n)
    product = (bits >> S32) * size
    if product & LOW < size:
        bias = (LOW + np.uint64(1) - size) % size
        while product & LOW < bias:
            bits = spread(bits, 1)
            product = (bits >> S32) * size
    return np.int64(product >> S32)


@jit
def game_seed(seed, k):
    """Return the seed of game k of a series."""
    return spread(seed, k)


@jit
def game_seeds(seed, games):
    """Return the seeds of games first, first + 1, ... of a series."""
    out = np.empty(games.size, np.uint64)
    for i in range(games.size):
        out[i] = game_seed(seed, games[i])
    return out
