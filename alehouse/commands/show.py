"""What the commands share: options, progress, tables and JSON."""

import contextlib
import itertools
import json
import shutil
import sys
import textwrap
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from alehouse.commands import interrupt
from alehouse.commands.interrupt import pressed
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.compiling import kernels
from alehouse.envs.games import GAMES, REFERENCE, installed

T = TypeVar("T")

GAP = "  "  # the space before each column of a table
NARROW = 16  # columns up to this width are never made narrower to fit


def completed(beginning: str) -> list[str]:
    """Return the games whose names begin with what was typed, for the shell to complete."""
    return [name for name in (*GAMES, *REFERENCE, *installed()) if name.startswith(beginning)]


GameName = Annotated[str, typer.Argument(metavar="GAME", help="The name of the game.", autocompletion=completed)]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Seed = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="The seed that decides all luck.")]


def write_json(data: Any) -> None:
    """Print data as JSON."""
    print(json.dumps(data, indent=2))


def width_of_terminal() -> int | None:
    """Return how many letters fit into a line of the terminal; None, for no limit, if standard output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def write_text(text: str) -> None:
    """Print a sentence, broken between words where the terminal is too narrow for it."""
    width = width_of_terminal()
    print(text if width is None else "\n".join(split(text, width)))


def write_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows under headings, as wide as the terminal allows; without a terminal the width has no limit."""
    print("\n".join(table(columns, list(rows), width_of_terminal())))


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], width: int | None) -> list[str]:
    """Return the lines of a table, none of them wider than `width` (None is no limit). Numbers are aligned to the right.

    Texts wrap between words if that makes the table fit; otherwise each row becomes a block of lines.
    """
    numbers = [any(isinstance(row[k], (int, float)) for row in rows) for k in range(len(columns))]
    cells = [list(columns), *(list(map(written, row)) for row in rows)]
    sizes = widths([[row[k] for row in cells] for k in range(len(columns))], width)
    if width is not None and sum(sizes) + len(GAP) * len(sizes) > width:
        return list(blocks(cells[0], cells[1:], width))
    lines = [""]
    for row in (cells[0], ["-" * size for size in sizes], *cells[1:]):
        wrapped = [split(text, size) for text, size in zip(row, sizes, strict=True)]
        for parts in itertools.zip_longest(*wrapped, fillvalue=""):
            aligned = (part.rjust(size) if number else part.ljust(size) for part, size, number in zip(parts, sizes, numbers, strict=True))
            lines.append("".join(GAP + part for part in aligned).rstrip())
    return [*lines, ""]


def widths(columns: Sequence[Sequence[str]], width: int | None) -> list[int]:
    """Return the widths of columns of cells: as wide as they need or, to fit into `width`, the widest as narrow as their words allow."""
    sizes = [max(map(len, column)) for column in columns]
    words = [max(len(word) for cell in column for word in cell.split()) for column in columns]
    least = [max(word, min(size, NARROW)) for word, size in zip(words, sizes, strict=True)]
    while width is not None and sum(sizes) + len(GAP) * len(sizes) > width and sizes != least:
        sizes[max((size, k) for k, size in enumerate(sizes) if size > least[k])[1]] -= 1
    return sizes


def blocks(headings: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> Iterator[str]:
    """Yield the lines of all rows as blocks, each cell as `heading: text`; empty cells are left out."""
    yield ""
    for row in rows:
        for heading, text in zip(headings, row, strict=True):
            if text:
                yield from split(f"{heading}: {text}", width, indent="    ")
        yield ""


def split(text: str, width: int, indent: str = "") -> list[str]:
    """Return the lines of a text, broken between words only, so that no name and no number is cut."""
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def written(cell: Any) -> str:
    """Return a cell as text: large numbers get separators, None becomes empty."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


def collect(items: Iterable[T], total: int, title: str) -> tuple[list[T], bool]:
    """Collect all items behind a progress bar; on Ctrl-C return those collected so far, and True."""
    found: list[T] = []
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=total)
        try:
            for item in items:
                found.append(item)
                bar.advance(task)
                if pressed():
                    break
        except KeyboardInterrupt:
            return found, True
    return found, pressed()


def follow(steps: Generator[tuple[int, int], None, None], title: str) -> bool:
    """Run work that reports (done, total) after each step, behind a progress bar; return whether Ctrl-C stopped it early."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with (
        contextlib.closing(steps),
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
    ):
        task = bar.add_task(title, total=None)
        try:
            for done, total in steps:
                bar.update(task, completed=done, total=total)
                if pressed():
                    break
        except KeyboardInterrupt:
            return True
    return pressed()


def status(cut: bool, failed: bool = False) -> int:
    """Return the exit code of a long command: 130 if Ctrl-C stopped it, 1 if something failed, else 0."""
    return interrupt.STATUS if cut else int(failed)


def bad_input(error: Exception) -> int:
    """Say in one line what is wrong, and return the exit code of bad input."""
    text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename is not None else str(error)
    print(f"alehouse: {' '.join(text.split())}", file=sys.stderr)
    return 2


def compiled(variants: Iterable[Variant]) -> None:
    """Compile what the variants need, before a progress bar can hide the message."""
    with interrupt.at_once():
        for spec in dict.fromkeys(v.spec for v in variants):
            kernels(spec)
