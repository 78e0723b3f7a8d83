"""Games that stand out in a study: the right ones, with replays that go as the study played them."""

from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from alehouse.agents import heuristic
from alehouse.benchmarks.balance.examples import EACH, SHOWN, examples, replay_of
from alehouse.benchmarks.balance.measures import MEASURES, NAMES, measured
from alehouse.benchmarks.balance.play import block_seeds, play
from alehouse.cli import app
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.games import variant


def test_the_games_that_stand_out_are_found() -> None:
    values = np.zeros((4, 2, len(MEASURES)))
    column = NAMES.index("spread")
    values[3, 1, column], values[0, 1, column], values[2, 0, column], values[1, 1, column] = 9, 7, 8, 1
    found = [one for one in examples(values, 1) if one.measure == "spread"]
    assert [(one.block, one.cell, one.value) for one in found] == [(3, 1, 9), (2, 0, 8), (0, 1, 7)]
    assert found[0].file == "replays/agent1-spread-1.json"


def test_a_replay_is_the_game_that_was_played() -> None:
    v = variant("kuhn_poker")
    seeds, agent = block_seeds(5, 0, 20), heuristic(v.spec)
    played = play([v], agent, seeds)
    replays = [replay_of(v, agent, int(seed)) for seed in seeds]
    assert [replay.tables().scores[0].tolist() for replay in replays] == played.scores[:, 0].tolist()
    longest = next(one for one in examples(measured(played, [v]), 0) if one.measure == "length")
    assert len(replays[longest.block].actions) == longest.value == max(len(replay.actions) for replay in replays)


def test_a_report_links_to_them(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["balance", "kuhn_poker", "--blocks", "40", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    page = (tmp_path / "report.html").read_text()
    files = sorted((tmp_path / "replays").iterdir())
    assert len(files) == EACH * len(SHOWN)
    for path in files:
        assert f"href='replays/{path.name}'" in page
        Replay.load(path)
