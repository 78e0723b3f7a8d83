"""`alehouse puzzle`: positions are found in play, proven, solved by agents and at the terminal."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from alehouse.agents import heuristic
from alehouse.benchmarks.review.decisions import Course
from alehouse.benchmarks.review.puzzles import MARGIN, Puzzle, puzzle_at
from alehouse.cli import app
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.games import game

FOUR = game("connect_four")
MISSED = (0, 1, 0, 1, 0, 1, 6)  # player_0 could win in column a and drops in column g


def run(*words: object, typed: str = "") -> Result:
    """The command, in this process."""
    return CliRunner().invoke(app, ["puzzle", *(str(word) for word in words)], input=typed)


@pytest.fixture(scope="module")
def one() -> Puzzle:
    """The puzzle to win in column a, which those who drop in column g miss."""
    replay = Replay.of("connect_four", 0, MISSED)
    found = puzzle_at(replay, Course.of(replay), 6, heuristic(FOUR), [], [6], 200, 5, 1)
    assert found is not None
    return found


@pytest.fixture
def folder(one: Puzzle, tmp_path: Path) -> Path:
    """A folder with that puzzle."""
    one.save(tmp_path / "one.json")
    return tmp_path


def test_a_missed_win_is_a_puzzle(one: Puzzle, folder: Path) -> None:
    assert (one.best, one.answers["drop:a"][0], len(one.answers), one.actions) == ("drop:a", 1.0, 7, MISSED[:6])
    assert one.ahead >= MARGIN
    assert one.plays == 200
    halves = one.answers["drop:b"][0] * 400
    assert halves == pytest.approx(round(halves), abs=1e-6)  # wins and draws of 200 plays
    assert Puzzle.load(folder / "one.json") == one


def test_no_puzzle_where_the_answer_was_found_or_nothing_stands_out() -> None:
    replay = Replay.of("connect_four", 0, MISSED)
    assert puzzle_at(replay, Course.of(replay), 6, heuristic(FOUR), [], [0], 200, 5, 1) is None
    assert puzzle_at(replay, Course.of(replay), 0, heuristic(FOUR), [], [6], 200, 5, 1) is None


def test_agents_solve_it(folder: Path) -> None:
    found = json.loads(run("connect_four", "--dir", folder, "--agents", "heuristic,uniform", "--json").stdout)
    assert found[0] == {"agent": "heuristic", "solved": 1, "puzzles": 1}
    assert "heuristic       1   1" in run("connect_four", "--dir", folder, "--agents", "heuristic").stdout


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1\n", ["Right.", "1 of 1 solved"]),
        ("drop:a\n", ["Right."]),
        ("8\nhm\n2\n", ["8: a number from 1 to 7", "hm: a number from 1 to 7", "another one", "0 of 1 solved"]),
        ("\n", ["another one", "100.0%"]),
        ("", ["0 of 0 solved"]),
    ],
)
def test_a_person_solves_it(folder: Path, typed: str, said: list[str]) -> None:
    result = run("connect_four", "--dir", folder, typed=typed)
    assert result.exit_code == 0, result.output
    assert all(words in result.stdout for words in said), result.stdout
    assert "player_0 to drop" in result.stdout


def test_puzzles_are_found_in_play(tmp_path: Path) -> None:
    told = run("connect_four", "--mine", 4, "--plays", 100, "--dir", tmp_path)
    assert told.exit_code == 0, told.output
    found = [Puzzle.load(path) for path in tmp_path.glob("*.json")]
    assert told.stdout.startswith(f"{len(found)} puzzles in 4 games")
    assert found
    assert all(one.missed == ("heuristic",) and one.ahead >= MARGIN for one in found)
    assert json.loads(run("connect_four", "--dir", tmp_path, "--agents", "heuristic", "--json").stdout)[0]["solved"] == 0


@pytest.mark.parametrize(
    "change",
    [
        {"best": "drop:z"},
        {"rules": "0"},
        {"actions": [9]},
        {"actions": None},
        {"format": "x"},
        {"more": 1},
        {"answers": {}},
        {"answers": {"drop:a": [10**400, 0]}},
        {"seed": 1.5},
        {"seed": "1"},
        {"ahead": []},
    ],
)
def test_a_bad_file_is_told_in_one_line(folder: Path, change: dict[str, object]) -> None:
    path = folder / "one.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    result = run("connect_four", "--dir", folder)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "one.json" in result.stderr


def test_without_puzzles_one_line_says_how_to_find_some(tmp_path: Path, folder: Path) -> None:
    result = run("connect_four", "--dir", tmp_path / "none")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "--mine 20" in result.stderr
    assert "not of kuhn_poker" in run("kuhn_poker", "--dir", folder).stderr
