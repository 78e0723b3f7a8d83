"""The end of the game and the score (sections 1.8 and 5 of the rules)."""

import itertools

import alehouse
import pytest

from tests.envs.tavern_battle.page import HEROES, TREASURES, TYPES, tavern_points
from tests.envs.tavern_battle.editing import FLED, KO, D, T
from tests.envs.scene import rule
from tests.envs.tavern_battle.scene import Scene


def ended(sc: Scene) -> Scene:
    """Return the scene after a round that the Militia ends."""
    sc.last_round().next_round()
    assert sc.question == "over"
    return sc


def table(*heroes: str, seats: int = 2, **more: object) -> Scene:
    return Scene(seats, heroes=heroes, **more)  # type: ignore[arg-type]


@rule("TB-T19")
def test_dwarf_and_tavernkeeper() -> None:
    sc = table("dwarf", "tavernkeeper").treasures(0, "dark_ale", "beer_pump", "dwarven_axe", "ruby")
    sc.wrecked("bar_counter", "harpsichord", "overturned_table", "bench")
    assert sc.tavern == 21
    assert ended(sc).scores[0] == 6 + 4


@pytest.mark.parametrize("hero", HEROES)
def test_what_each_treasure_is_worth_to_a_hero(hero: str) -> None:
    """A hero scores the sum of the matching affinities; one with ANY scores 1 for a treasure that gives nothing."""
    affinities = HEROES[hero][2]
    partner = "tavernkeeper" if hero != "tavernkeeper" else "thief"
    for name, words in TREASURES.items():
        sc = ended(table(hero, partner).put(KO, partner).treasures(0, name).wrecked(*WRECK))
        best = max(sum(HEROES[h][2].get(word, 0) for word in words.split()) for h in (hero, partner))
        greedy = "any" in affinities or "any" in HEROES[partner][2]
        assert sc.scores[0] == (best or int(greedy)), name


WRECK = ("bar_counter", "harpsichord", *("overturned_table",) * 3, *("chair",) * 2, *("bottle",) * 4, *("stool",) * 2, "bench", "oil_lamp",
         "stew_pot", "wall_shield", "barrel", "barrel", "cupboard")  # fmt: skip


def test_each_treasure_goes_to_the_hero_it_pleases_most() -> None:
    sc = ended(table("dwarf", "barbarian").treasures(0, "dark_ale", "elven_bow", "beer_pump", "jewelled_dagger", "war_drum"))
    assert sc.scores[0] == 2 + 2 + 3 + 3 + 2
    sc = ended(table("paladin", "priestess").treasures(0, "blessed_lance", "drinking_songs", "angels_harp"))
    assert sc.scores[0] == 4 + 2 + 3


@pytest.mark.parametrize(("held", "points"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_any_takes_one_treasure_that_gives_nothing(held: int, points: int) -> None:
    useless = ("elven_bow", "grimoire", "saints_bone")[:held]
    sc = ended(table("troll", "thief").treasures(0, *useless))
    assert sc.scores[0] == points
    sc = ended(table("troll", "amazon").treasures(0, "grimoire", "wand", "dark_ale"))
    assert sc.scores[0] == 1 + 2
    sc = ended(table("troll", "thief").treasures(0, "dark_ale", "ruby"))
    assert sc.scores[0] == 4, "what gives points is not taken for one more"


@pytest.mark.parametrize("seed", range(6))
def test_the_score_is_the_best_assignment(seed: int) -> None:
    """The score equals the best of all ways to give each treasure to a hero or to ANY."""
    sc = Scene(6, phase="window", blank=False, seed=seed)
    while sc.question != "over":
        options = sc.options()
        sc.act("pass" if "pass" in options else "confirm" if "confirm" in options else options[0])
    hands = [sc.treasures_of(seat) for seat in range(6)]
    for seat in range(6):
        heroes = [name for name in HEROES if name in sc.group(seat)]
        keeper = 8 if "tavernkeeper" in heroes else 0
        best = max(assigned(hands[seat], given) for given in itertools.product(heroes, repeat=len(hands[seat])))
        assert sc.scores[seat] == best + keeper


def assigned(treasures: list[str], given: tuple[str, ...]) -> int:
    """Return the points of one way to give treasures to heroes."""
    worth = [sum(HEROES[hero][2].get(word, 0) for word in TREASURES[name].split()) for name, hero in zip(treasures, given, strict=True)]
    taken = {hero for hero, points in zip(given, worth, strict=True) if points == 0 and "any" in HEROES[hero][2]}
    return sum(worth) + len(taken)


def test_hand_drawn_and_safe_treasures_score_and_the_centre_does_not() -> None:
    sc = table("barbarian", "amazon").treasures(0, "elven_bow").drawn("barbarian", "demonic_sword").safe(0, "war_drum")
    sc.drop("dwarven_axe").lay_down("repeating_crossbow")
    assert ended(sc).scores[0] == 2 + 2 + 3


def test_ko_and_fled_heroes_score() -> None:
    for gone in (KO, FLED, D, T):
        sc = table("dwarf", "barbarian").put(gone, "dwarf").treasures(0, "dark_ale")
        assert ended(sc).scores[0] == 2
    sc = table("tavernkeeper", "barbarian").put(KO, "tavernkeeper")
    assert ended(sc).scores[0] == 8


@rule("TB-R32")
def test_ko_heroes_score_unless_the_switch_says_no() -> None:
    """A KO Dwarf's treasures go to the Barbarian if he may not score; KO heroes neither take a treasure by ANY nor score the tavern."""

    def points(switch: str, *heroes: str, ko: int = 1, away: str = KO, held: tuple[str, ...] = ()) -> int:
        sc = table(*heroes, overrides={"switch.ko_heroes_score": switch}).join(0, "monk").put(away, *heroes[:ko])
        return ended(sc.treasures(0, *held)).scores[0]

    assert [points(switch, "dwarf", "barbarian", held=("dark_ale",)) for switch in ("yes", "no")] == [2, 1]
    assert [points(switch, "troll", "amazon", held=("prayer_book", "grimoire")) for switch in ("yes", "no")] == [1 + 1, 1]
    assert [points(switch, "tavernkeeper", "elf") for switch in ("yes", "no")] == [8, 0]
    assert [points(switch, "dwarf", "elf", ko=2, held=("dark_ale", "grimoire")) for switch in ("yes", "no")] == [3, 0]
    assert points("no", "tavernkeeper", "dwarf", ko=2, away=FLED, held=("dark_ale",)) == 8 + 2


def test_without_a_tavernkeeper_nobody_scores_the_tavern() -> None:
    assert ended(table("dwarf", "elf")).scores == [0, 0]


@pytest.mark.parametrize(("least", "points"), [(30, 8), (29, 5), (24, 5), (23, 4), (19, 3), (14, 2), (9, 1), (4, 0), (0, 0)])
def test_tavern_points_of_the_base_game(least: int, points: int) -> None:
    assert tavern_points(least) == points
    sc = table("tavernkeeper", "elf", overrides={"tavern.value": least})
    assert ended(sc).scores[0] == points


def test_ties_go_to_more_treasures_then_to_more_heroes_awake() -> None:
    """The utilities by rank are 1, 0 and -1 with three players."""
    sc = table("dwarf", "elf", "barbarian", "magician", "paladin", "gnome", seats=3)
    sc.treasures(0, "dark_ale").treasures(1, "dwarven_axe", "saints_bone").treasures(2, "spyglass")
    sc.put(KO, "paladin")
    assert (ended(sc).scores, sc.utility) == ([2, 2, 2], [0, 1, -1])
    sc = table("dwarf", "elf", "barbarian", "magician", "paladin", "gnome", seats=3)
    sc.treasures(0, "dark_ale").treasures(1, "dwarven_axe").treasures(2, "spyglass").put(KO, "elf")
    assert (ended(sc).scores, sc.utility) == ([2, 2, 2], [-1, 0.5, 0.5])
    sc = table("dwarf", "elf", "barbarian", "magician").treasures(0, "dark_ale").treasures(1, "elven_bow").join(0, "monk", "bard")
    assert (ended(sc).scores, sc.utility) == ([2, 2], [0, 0])
    sc = table("dwarf", "elf", "barbarian", "magician").treasures(0, "dark_ale").safe(1, "elven_bow", "saints_bone")
    assert (ended(sc).scores, sc.utility) == ([2, 2], [-1, 1])
    sc = table("dwarf", "elf", "barbarian", "magician").put(FLED, "dwarf").put(KO, "magician")
    assert (ended(sc).utility) == [1, -1]


def test_more_treasures_break_a_tie_before_heroes_awake() -> None:
    """The Dwarf and the Elf are awake with one treasure; the Barbarian's player has two, and a KO hero."""
    sc = table("dwarf", "elf", "barbarian", "magician").treasures(0, "dark_ale").treasures(1, "dwarven_axe", "saints_bone")
    sc.put(KO, "magician")
    assert (ended(sc).scores, sc.utility) == ([2, 2], [-1, 1])


def test_treasure_types_are_counted() -> None:
    found = {word: sum(word in words.split() for words in TREASURES.values()) for word in TYPES}
    assert found == {"beer": 8, "weapon": 7, "invention": 7, "magic": 7, "music": 6, "jewel": 8, "holy": 6, "demonic": 7}


@rule("TB-R31")
@pytest.mark.parametrize("seats", [2, 4])
def test_lively_players_trade(seats: int) -> None:
    """Uniform players post a card two times in three and hardly sell; lively ones play several times as many trade turns."""

    def turns(lively: bool) -> float:
        t = alehouse.Tables(alehouse.variant("tavern_battle", seats=seats), n=50, seed=5, autoreset=False)
        while (t.states["phase"] < 4).any() and not t.over.all():
            t.step(t.sample(lively=lively))
        return float(t.states["turns"].mean())

    assert turns(True) > 3 * turns(False)
