"""Columns by name: kernels find a number of ASPECTS by the name that a heuristic declares for it."""

from collections.abc import Sequence
from types import ModuleType


def columns(names: Sequence[str]) -> ModuleType:
    """Return a module that holds the column of each name: after `C = columns(ASPECTS)` a kernel writes `row[C.strength]`.

    It is a module because kernels read a module's numbers as constants.
    """
    found = ModuleType("columns")
    vars(found).update({name: k for k, name in enumerate(names)})
    return found
