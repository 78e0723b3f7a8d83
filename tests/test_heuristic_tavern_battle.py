"""The heuristic of Tavern Battle: what it may know, what it does where one answer is plainly best, and how well it plays."""

import numpy as np
import pytest

from alehouse.agents import UNIFORM, ask, heuristic, play_line
from alehouse.agents.heuristic import heuristic_of
from alehouse.envs.core.tables import Tables
from alehouse.envs.games import game
from alehouse.envs.tavern_battle import layout as L
from tests.tavern_battle.editing import character, treasure
from tests.tavern_battle.scene import Scene

SPEC = game("tavern_battle")
KNOWN = heuristic_of(SPEC)
W = KNOWN.weights.record()[0]
EVERYTHING = "tavern_battle-4p-casse_tout+tous_sur_un+tete_dure"


# What it may know


def ratings(tables, keys):
    """What it makes of every legal answer at every table."""
    found = []
    for i in np.flatnonzero(~tables.over):
        s, R = tables.states[i], tables.rules[tables.rule[i]]
        mind = KNOWN.think(s, R, W, keys[i])
        found.append([KNOWN.rate(s, R, W, mind, a) for a in np.flatnonzero(tables.mask[i])])
    return found


@pytest.mark.parametrize("v", ["tavern_battle-2p", "tavern_battle-4p", EVERYTHING])
def test_it_rates_alike_what_its_seat_can_not_tell_apart(v):
    tables, keys = Tables(v, n=12, seed=4, autoreset=False), np.arange(12, dtype=np.uint64)
    player = heuristic(SPEC)
    step = 0
    while not tables.over.all():
        if step % 8 == 0:
            seats = np.maximum(tables.seat, 0)
            for key in (1, 2):
                assert ratings(tables.determinize(seats, key), keys) == ratings(tables, keys)
        live = np.flatnonzero(~tables.over)
        tables.step(ask(player, tables, live) if step % 3 else tables.sample(lively=True)[live], live)
        step += 1


# What it does


def choice(scene):
    """The answer it gives."""
    return scene.v.action_names[ask(heuristic(SPEC), scene.t)[0]]


def brawl(*heroes, **options):
    """Two seats in the brawl; the dwarf likes beer, weapons and inventions, the elf music, magic and weapons (TB 1.3)."""
    return Scene(heroes=["dwarf", "elf", *heroes], **options)


def asked(scene, question, seat):
    """The scene with another question."""
    scene._ask(question, seat)
    return scene._show()


def test_a_treasure_that_pleases_is_picked_up():
    scene = brawl("gnome", "paladin").drop("golden_tankard", "horned_idol").lead(0).activate("dwarf")
    assert choice(scene) == "pick_up"
    scene.s.fallen |= 1 << treasure("ruby")
    assert choice(scene.act("pick_up")) == "treasure:golden_tankard"


def test_who_lies_down_is_struck_first():
    scene = brawl("gnome", "paladin").hand(0, "table_leg").treasures(1, "ruby", "crown", "spyglass").put("down", "gnome")
    scene.lead(0).activate("dwarf")
    assert choice(scene) == "strike:table_leg"
    assert choice(scene.act("strike:table_leg")) == "character:gnome"


def test_what_pleases_nobody_is_dropped_and_the_best_put_safe():
    scene = brawl("gnome", "paladin").treasures(0, "golden_tankard", "horned_idol", "elven_bow")
    assert choice(asked(scene, "drop", 0)) == "treasure:horned_idol"
    assert choice(asked(scene, "secure", 0)) == "treasure:golden_tankard"


@pytest.mark.parametrize(("arrival", "wanted"), [("apprentice", "claim"), ("pilgrim", "pass")])
def test_a_friend_is_claimed_and_no_other(arrival, wanted):
    """Magic is circled with the elf; the pilgrim is holy (TB 1.6)."""
    scene = brawl("paladin", "amazon")
    scene.s.phase, scene.s.arrival = L.P_ARRIVALS, character(arrival)
    assert choice(asked(scene, "claim", 0)) == wanted


def test_the_offer_that_pleases_is_taken_and_the_useless_treasure_sold():
    scene = brawl("gnome", "paladin", "barbarian", "thief", phase="window", seats=3)
    scene.treasures(0, "horned_idol", "golden_tankard").treasures(1, "prayer_book").treasures(2, "grimoire")
    scene.s.phase = L.P_REVEAL
    assert choice(asked(scene, "reveal", 0)) == "treasure:horned_idol"
    scene.s.phase, scene.s.shown = L.P_CHOICE, treasure("horned_idol")
    scene.s.seat[1].offer, scene.s.seat[2].offer = scene.s.seat[1].treasures, scene.s.seat[2].treasures
    assert choice(asked(scene, "buyer", 0)) == "seat:left2"


# How it plays


@pytest.mark.parametrize("v", ["tavern_battle-4p", EVERYTHING])
def test_against_uniform(v):
    blocks, seats = 250, 4
    mine = np.tile(np.arange(seats), blocks)
    seating = (np.arange(seats) != mine[:, None]).astype(int)
    played = play_line(v, [heuristic(SPEC), UNIFORM], seating, np.repeat(np.arange(blocks), seats))
    found = (played.utility[np.arange(mine.size), mine] == 1).reshape(blocks, seats).mean(axis=1)
    assert found.mean() - 4 * found.std() / np.sqrt(blocks) > 0.45


@pytest.mark.parametrize("v", ["tavern_battle-4p", EVERYTHING])
def test_what_it_expects_comes_true(v):
    """In round 4 of the brawl, with itself in all seats: as much on the whole, and for the right seats."""
    tables = Tables(v, n=60, seed=3, autoreset=False)
    expected, seen = np.zeros((60, 8)), np.zeros(60, bool)
    while not tables.over.all():
        live = np.flatnonzero(~tables.over)
        for i in live[~seen[live]]:
            if tables.states[i]["rounds"] == 4:
                KNOWN.evaluate(tables.states[i], tables.rules[tables.rule[i]], W, expected[i])
                seen[i] = True
        tables.step(ask(heuristic(SPEC), tables, live), live)
    expected = expected[seen, :4]
    assert np.allclose(expected.sum(axis=1), 0)
    assert np.corrcoef(expected.ravel(), tables.utility[seen].ravel())[0, 1] > 0.3
