"""How far a guess may be from the printed value: `plausible` of an entry of rules.toml, and the rules in its section [plausible].

`[plausible.<table>]` gives columns of a card table a rule: `price = "+-1"`, or `"plus minus" = "as given"` for two columns. A rule of
`"<row>.<column>"` goes before that of the column, and `<table> = ...` in [plausible] is for all other guesses in a table. Rules are:

    "as given"              it is not varied: another value would be another card, or only another name for the same
    [2, 4]                  a range; or a list of words
    "+-2"                   at most 2 more or less, as far as the column's range goes; after it, behind commas:
        0 stays                 a 0 says that something is not there: 0 stays 0, and nothing becomes 0
        alike by price          rows with the same price have the same number
        in order                the numbers rise, or stay equal, as the given ones do
    "swapped"               rows exchange what they have; columns that share the rule move together
    "swapped within pile"   only rows that have the same pile do so
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from alehouse.envs.core.declare.sheets import limits, located

Span = tuple[int, int] | tuple[str, ...]
GIVEN, ZERO, ORDER, ALIKE = "as given", "0 stays", "in order", "alike by "
HINT = 'write "as given", "+-1", "swapped", a range [least, most] or a list of words'


class Tie(NamedTuple):
    """Guesses that are drawn together, in groups."""

    kind: str  # ALIKE: the keys of a group share a number; ORDER: they do, and the numbers rise; "swapped": groups exchange what they have
    groups: tuple[tuple[str, ...], ...]


@dataclass
class Cells:
    """The guesses of a table that a rule is for."""

    name: str
    table: list[dict[str, str]]
    entries: Mapping[str, Any]  # all numbers of the game by key
    columns: tuple[str, ...]
    rows: list[dict[str, str]] = field(default_factory=list)  # the rows that have such guesses
    guesses: list[list[Any]] = field(default_factory=list)  # and these guesses, for each of the rows


def within(entry: Any, allowed: Any) -> Span:
    """Return plausible values after checking that they are possible and that the given value is one of them."""
    words = isinstance(entry.allowed[0], str)
    if words and not {*allowed} <= {*entry.allowed}:
        raise ValueError(f"{entry.key}: plausible {', '.join(map(str, allowed))}; possible are only {entry.possible}")
    if not words and (isinstance(allowed[0], str) or not entry.allowed[0] <= allowed[0] <= allowed[1] <= entry.allowed[1]):
        raise ValueError(f"{entry.key}: plausible {', '.join(map(str, allowed))}; possible is only {entry.possible}")
    if not (entry.value in allowed if words else allowed[0] <= entry.value <= allowed[1]):
        raise ValueError(f"{entry.key}: its value {entry.value} is not among the plausible ones, {', '.join(map(str, allowed))}")
    return tuple(allowed)


def alone(entry: Any) -> Span:
    """Return the plausible values of a guess that is not varied."""
    return (entry.value,) if isinstance(entry.value, str) else (entry.value, entry.value)


def around(entry: Any, most: int, zero_stays: bool) -> Span:
    """Return the numbers at most so far from the given one."""
    if isinstance(entry.value, str):
        raise ValueError(f"+-{most} is for numbers; {HINT}")
    low, high = entry.allowed
    if zero_stays and entry.value == 0:
        return 0, 0
    return max(low, entry.value - most, int(zero_stays)), min(high, entry.value + most)


def columns_of(rules: Mapping[str, Any], rows: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return for each column and each `<row>.<column>` the name of its rule; a ValueError names one that the table does not have."""
    found: dict[str, str] = {}
    keys = {row["key"] for row in rows}
    for name in rules:
        for column in name.split():
            row, dot, rest = column.rpartition(".")
            if rest not in rows[0] or (dot and row not in keys):
                raise ValueError(f"{name}: the table has no {'such row and column' if dot else f'column {rest!r}'}")
            if column in found:
                raise ValueError(f"{column} has two rules, {found[column]!r} and {name!r}")
            found[column] = name
    return found


def cells_of(table: str, rows: list[dict[str, str]], entries: Mapping[str, Any], named: Mapping[str, str]) -> dict[str, Cells]:
    """Return the guesses of a table by the name of their rule; those without one stand under an empty name."""
    found = {name: Cells(table, rows, entries, tuple(name.split())) for name in ("", *named.values())}
    for row in rows:
        guesses: dict[str, list[Any]] = {}
        for column in row:
            one = entries.get(f"{table}.{row['key']}.{column}")
            if one is not None and one.guess:
                guesses.setdefault(named.get(f"{row['key']}.{column}", named.get(column, "")), []).append(one)
        for name, some in guesses.items():
            found[name].rows.append(row)
            found[name].guesses.append(some)
    return found


def spans_of(cells: Cells, rule: Any) -> tuple[dict[str, Span], list[Tie]]:
    """Return the plausible values of the guesses that a rule is for, by key, and which of them are drawn together."""
    if isinstance(rule, list):
        limits(rule, "it")
        return {one.key: within(one, rule) for row in cells.guesses for one in row}, []
    head, *more = [part.strip() for part in rule.split(",")] if isinstance(rule, str) else [""]
    change, swap = re.fullmatch(r"\+-(\d+)", head), re.fullmatch(r"swapped(?: within ([\w ]+))?", head)
    by = next((part.removeprefix(ALIKE) for part in more if part.startswith(ALIKE)), None)
    if not (head == GIVEN or change or swap) or (more and not change) or {*more} - {ZERO, ORDER, f"{ALIKE}{by}"}:
        raise ValueError(f"{rule!r} is no rule; {HINT}")
    label = ((swap[1] if swap else by) or "").split()
    if missing := [column for column in label if column not in cells.table[0]]:
        raise ValueError(f"{rule!r}: the table has no column {missing[0]!r}")
    if swap:
        return swapped(cells, label)
    spans = {one.key: around(one, int(change[1]), ZERO in more) if change else alone(one) for row in cells.guesses for one in row}
    return spans, tied(cells, spans, label, ORDER in more) if label or ORDER in more else []


def swapped(cells: Cells, label: Sequence[str]) -> tuple[dict[str, Span], list[Tie]]:
    """Return the values that rows may exchange; only rows whose values in these columns are all guesses do."""
    spans = {one.key: alone(one) for row in cells.guesses for one in row}
    groups: dict[tuple[str, ...], list[list[Any]]] = {}
    for row, entries in zip(cells.rows, cells.guesses, strict=True):
        if len(entries) == len(cells.columns):
            groups.setdefault(tuple(row[column] for column in label), []).append(entries)
    for group in groups.values():
        for column in zip(*group, strict=True):
            if len({one.allowed for one in column}) > 1:
                raise ValueError(f"{column[0].key} and others that exchange their values must have the same range")
            values = [one.value for one in column]
            span = tuple(dict.fromkeys(values)) if isinstance(values[0], str) else (min(values), max(values))
            spans |= {one.key: span for one in column}
    return spans, [Tie("swapped", tuple(tuple(one.key for one in row) for row in group)) for group in groups.values()]


def tied(cells: Cells, spans: Mapping[str, Span], label: Sequence[str], rising: bool) -> list[Tie]:
    """Return which numbers of each column are alike, and in which order they rise; known numbers have their place in the order too."""
    found = []
    for column in cells.columns:
        groups: dict[tuple[str, ...], list[Any]] = {}
        for row in cells.table:
            one = cells.entries[f"{cells.name}.{row['key']}.{column}"]
            if one.key in spans:
                groups.setdefault(tuple(row[by] for by in label) or (one.key,), []).append(one)
            elif rising and not one.guess:
                groups[(one.key,)] = [one]
        for name, group in groups.items():
            if len({(spans.get(one.key), one.value) for one in group}) > 1:
                raise ValueError(f"{column} of rows with {' '.join(label)} {' '.join(name)}: their values or ranges differ")
        in_order = sorted(groups.values(), key=lambda group: int(group[0].value))
        found.append(Tie(ORDER if rising else ALIKE, tuple(tuple(one.key for one in group) for group in in_order)))
    return found


def plausible_values(
    sections: Mapping[str, Any], tables: Mapping[str, list[dict[str, str]]], entries: Mapping[str, Any]
) -> tuple[dict[str, Span], list[Tie]]:
    """Return the plausible values of all guesses in card tables, by key, and which of them are drawn together."""
    spans: dict[str, Span] = {}
    ties: list[Tie] = []
    for table in sections.keys() - tables.keys():
        raise ValueError(f"[plausible], {table}: there is no table {table}.csv")
    for table, rows in tables.items():
        section = sections.get(table, {})
        rules = section if isinstance(section, dict) else {"": section}
        with located(f"[plausible.{table}]"):
            named = columns_of({name: rule for name, rule in rules.items() if name}, rows)
        for name, cells in cells_of(table, rows, entries, named).items():
            with located(f"[plausible.{table}], {name}" if name else f"[plausible], {table}"):
                if name and not cells.guesses:
                    raise ValueError("none of these numbers is a guess")
                if cells.guesses and name not in rules:
                    raise ValueError(f"no rule for {cells.guesses[0][0].key}, which is a guess; {HINT}")
                if cells.guesses:
                    some, together = spans_of(cells, rules[name])
                    spans |= some
                    ties += together
    return spans, ties
