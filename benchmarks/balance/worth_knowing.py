"""Which unknown numbers are most worth looking up: those that move most of what a study measures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from alehouse.benchmarks.balance.design import MAIN, Effect
from alehouse.benchmarks.balance.effects import LEVEL, by_block
from alehouse.benchmarks.balance.measures import MEASURES
from alehouse.benchmarks.balance.robust import Rows, by_rule_set, explained, rows_of
from alehouse.benchmarks.balance.rule_sets import DrawnNumbers

Floats = npt.NDArray[np.float64]
ASKED = 10  # a report names this many unknown numbers
SHUFFLES = 100  # how often rule sets are exchanged to see what chance alone explains
WHOLE = "the game"  # the name for a mean over all cells


@dataclass(frozen=True)
class Unknown:
    """An unknown number, and the part that it explains of how rule sets differ."""

    key: str
    part: float  # mean over all main effects and over the game itself, on all measures
    p: float  # probability that chance alone makes any number explain as much
    most: str  # the effect that it moves most
    measure: str
    share: float  # the part of the differences in this effect that the number explains

    @property
    def sure(self) -> bool:
        """Return whether the number explains more than chance does."""
        return self.p < LEVEL


def unknown(values: Floats, each: int, effects: Sequence[Effect], drawn: DrawnNumbers) -> list[Unknown]:
    """Return the unknown numbers, first those that explain most; `values` has the axes block, cell and measure."""
    main = [e for e in effects if e.kind == MAIN]
    names = [WHOLE, *(e.name for e in main)]
    parts = [values.mean(axis=1)[:, None], *([by_block(values, main)] if main else [])]
    sample = by_rule_set(np.concatenate(parts, axis=1).reshape(len(values), -1), each)
    rows_of_numbers = rows_of(drawn)
    found = explains(rows_of_numbers, sample)
    luck = np.random.default_rng(0)
    chance = np.array([explains(rows_of_numbers, luck.permutation(sample)).mean(axis=1).max(initial=0.0) for _ in range(SHUFFLES)])
    rows = []
    for key, row in zip(drawn.keys, found, strict=True):
        part, best = float(row.mean()), int(np.argmax(row))
        p = (1 + int((chance >= part).sum())) / (1 + SHUFFLES)
        rows.append(Unknown(key, part, p, names[best // len(MEASURES)], MEASURES[best % len(MEASURES)].name, max(0.0, float(row[best]))))
    return sorted(rows, key=lambda one: -one.part)


def explains(rows: Rows, of_set: Floats) -> Floats:
    """Return what part of the differences between rule sets each number explains beyond chance, for each column of a sample."""
    squares, luck = explained(rows, of_set)
    whole = ((of_set - of_set.mean(axis=0)) ** 2).sum(axis=0)
    found: Floats = np.divide(squares - rows.freedom * luck, whole, out=np.zeros_like(squares), where=whole > 1e-9)
    return found
