"""The eight places (sections 1.5 and 3.3 of the rules)."""

import pytest

from tests.envs.taverns_dragons import page
from tests.envs.scene import rule
from tests.envs.taverns_dragons.scene import L, Scene


def beside(place: str, seats: int = 2, minion: str = "plain", energy: int = 5, **more: object) -> Scene:
    """Return a scene in which a minion has come to the canyon, beside a place on slot C, with a rune in reserve."""
    sc = Scene(seats, **more).places(C=place, A="caravan" if place != "caravan" else "market")  # type: ignore[arg-type]
    return sc.energy(energy).runes(1).tokens(canyon=["plant", "egg"]).stand(minion, "canyon")


def test_every_place_has_a_test() -> None:
    assert [name for name in page.PLACES if f"test_{name}" not in globals()] == []


@pytest.mark.parametrize("place", [name for name, cost in page.PLACES.items() if cost])
def test_a_place_costs_its_energy(place: str) -> None:
    cost = page.PLACES[place]
    assert beside(place, energy=cost).legal("visit:C")
    assert not beside(place, energy=cost - 1).legal("visit:C")
    sc = beside(place).act("visit:C")
    assert (sc.energy_of(0), sc.s.paid[2]) == (5 - cost, 1)


@pytest.mark.parametrize(
    ("slot", "zones"), [("A", page.SLOTS["a"]), ("B", page.SLOTS["b"]), ("C", page.SLOTS["c"]), ("D", page.SLOTS["d"])]
)
def test_only_beside_the_zone(slot: str, zones: tuple[int, ...]) -> None:
    for zone, name in enumerate(page.ZONES):
        sc = Scene().places(**{slot: "enchanted_runes"}).energy(5).runes(1).stand("plain", name)
        assert sc.legal(f"visit:{slot}") == (zone in zones)


def test_only_for_the_minion_moved_in_this_turn() -> None:
    sc = Scene().energy(5).runes(1).minion(0, "plain", "canyon")
    assert sc.options("visit") == []
    sc.act("source:1")
    assert sc.options("visit") == []


def test_several_places_in_one_turn_each_once() -> None:
    sc = Scene(3).places(C="enchanted_runes", D="portal").energy(5).stand("plain", "caves").act("visit:C")
    assert sc.options("visit") == ["visit:D"]
    sc.act("visit:D", "go:canyon")
    assert sc.options("visit") == []


@rule("TD-A25")
def test_another_minion_may_use_the_other_space() -> None:
    sc = beside("enchanted_runes", seats=3).act("visit:C")
    assert not sc.legal("visit:C")
    sc.end().skip().skip().stand("sturdy", "canyon")
    assert sc.turn == 0
    sc.act("visit:C")
    assert sc.s.paid[2] == 2
    sc = beside("enchanted_runes", seats=2).act("visit:C").end().skip().stand("sturdy", "canyon")
    assert not sc.legal("visit:C")


@rule("TD-T33", "TD-A37")
def test_a_second_minion_may_visit_what_the_first_has_visited() -> None:
    def table(talismans: int) -> Scene:
        sc = Scene(3, ("goblin",)).places(C="enchanted_runes").energy(5).minion(0, "sturdy", "marsh", die=2)
        sc.s.seat[0].items[L.TALISMAN] = talismans
        return sc.refresh().stand("plain", "canyon").act("visit:C")

    sc = table(1).dice_luck(1).act("item:lucky_talisman", "minion:sturdy")
    assert (sc.zone_of(0, "sturdy"), sc.options("visit")) == ("canyon", ["visit:C"])
    sc.act("visit:C")
    assert (sc.runes_of(0), sc.s.paid[2]) == (2, 2)
    sc = table(1).dice_luck(1).act("item:lucky_talisman", "minion:plain")
    assert (sc.zone_of(0, "plain"), sc.s.paid[2], sc.options("visit")) == ("caves", 1, [])
    sc = table(2).dice_luck(1, 1).act("item:lucky_talisman", "minion:sturdy", "item:lucky_talisman", "minion:plain")
    assert (sc.zone_of(0, "plain"), sc.s.paid[2], sc.options("visit")) == ("caves", 1, [])


def test_spaces_are_free_again_in_the_next_round() -> None:
    sc = beside("enchanted_runes").act("visit:C").end()
    sc.finish_round()
    assert list(sc.s.paid) == [0, 0, 0, 0]


@rule("TD-T18")
def test_campfire() -> None:
    sc = beside("campfire", seats=3).act("collect:plant").tokens(road=["spice"]).dice_luck(2).act("visit:C")
    assert (sc.zone_of(0, "plain"), sc.die_of(0, "plain"), sc.energy_of(0)) == ("road", 2, 3)
    sc.act("collect:spice")
    assert sc.bag_of(0, "plain") == ["plant", "spice"]
    sc = beside("campfire", minion="booted").dice_luck(2).act("visit:C")
    assert sc.zone_of(0, "booted") == "city"
    sc = Scene(3).places(C="campfire").energy(5).runes(1).tokens(marsh=["egg"]).stand("plain", "marsh").dice_luck(1).act("visit:C")
    assert (sc.zone_of(0, "plain"), sc.legal("visit:C")) == ("canyon", False)
    sc = Scene(3).places(C="campfire").dragon("stormcrest").energy(5).stand("plain", "caves").hunt("sword").attack(1)
    assert sc.options("hunt") == []
    sc.dice_luck(1).act("visit:C")
    assert (sc.zone_of(0, "plain"), sc.options("hunt")) == ("road", ["hunt:1", "hunt:2"])


def test_campfire_by_way_of_the_maple_gives_a_rune() -> None:
    sc = Scene().places(A="campfire").energy(5).runes(1).tokens(**{"pass": ["egg"]}).stand("plain", "pass").dice_luck(1).act("visit:A")
    assert (sc.zone_of(0, "plain"), sc.runes_of(0)) == ("maple", 2)


@rule("TD-A28")
def test_the_new_value_replaces_the_die() -> None:
    sc = beside("campfire", minion="booted").dice_luck(3).act("visit:C")
    assert (sc.die_of(0, "booted"), sc.zone_of(0, "booted")) == (3, "meadow")


@rule("TD-T19")
def test_portal() -> None:
    sc = beside("portal").tokens(maple=["egg"]).act("visit:C")
    assert sc.options() == [f"go:{zone}" for zone in page.ZONES if zone != "canyon"]
    sc.act("go:maple")
    assert (sc.zone_of(0, "plain"), sc.runes_of(0)) == ("maple", 1)
    assert sc.act("collect:egg").bag_of(0, "plain") == ["egg"]


def test_portal_to_the_city_heals() -> None:
    sc = Scene().places(C="portal").energy(1).runes(1).minion(0, "plain", bag=["egg"], wounds=1).stand("plain", "canyon")
    sc.act("visit:C", "go:city")
    assert (sc.wounds_of(0, "plain"), sc.end().pantry_of(0)) == (0, ["egg"])


def test_enchanted_runes() -> None:
    assert beside("enchanted_runes").act("visit:C").runes_of(0) == 2


def test_caravan() -> None:
    sc = Scene().places(C="caravan").energy(2).minion(0, "sturdy", bag=["plant", "egg"], wounds=1).minion(0, "plain", "wood", ["spice"])
    sc.stand("sturdy", "canyon").act("visit:C")
    assert (sc.pantry_of(0), sc.bag_of(0, "sturdy"), sc.bag_of(0, "plain")) == (["plant", "egg"], [], ["spice"])
    assert sc.wounds_of(0, "sturdy") == 1


def test_dungeon() -> None:
    sc = beside("dungeon").dungeon_luck("coin", "treasure").act("visit:C")
    assert (sc.question, sc.gold_of(0), sc.options()) == ("search", 1, ["done", "search"])
    sc.act("search")
    assert (sc.gold_of(0), sc.score_of(0)) == (1, 2)
    sc.act("done")
    assert (sc.turn, sc.question, sc.wounds_of(0, "plain")) == (0, "turn", 0)
    sc = beside("dungeon").dungeon_luck("trap").act("visit:C")
    assert (sc.question, sc.wounds_of(0, "plain"), sc.gold_of(0)) == ("turn", 1, 0)


def test_a_dungeon_with_all_its_riches_found() -> None:
    sc = beside("dungeon").dungeon_luck("relic", "purse", "coin", "treasure").act("visit:C", "search", "search", "search")
    assert (sc.question, sc.gold_of(0), sc.score_of(0), sc.wounds_of(0, "plain")) == ("turn", 3, 3, 0)


def test_dungeon_tokens_are_turned_down_when_the_search_ends() -> None:
    def gold(sc: Scene) -> int:
        return sc.end().skip().skip().dungeon_luck("coin").stand("sturdy", "canyon").act("visit:C").gold_of(0)

    assert gold(beside("dungeon", seats=3).dungeon_luck("coin").act("visit:C", "done")) == 2
    assert gold(beside("dungeon", seats=3).dungeon_luck("coin", "trap").act("visit:C", "search")) == 2


def test_each_dungeon_token_comes_up() -> None:
    found = set()
    for token in L.NUMBERS.rows("dungeon"):
        sc = beside("dungeon").dungeon_luck(token).act("visit:C")
        found.add((sc.gold_of(0), sc.score_of(0), sc.wounds_of(0, "plain")))
    assert found == {(1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 2, 0), (0, 0, 1)}


def smithy(*tokens: str, energy: int = 5) -> Scene:
    """Return a scene in which a minion is beside the forge, which has these tokens left, and the fresh Stormcrest."""
    sc = Scene(3).places(C="forge").dragon("stormcrest").energy(energy).runes(1)
    sc.s.forge = sum(1 << L.NUMBERS.rows("forge").index(token) for token in tokens)
    return sc.stand("plain", "caves")


def test_forge() -> None:
    sc = smithy("blade").act("visit:C")
    assert (sc.s.seat[0].forge, sc.s.forge) == (1, 0)
    sc.hunt("claw").attack(1)
    assert sc.free_boxes == [(1, 0), (0, 2), (1, 1), (1, 2)]
    assert (sc.s.seat[0].forge, sc.s.forge) == (0, 1)
    assert not smithy().legal("visit:C")


@pytest.mark.parametrize(("token", "boxes"), [("blade", [(1, 0), (0, 2), (1, 1), (1, 2)]), ("arrow", [(2, 0), (0, 1), (1, 1), (1, 2)])])
def test_blade_and_arrow(token: str, boxes: list[tuple[int, int]]) -> None:
    sc = smithy(token).act("visit:C").hunt("claw").attack(1 if token == "blade" else 2)
    assert (sc.free_boxes, sc.wounds_of(0, "plain")) == (boxes, 1)


def test_horn() -> None:
    sc = smithy("horn").act("visit:C").hunting_luck("sword", "bow").act("hunt:1")
    assert sc.hunting == ["sword", "bow"]


def test_charm() -> None:
    sc = smithy("charm").act("visit:C").hunt("claw")
    assert sc.hunting == ["claw"]
    sc.act("charm")
    assert sc.options() == ["turn:claw_to_sword", "turn:claw_to_bow", "turn:claw_to_flame"]
    sc.act("turn:claw_to_sword")
    assert (sc.hunting, sc.legal("charm")) == (["sword"], False)
    sc.attack(1)
    assert (sc.free_boxes[0], sc.wounds_of(0, "plain")) == ((1, 0), 0)


def test_a_charm_left_unused_is_gone() -> None:
    sc = smithy("charm").act("visit:C").hunt("claw").attack().end().skip().skip()
    sc.energy(1).runes(1).stand("sturdy", "caves").hunt("claw")
    assert (sc.question, sc.legal("charm")) == ("hunt", False)


def test_shield() -> None:
    sc = smithy("shield").heroes(0, "bard").act("visit:C").hunt("claw", "flame").attack()
    assert (sc.wounds_of(0, "plain"), sc.tired_of(0)) == (0, [])


def test_all_tokens_held_are_used_at_once_and_only_once() -> None:
    sc = smithy("blade", energy=5)
    sc.s.seat[0].forge = 0b00110  # arrow and horn
    sc.act("visit:C").hunting_luck("claw", "claw").act("hunt:1").attack()
    while sc.question == "line":
        sc.act(sc.options()[0])
    assert sum(swords + bows for swords, bows in sc.free_boxes) == 9 - 2
    assert (sc.wounds_of(0, "plain"), sc.s.seat[0].forge, sc.s.forge) == (2, 0, 0b00111)


@rule("TD-A27")
def test_a_forge_bonus_without_use_is_lost() -> None:
    sc = smithy("blade").dragon("stormcrest", [(0, 0), (0, 2), (0, 0), (0, 2)]).act("visit:C").hunt("claw").attack()
    assert sc.free_boxes == [(0, 0), (0, 2), (0, 0), (0, 2)]
    assert (sc.s.seat[0].forge, sc.s.forge) == (0, 1)


@rule("TD-T21")
def test_library() -> None:
    sc = Scene().places(C="library").runes(1).minion(0, "plain", bag=["spice", "egg"]).stand("plain", "canyon")
    sc.act("visit:C")
    assert (sc.gold_of(0), sc.bag_of(0, "plain"), sc.pantry_of(0), sc.s.paid[2]) == (2, ["egg"], [], 1)
    sc = Scene().places(C="library").runes(1).energy(5).pantry(0, "spice").minion(0, "plain", bag=["egg"]).stand("plain", "canyon")
    assert not sc.legal("visit:C")


@rule("TD-T20")
def test_market() -> None:
    def table() -> Scene:
        sc = Scene(3).places(C="market").gold(2).runes(1).minion(0, "plain", bag=["egg", "mushroom"])
        return sc.stand("plain", "canyon").act("visit:C")

    assert table().options() == ["kind:mushroom", "kind:egg"]
    sc = table().act("kind:egg")
    assert (sc.gold_of(0), sc.pantry_of(0), sc.bag_of(0, "plain"), sc.legal("visit:C")) == (0, ["egg"], ["mushroom"], False)
    sc = table().act("kind:mushroom")
    assert (sc.gold_of(0), sc.pantry_of(0), sc.bag_of(0, "plain"), sc.legal("visit:C")) == (1, ["mushroom"], ["egg"], False)


@pytest.mark.parametrize(("kind", "price"), [("plant", 1), ("mushroom", 1), ("spice", 2), ("egg", 2)])
def test_prices_of_the_market(kind: str, price: int) -> None:
    def table(gold: int) -> Scene:
        return Scene().places(C="market").gold(gold).runes(1).minion(0, "plain", bag=[kind]).stand("plain", "canyon")

    assert not table(price - 1).legal("visit:C")
    sc = table(price).act("visit:C").answer("market", f"kind:{kind}")
    assert (sc.gold_of(0), sc.pantry_of(0)) == (0, [kind])


def test_the_market_takes_no_meat() -> None:
    assert not Scene().places(C="market").gold(9).runes(1).minion(0, "plain", bag=["meat"]).stand("plain", "canyon").legal("visit:C")


def test_a_dragon_closes_its_place() -> None:
    sc = Scene(3).places(C="enchanted_runes", D="enchanted_runes").energy(5).dragon("stormcrest").stand("plain", "caves")
    assert sc.options("visit") == ["visit:C"]
