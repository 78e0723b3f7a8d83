"""Measures what an item is worth to the seat to move: a game is continued with the item, and again with another item instead."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.agents.kernel_agent import Kernel, announced
from alehouse.benchmarks.balance.effects import LEVEL
from alehouse.benchmarks.balance.kernels import swapped_games as swap
from alehouse.benchmarks.balance.play import block_seeds
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.offers import Family
from alehouse.envs.core.run.batch_kernels import tables_apart
from alehouse.envs.core.run.standings import win_shares

FIRST_BLOCK = 2**41  # the blocks from here on are used by no study and by no redrawn luck
NEAR = 3  # an error names at most this many items
ENOUGH = 100  # an item must take part in this many exchanges before its worth is estimated
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Worth:
    """The worth of an item to the seat to move compared with the mean of its alternatives, in points of share and of score."""

    name: str
    family: str
    swaps: int
    share: float
    low: float
    high: float
    score: float
    score_low: float
    score_high: float
    p: float  # p-value for equal scores with this item and the others; adjusted by Bonferroni over all items
    seen: "Seen"

    @property
    def sure(self) -> int:
        """Return 1 for an item that is certainly better than the others, -1 for one that is certainly worse, else 0."""
        return int(np.sign(self.score)) if self.p < LEVEL else 0


class Seen(NamedTuple):
    """What happened where seats met the item in games as they were played.

    The fields count how often an action could take it at that moment and how often one did. They measure, in points of share, what its
    takers won beyond an even share and beyond those who could have taken it and did not.
    """

    met: int
    open: int
    rate: float | None  # None if too few seats could take it, or took it
    won: float | None
    adjusted: float | None
    half: float | None  # half its 95 % interval, or None


class Exchanges(NamedTuple):
    """Exchanges of items, one element for each: the two items, and how much more share and score the first one brought the seat.

    Of the game as it was played it is noted whether an action could take the first item, whether one did, and what the seat won beyond an
    even share.
    """

    was: Ints
    became: Ints
    gains: Floats
    open: npt.NDArray[np.bool_]
    taken: npt.NDArray[np.bool_]
    won: Floats


class Estimate(NamedTuple):
    """The worth of an item by least squares, with its standard error, for share and for score."""

    kind: int
    swaps: int
    value: Floats
    error: Floats


def worths(v: Variant, agent: Kernel, seed: int, games: int, threads: int) -> list[Worth]:
    """Return the worth of every item met often enough, by family, best first; nothing for a game without items to exchange."""
    some = v.spec.offers.families
    each = [exchanges(v, agent, seed, games // len(some), threads, family) for family in range(len(some))]
    return compared(some, each)


def exchanges(v: Variant, agent: Kernel, seed: int, games: int, threads: int, family: int) -> Exchanges:
    """Play games with an exchange between items of one family."""
    one, spec = v.spec.offers.families[family], v.spec
    low = FIRST_BLOCK + family * games
    job = swap.SwappedGames(
        np.zeros(threads * tables_apart(spec), spec.STATE), v.rules_record(), agent.weights, agent.options,
        block_seeds(seed, low, low + games), family, *choices(spec, one),
        np.zeros((games, len(swap.NOTED)), np.int64), np.zeros((games, 3, v.seats), np.int32), np.zeros((games, 3, v.seats), np.float32),
    )  # fmt: skip
    run = swap.swapped(spec)
    with announced(spec, "exchanged items"):
        run(job, 0)
    run(job, games, threads)
    there = np.flatnonzero(job.noted[:, swap.BECAME] >= 0)
    noted = job.noted[there]
    rows, seat = np.arange(len(there)), noted[:, swap.SEAT]
    share, score = 100 * win_shares(job.utility[there]), job.scores[there].astype(np.float64)
    gains = np.column_stack([each[rows, swap.WITH, seat] - each[rows, swap.INSTEAD, seat] for each in (share, score)])
    won = share[rows, swap.PLAYED, seat] - 100 / v.seats
    return Exchanges(noted[:, swap.WAS], noted[:, swap.BECAME], gains, noted[:, swap.OPEN] == 1, noted[:, swap.TAKEN] == 1, won)


def choices(spec: Game, family: Family) -> tuple[int, int, int]:
    """Return the number of a family's question, the first of the actions that choose an item, and the number of these actions."""
    assert spec.questions is not None
    question = spec.questions.number(family.question.upper())
    return (question, spec.ACTIONS.index(family.names[0]), len(family.items)) if family.segment else (question, 0, 0)


def compared(some: Sequence[Family], each: Sequence[Exchanges]) -> list[Worth]:
    """Return the worths of the items of some families, with simultaneous intervals."""
    often = [enough(one, len(family.items)) for family, one in zip(some, each, strict=True)]
    together = sum(map(len, often))
    z = float(stats.norm.isf(LEVEL / 2 / max(1, together)))
    found: list[Worth] = []
    for family, one, kinds in zip(some, each, often, strict=True):
        rows = [worth(family, row, z, together, seen(one, row.kind)) for row in estimated(one, kinds)]
        found += sorted(rows, key=lambda row: -row.score)
    return found


def enough(one: Exchanges, items: int) -> Ints:
    """Return the items that were met often enough."""
    return np.flatnonzero(np.bincount(one.was, minlength=items) + np.bincount(one.became, minlength=items) >= ENOUGH)


def estimated(one: Exchanges, kinds: Ints) -> list[Estimate]:
    """Estimate the worth of each item.

    Every exchange compares two items. Least squares joins these comparisons, and the errors allow for unequal spread.
    """
    both = np.isin(one.was, kinds) & np.isin(one.became, kinds)
    a, b, gains = np.searchsorted(kinds, one.was[both]), np.searchsorted(kinds, one.became[both]), one.gains[both]
    bread = np.linalg.pinv(laplacian(a, b, np.ones(len(a)), len(kinds)))
    value = bread @ np.stack([np.bincount(a, g, len(kinds)) - np.bincount(b, g, len(kinds)) for g in gains.T], axis=1)
    left = gains - value[a] + value[b]
    error = np.stack([np.sqrt(np.diag(bread @ laplacian(a, b, each**2, len(kinds)) @ bread)) for each in left.T], axis=1)
    count = np.bincount(a, minlength=len(kinds)) + np.bincount(b, minlength=len(kinds))
    return [Estimate(int(kind), int(count[k]), value[k], error[k]) for k, kind in enumerate(kinds)]


def laplacian(a: Ints, b: Ints, weights: Floats, size: int) -> Floats:
    """Return the sum over comparisons of weight times the outer square of a vector that is 1 at item a and -1 at item b."""
    across = np.bincount(a * size + b, weights, size * size).reshape(size, size)
    across += across.T
    return np.diag(across.sum(axis=1)) - across


def seen(one: Exchanges, kind: int) -> Seen:
    """Return what happened in games in which an item was taken."""
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
    """Return the worth of one item from its estimate; `together` is the number of items with simultaneous intervals."""
    (share, score), (e, f) = row.value.tolist(), (z * row.error).tolist()
    p = min(1.0, together * 2 * float(stats.norm.sf(abs(score) / row.error[1]))) if row.error[1] > 0 else 1.0
    return Worth(family.names[row.kind], family.title, row.swaps, share, share - e, share + e, score, score - f, score + f, p, known)


def family_of(spec: Game, item: str) -> tuple[int, int]:
    """Return the index of an item's family, and the item's index in it."""
    for k, family in enumerate(spec.offers.families):
        if item in family.names:
            return k, family.names.index(item)
    known = [name for family in spec.offers.families for name in family.names]
    if not known:
        raise ValueError(f"item {item!r}: {spec.name} has no items that can be exchanged")
    near = difflib.get_close_matches(item, known, NEAR, 0.3) or [family.names[0] for family in spec.offers.families]
    raise ValueError(f"item {item!r}: {spec.name} has no such item among {len(known)}; near it: {', '.join(near)}")


def price_of(spec: Game, item: str) -> str:
    """Return the key of the number that is an item's price."""
    family, k = family_of(spec, item)
    one = spec.offers.families[family]
    if not one.price:
        raise ValueError(f"item {item!r}: {one.title} have no price; name the number to change, with --number")
    return one.price.format(one.items[k])
