"""Reads the files that hold a game's numbers: rules.toml and card tables (csv); a ValueError names the place of a fault."""

import csv
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alehouse.envs.core.declare.layout import twice

NOT_NUMBERS = ("columns", "plausible")  # the sections of rules.toml that are about card tables


def text_of(path: Path) -> str:
    """Return a text that is written in UTF-8, or else in Latin-1."""
    data = path.read_bytes()
    if b"\0" in data:
        raise ValueError("it is not plain text; save it as CSV in UTF-8")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return data.decode("latin-1").replace("\r\n", "\n")


def rows_of_sheet(path: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield the section, the name and the contents of each row of a rules.toml."""
    with located(str(path)):
        sections = tomllib.loads(text_of(path))
    for section, names in sections.items():
        if not isinstance(names, dict):
            raise ValueError(f"{path}: {section} = {names!r} stands outside of any section")
        for name, row in names.items():
            if section not in NOT_NUMBERS and (not isinstance(row, dict) or "value" not in row):
                raise ValueError(f"{path}, [{section}], {name}: {row!r} has no value; write {{ value = ... }}")
            yield section, name, row


def rows_of_table(path: Path, *wanted: str) -> list[dict[str, str]]:
    """Read a card table. Each row must have a key of its own and a cell in every column, and the `wanted` columns must be there."""
    with located(str(path)):
        with open(path, newline="", encoding="utf-8") as source:
            heading, *rows = [line for line in csv.reader(source, strict=True) if line] or [[]]
        if missing := [column for column in wanted if column not in heading]:
            raise ValueError(f"no column {missing[0]!r}; the heading has {', '.join(heading) or 'nothing'}")
        if double := twice(heading):
            raise ValueError(f"column {double} is there more than once")
        for line in rows:
            if len(line) != len(heading):
                raise ValueError(f"row {line[0]!r} has {len(line)} cells; the heading has {len(heading)} columns")
        found = [dict(zip(heading, line, strict=True)) for line in rows]
        if double := twice(row["key"] for row in found):
            raise ValueError(f"row {double} is there more than once")
    return found


@contextmanager
def located(place: str) -> Iterator[None]:
    """Add the place of a fault to the start of any ValueError raised in this context."""
    try:
        yield
    except (csv.Error, ArithmeticError, RecursionError, ValueError) as error:
        raise ValueError(f"{place}: {error}") from None


def limits(allowed: Any, what: str) -> Any:
    """Return a range or a list of words as a tuple; raise a ValueError if the argument is neither."""
    words = isinstance(allowed, list) and bool(allowed) and all(isinstance(x, str) for x in allowed) and not twice(allowed)
    span = isinstance(allowed, list) and [type(x) for x in allowed] == [int, int] and allowed[0] <= allowed[1]
    if not words and not span:
        raise ValueError(f"{what} has {allowed!r}, which is neither a range [least, most] nor a list of different words")
    return tuple(allowed)
