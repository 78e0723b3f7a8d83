"""Ctrl-C while the command line is imported, while it compiles, and where Python loses it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from alehouse.cli import app
from alehouse.commands import interrupt

SCRIPT = str(Path(sys.executable).with_name("alehouse"))
CTRL_C = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"


def heeding(command: list[str], environment: dict[str, str]) -> "subprocess.Popen[str]":
    """A process that Ctrl-C reaches, even if these tests run in the background."""
    heard = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environment)
    finally:
        signal.signal(signal.SIGINT, heard)


@pytest.mark.parametrize("module", ["numba", "typer"])
@pytest.mark.parametrize("start", [[SCRIPT], [sys.executable, "-m", "alehouse"], [sys.executable, "-m", "alehouse.run"]])
def test_while_it_is_imported(start: list[str], module: str, tmp_path: Path) -> None:
    (tmp_path / f"{module}.py").write_text(CTRL_C)
    process = heeding([*start, "games"], {"PYTHONPATH": str(tmp_path)})
    assert process.communicate(timeout=120) == ("", "")
    assert process.returncode == 130


def test_a_program_that_imports_alehouse_is_interrupted_as_usual(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text(CTRL_C)
    process = heeding([sys.executable, "-c", "import alehouse"], {"PYTHONPATH": str(tmp_path)})
    assert "KeyboardInterrupt" in process.communicate(timeout=120)[1]


def test_while_it_compiles(tmp_path: Path) -> None:
    process = heeding([SCRIPT, "check", "connect_four"], {"NUMBA_CACHE_DIR": str(tmp_path)})
    assert process.stderr is not None
    assert process.stderr.read(19) == "alehouse: compiling"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert "KeyboardInterrupt" not in err


def test_where_python_loses_it_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lost:
        def __init__(self, error: type[BaseException]) -> None:
            self.error = error

        def __del__(self) -> None:
            if self.error is KeyboardInterrupt:
                signal.raise_signal(signal.SIGINT)
            raise self.error

    def lost(*_: object) -> Any:
        Lost(KeyboardInterrupt)
        Lost(ZeroDivisionError)
        yield from []

    said: list[Any] = []
    hook = lambda lost: said.append(lost.exc_type)  # noqa: E731 - the very function must be put back
    monkeypatch.setattr("alehouse.commands.check.check_game", lost)
    monkeypatch.setattr(sys, "unraisablehook", hook)
    assert CliRunner().invoke(app, ["check", "connect_four"]).exit_code == 130
    assert said == [ZeroDivisionError]
    assert sys.unraisablehook is hook


def test_inside_code_made_from_text(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"def act(obs, mask):\n    exec({CTRL_C!r})\n")
    words = ["watch", "connect_four", "--agents", f"{tmp_path / 'mine.py'}:act"]
    process = heeding([sys.executable, "-m", "alehouse", *words], {})
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err.endswith("alehouse: stopped after 0 moves\n")


def test_in_the_background_it_stays_ignored() -> None:
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupt.remembered(), interrupt.at_once():
            signal.raise_signal(signal.SIGINT)
            assert not interrupt.pressed()
    finally:
        signal.signal(signal.SIGINT, heard)
