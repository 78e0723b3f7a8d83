"""The heuristic of Taverns & Dragons: it uses no hidden facts, finds the good move in plain positions, and beats uniform play."""

import itertools

import numpy as np
import pytest

from alehouse.agents import UNIFORM, ask, heuristic, play_line
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.heuristic.taverns_dragons.matching import match_dice
from alehouse.agents.heuristic.taverns_dragons.values import USES, VALUES
from alehouse.agents.network import adviser
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from alehouse.envs.taverns_dragons.layout import DICE, SIDES
from tests.envs.taverns_dragons.scene import EVERYTHING, L, Scene

pytestmark = pytest.mark.slow

GAME = game("taverns_dragons")
KNOWN = heuristic_of(GAME)
W = KNOWN.weights.record()[0]
ALL = f"taverns_dragons-4p-{'+'.join(EVERYTHING)}"


def choice(scene):
    """Return the name of the action that the heuristic takes at a scene."""
    legal, rated = np.flatnonzero(scene.t.mask[0]), np.zeros(len(GAME.ACTIONS))
    adviser(GAME)(scene.s, scene.R, W, np.uint64(0), np.inf, rated)
    return scene.v.action_names[legal[int(np.argmax(rated[: legal.size]))]]


# What it may know


def test_trophies_and_missions_are_redealt():
    """Without this the test that the heuristic uses no hidden facts (test_heuristic.py) could not fail."""
    tables = Tables(ALL, n=30, seed=4, autoreset=False)
    player = heuristic(GAME)
    while tables.states["rounds"].max() < 6:
        live = np.flatnonzero(~tables.over)
        tables.step(ask(player, tables, live), live)
    other = tables.determinize(tables.seat, 1)
    assert (tables.states["mission"] != other.states["mission"]).any()
    assert (tables.states["seat"]["spoils"] != other.states["seat"]["spoils"]).any()


# Dice and their uses


def most(dice, gain):
    """Return the highest sum that dice bring if each serves another use or none, by trying every order of the uses."""
    idle = np.zeros((len(dice), gain.shape[1]))
    ways = itertools.permutations(np.concatenate([gain, idle]), len(dice))
    return max(sum(use[die] for use, die in zip(way, dice, strict=True)) for way in ways)


def test_dice_are_matched_to_the_uses_that_bring_most():
    rng, rows = np.random.default_rng(2), np.zeros(1, VALUES)
    tables = np.zeros(1, GAME.STATE)
    for n in [*range(1, DICE), *range(1, DICE)]:
        dice = sorted(rng.integers(0, SIDES, n))
        gain = np.where(rng.random((USES, SIDES)) < 0.5, rng.normal(1, 2, (USES, SIDES)), -1000.0)
        tables[0]["seat"]["dice"][0] = np.bincount(dice, minlength=SIDES)
        rows["gain"] = gain.ravel()
        match_dice(tables[0], rows[0])
        for die in set(dice):
            rest = list(dice)
            rest.remove(die)
            assert np.isclose(rows[0]["elsewhere"][die], most(dice, gain) - most(rest, gain))


# Positions


def test_it_cooks_the_last_die_of_the_game():
    scene = Scene().in_round(7).dice(0, 4).recipes("royal_casserole", "herb_broth").pantry(0, "plant", "plant", "mushroom", "spice")
    assert choice(scene) == "cook:1_with_4"


def test_it_hires_for_prestige_when_gold_is_of_no_more_use():
    scene = Scene().in_round(7).dice(0, 4).market("champion", "jester").gold(4)
    assert choice(scene) == "hire:champion"


def test_it_brings_a_laden_minion_home():
    scene = Scene().in_round(3).dice(0, 3, 1).minion(0, "sturdy", "maple", bag=["spice", "mushroom", "plant"])
    scene.recipes("royal_casserole").act("move:sturdy_3")
    assert choice(scene) == "go:caves"
    scene.act("go:caves")
    assert scene.zone_of(0, "sturdy") == "city"


def test_it_collects_what_a_recipe_wants():
    scene = Scene().in_round(3).recipes("flamed_egg").pantry(0, "spice").tokens(canyon=["plant", "egg"])
    scene.stand("plain", "canyon")
    assert choice(scene) == "collect:egg"


def test_it_marks_the_line_it_can_complete():
    scene = Scene().in_round(3).energy(3).dragon("emberwing", [(2, 0), (1, 0), (0, 2), (1, 2)]).stand("plain", "wood")
    scene.hunt("sword", "claw", "claw").answer("hunt", "attack")
    assert scene.question == "line"
    assert choice(scene) == "line:2"


def test_it_takes_the_prestige_of_its_track_before_the_end():
    scene = Scene(modules=["asymmetric"], overrides={"switch.choose_boards": "no"}).in_round(7).dice(0, 4)
    scene.s.seat[0].tavern, scene.s.seat[0].marker = 1, 4
    assert choice(scene.refresh()) == "track:4"


def test_it_rolls_the_bears_claw_again_and_keeps_its_sword():
    for symbol, wanted in (("claw", "reroll_hunting:claw"), ("sword", "done")):
        scene = Scene(3, ["encounters"]).energy(1).runes(1).minion(0, "plain", bag=["egg"])
        scene.s.encounter, scene.s.meetings = L.ZONE_NAMES.index("road"), 1 << L.ENCOUNTER_NAMES.index("bear")
        scene.stand("plain", "road").hunting_luck(symbol).act("encounter")
        assert (scene.question, choice(scene)) == ("bear", wanted)


# How it plays


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("modules", [(), EVERYTHING])
def test_against_uniform(seats, modules):
    v = GAME.variant(seats=seats, modules=modules)
    n = 40 * seats
    mine = np.arange(n) % seats
    seating = (np.arange(seats) != mine[:, None]).astype(int)
    played = play_line(v, [heuristic(GAME), UNIFORM], seating, np.arange(n) // seats)
    assert (played.utility[np.arange(n), mine] == 1).mean() > 0.9


def test_it_expects_to_win_the_tables_it_wins():
    tables = Tables("taverns_dragons-4p", n=60, seed=1, autoreset=False)
    player, expected = heuristic(GAME), np.zeros((60, 8))
    while not tables.over.all():
        live = np.flatnonzero(~tables.over)
        for i in live[tables.states["rounds"][live] < 5]:
            KNOWN.evaluate(tables.states[i], tables.rules[tables.rule[i]], W, expected[i])
        tables.step(ask(player, tables, live), live)
    assert np.abs(expected.sum(axis=1)).max() < 1e-9
    assert np.abs(expected).max() <= 1
    assert np.corrcoef(expected[:, :4].ravel(), tables.utility.ravel())[0, 1] > 0.4
