"""Tous sur un: heroes support too, and other players may be called on (section 4.2 of the rules)."""

import pytest

from tests.envs.tavern_battle.page import HEROES
from tests.envs.tavern_battle.editing import FLED, KO, D, T, U
from tests.envs.scene import rule
from tests.envs.tavern_battle.scene import Scene


def table(*heroes: str, seats: int = 2, **more: object) -> Scene:
    return Scene(seats, ("tous_sur_un",), heroes=heroes, **more)  # type: ignore[arg-type]


@rule("TB-T26")
def test_three_supports() -> None:
    sc = table("amazon", "barbarian", "troll", "elf", "dwarf", "gnome", seats=3).join(0, "bouncer", "monk").hand(0, "stool")
    sc.activate("amazon").act("strike:stool").act("character:dwarf")
    assert (sc.question, sc.turn) == ("support", 0)
    assert sc.options() == ["seat:left1", "seat:left2", "character:barbarian", "character:bouncer", "character:monk", "roll"]
    sc.act("character:barbarian").act("character:bouncer").act("seat:left1")
    assert (sc.question, sc.turn, sc.options()) == ("lend", 1, ["pass", "character:elf", "character:troll"])
    sc.act("character:troll")
    assert len(sc.rolled) == 2 + 1 + 1 + 2
    assert sc.positions("barbarian", "bouncer", "troll", "monk") == [T, T, T, U]


@pytest.mark.parametrize("hero", HEROES)
def test_what_each_hero_lends(hero: str) -> None:
    """Each hero lends 1 in strength and 1 in cunning, the Troll 2 in strength and none in cunning."""
    fighter, target = [name for name in HEROES if name not in (hero, "troll")][:2]
    sc = table(fighter, hero).heroes(1, target, "amazon" if hero != "amazon" else "gnome").hand(0, "bottle")
    own = HEROES[fighter]
    twin = sc.clone().do(fighter, "strike:bottle", target, [hero])
    assert (len(twin.rolled), twin.position(hero)) == (own[0] + (2 if hero == "troll" else 1), T)
    twin = sc.clone().activate(fighter).act("throw:bottle").answer("target", f"character:{target}")
    assert twin.legal(f"character:{hero}") == (hero != "troll")
    if hero != "troll":
        assert len(twin.act(f"character:{hero}").answer("support", "roll").rolled) == own[1] + 1


def test_without_it_heroes_do_not_support() -> None:
    sc = Scene(2, heroes=("amazon", "barbarian", "troll", "elf")).hand(0, "bottle").activate("amazon").act("strike:bottle")
    sc.answer("target", "character:elf")
    assert (sc.turn, len(sc.rolled)) == (1, 2)


def test_each_player_is_asked_once_an_action() -> None:
    sc = table("amazon", "barbarian", "troll", "elf", "dwarf", "gnome", seats=3).hand(0, "stool")
    sc.activate("amazon").act("strike:stool").act("character:dwarf").act("seat:left2")
    assert (sc.question, sc.turn, sc.options()) == ("lend", 2, ["pass", "character:gnome"])
    sc.act("pass")
    assert (sc.question, sc.turn) == ("support", 0)
    assert sc.options() == ["seat:left1", "character:barbarian", "roll"]
    sc.act("seat:left1").act("character:elf")
    assert (sc.position("elf"), sc.options()) == (T, ["character:barbarian", "roll"])
    sc.act("roll")
    assert len(sc.rolled) == 3


def test_the_targets_owner_may_be_asked_for_another() -> None:
    sc = table("amazon", "barbarian", "troll", "elf").hand(0, "stool").activate("amazon").act("strike:stool").act("character:troll")
    sc.act("seat:left1")
    assert sc.options() == ["pass", "character:elf"]
    sc = table("amazon", "barbarian", "troll", "elf").hand(0, "stool").put(T, "elf").activate("amazon").act("strike:stool")
    sc.act("character:troll")
    assert "seat:left1" not in sc.options()


def test_only_the_upright_support() -> None:
    sc = table("amazon", "barbarian", "troll", "elf").join(0, "monk", "pilgrim", "mercenary").hand(0, "stool")
    sc.put(D, "monk").put(KO, "pilgrim").put(FLED, "mercenary").put(T, "barbarian", "elf")
    sc.activate("amazon").act("strike:stool").act("character:troll")
    assert (sc.turn, len(sc.rolled)) == (1, 2)


def test_tests_take_supports_of_all() -> None:
    sc = table("troll", "dwarf", "gnome", "elf").activate("troll").act("window")
    assert sc.options() == ["seat:left1", "character:dwarf"], "two dice are needed before they are rolled"
    sc.act("character:dwarf").answer("support", "seat:left1").act("character:gnome")
    assert (len(sc.rolled), sc.positions("dwarf", "gnome")) == (2, [T, T])
    sc = table("dwarf", "barbarian", "gnome", "elf").hand(0, "curtain").activate("dwarf").act("hide:curtain")
    assert sc.options() == ["seat:left1", "character:barbarian", "roll"]


def test_a_test_may_be_tried_though_all_refuse() -> None:
    sc = table("troll", "dwarf", "gnome", "elf").put(T, "dwarf").hand(0, "curtain").activate("troll").act("hide:curtain")
    assert (sc.question, sc.turn) == ("lend", 1)
    sc.act("pass")
    assert (sc.den_of("troll"), sc.discard, sc.turn) == (None, ["curtain"], 1)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_fewer_supports_by_override(limit: int) -> None:
    sc = table("amazon", "barbarian", "troll", "elf", overrides={"combat.supports": limit}).join(0, "monk", "bouncer", "pilgrim")
    sc.hand(0, "stool").activate("amazon").act("strike:stool").act("character:troll")
    for helper in ("monk", "bouncer", "pilgrim")[:limit]:
        sc.act(f"character:{helper}")
    assert (sc.turn, len(sc.rolled)) == (1, 2 + limit)
