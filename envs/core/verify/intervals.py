"""How certain a measured figure is: 95 % confidence intervals."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Z95 = 1.959964  # 95 % of a normal distribution lie within this many standard deviations of its mean


def half_width(sample: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return half the width of the 95 % confidence interval of the mean of each column."""
    found: npt.NDArray[np.float64] = Z95 * sample.std(axis=0, ddof=1, dtype=np.float64) / np.sqrt(len(sample))
    return found


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return both ends of Wilson's 95 % confidence interval for a share seen in n games."""
    spread = Z95 * Z95 / n
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return middle - half, middle + half
