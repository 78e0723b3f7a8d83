"""The declaration of a game is checked, and a game is found by its name."""

import dataclasses
import importlib

import numpy as np
import pytest

from alehouse.envs.core.declare.offers import Family, Offers
from alehouse.envs.core.run.luck import SEATING
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.case import CLOCK, FIRST, on_top, progress
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
    assert (before == 0).all()
    assert {spec.first(s) for s in t.states} == set(range(t.variants[0].seats))
    full = {spec.supplies.held(s) for s in t.states}
    assert max(full) < 1 << len(spec.supplies.names)
    while not t.over.all():
        t.step(t.sample())
        now = np.array([spec.clock(s) for s in t.states])
        assert (now >= before).all()
        before = now
    assert (before > 2).all()


SET_UP = {  # questions asked before turns begin
    "bloody_inn": ("draft",),
    "tavern_battle": (),
    "taverns_dragons": ("board", "mission"),
    "tiefenthal": ("start", "dismiss", "accept"),
}


@pytest.mark.parametrize("name", GAMES)
def test_the_first_player_is_the_first_whose_turn_it_is(name: str) -> None:
    spec = game(name)
    assert spec.questions is not None
    set_up = [spec.questions.number(question.upper()) for question in SET_UP[name]]
    for v in (v for v in spec.variants() if v.seats > 1):
        t = Tables(v, n=8, autoreset=False)
        while (begun := np.isin(on_top(t), set_up)).any():
            assert (progress(t)[begun][:, [CLOCK, FIRST]] == (0, -1)).all(), v
            t.step(t.sample()[begun], np.flatnonzero(begun))
        assert (progress(t)[:, CLOCK] == 0).all(), v
        assert (progress(t)[:, FIRST] == t.seat).all(), v


def test_a_game_needs_none_of_it() -> None:
    s = Tables(toy.GAME.variant(), n=1).states[0]
    assert (toy.GAME.clock(s), toy.GAME.deals(s), toy.GAME.first(s), toy.GAME.supplies.held(s)) == (0, 0, 0, 0)
    assert (toy.GAME.supplies.names, toy.GAME.offers.families) == ((), ())


def test_items_belong_to_a_question() -> None:
    with pytest.raises(ValueError, match="tiefenthal: items 'beers': no question 'drink'"):
        dataclasses.replace(game("tiefenthal"), offers=Offers((Family("beers", ("stout",), "drink"),)))
