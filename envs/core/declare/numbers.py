"""The numbers of a game as data: rules.toml and the card tables (csv), each entry with its range and its provenance.

A key is `<section>.<name>` of rules.toml or `<table>.<row>.<column>` of a csv file. `[columns.<table>]` of rules.toml gives each
column of a table its range, or the list of its words; other columns are text.
"""

import csv
import difflib
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
    note: str = ""  # what the number is, where its key does not say it

    def check(self, value: Any) -> Value:
        """Return a value in its canonical form; a ValueError says what is possible."""
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
        """List the words to choose from, or name the range of a number."""
        return ", ".join(map(str, self.allowed)) if isinstance(self.value, str) else f"{self.allowed[0]} to {self.allowed[1]}"

    @property
    def index(self) -> int:
        """Return the value as a number; a word counts as its place among the allowed ones."""
        return self.allowed.index(self.value) if isinstance(self.value, str) else self.value


class Numbers(Mapping[str, Entry]):
    """All entries of a game's folder by key, and the rows of its card tables."""

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
        """Return the entry of a key that a person typed; a ValueError names similar keys."""
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
        return Numbers(entries, self.tables)

    def number(self, key: str) -> int:
        """Return one entry as a number; a word counts as its place among the allowed ones."""
        return self._entries[key].index

    def word(self, key: str) -> str:
        """Return one entry as a word."""
        return str(self._entries[key].value)

    def rows(self, table: str) -> list[str]:
        """Return the names of a card table's rows, in order."""
        return [row["key"] for row in self.tables[table]]

    def column(self, table: str, column: str) -> list[int]:
        """Return a column of a card table as numbers."""
        return [self.number(f"{table}.{row}.{column}") for row in self.rows(table)]

    def guesses(self) -> list[Entry]:
        """Return the entries whose printed value is not known."""
        return [entry for entry in self._entries.values() if "guess" in entry.provenance]


def files(folder: Path) -> list[Path]:
    """List the files that hold a game's numbers."""
    return [folder / "rules.toml", *sorted(folder.glob("*.csv")), *sorted(folder.glob("tables/*.csv"))]


def load(folder: Path) -> Numbers:
    """Read rules.toml and the card tables of a folder; a ValueError names the file and the row at fault."""
    with open(folder / "rules.toml", "rb") as source:
        sections = tomllib.load(source)
    columns = sections.pop("columns", {})
    entries: dict[str, Entry] = {}
    for section, names in sections.items():
        for name, row in names.items():
            with located(f"{folder / 'rules.toml'}, {section}.{name}"):
                add(entries, f"{section}.{name}", row["value"], row.get("range") or row["choices"], row["from"], row.get("note", ""))
    tables: dict[str, list[dict[str, str]]] = {}
    for path in files(folder)[1:]:
        tables[path.stem] = rows = table_of(path)
        for number, row in enumerate(rows, 1):
            for column, allowed in columns.get(path.stem, {}).items():
                with located(f"{path}, row {number} ({row.get('key')}), column {column}"):
                    cell: Value = row[column] if isinstance(allowed[0], str) else int(row[column])
                    add(entries, f"{path.stem}.{row['key']}.{column}", cell, allowed, provenance(row, column))
    return Numbers(entries, tables)


def table_of(path: Path) -> list[dict[str, str]]:
    """Read the rows of a csv file."""
    with open(path, newline="", encoding="utf-8") as source:
        return list(csv.DictReader(source))


@contextmanager
def located(place: str) -> Iterator[None]:
    """Turn a fault in an entry into a ValueError that says where the entry stands."""
    try:
        yield
    except KeyError as error:
        raise ValueError(f"{place}: {error.args[0]!r} is missing") from None
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"{place}: {error}") from None


def add(entries: dict[str, Entry], key: str, value: Value, allowed: list[Any], source: str, note: str = "") -> None:
    """Check one entry and put it among the others."""
    if key in entries:
        raise ValueError(f"{key}: there already")
    entry = Entry(key, value, tuple(allowed), source, note)
    entry.check(value)
    entries[key] = entry


def provenance(row: Mapping[str, str], column: str) -> str:
    """Return the provenance of one cell: the row's, or the one that the row names for that column (`scan money=guess`)."""
    words = row["provenance"].split()
    named = dict(word.split("=", 1) for word in words if "=" in word)
    return named.get(column, " ".join(word for word in words if "=" not in word))


def export(folder: Path, target: Path) -> list[Path]:
    """Copy a game's rules.toml and card tables to a folder where the user may correct them."""
    target.mkdir(parents=True, exist_ok=True)
    copies = {path: target / path.name for path in files(folder)}
    for copy in copies.values():
        if copy.exists():
            raise FileExistsError(f"{copy}: there already; choose an empty folder")
    for path, copy in copies.items():
        shutil.copyfile(path, copy)
    return list(copies.values())


def corrected(numbers: Numbers, folder: Path) -> dict[str, Value]:
    """Return the numbers that a user's folder changes, as overrides; the folder may hold only some of the files."""
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
            for row in table_of(path):
                found |= {f"{path.stem}.{row['key']}.{column}": row[column] for column in columns & row.keys()}
        changed = {key: numbers.find(key).check(value) for key, value in found.items()}
    except (tomllib.TOMLDecodeError, csv.Error, AttributeError, KeyError, TypeError, UnicodeDecodeError, ValueError) as error:
        raise ValueError(f"rules {str(folder)!r}: {error}") from None
    return {key: value for key, value in changed.items() if value != numbers[key].value}
