"""Tables: at no width is a name or a number cut, and where there is no terminal each row is one line."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import alehouse
from alehouse.cli import app
from alehouse.commands import show
from tests.slow import slow

ROOT = Path(alehouse.__file__).parent
WIDTHS = (40, 80, 120, None)
Table = tuple[list[str], list[list[Any]]]

SMALL = [f"--set={item}" for item in ("tables=32", "steps=16", "minibatch=128", "width=16")]
INN = ("bloody_inn", "--modules", "none")
FAIR = ("--fair-price", "concierge", "--number", "cards.concierge.money", "--blocks", 4000)

TABLES: dict[str, tuple[tuple[object, ...], int]] = {  # a command, and the number of tables it prints
    "games": (("games", "--reference"), 1),
    "cards": (("cards", "tiefenthal"), 1),
    "doctor": (("doctor",), 1),
    "arena": (("arena", "connect_four", "--agents", "uniform,uniform", "--blocks", 20, "--league", "league.json"), 3),
    "bench": (("bench", "--games", "connect_four", "--seconds", 0.001, "--rounds", 1), 1),
    "train": (("train", "kuhn_poker", "--trainer", "sb3", "--samples", 5120, "--out", "a", *SMALL), 1),
    "corrected cards of bloody_inn": (("cards", "bloody_inn", "--rules", "mine"), 1),
    "balance of bloody_inn": (("balance", *INN, "--seats", 2, "--blocks", 200, "--set", "game.rent=5"), 1),
    "fair price in bloody_inn": (("balance", *INN, "--seats", 2, "--length", "short", "--set", "cards.concierge.money=60", *FAIR), 1),
    "sweep of bloody_inn": (("sweep", *INN, "--seats", 2, "--over", "game.rent", "--blocks", 10), 1),
    "tune bloody_inn": (("tune", "bloody_inn", "--variant", "bloody_inn-2p", "--generations", 1, "--population", 4, "--blocks", 1), 1),
    "ship": (("train", "kuhn_poker", "--out", "a", "--ship", "--seeds", 10), 1),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the commands run, with rules of one's own."""
    here = tmp_path_factory.mktemp("runs")
    (here / "mine").mkdir()
    text = (alehouse.game("bloody_inn").folder / "rules.toml").read_text()
    (here / "mine" / "rules.toml").write_text(text.replace("rent = { value = 1,", "rent = { value = 5,"))
    return here


@pytest.mark.parametrize("name", [slow(name) if "bloody_inn" in name or name in ("train", "ship") else name for name in TABLES])
def test_no_table_of_a_command_loses_anything_at_any_width(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words, count = TABLES[name]
    tables: list[Table] = []
    monkeypatch.chdir(folder)
    monkeypatch.setattr(show, "write_table", lambda columns, rows: tables.append((list(columns), list(rows))))
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0 or name == "doctor", result.output
    assert len(tables) == count
    for columns, rows in tables:
        for width in WIDTHS:
            whole(show.table(columns, rows, width), columns, rows, width)


def whole(lines: list[str], columns: list[str], rows: list[list[Any]], width: int | None) -> None:
    """Every word of every cell is there, uncut, and no line that could be broken is wider than the terminal."""
    assert rows
    assert width is None or all(len(line) <= width or len(line.split()) <= 2 for line in lines)
    shown = "\n".join(lines).split()
    for word in {word for row in rows for cell in row for word in show.written(cell).split()}:
        assert word in shown
    if width is None:
        assert len(lines) == len(rows) + 4
        assert [line.split() for line in lines[3:-1]] == [" ".join(map(show.written, row)).split() for row in rows]


def test_a_table_that_fits_is_a_table_and_one_that_does_not_becomes_blocks() -> None:
    columns, rows = ("game", "won", "modules"), [("bloody_inn", 1234, "carnies, events, notables, objects"), ("tiefenthal", None, "")]
    wide = ["", "  game          won  modules", "  ----------  -----  ----------------------------------",
            "  bloody_inn  1,234  carnies, events, notables, objects", "  tiefenthal", ""]  # fmt: skip
    assert show.table(columns, rows, None) == show.table(columns, rows, 55) == wide
    assert show.table(columns, rows, 54)[3:5] == ["  bloody_inn  1,234  carnies, events, notables,", "                     objects"]
    blocks = [
        "",
        "game: bloody_inn",
        "won: 1,234",
        "modules: carnies,",
        "    events,",
        "    notables,",
        "    objects",
        "",
        "game: tiefenthal",
        "",
    ]
    assert show.table(columns, rows, 20) == blocks


def test_a_name_longer_than_the_line_stays_whole() -> None:
    name = "taverns_dragons-4p-missions+events+asymmetric+encounters+goblin?game.rounds=3"
    for width in (40, 20):
        assert any(name in line for line in show.table(("variant", "n"), [(name, 1)], width))


@pytest.mark.parametrize("width", [40, 80, 120])
def test_in_a_terminal_of_some_width(width: int) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    process = subprocess.Popen([sys.executable, "-m", "alehouse", "games"], stdin=theirs, stdout=theirs, env=environment)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 4096):
            seen += part
    except OSError:  # the terminal's other end is closed
        pass
    assert process.wait() == 0
    lines = seen.decode().replace("\r\n", "\n").split("\n")
    assert max(map(len, lines)) <= width
    for word in (*alehouse.GAMES, "notables,", "428", "1,080"):
        assert any(word in line.split() for line in lines)
    assert ("game: tiefenthal" in lines) == (width < 120)


def test_tables_are_printed_in_one_place_only() -> None:
    live = {Path("commands/show.py")}
    assert {path.relative_to(ROOT) for path in ROOT.rglob("*.py") if re.search(r"rich\.(table|box)|Table\(", path.read_text())} <= live


def test_a_sentence_is_broken_between_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(show, "width_of_terminal", lambda: 20)
    show.write_text("one two three four five six")
    assert capsys.readouterr().out == "one two three four\nfive six\n"
