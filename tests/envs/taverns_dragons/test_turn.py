"""Main actions, moves and collecting (sections 1.2 to 1.4, 3.2 and 3.3 of the rules)."""

import pytest

from tests.envs.taverns_dragons import page
from tests.envs.scene import rule
from tests.envs.taverns_dragons.scene import Scene


def ends(start: int, minion: str, value: int) -> set[str]:
    """Return all zones where a minion may end."""
    found, ways = set(), [[]]
    while ways:
        way: list[str] = ways.pop()
        sc = Scene().minion(0, minion, page.ZONES[start]).dice(0, value, 4).act(f"move:{minion}_{value}", *way)
        if sc.question == "fork":
            ways += [[*way, option] for option in sc.options()]
        else:
            found.add(sc.zone_of(0, minion))
    return found


@rule("TD-A6")
@pytest.mark.parametrize("start", range(9))
def test_ways(start: int) -> None:
    for steps, zones in enumerate(page.ENDS[start], start=1):
        wanted = {page.ZONES[zone] for zone in zones}
        if steps <= 4:
            assert ends(start, "plain", steps) == wanted
        if steps > 1:
            assert ends(start, "booted", steps - 1) == wanted


@rule("TD-T3")
def test_the_booted_minion_goes_a_zone_further() -> None:
    assert ends(0, "booted", 1) == {"wood"}
    sc = Scene().dice(0, 1, 4).act("move:booted_1")
    assert (sc.zone_of(0, "booted"), sc.die_of(0, "booted"), sc.dice_of(0)) == ("wood", 1, [4])


def test_the_sturdy_minion_goes_as_its_die() -> None:
    assert ends(0, "sturdy", 2) == {"wood"}


def test_the_maple_gives_a_rune() -> None:
    assert Scene().minion(0, "plain", "pass").act("move:plain_1").runes_of(0) == 1
    assert Scene().minion(0, "plain", "pass").act("move:plain_2", "go:marsh").runes_of(0) == 1
    sc = Scene().minion(0, "plain", "wood").act("move:plain_3", "go:pass", "go:caves")
    assert (sc.runes_of(0), sc.zone_of(0, "plain")) == (1, "caves")
    sc = Scene().minion(0, "plain", "wood").act("move:plain_3", "go:marsh")
    assert (sc.runes_of(0), sc.zone_of(0, "plain")) == (0, "caves")


@rule("TD-T5")
def test_no_fourth_rune() -> None:
    sc = Scene().runes(3).minion(0, "plain", "pass").act("move:plain_1")
    assert (sc.runes_of(0), sc.zone_of(0, "plain")) == (3, "maple")


@rule("TD-A7")
def test_runes_only_for_entering_the_maple_by_a_step() -> None:
    sc = Scene().minion(0, "plain", "maple").act("move:plain_1", "go:marsh")
    assert sc.runes_of(0) == 0
    sc = Scene().places(A="portal").energy(5).tokens(maple=["egg"]).stand("plain", "meadow").act("visit:A", "go:maple")
    assert (sc.runes_of(0), sc.zone_of(0, "plain")) == (0, "maple")
    sc = Scene().heroes(0, "runner").minion(0, "plain", "pass").act("ability:runner").answer("minion", "minion:plain")
    assert (sc.runes_of(0), sc.zone_of(0, "plain")) == (1, "maple")


@rule("TD-A2")
def test_a_minion_moves_once_a_round() -> None:
    sc = Scene(2).dice(0, 1, 2, 2, 3, 3).act("move:plain_1").end().skip()
    assert sc.turn == 0
    assert sc.options("move") == [f"move:{m}_{k}" for m in ("booted", "sturdy") for k in (2, 3)]
    sc.finish_round()
    assert {name.split("_")[0] for name in sc.options("move")} == {"move:plain", "move:booted", "move:sturdy"}


@rule("TD-T7")
def test_passing_the_city_stores_nothing() -> None:
    sc = Scene().minion(0, "plain", "caves", ["plant", "egg"]).act("move:plain_3").end()
    assert (sc.zone_of(0, "plain"), sc.bag_of(0, "plain"), sc.pantry_of(0)) == ("meadow", ["plant", "egg"], [])


@rule("TD-A5")
def test_any_minion_standing_in_the_city_stores_and_heals() -> None:
    off = {"switch.auto_city": "off"}
    sc = Scene(overrides=off).minion(0, "sturdy", bag=["plant", "egg"], wounds=1).minion(0, "plain", "pass", ["spice"], 1)
    assert sc.options("store") + sc.options("heal") == ["store:sturdy", "heal:sturdy"]
    sc.act("store:sturdy", "heal:sturdy")
    assert (sc.pantry_of(0), sc.bag_of(0, "sturdy"), sc.wounds_of(0, "sturdy")) == (["plant", "egg"], [], 0)
    sc = Scene(overrides=off).minion(0, "plain", "caves", [], 1).dice(0, 3, 4).act("move:plain_3")
    assert (sc.zone_of(0, "plain"), sc.wounds_of(0, "plain")) == ("meadow", 1)
    sc = Scene().minion(0, "plain", "caves", [], 1).dice(0, 3, 4).act("move:plain_3")
    assert sc.wounds_of(0, "plain") == 1


@rule("TD-T6")
def test_storing_and_healing_in_the_city() -> None:
    sc = Scene().minion(0, "sturdy", "road", ["plant", "mushroom"], 1).act("move:sturdy_1").end()
    assert (sc.zone_of(0, "sturdy"), sc.pantry_of(0)) == ("city", ["plant", "mushroom"])
    assert (sc.bag_of(0, "sturdy"), sc.wounds_of(0, "sturdy")) == ([], 0)


@rule("TD-A31")
def test_the_city_heals_at_once_and_stores_at_the_end_of_the_turn() -> None:
    sc = Scene().heroes(0, "summoner").minion(0, "sturdy", "road", ["plant", "mushroom"], 1).act("move:sturdy_1")
    assert (sc.wounds_of(0, "sturdy"), sc.bag_of(0, "sturdy"), sc.pantry_of(0)) == (0, ["plant", "mushroom"], [])
    assert sc.legal("store:sturdy")
    sc.end()
    assert (sc.turn, sc.bag_of(0, "sturdy"), sc.pantry_of(0)) == (1, [], ["plant", "mushroom"])
    sc = Scene().minion(0, "sturdy", "road", ["plant", "mushroom"]).runes(1).act("move:sturdy_1", "store:sturdy")
    assert (sc.turn, sc.pantry_of(0)) == (0, ["plant", "mushroom"])


# Cooking


@rule("TD-T8")
def test_cooking_from_the_second_space() -> None:
    sc = Scene().pantry(0, "plant", "mushroom", "spice").recipes("herb_broth", "royal_casserole", "great_cauldron")
    sc.act("cook:2_with_3")
    assert (sc.score_of(0), sc.pantry_of(0), sc.cooked_by(0)) == (11, [], ["royal_casserole"])
    assert sc.shown[1:] == ["herb_broth", "great_cauldron"]
    assert sc.shown[0] not in ("herb_broth", "great_cauldron", "royal_casserole")


@rule("TD-A29")
def test_cooking_refills_the_display_and_discards_nothing() -> None:
    sc = Scene().pantry(0, "plant", "plant").recipes("great_cauldron", "herb_broth", "flamed_egg", "spice_feast").act("cook:2_with_1")
    assert (len(sc.shown), sc.shown[1:], sc.thrown) == (4, ["great_cauldron", "flamed_egg", "spice_feast"], [])


@pytest.mark.parametrize("card", page.RECIPES)
def test_each_recipe(card: str) -> None:
    """A recipe can be cooked with its ingredients and one of each kind left over, and not with one of them missing."""
    needs, points = page.RECIPES[card]
    wanted = [kind for kind, n in zip(page.INGREDIENTS, needs, strict=True) for _ in range(n)]
    sc = Scene().pantry(0, *wanted, *page.INGREDIENTS).recipes(card).act("cook:1_with_2")
    assert (sc.score_of(0), sc.pantry_of(0), sc.cooked_by(0)) == (points + 2, list(page.INGREDIENTS), [card])
    for kind in set(wanted):
        others = [other for other in wanted if other != kind]
        short = [kind] * (wanted.count(kind) - 1)
        assert Scene().pantry(0, *others, *short).recipes(card).options("cook") == []


def test_any_die_cooks_and_as_often_as_one_likes() -> None:
    sc = Scene().pantry(0, *["plant"] * 4, "mushroom", "mushroom").recipes("herb_broth", "mushroom_skewers")
    assert sc.options("cook") == [f"cook:{space}_with_{k}" for space in (1, 2) for k in (1, 2, 3, 4)]
    sc.act("cook:1_with_4").end().skip()
    sc.act("cook:2_with_1")
    assert (sc.score_of(0), sc.cooked_by(0)) == (4 + 4 + 5 + 1, ["herb_broth", "mushroom_skewers"])


# Bank and source


@pytest.mark.parametrize(("action", "gold"), [("bank:1", 1), ("bank:2", 2), ("bank:3", 3), ("bank:4", 4)])
def test_each_space_of_the_bank(action: str, gold: int) -> None:
    sc = Scene().act(action)
    assert sc.gold_of(0) == gold


@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_the_blank_space_takes_any_die(value: int) -> None:
    assert Scene().act(f"bank_blank:{value}").gold_of(0) == 2


def test_one_die_a_space_and_one_a_player_and_round() -> None:
    sc = Scene(3).act("bank:2").end()
    assert "bank:2" not in sc.options("bank")
    sc.act("bank_blank:2").end()
    assert sc.options("bank_blank") == []
    assert sc.options("bank") == ["bank:1", "bank:3", "bank:4"]
    sc.act("bank:1").end()
    assert (sc.turn, sc.options("bank"), sc.options("bank_blank")) == (0, [], [])
    sc.finish_round()
    for seat in range(3):
        sc.dice(seat, 1, 2, 3, 4)
    assert len(sc.options("bank")) == 4


@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_the_source_gives_as_much_energy_as_the_die_shows(value: int) -> None:
    sc = Scene(2).act(f"source:{value}").end()
    assert sc.energy_of(0) == value
    sc.skip()
    assert (sc.turn, sc.options("source")) == (0, [])


def test_everybody_may_use_the_source() -> None:
    sc = Scene(3).act("source:4").end().act("source:4").end().act("source:4").end()
    assert [sc.energy_of(seat) for seat in range(3)] == [4, 4, 4]


@rule("TD-T11")
def test_energy_stops_at_five() -> None:
    assert Scene().energy(4).act("source:3").energy_of(0) == 5


@rule("TD-A16")
def test_energy_and_runes_above_the_limit_are_lost() -> None:
    assert Scene().energy(5).act("source:4").energy_of(0) == 5
    assert Scene().runes(3).minion(0, "plain", "pass").act("move:plain_2", "go:marsh").runes_of(0) == 3


@rule("TD-T10")
def test_the_die_that_can_be_placed_must_be() -> None:
    sc = Scene(2).dice(0, 3, 3, 2).bank_taken("three", "blank").sourced(0).recipes("herb_broth")
    for minion in page.MINIONS:
        sc.minion(0, minion, die=1)
    assert sc.options() == ["bank:2"]
    sc.act("bank:2")
    assert (sc.gold_of(0), sc.dice_of(0)) == (2, [3, 3])


@rule("TD-A17")
def test_a_die_is_discarded_only_if_none_can_be_placed() -> None:
    sc = Scene(2).dice(0, 3, 3, 2).banked(0).sourced(0).recipes("herb_broth")
    for minion in page.MINIONS:
        sc.minion(0, minion, die=1)
    assert sc.options() == ["discard:2", "discard:3"]
    sc.act("discard:3")
    assert (sc.turn, sc.gold_of(0), sc.energy_of(0), sc.dice_of(0)) == (1, 0, 0, [2, 3])
    assert Scene().options("discard") == []


# Collecting


def test_collecting_tokens_and_printed_ingredients() -> None:
    sc = Scene().tokens(wood=["spice"]).stand("plain", "wood")
    assert sc.options("collect") == ["collect:plant", "collect:spice"]
    sc.act("collect:spice")
    assert (sc.bag_of(0, "plain"), sc.tokens_in("wood")) == (["spice"], [])
    sc = Scene().stand("plain", "wood").act("collect:plant")
    assert sc.bag_of(0, "plain") == ["plant"]
    sc = Scene().stand("plain", "marsh").act("collect:mushroom")
    assert sc.bag_of(0, "plain") == ["mushroom"]


def test_printed_ingredients_do_not_run_out_and_tokens_go_last() -> None:
    """Two minions in turn collect the printed plant of the wood."""
    sc = Scene().stand("plain", "wood").act("collect:plant").end().skip().stand("sturdy", "wood").act("collect:plant")
    assert (sc.bag_of(0, "plain"), sc.bag_of(0, "sturdy")) == (["plant"], ["plant"])


def test_collecting_once_a_turn() -> None:
    sc = Scene().runes(1).tokens(**{"pass": ["egg", "plant"]}).stand("plain", "pass").act("collect:egg")
    assert (sc.turn, sc.options("collect")) == (0, [])


@pytest.mark.parametrize(("minion", "slots"), [("plain", 2), ("booted", 2), ("sturdy", 3)])
def test_slots_hold_ingredients_and_wounds(minion: str, slots: int) -> None:
    def table(load: int, wounds: int) -> Scene:
        return Scene().runes(1).minion(0, minion, bag=["plant"] * load, wounds=wounds).tokens(road=["egg"]).stand(minion, "road")

    assert table(slots - 1, 0).legal("collect:egg")
    assert table(slots - 2, 1).legal("collect:egg")
    assert not table(slots, 0).legal("collect:egg")
    assert not table(slots - 1, 1).legal("collect:egg")
    assert not table(0, slots).legal("collect:egg")


@rule("TD-A4")
def test_collecting_where_the_minion_stands() -> None:
    sc = Scene().tokens(canyon=["egg"], caves=["spice"]).stand("plain", "caves")
    assert sc.options("collect") == ["collect:spice"]
    assert sc.options("collect_behind") == []


def test_no_ingredient_is_thrown_away() -> None:
    """A minion with full slots has no action that drops an ingredient."""
    sc = Scene().minion(0, "plain", bag=["plant", "egg"]).tokens(road=["egg"]).runes(1).stand("plain", "road")
    assert {name.split(":")[0] for name in sc.options()} == {"end", "reroll"}


# Free actions


def test_hiring() -> None:
    sc = Scene().gold(4).market("bard", "thief", "champion", "griffin_rider")
    assert sc.options("hire") == ["hire:champion", "hire:bard", "hire:thief"]
    sc.act("hire:bard")
    assert (sc.gold_of(0), sc.ready_of(0), len(sc.market_heroes)) == (1, ["bard"], 4)
    assert {"thief", "champion", "griffin_rider"} < set(sc.market_heroes)
    assert sc.turn == 0


@pytest.mark.parametrize("hero", page.HEROES)
def test_each_hero_costs_his_gold(hero: str) -> None:
    price = page.HEROES[hero][0]
    assert not Scene().gold(price - 1).market(hero).legal(f"hire:{hero}")
    sc = Scene().gold(price).market(hero).act(f"hire:{hero}")
    assert (sc.gold_of(0), sc.ready_of(0)) == (0, [hero])


def test_hiring_before_and_after_the_main_action() -> None:
    sc = Scene().gold(2, 0).market("druid", "oracle", "runner", "jester").act("bank:2", "hire:druid")
    assert (sc.gold_of(0), sc.ready_of(0)) == (2, ["druid"])


def test_the_heroes_on_display_run_out() -> None:
    sc = Scene().gold(20).market("bard", "thief", "druid", "jester")
    sc.s.heroes = 0
    sc.act("hire:bard")
    assert sc.market_heroes == ["druid", "thief", "jester"]


def test_a_rune_rolls_an_available_die_again() -> None:
    sc = Scene().runes(2).dice(0, 1, 1, 3).dice_luck(4).act("reroll:1")
    assert (sc.dice_of(0), sc.runes_of(0), sc.turn) == ([1, 3, 4], 1, 0)
    assert Scene().runes(1).dice(0, 1, 3).options("reroll") == ["reroll:1", "reroll:3"]
    assert Scene().options("reroll") == []


def test_a_turn_is_one_main_action() -> None:
    sc = Scene().runes(1).act("source:2")
    assert sc.turn == 0
    assert {name.split(":")[0] for name in sc.options()} == {"end", "reroll"}
