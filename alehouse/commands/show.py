"""What the commands share: options, progress, tables and JSON."""

import contextlib
import json
import sys
from collections.abc import Generator, Iterable, Sequence
from typing import Annotated, Any, TypeVar

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from alehouse.commands.interrupt import pressed
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.compiling import kernels

T = TypeVar("T")

WIDE = 200  # width of tables where no terminal sets it

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The name of the game.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Seed = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="The seed that decides all luck.")]


def write_json(data: Any) -> None:
    """Print data as JSON."""
    print(json.dumps(data, indent=2))


def write_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows under headings; numbers are aligned to the right."""
    body = [list(row) for row in rows]
    table = Table(box=SIMPLE_HEAD)
    for k, heading in enumerate(columns):
        number = any(isinstance(row[k], (int, float)) for row in body)
        table.add_column(heading, justify="right" if number else "left")
    for row in body:
        table.add_row(*(written(cell) for cell in row))
    Console(width=None if sys.stdout.isatty() else WIDE, markup=False, highlight=False).print(table)


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
                    return found, True
        except KeyboardInterrupt:
            return found, True
    return found, False


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
                    return True
        except KeyboardInterrupt:
            return True
    return False


def status(cut: bool, failed: bool = False) -> int:
    """Return the exit code of a long command: 130 if Ctrl-C stopped it, else 0."""
    return 130 if cut else int(failed)


def compiled(variants: Iterable[Variant]) -> None:
    """Compile what the variants need, before a progress bar can hide the message."""
    for spec in dict.fromkeys(v.spec for v in variants):
        kernels(spec)
