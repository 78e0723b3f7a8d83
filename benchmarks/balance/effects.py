"""Estimates of effects with simultaneous intervals, and the smallest effect that a study can find.

A block plays one seed in every cell, so each block gives every contrast once. Blocks are independent; the spread of a contrast over blocks
is therefore its error, whatever the games of a block share. Main effects of all measures are one family, interactions another. Holm's
procedure decides within a family, and the intervals follow its steps: an interval excludes 0 exactly where Holm finds an effect.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.benchmarks.balance.design import MAIN, PAIR, Effect
from alehouse.benchmarks.balance.measures import MEASURES

if TYPE_CHECKING:
    from alehouse.benchmarks.balance.robust import Verdict

LEVEL = 0.05  # the highest probability of any false alarm in a family
POWER = 0.8


@dataclass(frozen=True)
class EffectEstimate:
    """An effect on a measure: the estimate, a simultaneous interval within its family, and an interval of its own."""

    effect: str
    kind: str
    measure: str
    unit: str
    estimate: float
    low: float
    high: float
    half: float  # half the width of its own interval
    p: float  # p-value, adjusted by Holm's procedure
    verdict: "Verdict | None" = None  # what the plausible rule sets say of it, if rule sets were drawn

    @property
    def sure(self) -> bool:
        """Return whether Holm's procedure finds the effect."""
        return self.p < LEVEL


def errors(sample: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the mean and its standard error over the first axis."""
    return sample.mean(axis=0), sample.std(axis=0, ddof=1) / np.sqrt(len(sample))


def by_block(values: npt.NDArray[np.float64], effects: Sequence[Effect]) -> npt.NDArray[np.float64]:
    """Return the value of every contrast in every block, with axes block, effect and measure."""
    found: npt.NDArray[np.float64] = np.einsum("bcm,ec->bem", values, np.stack([e.weights for e in effects]))
    return np.round(found, 9)  # rounded, so that floating-point sums that should cancel give exactly 0


def estimated(values: npt.NDArray[np.float64], effects: Sequence[Effect]) -> list[EffectEstimate]:
    """Return the estimates of all effects on all measures; `values` has the axes block, cell and measure."""
    return [row for kind in (MAIN, PAIR) if (some := [e for e in effects if e.kind == kind]) for row in family(values, some)]


def family(values: npt.NDArray[np.float64], effects: Sequence[Effect]) -> list[EffectEstimate]:
    """Return the estimates of one family with Holm's intervals."""
    freedom = len(values) - 1
    mean, error = errors(by_block(values, effects))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, np.abs(mean) / error, np.where(mean == 0, 0.0, np.inf))
    adjusted, level = holm(2 * stats.t.sf(t, freedom).ravel())
    wide = (stats.t.isf(level / 2, freedom).reshape(mean.shape)) * error
    alone = stats.t.isf(LEVEL / 2, freedom) * error
    return [
        EffectEstimate(
            e.name, e.kind, m.name, m.unit, float(mean[i, j]), float(mean[i, j] - wide[i, j]), float(mean[i, j] + wide[i, j]),
            float(alone[i, j]), float(adjusted[i * len(MEASURES) + j]),
        )
        for i, e in enumerate(effects)
        for j, m in enumerate(MEASURES)
    ]  # fmt: skip


def holm(p: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return adjusted p-values and the level of each interval: that of its own step, or of the first step that fails."""
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1)
    adjusted = np.minimum(1.0, np.maximum.accumulate(p[order] * left))
    failed = int((adjusted < LEVEL).sum())
    at = np.where(np.arange(len(p)) < failed, left, left[min(failed, len(p) - 1)])
    out, level = np.empty(len(p)), np.empty(len(p))
    out[order], level[order] = adjusted, LEVEL / at
    return out, level


def smallest(values: npt.NDArray[np.float64], effects: Sequence[Effect], blocks: int) -> npt.NDArray[np.float64]:
    """Return for each measure how large a main effect must be for `blocks` blocks to find it with 80 % power, judging by those so far."""
    some = [e for e in effects if e.kind == MAIN]
    spread = by_block(values, some).std(axis=0, ddof=1).max(axis=0)
    z = stats.norm.isf(LEVEL / 2 / (len(some) * len(MEASURES))) + stats.norm.ppf(POWER)
    found: npt.NDArray[np.float64] = z * spread / np.sqrt(blocks)
    return found
