"""`make run`: its steps, its settings, and the page it ends with."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from alehouse import run as main_job
from alehouse.cli import application, guarded

FOUND: dict[str, dict[str, Any]] = {
    "random": {"games": 20, "games_per_s": 1000.0, "decisions": (150.0, 2.0), "scores": [(1.5, 0.5)], "picture": "<svg/>"},
    "arena": {
        "games": 8, "parity": 0.25, "game_page": "runs/arena/a/game.html", "ratings": None, "levels": {"level:1": "uniform <i>"},
        "agents": [{"name": "level:1", "share": 0.25, "low": 0.1, "high": 0.4, "score": 3.0}],
    },
    "balance": {"games": 1234, "sentences": [f"Sentence {k}." for k in range(9)], "report": "runs/balance/b/report.html"},
}  # fmt: skip


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, int, float]]:
    """The steps that are done, each of which finds something made up at once."""
    monkeypatch.chdir(tmp_path)
    asked = list[tuple[str, str, int, float]]()

    def found(step: main_job.Step) -> dict[str, Any]:
        asked.append(tuple(step))
        return FOUND[step.what]

    monkeypatch.setattr(main_job, "STEPS", dict.fromkeys(FOUND, found))
    return asked


def job(*words: object) -> Result:
    """The main job, in this process alone."""
    app = application()
    app.command()(guarded(main_job.run))
    return CliRunner().invoke(app, [*map(str, words), "--processes", "1"])


def test_the_steps_and_the_page(steps: list[Any], tmp_path: Path) -> None:
    result = job("--variant", "bloody_inn-2p", "--variant", "bloody_inn-1p", "--variant", "connect_four", "--minutes", 0.25, "--seed", 3)
    assert result.exit_code == 0, result.output
    random = [("random", f"{name}", 3, 100_000) for name in ("bloody_inn-2p", "bloody_inn-1p", "connect_four-2p")]
    assert steps == [*random, ("arena", "bloody_inn-2p", 3, 50), ("arena", "connect_four-2p", 3, 50), ("balance", "bloody_inn", 3, 0.25)]
    page = (tmp_path / "runs" / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "runs" / "index.html").as_uri() in result.stdout
    assert set(re.findall(r'href="([^"]*)"', page)) == {"config.toml", "arena/a/game.html", "balance/b/report.html"}
    assert not re.search(r'(src|href)="(https?:)?//', page)
    for words in ("Sentence 4.", "25.0 %", "10.0 to 40.0 %", "150.0 ± 2.0", "uniform &lt;i&gt;", "537 of 542 (99 %)"):
        assert words in page
    assert "Sentence 5." not in page


def test_its_settings_run_the_same_again(steps: list[Any], tmp_path: Path) -> None:
    words = ("--variant", "tiefenthal-2p", "--variant", "kuhn_poker", "--games", 7, "--blocks", 3, "--minutes", 0.1, "--seed", 5)
    assert job(*words).exit_code == 0
    settings = tomllib.loads((tmp_path / "runs" / "config.toml").read_text(encoding="utf-8"))
    assert settings.items() >= {"variant": ["tiefenthal-2p", "kuhn_poker"], "games": 7, "blocks": 3, "minutes": 0.1, "seed": 5}.items()
    before = list(steps)
    steps.clear()
    assert job("--config", tmp_path / "runs" / "config.toml").exit_code == 0
    assert steps == before


def test_ctrl_c_leaves_a_page_of_what_is_done(steps: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(step: main_job.Step) -> dict[str, Any]:
        raise KeyboardInterrupt

    monkeypatch.setitem(main_job.STEPS, "arena", pressed)
    result = job("--variant", "bloody_inn")
    assert result.exit_code == 130
    page = (tmp_path / "runs" / "index.html").read_text(encoding="utf-8")
    assert "150.0 ± 2.0" in page
    assert "report.html" not in page


def test_a_step_that_cannot_be_done_does_not_stop_the_others(steps: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_short(step: main_job.Step) -> dict[str, Any]:
        raise ValueError("too short <for> any conclusion")

    monkeypatch.setitem(main_job.STEPS, "arena", too_short)
    result = job("--variant", "bloody_inn")
    assert result.exit_code == 1
    assert "too short <for> any conclusion" in result.stderr
    page = (tmp_path / "runs" / "index.html").read_text(encoding="utf-8")
    assert "too short &lt;for&gt; any conclusion" in page
    assert "balance/b/report.html" in page


@pytest.mark.slow
def test_two_processes_play_the_toys(tmp_path: Path) -> None:
    words = ("-m", "alehouse.run", "--variant", "connect_four", "--variant", "kuhn_poker", "--games", "200", "--blocks", "4")
    done = subprocess.run([sys.executable, *words, "--processes", "2"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "step 4 of 4" in done.stderr
    page = (tmp_path / "runs" / "index.html").read_text(encoding="utf-8")
    [*games] = re.findall(r'href="(arena/[^"]*)"', page)
    assert len(games) == 2
    for game in games:
        assert "<svg" in (tmp_path / "runs" / game).read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_full_disk_behind_standard_output(tmp_path: Path) -> None:
    words = ("-m", "alehouse.run", "--variant", "kuhn_poker", "--games", "20", "--minutes", "0")
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, *words], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "alehouse: standard output: No space left on device"
    assert (tmp_path / "runs" / "index.html").is_file()
