"""The cause of an effect: which numbers of the rules, moved to an end of their range, make the effect vanish.

Every number of rules.toml and every column of a card table is moved down and up, each on the same luck. The changes that move the effect
most surely are played again on different luck. Of those that then seem to level it, the ones that leave most games as they were are
played a third time, and only these games are reported. More of a supply changes only the games in which it runs out; so it is told from a
price that changes every game and happens to offset the effect.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.agents.agent import Agent
from alehouse.benchmarks.balance.design import Change, Design
from alehouse.benchmarks.balance.effects import LEVEL, errors
from alehouse.benchmarks.balance.kernels import watched_games as watch
from alehouse.benchmarks.balance.measures import MEASURES, NAMES, SHARES, in_order, measured
from alehouse.benchmarks.balance.play import Played, Seeds, play
from alehouse.benchmarks.balance.sweep import size
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.standings import win_shares

FIRST_BLOCK = 2**42  # blocks from here on are played by no other experiment
MANY, MOST = 32, 8  # changes that are played a second time, and a third time
SPARED = 0.1  # part of the games that a change must leave as they were, to be named as a cause
NEAR = 1 / 3  # of the effect: what a change may leave of it to be played again
Floats = npt.NDArray[np.float64]


class Target(NamedTuple):
    """An effect to be explained, in the cells with the fewest and with the most modules: their weights, and what is measured there."""

    name: str
    cells: tuple[Variant, ...]
    weights: tuple[float, ...]
    place: int  # the place in the order of play whose share is measured, from 1; 0 for a measure
    measure: str  # "" for a place

    @property
    def unit(self) -> str:
        """Return the unit of the effect."""
        return "points of share" if self.place else MEASURES[NAMES.index(self.measure)].unit

    @property
    def others(self) -> list[int]:
        """Return the measures that show the rest of the game."""
        own = SHARES if self.place else (*SHARES, self.measure)
        return [k for k, name in enumerate(NAMES) if name not in own]

    def by_block(self, played: Played, cells: Sequence[Variant]) -> Floats:
        """Return the effect in every block."""
        if self.place:
            firsts = played.seen[..., watch.FIRST]
            shares = [in_order(win_shares(played.utility[:, c, : v.seats]), firsts[:, c]) for c, v in enumerate(cells)]
            values = np.column_stack([100 * (share[:, self.place - 1] - 1 / share.shape[1]) for share in shares])
        else:
            values = measured(played, cells)[:, :, NAMES.index(self.measure)]
        return np.asarray(values @ np.array(self.weights), np.float64)


class Tried(NamedTuple):
    """The games by one set of rules: the effect in every block, mean and spread of each measure by cell, and the scores."""

    change: Change
    effect: Floats
    mean: Floats
    spread: Floats
    scores: npt.NDArray[np.int32]  # by block, cell and seat


class Cause(NamedTuple):
    """A change of the rules: what it leaves of the effect, by how much it moves the effect, and what else it does to the game."""

    change: str
    left: float
    low: float  # the intervals of all changes hold together
    high: float
    moved: float
    moved_low: float
    moved_high: float
    touched: float  # part of the games that end with other scores
    shift: float  # root mean square of the changes of other measures, each in standard deviations of a game

    @property
    def levels(self) -> bool:
        """Return whether the change moves the effect beyond chance, and leaves nothing that can be told from 0."""
        return self.low <= 0 <= self.high and not self.moved_low <= 0 <= self.moved_high


def targets(design: Design) -> dict[str, Target]:
    """Return every effect of a design that can be explained, by its name."""
    found = {}
    names = [f.name for f in design.factors]
    for k, seats in enumerate(design.factors[names.index("seats")].levels):
        cells = corners(design, {names.index("seats"): k})
        for place in range(1, seats + 1):
            name = f"place {place} of {seats}"
            found[name] = Target(name, cells, (1 / len(cells),) * len(cells), place, "")
    for f, factor in enumerate(design.factors):
        for k, step in enumerate(factor.steps):
            below, above = corners(design, {f: k}), corners(design, {f: k + 1})
            weights = (*(-1 / len(below),) * len(below), *(1 / len(above),) * len(above))
            for measure in NAMES:
                name = f"{step}, {measure}"
                found[name] = Target(name, below + above, weights, 0, measure)
    return found


def corners(design: Design, fixed: Mapping[int, int]) -> tuple[Variant, ...]:
    """Return the cells with some factors at fixed levels, all modules else out or in, and the rest as in the fullest cell."""
    shape = [len(f.levels) for f in design.factors]
    usual = np.unravel_index(design.cells.index(design.fullest), shape)
    ends = []
    for last in (False, True):
        levels = [
            (n - 1) * last if f.name.startswith("module ") else int(at) for f, n, at in zip(design.factors, shape, usual, strict=True)
        ]
        levels = [fixed.get(k, level) for k, level in enumerate(levels)]
        ends.append(design.cells[int(np.ravel_multi_index(levels, shape))])
    return tuple(dict.fromkeys(ends))


def changes(cells: Sequence[Variant]) -> list[Change]:
    """Return every number, and every column of a card table, at either end of its range, where that changes a cell."""
    spec, groups = cells[0].spec, dict[str, list[str]]()
    studied, played = {key for v in cells for key, _ in v.overrides}, {name for v in cells for name in v.modules}
    on, off = (tuple(key for m in spec.modules if (m.name in played) == known for key in m.numbers) for known in (True, False))
    for key, entry in spec.numbers.items():
        if isinstance(entry.value, int) and key not in studied and (not key.startswith(off) or key.startswith(on)):
            table, _, column = key.partition(".")
            groups.setdefault(f"{table}.*.{column.rpartition('.')[2]}" if "." in column else key, []).append(key)
    found: list[Change] = []
    for title, keys in groups.items():
        for end in (0, -1):
            change = {key: spec.numbers[key].allowed[end] for key in keys}
            printed = f" instead of {spec.numbers[title].value}" if title in spec.numbers else ""
            there = changed(cells, change)
            if there is not None and any(
                a.rules_record().tobytes() != b.rules_record().tobytes() for a, b in zip(there, cells, strict=True)
            ):
                found.append((f"{title}={', '.join(dict.fromkeys(map(str, change.values())))}{printed}", change))
    return found


def changed(cells: Sequence[Variant], change: Mapping[str, int | str]) -> list[Variant] | None:
    """Return the cells by changed rules; None where these do not go together."""
    try:
        return [v.spec.variant(v.seats, v.modules, v.length, {**dict(v.overrides), **change}) for v in cells]
    except ValueError:
        return None


def tried(target: Target, some: Sequence[Change], agent: Agent, seeds: Seeds, threads: int) -> Iterator[Tried]:
    """Play the printed rules and each change on the same seeds."""
    for change in (("", {}), *some):
        cells = changed(target.cells, change[1])
        assert cells is not None  # as `changes` has made them before
        played = play(cells, agent, seeds, threads)
        values = measured(played, cells)
        yield Tried(change, target.by_block(played, cells), values.mean(axis=0), values.std(axis=0, ddof=1), played.scores)


def moving(target: Target, found: Sequence[Tried]) -> list[Change]:
    """Return the changes to play a second time: those that move the effect most surely towards 0."""
    base, *others = found
    sign = -np.sign(base.effect.mean())
    apart = [errors(one.effect - base.effect) for one in others]
    order = np.argsort([-sign * mean / max(float(error), 1e-9) for mean, error in apart], kind="stable")
    return [others[k].change for k in order[:MANY]]


def promising(target: Target, found: Sequence[Tried]) -> list[Change]:
    """Return the changes to play a third time: of those that seem to leave little of the effect, the ones that change fewest games."""
    base, *others = found
    whole = base.effect.mean()
    near = []
    for one in others:
        (left, error), (moved, apart) = errors(one.effect), errors(one.effect - base.effect)
        if abs(left) <= max(NEAR * abs(whole), 2 * error) and -np.sign(whole) * moved > 2 * apart:
            near.append(one)
    return [one.change for one in sorted(near, key=lambda one: (round(touched(base, one), 1), shift(target, base, one)))[:MOST]]


def touched(base: Tried, one: Tried) -> float:
    """Return the part of the games that a change lets end with other scores."""
    return float(np.mean((base.scores != one.scores).any(axis=-1)))


def shift(target: Target, base: Tried, one: Tried) -> float:
    """Return how far a change moves the rest of the game."""
    mean, other, spread = (part[:, target.others] for part in (base.mean, one.mean, base.spread))
    there = spread > 0
    return size((other - mean)[there] / spread[there])


def causes(target: Target, found: Sequence[Tried]) -> list[Cause]:
    """Return what the changes played again show: first those that level the effect, then those that change few games."""
    base, *others = found
    rows = []
    wide = float(stats.t.isf(LEVEL / 2 / max(1, 2 * len(others)), len(base.effect) - 1))
    for one in others:
        (left, error), (moved, apart) = (map(float, errors(part)) for part in (one.effect, one.effect - base.effect))
        e, f = wide * error, wide * apart
        rows.append(
            Cause(one.change[0], left, left - e, left + e, moved, moved - f, moved + f, touched(base, one), shift(target, base, one))
        )
    return sorted(rows, key=lambda row: (not row.levels, round(row.touched, 1), row.shift))


def printed_effect(base: Tried) -> tuple[float, float, float]:
    """Return the effect by the printed rules, with its 95 % interval."""
    mean, error = errors(base.effect)
    half = stats.t.isf(LEVEL / 2, len(base.effect) - 1) * error
    return float(mean), float(mean - half), float(mean + half)


def sentences(target: Target, base: Tried, found: Sequence[Cause], tries: int) -> list[str]:
    """Say what makes the effect vanish."""
    mean, low, high = printed_effect(base)
    where = " and ".join(map(str, target.cells))
    said = [f"{target.name}: {mean:+.2g} {target.unit} ({low:.2g} to {high:.2g}) in {where}, {len(base.effect):,} games each."]
    if low <= 0 <= high:
        return [*said, "The interval holds 0: there is nothing to explain."]
    level = [row for row in found if row.levels]
    if not level:
        return [*said, f"None of {tries} changes was found to make it vanish; more games may tell."]
    few = [row for row in level if round(row.touched, 1) == round(level[0].touched, 1)]
    named = "; ".join(f"{row.change} (left: {row.left:+.2g}, {row.low:.2g} to {row.high:.2g})" for row in few)
    said.append(f"Of {tries} changes, {len(level)} make it vanish. {1 - few[0].touched:.0%} of the games end as before with {named}.")
    if few[0].touched > 1 - SPARED:
        said.append("Each changes nearly every game, so it may offset the effect and not be its cause.")
    return said
