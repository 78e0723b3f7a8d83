"""The experiment: the cells of a full factorial design, and the contrasts between them."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.numbers import Value

MAIN, PAIR = "main effect", "interaction"
Change = tuple[str, Mapping[str, Value]]  # a name, and the numbers that it changes


@dataclass(frozen=True)
class Factor:
    """Something that differs between cells: its levels in order, and the names of the steps from each level to the next."""

    name: str
    levels: tuple[Any, ...]
    steps: tuple[str, ...]  # one less than there are levels

    def contrasts(self) -> npt.NDArray[np.float64]:
        """Return for each step a row of weights that compares a level with the one before."""
        return np.diff(np.eye(len(self.levels)), axis=0)

    def mean(self) -> npt.NDArray[np.float64]:
        """Return equal weights for all levels, which average over them."""
        return np.full((1, len(self.levels)), 1 / len(self.levels))


@dataclass(frozen=True)
class Effect:
    """A contrast of cell means: a step of one factor (main effect), or how much a step changes with that of another (interaction)."""

    name: str
    kind: str
    weights: npt.NDArray[np.float64]  # a weight for each cell


class Design:
    """A full factorial design: a cell for every combination of the levels of its factors."""

    def __init__(self, spec: Game, factors: Sequence[Factor]) -> None:
        self.spec, self.factors = spec, tuple(factors)
        self.cells = tuple(cell(spec, dict(zip(self.names, levels, strict=True))) for levels in itertools.product(*self._levels))

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the factors."""
        return tuple(f.name for f in self.factors)

    @property
    def _levels(self) -> list[tuple[Any, ...]]:
        return [f.levels for f in self.factors]

    @property
    def chosen(self) -> set[str]:
        """Return the steps that change the rules; the number of players and the length change any game, so they are left out."""
        return {step for f in self.factors if f.name not in ("seats", "length") for step in f.steps}

    @property
    def fullest(self) -> Variant:
        """Return the cell for experiments at one variant: its players nearest to the usual number, most modules, most changed numbers."""
        usual = self.spec.default_seats
        return max(self.cells, key=lambda v: (-abs(v.seats - usual), len(v.modules), len(v.overrides)))

    def effects(self) -> list[Effect]:
        """Return main effects and two-way interactions. In a balanced factorial these contrasts are the least-squares estimates."""
        found = []
        moving = [k for k, f in enumerate(self.factors) if len(f.levels) > 1]
        for size, kind in ((1, MAIN), (2, PAIR)):
            for chosen in itertools.combinations(moving, size):
                rows = together([f.contrasts() if k in chosen else f.mean() for k, f in enumerate(self.factors)])
                steps = itertools.product(*(self.factors[k].steps for k in chosen))
                found += [Effect(" x ".join(names), kind, row) for names, row in zip(steps, rows, strict=True)]
        return found


def together(parts: Sequence[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    """Return the Kronecker product of the weights of all factors."""
    found: npt.NDArray[np.float64] = np.ones((1, 1))
    for part in parts:
        found = np.asarray(np.kron(found, part), np.float64)
    return found


def cell(spec: Game, levels: Mapping[str, Any]) -> Variant:
    """Return the variant of the cell with these levels."""
    modules = [name for key, value in levels.items() if key.startswith("module ") for name in value]
    _, changes = levels.get("change", ("", {}))
    return spec.variant(levels["seats"], modules, levels["length"], changes)


def chains(spec: Game, modules: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the modules as chains, in each of which every module needs the one before it."""
    rows: list[list[str]] = []
    for module in spec.modules:
        if module.name in modules:
            row = next((row for row in rows if row[-1] == module.requires), None)
            if row is None and module.requires is not None:
                raise ValueError(f"--modules: {module.name!r} needs {module.requires!r}")
            if row is None:
                rows.append([module.name])
            else:
                row.append(module.name)
    return [tuple(row) for row in rows]


def factorial(spec: Game, modules: Sequence[str], seats: Sequence[int], lengths: Sequence[str], changes: Sequence[Change] = ()) -> Design:
    """Return the factorial of modules, seats, lengths and, if any are given, changed rules."""
    factors = [
        Factor(f"module {row[0]}", tuple(row[:k] for k in range(len(row) + 1)), tuple(f"+{name}" for name in row))
        for row in chains(spec, modules)
    ]
    factors.append(Factor("seats", tuple(seats), tuple(f"{a} to {b} seats" for a, b in itertools.pairwise(seats))))
    factors.append(Factor("length", tuple(lengths), tuple(f"{a} to {b}" for a, b in itertools.pairwise(lengths))))
    if changes:
        factors.append(Factor("change", tuple(changes), tuple(steps([name for name, _ in changes]))))
    return Design(spec, factors)


def steps(names: Sequence[str]) -> list[str]:
    """Return the names of the steps from one set of rules to the next."""
    return [f"{a} to {b}" if a else b for a, b in itertools.pairwise(names)]
