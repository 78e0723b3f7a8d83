"""Tables that an owner of a game has corrected, as spreadsheets write them: what they change, and which guesses they confirm."""

import csv
import difflib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from alehouse.envs.core.declare.layout import twice
from alehouse.envs.core.declare.numbers import Numbers, Value, provenance
from alehouse.envs.core.declare.sheets import NOT_NUMBERS, limits, located, rows_of_sheet, text_of

BESIDE = {
    "note": "note",
    "range": "allowed",
    "choices": "allowed",
    "plausible": "plausible",
}  # fields that only the game's own files decide


@dataclass(frozen=True)
class Correction:
    """What a folder of corrected tables says about the numbers of a game."""

    changed: dict[str, Value] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)  # numbers that it changes, and guesses that it confirms by naming a source
    notes: list[str] = field(default_factory=list)  # what it leaves out, and what it changes that means nothing: one line each

    def take(self, numbers: Numbers, key: str, value: Any, source: str | None) -> None:
        """Take over a number and its source."""
        old = numbers.find(key)
        value = old.check(value)
        if value != old.value:
            self.changed[key] = value
        if value != old.value or (old.guess and source and "guess" not in source):
            self.known.add(key)


def correction(numbers: Numbers, folder: Path) -> Correction:
    """Read a folder of corrected tables, which may hold only some of the files; a ValueError names file, row and column of a fault."""
    sheet, tables = folder / "rules.toml", sorted(folder.glob("*.csv"))
    if not sheet.is_file() and not tables:
        raise ValueError(f"rules {str(folder)!r}: no rules.toml and no .csv there; `alehouse cards GAME --export DIR` writes them")
    found = Correction()
    if sheet.is_file():
        read_sheet(numbers, sheet, found)
    for path in tables:
        if path.stem not in numbers.tables:
            raise ValueError(f"{path}: no table {path.stem!r}; tables: {', '.join(numbers.tables)}")
        read_table(numbers, path, found)
    return found


def read_sheet(numbers: Numbers, path: Path, found: Correction) -> None:
    """Take over the numbers of a rules.toml."""
    for section, name, row in rows_of_sheet(path):
        place = f"{path}, [{section}], {name}"
        if section in NOT_NUMBERS:
            if row != numbers.sections.get(section, {}).get(name):
                found.notes.append(f"{place} is changed; this means nothing: only values and their sources are read")
            continue
        with located(place):
            found.take(numbers, f"{section}.{name}", row["value"], row.get("from"))
            entry = numbers[f"{section}.{name}"]
            for word in row.keys() - {"value", "from"}:
                given = limits(row[word], word) if isinstance(row[word], list) else row[word]
                if word not in BESIDE or given != getattr(entry, BESIDE[word]):
                    found.notes.append(f"{place}: {word} is changed; this means nothing: only the value and its source are read")


def read_table(numbers: Numbers, path: Path, found: Correction) -> None:
    """Take over the numbers of a card table."""
    own = {row["key"]: row for row in numbers.tables[path.stem]}
    idle: dict[str, list[str]] = {}
    rows = spreadsheet(path, list(next(iter(own.values()))), own)
    for row in rows:
        for column, cell in row.items():
            key = f"{path.stem}.{row['key']}.{column}"
            with located(f"{path}, row {row['key']!r}, column {column!r}"):
                if key in numbers:
                    source = provenance(row, column) if "provenance" in row else None
                    found.take(numbers, key, plain(cell, numbers[key].allowed), source)
                elif column != "provenance" and cell.split() != own[row["key"]][column].split():
                    idle.setdefault(column, []).append(row["key"])
    for column, keys in idle.items():
        found.notes.append(f"{path}, column {column!r}: {', '.join(keys)} changed; this means nothing: the column is only text")
    if missing := [key for key in own if key not in {row["key"] for row in rows}]:
        found.notes.append(f"{path}: it has no row {', '.join(missing)}; its numbers stay as they are")
    numeric = {key.rpartition(".")[2] for key in numbers if key.startswith(f"{path.stem}.")}
    if rows and (gone := [column for column in next(iter(own.values())) if column in numeric and column not in rows[0]]):
        found.notes.append(f"{path}: it has no column {', '.join(gone)}; its numbers stay as they are")


def plain(cell: str, allowed: Sequence[Any]) -> str:
    """Return a cell as the game would write it: `4.0` and `4,0` are 4, and words may have capitals."""
    text = " ".join(cell.split())
    if isinstance(allowed[0], str):
        return next((str(word) for word in allowed if str(word).lower() == text.lower()), text)
    whole = re.fullmatch(r"([+-]?\d+)[.,]0*", text)
    return whole[1] if whole else text


def spreadsheet(path: Path, columns: Sequence[str], own: Mapping[str, Any]) -> list[dict[str, str]]:
    """Read a card table as spreadsheets write it: with commas, semicolons or tabs, capitals, empty columns and rows, in any order."""
    with located(str(path)):
        text = text_of(path)
        comma = max(",;\t", key=text.lstrip().partition("\n")[0].count)
        cells = csv.reader(io.StringIO(text, newline=""), delimiter=comma, strict=True)
        heading, *lines = [line for line in cells if any(map(str.strip, line))] or [[]]
        heading = [name.strip().lower() for name in heading]
        while heading and not heading[-1]:
            heading.pop()
        if "key" not in heading:
            raise ValueError(f"no column 'key'; the heading has {', '.join(heading) or 'nothing'}")
        if double := twice(heading):
            raise ValueError(f"column {double} is there more than once")
        for name in heading:
            if name not in columns:
                raise ValueError(f"column {name!r}: no such column; the game's own table has {', '.join(columns)}")
        found = list(named_rows(heading, lines, own))
        if double := twice(row["key"] for row in found):
            raise ValueError(f"row {double} is there more than once")
    return found


def named_rows(heading: Sequence[str], lines: Sequence[Sequence[str]], own: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield each line as a row with a cell in every column; a ValueError names a row that is cut short, too long, or not of the game."""
    at = heading.index("key")
    for number, line in enumerate(lines, 2):
        key = line[at].strip() if at < len(line) else ""
        name = f"row {key!r}" if key else f"row {number}"
        if len(line) < len(heading):
            raise ValueError(f"{name} has {len(line)} cells; the heading has {len(heading)} columns, up to {heading[-1]!r}")
        if any(cell.strip() for cell in line[len(heading) :]):
            raise ValueError(f"{name} has {len(line)} cells; the heading has {len(heading)} columns")
        row = dict(zip(heading, line[: len(heading)], strict=True))
        row["key"] = next((known for known in own if known.lower() == key.lower()), key)
        if row["key"] not in own:
            near = difflib.get_close_matches(key.lower(), own, 3)
            raise ValueError(f"{name}: no such row" + (f"; near it: {', '.join(near)}" if near else f"; rows: {', '.join(own)}"))
        yield row
