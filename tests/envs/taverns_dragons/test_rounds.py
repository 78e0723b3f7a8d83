"""The end of a round, the end of the game and its scores (sections 3.4, 3.5 and 5 of the rules)."""

from collections import Counter

import pytest

from tests.envs.taverns_dragons import page
from tests.envs.scene import members, rule
from tests.envs.taverns_dragons.scene import L, Scene

FOUR = ("herb_broth", "flamed_egg", "spice_feast", "great_cauldron")


def close(sc: Scene, played: int) -> Scene:
    """Play the last die of a round, with nothing else to happen before the next round."""
    return sc.in_round(played).last_turn().act("bank_blank:4").end()


@rule("TD-T23")
def test_the_end_of_round_4() -> None:
    sc = close(Scene(2).recipes(*FOUR).heroes(0, "bard", tired=["thief"]).heroes(1, tired=["druid"]).dragon("bogmaw"), 4)
    assert (len(sc.shown), sc.shown[1:], sc.thrown) == (4, list(FOUR[:3]), ["great_cauldron"])
    assert sc.shown[0] not in FOUR
    assert (sc.ready_of(0), sc.tired_of(0), sc.ready_of(1), sc.tired_of(1)) == (["bard", "thief"], [], ["druid"], [])
    assert sc.dragon_name in ("emberwing", "mossback", "stormcrest")
    assert sc.round == 5


@rule("TD-T24")
def test_the_end_of_round_1() -> None:
    sc = Scene(2).asleep("stormcrest")
    before = sc.shown
    sc = close(sc, 1)
    assert (len(sc.shown), sc.shown[1]) == (2, before[0])
    assert sc.dragon_name == "stormcrest"
    assert Counter(kind for zone in page.ZONES for kind in sc.tokens_in(zone)) == {"plant": 4, "mushroom": 3, "spice": 2, "egg": 1}
    lair, lines = page.DRAGONS[sc.dragon_name]
    assert sc.free_boxes == [(swords, bows) for swords, bows, _, _ in lines]
    assert L.SLOT_NAMES[sc.R.lair[sc.s.dragon]] == lair


@pytest.mark.parametrize("played", [1, 2, 3, 4, 5, 6])
def test_icons(played: int) -> None:
    icons = page.ROUNDS[played - 1]
    sc = Scene(2, ("events",)).tokens(road=["egg", "egg"]).heroes(0, tired=["bard"]).dragon("bogmaw").asleep("stormcrest")
    sc.s.events = 1 << L.EVENT_NAMES.index("taxes")
    sc = close(sc, played)
    assert (sc.ready_of(0) == ["bard"]) == ("mead" in icons)
    assert (sc.dragon_name != "bogmaw") == ("dragon" in icons)
    if "ingredients" in icons:
        assert sum(len(sc.tokens_in(zone)) for zone in page.ZONES) == 10
    elif "dragon" not in icons:
        assert sc.tokens_in("road") == ["egg", "egg"]
    events = [icon for icon in icons if icon.startswith("event")]
    assert len(members(sc.s.events, L.EVENT_NAMES)) == 1 - len(events)


@rule("TD-A1")
def test_mossback_discards_the_fresh_ingredients_near_it() -> None:
    sc = close(Scene(2).asleep("mossback"), 1)
    assert sc.dragon_name == "mossback"
    near = ("pass", "maple", "marsh")
    assert [len(sc.tokens_in(zone)) for zone in page.ZONES] == [0 if z in near else n for z, n in zip(page.ZONES, page.SPACES, strict=True)]


def test_fresh_ingredients_lie_elsewhere_than_before() -> None:
    places = set()
    for seed in range(12):
        sc = Scene(2)
        sc.s.seed = seed
        sc = close(sc, 3)
        assert tuple(len(sc.tokens_in(zone)) for zone in page.ZONES) == page.SPACES
        places.add(sc.s.tokens[:, L.EGG].tobytes())
    assert len(places) > 1


def test_dice_and_spaces_come_back() -> None:
    sc = Scene(2).minion(0, "plain", die=3).paid(A=1, B=1).banked(0, 1).sourced(0)
    sc.bank_taken("one", "two")
    sc = sc.in_round(3).last_turn().act("move:sturdy_4")
    while sc.question == "fork":
        sc.act(sc.options()[0])
    sc.end()
    assert (sc.die_of(0, "plain"), sc.die_of(0, "sturdy"), list(sc.s.paid), sc.s.bank) == (0, 0, [0, 0, 0, 0], 0)
    assert [len(sc.dice_of(seat)) for seat in (0, 1)] == [5, 5]
    for seat in (0, 1):
        assert (sc.s.seat[seat].bank, sc.s.seat[seat].source) == (0, 0)


def test_minions_loads_and_wounds_stay() -> None:
    sc = close(Scene(2).minion(1, "plain", "road", ["egg"], 1), 3)
    assert (sc.zone_of(1, "plain"), sc.bag_of(1, "plain"), sc.wounds_of(1, "plain")) == ("road", ["egg"], 1)


def test_discarded_recipes_are_shuffled_when_none_is_left() -> None:
    others = [card for card in page.RECIPES if card not in ("herb_broth", "flamed_egg")]
    sc = Scene(2)
    sc.s.thrown = 1 << L.RECIPE_NAMES.index("flamed_egg")
    sc.cooked(1, *others).recipes("herb_broth").pantry(0, "plant", "plant")
    assert (sc.s.recipes, sc.thrown) == (0, ["flamed_egg"])
    sc.act("cook:1_with_1")
    assert (sc.shown, sc.thrown) == (["flamed_egg"], [])


def test_the_space_of_a_recipe_stays_empty_when_all_are_gone() -> None:
    others = [card for card in page.RECIPES if card != "herb_broth"]
    sc = Scene(2).cooked(1, *others).recipes("herb_broth").pantry(0, "plant", "plant").act("cook:1_with_1")
    assert (sc.shown, sc.score_of(0)) == ([], 5)


def test_the_dragon_stays_until_the_next_one_awakens() -> None:
    sc = close(Scene(2).dragon("bogmaw", [(0, 0), (0, 1), (0, 2), (2, 2)]), 2)
    assert (sc.dragon_name, sc.free_boxes) == ("bogmaw", [(0, 0), (0, 1), (0, 2), (2, 2)])


# The last round


@rule("TD-T29")
def test_kings_call() -> None:
    sc = Scene(2).in_round(7).minion(0, "plain", bag=["plant"]).tokens(canyon=["egg"]).stand("plain", "canyon").act("collect:egg").end()
    assert (sc.pantry_of(0), sc.bag_of(0, "plain")) == (["plant", "egg"], [])
    sc.recipes("herb_omelette").skip().act("cook:1_with_2")
    assert sc.score_of(0) == 9
    sc = Scene(2).in_round(7).minion(0, "plain", bag=["plant", "egg"]).last_turn(1).stand("plain", "canyon").end()
    assert (sc.question, sc.scores) == ("over", [2, 0])


@rule("TD-A30")
def test_the_kings_call_is_for_the_minion_moved_in_this_turn_of_round_7() -> None:
    def table(played: int) -> Scene:
        sc = Scene(2).in_round(played).minion(0, "plain", "road", ["plant"]).minion(0, "sturdy", "wood", ["spice"])
        return sc.minion(1, "plain", "wood", ["egg"])

    sc = table(7).stand("plain", "canyon").end()
    assert (sc.pantry_of(0), sc.bag_of(0, "sturdy"), sc.pantry_of(1)) == (["plant"], ["spice"], [])
    assert table(6).stand("plain", "canyon").end().pantry_of(0) == []
    assert table(7).act("source:1").end().pantry_of(0) == []
    sc = table(7).runes(1).stand("plain", "canyon")
    assert (sc.turn, sc.pantry_of(0)) == (0, [])


def test_the_game_ends_after_round_7() -> None:
    sc = Scene(2)
    rounds = []
    while sc.question != "over":
        rounds.append(sc.round)
        sc.finish_round()
        while sc.question not in ("turn", "over"):
            sc.act(sc.options()[0])
    assert rounds == [1, 2, 3, 4, 5, 6, 7]


def last(seats: int = 2) -> Scene:
    """Return a scene of the last turn of the game."""
    return Scene(seats).in_round(7).last_turn()


def test_final_scores() -> None:
    sc = last(3).score(10, 20, 0).heroes(0, "champion", tired=["thief"]).pantry(1, "plant", "egg", "meat").gold(0, 9, 9).energy(5, 5, 5)
    sc.minion(2, "plain", "wood", ["egg", "egg"])
    sc.s.seat[2].spoils, sc.s.seat[2].trophies = 0b100001, 2
    sc.act("bank_blank:4").end()
    assert sc.scores == [10 + 3 + 1, 20 + 3, page.TROPHIES[0] + page.TROPHIES[5]]
    assert sc.utility == [0, 1, -1]


def test_ties_go_to_the_most_prestigious_recipe() -> None:
    sc = last().score(12, 12).cooked(0, "herb_broth", best=8).cooked(1, "forest_stew", best=7).act("bank_blank:4").end()
    assert (sc.scores, sc.utility) == ([12, 12], [1, -1])
    sc = last().score(12, 12).cooked(0, "herb_broth", best=8).cooked(1, "forest_stew", best=8).act("bank_blank:4").end()
    assert (sc.scores, sc.utility) == ([12, 12], [0, 0])
    sc = last().score(12, 13).cooked(0, "herb_broth", best=8).act("bank_blank:4").end()
    assert sc.utility == [-1, 1]


def test_the_best_recipe_is_the_most_it_brought_with_its_die() -> None:
    """A 6 with a 1 comes before a 5 with a 1, but not before a 4 with a 4."""
    sc = Scene(2).recipes("forest_stew", "herb_broth", "peppered_salad").pantry(0, "plant", "plant", "mushroom").act("cook:1_with_1")
    assert sc.s.seat[0].best == 7
    sc = Scene(2).recipes("forest_stew", "herb_broth").pantry(0, *["plant"] * 4, "mushroom").act("cook:2_with_4").end().skip()
    sc.act("cook:2_with_1")
    assert (sc.s.seat[0].best, sc.cooked_by(0)) == (8, ["herb_broth", "forest_stew"])


@rule("TD-A24")
def test_prestige_does_not_fall_below_0() -> None:
    sc = Scene(2, ("events",)).score(1, 5)
    sc.s.events = 1 << L.EVENT_NAMES.index("rumours")
    sc = close(sc, 3)
    assert (sc.score_of(0), sc.score_of(1)) == (0, 3)
