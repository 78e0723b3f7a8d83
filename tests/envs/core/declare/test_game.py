"""The declaration of a game is checked, and a game is found by its name."""

import dataclasses
import importlib

import numpy as np
import pytest

from alehouse.envs.core.declare.offers import Family, Offers
from alehouse.envs.core.run.luck import SEATING
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import GAMES, game
from tests import toy


@pytest.mark.parametrize("name", GAMES)
def test_streams_are_named_by_their_numbers(name: str) -> None:
    layout = importlib.import_module(f"{game(name).module}.layout")
    streams = game(name).streams
    assert [getattr(layout, stream.upper()) for stream in streams] == list(range(len(streams)))
    assert len(streams) < SEATING


@pytest.mark.parametrize("name", GAMES)
def test_progress(name: str) -> None:
    spec = game(name)
    t = Tables(name, n=20, autoreset=False)
    before = np.array([spec.clock(s) for s in t.states])
    assert (before <= 1).all()
    assert {spec.first(s) for s in t.states} == set(range(t.variants[0].seats))
    full = {spec.supplies.held(s) for s in t.states}
    assert max(full) < 1 << len(spec.supplies.names)
    while not t.over.all():
        t.step(t.sample())
        now = np.array([spec.clock(s) for s in t.states])
        assert (now >= before).all()
        before = now
    assert (before > 2).all()


def test_a_game_needs_none_of_it() -> None:
    s = Tables(toy.GAME.variant(), n=1).states[0]
    assert (toy.GAME.clock(s), toy.GAME.deals(s), toy.GAME.first(s), toy.GAME.supplies.held(s)) == (0, 0, 0, 0)
    assert (toy.GAME.supplies.names, toy.GAME.offers.families, toy.GAME.streams) == ((), (), ())


def test_items_belong_to_a_question() -> None:
    with pytest.raises(ValueError, match="tiefenthal: items 'beers': no question 'drink'"):
        dataclasses.replace(game("tiefenthal"), offers=Offers((Family("beers", ("stout",), "drink"),)))
