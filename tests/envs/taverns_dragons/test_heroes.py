"""The twenty heroes: their abilities and their bonuses (sections 1.9 and 3.2 of the rules)."""

import pytest

from tests.envs.taverns_dragons import page
from tests.envs.scene import rule
from tests.envs.taverns_dragons.scene import L, Scene

RESOURCES = {hero: bonus for hero, (_, _, bonus) in page.HEROES.items() if bonus not in ("sword", "bow")}
WEAPONS = {hero: bonus for hero, (_, _, bonus) in page.HEROES.items() if bonus in ("sword", "bow")}


def tavern(*heroes: str, seats: int = 3) -> Scene:
    """Return a scene whose first tavern has these heroes, all ready."""
    return Scene(seats).heroes(0, *heroes)


def hunting(*symbols: str, hero: str, energy: int = 5, bag: tuple[str, ...] = ()) -> Scene:
    """Return a scene of a hunt for the fresh Stormcrest, before the attack, with these dice rolled."""
    sc = tavern(hero).dragon("stormcrest").energy(energy).minion(0, "plain", bag=bag).stand("plain", "road")
    return sc.runes(1).hunt(*symbols)


def test_every_hero_has_a_test() -> None:
    assert [name for name in page.HEROES if f"test_{name}" not in globals()] == []


@pytest.mark.parametrize("hero", page.HEROES)
def test_prestige_of_each_hero(hero: str) -> None:
    sc = Scene(2).in_round(7).heroes(1, hero).last_turn().act("bank_blank:4").end()
    assert sc.scores == [0, page.HEROES[hero][1]]


# Bonuses


@pytest.mark.parametrize("hero", RESOURCES)
def test_bonus_of(hero: str) -> None:
    """A bonus is used once a game for 1 energy, whether the hero is ready or not."""
    for ready in (True, False):
        sc = Scene(2).energy(2).heroes(0, *([hero] if ready else []), tired=[] if ready else [hero]).act(f"bonus:{hero}")
        got = {"gold": sc.gold_of(0), "rune": sc.runes_of(0), **{kind: sc.pantry_of(0).count(kind) for kind in page.INGREDIENTS}}
        assert got == dict.fromkeys(got, 0) | {RESOURCES[hero]: 1}
        assert (sc.energy_of(0), sc.bonuses_of(0), sc.legal(f"bonus:{hero}")) == (1, [hero], False)
        assert (sc.ready_of(0) == [hero]) == ready
    assert not Scene(2).energy(0).heroes(0, hero).legal(f"bonus:{hero}")


@pytest.mark.parametrize("hero", WEAPONS)
def test_weapon_of(hero: str) -> None:
    symbol = WEAPONS[hero]
    assert not tavern(hero).energy(5).legal(f"bonus:{hero}")
    sc = hunting("claw", hero=hero, energy=2).act(f"bonus:{hero}").answer("face", f"turn:claw_to_{symbol}")
    assert (sc.energy_of(0), sc.bonuses_of(0)) == (0, [hero])
    line = 1 if symbol == "sword" else 2
    sc.attack(line)
    assert sc.free_boxes[line - 1] == ((1, 0) if symbol == "sword" else (0, 1))
    assert sc.wounds_of(0, "plain") == 0
    assert not hunting("claw", hero=hero, energy=1).legal(f"bonus:{hero}")


def test_a_bonus_comes_once_a_game() -> None:
    sc = tavern("bard").energy(5).act("bonus:bard")
    sc.finish_round()
    while sc.turn != 0:
        sc.skip()
    assert not sc.energy(5).legal("bonus:bard")
    assert sc.heroes(0, "bard", "oracle").runes(0).legal("bonus:oracle")


# Abilities


def test_an_exhausted_hero_rests() -> None:
    sc = tavern("bard").act("ability:bard")
    assert (sc.ready_of(0), sc.tired_of(0), sc.legal("ability:bard")) == ([], ["bard"], False)


def test_only_heroes_of_ones_own() -> None:
    assert Scene(2).heroes(1, "bard", "thief", "druid").options("ability") == []


@rule("TD-T26")
def test_guardian() -> None:
    sc = tavern("guardian").dice(0, 1, 3, 4).act("ability:guardian")
    assert (sc.dice_of(0), sc.tired_of(0)) == ([2, 4, 4], ["guardian"])


@rule("TD-A15")
def test_the_guardian_leaves_placed_dice_alone() -> None:
    sc = tavern("guardian").dice(0, 1, 1, 2).act("move:plain_1", "ability:guardian")
    assert (sc.die_of(0, "plain"), sc.dice_of(0)) == (1, [2, 3])
    sc = tavern("guardian").dice(0, 4, 4, 1).act("source:1")
    assert (sc.energy_of(0), sc.legal("ability:guardian")) == (1, False)


def test_map_bearer() -> None:
    sc = tavern("map_bearer").places(A="enchanted_runes", D="portal").energy(1).runes(1)
    assert not sc.legal("ability:map_bearer")
    sc.stand("plain", "road").act("ability:map_bearer")
    assert sc.options() == ["visit:A", "visit:B", "visit:D"]
    sc.act("visit:A")
    assert (sc.runes_of(0), sc.energy_of(0), sc.s.paid[0], sc.tired_of(0)) == (2, 0, 1, ["map_bearer"])
    assert not tavern("map_bearer").places(A="enchanted_runes").runes(1).stand("plain", "road").legal("ability:map_bearer")


def test_tracker() -> None:
    sc = tavern("tracker").places(A="enchanted_runes", C="enchanted_runes", D="caravan").runes(1).stand("plain", "caves")
    sc.act("ability:tracker")
    assert sc.options() == ["visit:C", "visit:D"]
    sc.act("visit:C")
    assert (sc.runes_of(0), sc.energy_of(0), sc.s.paid[2], sc.legal("visit:C")) == (2, 0, 1, False)
    assert not tavern("tracker").runes(1).stand("plain", "city").legal("ability:tracker")


def test_the_tracker_pays_neither_spice_nor_gold() -> None:
    sc = tavern("tracker").places(C="library").minion(0, "plain", bag=["spice"]).stand("plain", "canyon").act("ability:tracker")
    assert (sc.gold_of(0), sc.bag_of(0, "plain")) == (2, ["spice"])
    sc = tavern("tracker").places(C="market").minion(0, "plain", bag=["egg"]).stand("plain", "canyon").act("ability:tracker")
    assert (sc.gold_of(0), sc.bag_of(0, "plain"), sc.pantry_of(0)) == (0, [], ["egg"])
    sc = tavern("map_bearer").places(A="library").minion(0, "plain", bag=["spice"]).stand("plain", "road").act("ability:map_bearer")
    assert (sc.answer("place", "visit:A").gold_of(0), sc.bag_of(0, "plain")) == (2, [])


@rule("TD-A12")
@pytest.mark.parametrize("hero", ["tracker", "map_bearer"])
def test_tracker_and_map_bearer_need_a_free_space_and_no_dragon(hero: str) -> None:
    def table() -> Scene:
        return tavern(hero).places(A="caravan", B="caravan", C="enchanted_runes", D="caravan").energy(1).runes(1)

    assert table().stand("plain", "marsh").legal(f"ability:{hero}")
    assert not table().paid(C=2).stand("plain", "canyon").legal(f"ability:{hero}")
    assert not table().dragon("bogmaw").stand("plain", "canyon").legal(f"ability:{hero}")
    sc = table().paid(C=1).stand("plain", "canyon").act(f"ability:{hero}").answer("place", "visit:C")
    assert sc.s.paid[2] == 2


@rule("TD-A13")
def test_owl_master() -> None:
    sc = tavern("owl_master").tokens(wood=["egg"]).minion(0, "plain", "wood", ["plant", "plant"]).minion(0, "sturdy", "marsh")
    sc.act("ability:owl_master")
    assert sc.options() == ["minion:plain", "minion:sturdy"]
    sc.act("minion:plain")
    assert sc.options() == ["kind:plant", "kind:egg"]
    sc.act("kind:egg")
    assert (sc.pantry_of(0), sc.tokens_in("wood"), sc.bag_of(0, "plain")) == (["egg"], [], ["plant", "plant"])
    sc = tavern("owl_master").minion(0, "sturdy", "marsh").act("ability:owl_master").answer("minion", "minion:sturdy")
    sc.answer("fetch", "kind:mushroom")
    assert sc.pantry_of(0) == ["mushroom"]
    assert not tavern("owl_master").minion(1, "plain", "wood").legal("ability:owl_master")


@rule("TD-T25")
def test_champion() -> None:
    sc = Scene(2).in_round(2).energy(3).heroes(0, "champion", "bard", tired=["thief"]).act("ability:champion")
    assert (sc.energy_of(0), sc.tired_of(0), sc.ready_of(0)) == (5, ["champion", "thief"], ["bard"])
    sc.finish_round()
    assert sc.ready_of(0) == ["champion", "bard", "thief"]
    for played, rests in ((1, True), (2, False), (3, True), (4, False), (5, True), (6, False)):
        sc = Scene(2).in_round(played).heroes(0, tired=["champion"]).last_turn().act("bank_blank:4").end()
        assert (sc.tired_of(0) == ["champion"]) == rests
    assert Scene(2).energy(1).heroes(0, "champion").act("ability:champion").energy_of(0) == 2


def test_summoner() -> None:
    sc = tavern("summoner").minion(0, "sturdy", "wood", ["plant", "spice"]).minion(0, "plain", "wood", ["egg", "egg"])
    sc.act("ability:summoner").answer("minion", "minion:sturdy").act("kind:spice")
    assert (sc.bag_of(0, "sturdy"), sc.tired_of(0)) == (["plant", "spice", "spice"], ["summoner"])
    assert not tavern("summoner").minion(0, "plain", "wood", ["egg", "egg"]).legal("ability:summoner")
    assert not tavern("summoner").minion(0, "plain", "wood", ["egg"], wounds=1).legal("ability:summoner")


@rule("TD-A14")
@pytest.mark.parametrize("kind", ["meat", "egg"])
def test_the_summoner_doubles_meat_and_eggs(kind: str) -> None:
    sc = tavern("summoner").minion(0, "plain", "wood", [kind]).act("ability:summoner").answer("minion", "minion:plain")
    assert sc.answer("copy", f"kind:{kind}").bag_of(0, "plain") == [kind, kind]


def test_bard() -> None:
    sc = tavern("bard").act("ability:bard")
    assert (sc.gold_of(0), sc.turn) == (2, 0)


def test_alchemist() -> None:
    sc = tavern("alchemist").pantry(0, "egg", "plant").act("ability:alchemist", "kind:egg")
    assert sc.options() == ["kind:plant", "kind:mushroom", "kind:spice"]
    assert sc.act("kind:spice").pantry_of(0) == ["plant", "spice"]
    sc = tavern("alchemist").pantry(0, "egg", "plant").act("ability:alchemist", "kind:plant")
    assert sc.options() == ["kind:mushroom", "kind:spice"]
    assert not tavern("alchemist").legal("ability:alchemist")


def test_huntress() -> None:
    sc = tavern("huntress").dragon("stormcrest").energy(2).runes(1)
    assert not sc.legal("ability:huntress")
    sc.stand("plain", "road").act("ability:huntress")
    sc.hunting_luck("sword", "bow").act("hunt:1")
    assert (sc.hunting, sc.energy_of(0), sc.tired_of(0)) == (["sword", "bow"], 1, ["huntress"])
    sc = tavern().dragon("stormcrest").energy(2).runes(1).stand("plain", "road").act("hunt:1")
    assert len(sc.hunting) == 1


def test_the_die_of_the_huntress_is_for_one_hunt() -> None:
    sc = tavern("huntress").places(C="campfire").dragon("stormcrest").energy(4).runes(1).stand("plain", "caves").act("ability:huntress")
    sc.hunting_luck("flame", "flame").act("hunt:1").attack().dice_luck(1).act("visit:C")
    assert len(sc.act("hunt:1").hunting) == 1


def test_the_die_of_the_huntress_is_for_this_turn() -> None:
    sc = tavern("huntress").dragon("stormcrest").energy(1).runes(1).stand("plain", "road").act("ability:huntress").end().skip().skip()
    sc.stand("sturdy", "road").act("hunt:1")
    assert len(sc.hunting) == 1


def test_paladin() -> None:
    sc = hunting("claw", "claw", "flame", hero="paladin", bag=("egg",)).act("ability:paladin").attack()
    assert (sc.wounds_of(0, "plain"), sc.bag_of(0, "plain"), sc.tired_of(0)) == (0, ["egg"], ["paladin"])
    sc = tavern("paladin").dragon("emberwing").energy(1).runes(1).minion(0, "plain", bag=["egg"]).stand("plain", "wood").hunt("flame")
    assert sc.act("ability:paladin").attack().bag_of(0, "plain") == ["egg"]
    assert not tavern("paladin").legal("ability:paladin")
    sc = hunting("claw", hero="paladin").act("ability:paladin").attack().end()
    for _ in range(2):
        sc.skip()
    sc.energy(5).heroes(0, "bard").stand("sturdy", "road").hunt("claw").attack()
    assert sc.wounds_of(0, "sturdy") == 1


def test_druid() -> None:
    sc = tavern("druid").minion(0, "sturdy", "wood", wounds=2).minion(0, "plain", "wood", wounds=1).act("ability:druid", "minion:sturdy")
    assert (sc.wounds_of(0, "sturdy"), sc.wounds_of(0, "plain"), sc.pantry_of(0)) == (0, 1, ["plant"])
    assert tavern("druid").act("ability:druid").pantry_of(0) == ["plant"]


def test_thief() -> None:
    sc = Scene(4).heroes(0, "thief").gold(1, 3, 0, 2).act("ability:thief")
    assert sc.options() == ["rob:left1", "rob:left3"]
    sc.act("rob:left3")
    assert [sc.gold_of(seat) for seat in range(4)] == [3, 3, 0, 1]


@rule("TD-A33")
def test_the_thief_with_nobody_to_rob() -> None:
    sc = tavern("thief").gold(2, 0, 0).act("ability:thief")
    assert [sc.gold_of(seat) for seat in range(3)] == [3, 0, 0]


def test_royal_chef() -> None:
    sc = tavern("royal_chef").pantry(0, "plant", "plant").recipes("herb_broth")
    assert not sc.legal("ability:royal_chef")
    sc.act("cook:1_with_2", "ability:royal_chef")
    assert (sc.score_of(0), sc.tired_of(0)) == (4 + 2 + 2, ["royal_chef"])
    sc = tavern("royal_chef").pantry(0, "plant", "plant").recipes("herb_broth").act("cook:1_with_2").end().skip().skip()
    assert not sc.legal("ability:royal_chef")


@rule("TD-A34")
def test_the_chefs_two_do_not_count_in_a_tie() -> None:
    """Both have 11 points; the best recipe of seat 1 brought 7, that of seat 0 only 6 without the chef's 2."""
    sc = Scene(2).in_round(7).heroes(0, "royal_chef").pantry(0, "plant", "plant").recipes("herb_broth").score(0, 11).cooked(1, best=7)
    sc.last_turn(2).act("cook:1_with_2", "ability:royal_chef").end()
    assert sc.scores == [4 + 2 + 2 + 3, 11]
    assert sc.utility == [-1, 1]


def test_runner() -> None:
    sc = tavern("runner").minion(0, "sturdy", "wood").act("ability:runner").act("minion:sturdy")
    assert sc.options() == ["go:pass", "go:marsh"]
    assert sc.act("go:marsh").zone_of(0, "sturdy") == "marsh"
    sc = tavern("runner").minion(0, "booted", "caves").act("ability:runner", "minion:booted")
    assert (sc.zone_of(0, "booted"), sc.options("collect"), sc.die_of(0, "booted")) == ("road", [], 0)


def test_griffin_rider() -> None:
    sc = tavern("griffin_rider").minion(0, "sturdy", "wood", ["egg"], 1).minion(0, "plain", "maple")
    sc.act("ability:griffin_rider")
    assert sc.options() == ["minion:plain", "minion:sturdy"]
    sc.act("minion:sturdy")
    assert (sc.zone_of(0, "sturdy"), sc.wounds_of(0, "sturdy"), sc.legal("store:sturdy")) == ("city", 0, True)
    assert not tavern("griffin_rider").legal("ability:griffin_rider")


def test_oracle() -> None:
    sc = tavern("oracle").dice(0, 1, 1, 3).act("ability:oracle")
    assert sc.options() == ["die:1", "die:3"]
    sc.act("die:1")
    assert sc.options() == ["done", "die:1", "die:3"]
    sc.dice_luck(4, 2).act("die:3").answer("dice", "done")
    assert (sc.dice_of(0), sc.tired_of(0)) == ([1, 2, 4], ["oracle"])


def test_merchant() -> None:
    sc = tavern("merchant").pantry(0, "egg", "plant").act("ability:merchant", "kind:plant")
    assert (sc.gold_of(0), sc.pantry_of(0)) == (3, ["egg"])
    assert not tavern("merchant").legal("ability:merchant")


@pytest.mark.parametrize(("hero", "symbol"), [("dwarven_smith", "sword"), ("elven_archer", "bow")])
def test_smith_and_archer(hero: str, symbol: str) -> None:
    assert not tavern(hero).legal(f"ability:{hero}")
    sc = hunting("claw", "flame", hero=hero).act(f"ability:{hero}")
    assert sc.options() == [f"turn:{old}_to_{symbol}" for old in ("claw", "flame")]
    sc.act(f"turn:flame_to_{symbol}")
    assert (sorted(sc.hunting), sc.tired_of(0)) == (sorted(["claw", symbol]), [hero])


def test_dwarven_smith() -> None:
    sc = hunting("bow", "bow", hero="dwarven_smith").act("ability:dwarven_smith").answer("face", "turn:bow_to_sword").attack(1, 2)
    assert sc.free_boxes == [(1, 0), (0, 1), (1, 1), (1, 2)]


def test_elven_archer() -> None:
    sc = hunting("sword", "sword", hero="elven_archer").act("ability:elven_archer").answer("face", "turn:sword_to_bow").attack(1, 2)
    assert sc.free_boxes == [(1, 0), (0, 1), (1, 1), (1, 2)]


def test_jester() -> None:
    sc = tavern("jester").recipes("herb_broth", "spice_feast", "flamed_egg").act("ability:jester")
    assert sc.options() == ["recipe:1", "recipe:2", "recipe:3"]
    sc.act("recipe:2")
    assert (sc.shown[1:], sc.thrown, sc.score_of(0)) == (["herb_broth", "flamed_egg"], ["spice_feast"], 1)
    assert sc.shown[0] != "spice_feast"


@rule("TD-A35")
def test_what_changes_nothing_is_not_offered() -> None:
    assert not tavern("guardian").dice(0, 4, 4).legal("ability:guardian")
    assert not tavern("champion").energy(5).legal("ability:champion")
    assert not tavern("bard").energy(5).runes(3).legal("bonus:bard")
    assert tavern("bard").energy(5).runes(2).legal("bonus:bard")
    sc = tavern("oracle").act("ability:oracle")
    assert not sc.legal("done")
    assert not hunting("sword", "sword", hero="dwarven_smith").legal("ability:dwarven_smith")
    assert not hunting("sword", hero="paladin").legal("ability:paladin")
    sc = Scene().minion(0, "plain", "wood", ["egg"], 1)
    assert sc.options("store") + sc.options("heal") == []


def test_every_ability_is_offered_somewhere() -> None:
    """On a richly set table the turn or a hunt offers every ability but the royal chef's, which needs a dish just cooked."""
    sc = tavern(*page.HEROES).dragon("stormcrest").energy(3).runes(1).pantry(0, "plant", "plant").recipes("herb_broth")
    sc.places(C="enchanted_runes").minion(0, "sturdy", "wood", ["plant"]).stand("plain", "caves")
    offered = {name.removeprefix("ability:") for name in sc.options("ability")}
    sc.hunt("claw", "flame")
    offered |= {name.removeprefix("ability:") for name in sc.options("ability")}
    assert set(L.HERO_NAMES) - offered == {"royal_chef"}
