"""Luck and skill: how much of a seat's result would change if only one source of luck were drawn again.

Each seat is played by one of two agents at random. A game is played again with one stream of luck redrawn, or with other agents, and with
everything else as it was. Half the mean squared difference, divided by the variance, is the share of that source (Sobol's total index). An
effect that needs two sources together counts for both, so the shares may add up to more than 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.whole_games import line_of
from alehouse.benchmarks.balance.effects import LEVEL
from alehouse.benchmarks.balance.play import Played, Seeds, block_seeds, play_quick
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.luck import SEATING, draw, redrawn
from alehouse.envs.core.run.standings import win_shares

FIRST_BLOCK = 2**40  # the blocks from here on are used by no study
GROUPS = 20  # number of groups in the jackknife


@dataclass(frozen=True)
class Source:
    """A stream of luck, or the choice of agents: its share in the variance of a seat's score, and of its share of the win."""

    name: str
    score: float
    score_half: float
    share: float
    share_half: float


def sources(v: Variant, agents: Sequence[Kernel], seed: int, games: int, threads: int) -> list[Source]:
    """Return the share of each source when two agents play one variant, largest first; nothing if the game names no streams."""
    if not v.spec.streams:
        return []
    seeds = block_seeds(seed, FIRST_BLOCK, FIRST_BLOCK + games)
    base = played(v, agents, seeds, 0, threads)
    found = [source("agents", base, played(v, agents, seeds, 1, threads))]
    for stream, name in enumerate(v.spec.streams):
        again = np.array([redrawn(s, stream, 1) for s in seeds], np.uint64)
        found.append(source(name.replace("_", " "), base, played(v, agents, again, 0, threads)))
    return sorted(found, key=lambda one: -one.score)


def played(v: Variant, agents: Sequence[Kernel], seeds: Seeds, which: int, threads: int) -> Played:
    """Play a game of each seed; `which` selects the draw of which agent sits where."""
    common = seeds & np.uint64(2**48 - 1)
    seating = np.array([[draw(s, SEATING, which, p, 0) % np.uint64(len(agents)) for p in range(v.seats)] for s in common], np.int8)
    line = line_of(agents, v.spec)
    assert line is not None  # they are instant agents
    return play_quick([v], np.zeros(len(seeds), np.int64), seating, line, seeds, threads)


def source(name: str, base: Played, other: Played) -> Source:
    """Return the share of the source that differs between two plays of the same seeds."""
    score = index(base.scores.astype(np.float64), other.scores.astype(np.float64))
    share = index(win_shares(base.utility), win_shares(other.utility))
    return Source(name, *score, *share)


def index(one: npt.NDArray[np.float64], two: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return Sobol's total index and half its 95 % interval, from a jackknife over groups of games."""
    square, variance = (one - two) ** 2 / 2, ((one - one.mean()) ** 2 + (two - two.mean()) ** 2) / 2
    if variance.sum() == 0:
        return 0.0, 0.0
    group = np.arange(len(one)) % GROUPS
    without = np.array([square[group != g].sum() / variance[group != g].sum() for g in range(GROUPS)])
    error = np.sqrt((GROUPS - 1) * np.mean((without - without.mean()) ** 2))
    return float(square.sum() / variance.sum()), float(stats.t.isf(LEVEL / 2, GROUPS - 1) * error)
