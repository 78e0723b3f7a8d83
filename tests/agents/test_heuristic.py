"""Heuristics: their weights as data, what they may know, and how well they play."""

import dataclasses

import numpy as np
import pytest

from alehouse.agents import UNIFORM, ask, greedy, heuristic, play_line
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import GAMES, REFERENCE, game
from tests import toy

KNOWN = [name for name in GAMES + REFERENCE if heuristic_of(game(name)) is not None]
EVERYTHING = "bloody_inn-4p-carnies+events+notables+objects-long"
KUHN = -1 / 18


def one_against(v, one, others, blocks):
    """Scores and rank utilities of one agent in each seat in turn among copies of another, a row a block."""
    spec = game(v.split("-")[0])
    seats = spec.parse(v).seats
    mine = np.tile(np.arange(seats), blocks)
    seating = (np.arange(seats) != mine[:, None]).astype(int)
    played = play_line(v, [one, others], seating, np.repeat(np.arange(blocks), seats))
    row = np.arange(mine.size)
    return played.scores[row, mine].reshape(blocks, seats), played.utility[row, mine].reshape(blocks, seats)


def wins(v, one, others, blocks):
    """Each block's share of wins of one agent among copies of another; no game here is a tie but by points alone."""
    _, utility = one_against(v, one, others, blocks)
    return (utility == 1).mean(axis=1)


# Weights


FILE = """made = "by hand"

[weights]
card = { value = 2.5, range = [0, 5], note = "a card" }
temper = { value = 1, range = [0, 5], fixed = true }

[kin]
bribe = { value = 1, range = [0, 2] }
kill = { value = 2, range = [0, 2] }
"""


@pytest.fixture
def weights(tmp_path):
    path = tmp_path / "some.toml"
    path.write_text(FILE)
    return Weights.load(path, kin=("bribe", "kill"))


def test_weights_are_a_record_and_a_vector(weights):
    record = weights.record({"card": 3, "kin.kill": 0.5})[0]
    assert (record.card, record.temper, record.kin.tolist()) == (3, 1, [1, 0.5])
    assert weights.vector().tolist() == [2.5, 1, 1, 2]
    assert weights.packed(np.array([1.0, 2, 3, 4]))[0].kin.tolist() == [3, 4]


def test_what_is_tuned_can_be_chosen(weights):
    assert weights.chosen().tolist() == [0, 2, 3]
    assert weights.chosen(["kin"]).tolist() == [2, 3]
    assert weights.chosen(["temper", "kin.kill"]).tolist() == [1, 3]
    with pytest.raises(ValueError, match="'cards'"):
        weights.chosen(["cards"])


def test_a_file_can_be_written_with_other_values(weights, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(weights.text(np.array([1.0, 1, 0.25, 2]), "a command"))
    again = Weights.load(other, kin=("bribe", "kill"))
    assert again.made == "a command"
    assert [dataclasses.replace(w, value=0) for w in again.entries] == [dataclasses.replace(w, value=0) for w in weights.entries]
    assert weights.changed(other) == {"card": 1, "temper": 1, "kin.bribe": 0.25, "kin.kill": 2}


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [("value = 2.5", "value = 9", "from 0 to 5"), ("bribe =", "build =", r"\[kin\] must name"), ("[kin]", "[kind]", r"\[kind\] must name")],
)
def test_bad_files_are_told(tmp_path, old, new, match):
    path = tmp_path / "bad.toml"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(ValueError, match=match):
        Weights.load(path, kin=("bribe", "kill"))


def test_a_heuristic_may_be_given_other_weights(tmp_path):
    spec = game("kuhn_poker")
    assert heuristic(spec, {"call.king": 0}).weights[0].call.tolist()[2] == 0
    path = tmp_path / "mine.toml"
    path.write_text("[call]\nking = { value = 0.25 }\n")
    assert heuristic(spec, path).weights[0].call.tolist()[2] == 0.25
    with pytest.raises(ValueError, match="'call.ace'"):
        heuristic(spec, {"call.ace": 1})
    path.write_text("call = 1\n")
    with pytest.raises(ValueError, match="not a file of weights"):
        heuristic(spec, path)


def test_a_game_without_a_heuristic_says_so():
    with pytest.raises(ValueError, match="none for toy"):
        heuristic(toy.GAME)


@pytest.mark.parametrize("name", KNOWN)
def test_every_weight_is_in_its_range_and_used(name):
    known = heuristic_of(game(name))
    assert known.weights.made
    assert all(w.low <= w.value <= w.high for w in known.weights.entries)
    assert "temper" in known.weights.dtype.names


# What it may know


def ratings(tables, keys):
    """What the heuristic makes of every legal action, and of the table, at every table."""
    known = heuristic_of(tables.game)
    W = known.weights.record()[0]
    found = []
    for i in np.flatnonzero(~tables.over):
        s, R = tables.states[i], tables.rules[tables.rule[i]]
        mind = known.think(s, R, W, keys[i])
        expected = np.zeros(8)
        known.evaluate(s, R, W, expected)
        found.append([known.rate(s, R, W, mind, a) for a in np.flatnonzero(tables.mask[i])] + expected.tolist())
    return found


@pytest.mark.parametrize("v", [EVERYTHING, "bloody_inn-2p-objects", "kuhn_poker-2p"])
def test_it_rates_alike_what_its_seat_can_not_tell_apart(v):
    tables, keys = Tables(v, n=12, seed=4, autoreset=False), np.arange(12, dtype=np.uint64)
    player = heuristic(tables.game)
    for step in range(240):
        if step % 12 == 0 and not tables.over.all():
            seats = np.maximum(tables.seat, 0)
            for key in (1, 2):
                assert ratings(tables.determinize(seats, key), keys) == ratings(tables, keys)
        live = np.flatnonzero(~tables.over)
        tables.step(ask(player if step % 2 else UNIFORM, tables, live), live)


def test_the_leak_test_sees_a_leak(monkeypatch):
    spec = game("kuhn_poker")
    honest = heuristic_of(spec)
    cheat = honest._replace(rate=lambda s, R, W, mind, a: float(s.card[1 - s.turn]))
    monkeypatch.setattr("tests.agents.test_heuristic.heuristic_of", lambda _: cheat)
    tables, keys = Tables("kuhn_poker", n=12), np.arange(12, dtype=np.uint64)
    assert any(ratings(tables.determinize(0, key), keys) != ratings(tables, keys) for key in range(5))


# How it plays


def test_kuhn_poker_by_equilibrium_is_worth_what_it_is_worth():
    n = 40_000
    played = play_line("kuhn_poker", [heuristic(game("kuhn_poker"))], np.zeros((n, 2), int), np.arange(n))
    first = played.scores[:, 0]
    assert abs(first.mean() - KUHN) < 4 * first.std() / np.sqrt(n)


def test_connect_four_against_uniform_and_greed():
    player = heuristic(game("connect_four"))
    for other in (UNIFORM, greedy(game("connect_four"))):
        assert wins("connect_four-2p", player, other, 200).mean() > 0.9


def test_greed_does_not_beat_equilibrium():
    scores, _ = one_against("kuhn_poker", greedy(game("kuhn_poker")), heuristic(game("kuhn_poker")), 20_000)
    assert scores.mean() < 4 * scores.std() / np.sqrt(scores.size)


@pytest.mark.parametrize("v", ["bloody_inn-4p", "bloody_inn-4p-long", EVERYTHING])
def test_the_bloody_inn_against_uniform(v):
    found = wins(v, heuristic(game("bloody_inn")), UNIFORM, 250)
    assert found.mean() - 4 * found.std() / np.sqrt(250) > 0.85


@pytest.mark.parametrize("v", [f"{name}-{seats}p" for name in GAMES for seats in game(name).seats if seats > 1])
def test_copies_of_itself_share_every_block(v):
    """One seed from every seat: the same game each time, in which each seat is the one agent's once."""
    spec = game(v.split("-")[0])
    _, utility = one_against(v, heuristic(spec), heuristic(spec, name="twin"), 100)
    assert np.allclose(utility.mean(axis=1), 0, atol=1e-6)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_seat_of_the_bloody_inn_is_favoured_much(seats):
    played = play_line(f"bloody_inn-{seats}p", [heuristic(game("bloody_inn"))], np.zeros((1200, seats), int), np.arange(1200))
    share = (played.utility == 1).mean(axis=0)
    assert (abs(share - 1 / seats) < 0.1).all()
