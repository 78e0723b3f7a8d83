"""Where a heuristic keeps what it computes once for all answers: in a record that costs nothing to make."""

from collections.abc import Callable
from typing import Any

import numpy as np

from alehouse.envs.core.run.jit import home_of_kernel, jit
from alehouse.envs.core.run.scratch import scratch


def thinking(form: np.dtype[Any]) -> Callable[[Callable[..., None]], Callable[..., Any]]:
    """Turn a kernel that writes what it computes to a record into the kernel `think` that returns this record.

    The record has the dtype `form`. Its memory belongs to the kernel that calls `think`, and is gone when that kernel returns. So only
    kernels may call `think`.
    """

    def made(write: Callable[..., None]) -> Callable[..., Any]:
        @jit(home=home_of_kernel(write), inline=True)
        def think(s, R, W, key):
            record = scratch(1, form)[0]
            write(s, R, W, key, record)
            return record

        found: Callable[..., Any] = think
        return found

    return made
