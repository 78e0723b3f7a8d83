"""What holds over all plausible rule sets: whether an effect keeps its sign, and which unknown numbers move it.

Each rule set is played in several blocks. Blocks of one rule set differ by luck alone, so the spread between rule sets beyond that luck is
the spread of the true effects. With true effects spread like a normal distribution, mean and spread give the share of the plausible games
in which the effect has the sign of its mean. Both are uncertain: the interval of the share follows from the distributions of the two sums
of squares (a generalized confidence interval of the one-way random effects model). Where the interval lies above 95 %, the effect is
robust; where it lies below, the effect depends on the unknown numbers; otherwise there are too few games to tell.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from alehouse.benchmarks.balance.effects import LEVEL, holm
from alehouse.benchmarks.balance.rule_sets import DrawnNumbers

Floats = npt.NDArray[np.float64]
SHARE = 0.95  # an effect is robust if it has one sign in at least this share of the plausible games
ROBUST, DEPENDS, OPEN = "robust", "depends", "not told"
NAMED = 3  # the unknown numbers that are named for each effect
DEEP = 6.0  # shares are looked for within this many standard deviations
DIFFERENT = 12  # equal rule sets are taken together if at least this many differ
STEPS = 24  # halvings that find the ends of an interval
GRID = np.linspace(-5.0, 5.0, 25)  # quantiles of a chi-square distribution, as standard deviations of a normal one
WEIGHTS = stats.norm.pdf(GRID) / stats.norm.pdf(GRID).sum()


@dataclass(frozen=True)
class Mover:
    """An unknown number, and its share of the spread of an effect over the plausible games."""

    key: str
    share: float
    p: float  # p-value, adjusted by Bonferroni over all unknown numbers

    @property
    def sure(self) -> bool:
        """Return whether the number moves the effect beyond chance."""
        return self.p < LEVEL


@dataclass(frozen=True)
class Verdict:
    """What the plausible games say of one effect. The interval of the share holds together with those of its family (Holm)."""

    same: float  # the share of the plausible games in which the effect has the sign of its mean
    low: float
    high: float
    spread: float  # standard deviation of the true effect over the plausible games
    movers: tuple[Mover, ...]

    @property
    def word(self) -> str:
        """Return the verdict in a word or two."""
        return ROBUST if self.low >= SHARE else DEPENDS if self.high < SHARE else OPEN


class Rows(NamedTuple):
    """The unknown numbers as rows of weights over the rule sets; each row has length 1."""

    weights: Floats
    starts: npt.NDArray[np.int64]  # the first row of each number
    freedom: npt.NDArray[np.int64]  # the degrees of freedom of each number


class Sums(NamedTuple):
    """Analysis of variance of several effects: means and sums of squares, between different rule sets and within them."""

    mean: Floats
    between: Floats  # with equal weights for all rule sets, times `blocks`
    within: Floats
    freedom: tuple[int, int]  # degrees of freedom of the two sums
    blocks: float  # number of blocks for each rule set, as a harmonic mean

    @property
    def spread(self) -> Floats:
        """Return the estimated variance of each true effect over the rule sets."""
        found: Floats = np.maximum(0.0, self.between / self.freedom[0] - self.within / self.freedom[1]) / self.blocks
        return found


class Uncertain(NamedTuple):
    """What mean and spread of several effects may be: the mean, and on a grid the spread and the standard error of the mean."""

    mean: Floats
    spread: Floats  # with the axes between, within and effect
    error: Floats


def by_rule_set(sample: Floats, blocks: int) -> Floats:
    """Return the mean over the blocks of each rule set; the first axis of the sample is the block."""
    return sample if blocks == 1 else sample.reshape(-1, blocks, *sample.shape[1:]).mean(axis=1)


def alike(drawn: DrawnNumbers, sets: int) -> npt.NDArray[np.int64]:
    """Return for each rule set a number that it shares with equal ones, if there are enough different ones to tell their spread."""
    if not drawn.keys:
        return np.arange(sets)
    _, number = np.unique(drawn.values, axis=0, return_inverse=True)
    return np.arange(sets) if number.max() + 1 < DIFFERENT else number.ravel()


def sums(sample: Floats, blocks: int, number: npt.NDArray[np.int64]) -> Sums:
    """Return the analysis of variance of a sample with the axes block and effect; rule sets with the same number are taken together."""
    nested = sample.reshape(-1, blocks, sample.shape[1])
    of_set = nested.mean(axis=1)
    counts = np.bincount(number)
    member = (number == np.arange(counts.size)[:, None]) / counts[:, None]
    of_number = member @ of_set
    each = blocks * counts.size / (1 / counts).sum()
    between = each * ((of_number - of_number.mean(axis=0)) ** 2).sum(axis=0)
    within = ((nested - of_number[number][:, None]) ** 2).sum(axis=(0, 1))
    return Sums(of_set.mean(axis=0), between, within, (counts.size - 1, len(sample) - counts.size), float(each))


def uncertain(found: Sums) -> Uncertain:
    """Return the values that mean and spread of each effect may have, as both sums of squares are uncertain."""
    luck = stats.norm.sf(GRID)
    between = found.between / stats.chi2.isf(luck, found.freedom[0])[:, None]
    within = found.within / stats.chi2.isf(luck, found.freedom[1])[:, None]
    spread = np.sqrt(np.maximum(0.0, between[:, None] - within[None]) / found.blocks)
    return Uncertain(np.abs(found.mean), spread, np.sqrt(between / ((found.freedom[0] + 1) * found.blocks))[:, None])


def confidence(found: Uncertain, depth: Floats) -> Floats:
    """Return for each effect the confidence that its mean is less than `depth` standard deviations of the true effects away from 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        nearer = special.ndtr((depth * found.spread - found.mean) / found.error)
    nearer = np.where(np.isnan(nearer), 0.5, nearer)  # an effect that is always exactly 0 has no sign
    whole: Floats = np.einsum("i,j,ije->e", WEIGHTS, WEIGHTS, nearer)
    return whole


def ends(found: Uncertain, level: Floats) -> tuple[Floats, Floats]:
    """Return the interval of the share of plausible games with one sign, for each effect at its own level."""
    shares = []
    for wanted in (level / 2, 1 - level / 2):
        low, high = np.full(level.shape, -DEEP), np.full(level.shape, DEEP)
        for _ in range(STEPS):
            middle = (low + high) / 2
            below = confidence(found, middle) < wanted
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        shares.append(np.round(special.ndtr(low), 6))
    return shares[0], shares[1]


def verdicts(sample: Floats, blocks: int, drawn: DrawnNumbers) -> list[Verdict]:
    """Return what the plausible games say of each effect of one family; `sample` has the axes block and effect."""
    found = sums(sample, blocks, alike(drawn, len(sample) // blocks))
    both = uncertain(found)
    other = confidence(both, np.full(sample.shape[1], special.ndtri(SHARE)))
    _, level = holm(np.minimum(1.0, 2 * np.minimum(other, 1 - other)))
    low, high = ends(both, level)
    spread = np.sqrt(found.spread)
    with np.errstate(divide="ignore", invalid="ignore"):
        same = np.where(found.mean == 0, 0.5, special.ndtr(np.abs(found.mean) / spread))
    moving = movers(by_rule_set(sample, blocks), found.spread, drawn)
    return [Verdict(float(same[e]), float(low[e]), float(high[e]), float(spread[e]), tuple(names)) for e, names in enumerate(moving)]


def rows_of(drawn: DrawnNumbers) -> Rows:
    """Return the rows by which numbers explain differences between rule sets: a straight line for a number, each value of a word."""
    weights: list[Floats] = []
    starts, freedom = [], []
    for column, word in zip(drawn.values.T, drawn.words, strict=True):
        kinds = np.unique(column)
        rows = (column == kinds[:, None]).astype(np.float64) if word else (column - column.mean())[None].astype(np.float64)
        starts.append(sum(len(part) for part in weights))
        freedom.append(max(1, len(kinds) - 1) if word else 1)
        weights.append(rows / np.sqrt(np.maximum((rows**2).sum(axis=1, keepdims=True), 1e-12)))
    return Rows(np.concatenate(weights), np.array(starts), np.array(freedom)[:, None])


def explained(rows: Rows, of_set: Floats) -> tuple[Floats, Floats]:
    """Return the sum of squares that each number explains of each effect, and the mean square that is left beside it.

    `of_set` has the axes rule set and effect.
    """
    centred = of_set - of_set.mean(axis=0)
    squares: Floats = np.add.reduceat((rows.weights @ centred) ** 2, rows.starts, axis=0)
    left = np.maximum(1, len(of_set) - 1 - rows.freedom)
    return squares, np.maximum(0.0, (centred**2).sum(axis=0) - squares) / left


def movers(of_set: Floats, spread: Floats, drawn: DrawnNumbers) -> list[list[Mover]]:
    """Return for each effect the unknown numbers that move it most; `spread` is the variance of its true values over the rule sets."""
    rows = rows_of(drawn)
    squares, luck = explained(rows, of_set)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.nan_to_num(stats.f.sf(squares / rows.freedom / luck, rows.freedom, len(of_set) - 1 - rows.freedom), nan=1.0)
        share = np.nan_to_num((squares - rows.freedom * luck) / ((len(of_set) - 1) * spread)).clip(0.0, 1.0)
    share[:, spread <= 0] = 0.0
    return [
        [Mover(drawn.keys[k], float(share[k, e]), min(1.0, float(p[k, e]) * len(p))) for k in np.argsort(p[:, e], kind="stable")[:NAMED]]
        for e in range(of_set.shape[1])
    ]
