"""Kept positions with the values of all answers: what agents' decisions lose, without the optimism of choosing the best."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from alehouse.agents import Context, heuristic
from alehouse.agents.agent import Masks, Moves, Observations
from alehouse.agents.network_file import SHIPPED
from alehouse.benchmarks import kept_decisions
from alehouse.benchmarks.kept_decisions import (
    Kept,
    answers,
    begin,
    best,
    gain,
    kept_of,
    loss,
    main,
    more,
    positions,
    read,
    standing,
    values,
    write,
)
from alehouse.cli import app
from alehouse.envs.games import game

FOUR = game("connect_four")
BY = heuristic(FOUR)
WINS = [0, 1, 0, 1, 0, 1]  # player_0 wins in column a now, and player_1 would win in column b


class Stubborn:
    """An agent that always gives one answer."""

    name = "stubborn"

    def __init__(self, action: int) -> None:
        self.action = action

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        return np.full(len(obs), self.action)


def test_the_value_of_an_answer_is_the_share_of_the_win_it_brings() -> None:
    tables = standing(["connect_four-2p"], [0], [WINS])
    for half in values(tables, 6, BY, 1):
        [found] = half
        assert len(found) == 7
        assert found[0] == 1.0  # four in a line
        assert found[2] == 0.0  # the other wins in column b


def kept(first: list[list[float]], second: list[list[float]]) -> Kept:
    """Return these values of the position that one answer wins."""
    return Kept("heuristic", "", 4, ("connect_four-2p",), [WINS] * len(first), first, second)


def test_the_best_answer_of_one_half_is_compared_in_the_other() -> None:
    one = kept([[0.5, 0.8, 0.1, 0, 0, 0, 0]], [[0.6, 0.2, 0.3, 0, 0, 0, 0]])
    a, b, c = (answers(one, Stubborn(k)) for k in range(3))
    assert loss(one, a).mean == pytest.approx(((0.2 - 0.6) + (0.5 - 0.5)) / 2)
    assert loss(one, c).mean == pytest.approx(((0.2 - 0.3) + (0.5 - 0.1)) / 2)
    assert (best(one, a), best(one, b)) == (1.0, 0.0)
    assert gain(one, a, c).mean == pytest.approx((0.5 + 0.6 - 0.1 - 0.3) / 2)


def test_the_interval_is_of_the_mean_over_positions() -> None:
    worth = [[1.0, 0, 0, 0, 0, 0, 0], [0, 1.0, 0, 0, 0, 0, 0]]
    two = kept(worth, worth)
    chosen = answers(two, Stubborn(0))
    assert (loss(two, chosen).mean, best(two, chosen)) == (0.5, 0.5)
    assert loss(two, chosen).half_width == pytest.approx(1.96 * np.std([0, 1], ddof=1) / np.sqrt(2), rel=1e-3)
    assert gain(two, chosen, chosen) == (0.0, 0.0)


def test_positions_are_those_of_their_games_and_leave_a_choice() -> None:
    led = positions(["connect_four-2p"] * 6, range(6))
    assert led[2:4] == positions(["connect_four-2p"] * 2, range(2, 4))
    assert len({tuple(actions) for actions in led}) > 1
    assert (standing(["connect_four-2p"] * 6, range(6), led).mask.sum(axis=1) > 1).all()


def test_a_file_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "connect_four.npz"
    write(more(begin(BY, "", 4), 2, BY, 1), path)
    write(more(read(path), 2, BY, 1), path)
    write(more(begin(BY, "", 4), 4, BY, 1), tmp_path / "at_once.npz")
    assert path.read_bytes() == (tmp_path / "at_once.npz").read_bytes()


def test_an_agent_with_other_numbers_does_not_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kept_decisions, "FOLDER", tmp_path)
    write(more(begin(BY, "other numbers", 2), 1, BY, 1), tmp_path / "connect_four.npz")
    data = (tmp_path / "connect_four.npz").read_bytes()
    assert main(["connect_four", "--by", "heuristic", "--redeals", "2"]) == 2
    assert "made by another heuristic than this one" in capsys.readouterr().err
    assert (tmp_path / "connect_four.npz").read_bytes() == data


def test_a_digest_tells_networks_apart_by_their_numbers_alone(tmp_path: Path) -> None:
    data = (SHIPPED / "tavern_battle.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    head = json.loads(data[8 : 8 + size])
    head["__metadata__"]["results"] = "measured again"
    text = json.dumps(head).encode()
    (tmp_path / "again").write_bytes(len(text).to_bytes(8, "little") + text + data[8 + size :])
    (tmp_path / "other").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    shipped, again, other = (
        kept_decisions.numbers_of(p) for p in (SHIPPED / "tavern_battle.safetensors", tmp_path / "again", tmp_path / "other")
    )
    assert shipped == again != other


def test_bad_files_and_names_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(kept_decisions, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="no decisions of connect_four are kept"):
        kept_of(FOUR)
    (tmp_path / "connect_four.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="not a file of kept decisions"):
        kept_of(FOUR)
    half = [[0.5] * 7]
    write(Kept("heuristic", "", 4, ("connect_four-2p",), [[0], [0]], half, half), tmp_path / "connect_four.npz")
    with pytest.raises(ValueError, match="do not fit together"):
        kept_of(FOUR)
    for wrong in ([[0.5]], [[]]):
        with pytest.raises(ValueError, match="do not have a value for each answer"):
            answers(kept(wrong, wrong), BY)
    assert main(["connect_four", "--by", "search:none"]) == 2
    assert "one of net, net:FILE, heuristic, search:N" in capsys.readouterr().err


def test_the_command_line_says_what_each_agent_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_decisions, "FOLDER", tmp_path)
    worth = [[1.0, 0, 0, 0, 0, 0, 0]]
    write(kept(worth, worth), tmp_path / "connect_four.npz")
    (tmp_path / "g.py").write_text("class Last:\n    def act(self, obs, mask):\n        return 6\n")
    words = ["bench", "--games", "connect_four", "--decisions", f"heuristic,{tmp_path / 'g.py'}:Last"]
    found = CliRunner().invoke(app, [*words, "--json"])
    assert found.exit_code == 0, found.output
    first, second = json.loads(found.stdout)["rows"]
    assert (first["agent"], first["lost"], first["best"]) == ("heuristic", 0.0, 1.0)
    assert (second["lost"], second["gain"], second["best"], second["positions"], second["by"]) == (1.0, -1.0, 0.0, 1, "heuristic")
    assert "less of the win" in CliRunner().invoke(app, words).stdout
    assert CliRunner().invoke(app, [*words, "--peers"]).exit_code == 2
