"""Variants, given by their parts or by their ids."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alehouse.envs.games import GAMES, REFERENCE, game, variant, variants
from tests import toy

GAME = toy.GAME
EVERY = [*GAMES, *REFERENCE]
KEYS = sorted(GAME.numbers)
VALUES = {
    key: entry.allowed if isinstance(entry.value, str) else range(entry.allowed[0], entry.allowed[1] + 1)
    for key, entry in GAME.numbers.items()
}


@st.composite
def toys(draw):
    changes = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=4))
    return GAME.variant(
        seats=draw(st.sampled_from(GAME.seats)),
        modules=draw(st.sampled_from([(), ("spice",), ("spice", "herbs"), ("herbs", "spice")])),
        length=draw(st.sampled_from(GAME.lengths)),
        overrides={key: draw(st.sampled_from(list(VALUES[key]))) for key in changes},
    )


@given(toys())
def test_ids_lead_back(v):
    again = GAME.parse(str(v))
    assert again == v
    assert hash(again) == hash(v)
    assert str(again) == str(v)
    assert again.rules_record().tobytes() == v.rules_record().tobytes()
    assert pickle.loads(pickle.dumps(v)) == v


@pytest.mark.parametrize("name", EVERY)
def test_every_variant_has_an_id_of_its_own(name):
    every = variants(name)
    assert len({str(v) for v in every}) == len(set(every)) == len(every)
    for v in every:
        assert variant(str(v)) == v
        assert pickle.loads(pickle.dumps(v)) == v


def test_how_many_there_are():
    assert len(variants("bloody_inn")) == 4 * 2 * 12
    assert len(list(GAME.variants())) == 2 * 2 * 3
    assert [str(v) for v in variants("connect_four")] == ["connect_four-2p"]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({}, "toy-3p"),
        ({"seats": 2, "length": "short"}, "toy-2p"),
        ({"length": "long"}, "toy-3p-long"),
        ({"modules": ["herbs", "spice"]}, "toy-3p-spice+herbs"),
        ({"modules": ("spice", "spice"), "length": "long"}, "toy-3p-spice-long"),
        ({"overrides": {"switch.order": "right", "game.die": "4"}}, "toy-3p?game.die=4&switch.order=right"),
        ({"overrides": {"game.die": 3, "game.bank": 60.0}}, "toy-3p"),
    ],
)
def test_canonical_ids(parts, text):
    assert str(GAME.variant(**parts)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("toy", "toy-3p"),
        ("toy-2p-short", "toy-2p"),
        ("toy-2p-herbs+spice", "toy-2p-spice+herbs"),
        ("toy-2p-long-spice", "toy-2p-spice-long"),
        ("toy?game.die=4", "toy-3p?game.die=4"),
        ("toy-3p?switch.order=right&game.die=4", "toy-3p?game.die=4&switch.order=right"),
        ("toy-3p?game.die=3", "toy-3p"),
    ],
)
def test_other_spellings_are_understood(text, canonical):
    assert str(GAME.parse(text)) == canonical


def test_what_a_variant_tells():
    v = GAME.variant(modules=["spice"], overrides={"spice.amount": 5})
    assert v.n_actions == len(v.action_names) == 10
    assert v.action("play:gold") == v.action_names.index("play:gold")
    assert tuple(v.features[0]) == ("token", 0, 5, 1)
    assert v.rules_record()["spice"].tolist() == [5]
    assert v.rules_digest != GAME.variant(modules=["spice"]).rules_digest
    assert v.bound == 2 * 3 * 2


def test_equal_variants_are_one_key():
    table = {GAME.variant(overrides={"game.die": 4}): 1}
    assert table[GAME.parse("toy?game.die=4")] == 1
    assert GAME.variant() not in table
    assert GAME.variant() != GAME.variant(seats=2)


def test_a_record_is_the_callers_own():
    v = GAME.variant()
    v.rules_record()["die"] = 9
    assert v.rules_record()["die"].tolist() == [3]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"seats": 7}, "variant 'toy-7p': toy seats 2 to 3"),
        ({"seats": 0}, "variant 'toy-0p': toy seats 2 to 3"),
        ({"seats": 2.0}, "toy seats 2 to 3"),
        ({"seats": True}, "toy seats 2 to 3"),
        ({"seats": "2"}, "toy seats 2 to 3"),
        ({"length": "endless"}, "variant 'toy-3p': length 'endless'; toy has short, long"),
        ({"modules": ["sugar"]}, "variant 'toy-3p': module 'sugar'; toy has spice, herbs"),
        ({"modules": ["herbs"]}, "variant 'toy-3p': module 'herbs' needs 'spice'"),
        ({"modules": "spice"}, "modules is a list of names, not the text 'spice'"),
        ({"overrides": {"game.dei": 3}}, "override 'game.dei': no such number; near it: game.die"),
        ({"overrides": {"game.die": 0}}, "game.die=0: a whole number from 1 to 6"),
        ({"overrides": {"switch.order": "up"}}, "switch.order=up: one of left, right"),
        ({"rules": "nowhere"}, "rules 'nowhere': no rules.toml and no .csv there"),
    ],
)
def test_bad_parts(parts, words):
    with pytest.raises(ValueError) as error:
        GAME.variant(**parts)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("toy-", "not an id of toy; one is toy-3p"),
        ("toy-p", "not an id of toy"),
        ("toy-3", "not an id of toy"),
        ("toy-3p-", "not an id of toy"),
        ("toy-3p spice", "not an id of toy"),
        ("", "not an id of toy"),
        ("Toy-3p", "not an id of toy"),
        ("other-3p", "not an id of toy"),
        ("toy-3p-short-long", "<game>-<P>p[-<modules joined by +>][-<length>][?key=value&...]"),
        ("toy-3p-spice-herbs", "<game>-<P>p[-<modules joined by +>][-<length>][?key=value&...]"),
        ("toy-9p", "toy seats 2 to 3"),
        ("toy-3p-sugar", "module 'sugar'; toy has spice, herbs"),
        ("toy-3p-herbs", "module 'herbs' needs 'spice'"),
        ("toy-3p-spice+", "module ''; toy has"),
        ("toy-3p?game.die", "game.die=: a whole number"),
        ("toy-3p?game.die=9", "game.die=9: a whole number from 1 to 6"),
        ("toy-3p?=3", "override '': no such number"),
        ("toy-3p?game.die=3=4", "game.die=3=4: a whole number"),
    ],
)
def test_bad_ids(text, words):
    with pytest.raises(ValueError) as error:
        GAME.parse(text)
    assert words in str(error.value)


def test_bad_games():
    for text in ("chess", "chess-2p", "", "-2p"):
        with pytest.raises(ValueError, match="one of bloody_inn, "):
            variant(text)
    for thing in (None, 3, ["bloody_inn"]):
        with pytest.raises(ValueError, match="the name of a game, or the id of a variant"):
            variant(thing)
    for more in ({"seats": 2}, {"modules": ["carnies"]}, {"length": "long"}, {"overrides": {"start.cash": 6}}, {"rules": "x"}):
        with pytest.raises(ValueError, match="an id says everything; give a game's name to add options"):
            variant("bloody_inn-2p", **more)
    with pytest.raises(ValueError, match="connect_four has no lengths to choose from"):
        variant("connect_four", length="short")


@given(st.text(max_size=40))
def test_no_text_does_worse_than_a_value_error(text):
    for text_like_an_id in (text, f"toy-3p{text}", f"toy-3p?{text}"):
        try:
            v = GAME.parse(text_like_an_id)
        except ValueError:
            continue
        assert GAME.parse(str(v)) == v


def test_games_pickle_as_their_names():
    assert pickle.loads(pickle.dumps(game("connect_four"))) is game("connect_four")


def test_numbers_of_modules_that_are_not_played():
    assert not toy.GAME.variant(modules=("spice",)).lacks("spice.amount")
    assert toy.GAME.variant(modules=("spice",)).lacks("herbs.amount")
    assert not toy.GAME.variant().lacks("game.die")
