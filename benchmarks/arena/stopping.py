"""When to stop: after a number of blocks, when intervals are narrow enough, or when a sequential test has its answer.

Each rule looks at the blocks in order, one span after another, so that the result does not depend on when or where blocks were played.
"""

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from alehouse.benchmarks.arena.figures import Floats, Sums, block_shares, half_widths, rough_half_widths
from alehouse.benchmarks.arena.play import Span

ALPHA = 0.05  # the sequential test gives either wrong answer with at most this probability
BOLDEST = 0.5  # a stake is at most this share of the largest stake that cannot ruin


class Rule(Protocol):
    """A rule that says when to stop."""

    def spans(self, size: int) -> Iterator[Span]:
        """Yield the spans of blocks to play, in order, with `size` blocks each."""

    def met(self, found: Sums) -> bool:
        """Return whether the blocks so far are enough."""

    def expected(self, found: Sums) -> int:
        """Return how many blocks may be needed in all."""

    def verdict(self, found: Sums) -> str:
        """Return a sentence on the result, or ""."""


@dataclass(frozen=True)
class Blocks:
    """Stop after a fixed number of blocks."""

    blocks: int

    def spans(self, size: int) -> Iterator[Span]:
        """Yield the spans up to the fixed number of blocks."""
        for first in range(0, self.blocks, size):
            yield first, min(first + size, self.blocks)

    def met(self, found: Sums) -> bool:
        """Return whether all blocks are played."""
        return len(found.game) >= self.blocks

    def expected(self, found: Sums) -> int:
        """Return the fixed number of blocks."""
        return self.blocks

    def verdict(self, found: Sums) -> str:
        """Return "": this rule has nothing to say."""
        return ""


def endless(size: int) -> Iterator[Span]:
    """Yield spans of blocks without end."""
    return ((first, first + size) for first in itertools.count(0, size))


@dataclass(frozen=True)
class Until:
    """Stop when the 95 % interval of each agent's share extends no further than `half` to either side."""

    half: float

    @property
    def least(self) -> int:
        """Return the fewest blocks allowed, by the rule of three: what happened in none of n blocks may still happen in 3/n of all."""
        return max(30, math.ceil(3 / self.half))

    def spans(self, size: int) -> Iterator[Span]:
        """Yield spans of blocks without end."""
        return endless(size)

    def met(self, found: Sums) -> bool:
        """Return whether every interval is narrow enough; the slow bootstrap runs only if the normal approximation is close."""
        if len(found.game) < self.least or rough_half_widths(found).max() > 1.2 * self.half:
            return False
        return bool(half_widths(found).max() <= self.half)

    def expected(self, found: Sums) -> int:
        """Return how many blocks will probably be needed, judging by the widths so far."""
        factor = float(rough_half_widths(found).max() / self.half) ** 2
        return max(self.least, math.ceil(len(found.game) * factor))

    def verdict(self, found: Sums) -> str:
        """Return "": this rule has nothing to say."""
        return ""


@dataclass(frozen=True)
class Sprt:
    """Stop when a sequential test tells whether the first agent's share is `low` or less, or `high` or more.

    Two players bet on the share x of each block in turn. The first doubts that the mean is at most `low`: its capital is multiplied by
    1 + stake * (x - low). The second doubts that the mean is at least `high`, and its capital is multiplied by 1 - stake * (x - high).
    Stakes follow from earlier blocks alone, so a player whose doubt is wrong can expect no gain. By Ville's inequality its capital then
    reaches 1 / alpha with a probability of at most alpha, whatever the distribution of x and however often one looks. With stakes of
    (high - low) / variance the capitals grow as the likelihood ratio of Wald's test does.
    """

    low: float
    high: float

    def spans(self, size: int) -> Iterator[Span]:
        """Yield spans of blocks without end."""
        return endless(size)

    def capitals(self, found: Sums) -> tuple[Floats, Floats]:
        """Return the logarithms of both capitals after each block."""
        x = block_shares(found, 0)
        before = np.arange(len(x))
        mean = (0.5 * (self.low + self.high) + np.cumsum(x) - x) / (1 + before)
        spread = (x - mean) ** 2
        variance = (0.25 + np.cumsum(spread) - spread) / (1 + before)  # the variance over the blocks before
        stake = (self.high - self.low) / variance
        up = np.log1p(np.minimum(stake, BOLDEST / self.low) * (x - self.low))
        down = np.log1p(-np.minimum(stake, BOLDEST / (1 - self.high)) * (x - self.high))
        return np.cumsum(up), np.cumsum(down)

    def answer(self, found: Sums) -> tuple[int, bool] | None:
        """Return the block at which the answer came, and whether the answer is `high`; None if there is no answer yet."""
        up, down = (np.flatnonzero(capital >= -math.log(ALPHA)) for capital in self.capitals(found))
        first = [int(hits[0]) if hits.size else len(found.game) for hits in (up, down)]
        return None if min(first) == len(found.game) else (min(first) + 1, first[0] < first[1])

    def met(self, found: Sums) -> bool:
        """Return whether the test has its answer."""
        return self.answer(found) is not None

    def expected(self, found: Sums) -> int:
        """Return how many blocks the nearer answer takes if the capitals keep growing at their rate so far."""
        most = max(float(capital[-1]) for capital in self.capitals(found))
        return math.ceil(len(found.game) * max(1.0, min(-math.log(ALPHA) / most if most > 0 else 2.0, 1000.0)))

    def verdict(self, found: Sums) -> str:
        """Return the answer in words, and how certain it is."""
        said = self.answer(found)
        sure = f"either answer is wrong with a chance of {ALPHA:.0%} at most"
        if said is None:
            return f"no answer yet: {self.low:.2%} or less, or {self.high:.2%} or more ({sure})"
        block, high = said
        share = f"above {self.low:.2%}" if high else f"below {self.high:.2%}"
        return f"the first agent's share is {share}, after {block} blocks ({sure})"


def rule_of(blocks: int | None, until: str | None, sprt: str | None) -> Rule:
    """Return the rule that the options describe, by default until 1pp."""
    if sum(option is not None for option in (blocks, until, sprt)) > 1:
        raise ValueError("--blocks, --until and --sprt: one of them")
    if blocks is not None:
        return Blocks(blocks)
    if sprt is not None:
        return parse_sprt(sprt)
    return parse_until(until or "1pp")


def parse_until(text: str) -> Until:
    """Return a width given in percentage points."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)pp", text)
    if not match or not 0.01 <= float(match[1]) <= 50:
        raise ValueError(f"--until {text}: percentage points from 0.01pp to 50pp, like 1pp")
    return Until(float(match[1]) / 100)


def parse_sprt(text: str) -> Sprt:
    """Return two shares given in percent."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)%?:(\d+(?:\.\d+)?)%?", text)
    if not match or not 0 < float(match[1]) < float(match[2]) < 100:
        raise ValueError(f"--sprt {text}: two shares in percent, the lower first, like 25:27")
    return Sprt(float(match[1]) / 100, float(match[2]) / 100)
