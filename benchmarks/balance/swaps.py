"""What an item is worth to the seat to move, by experiment: from one moment on the game is played with it, and with another instead."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.agents.kernel_agent import Kernel, announced
from alehouse.benchmarks.balance.effects import LEVEL
from alehouse.benchmarks.balance.kernels.swapped_games import (
    BECAME,
    INSTEAD,
    NOTED,
    OPEN,
    PLAYED,
    SEAT,
    TAKEN,
    WAS,
    WITH,
    SwappedGames,
    swapped,
)  # fmt: skip
from alehouse.benchmarks.balance.play import series
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.offers import Family
from alehouse.envs.core.run.standings import win_shares

APART = 2**41  # the first of the blocks played here, beyond those of any study
ENOUGH = 100  # exchanges an item takes part in
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Worth:
    """What an item is worth to the seat to move, against the mean of what it is exchanged for: points of share, and of score."""

    name: str
    family: str
    swaps: int
    share: float
    low: float
    high: float
    score: float
    score_low: float
    score_high: float
    p: float  # that it is worth what the others are, by score; by Bonferroni over all items
    seen: "Seen"

    @property
    def sure(self) -> int:
        """1 for an item better than the others beyond chance, -1 for a worse one, else 0."""
        return int(np.sign(self.score)) if self.p < LEVEL else 0


class Seen(NamedTuple):
    """The games as they were played, where an item was met: how often it could be taken at that moment, and was; then, in points of
    share, what those who took it won beyond an even part, and beyond those who could have and did not."""

    met: int
    open: int
    rate: float | None  # None where too few could take it, or did
    won: float | None
    adjusted: float | None
    half: float | None  # of its 95 % interval


class Pairs(NamedTuple):
    """Exchanges: which items, what the first of them brought the seat beyond the second, in share and in score; and of the game as it
    was played whether the first could be taken, and was, and what the seat won beyond an even part."""

    was: Ints
    became: Ints
    gains: Floats
    open: npt.NDArray[np.bool_]
    taken: npt.NDArray[np.bool_]
    won: Floats


class Estimate(NamedTuple):
    """What least squares says of an item: worth and standard error, in share and in score."""

    kind: int
    swaps: int
    value: Floats
    error: Floats


class Fair(NamedTuple):
    """The value of a number at which an item is worth what the others are, and what it is worth there and as printed."""

    item: str
    key: str
    printed: int
    value: int
    worth_printed: Worth
    worth: Worth


def worths(v: Variant, agent: Kernel, seed: int, games: int, threads: int) -> list[Worth]:
    """Every item met often enough, by family, the best first; empty for a game without items to exchange."""
    some = v.spec.offers.families
    each = [pairs(v, agent, seed, games // len(some), threads, family) for family in range(len(some))]
    return compared(some, each)


def pairs(v: Variant, agent: Kernel, seed: int, games: int, threads: int, family: int) -> Pairs:
    """Games with an exchange in one family, each played twice."""
    one, spec = v.spec.offers.families[family], v.spec
    low = APART + family * games
    todo = SwappedGames(
        v.rules_record(), agent.weights, agent.options, series(seed, low, low + games), family, *choices(spec, one),
        np.zeros((games, len(NOTED)), np.int64), np.zeros((games, 3, v.seats), np.int32), np.zeros((games, 3, v.seats), np.float32),
    )  # fmt: skip
    kernel = swapped(spec).pairs

    def run(low: int, high: int) -> None:
        kernel(np.zeros(2, spec.STATE), todo, low, high)

    with announced(spec, "exchanged items"):
        run(0, 0)
    ends = np.linspace(0, games, threads + 1).astype(int)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, ends[:-1].tolist(), ends[1:].tolist()))
    there = np.flatnonzero(todo.noted[:, BECAME] >= 0)
    noted = todo.noted[there]
    rows, seat = np.arange(len(there)), noted[:, SEAT]
    share, score = 100 * win_shares(todo.utility[there]), todo.points[there].astype(np.float64)
    gains = np.column_stack([each[rows, WITH, seat] - each[rows, INSTEAD, seat] for each in (share, score)])
    won = share[rows, PLAYED, seat] - 100 / v.seats
    return Pairs(noted[:, WAS], noted[:, BECAME], gains, noted[:, OPEN] == 1, noted[:, TAKEN] == 1, won)


def choices(spec: Game, family: Family) -> tuple[int, int, int]:
    """Return the number of a family's question, the first of the actions that choose an item, and how many these are."""
    assert spec.questions is not None
    question = spec.questions.number(family.question.upper())
    return (question, spec.ACTIONS.index(family.names[0]), len(family.items)) if family.segment else (question, 0, 0)


def compared(some: Sequence[Family], each: Sequence[Pairs]) -> list[Worth]:
    """What the items of some families are worth; intervals hold together."""
    often = [enough(one, len(family.items)) for family, one in zip(some, each, strict=True)]
    together = sum(map(len, often))
    z = float(stats.norm.isf(LEVEL / 2 / max(1, together)))
    found: list[Worth] = []
    for family, one, kinds in zip(some, each, often, strict=True):
        rows = [worth(family, row, z, together, seen(one, row.kind)) for row in estimated(one, kinds)]
        found += sorted(rows, key=lambda row: -row.score)
    return found


def enough(one: Pairs, items: int) -> Ints:
    """The items met often enough."""
    return np.flatnonzero(np.bincount(one.was, minlength=items) + np.bincount(one.became, minlength=items) >= ENOUGH)


def estimated(one: Pairs, kinds: Ints) -> list[Estimate]:
    """Each exchange is a comparison of two items; least squares gives every item a worth, with errors that allow for unequal spread."""
    both = np.isin(one.was, kinds) & np.isin(one.became, kinds)
    a, b, gains = np.searchsorted(kinds, one.was[both]), np.searchsorted(kinds, one.became[both]), one.gains[both]
    bread = np.linalg.pinv(laplacian(a, b, np.ones(len(a)), len(kinds)))
    value = bread @ np.stack([np.bincount(a, g, len(kinds)) - np.bincount(b, g, len(kinds)) for g in gains.T], axis=1)
    left = gains - value[a] + value[b]
    error = np.stack([np.sqrt(np.diag(bread @ laplacian(a, b, each**2, len(kinds)) @ bread)) for each in left.T], axis=1)
    count = np.bincount(a, minlength=len(kinds)) + np.bincount(b, minlength=len(kinds))
    return [Estimate(int(kind), int(count[k]), value[k], error[k]) for k, kind in enumerate(kinds)]


def laplacian(a: Ints, b: Ints, weights: Floats, size: int) -> Floats:
    """The sum over comparisons of weight times the square of the vector that is 1 at a and -1 at b."""
    across = np.bincount(a * size + b, weights, size * size).reshape(size, size)
    across += across.T
    return np.diag(across.sum(axis=1)) - across


def seen(one: Pairs, kind: int) -> Seen:
    """What taking an item went with."""
    there = one.was == kind
    took, left = one.won[there & one.open & one.taken], one.won[there & one.open & ~one.taken]
    open, won, adjusted, half = len(took) + len(left), None, None, None
    if len(took) >= ENOUGH:
        won = float(took.mean())
    if min(len(took), len(left)) >= ENOUGH:
        adjusted = float(took.mean() - left.mean())
        half = float(stats.norm.isf(LEVEL / 2) * np.sqrt(took.var() / len(took) + left.var() / len(left)))
    return Seen(int(there.sum()), open, len(took) / open if open >= ENOUGH else None, won, adjusted, half)


def worth(family: Family, row: Estimate, z: float, together: int, known: Seen) -> Worth:
    """One item."""
    (share, score), (e, f) = row.value.tolist(), (z * row.error).tolist()
    p = min(1.0, together * 2 * float(stats.norm.sf(abs(score) / row.error[1]))) if row.error[1] > 0 else 1.0
    return Worth(family.names[row.kind], family.title, row.swaps, share, share - e, share + e, score, score - f, score + f, p, known)


def place_of(spec: Game, item: str) -> tuple[int, int]:
    """The family of an item, and its place there."""
    for k, family in enumerate(spec.offers.families):
        if item in family.names:
            return k, family.names.index(item)
    known = "; ".join(f"{family.title}: {', '.join(family.names)}" for family in spec.offers.families)
    raise ValueError(f"item {item!r}: {spec.name} has {known or 'no items that can be exchanged'}")


def price_of(spec: Game, item: str) -> str:
    """The number that is the price of an item."""
    family, k = place_of(spec, item)
    one = spec.offers.families[family]
    if not one.price:
        raise ValueError(f"item {item!r}: {one.title} have no price; name the number to change, with --number")
    return one.price.format(one.items[k])


def fair_price(v: Variant, item: str, key: str, agent: Kernel, seed: int, games: int, threads: int) -> Fair:
    """The value of a number at which an item is worth what the others of its family are, by bisection on the same seeds."""
    entry = v.spec.numbers.find(key)
    if any(isinstance(end, str) for end in entry.allowed):
        raise ValueError(f"{key}: a word, not a number")
    family = place_of(v.spec, item)[0]
    tried: dict[int, Worth] = {}

    def score(value: int) -> float | None:
        changed = v.spec.variant(v.seats, v.modules, v.length, {**dict(v.overrides), key: value})
        rows = compared([v.spec.offers.families[family]], [pairs(changed, agent, seed, games, threads, family)])
        found = next((row for row in rows if row.name == item), None)
        if found is None:
            return None
        tried[value] = found
        return found.score

    printed = int(dict(v.overrides).get(key, entry.value))
    value = level(score, printed, int(entry.allowed[0]), int(entry.allowed[-1]))
    if value is None:
        raise ValueError(f"item {item!r}: not met often enough in {games:,} games of {v}; ask for more --blocks")
    return Fair(item, key, printed, value, tried[printed], tried[value])


def level(worth: Callable[[int], float | None], start: int, low: int, high: int) -> int | None:
    """The whole number from low to high at which something that rises or falls is nearest to 0, None where it is not known at the start:
    steps from the start that double, until it has changed its sign; then by bisection."""
    first = worth(start)
    if first is None:
        return None
    at = {start: first}
    for side in (1, -1):
        bracket = changing(worth, at, start, high if side > 0 else low, side)
        if bracket is not None:
            bisect(worth, at, *bracket)
            break
    return min(at, key=lambda value: abs(at[value]))


def changing(worth: Callable[[int], float | None], at: dict[int, float], start: int, end: int, side: int) -> tuple[int, int] | None:
    """Two values on one side of the start between which the sign changes."""
    near, step = start, 1
    while near != end:
        far = start + side * min(step, abs(end - start))
        found = worth(far)
        if found is None:
            return None
        at[far] = found
        if found * at[start] < 0:
            return near, far
        near, step = far, 2 * step
    return None


def bisect(worth: Callable[[int], float | None], at: dict[int, float], near: int, far: int) -> None:
    """Halve the way between two values of different signs until nothing lies between them."""
    while abs(far - near) > 1:
        middle = (near + far) // 2
        found = worth(middle)
        if found is None:
            return
        at[middle] = found
        near, far = (middle, far) if found * at[near] > 0 else (near, middle)
