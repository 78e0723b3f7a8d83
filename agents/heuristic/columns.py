"""Aspects by name: kernels find the number that a heuristic declares under each name, and write them for all answers of a decision."""

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import home_of_kernel, jit
from alehouse.envs.core.run.scratch import scratch

LEAST = np.float32(-3)  # no rating counts as less than this


def columns(names: Sequence[str]) -> ModuleType:
    """Return a module that holds the column of each name: after `C = columns(ASPECTS)` a kernel writes `row[C.strength]`.

    It is a module because kernels read a module's numbers as constants.
    """
    found = ModuleType("columns")
    vars(found).update({name: k for k, name in enumerate(names)})
    return found


def studying(form: np.dtype[Any], look: Callable[..., None], names: ModuleType) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Turn a kernel that describes one answer into the kernel `study` that describes all legal answers in order.

    `look(s, R, W, seat, record)` first writes to a record of the dtype `form` what all descriptions need. The aspects `rated` and `best`
    say how the heuristic rates an answer relative to the best one, and whether it is the best.
    """
    rated, best = names.rated, names.best

    def made(describe: Callable[..., None]) -> Callable[..., None]:
        @jit(home=home_of_kernel(describe))
        def study(s, R, W, prior, out):
            record, n = scratch(1, form)[0], 0
            look(s, R, W, int(s.turn), record)
            for w in range(s.can.size):
                word = s.can[w]
                while word != 0:
                    a = (w << 6) + bits.lowest(word)
                    word &= word - np.uint64(1)
                    row = out[n]
                    row[:] = 0
                    row[rated], row[best] = max(LEAST, prior[n]), prior[n] == 0
                    describe(s, R, W, record, a, row)
                    n += 1

        found: Callable[..., None] = study
        return found

    return made
