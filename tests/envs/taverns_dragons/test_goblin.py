"""The module sly goblin (section 4.5 of the rules)."""

from collections import Counter

import alehouse
import pytest
from alehouse.envs.core.run.luck import below

from tests.envs.taverns_dragons import page
from tests.envs.scene import rule
from tests.envs.taverns_dragons.scene import L, Scene


def den(*items: str, seats: int = 3) -> Scene:
    """Return a scene whose first tavern has these items."""
    sc = Scene(seats, ("goblin",))
    sc.s.seat[0].items[:] = [items.count(name) for name in L.ITEM_NAMES]
    return sc.refresh()


def goblin_in(zone: str, top: str = "hourglass", seats: int = 3) -> Scene:
    """Return a scene with the goblin in a zone and all unsold items of one kind."""
    sc = Scene(seats, ("goblin",))
    sc.s.goblin = L.ZONE_NAMES.index(zone)
    sc.s.hoard[:] = [4 * (name == top) for name in L.ITEM_NAMES]
    sc.s.unsold = 4
    return sc.refresh()


def test_every_item_has_a_test() -> None:
    assert list(L.ITEM_NAMES) == list(page.ITEMS)
    assert [name for name in page.ITEMS if f"test_{name}" not in globals()] == []


def test_he_comes_in_odd_rounds_with_one_item_a_player() -> None:
    for played in range(1, 7):
        sc = Scene(3, ("goblin",)).in_round(played).last_turn().act("bank_blank:4").end()
        assert (sc.s.goblin >= 0) == (played % 2 == 0)
        assert sc.s.goblin_items == (3 if played % 2 == 0 else 0)


def test_he_sits_where_two_dice_say() -> None:
    t = alehouse.Tables("taverns_dragons-4p-goblin", n=1000)
    zones = Counter(int(zone) for zone in t.states["goblin"])
    ways = {zone: sum(a + b == zone for a in (1, 2, 3, 4) for b in (1, 2, 3, 4)) for zone in range(2, 9)}
    assert zones.keys() == ways.keys()
    assert all(abs(zones[zone] - 1000 * n / 16) < 5 * (1000 * n / 16) ** 0.5 for zone, n in ways.items())
    assert set(t.states["goblin_items"]) == {4}


@rule("TD-T28")
def test_buying_of_the_goblin() -> None:
    sc = goblin_in("maple", "winged_boots").gold(2).minion(0, "plain", "maple").act("buy")
    assert (sc.gold_of(0), sc.items_of(0), sc.s.goblin_items, sc.turn) == (1, ["winged_boots"], 2, 0)
    assert not sc.legal("buy")
    sc = goblin_in("maple").gold(1).minion(0, "plain", "maple").act("buy")
    assert (sc.gold_of(0), len(sc.items_of(0))) == (0, 1)


def test_he_sits_on_the_sum_of_1_and_3() -> None:
    v = alehouse.variant("taverns_dragons", seats=3, modules=("goblin",))
    t = alehouse.Tables(v, n=1, autoreset=False)
    seed = next(s for s in range(1000) if [int(below(s, L.GOBLIN_ROLL, 0, 0, k, 4)) + 1 for k in (0, 1)] == [1, 3])
    t.reset(seeds=[seed])
    assert t.states[0].goblin == 4


def test_any_minion_of_ones_own_in_his_zone_at_any_time() -> None:
    assert goblin_in("maple").gold(1).minion(0, "sturdy", "maple").legal("buy")
    assert not goblin_in("maple").gold(1).minion(1, "sturdy", "maple").legal("buy")
    assert not goblin_in("maple").gold(0).minion(0, "sturdy", "maple").legal("buy")
    sc = goblin_in("maple").runes(1).gold(1).minion(0, "sturdy", "maple").act("source:1")
    assert sc.legal("buy")


def test_nothing_to_buy_when_all_is_sold() -> None:
    sc = goblin_in("maple").gold(1).minion(0, "sturdy", "maple")
    sc.s.goblin_items = 0
    assert not sc.refresh().legal("buy")


def test_a_purchase_each_turn() -> None:
    sc = goblin_in("maple", seats=2).gold(5).minion(0, "sturdy", "maple").act("buy", "source:1").end().skip()
    assert sc.legal("buy")


@rule("TD-A20")
def test_unsold_items_leave_with_the_goblin() -> None:
    sc = goblin_in("maple").in_round(1).last_turn().act("bank_blank:4").end()
    assert (sc.s.goblin_items, sc.s.goblin) == (0, -1)
    for seat in range(3):
        for minion in page.MINIONS:
            sc.minion(seat, minion, "maple")
    assert not sc.gold(5, 5, 5).legal("buy")
    assert sum(L.NUMBERS.column("items", "copies")) >= 4 * 5


def test_an_item_works_once() -> None:
    sc = den("hourglass").heroes(0, tired=["bard", "thief"]).act("item:hourglass", "hero:bard")
    assert (sc.items_of(0), sc.s.seat[0].used[L.HOURGLASS], sc.legal("item:hourglass")) == ([], 1, False)
    assert den("hourglass", "hourglass").heroes(0, tired=["bard", "thief"]).act("item:hourglass", "hero:bard").legal("item:hourglass")


def test_gelatinous_cube() -> None:
    sc = den("gelatinous_cube").pantry(0, "plant", "plant").recipes("dragon_tartare").act("cook:1_with_2").answer("cube", "cube:meat")
    assert (sc.score_of(0), sc.pantry_of(0), sc.items_of(0), sc.cooked_by(0)) == (9, ["plant"], [], ["dragon_tartare"])
    assert sc.s.seat[0].used[L.CUBE] == 1


@rule("TD-A19")
def test_the_cube_stands_for_what_one_does_not_have() -> None:
    sc = den("gelatinous_cube").recipes("kings_banquet")
    assert sc.pantry(0, "plant", "mushroom", "spice").legal("cook:1_with_1")
    assert sc.pantry(0, "plant", "mushroom", "meat").legal("cook:1_with_1")
    assert not sc.pantry(0, "plant", "mushroom").legal("cook:1_with_1")
    assert not sc.pantry(0, "plant", "plant", "egg", "egg").legal("cook:1_with_1")
    sc = den("gelatinous_cube").recipes("spiced_caps").pantry(0, "mushroom", "spice").act("cook:1_with_1")
    assert sc.options() == ["done", "cube:mushroom", "cube:spice"]
    sc.act("cube:spice")
    assert (sc.pantry_of(0), sc.items_of(0), sc.score_of(0)) == (["spice"], [], 7)
    sc = den("gelatinous_cube").recipes("spiced_caps").pantry(0, "mushroom", "spice").act("cook:1_with_1", "done")
    assert (sc.pantry_of(0), sc.items_of(0), sc.score_of(0)) == ([], ["gelatinous_cube"], 7)


def test_two_cubes_in_one_recipe() -> None:
    sc = den("gelatinous_cube", "gelatinous_cube").recipes("spice_feast").pantry(0, "plant").act("cook:1_with_1")
    while sc.question == "cube":
        sc.act("cube:spice")
    assert (sc.pantry_of(0), sc.items_of(0), sc.score_of(0)) == ([], [], 10)
    assert not den("gelatinous_cube").recipes("spice_feast").pantry(0, "plant").legal("cook:1_with_1")


def test_potion_of_life() -> None:
    sc = den("potion_of_life").minion(0, "plain", "wood", wounds=1).minion(0, "sturdy", "wood", wounds=3)
    sc.act("item:potion_of_life", "minion:sturdy")
    assert (sc.wounds_of(0, "sturdy"), sc.wounds_of(0, "plain"), sc.items_of(0)) == (0, 1, [])
    assert not den("potion_of_life").legal("item:potion_of_life")


def test_lucky_talisman() -> None:
    assert not den("lucky_talisman").legal("item:lucky_talisman")
    sc = den("lucky_talisman").runes(1).tokens(canyon=["plant"], road=["spice"]).stand("plain", "canyon").act("collect:plant")
    sc.dice_luck(2).act("item:lucky_talisman").answer("minion", "minion:plain")
    assert (sc.zone_of(0, "plain"), sc.die_of(0, "plain"), sc.items_of(0)) == ("road", 2, [])
    sc.act("collect:spice")
    assert sc.bag_of(0, "plain") == ["plant", "spice"]


def test_both_minions_activated_in_a_turn_answer_the_kings_call() -> None:
    sc = den("lucky_talisman").in_round(7).minion(0, "sturdy", "caves", ["egg"], die=1).minion(0, "booted", "wood", ["spice"])
    sc.minion(0, "plain", bag=["plant"]).runes(1).stand("plain", "canyon")
    sc.dice_luck(1).act("item:lucky_talisman").answer("minion", "minion:sturdy").end()
    assert (sc.zone_of(0, "sturdy"), sc.pantry_of(0), sc.bag_of(0, "booted")) == ("road", ["plant", "egg"], ["spice"])


@rule("TD-A28")
def test_talisman_on_the_booted_minion() -> None:
    sc = den("lucky_talisman").runes(1).minion(0, "booted", "canyon", die=1).minion(0, "plain", "wood")
    sc.dice_luck(1).act("item:lucky_talisman").answer("minion", "minion:booted")
    assert (sc.zone_of(0, "booted"), sc.zone_of(0, "plain"), sc.die_of(0, "booted")) == ("road", "wood", 1)
    assert any(name.startswith("move:plain") for name in sc.options())


def test_winged_boots() -> None:
    sc = den("winged_boots").minion(0, "sturdy", "wood", ["egg"]).act("item:winged_boots", "minion:sturdy")
    assert sc.options() == [f"go:{zone}" for zone in page.ZONES if zone != "wood"]
    sc.act("go:maple")
    assert (sc.zone_of(0, "sturdy"), sc.runes_of(0), sc.bag_of(0, "sturdy"), sc.items_of(0)) == ("maple", 0, ["egg"], [])


def test_winged_boots_within_an_activation() -> None:
    sc = den("winged_boots").tokens(road=["egg"]).runes(1).stand("plain", "canyon")
    sc.act("item:winged_boots", "minion:plain", "go:road", "collect:egg")
    assert sc.bag_of(0, "plain") == ["egg"]


def test_hourglass() -> None:
    sc = den("hourglass").heroes(0, "jester", tired=["bard", "thief"]).act("item:hourglass")
    assert sc.options() == ["hero:bard", "hero:thief"]
    sc.act("hero:bard")
    assert (sc.ready_of(0), sc.tired_of(0), sc.items_of(0)) == (["bard", "jester"], ["thief"], [])
    assert not den("hourglass").heroes(0, "bard").legal("item:hourglass")


def test_a_chef_readied_again_does_not_season_the_same_dish_twice() -> None:
    sc = den("hourglass").heroes(0, "royal_chef").pantry(0, "plant", "plant").recipes("herb_broth").runes(1)
    sc.act("cook:1_with_2", "ability:royal_chef", "item:hourglass")
    assert (sc.ready_of(0), sc.score_of(0), sc.legal("ability:royal_chef")) == (["royal_chef"], 8, False)


def test_enchanted_glaive() -> None:
    def window() -> Scene:
        return den("enchanted_glaive").dragon("stormcrest").energy(1).stand("plain", "road").hunt("flame").act("item:enchanted_glaive")

    assert not den("enchanted_glaive").legal("item:enchanted_glaive")
    sc = window()
    assert sc.options() == ["strike:sword", "strike:bow"]
    sc.act("strike:bow").attack(2)
    assert (sc.free_boxes, sc.items_of(0)) == ([(2, 0), (0, 1), (1, 1), (1, 2)], [])
    sc = den("enchanted_glaive").dragon("stormcrest", [(0, 0), (0, 2), (0, 1), (0, 2)]).energy(1).stand("plain", "road").hunt("flame")
    assert sc.act("item:enchanted_glaive").options("strike") == []
    assert sc.attack(2).free_boxes == [(0, 0), (0, 1), (0, 1), (0, 2)]
    assert window().act("strike:sword").attack(4).free_boxes == [(2, 0), (0, 2), (1, 1), (0, 2)]


@pytest.mark.parametrize("modules", [(), ("goblin",)])
def test_without_the_module_there_is_no_goblin(modules: tuple[str, ...]) -> None:
    sc = Scene(3, modules, blank=False)
    assert (sc.s.goblin >= 0) == bool(modules)
    assert (sc.s.goblin_items > 0) == bool(modules)
