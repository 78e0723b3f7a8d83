"""Tête dure: attack against defence, looting, and the riposte (section 4.3 of the rules)."""

from collections import Counter
from collections.abc import Callable

import pytest
from alehouse.envs.tavern_battle import combat
from alehouse.envs.tavern_battle import layout as L

from tests.envs.tavern_battle.editing import KO, D, T, U, character
from tests.envs.scene import members, rule
from tests.envs.tavern_battle.scene import ALL, HARD, Scene


def table(*heroes: str, seats: int = 2, casse: bool = False, **more: object) -> Scene:
    return Scene(seats, ALL if casse else HARD, heroes=heroes, **more)  # type: ignore[arg-type]


def brawlers(**more: object) -> Scene:
    """Return a scene with Barbarian (strength 3) and Elf, who have a table leg, against Paladin (strength 2) and Gnome."""
    return table("barbarian", "elf", "paladin", "gnome", **more).hand(0, "table_leg").treasures(1, "ruby", "wand", "crown", "spyglass")


def clash(sc: Scene, attack: int, defence: int, play: Callable[[Scene], object] | None = None) -> Scene:
    """Let the Barbarian strike the Paladin, or play another action, with these dice."""
    strike = play or (lambda scene: scene.do("barbarian", "strike:table_leg", "paladin"))
    return sc.lucky(strike, lambda scene: scene.rolled == [attack] and int(scene.s.parry) == defence)


def margin(sc: Scene, points: int) -> Scene:
    """Let the Barbarian strike the Paladin with a die that gives this lead: 3 + die against 2 + die."""
    return clash(sc, *{0: (3, 4), 1: (4, 4), 2: (5, 4), 3: (5, 3), 4: (5, 2), -1: (2, 4)}[points])


@rule("TB-T23")
def test_a_tie_is_the_defenders() -> None:
    def tie(sc: Scene) -> Scene:
        sc.drawn("barbarian", "demonic_sword")
        return clash(sc, 4, 6, lambda scene: scene.do("barbarian", "strike_drawn:demonic_sword", "paladin"))

    sc = tie(brawlers().hand(1, "bottle"))
    assert (sc.question, sc.turn, sc.options()) == ("riposte", 1, ["pass", "strike:bottle", "throw:bottle"])
    assert (sc.position("paladin"), sc.treasures_of(0)) == (U, ["demonic_sword"])
    sc = tie(brawlers().hand(1, "bottle").put(T, "paladin"))
    assert (sc.question, sc.turn, sc.position("paladin")) == ("action", 1, T)


@rule("TB-R18")
@pytest.mark.parametrize(("points", "found"), [(-1, U), (0, U), (1, T), (2, D), (3, KO), (4, KO)])
def test_a_die_and_the_characteristic_on_both_sides(points: int, found: str) -> None:
    assert margin(brawlers(), points).position("paladin") == found
    sc = brawlers().join(1, "monk")
    dice = {-1: (2, 4), 0: (3, 4), 1: (4, 4), 2: (5, 4), 3: (5, 3), 4: (5, 2)}[points]
    sc = clash(sc, *dice, lambda scene: scene.do("barbarian", "strike:table_leg", "monk"))
    assert sc.position("monk") == found, "an arrival is hurt like a hero"


def test_a_throw_is_cunning_against_cunning() -> None:
    """Elf and Gnome each have cunning 3 and strength 1."""
    sc = brawlers().hand(0, "plate")
    for defence, found in ((4, U), (3, U), (2, T), (1, D)):
        assert clash(sc.clone(), 3, defence, lambda scene: scene.do("elf", "throw:plate", "gnome")).position("gnome") == found
    sc = brawlers().hand(0, "stool")
    for defence, found in ((3, U), (2, T), (1, D)):
        assert clash(sc.clone(), 3, defence, lambda scene: scene.do("elf", "strike:stool", "gnome")).position("gnome") == found


def test_a_drawn_weapon_and_supports_add_to_the_attack() -> None:
    sc = brawlers().drawn("barbarian", "blessed_lance")
    strike = lambda scene: scene.do("barbarian", "strike_drawn:blessed_lance", "paladin", ["elf"])  # noqa: E731
    sc = clash(sc, 3, 4, strike)
    assert (sc.position("paladin"), sc.position("elf")) == (D, T)


def test_stunned_changes_nothing_but_an_upright_card() -> None:
    for lying in (T, D):
        sc = margin(brawlers().put(lying, "paladin"), 1)
        assert (sc.position("paladin"), sc.fallen, sc.treasures_of(0)) == (lying, [], [])


@rule("TB-T24")
def test_down_the_attacker_looks_and_keeps_one() -> None:
    for lying in (U, T):
        sc = clash(brawlers().put(lying, "paladin").safe(1, "grimoire"), 6, 5)
        assert sc.position("paladin") == D
        assert (sc.question, sc.turn) == ("loot", 0)
        assert sc.options() == ["treasure:spyglass", "treasure:wand", "treasure:ruby", "treasure:crown"]
        sc.act("treasure:crown")
        assert (sc.treasures_of(0), sc.treasures_of(1)) == (["crown"], ["spyglass", "wand", "ruby"])
        assert (sc.fallen, sc.pile, sc.safe_of(1)) == ([], [], ["grimoire"])


@rule("TB-T25")
def test_ko_leaves_the_rest_face_down() -> None:
    sc = clash(brawlers().safe(1, "grimoire"), 6, 3)
    assert sc.position("paladin") == KO
    assert (sc.question, sc.turn, len(sc.options())) == ("loot", 0, 4)
    sc.act("treasure:crown")
    assert (sc.treasures_of(0), sc.treasures_of(1), sc.safe_of(1)) == (["crown"], [], ["grimoire"])
    assert (sc.pile, sc.fallen) == (["spyglass", "wand", "ruby"], [])
    sc.activate("gnome").act("pick_up").answer("pick", "face_down")
    assert len(sc.treasures_of(1)) == 1
    assert len(sc.pile) == 2


def test_no_drops_and_no_gifts() -> None:
    sc = margin(brawlers().put(T, "paladin"), 2).act("treasure:ruby")
    assert (sc.fallen, sc.pile, sc.question in ("activate", "action")) == ([], [], True)
    sc = margin(brawlers().treasures(1, "ruby"), 3)
    assert (sc.treasures_of(0), sc.treasures_of(1), sc.pile, sc.question) == (["ruby"], [], [], "action")
    sc = margin(brawlers().treasures(1), 3)
    assert (sc.treasures_of(0), sc.pile) == ([], [])


def test_arrivals_are_looted_too() -> None:
    sc = brawlers().join(1, "monk")
    sc = clash(sc, 5, 3, lambda scene: scene.do("barbarian", "strike:table_leg", "monk"))
    assert sc.position("monk") == KO
    assert sc.act("treasure:wand").treasures_of(0) == ["wand"]
    assert sc.pile == ["spyglass", "ruby", "crown"]


def test_drawn_weapons_are_looted_and_fall() -> None:
    sc = margin(brawlers().drawn("gnome", "demonic_sword"), 2).act("treasure:demonic_sword")
    assert (sc.drawn_by("gnome"), "demonic_sword" in sc.treasures_of(0)) == ([], True)
    sc = margin(brawlers().drawn("gnome", "demonic_sword"), 3).act("treasure:ruby")
    assert (sc.drawn_by("gnome"), "demonic_sword" in sc.pile) == ([], True)
    sc = margin(brawlers().drawn("gnome", "demonic_sword"), 2).act("treasure:ruby")
    assert sc.drawn_by("gnome") == ["demonic_sword"]


def test_face_down_treasures_are_picked_at_random() -> None:
    picked: Counter[str] = Counter()
    start = brawlers().lay_down("grimoire", "prayer_book", "demon_skull")
    for seed in range(300):
        sc = start.clone()
        sc.s.seed = seed
        picked.update(sc.activate("elf").act("pick_up").answer("pick", "face_down").treasures_of(0))
    assert sum(picked.values()) == 300
    assert all(abs(picked[name] - 100) < 50 for name in ("grimoire", "prayer_book", "demon_skull"))
    sc = brawlers().lay_down("grimoire").drop("dwarven_axe", "horned_idol").activate("elf").act("pick_up")
    assert sc.options() == ["treasure:dwarven_axe", "treasure:horned_idol", "face_down"]


@rule("TB-R29")
def test_who_looks_knows_the_set_and_not_the_cards() -> None:
    """The looter of three seats knows which three treasures lie face down; the others can only guess."""
    sc = table("barbarian", "elf", "paladin", "gnome", "dwarf", "troll", seats=3).hand(0, "table_leg")
    sc.treasures(1, "ruby", "wand", "crown", "spyglass").treasures(2, "grimoire")
    sc = clash(sc, 6, 3).act("treasure:crown")
    pile = {frozenset(dealt(sc, 0, key)) for key in range(20)}
    assert pile == {frozenset(("spyglass", "wand", "ruby"))}
    assert members(sc.s.seat[0].may[L.PILE], L.TREASURE_NAMES) == ["spyglass", "wand", "ruby"]
    assert members(sc.s.seat[1].may[L.PILE], L.TREASURE_NAMES) == ["spyglass", "wand", "ruby", "crown"]
    assert len({frozenset(dealt(sc, 2, key)) for key in range(20)}) > 10
    known = {frozenset(dealt(sc, 1, key)) for key in range(60)}
    assert known <= {frozenset(four) - {gone} for four in [("ruby", "wand", "crown", "spyglass")] for gone in four}
    before = sc.t.observe(0, 0)
    other = sc.clone()
    other.s.seed = 77
    assert (other.t.observe(0, 0) == before).all()


def dealt(sc: Scene, seat: int, key: int) -> list[str]:
    """Return what lies face down in redeals for a seat."""
    return members(sc.t.determinize(seat, key).states[0].pile, L.TREASURE_NAMES)


def test_looked_at_treasures_are_remembered() -> None:
    """After a look the attacker knows the other hand; a third seat does not."""
    sc = table("barbarian", "elf", "paladin", "gnome", "dwarf", "troll", seats=3).hand(0, "table_leg")
    sc.treasures(1, "ruby", "wand", "crown", "spyglass").treasures(2, "grimoire", "dwarven_axe")
    sc = margin(sc, 2).act("treasure:crown")
    for key in range(10):
        assert members(sc.t.determinize(0, key).states[0].seat[1].treasures, L.TREASURE_NAMES) == ["spyglass", "wand", "ruby"]
    assert len({int(sc.t.determinize(2, key).states[0].seat[1].treasures) for key in range(20)}) > 10


# Breakage


@pytest.mark.parametrize("casse", [False, True])
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_what_breaks_the_object(casse: bool, face: int) -> None:
    sc = clash(brawlers(casse=casse), face, 6)
    assert sc.broken == (["table_leg"] if casse and face >= 5 else [])


@pytest.mark.parametrize("casse", [False, True])
@pytest.mark.parametrize(("dice", "lost"), [((3, 4), False), ((4, 4), True), ((4, 3), True), ((5, 5), True), ((6, 6), True)])
def test_a_protection_is_lost_when_the_strike_succeeds(casse: bool, dice: tuple[int, int], lost: bool) -> None:
    """A 5 or 6 breaks it, a lower die only discards it."""
    sc = clash(brawlers(casse=casse).cover("paladin", "wall_shield"), *dice)
    assert sc.cover_of("paladin") == (None if lost else "wall_shield")
    broken = casse and dice[0] >= 5
    assert ("wall_shield" in sc.broken, "wall_shield" in sc.discard) == (broken, lost and not broken)


# Riposte


@rule("TB-R28")
def test_who_is_asked_to_strike_back() -> None:
    """The defender is upright and unhurt, with an object in his player's hand or a drawn weapon, useful or not."""
    assert margin(brawlers().hand(1, "curtain"), 0).options() == ["pass"]
    assert margin(brawlers().hand(1, "curtain"), 0).question == "riposte"
    assert margin(brawlers().drawn("paladin", "blessed_lance"), 0).options() == ["pass", "strike_drawn:blessed_lance"]
    assert margin(brawlers().drawn("gnome", "blessed_lance"), 0).question != "riposte"
    assert margin(brawlers(), 0).question != "riposte"
    assert margin(brawlers().hand(1, "bottle").put(T, "paladin"), 0).question != "riposte"
    assert margin(brawlers().hand(1, "bottle").put(D, "paladin"), 0).question != "riposte"
    for points in (1, 2, 3):
        assert margin(brawlers().hand(1, "bottle"), points).question != "riposte"


def test_the_reason_against_a_riposte_names_the_defender() -> None:
    sc = margin(brawlers().hand(1, "curtain"), 0)
    assert sc.t.why_illegal(0, sc.v.action("strike:stool")).startswith("paladin: his player does not hold this contact weapon")


def test_a_riposte_does_not_tilt_and_leaves_cover() -> None:
    sc = margin(brawlers().hand(1, "bottle", "stool").cover("paladin", "wall_shield"), 0)
    assert sc.cover_of("paladin") == "wall_shield"
    sc.act("strike:stool")
    assert (sc.position("paladin"), sc.cover_of("paladin"), sc.discard) == (U, None, ["wall_shield"])
    assert (sc.hand_of(1), "stool" in sc.used) == (["bottle"], True)
    assert (sc.question, sc.turn, sc.legal("character:paladin")) == ("activate", 1, True)


def test_a_riposte_is_resolved_like_an_attack() -> None:
    """The Paladin strikes back with 2 + die against 3 + die of the Barbarian, who is tilted already."""
    start = margin(brawlers().hand(1, "stool").treasures(0, "grimoire", "prayer_book"), 0)
    strike = lambda scene: scene.act("strike:stool")  # noqa: E731
    assert clash(start.clone(), 4, 3, strike).position("barbarian") == T
    sc = clash(start.clone(), 5, 2, strike)
    assert (sc.position("barbarian"), sc.question, sc.turn) == (D, "loot", 1)
    assert sc.act("treasure:grimoire").treasures_of(0) == ["prayer_book"]
    sc = clash(start.clone(), 6, 2, strike).act("treasure:grimoire")
    assert (sc.position("barbarian"), sc.pile) == (KO, ["prayer_book"])
    sc = clash(start.hand(0, "bottle").clone(), 1, 6, strike)
    assert (sc.question, sc.turn) == ("activate", 1), "nobody answers a riposte"


def test_a_riposte_may_aim_at_a_supporter_and_takes_no_support() -> None:
    sc = brawlers().join(1, "monk", "bouncer").join(0, "pilgrim").hand(1, "stool")
    strike = lambda scene: scene.do("barbarian", "strike:table_leg", "paladin", ["pilgrim"])  # noqa: E731
    sc = clash(sc, 2, 5, strike)
    assert sc.question == "riposte"
    sc.act("strike:stool")
    assert (sc.question, sc.options()) == ("target", ["character:barbarian", "character:pilgrim"])
    sc = clash(sc, 4, 4, lambda scene: scene.act("character:pilgrim"))
    assert sc.position("pilgrim") == T, "2 + 4 against 1 + 4: stunned, and tilted already"
    assert sc.positions("monk", "bouncer", "gnome") == [U, U, U]


def test_ripostes_against_two_foes_in_a_round_roll_dice_of_their_own() -> None:
    """Their dice are drawn by the round, by who strikes back, at whose attack, and by the number of the die."""
    sc = brawlers()

    def rolled(foe: str) -> list[int]:
        sc.s.act.actor, sc.s.act.foe = character("paladin"), character(foe)
        return [combat.die(sc.s, k) for k in range(12)]

    assert rolled("barbarian") == rolled("barbarian")
    assert rolled("barbarian") != rolled("elf")


def test_a_riposte_keeps_the_ranges() -> None:
    """With four groups alive a neighbour can be struck but not thrown at, and the player opposite thrown at but not struck."""
    heroes = ("barbarian", "elf", "paladin", "gnome", "dwarf", "amazon", "magician", "thief")
    sc = margin(table(*heroes, seats=4).hand(0, "table_leg").hand(1, "plate", "stool"), 0)
    assert (sc.question, sc.options()) == ("riposte", ["pass", "strike:stool"])
    sc = table(*heroes, seats=4).hand(0, "plate").hand(2, "plate", "stool")
    sc = sc.lucky(lambda scene: scene.do("elf", "throw:plate", "amazon"), lambda scene: scene.question == "riposte")
    assert sc.options() == ["pass", "throw:plate"]


def test_a_troll_never_throws_back() -> None:
    sc = table("barbarian", "elf", "troll", "gnome").hand(0, "table_leg").hand(1, "plate", "stool")
    sc = clash(sc, 1, 6, lambda scene: scene.do("barbarian", "strike:table_leg", "troll"))
    assert sc.options() == ["pass", "strike:stool"]


def test_down_is_fully_up_after_the_next_round() -> None:
    sc = margin(brawlers(), 2).act("treasure:ruby").next_round()
    assert sc.position("paladin") == T
    assert sc.next_round().position("paladin") == U
