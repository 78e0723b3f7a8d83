"""Changes every number a little, one at a time and on the same luck, to see which numbers change the game."""

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.benchmarks.balance.design import Change, Design, Factor
from alehouse.benchmarks.balance.effects import LEVEL, errors, holm
from alehouse.benchmarks.balance.measures import MEASURES
from alehouse.envs.core.declare.game import Variant


@dataclass(frozen=True)
class Moved:
    """One number after a change: how far the game changed with it, and which measure changed most certainly."""

    key: str
    printed: int
    value: int
    provenance: str
    shift: float  # root mean square of the changes in all measures, each in standard deviations between games
    noise: float  # the shift that chance alone would cause
    measure: str  # the measure that changed most certainly
    estimate: float
    low: float  # this interval is simultaneous with those of all other numbers and measures (Holm)
    high: float
    p: float


def moves(v: Variant, patterns: Sequence[str], by: int) -> tuple[list[Change], int]:
    """Return the numbers to change, each down and up as far as its range allows, and how many of the changes do nothing in this variant."""
    numbers = v.numbers
    keys = [key for key in numbers if isinstance(numbers[key].value, int) and any(fnmatch.fnmatch(key, one) for one in patterns)]
    if not keys:
        raise ValueError(f"--over {','.join(patterns)}: no number of {v.game} has such a name; see alehouse cards {v.game}")
    found: list[Change] = []
    idle = 0
    for key in keys:
        for value in (int(numbers[key].value) - by, int(numbers[key].value) + by):
            try:
                other = v.spec.variant(v.seats, v.modules, v.length, {**dict(v.overrides), key: value})
            except ValueError:
                continue
            if v.lacks(key) or other.rules_record().tobytes() == v.rules_record().tobytes():
                idle += 1
            else:
                found.append((f"{key}={value}", {key: value}))
    if not found:
        raise ValueError(f"--over {','.join(patterns)}: no such step matters in {v}")
    return found, idle


def swept(v: Variant, changes: Sequence[Change]) -> Design:
    """Return a design that compares the rules of a variant with each change."""
    rules = dict(v.overrides)
    levels = (("", rules), *((name, {**rules, **change}) for name, change in changes))
    fixed = [Factor("module all", (v.modules,), ()), Factor("seats", (v.seats,), ()), Factor("length", (v.length,), ())]
    return Design(v.spec, [*fixed, Factor("change", levels, tuple(name for name, _ in changes))])


def ranked(values: npt.NDArray[np.float64], changes: Sequence[Change], v: Variant) -> list[Moved]:
    """Return the changes, those that change the game most first.

    `values` has the axes block, cell and measure; cell 0 has the rules of the variant.
    """
    mean, error = errors(values[:, 1:] - values[:, :1])
    spread = values[:, 0].std(axis=0, ddof=1)
    there = spread > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, np.abs(mean) / error, 0.0)
    adjusted, level = (part.reshape(mean.shape) for part in holm(2 * stats.t.sf(t, len(values) - 1).ravel()))
    wide = stats.t.isf(level / 2, len(values) - 1) * error
    numbers, found = v.numbers, []
    for c, (_, change) in enumerate(changes):
        [(key, value)] = change.items()
        m = int(np.argmax(t[c]))
        found.append(Moved(
            key, int(numbers[key].value), int(value), numbers[key].provenance,
            size(mean[c, there] / spread[there]), size(error[c, there] / spread[there]), MEASURES[m].name,
            float(mean[c, m]), float(mean[c, m] - wide[c, m]), float(mean[c, m] + wide[c, m]), float(adjusted[c, m]),
        ))  # fmt: skip
    return sorted(found, key=lambda one: -one.shift)


def size(changes: npt.NDArray[np.float64]) -> float:
    """Return the root mean square of some values."""
    return float(np.sqrt(np.mean(changes**2))) if changes.size else 0.0


def sure(found: Sequence[Moved]) -> list[Moved]:
    """Return the changes whose effect is beyond chance."""
    return [one for one in found if one.p < LEVEL]
