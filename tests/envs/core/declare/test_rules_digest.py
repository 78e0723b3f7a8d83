"""Digests of rules: a new number that changes nothing leaves saved files readable, one that changes something refuses them."""

from dataclasses import replace
from typing import Annotated

import numpy as np
import pytest

from alehouse.envs.core.declare.game import rules_digest
from alehouse.envs.core.declare.numbers import Entry, Numbers
from alehouse.envs.core.declare.record import FOLLOWS, Array, RulesHeader, i1, i4, numbers_of, record
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import Tables
from tests import toy
from tests.broken import posing

pytestmark = pytest.mark.filterwarnings("ignore:.*considered a subtype")  # numba says it of records with more fields

V = "toy-2p-spice"


class Wide(RulesHeader):
    """The toy's numbers in another order and in other widths."""

    worth: Annotated[Array, ">i4", toy.COUNT]
    herbs_on: i4
    spice_on: i4
    right: i1
    herbs: i1
    spice: i1
    bank: i4
    die: i1
    rounds: i4


class More(toy.Rules):
    """The toy's numbers, three that are new, and one that follows from others."""

    limit: i1 = 7
    tax: i1
    twice: Annotated[i1, FOLLOWS]
    market: Annotated[Array, "i2", (2, 3)]


def later(rules=More, limit=7, tax=0, market=0, **numbers):
    """The toy by a later version: its rules record may hold more, and its rules.toml other keys."""

    def fill(R, known, v):
        toy.fill(R, Numbers({old: known[new] for old, new in names.items()}, known.tables), v)
        if rules is More:
            R.limit, R.tax, R.twice, R.market[:, 1, 2] = limit, tax, 2 * R.rounds, market

    names = {key: f"later.{key}" for key in toy.NUMBERS}
    entries = {
        new: replace(toy.NUMBERS[old], value=numbers.get(old.partition(".")[2], toy.NUMBERS[old].value)) for old, new in names.items()
    }
    renamed = Numbers(entries | {"game.limit": Entry("game.limit", limit, (0, 9), "rule")}, toy.NUMBERS.tables)
    return replace(toy.GAME, RULES=record(rules), numbers=renamed, fill=fill)


def test_it_is_of_the_numbers_by_name_without_those_that_change_nothing():
    rules = np.zeros(1, record(More))
    rules["limit"], rules["seats"], rules["worth"][0, 2] = 7, 2, 5
    assert list(numbers_of(rules)) == ["seats[0]=2", "worth[0, 2]=5"]
    rules["limit"], rules["market"][0, 1, 2] = 0, -3
    assert sorted(numbers_of(rules)) == ["limit[0]=0", "market[0, 1, 2]=-3", "seats[0]=2", "worth[0, 2]=5"]


def test_records_in_records():
    class Inner:
        gold: i1 = 4

    class Outer:
        chest: Annotated[list[Inner], Inner, 3]

    found = np.zeros(1, record(Outer))
    found["chest"]["gold"] = 4
    assert list(numbers_of(found)) == []
    found["chest"]["gold"][0, 1] = 0
    assert list(numbers_of(found)) == ["chest.gold[0, 1]=0"]


@pytest.mark.parametrize("rules", [More, Wide])
def test_a_later_version_that_plays_the_same_has_the_same_digest(rules):
    for v in toy.GAME.variants():
        assert later(rules).parse(str(v)).rules_digest == v.rules_digest


@pytest.mark.parametrize("change", [{"limit": 6}, {"tax": 1}, {"market": -1}, {"die": 4}, {"amount": 3}])
def test_a_change_of_a_number_changes_it(change):
    assert later(**change).parse(V).rules_digest != toy.GAME.parse(V).rules_digest


def test_every_variant_has_a_digest_of_its_own_and_so_have_several():
    variants = list(toy.GAME.variants())
    assert len({v.rules_digest for v in variants}) == len(variants)
    assert rules_digest(*variants[:2]) != rules_digest(*variants[1::-1])
    assert replace(toy.GAME, name="joy").variant().rules_digest != toy.GAME.variant().rules_digest


def saved(folder):
    """A replay and a batch of the toy, and what they hold."""
    with posing(toy.GAME):
        tables = Tables(V, n=3, seed=4)
        for _ in range(7):
            tables.step(tables.sample())
        replay = tables.replay(0)
        replay.save(folder / "game.json")
        tables.save(folder / "batch")
    return replay, tables


def test_a_number_that_changes_nothing_refuses_no_file(tmp_path):
    replay, tables = saved(tmp_path)
    with posing(later()):
        assert Replay.load(tmp_path / "game.json") == replay
        batch = Tables.load(tmp_path / "batch")
        assert batch.rules.dtype == record(More)
        assert batch.states.tobytes() == tables.states.tobytes()
        for _ in range(30):
            actions = batch.sample()
            batch.step(actions)
            tables.step(actions)
        assert batch.states.tobytes() == tables.states.tobytes()


def test_a_number_that_changes_something_refuses_them(tmp_path):
    saved(tmp_path)
    with posing(later(tax=1)):
        with pytest.raises(ValueError, match="its rules have digest"):
            Replay.load(tmp_path / "game.json")
        with pytest.raises(ValueError, match="toy-2p-spice had rules"):
            Tables.load(tmp_path / "batch")


def test_a_new_field_of_the_state_refuses_no_replay(tmp_path):
    class State(toy.State):
        """The toy's table with a number more."""

        mood: i1

    replay, _ = saved(tmp_path)
    with posing(replace(toy.GAME, STATE=record(State))):
        assert Replay.load(tmp_path / "game.json") == replay
        with pytest.raises(ValueError, match="wrote it, whose states hold other fields"):
            Tables.load(tmp_path / "batch")
