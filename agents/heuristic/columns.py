"""Columns by name, for rows of numbers whose names a heuristic declares, such as ASPECTS and STOCK."""

from collections.abc import Sequence
from types import ModuleType


def columns(names: Sequence[str]) -> ModuleType:
    """Return a module with the column of each name: after `C = columns(STOCK)` a kernel writes `row[C.points]`.

    It is a module because kernels read a module's numbers as constants.
    """
    found = ModuleType("columns")
    vars(found).update({name: k for k, name in enumerate(names)})
    return found
