"""Intervals for what is printed."""

from typing import Any

import numpy as np
import numpy.typing as npt

Z95 = 1.959964  # of a normal distribution, two-sided 95 %


def mean_interval(sample: npt.NDArray[Any]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The mean of each column and the half-width of its 95 % interval."""
    means = sample.mean(axis=0, dtype=np.float64)
    return means, Z95 * sample.std(axis=0, ddof=1, dtype=np.float64) / np.sqrt(len(sample))
