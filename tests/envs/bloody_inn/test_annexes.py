"""What every annex does, one test named for each (sections 1.3 to 1.5 of the rules)."""

from alehouse.envs.bloody_inn.layout import ANNEX_NAMES

from tests.envs.bloody_inn.scene import Scene

CARNIES, NOTABLES = ("carnies",), ("notables",)


def test_every_annex_has_a_test() -> None:
    assert [name for name in ANNEX_NAMES if f"test_{name}" not in globals()] == []


def at_the_end(sc: Scene) -> int:
    """Return the first player's score after a last round in which all pass, without checks."""
    return sc.checks(0, 0).last_round().passing().scores[0]


def test_barn() -> None:
    assert Scene().free_under(0, "barn") == 1


def test_vegetable_garden() -> None:
    sc = Scene().annex(0, "workshop").annex(0, "distillery").annex(0, "kiosk").annex(1, "gardens").hand(0, "cultivator")
    assert sc.build("cultivator").cash_of(0) == 8


def test_kiosk() -> None:
    sc = Scene().annex(0, "kiosk").annex(0, "workshop").hand(0, "newsboy")
    assert sc.build("newsboy").cash_of(0) == 7


def test_altar() -> None:
    sc = Scene().annex(0, "room").annex(0, "cellar").annex(0, "crypt").hand(0, "novice")
    assert sc.build("novice").cash_of(0) == 9


def test_workshop() -> None:
    sc = Scene().annex(0, "workshop").hand(0, "count", "peasant").build("count", "peasant")
    assert (sc.bistro_n, sc.cash_of(0)) == (1, 14)
    assert not Scene().hand(0, "count", "peasant").legal("build:count")


def test_distillery() -> None:
    sc = Scene().annex(0, "distillery").hand(0, "monk", "abbot", "peasant").passing()
    assert (sc.cash_of(0), len(sc.hand_of(0))) == (3, 3)
    assert Scene().annex(0, "distillery").passing().cash_of(0) == 5


def test_gardens() -> None:
    assert Scene().annex(0, "gardens").passing().cash_of(0) == 7


def test_park() -> None:
    sc = Scene().hand(0, "landscaper", "peasant", "peasant", "peasant").build("landscaper")
    assert sc.cash_of(0) == 9
    assert at_the_end(Scene().annex(0, "park").exit("mechanic", "butcher", "monk", "newsboy")) == 5 + 8


def test_grocery() -> None:
    sc = Scene().hand(0, "grocer", "peasant", "peasant", "peasant").build("grocer")
    assert sc.cash_of(0) == 9
    assert at_the_end(Scene().annex(0, "grocery").exit("newsboy", "newsboy", "brewer", "monk")) == 5 + 12


def test_bishopric() -> None:
    sc = Scene().hand(0, "bishop", "peasant", "peasant", "peasant").build("bishop")
    assert sc.cash_of(0) == 9
    assert at_the_end(Scene().annex(0, "bishopric").exit("novice", "mechanic")) == 5 + 4


def test_stables() -> None:
    sc = Scene().hand(0, "duke", "peasant", "peasant", "peasant").build("duke")
    assert sc.cash_of(0) == 9
    assert at_the_end(Scene().annex(0, "stables").exit("baron", "count", "prince", "major")) == 5 + 12


def test_butcher_shop() -> None:
    sc = Scene().annex(0, "butcher_shop").guests(white1="baron", white2="monk", white3="count").hand(0, "peacekeeper", "brigadier")
    sc.act("kill:white1").act("kill:white3").answer("more", "done").pay("peacekeeper", "brigadier")
    assert (sc.corpses_of(0), sc.guest("white2"), sc.hand_of(0)) == (["baron", "count"], "monk", ["peacekeeper", "brigadier"])
    assert Scene().guests(white1="baron", white2="baron").kill("white1").guest("white2") == "baron"


def test_butcher_shop_leaves_the_bistro_alone() -> None:
    sc = Scene().annex(0, "butcher_shop").bistro(3).act("kill_peasant")
    assert (sc.corpses_of(0), sc.turn) == (["peasant"], 1)


def test_parlor() -> None:
    sc = Scene().annex(0, "parlor").guests(white1="count").hand(0, "peasant").bribe("white1")
    assert (sc.hand_of(0), sc.bistro_n) == (["count"], 1)
    assert not Scene().annex(0, "parlor").guests(white1="count").hand(0, "peasant").legal("kill:white1")


def test_room_service() -> None:
    sc = Scene().hand(0, "concierge", "peasant", "peasant").build("concierge").act("at:home_left1").passing()
    for card, place, cash in (("count", "home1", 7), ("novice", "white1", 7), ("major", "home0", 7)):
        named = {"home1": "home_me", "home0": "home_left1"}.get(place, place)
        assert sc.top(card).act(f"lodge:{named}").cash_of(0) == cash


def test_store() -> None:
    sc = Scene().annex(0, "store").guests(home1="monk", white2="baron", white3="mechanic").hand(0, "newsboy", "newsboy")
    sc.act("bribe:home_left1").act("bribe:white2").act("bribe:white3").pay("newsboy", "newsboy")
    assert sc.hand_of(0) == ["mechanic", "newsboy", "newsboy", "monk", "baron"]


def test_store_adds_no_peasants() -> None:
    sc = Scene().annex(0, "store").bistro(4).guests(white1="baron", white2="baron")
    assert sc.options("hire") == ["hire:1", "hire:2"]
    assert not [action for action in sc.act("bribe:white1").options() if action.startswith("hire")]


def test_brewery() -> None:
    assert Scene().annex(0, "brewery").bistro(6).options("hire") == ["hire:1", "hire:2", "hire:3", "hire:4"]
    sc = Scene().annex(0, "brewery").bistro(6).act("hire:4")
    assert (len(sc.hand_of(0)), sc.bistro_n) == (4, 2)


def test_room() -> None:
    sc = Scene().guests(white2="baron").hand(0, "monk", "peasant").build("monk").act("at:white2")
    assert (sc.owner("white2"), sc.guest("white2")) == (0, "baron")
    assert sc.passing().cash_of(0) == 6


def test_room_without_a_white_key_left() -> None:
    sc = Scene().key(1, "white1").key(1, "white2").key(1, "white3").hand(0, "monk", "peasant").build("monk")
    assert (sc.annexes_of(0), sc.tokens_of(0), sc.turn) == (["barn", "room"], 7, 1)


def test_cellar() -> None:
    sc = Scene().annex(0, "cellar").corpses(0, "count").hand(0, "peasant").bury("count", "me:cellar")
    assert (sc.cash_of(0), sc.bistro_n) == (23, 1)


def test_chapel() -> None:
    sc = Scene().annex(0, "chapel").corpses(0, "count").hand(0, "peasant", "newsboy").bury("count", "me:chapel")
    assert (sc.cash_of(0), sc.hand_of(0), sc.bistro_n, sc.exit_cards) == (23, ["newsboy", "peasant"], 0, [])


def test_crypt() -> None:
    sc = Scene().annex(0, "crypt").cash(0).corpses(0, "monk", "novice", "mechanic").hand(0, "peasant", "peasant")
    sc.act("bury:mechanic").act("under_me:crypt").act("bury:novice").act("under_me:crypt")
    sc.act("bury:monk").act("under_left1:barn").pay("peasant", "peasant")
    assert (sc.cash_of(0), sc.cash_of(1), sc.bistro_n) == (12 + 8 + 6, 11, 2)
    assert (sc.under(0, "crypt"), sc.under(1, "barn"), sc.turn) == (["mechanic", "novice"], ["monk"], 1)


def test_crypt_buries_what_the_hand_can_pay() -> None:
    sc = Scene().annex(0, "crypt").corpses(0, "monk", "mechanic").hand(0, "peasant").act("bury:mechanic").act("under_me:crypt")
    assert "bury:monk" not in sc.options()


def test_large_chandelier() -> None:
    assert Scene().hand(0, "baron").build("baron").cash_of(0) == 9


def test_king_size_bed() -> None:
    assert Scene().hand(0, "viscount", "peasant").build("viscount").cash_of(0) == 11


def test_dining_room() -> None:
    assert Scene().hand(0, "count", "peasant", "peasant").build("count").cash_of(0) == 14


def test_detached_house() -> None:
    assert Scene().hand(0, "marquis", "peasant", "peasant", "peasant").build("marquis").cash_of(0) == 23


def test_greenhouse() -> None:
    sc = Scene().hand(0, "prince", "peasant", "peasant", "peasant").build("prince")
    assert sc.cash_of(0) == 5
    assert Scene().annex(0, "greenhouse").checks(4, 0).last_round().passing().scores[0] == 5 + 40 + 12


def test_trailer() -> None:
    sc = Scene(2, CARNIES).hand(0, "fire_eater", "peasant", "peasant").build("fire_eater")
    assert (sc.owner("caravan1"), sc.tokens_of(0)) == (0, 6)
    for card in ("con_artist", "juggler", "clown"):
        assert Scene(2, CARNIES).hand(0, card, "peasant", "peasant").build(card).owner("caravan1") == 0


def test_booth() -> None:
    sc = Scene(2, CARNIES).annex(0, "booth").guests(white1="knife_thrower").hand(0, "peasant").bribe("white1")
    assert sc.cash_of(0) == 8


def test_bear_cage() -> None:
    sc = Scene(2, CARNIES).annex(0, "bear_cage").guests(white1="knife_thrower").kill("white1")
    assert sc.corpses_of(0) == ["knife_thrower"]
    assert not Scene(2, CARNIES).annex(0, "bear_cage").guests(white1="knife_thrower").legal("bribe:white1")


def test_alcove() -> None:
    sc = Scene(2, CARNIES).annex(0, "alcove").guests(white1="count").hand(0, "novice", "peacekeeper").bribe("white1")
    assert sc.hand_of(0) == ["novice", "peacekeeper", "count"]
    sc = Scene(2, CARNIES).annex(0, "alcove").guests(white1="count").hand(0, "novice", "peacekeeper").kill("white1")
    assert (sc.hand_of(0), sc.exit_cards) == (["peacekeeper"], ["novice"])


def test_oak_barrel() -> None:
    sc = Scene(2, NOTABLES).key(1, "white1").guests(home0="monk", home1="monk", white1="abbot", white2="abbot", white3="major")
    assert sc.hand(0, "winemaker").build("winemaker").cash_of(0) == 11
    assert sc.passing().cash_of(0) == 12


def test_silk_farm() -> None:
    sc = Scene(2, NOTABLES).guests(home0="monk", home1="monk", white1="abbot").hand(0, "sericulturist", "peasant")
    assert sc.build("sericulturist").cash_of(0) == 8
    assert sc.passing().cash_of(0) == 9


def test_laboratory() -> None:
    assert Scene(2, NOTABLES).annex(0, "laboratory").corpses(1, "monk").passing().cash_of(0) == 8
    assert Scene(2, NOTABLES).annex(0, "laboratory").passing().cash_of(0) == 5


def test_safe() -> None:
    sc = Scene(2, NOTABLES).annex(0, "safe").cash(5, 38).guests(home1="monk", white1="abbot").key(1, "white1").annex(1, "gardens")
    assert sc.passing().cash_of(1) == 40
    assert sc.cash_of(0) == 7


def test_study() -> None:
    sc = Scene(2, NOTABLES).annex(1, "study").cash(10, 10).act("to_checks:1").act("to_checks:1")
    assert (sc.cash_of(1), sc.checks_of(1)) == (0, 2)


def test_pharmacy() -> None:
    sc = Scene(2, NOTABLES).annex(0, "pharmacy").hand(1, "monk", "abbot", "novice").passing()
    assert (sc.cash_of(0), sc.cash_of(1)) == (7, 2)
