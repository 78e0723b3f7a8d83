"""`alehouse warmup` leaves nothing to compile, and `alehouse doctor` tells the truth about where kernels are kept."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest
from typer.testing import CliRunner

from alehouse.cli import app
from alehouse.commands import doctor, warmup
from alehouse.envs.core.run.jit import cache_folder

USE = """
import sys
import gymnasium
import numpy as np
import alehouse
import alehouse.agents
import alehouse.players
from alehouse.envs.core.run import jit
from alehouse.envs.reference import kuhn_poker
from pettingzoo.test import api_test, parallel_api_test

compiled = []
jit.keep = lambda path, data: compiled.append(path.name)

def first(infos):
    return [int(np.flatnonzero(mask)[0]) for mask in np.atleast_2d(infos["action_mask"])]

api_test(kuhn_poker.env(), 20)
parallel_api_test(kuhn_poker.parallel_env(), 20)
seat = gymnasium.make("alehouse/KuhnPoker-v0")
seat.step(first(seat.reset(seed=0)[1])[0])
seats = gymnasium.make_vec("alehouse/KuhnPoker-v0", num_envs=70, opponents=alehouse.agents.heuristic(kuhn_poker.GAME))
seats.step(np.array(first(seats.reset(seed=0)[1])))
for threads in (1, 2):
    t = alehouse.Tables("kuhn_poker", n=70, threads=threads)
    t.step(t.sample())
    t.reset([1])
    t.reset(seeds=np.arange(70))
    t.clone()
    t.why_illegal(0, 0)
    t.text(0), t.svg(0, 0)
    t.replay(0).verify()
    t.determinize(0, 1)
    for name in sys.argv[1].split(","):
        agent = alehouse.players.player(name, kuhn_poker.GAME, threads)
        alehouse.agents.rate(agent, t, plays=2, threads=threads)
print("compiled:", *compiled)
"""


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT or numba.config.NUMBA_NUM_THREADS == 1, reason="nothing is compiled, or not for two threads")
def test_after_warmup_nothing_is_left_to_compile(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    warm = subprocess.run(
        [sys.executable, "-m", "alehouse", "warmup", "kuhn_poker", "-j", "2"], env=environment, capture_output=True, text=True
    )
    assert warm.returncode == 0, warm.stderr
    names = ("uniform", "greedy", "heuristic", "rollout:5", "ismcts:5", "careless:share=0.3", "level:6")
    used = subprocess.run([sys.executable, "-c", USE, ",".join(names)], env=environment, capture_output=True, text=True)
    assert used.returncode == 0, used.stderr
    assert used.stdout.splitlines()[-1] == "compiled:"
    assert "compiling" not in used.stderr


def test_warmup_says_when_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "use_all", lambda spec: None)
    monkeypatch.setattr(warmup, "UNKEPT", ["Read-only file system"])
    result = CliRunner().invoke(app, ["warmup", "kuhn_poker"])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].endswith(": Read-only file system")


@pytest.fixture
def unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache that cannot be written."""
    (tmp_path / "cache").write_text("no folder")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    cache_folder.cache_clear()
    yield tmp_path / "cache"
    cache_folder.cache_clear()


def test_doctor_says_what_each_start_compiles(unwritable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "there", lambda mark: mark.name.startswith("kuhn"))
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 1
    assert f"{unwritable} (0.0 MB; read only: File exists)" in result.stdout
    [line] = [line for line in result.stdout.splitlines() if "cannot be written" in line]
    assert "connect_four: set NUMBA_CACHE_DIR" in line
    assert "kuhn_poker" not in line


def test_a_read_only_cache_that_holds_every_game_is_no_problem(unwritable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "there", lambda mark: True)
    result = CliRunner().invoke(app, ["doctor"])
    assert "read only" in result.stdout
    assert "cannot be written" not in result.stdout
