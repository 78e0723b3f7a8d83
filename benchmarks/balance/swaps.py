"""What an item on offer is worth to the seat to move, by experiment: it is swapped for another, and both games are played on."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.agents.kernel import Kernel, announced
from alehouse.benchmarks.balance.effects import LEVEL
from alehouse.benchmarks.balance.kernels.offers import offers
from alehouse.benchmarks.balance.kernels.swap import SWAPPED, swapped
from alehouse.benchmarks.balance.measures import shares
from alehouse.benchmarks.balance.play import series
from alehouse.envs.core.game import Variant

APART = 2**41  # the first of the blocks played here, beyond those of any study
ENOUGH = 100  # swaps an item takes part in


@dataclass(frozen=True)
class Worth:
    """What an item on offer is worth to the seat to move, against the mean of all items: points of share, and of score."""

    name: str
    swaps: int
    share: float
    low: float
    high: float
    score: float
    score_low: float
    score_high: float
    p: float  # that it is worth what the others are, by score; by Bonferroni over the items


def worths(v: Variant, agent: Kernel, seed: int, games: int, threads: int) -> list[Worth]:
    """Every item met often enough, the best first; empty for a game without such offers."""
    hooks = offers(v.spec)
    if hooks is None:
        return []
    what, points, utility = pairs(v, agent, seed, games, threads)
    there = np.flatnonzero(what[:, 2] >= 0)
    seat, was, became = what[there].T
    share = shares(utility[there], v.seats)
    rows = np.arange(len(there))
    gains = np.column_stack([
        100 * (share[rows, 0, seat] - share[rows, 1, seat]),
        (points[there, 0, seat] - points[there, 1, seat]).astype(np.float64),
    ])  # fmt: skip
    return compared(hooks.ITEMS, was, became, gains)


def pairs(
    v: Variant, agent: Kernel, seed: int, games: int, threads: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """What was swapped in each game, and points and utilities as it was and as it became."""
    seeds, rules, kernel = series(seed, APART, APART + games), v.rules_record(), swapped(v.spec).pairs
    what = np.zeros((games, len(SWAPPED)), np.int64)
    points, utility = np.zeros((games, 2, v.seats), np.int32), np.zeros((games, 2, v.seats), np.float32)

    def run(low: int, high: int) -> None:
        kernel(np.zeros(2, v.spec.STATE), rules, agent.weights, agent.how, seeds, what, points, utility, low, high)

    with announced(v.spec, "swapped offers"):
        run(0, 0)
    ends = np.linspace(0, games, threads + 1).astype(int)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, ends[:-1].tolist(), ends[1:].tolist()))
    return what, points, utility


def compared(
    names: Sequence[str], was: npt.NDArray[np.int64], became: npt.NDArray[np.int64], gains: npt.NDArray[np.float64]
) -> list[Worth]:
    """Each swap is a comparison of two items; least squares gives every item a worth, with errors that allow for unequal spread."""
    count = np.bincount(was, minlength=len(names)) + np.bincount(became, minlength=len(names))
    kinds = np.flatnonzero(count >= ENOUGH)
    both = np.isin(was, kinds) & np.isin(became, kinds)
    place = {int(kind): k for k, kind in enumerate(kinds)}
    a, b = (np.array([place[int(kind)] for kind in side[both]], np.int64) for side in (was, became))
    if len(kinds) < 2 or not len(a):
        return []
    X = np.zeros((len(a), len(kinds)))
    X[np.arange(len(a)), a] += 1
    X[np.arange(len(a)), b] -= 1
    bread = np.linalg.pinv(X.T @ X)
    value = bread @ X.T @ gains[both]
    left = gains[both] - X @ value
    error = np.column_stack([np.sqrt(np.diag(bread @ (X.T * left[:, m] ** 2) @ X @ bread)) for m in range(gains.shape[1])])
    z = float(stats.norm.isf(LEVEL / 2 / len(kinds)))
    found = []
    for k, kind in enumerate(kinds):
        (share, score), (e, f) = value[k], z * error[k]
        p = min(1.0, len(kinds) * 2 * float(stats.norm.sf(abs(score) / error[k, 1]))) if error[k, 1] > 0 else 1.0
        ends = (float(share), float(share - e), float(share + e), float(score), float(score - f), float(score + f))
        found.append(Worth(names[int(kind)], int(count[kind]), *ends, p))
    return sorted(found, key=lambda one: -one.score)


def fair_price(v: Variant, item: str, key: str, agent: Kernel, seed: int, games: int, threads: int) -> int:
    """The value of a number at which an item is worth what the others are on average, by bisection on the same seeds."""
    allowed = v.spec.numbers.find(key).allowed
    if any(isinstance(end, str) for end in allowed):
        raise ValueError(f"{key}: a word, not a number")

    def worth(value: int) -> float:
        changed = v.spec.variant(v.seats, v.modules, v.length, {**dict(v.overrides), key: value})
        found = next((one for one in worths(changed, agent, seed, games, threads) if one.name == item), None)
        if found is None:
            raise ValueError(f"item {item!r}: not met often enough in {games} games of {changed}")
        return found.score

    return level(worth, int(allowed[0]), int(allowed[-1]))


def level(worth: Callable[[int], float], low: int, high: int) -> int:
    """The whole number at which something that rises or falls is nearest to 0."""
    at = {low: worth(low), high: worth(high)}
    while high - low > 1 and at[low] * at[high] < 0:
        middle = (low + high) // 2
        at[middle] = worth(middle)
        low, high = (middle, high) if at[middle] * at[low] > 0 else (low, middle)
    return min(at, key=lambda value: abs(at[value]))
