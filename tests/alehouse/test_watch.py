"""`alehouse watch`: a game by agents, told move by move."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import alehouse
from alehouse.cli import app

AGENTS = """
import os, signal
import numpy as np

class Chatty:
    def act(self, obs, mask):
        print("thinking")
        return int(np.flatnonzero(mask)[-1])

class Faulty:
    def act(self, obs, mask):
        return {}["nothing"]

class Illegal:
    def act(self, obs, mask):
        return 6

class Interrupting(Chatty):
    left = 3

    def act(self, obs, mask):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return super().act(obs, mask)
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own, with a file of agents."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(AGENTS)
    return tmp_path


def run(*words: object) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(app, ["watch", *(str(word) for word in words)])


def data(*words: object) -> Any:
    """The game it tells as JSON."""
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_game_in_words() -> None:
    result = run("kuhn_poker", "--agents", "mine.py:Chatty,uniform", "--seed", 3)
    assert (result.exit_code, result.stderr.count("thinking")) == (0, 1)
    first, *lines = result.stdout.splitlines()
    assert first == "Kuhn poker: kuhn_poker-2p, seed 3"
    assert [
        line for line in lines if line.startswith("1. player_0 (mine.py:Chatty): ") and line.endswith(" (bet)")
    ]  # bet is the last action of two
    assert [line for line in lines if line.startswith("2. player_1 (uniform): ")]
    assert "thinking" not in lines
    pot = {"pass": (1, 1), "bet": (2, 2)}[data("kuhn_poker", "--agents", "mine.py:Chatty,uniform", "--seed", 3)["moves"][1]["name"]]
    assert lines[-1].startswith("points: player_0 (mine.py:Chatty) ")
    assert {abs(int(word.rstrip(","))) for word in lines[-1].split() if word.rstrip(",").lstrip("-").isdigit()} == {pot[0]}


def test_what_follows_by_itself_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alehouse.commands.moves.narrated", lambda tables, i, action: ["the cards are turned"])
    found = run("kuhn_poker", "--agents", "uniform", "--seed", 3).stdout.splitlines()
    assert 2 <= found.count("   the cards are turned") <= 3


def test_the_game_told_is_the_one_that_was_played() -> None:
    found = data("connect_four", "--agents", "greedy,uniform", "--seed", 5)
    assert found["agents"] == ["greedy", "uniform"]
    assert [move["seat"] for move in found["moves"]] == [k % 2 for k in range(len(found["moves"]))]
    seed = int(alehouse.Tables("connect_four", n=1, seed=5).seeds[0])
    again = alehouse.Replay.of(found["variant"], seed, [move["action"] for move in found["moves"]]).tables()
    assert (found["over"], found["scores"]) == (True, again.scores[0].tolist())
    assert found == data("connect_four", "--agents", "greedy,uniform", "--seed", 5)
    assert found["moves"] != data("connect_four", "--agents", "greedy,uniform", "--seed", 6)["moves"]


@pytest.mark.slow
def test_what_is_done_without_asking_in_tiefenthal_is_told_too() -> None:
    lines = run("tiefenthal", "--seats", 2, "--agents", "uniform", "--set", "game.rounds=2").stdout.splitlines()
    assert "1. player_0 (uniform) is asked to take a white die: " in "\n".join(lines)
    told = [line for line in lines if line.startswith("      ")]
    assert any("coaster" in line for line in told)
    assert not any(line.endswith("is asked to take a white die") for line in told)  # the next move says so
    assert any(line.endswith("is asked to place a die (a 6)") for line in told)
    assert len([line for line in lines if line.startswith("round ")]) == 3  # at the start, after the first round, at the end


@pytest.mark.slow
def test_agents_sit_in_turn_around_the_table_of_tavern_battle() -> None:
    found = data("tavern_battle", "--seats", 5, "--agents", "uniform,mine.py:Chatty")
    assert found["agents"] == ["uniform", "mine.py:Chatty"] * 2 + ["uniform"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ludo",), "game 'ludo'"),
        (("connect_four", "--agents", "uniform,uniform,uniform"), "3 agents"),
        (("connect_four", "--agents", "mine.py:Faulty"), "agent 'mine.py:Faulty': KeyError: 'nothing'"),
        (("connect_four", "--agents", "mine.py:Illegal"), "column g is full"),
        (("bloody_inn", "--set", "start.cash=99"), "start.cash=99"),
    ],
)
def test_bad_input_gets_one_line(words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_ctrl_c_ends_it_and_json_holds_what_was_played() -> None:
    result = run("connect_four", "--agents", "mine.py:Interrupting,uniform")
    assert result.exit_code == 130
    assert result.stderr.endswith("alehouse: stopped after 4 moves\n")
    result = run("connect_four", "--agents", "mine.py:Interrupting,uniform", "--json")
    assert result.exit_code == 130
    assert len(json.loads(result.stdout)["moves"]) == 4


def test_into_a_pipe_that_is_closed_early() -> None:
    script = Path(sys.executable).with_name("alehouse")
    line = f"{script} watch connect_four --agents uniform --delay 0.1 | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Connect four: connect_four-2p, seed 0\n", "")
