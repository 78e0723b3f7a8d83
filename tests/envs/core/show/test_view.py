"""Views of real games: plain data, a sentence and a thing for every answer, and pictures that are drawn at once."""

import dataclasses
import json
import time
from collections.abc import Iterator

import pytest

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.show.draw import draw
from alehouse.envs.games import GAMES, REFERENCE, game
from alehouse.skeleton.kegs import GAME as KEGS
from tests import toy

SPECS = [game(name) for name in (*GAMES, *REFERENCE)] + [KEGS]
MOST = 0.02  # seconds for a view and its picture


def richest(spec: Game) -> Variant:
    """Return the variant with most modules and seats."""
    return max(spec.variants(), key=lambda v: (len(v.modules), v.seats))


def positions(v: Variant, every: int) -> Iterator[Tables]:
    """Yield a table at some of the decisions of a game by lively players, and at its end."""
    t = Tables(v, n=1, seed=1, autoreset=False)
    while not t.over[0]:
        if t.states[0].asked % every == 0:
            yield t
        t.step(t.sample(lively=True))
    yield t


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_every_answer_is_a_sentence_and_has_its_thing_in_the_picture(spec: Game) -> None:
    for t in positions(richest(spec), 7):
        view = t.view(0, max(0, int(t.seat[0])))
        svg = draw(view)
        for option in view.options:
            assert option.words[0].isupper() or option.words[0].isdigit()
            assert not set("_{}") & set(option.words.replace("player_", ""))
            assert not option.thing or f'data-thing="{option.thing}"' in svg, option
        assert len({option.words for option in view.options}) == len(view.options), [option.words for option in view.options]


@pytest.mark.parametrize("name", GAMES)
def test_a_view_is_plain_data(name: str) -> None:
    for t in positions(richest(game(name)), 40):
        for seat in (None, 0, 1):
            json.dumps(dataclasses.asdict(t.view(0, seat)))


@pytest.mark.parametrize("name", GAMES)
def test_a_view_and_its_picture_take_no_time(name: str) -> None:
    for t in positions(richest(game(name)), 60):
        taken = []
        for _ in range(5):
            start = time.process_time()
            t.svg(0, 0)
            taken.append(time.process_time() - start)
        assert min(taken) < MOST


def test_only_the_seat_that_is_asked_gets_answers() -> None:
    t = Tables("connect_four", n=1)
    assert [option.name for option in t.view(0, 0).options] == [f"drop:{c}" for c in "abcdefg"]
    assert t.view(0, 1).options == ()
    assert len(t.view(0).options) == 7
    asked = t.view(0, 1).asked
    assert asked is not None
    assert asked.seat == 0


def test_relative_seats_are_told_by_their_number() -> None:
    t = Tables("tavern_battle-4p", n=1, seed=2)
    found = set()
    while not t.over[0]:
        asker = int(t.seat[0])
        for option in t.view(0).options:
            if option.name.startswith("seat:left"):
                seat = (asker + int(option.name[-1])) % 4
                found.add(option.thing)
                assert option.thing == f"seat:{seat}"
                assert str(seat) in option.words
        t.step(t.sample(lively=True))
    assert found


def test_points_are_told_at_the_end_only() -> None:
    t = Tables("connect_four", n=1, autoreset=False)
    for column in (0, 1, 0, 1, 0, 1):
        t.step([column])
        assert t.view(0).scores == ()
    t.step([0])
    assert t.view(0).scores == (1, 0)


def test_a_game_that_declares_no_view_is_drawn_in_words() -> None:
    t = Tables(toy.GAME.variant(), n=1)
    view = t.view(0, 0)
    assert view.table == t.text(0, 0)
    svg = draw(view)
    assert "token" in svg
    assert all(f'data-action="{option.action}"' in svg for option in view.options)
    assert view.options[0].words == view.options[0].words.capitalize()


def test_tables_and_replays_show_their_picture_in_notebooks() -> None:
    t = Tables("connect_four", n=1, autoreset=False)
    t.step([3])
    assert t._repr_svg_() == t.svg(0)
    assert t.replay(0)._repr_svg_() == t.svg(0)
