"""The heuristic of The Taverns of Tiefenthal: what it may know, what it does where the good move is plain, what it expects."""

import numpy as np
import pytest

from alehouse.agents import UNIFORM, ask, heuristic, play_line
from alehouse.agents.heuristic import heuristic_of
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from tests.agents.test_heuristic import one_against, wins
from tests.envs.tiefenthal.scene import Scene

pytestmark = pytest.mark.slow

GAME = game("tiefenthal")
LEVEL_5 = "guest_book+reputation+schnapps+start_cards"


def choice(scene):
    """What the heuristic does at a table."""
    return scene.v.action_names[int(ask(heuristic(GAME), scene.t)[0])]


def planned(scene):
    """Where it places the dice of the seat to move, and whatever it does with them."""
    seat, found = scene.turn, []
    while scene.question == "place" and scene.turn == seat:
        found.append(choice(scene))
        scene.act(found[-1])
    return found


# Positions


def test_a_die_goes_to_the_patron_who_pays_more():
    scene = Scene("place").lay(0, "regular_d3_p1", "regular_d3_p2", "guest5_d3")
    assert planned(scene.dice(3, 4))[0] == "place:guest5_d3"


def test_a_die_nobody_takes_is_not_left_unused():
    assert sorted(planned(Scene("place").lay(0, "regular_d2_p1").dice(3, 4))) == ["place:barrel", "place:cashbox"]


def test_a_pip_takes_a_die_to_a_strong_supplier():
    scene = Scene("place").lay(0, "dishwasher", "supplier", "supplier").upgrade(0, "supplier").goods_are(0, 4)
    assert "place:supplier" in planned(scene.dice(5, 5))


def test_the_cashbox_is_upgraded_before_its_die_is_taken():
    scene = Scene("place").lay(0, "guest8_d2_supplier", "guest7_d2_waitress").dice(2, 2, 3)
    scene.place("guest7_d2_waitress", "guest8_d2_supplier", "cashbox").set(0, counter=0)
    assert scene.goods() == (9, 0)
    assert choice(scene) == "upgrade:cashbox"


def test_dice_are_taken_before_beer_is_spent():
    scene = Scene("place").dice(1, 6).goods_are(0, 2).place("supplier", "supplier")
    assert choice(scene) == "collect:supplier"


def test_the_last_beers_buy_nobles():
    assert choice(Scene().round_is(8).offer("guest4_d2", "guest8_d2_supplier").goods_are(0, 18)) == "nobles:3"
    assert choice(Scene().round_is(8).offer("guest4_d2", "guest8_d2_supplier").goods_are(0, 8)) == "guest:open2"


def test_the_last_doubloons_buy_most_points():
    scene = Scene().round_is(8).goods_are(11, 0)
    bought = []
    while scene.turn == 0 and scene.goods()[0] >= 5:
        bought.append(choice(scene))
        scene.act(bought[-1])
    assert [name.split(":")[0] for name in bought] == ["upgrade", "upgrade"]


CHEAP = ("barrel", "monk", "store", "safe")


def test_a_card_is_given_up_for_a_discount_that_pays_for_another_upgrade():
    scene = Scene("place").lay(0, "dishwasher").upgrade(0, *CHEAP).plan().round_is(8).goods_are(14, 0).act("upgrade:dishwasher")
    assert (scene.question, choice(scene)) == ("discount", "give_up")
    scene = Scene("place").lay(0, "dishwasher").upgrade(0, *CHEAP).plan().round_is(8).goods_are(14, 0)
    while scene.turn == 0:
        scene.act(choice(scene))
    assert {"dishwasher", "cashbox"} <= {*scene.upgrades()}


def test_a_card_is_kept_where_doubloons_buy_nothing_more():
    scene = Scene("place").lay(0, "dishwasher").upgrade(0, *CHEAP, "cashbox").plan().round_is(8).goods_are(9, 0)
    scene.set_act(bought=63).act("upgrade:dishwasher")
    assert (scene.question, choice(scene)) == ("discount", "done")


def test_a_good_tavern_is_kept_and_a_poor_one_is_not():
    scene = Scene("place").until("redraw", 0)
    poor, good = ("regular_d4_p1",) * 3, ("guest8_d2_supplier", "guest8_d3_waitress", "noble", "waitress", "waitress", "supplier")
    assert choice(scene.pile(0, deck=good).lay(0, *poor)) == "redraw"
    assert choice(scene.pile(0, deck=poor).lay(0, *good)) == "done"


def test_five_glasses_buy_an_upgrade():
    assert choice(Scene(level=2).side(0, e2=1).set(0, schnapps=5)).startswith("free:")


# How it plays


@pytest.mark.parametrize("v", ["tiefenthal-4p", "tiefenthal-3p-schnapps", "tiefenthal-2p-reputation+schnapps", f"tiefenthal-4p-{LEVEL_5}"])
def test_against_uniform(v):
    assert wins(v, heuristic(GAME), UNIFORM, 60).mean() > 0.95


@pytest.mark.parametrize("v", ["tiefenthal-3p", f"tiefenthal-4p-{LEVEL_5}"])
def test_against_copies_of_itself_a_block_is_even(v):
    _, utility = one_against(v, heuristic(GAME), heuristic(GAME, name="twin"), 20)
    assert np.allclose(utility.mean(axis=1), 0, atol=1e-6)


@pytest.mark.parametrize("v", ["tiefenthal-4p", f"tiefenthal-2p-{LEVEL_5}"])
def test_what_it_expects_is_what_comes(v):
    n, known, player = 300, heuristic_of(GAME), heuristic(GAME)
    W = known.weights.record()[0]
    tables = Tables(v, n=n, seed=1, autoreset=False)
    seats = tables.variants[0].seats
    expected = np.full((n, 9, seats), np.nan)
    while not tables.over.all():
        live = np.flatnonzero(~tables.over)
        for i in live:
            s = tables.states[i]
            if np.isnan(expected[i, s.evening, 0]):
                known.evaluate(s, tables.rules[tables.rule[i]], W, expected[i, s.evening])
        tables.step(ask(player, tables, live), live)
    came = tables.utility
    assert (came == play_line(v, [player], np.zeros((n, seats), int), tables.seeds).utility).all()
    assert np.allclose(np.nansum(expected, axis=2), 0)
    for evening, least in ((4, 0.25), (6, 0.4), (8, 0.6)):
        assert np.corrcoef(expected[:, evening].ravel(), came.ravel())[0, 1] > least
        off = came - expected[:, evening]
        assert (abs(off.mean(axis=0)) < 5 * off.std() / np.sqrt(n)).all()
