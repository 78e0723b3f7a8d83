"""A full disk ends a command with exit code 2 and one line; what was there stays, and the same command goes on."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from alehouse.cli import app
from alehouse.envs.core.run import files

TUNE = ("--only", "call", "--generations", 2, "--population", 4, "--blocks", 5, "--out", "found.toml")
COMMANDS = {
    "arena": ("arena", "kuhn_poker", "--agents", "uniform,uniform", "--blocks", 1500, "--out", "run"),
    "tune": ("tune", "kuhn_poker", *TUNE),
    "cards": ("cards", "tiefenthal", "--export", "mine"),
    "new-game": ("new-game", "hop_war"),
}


def run(*words: Any) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_told_in_one_line_and_costs_nothing(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip({"arena": "choix", "tune": "cmaes"}.get(name, "typer"))
    monkeypatch.chdir(tmp_path)
    sync, left = os.fsync, 5

    def full(handle: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(handle)

    with monkeypatch.context() as disk:
        disk.setattr(files.os, "fsync", full)
        result = run(*COMMANDS[name])
    assert result.exit_code == 2, result.output
    assert result.stderr.splitlines()[-1].endswith(": No space left on device")
    assert "Traceback" not in result.output
    before = contents(tmp_path)
    assert not [path for path in before if Path(path).name.startswith(".")]  # nothing half-written
    result = run(*COMMANDS[name])
    assert result.exit_code == 0, result.output
    after = contents(tmp_path)
    assert all(after[path].startswith(data) for path, data in before.items())
