"""Casse-tout: attacks break objects, and the tavern loses value (section 4.1 of the rules)."""

import pytest

from tests.envs.tavern_battle.page import OBJECTS, tavern_points
from tests.envs.tavern_battle.editing import T, U
from tests.envs.scene import rule
from tests.envs.tavern_battle.scene import Scene


def table(*modules: str) -> Scene:
    return Scene(2, ("casse_tout", *modules), heroes=("dwarf", "elf", "gnome", "amazon"))


@rule("TB-T21")
def test_a_five_breaks_the_object_without_damage() -> None:
    sc = table().join(0, "witch").hand(0, "bottle")
    sc.dice(lambda scene: scene.do("witch", "throw:bottle", "gnome"), 5, 2)
    assert (sc.position("gnome"), sc.broken, sc.tavern) == (U, ["bottle"], 29)


@rule("TB-R19")
@pytest.mark.parametrize(
    ("dice", "broken"),
    [((5, 2, 2), True), ((6, 2, 2), True), ((1, 1, 2), True), ((1, 1, 6), True), ((1, 2, 4), False), ((4, 4, 4), False)],
)
def test_high_dice_and_two_ones_break(dice: tuple[int, ...], broken: bool) -> None:
    sc = table().hand(0, "stool").dice(lambda scene: scene.do("dwarf", "strike:stool", "gnome"), *dice)
    assert (sc.broken, sc.used) == ((["stool"], []) if broken else ([], ["stool"]))
    assert sc.tavern == 30 - broken
    assert sc.position("gnome") == (T if 6 in dice else U)


@pytest.mark.parametrize("kind", [name for name, row in OBJECTS.items() if "C" in row[0]])
def test_each_weapon_costs_the_tavern_its_value(kind: str) -> None:
    sc = table().hand(0, kind).lucky(lambda scene: scene.do("dwarf", f"strike:{kind}", "gnome"), lambda scene: 5 in scene.rolled)
    assert (sc.broken, sc.tavern) == ([kind], 30 - OBJECTS[kind][1])


def test_the_trophy_breaks_and_a_treasure_does_not() -> None:
    for weapon, broken in (("wall_trophy", ["wall_trophy"]), ("demonic_sword", []), ("blessed_lance", [])):
        start = table().drawn("dwarf", weapon)
        sc = start.lucky(
            lambda scene, weapon=weapon: scene.do("dwarf", f"strike_drawn:{weapon}", "gnome"),
            lambda scene: 5 in scene.rolled and not {1, 6} & set(scene.rolled),
        )
        assert (sc.broken, sc.drawn_by("dwarf")) == (broken, [] if broken else [weapon])


def test_without_it_high_dice_break_nothing() -> None:
    sc = Scene(2, heroes=("dwarf", "elf", "gnome", "amazon")).hand(0, "stool")
    sc.dice(lambda scene: scene.do("dwarf", "strike:stool", "gnome"), 5, 6, 2)
    assert (sc.broken, sc.used, sc.tavern) == ([], ["stool"], 30)


def test_broken_objects_never_come_back() -> None:
    sc = table().hand(0, "stool").dice(lambda scene: scene.do("dwarf", "strike:stool", "gnome"), 5, 2, 2)
    for _ in range(4):
        sc.next_round()
        assert sc.broken == ["stool"]
        assert int(sc.s.deck[1]) + sum(hand.count("stool") for hand in map(sc.hand_of, (0, 1))) + sc.discard.count("stool") == 1


def test_tests_break_nothing() -> None:
    sc = table().hand(0, "curtain").dice(lambda scene: scene.do("elf", "hide:curtain"), 5, 6, 1)
    assert (sc.broken, sc.den_of("elf")) == ([], "curtain")


def worth(total: int) -> list[str]:
    """Return objects whose tavern values add up to a total."""
    found: list[str] = []
    for name, (_, price, copies) in sorted(OBJECTS.items(), key=lambda row: -row[1][1]):
        for _ in range(copies if price else 0):
            if price <= total:
                found.append(name)
                total -= price
    assert total == 0
    return found


@pytest.mark.parametrize("value", range(31))
def test_what_the_tavern_is_worth(value: int) -> None:
    sc = Scene(2, ("casse_tout",), heroes=("dwarf", "elf", "tavernkeeper", "gnome")).wrecked(*worth(30 - value))
    assert sc.tavern == value
    sc.last_round().next_round()
    assert (sc.question, sc.scores) == ("over", [0, tavern_points(value)])
