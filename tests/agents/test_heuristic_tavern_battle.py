"""The heuristic of Tavern Battle: what it may read, what it chooses where one answer is plainly best, and how well it plays."""

import numpy as np
import pytest

from alehouse.agents import UNIFORM, ask, heuristic, play_line
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.heuristic.tavern_battle.aspects import expected
from alehouse.agents.network import adviser
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from alehouse.envs.tavern_battle import layout as L
from tests.envs.tavern_battle.editing import character, treasure
from tests.envs.tavern_battle.page import TREASURES
from tests.envs.tavern_battle.scene import Scene

pytestmark = pytest.mark.slow

SPEC = game("tavern_battle")
KNOWN = heuristic_of(SPEC)
W = KNOWN.weights.record()[0]
EVERYTHING = "tavern_battle-4p-casse_tout+tous_sur_un+tete_dure"


# What networks learn of answers


def aspects(tables):
    """Return the aspects of every legal answer at every table."""
    found, advise = [], adviser(SPEC)
    for i in np.flatnonzero(~tables.over):
        rows = np.full((len(SPEC.ACTIONS), len(KNOWN.aspects)), np.nan, np.float32)
        s, R, prior = tables.states[i], tables.rules[tables.rule[i]], np.zeros(len(SPEC.ACTIONS), np.float32)
        advise(s, R, W, np.uint64(0), 2.0, prior)
        KNOWN.study(s, R, W, prior, rows)
        found.append(rows[: tables.mask[i].sum()])
        assert (found[-1][:, KNOWN.aspects.index("rated")] == prior[: len(found[-1])]).all()
        assert np.isfinite(found[-1]).all()
        assert np.isnan(rows[tables.mask[i].sum() :]).all()
    return np.concatenate(found)


@pytest.mark.parametrize("v", ["tavern_battle-2p", "tavern_battle-4p", EVERYTHING])
def test_answers_are_about_the_same_where_its_seat_cannot_tell_apart(v):
    tables, seen = Tables(v, n=12, seed=4, autoreset=False), []
    while not tables.over.all():
        if len(seen) % 4 == 0:
            for key in (1, 2):
                assert (aspects(tables.determinize(np.maximum(tables.seat, 0), key)) == aspects(tables)).all()
        seen.append(aspects(tables))
        live = np.flatnonzero(~tables.over)
        tables.step(tables.sample(lively=True)[live], live)
    said = (np.concatenate(seen) != 0).any(axis=0)
    assert v != "tavern_battle-4p" or said.all(), [name for name, some in zip(KNOWN.aspects, said, strict=True) if not some]
    assert np.abs(np.concatenate(seen)).max() < 20


def test_points_are_expected_by_what_a_seat_has_seen():
    """TB-T19: six points of treasures; for a seat that knows none of them, each treasure not its own is equally likely."""
    scene = Scene(heroes=["dwarf", "tavernkeeper", "elf", "gnome"], phase="window")
    scene.treasures(0, "dark_ale", "beer_pump", "dwarven_axe", "ruby").treasures(1)
    assert expected(scene.s, scene.R, 0, 0) == 6
    beer_and_more = 0
    for types in TREASURES.values():
        words = types.split()
        dwarf, keeper = 2 * ("beer" in words) + ("weapon" in words) + ("invention" in words), "beer" in words
        beer_and_more += max(dwarf, keeper)
    assert expected(scene.s, scene.R, 1, 0) == pytest.approx(4 * beer_and_more / len(TREASURES))


def test_a_character_s_aspects_are_its_own():
    scene = brawl("gnome", "paladin").hand(0, "table_leg").treasures(1, "ruby", "crown", "spyglass").put("down", "gnome")
    scene.lead(0).activate("dwarf").act("strike:table_leg")
    legal = np.flatnonzero(scene.t.mask[0])
    rows = dict(zip([scene.v.action_names[a] for a in legal], aspects(scene.t), strict=True))
    gnome, paladin = (dict(zip(KNOWN.aspects, rows[f"character:{name}"].tolist(), strict=True)) for name in ("gnome", "paladin"))
    assert [gnome[name] for name in ("hero", "down", "upright", "own", "in_hand")] == [1, 1, 0, 0, 0.5]
    assert [gnome["strength"], gnome["cunning"]] == pytest.approx([1 / 3, 1])
    assert paladin["upright"] == 1
    miss = (5 / 6) ** 3  # three dice, a hero is hurt by a six (TB-T1)
    assert [gnome["stunned"], gnome["felled"], gnome["hero_killed"]] == pytest.approx([0, 0, 1 - miss])
    assert [paladin["stunned"], paladin["hero_felled"]] == pytest.approx([3 * (5 / 6) ** 2 / 6, 3 * (5 / 6) / 36])


def test_an_attack_is_about_its_best_target():
    scene = brawl("gnome", "paladin").hand(0, "table_leg").treasures(1, "ruby", "crown", "spyglass").put("down", "gnome")
    scene.lead(0).activate("dwarf")
    legal = np.flatnonzero(scene.t.mask[0])
    rows = dict(zip([scene.v.action_names[a] for a in legal], aspects(scene.t), strict=True))
    strike, passing = (dict(zip(KNOWN.aspects, rows[name].tolist(), strict=True)) for name in ("strike:table_leg", "pass"))
    assert [strike[name] for name in ("strikes", "own", "foremost", "hero", "down", "in_hand")] == [1, 0, 1, 1, 1, 0.5]
    assert strike["worth"] > 0
    assert strike["hero_killed"] == pytest.approx(1 - (5 / 6) ** 3)
    assert [passing[name] for name in ("passes", "own", "hero", "strength", "worth")] == [1, 1, 1, 1, 0]  # of the dwarf, who acts


# What a judge is told


def choice(scene):
    """Return the answer that the heuristic chooses."""
    return scene.v.action_names[ask(heuristic(SPEC), scene.t)[0]]


def brawl(*heroes, **options):
    """Return a scene of two seats; the dwarf likes beer, weapons and inventions, the elf music, magic and weapons (TB 1.3)."""
    return Scene(heroes=["dwarf", "elf", *heroes], **options)


def asked(scene, question, seat):
    """Return the scene with another question."""
    scene._ask(question, seat)
    return scene.show()


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
    """The elf has magic circled, which the apprentice has; the pilgrim is holy (TB 1.6)."""
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
    """In round 4 of the brawl, with the heuristic in all seats, its estimates agree with the results."""
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
