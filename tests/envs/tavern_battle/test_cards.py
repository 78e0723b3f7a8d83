"""Every hero, treasure, object and arrival by name, against the tables of the rules page (sections 1.3 to 1.6)."""

import pytest
from alehouse.envs.tavern_battle import layout as L

from tests.envs.tavern_battle.page import ARRIVALS, HEROES, OBJECTS, TREASURES
from tests.envs.scene import rule, worked
from tests.envs.tavern_battle.scene import Scene, names


def duel(hero: str) -> Scene:
    """Return a scene of two seats: a hero with another one, and a bottle."""
    others = [name for name in HEROES if name not in (hero, "troll")]
    return Scene(2, heroes=(hero, *others[:3])).hand(0, "bottle")


def test_the_tables_name_the_same_cards() -> None:
    assert list(HEROES) == L.HERO_NAMES
    assert list(TREASURES) == L.TREASURE_NAMES
    assert list(OBJECTS) == L.OBJECT_NAMES
    assert list(ARRIVALS) == L.ARRIVAL_NAMES


@rule("TB-R1")
@pytest.mark.parametrize("hero", HEROES)
def test_every_hero_has_two_or_three_affinities(hero: str) -> None:
    words = [worked("tavern_battle").word(f"heroes.{hero}.affinity{k}") for k in (1, 2, 3)]
    wanted = [word for word in words if word != "none"]
    assert wanted == list(HEROES[hero][2])
    assert len(set(wanted)) == len(wanted) >= 2


@pytest.mark.parametrize("hero", HEROES)
def test_strength_and_cunning_of_a_hero(hero: str) -> None:
    strength, cunning, _, _ = HEROES[hero]
    sc = duel(hero)
    target = sc.group(1)[0]
    assert len(sc.clone().do(hero, "strike:bottle", target).rolled) == strength
    if cunning:
        assert len(sc.clone().do(hero, "throw:bottle", target).rolled) == cunning
    sc.activate(hero)
    assert sc.legal("throw:bottle") == (cunning > 0)
    assert sc.legal("window") == (cunning > 1)


@pytest.mark.parametrize("arrival", ARRIVALS)
def test_strength_and_cunning_of_an_arrival(arrival: str) -> None:
    strength, cunning, *_ = ARRIVALS[arrival]
    sc = duel("dwarf").join(0, arrival)
    target = sc.group(1)[0]
    assert len(sc.clone().do(arrival, "strike:bottle", target).rolled) == strength
    assert len(sc.clone().do(arrival, "throw:bottle", target).rolled) == cunning
    assert sc.activate(arrival).legal("window") == (cunning > 1)


@pytest.mark.parametrize("arrival", ARRIVALS)
def test_supports_of_an_arrival(arrival: str) -> None:
    """A strike takes support in strength, a throw and a test in cunning."""
    _, _, strong, sly, _ = ARRIVALS[arrival]
    sc = duel("dwarf").join(0, arrival).hand(0, "bottle", "curtain")
    target = sc.group(1)[0]
    for action, own, lent in (("strike:bottle", 3, strong), ("throw:bottle", 1, sly), ("hide:curtain", 1, sly)):
        twin = sc.clone().activate("dwarf").act(action)
        twin.answer("target", f"character:{target}")
        assert (twin.question == "support" and twin.legal(f"character:{arrival}")) == (lent > 0)
        if lent:
            assert len(twin.act(f"character:{arrival}").answer("support", "roll").rolled) == own + lent


@pytest.mark.parametrize("kind", OBJECTS)
def test_what_an_object_is_good_for(kind: str) -> None:
    flags, value, copies = OBJECTS[kind]
    sc = Scene(2, heroes=("gnome", "dwarf", "elf", "magician")).hand(0, kind).activate("gnome")
    found = {"strike": "C", "throw": "R", "protect": "P", "hide": "H", "draw": "T"}
    assert {flag for segment, flag in found.items() if sc.labels(segment) == [kind]} == set(flags)
    assert names(sc.R.copies).count(kind) == copies
    assert Scene(2).wrecked(*[kind] * copies).tavern == 30 - value * copies


@pytest.mark.parametrize("kind", [name for name, row in OBJECTS.items() if "P" in row[0]])
def test_every_protection_stops_throws(kind: str) -> None:
    sc = Scene(2, heroes=("dwarf", "elf", "gnome", "amazon")).hand(0, kind).do("dwarf", f"protect:{kind}")
    assert sc.cover_of("dwarf") == kind
    sc.hand(1, "bottle").activate("gnome")
    assert sc.clone().act("throw:bottle").position("dwarf") == "tilted"
    sc.act("strike:bottle")
    assert sc.labels("character") == ["dwarf", "elf"]


@pytest.mark.parametrize("name", TREASURES)
def test_what_can_be_drawn(name: str) -> None:
    sc = Scene(2, heroes=("dwarf", "elf")).treasures(0, name).activate("dwarf")
    assert sc.labels("draw") == ([name] if name in ("demonic_sword", "blessed_lance") else [])


def test_totals_of_the_objects() -> None:
    R = Scene().R
    assert (sum(R.copies), int((R.copies.astype(int) * R.price).sum())) == (36, 30)
    counted = {flag: sum(copies for flags, _, copies in OBJECTS.values() if flag in flags) for flag in "CRPHT"}
    assert counted == {"C": 16, "R": 18, "P": 8, "H": 5, "T": 1}
