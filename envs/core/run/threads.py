"""Kernels that do the same work for each of many rows, on one thread or on several that share the rows."""

import os
import sys
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import prange

from alehouse.envs.core.run.jit import home_of_kernel, jit


@jit
def row_of(found):
    """Return the row at which a range kernel stopped, or -1 if it returned nothing."""
    return -1 if found is None else found


class Threads:
    """Knows whether kernels can still run on several threads: not in a process that was forked after one did, because OpenMP ends it."""

    def __init__(self) -> None:
        self.started = self.lost = self.told = False

    def forked(self) -> None:
        """Note that this process is a fork."""
        self.lost = self.started

    def may_start(self) -> bool:
        """Return whether a kernel may run on several threads, and note that it does; if not, say once what helps."""
        if self.lost and not self.told:
            self.told = True
            text = "this process was forked after kernels had run on several threads, so it runs them on one"
            print(f"alehouse: {text}; start processes with 'spawn' for more", file=sys.stderr, flush=True)
        self.started = True
        return not self.lost


THREADS = Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=THREADS.forked)


class Chunked:
    """A range kernel together with its version for several threads.

    The kernel is `kernel(job, chunk, low, high)`: it works on rows low to high - 1 of a job, and may return the first row that it refuses,
    or -1. `chunk` numbers the parts of the range; it tells threads apart where each has arrays of its own. A job is a tuple of arrays and
    numbers. A named tuple arrives as a plain one, which numba reads in half the time; the kernel gives its parts their names again.
    """

    def __init__(self, kernel: Callable[..., Any], least: int) -> None:
        self.kernel, self.least = kernel, least

        @jit(home=home_of_kernel(kernel), parallel=True)
        def several(job, size, threads):
            share = (size + threads - 1) // threads
            rows = np.full(threads, -1)
            for chunk in prange(threads):
                c = np.int64(chunk)  # numba counts in unsigned numbers, for which it would compile the kernel a second time
                rows[chunk] = row_of(kernel(job, c, min(size, c * share), min(size, (c + 1) * share)))
            for chunk in range(threads):
                if rows[chunk] >= 0:
                    return rows[chunk]
            return -1

        self.several = several

    def __call__(self, job: tuple[Any, ...], size: int, threads: int = 1) -> Any:
        """Run the kernel on rows 0 to size - 1. Return the first row it refuses, or -1 (or None) if it refuses none."""
        job = job if type(job) is tuple else tuple(job)
        if threads > 1 and size >= self.least and THREADS.may_start():
            numba.set_num_threads(threads)
            return self.several(job, size, threads)
        return self.kernel(job, 0, 0, size)


def chunked(kernel: Callable[..., Any] | None = None, *, least: int = 2) -> Any:
    """Make a Chunked from a range kernel. `least`: from this number of rows on, several threads are worth starting."""
    return Chunked(kernel, least) if kernel is not None else lambda kernel: Chunked(kernel, least)
