"""The numbers of a game as data: rules.toml and the card tables (csv); each entry has a range and says where its value comes from.

The key of a number is `<section>.<name>` in rules.toml, or `<table>.<row>.<column>` in a csv file. `[columns.<table>]` of rules.toml gives
each column of a table its range, or the list of its words, and `"<row>.<column>"` there does so for one cell; other columns are text.
"""

import difflib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.plausible import Span, Tie, plausible_values, within
from alehouse.envs.core.declare.sheets import NOT_NUMBERS, limits, located, rows_of_sheet, rows_of_table
from alehouse.envs.core.run.files import write_atomically

Value = int | str
Array = npt.NDArray[Any]
ENTRY = {"value", "range", "choices", "from", "note", "plausible"}  # the fields that an entry of rules.toml may have


@dataclass(frozen=True)
class Entry:
    """One number or word of the rules, with the values it may take and where its value comes from."""

    key: str
    value: Value
    allowed: tuple[int, int] | tuple[str, ...]
    provenance: str
    note: str = ""  # an explanation, where the key alone does not say what the number is
    plausible: Span | tuple[()] = ()  # of a guess, the values that the printed game may have

    @property
    def guess(self) -> bool:
        """Return whether the printed value is not known."""
        return "guess" in self.provenance

    def check(self, value: Any) -> Value:
        """Return a value in its canonical form; raise a ValueError that says what is allowed if the value is not."""
        allowed: tuple[Any, ...] = self.allowed
        if isinstance(allowed[0], str):
            if str(value) in allowed:
                return str(value)
        else:
            with suppress(TypeError, ValueError, OverflowError):
                number = int(value)
                if (number == value or not isinstance(value, float)) and allowed[0] <= number <= allowed[1]:
                    return number
        kind = "one of" if isinstance(allowed[0], str) else "a whole number from"
        raise ValueError(f"{self.key}={value}: {kind} {self.possible}")

    @property
    def source(self) -> str:
        """Return the kind of source that the value comes from."""
        return "guess" if self.guess else self.provenance.split(":")[0].rstrip("*")

    @property
    def likely(self) -> str:
        """Return in words which values of a guess are plausible."""
        if len({*self.plausible}) < 2:
            return "as given"
        return ", ".join(map(str, self.plausible)) if isinstance(self.value, str) else f"{self.plausible[0]} to {self.plausible[1]}"

    @property
    def possible(self) -> str:
        """Return in words what is allowed: a list of words, or a range."""
        return ", ".join(map(str, self.allowed)) if isinstance(self.allowed[0], str) else f"{self.allowed[0]} to {self.allowed[1]}"

    @property
    def index(self) -> int:
        """Return the value as a number; a word counts as its index among the allowed words."""
        return self.allowed.index(self.value) if isinstance(self.value, str) else self.value


class Known(NamedTuple):
    """How many numbers of a game are known, and where they come from."""

    sources: dict[str, int]  # how many numbers have each source
    known: int
    printed: int  # all numbers but the rulings of this project, which are printed nowhere

    @property
    def share(self) -> str:
        """Return the share of the printed numbers that are known."""
        return f"{100 * self.known // max(1, self.printed)} %"

    def __str__(self) -> str:
        return f"{self.known:,} of {self.printed:,} ({self.share})"


class Numbers(Mapping[str, Entry]):
    """All numbers of a game's folder by key, and the names of the rows of its card tables."""

    def __init__(
        self,
        entries: dict[str, Entry],
        tables: dict[str, list[dict[str, str]]],
        ties: Sequence[Tie] = (),
        sections: Mapping[str, Any] | None = None,
    ) -> None:
        self._entries = entries
        self.tables = tables
        self.ties = ties  # which guesses are drawn together
        self.sections = sections or {}  # what rules.toml says of the card tables: [columns] and [plausible]
        self.values_drawn: Mapping[str, Array] = {}

    def __getitem__(self, key: str) -> Entry:
        return self._entries[key]

    def __iter__(self) -> Any:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: str) -> Entry:
        """Return the entry of a key that a person typed; a ValueError suggests similar keys."""
        if key not in self._entries:
            near = difflib.get_close_matches(str(key), self._entries, 3)
            raise ValueError(f"override {key!r}: no such number" + (f"; near it: {', '.join(near)}" if near else ""))
        return self._entries[key]

    def altered(self, overrides: Mapping[str, Value]) -> "Numbers":
        """Return the same numbers with some of them changed."""
        entries = dict(self._entries)
        for key, value in overrides.items():
            old = self.find(key)
            entries[key] = replace(old, value=old.check(value), provenance="override")
        return Numbers(entries, self.tables, self.ties, self.sections)

    def drawn(self, values: Mapping[str, Array]) -> "Numbers":
        """Return the same numbers for many rule sets: the numbers of these keys are arrays with a value for each."""
        found = Numbers(self._entries, self.tables, self.ties, self.sections)
        found.values_drawn = values
        return found

    def number(self, key: str) -> Any:
        """Return one entry as a number, or as an array with a number for each rule set; a word counts as its index among the allowed."""
        return self.values_drawn[key] if key in self.values_drawn else self._entries[key].index

    def code(self, key: str, words: Sequence[str], other: int = -1) -> Any:
        """Return the index of an entry's word in a list of words; `other` if the list does not have it."""
        known = np.array([words.index(word) if word in words else other for word in map(str, self._entries[key].allowed)])
        return known[self.number(key)]

    def word(self, key: str) -> str:
        """Return one entry as a word."""
        return str(self._entries[key].value)

    def rows(self, table: str) -> list[str]:
        """Return the row names of a card table, in order."""
        return [row["key"] for row in self.tables[table]]

    def column(self, table: str, column: str) -> Array:
        """Return a column of a card table as an array of numbers; with many rule sets, as a row for each."""
        return side_by_side([self.number(f"{table}.{row}.{column}") for row in self.rows(table)])

    def codes(self, table: str, column: str, words: Sequence[str], other: int = -1) -> Array:
        """Return a column of words as their indices in a list of words; `other` for a word that the list does not have."""
        return side_by_side([self.code(f"{table}.{row}.{column}", words, other) for row in self.rows(table)])

    def guesses(self) -> list[Entry]:
        """Return the entries whose printed value is not known."""
        return [entry for entry in self._entries.values() if entry.guess]

    def known(self, confirmed: Collection[str] = ()) -> Known:
        """Return how many printed numbers are known; those of the keys `confirmed` are, because an owner has looked them up."""
        sources = Counter("owner" if key in confirmed else entry.source for key, entry in self._entries.items())
        printed = len(self) - sources["rule"]
        return Known(dict(sources.most_common()), printed - sources["guess"], printed)


def side_by_side(numbers: Sequence[Any]) -> Array:
    """Return numbers as an array; if some of them are arrays with a number for each rule set, a row for each rule set."""
    return np.stack(np.broadcast_arrays(*numbers), axis=-1)


def members(found: Any) -> Any:
    """Return the positions of the true values as a set; with a row of values for each rule set, one for each."""
    there = np.asarray(found, bool)
    return there @ (1 << np.arange(there.shape[-1]))


def first_fault(wrong: Any) -> int | None:
    """Return which is the first of the rule sets that something is wrong with."""
    where = np.flatnonzero(wrong)
    return int(where[0]) if where.size else None


def files(folder: Path) -> list[Path]:
    """List the files that hold a game's numbers."""
    return [folder / "rules.toml", *sorted(folder.glob("*.csv")), *sorted(folder.glob("tables/*.csv"))]


def load(folder: Path) -> Numbers:
    """Read rules.toml and the card tables of a folder; a ValueError names the file, the row and the column of a fault."""
    sheet = folder / "rules.toml"
    sections: dict[str, dict[str, Any]] = {section: {} for section in NOT_NUMBERS}
    columns: dict[str, dict[str, Any]] = {}
    entries: dict[str, Entry] = {}
    for section, name, row in rows_of_sheet(sheet):
        with located(f"{sheet}, [{section}], {name}"):
            if section in NOT_NUMBERS:
                sections[section][name] = row
            if section == "columns":
                columns[name] = {column: limits(allowed, column) for column, allowed in row.items()}
            elif section not in NOT_NUMBERS:
                add(entries, entry_of(f"{section}.{name}", row))
    tables: dict[str, list[dict[str, str]]] = {}
    for path in files(folder)[1:]:
        known = columns.pop(path.stem, {})
        cells = {key: known.pop(key) for key in list(known) if "." in key}
        tables[path.stem] = rows_of_table(path, "key", "provenance", *known)
        for row in tables[path.stem]:
            for column, allowed in known.items():
                with located(f"{path}, row {row['key']!r}, column {column!r}"):
                    allowed = cells.pop(f"{row['key']}.{column}", allowed)
                    add(entries, Entry(f"{path.stem}.{row['key']}.{column}", row[column], allowed, provenance(row, column)))
        if cells:
            raise ValueError(f"{sheet}, [columns.{path.stem}], {min(cells)}: {path.name} has no such row and column")
    if columns:
        raise ValueError(f"{sheet}, [columns.{min(columns)}]: there is no table {min(columns)}.csv")
    with located(str(sheet)):
        spans, ties = plausible_values(sections["plausible"], tables, entries)
    for key, span in spans.items():
        entries[key] = replace(entries[key], plausible=span)
    return Numbers(entries, tables, ties, sections)


def entry_of(key: str, row: Mapping[str, Any]) -> Entry:
    """Return the entry that a row of rules.toml describes."""
    if not {"value", "from"} <= row.keys() <= ENTRY or ("range" in row) == ("choices" in row):
        raise ValueError(
            f"it has {', '.join(row)}; wanted are value, range or choices, from, plausible for a guess, and note if there is one"
        )
    entry = Entry(key, row["value"], limits(row.get("range", row.get("choices")), "it"), row["from"], row.get("note", ""))
    entry = replace(entry, value=entry.check(entry.value))
    if entry.guess != ("plausible" in row):
        raise ValueError("a guess, and only a guess, has plausible values: plausible = [least, most] or a list of words")
    return replace(entry, plausible=within(entry, limits(row["plausible"], "plausible"))) if entry.guess else entry


def add(entries: dict[str, Entry], entry: Entry) -> None:
    """Check the value of an entry and add the entry to the others."""
    if entry.key in entries:
        raise ValueError(f"{entry.key} is there more than once")
    entries[entry.key] = replace(entry, value=entry.check(entry.value))


def provenance(row: Mapping[str, str], column: str) -> str:
    """Return where the value of one cell comes from: what the row says, or what it says for that column (`scan money=guess`)."""
    words = row["provenance"].split()
    named = dict(word.split("=", 1) for word in words if "=" in word)
    return named.get(column, " ".join(word for word in words if "=" not in word))


def export(folder: Path, target: Path) -> list[Path]:
    """Copy a game's rules.toml and card tables to a folder, where the user may correct them."""
    target.mkdir(parents=True, exist_ok=True)
    copies = {path: target / path.name for path in files(folder)}
    for copy in copies.values():
        if copy.exists():
            raise FileExistsError(f"{copy}: there already; choose an empty folder")
    try:
        for path, copy in copies.items():
            write_atomically(copy, path.read_bytes())
    except OSError:
        for copy in copies.values():
            copy.unlink(missing_ok=True)
        raise
    return list(copies.values())
