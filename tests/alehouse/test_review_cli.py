"""`alehouse review`: what decisions cost in a game and in an arena; replays of an arena's games."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import alehouse
from alehouse.benchmarks.arena.store import Store
from alehouse.cli import app

MISSED = (0, 1, 0, 1, 0, 1, 6, 1)  # player_0 could win in column a and drops in column g; player_1 wins in column b


def run(*words: object) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A game of connect four in which a win was missed."""
    path = tmp_path / "game.json"
    alehouse.Replay.of("connect_four", 0, MISSED).save(path)
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the arena."""
    folder = tmp_path_factory.mktemp("arena") / "run"
    found = run("arena", "connect_four", "--agents", "heuristic,uniform", "--blocks", 8, "--out", folder)
    assert found.exit_code == 0, found.output
    return folder


def test_a_review_in_words(saved: Path) -> None:
    told = run("review", saved, "--plays", 40)
    assert told.exit_code == 0, told.output
    assert "7. player_0: 'Drop a disc into column g'. 'Drop a disc into column a' was better by 100.0" in told.stdout
    assert "player_1  100%" in told.stdout


def test_a_review_as_data(saved: Path) -> None:
    found = json.loads(run("review", saved, "--plays", 40, "--json").stdout)
    assert found["costliest"][0] | {"half": 0} == {"move": 7, "seat": 0, "action": "drop:g", "best": "drop:a", "loss": 1.0, "half": 0}
    one, two = found["players"]
    assert (one["mistakes"] >= 1, one["total"] > 0.5) == (
        True,
        True,
    )  # the missed win costs 1; by chance, others may seem to bring a little
    assert (one["decisions"], two["decisions"]) == (4, 4)
    assert one["loss"] == pytest.approx(one["total"] / 4)
    assert found["won"] == [0, 1]
    assert [row["source"] for row in found["luck"]] == ["all luck"]  # connect four has no luck
    assert found["luck"][0]["brought"] == [0, 0]


def test_agents_rate_the_answers_of_a_move(saved: Path) -> None:
    command = ("replay", saved, "--rate", 7, "--agents", "heuristic,uniform", "--plays", 20)
    found = json.loads(run(*command, "--json").stdout)
    assert (found["move"], found["seat"], list(found["ratings"])) == (7, 0, ["heuristic", "uniform"])
    first = found["ratings"]["uniform"][0]
    assert first == {"name": "drop:a", "words": "Drop a disc into column a", "value": 1.0, "error": 0.0, "visits": 20}
    assert "heuristic  Drop a disc into column a" in run(*command).stdout
    assert "--rate 9: " in run("replay", saved, "--rate", 9).stderr


def test_an_arena_is_reviewed(played: Path) -> None:
    found = json.loads(run("review", played, "--games", 12, "--plays", 16, "--json").stdout)
    assert found["games"] == 12
    heuristic, uniform = found["agents"]
    assert (heuristic["name"], uniform["name"]) == ("heuristic", "uniform")
    assert heuristic["lost"] < uniform["low"] <= uniform["lost"] <= uniform["high"]
    assert uniform["beyond_first"] == pytest.approx(uniform["lost"] - heuristic["lost"])
    assert uniform["beyond_low"] > 0 == heuristic["beyond_first"]
    told = run("review", played, "--games", 4, "--plays", 4).stdout
    assert "4 games of connect_four-2p" in told
    assert "beyond heuristic" in told


def test_a_game_of_an_arena_becomes_a_replay(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    assert run("arena", played, "--replay", "3,1", "--out", out).exit_code == 0
    table = alehouse.Replay.load(out).tables()
    games = Store(played, json.loads((played / "job.json").read_text())).holding(3)
    assert games is not None
    row = [k for k, block in enumerate(games.block) if block == 3][1]
    assert table.scores[0].tolist() == games.scores[row].tolist()
    assert run("arena", played, "--replay", "3,1").exit_code == 0
    assert (played / "replay-3-1.json").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--replay", "8,0"), "--replay 8,0: "),
        (("--replay", "3,2"), "rotations 0 to 1"),
        (("--replay", "3"), "BLOCK,ROTATION as two whole numbers"),
        ((), "--agents: say which agents play"),
    ],
)
def test_bad_input_for_a_replay_is_told_in_one_line(played: Path, words: tuple[object, ...], said: str) -> None:
    result = run("arena", played, *words)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert said in result.stderr


def test_agents_that_play_differently_now_are_told(played: Path, tmp_path: Path) -> None:
    note = json.loads((played / "job.json").read_text())
    other = tmp_path / "other"
    other.mkdir()
    (other / "job.json").write_text(json.dumps({**note, "agents": [{"name": "uniform", "digest": ""}] * 2}))
    for path in played.glob("blocks-*"):
        (other / path.name).write_bytes(path.read_bytes())
    results = [run("arena", other, "--replay", f"{block},0") for block in range(8)]
    assert any("play it differently now" in one.stderr for one in results)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "alehouse-arena-1", "agents": 3}'])
def test_a_folder_that_is_no_arena_is_told_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "job.json").write_text(text)
    for words in (("review", tmp_path), ("arena", tmp_path, "--replay", "0,0")):
        result = run(*words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "job.json" in result.stderr
    assert run("review", tmp_path / "nothing").exit_code == 2
