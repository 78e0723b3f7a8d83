"""Measuring a network for shipping: the figures of every variant, in the file's header, also after a stop."""

import json

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")

from alehouse.agents import UNIFORM, heuristic
from alehouse.agents.network import of_record
from alehouse.agents.network_file import names_of, packed, read_net, shapes, tensors_of
from alehouse.envs.games import game
from alehouse.training import ship
from alehouse.training.measure import measure
from alehouse.training.network import write_net
from tests import toy

VARIANTS = [toy.GAME.variant(2), toy.GAME.variant(3, ["spice"])]


@pytest.fixture
def file(tmp_path):
    """A network of the toy with weights at random."""
    rng = np.random.default_rng(0)
    record = packed(toy.GAME, {name: rng.normal(size=shape) for name, shape in shapes(names_of(toy.GAME), 8).items()})
    write_net(tmp_path / "net.safetensors", toy.GAME, record, "alehouse train toy", {"samples": 7, "toy-2p": {"won": 2}})
    return tmp_path / "net.safetensors"


@pytest.mark.slow
def test_figures_are_those_of_measuring_and_stand_in_the_header(file, tmp_path):
    found = dict(ship.figures(ship.Job(file, VARIANTS, 30, 5), tmp_path / "run"))
    for v in VARIANTS:
        one = measure(v, of_record(toy.GAME, read_net(file, toy.GAME)[0]), UNIFORM, 30, seed=5)
        assert found[str(v)] == {
            "against": "uniform", "games": 30 * v.seats, "seeds": 30, "seed": 5, "won": round(one.won, 4), "half": round(one.half, 4),
            "rules": v.rules_digest,
        }  # fmt: skip
        assert 0 < one.won < 1
    before = tensors_of(file.read_bytes())[1]
    for command in ("alehouse train toy --ship", "alehouse train toy --ship --seed 5", "alehouse train toy --ship"):
        ship.add_figures(file, found, command)
    words, after = tensors_of(file.read_bytes())
    assert json.loads(words["results"]) == {"samples": 7, **found}
    assert words["command"] == "alehouse train toy"
    assert words["measured"] == "alehouse train toy --ship; alehouse train toy --ship --seed 5"
    assert before.keys() == after.keys()
    assert all((before[name] == after[name]).all() for name in before)


def test_a_stopped_measurement_goes_on_and_another_question_begins_its_own(file, tmp_path, monkeypatch):
    whole = list(ship.figures(ship.Job(file, VARIANTS, 10, 5), tmp_path / "whole"))
    begun = ship.figures(ship.Job(file, VARIANTS, 10, 5), tmp_path / "part")
    assert next(begun) == whole[0]
    begun.close()
    asked = []

    def counted(v, *args):
        asked.append(str(v))
        return measure(v, *args)

    monkeypatch.setattr(ship, "measure", counted)
    assert list(ship.figures(ship.Job(file, VARIANTS, 10, 5), tmp_path / "part")) == whole
    assert asked == [str(VARIANTS[1])]
    for other in (ship.Job(file, VARIANTS, 11, 5), ship.Job(file, VARIANTS, 10, 6), ship.Job(file, VARIANTS[:1], 10, 5)):
        asked.clear()
        assert len(dict(ship.figures(other, tmp_path / "part"))) == len(asked) == len(other.variants)
    write_net(file, toy.GAME, packed(toy.GAME, {"first_bias": np.ones(8)}))
    asked.clear()
    list(ship.figures(ship.Job(file, VARIANTS, 10, 5), tmp_path / "part"))
    assert len(asked) == 2  # it is another network


def test_a_network_is_measured_against_the_heuristic_if_there_is_one():
    assert ship.opponent(game("kuhn_poker")).name == heuristic(game("kuhn_poker")).name == "heuristic"
    assert ship.opponent(toy.GAME) is UNIFORM
