"""Contrasts with intervals that hold together, and the smallest effect that can be seen.

A block plays one seed in every cell, so each block gives every contrast once; their spread over blocks, which are independent,
is the error, whatever is shared inside a block. Main effects of all measures are one family, interactions another. Holm's procedure
decides within a family; intervals are those of its steps, so that one leaves 0 out exactly where Holm finds an effect.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.benchmarks.balance.design import MAIN, PAIR, Effect
from alehouse.benchmarks.balance.measures import MEASURES

LEVEL = 0.05  # the chance of any false alarm in a family, at most
POWER = 0.8


@dataclass(frozen=True)
class Found:
    """An effect on a measure: an estimate, an interval that holds together with its family's, and one that holds alone."""

    effect: str
    kind: str
    measure: str
    unit: str
    estimate: float
    low: float
    high: float
    half: float  # of the interval that holds alone
    p: float  # by Holm

    @property
    def sure(self) -> bool:
        """Whether Holm's procedure finds it."""
        return self.p < LEVEL


def errors(sample: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Mean and standard error over the first axis."""
    return sample.mean(axis=0), sample.std(axis=0, ddof=1) / np.sqrt(len(sample))


def by_block(values: npt.NDArray[np.float64], effects: Sequence[Effect]) -> npt.NDArray[np.float64]:
    """Every contrast in every block: block, effect, measure."""
    found: npt.NDArray[np.float64] = np.einsum("bcm,ec->bem", values, np.stack([e.weights for e in effects]))
    return np.round(found, 9)  # sums in floating point: what cancels is 0


def estimated(values: npt.NDArray[np.float64], effects: Sequence[Effect]) -> list[Found]:
    """All effects on all measures; values are by block, cell, measure."""
    return [row for kind in (MAIN, PAIR) if (some := [e for e in effects if e.kind == kind]) for row in family(values, some)]


def family(values: npt.NDArray[np.float64], effects: Sequence[Effect]) -> list[Found]:
    """The effects of one family, with Holm's intervals."""
    freedom = len(values) - 1
    mean, error = errors(by_block(values, effects))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, np.abs(mean) / error, np.where(mean == 0, 0.0, np.inf))
    adjusted, level = holm(2 * stats.t.sf(t, freedom).ravel())
    wide = (stats.t.isf(level / 2, freedom).reshape(mean.shape)) * error
    alone = stats.t.isf(LEVEL / 2, freedom) * error
    return [
        Found(
            e.name, e.kind, m.name, m.unit, float(mean[i, j]), float(mean[i, j] - wide[i, j]), float(mean[i, j] + wide[i, j]),
            float(alone[i, j]), float(adjusted[i * len(MEASURES) + j]),
        )
        for i, e in enumerate(effects)
        for j, m in enumerate(MEASURES)
    ]  # fmt: skip


def holm(p: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Adjusted p-values, and for each the level its interval is taken at: that of the step it falls in, or of the first that fails."""
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1)
    adjusted = np.minimum(1.0, np.maximum.accumulate(p[order] * left))
    failed = int((adjusted < LEVEL).sum())
    at = np.where(np.arange(len(p)) < failed, left, left[min(failed, len(p) - 1)])
    out, level = np.empty(len(p)), np.empty(len(p))
    out[order], level[order] = adjusted, LEVEL / at
    return out, level


def smallest(values: npt.NDArray[np.float64], effects: Sequence[Effect], blocks: int) -> npt.NDArray[np.float64]:
    """For each measure, the main effect that so many blocks find with a power of 80 %, judged by the blocks played so far."""
    some = [e for e in effects if e.kind == MAIN]
    spread = by_block(values, some).std(axis=0, ddof=1).max(axis=0)
    z = stats.norm.isf(LEVEL / 2 / (len(some) * len(MEASURES))) + stats.norm.ppf(POWER)
    found: npt.NDArray[np.float64] = z * spread / np.sqrt(blocks)
    return found
