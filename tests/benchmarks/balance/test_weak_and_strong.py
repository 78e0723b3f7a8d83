"""The balance lab with weak and strong agents, and with agents that decide outside numba."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from alehouse.agents import Agent, heuristic, rollout
from alehouse.agents.ladder import greedy
from alehouse.agents.whole_games import line_of
from alehouse.benchmarks.balance import weak_and_strong
from alehouse.benchmarks.balance.design import MAIN, factorial
from alehouse.benchmarks.balance.effects import EffectEstimate
from alehouse.benchmarks.balance.play import block_seeds, play, play_quick, play_records, record_actions
from alehouse.benchmarks.balance.study import Finding, Job, chunk_size
from alehouse.cli import app
from alehouse.envs.games import game
from tests.nets import drawn_net

INN, FOUR = game("bloody_inn"), game("connect_four")


@pytest.mark.slow
@pytest.mark.parametrize("agent", [heuristic(INN), drawn_net(INN)], ids=lambda agent: agent.name)
def test_games_asked_from_python_are_seen_as_whole_games_are(agent: Agent) -> None:
    cells = [INN.variant(2, [], "short"), INN.variant(3, [m.name for m in INN.modules], "long")]
    seeds, rule, line = np.repeat(block_seeds(3, 0, 6), 2), np.tile([0, 1], 6), line_of([agent], INN)
    assert line is not None
    whole = play_quick(cells, rule, np.zeros((12, 3), np.int8), line, seeds, 1)
    asked = play_records(cells, rule, record_actions(cells, rule, agent, seeds, 2), seeds)
    assert whole.seen.any()
    for one, two in zip(whole, asked, strict=True):
        assert np.array_equal(one, two)


def test_a_searching_agent_plays_a_block_as_it_plays_its_games_alone() -> None:
    cells, agent = [FOUR.variant()], rollout(FOUR, 4)
    many = play(cells, agent, block_seeds(1, 0, 6), threads=2)
    alone = [play(cells, agent, block_seeds(1, k, k + 1)) for k in range(6)]
    assert np.array_equal(many.seen, np.concatenate([one.seen for one in alone]))
    assert np.array_equal(many.tally, np.sum([one.tally for one in alone], axis=0))
    design = factorial(FOUR, [], [2], FOUR.lengths)
    assert chunk_size(Job(design.cells, agent, 0)) < chunk_size(Job(design.cells, greedy(FOUR), 0))


@pytest.mark.slow
def test_a_searching_agent_is_a_tier_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["balance", "connect_four", "--agents", "greedy,rollout:4", "--blocks", "30", "--json", "--out"]
    first = CliRunner().invoke(app, [*words, "one", "--threads", "1"])
    assert first.exit_code == 0, first.output
    data = json.loads(first.stdout)
    assert data["games"] == 60
    assert {row["agents"] for row in data["seats"]} == {"greedy", "rollout:4"}
    assert CliRunner().invoke(app, [*words, "two", "--threads", "2"]).exit_code == 0
    for path in sorted((tmp_path / "one").glob("*.npz")):
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    assert len(list((tmp_path / "one").glob("agent1-*.npz"))) == 1


def finding(agent: str, *rows: tuple[str, float, float, bool]) -> Finding:
    """A finding with some main effects on the score: name, estimate, half its interval, whether it is sure."""
    found = [EffectEstimate(n, MAIN, "score", "points", e, e - h, e + h, h, 0.001 if sure else 0.9) for n, e, h, sure in rows]
    nothing = np.zeros((1, 1))
    return Finding(agent, 100, 100, nothing, nothing, found, [], [], [], {}, [])


def test_where_weak_and_strong_play_disagree() -> None:
    weak = finding("greedy", ("+a", 5, 1, True), ("+b", 5, 1, True), ("+c", 5, 1, True), ("+d", 0, 1, False), ("+e", 3, 1, True))
    strong = finding("rollout:50", ("+a", 4, 1, True), ("+b", -5, 1, True), ("+c", 0, 1, False), ("+d", 9, 1, True), ("+e", 2, 3, False))
    assert weak_and_strong.ends([strong, weak]) == (weak, strong)
    shown = {pair.weak.effect: pair.shown for pair in weak_and_strong.pairs(weak, strong)}
    assert shown == {
        "+a": weak_and_strong.SAME,
        "+b": weak_and_strong.OPPOSITE,
        "+c": weak_and_strong.WEAK,
        "+d": weak_and_strong.STRONG,
        "+e": weak_and_strong.OPEN,
    }
    said = weak_and_strong.sentences(weak, strong)
    assert "both show 1 in the same direction and 1 in opposite ones; 1 show in weak play alone, which is a matter of learning" in said[0]
    assert said[1] == "They disagree most on +b: score +5 points with greedy, -5 with rollout:50."
    assert weak_and_strong.sentences(finding("greedy", ("+a", 0, 1, False)), finding("heuristic", ("+a", 0, 1, False))) == [
        "Neither weak (greedy) nor strong play (heuristic) shows a main effect beyond chance."
    ]
