"""A scene is one table of a game that tests play and read by names; the scenes of the four games share this."""

import csv
import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import pytest

import alehouse
from alehouse.envs.core.declare.numbers import Numbers
from alehouse.envs.games import game

rule = pytest.mark.rule


def members(found: Any, known: Iterable[str]) -> list[str]:
    """Return the names in a set that a record keeps as bits."""
    return [name for k, name in enumerate(known) if int(found) >> k & 1]


def copies(counts: Any, known: Sequence[str]) -> list[str]:
    """Return a list with each name as often as a record counts it."""
    return [name for name, n in zip(known, counts, strict=False) for _ in range(int(n))]


def bits(found: Iterable[str], known: Sequence[str]) -> int:
    """Return names as the bits a record keeps."""
    return sum(1 << known.index(name) for name in found)


@functools.cache
def guesses(name: str) -> dict[str, str]:
    """Return overrides that bring guessed numbers of a game back to those of guesses.csv, by which the examples are worked.

    So whoever corrects a guess in the game's tables need not touch a test. Numbers that are known by now are left as they are.
    """
    numbers = game(name).numbers
    with open(Path(__file__).parent / name / "guesses.csv", newline="", encoding="utf-8") as source:
        worked = {row["key"]: row["value"] for row in csv.DictReader(source)}
    return {entry.key: worked[entry.key] for entry in numbers.guesses() if str(entry.value) != worked[entry.key]}


def worked(name: str) -> Numbers:
    """Return the numbers of a game by which the examples are worked."""
    return game(name).numbers.altered(guesses(name))


def rows(name: str, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table with the numbers by which the examples are worked."""
    numbers = worked(name)
    keys = {row["key"]: {column: f"{table}.{row['key']}.{column}" for column in row} for row in numbers.tables[table]}
    return [row | {c: numbers[k].value for c, k in keys[row["key"]].items() if k in numbers} for row in numbers.tables[table]]


@functools.cache
def seed_where(variant: Any, field: str, wanted: int) -> int:
    """Return the first seed whose game begins with the wanted number in a field of its record."""
    t = alehouse.Tables(variant, n=1, autoreset=False)
    return next(seed for seed in range(1000) if wanted == (t.reset(seeds=[seed]), int(t.states[0][field]))[1])


class Table:
    """One table: its variant `v`, its tables `t` (of one), its record `s` and its rules `R`."""

    FIRST = "first"  # the field of a record that holds the first player

    def __init__(self, name: str, first: int, overrides: Mapping[str, Any] | None, seed: int | None = None, **variant: Any) -> None:
        """Open a table whose first player is `first`, or the game of a seed."""
        self.v = alehouse.variant(name, overrides=guesses(name) | dict(overrides or {}), **variant)
        self.t = alehouse.Tables(self.v, n=1, autoreset=False)
        self.t.reset(seeds=[seed_where(self.v, self.FIRST, first) if seed is None else seed])
        self.s = self.t.states[0]
        self.R = self.t.rules[self.t.rule[0]]
        self.seats = self.v.seats

    @property
    def question(self) -> str:
        """What is asked now; "over" at the end."""
        return str(self.v.spec.questions.asked(self.s).name) if self.s.turn >= 0 else "over"

    @property
    def turn(self) -> int:
        """The seat that is asked."""
        return int(self.s.turn)

    def options(self, segment: str = "") -> list[str]:
        """Return the legal actions, or those of one segment."""
        legal = [name for name, can in zip(self.v.action_names, self.t.mask[0], strict=True) if can]
        return [name for name in legal if not segment or name.split(":")[0] == segment]

    def legal(self, action: str) -> bool:
        """Say whether an action is legal now."""
        return bool(self.t.mask[0, self.v.action(action)])

    @property
    def scores(self) -> list[int]:
        """Points of each seat."""
        return [int(x) for x in self.t.scores[0]]

    @property
    def utility(self) -> list[float]:
        """Utility of each seat."""
        return [float(x) for x in self.t.utility[0]]

    def act(self, *actions: str) -> Self:
        """Take actions by their names; IllegalAction if the rules forbid one."""
        for action in actions:
            self.t.step([self.v.action(action)])
        return self

    def answer(self, question: str, *actions: str, by: int | None = None) -> Self:
        """Answer a question if it is asked (of seat `by`); where there is only one answer the game gives it itself."""
        return self.act(*actions) if self.question == question and by in (None, self.turn) else self

    def show(self) -> Self:
        """Bring the legal actions, the mask and the observation up to date with an edited record."""
        kernels, t = self.t._k, self.t
        kernels.relegal(t.states, t.rules, t.rule, 0, self.s.can)
        kernels.show(t._job)
        return self
