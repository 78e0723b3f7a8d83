"""Checks of arguments that callers pass."""

from typing import Any

import numpy as np
import numpy.typing as npt

MOST = 2**31 - 1  # the largest number of tables in a batch, or of games in a call


def check_whole(name: str, value: Any, low: int, high: int) -> None:
    """Raise a ValueError if a value is not a whole number in its range."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise ValueError(f"{name}={value!r}: a whole number from {low} to {high}")


def as_seeds(seeds: Any) -> npt.NDArray[np.uint64]:
    """Return seeds as 64-bit numbers; a list may mix sizes for which NumPy has no common integer type."""
    given = np.asarray(seeds) if isinstance(seeds, (np.ndarray, np.generic)) else np.asarray(seeds, object)
    if given.dtype.kind not in "iu":
        for x in given.ravel():
            check_whole("seed", x, 0, 2**64 - 1)
    elif given.size and int(given.min()) < 0:
        check_whole("seed", int(given.min()), 0, 2**64 - 1)
    return given.astype(np.uint64)


def table_numbers(which: Any, n: int) -> npt.NDArray[np.int64]:
    """Return the numbers of the tables that a list or a mask selects in a batch of n; None selects all."""
    if which is None:
        return np.arange(n)
    chosen = np.atleast_1d(np.asarray(which))
    if chosen.dtype == np.bool_ and chosen.shape == (n,):
        return np.flatnonzero(chosen)
    if chosen.size == 0:
        return np.zeros(0, np.int64)
    if chosen.dtype.kind not in "iu" or chosen.ndim != 1 or chosen.min() < 0 or chosen.max() >= n:
        raise ValueError(f"which: table numbers from 0 to {n - 1}, or a mask of {n} booleans")
    if np.unique(chosen).size != chosen.size:
        raise ValueError("which: a table is listed twice")
    return chosen.astype(np.int64)
