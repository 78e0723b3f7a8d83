"""The numbers of a game as data: rules.toml and its csv tables, each entry with its range and its provenance.

A key is `<section>.<name>` of rules.toml or `<table>.<row>.<column>` of a csv file. `[columns.<table>]` of
rules.toml gives each column of a table its range, or the list of its words; other columns are text.
"""

import csv
import difflib
import hashlib
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Value = int | str


@dataclass(frozen=True)
class Entry:
    """One number or word of the rules."""

    key: str
    value: Value
    allowed: tuple[int, int] | tuple[str, ...]
    provenance: str
    note: str = ""  # what it is, where its key does not say it

    def check(self, value: Any) -> Value:
        """The value in its canonical form, or a ValueError saying what is possible."""
        allowed: tuple[Any, ...] = self.allowed
        if isinstance(self.value, str):
            if str(value) in allowed:
                return str(value)
            raise ValueError(f"{self.key}={value}: one of {self.possible}")
        try:
            number = int(value)
            exact = not isinstance(value, float) or value == number
        except (TypeError, ValueError, OverflowError):
            exact = False
        if not exact or not allowed[0] <= number <= allowed[1]:
            raise ValueError(f"{self.key}={value}: a whole number from {self.possible}")
        return number

    @property
    def possible(self) -> str:
        """The words to choose from, or the range of a number."""
        return ", ".join(map(str, self.allowed)) if isinstance(self.value, str) else f"{self.allowed[0]} to {self.allowed[1]}"

    @property
    def index(self) -> int:
        """The value as a number; a word by its place among the allowed ones."""
        return self.allowed.index(self.value) if isinstance(self.value, str) else self.value


class Numbers(Mapping[str, Entry]):
    """All entries of a game's folder by key, and the rows of its tables."""

    def __init__(self, entries: dict[str, Entry], tables: dict[str, list[dict[str, str]]]) -> None:
        self._entries = entries
        self.tables = tables

    def __getitem__(self, key: str) -> Entry:
        return self._entries[key]

    def __iter__(self) -> Any:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: str) -> Entry:
        """The entry of a key a person typed."""
        if key not in self._entries:
            near = difflib.get_close_matches(str(key), self._entries, 3)
            raise ValueError(f"override {key!r}: no such number" + (f"; near it: {', '.join(near)}" if near else ""))
        return self._entries[key]

    def altered(self, overrides: Mapping[str, Value]) -> "Numbers":
        """The same numbers with some of them changed."""
        entries = dict(self._entries)
        for key, value in overrides.items():
            old = self.find(key)
            entries[key] = replace(old, value=old.check(value), provenance="override")
        return Numbers(entries, self.tables)

    def number(self, key: str) -> int:
        """One number; a word by its place among the allowed ones."""
        return self._entries[key].index

    def word(self, key: str) -> str:
        """One word."""
        return str(self._entries[key].value)

    def rows(self, table: str) -> list[str]:
        """The row names of a table, in order."""
        return [row["key"] for row in self.tables[table]]

    def column(self, table: str, column: str) -> list[int]:
        """A column of a table as numbers."""
        return [self.number(f"{table}.{row}.{column}") for row in self.rows(table)]

    def guesses(self) -> list[Entry]:
        """Entries whose printed value is not known."""
        return [entry for entry in self._entries.values() if "guess" in entry.provenance]

    @property
    def digest(self) -> str:
        """A digest of every value."""
        text = "\n".join(f"{key}={self._entries[key].value}" for key in sorted(self._entries))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def files(folder: Path) -> list[Path]:
    """The files that hold a game's numbers."""
    return [folder / "rules.toml", *sorted(folder.glob("*.csv")), *sorted(folder.glob("tables/*.csv"))]


def load(folder: Path) -> Numbers:
    """Read rules.toml and the csv tables of a folder."""
    with open(folder / "rules.toml", "rb") as source:
        sections = tomllib.load(source)
    columns = sections.pop("columns", {})
    entries: dict[str, Entry] = {}
    for section, names in sections.items():
        for name, row in names.items():
            add(entries, f"{section}.{name}", row["value"], row.get("range") or row["choices"], row["from"], row.get("note", ""))
    tables: dict[str, list[dict[str, str]]] = {}
    for path in files(folder)[1:]:
        with open(path, newline="", encoding="utf-8") as source:
            tables[path.stem] = rows = list(csv.DictReader(source))
        for row in rows:
            for column, allowed in columns.get(path.stem, {}).items():
                cell: Value = row[column] if isinstance(allowed[0], str) else int(row[column])
                add(entries, f"{path.stem}.{row['key']}.{column}", cell, allowed, provenance(row, column))
    return Numbers(entries, tables)


def add(entries: dict[str, Entry], key: str, value: Value, allowed: list[Any], source: str, note: str = "") -> None:
    """One more entry, its own value checked."""
    entry = Entry(key, value, tuple(allowed), source, note)
    entry.check(value)
    entries[key] = entry


def provenance(row: Mapping[str, str], column: str) -> str:
    """The source of one cell: the row's, unless the row names another for that column (`scan money=guess`)."""
    words = row["provenance"].split()
    named = dict(word.split("=", 1) for word in words if "=" in word)
    return named.get(column, " ".join(word for word in words if "=" not in word))


def export(folder: Path, target: Path) -> list[Path]:
    """Copy a game's tables to a folder of the user's, to correct them there."""
    target.mkdir(parents=True, exist_ok=True)
    copies = {path: target / path.name for path in files(folder)}
    for copy in copies.values():
        if copy.exists():
            raise FileExistsError(f"{copy}: there already; choose an empty folder")
    for path, copy in copies.items():
        shutil.copyfile(path, copy)
    return list(copies.values())


def corrected(numbers: Numbers, folder: Path) -> dict[str, Value]:
    """What the tables in a user's folder change, as overrides; a folder may hold some of the files only."""
    found: dict[str, Value] = {}
    sheet = folder / "rules.toml"
    tables = sorted(folder.glob("*.csv"))
    if not sheet.is_file() and not tables:
        raise ValueError(f"rules {str(folder)!r}: no rules.toml and no .csv there; `alehouse cards GAME --export DIR` writes them")
    try:
        if sheet.is_file():
            with open(sheet, "rb") as source:
                sections = tomllib.load(source)
            sections.pop("columns", None)
            found |= {f"{s}.{name}": row["value"] for s, names in sections.items() for name, row in names.items()}
        for path in tables:
            columns = {key.split(".")[2] for key in numbers if key.startswith(f"{path.stem}.") and key.count(".") == 2}
            if not columns:
                raise ValueError(f"no table {path.stem!r}; tables: {', '.join(numbers.tables)}")
            with open(path, newline="", encoding="utf-8") as source:
                for row in csv.DictReader(source):
                    found |= {f"{path.stem}.{row['key']}.{column}": row[column] for column in columns & row.keys()}
        changed = {key: numbers.find(key).check(value) for key, value in found.items()}
    except (tomllib.TOMLDecodeError, csv.Error, AttributeError, KeyError, TypeError, UnicodeDecodeError, ValueError) as error:
        raise ValueError(f"rules {str(folder)!r}: {error}") from None
    return {key: value for key, value in changed.items() if value != numbers[key].value}
