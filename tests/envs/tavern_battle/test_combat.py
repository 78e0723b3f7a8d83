"""Combat: weapons, targets, supports, dice, damage and what follows (sections 3.4 and 3.5 of the rules)."""

import pytest

from tests.envs.tavern_battle.editing import FLED, KO, D, T, U
from tests.envs.scene import rule
from tests.envs.tavern_battle.scene import Scene

FIGHTERS = ("dwarf", "barbarian", "elf", "magician")


def duel(*modules: str) -> Scene:
    """Return a scene with Dwarf and Barbarian, who have a table leg, against Elf and Magician."""
    return Scene(2, modules, heroes=FIGHTERS).hand(0, "table_leg").treasures(1, "ruby", "crown")


def blow(sc: Scene, *dice: int, at: str = "elf") -> Scene:
    """Strike with the Dwarf's table leg."""
    return sc.dice(lambda table: table.do("dwarf", "strike:table_leg", at), *dice)


@rule("TB-T1")
def test_one_six_tilts_an_upright_hero() -> None:
    sc = blow(duel(), 6, 4, 2)
    assert sc.positions("elf", "dwarf") == [T, T]
    assert (sc.fallen, sc.treasures_of(1)) == ([], ["ruby", "crown"])
    assert (sc.used, sc.discard, sc.hand_of(0)) == (["table_leg"], [], [])
    assert sc.turn == 1
    sc.until("keep", "claim")
    assert (sc.used, sc.discard) == ([], ["table_leg"])


@rule("TB-T2")
def test_first_time_down_drops_a_treasure() -> None:
    sc = blow(duel().put(T, "elf"), 6, 5, 3)
    assert sc.position("elf") == D
    assert (sc.question, sc.turn, sc.options()) == ("drop", 1, ["treasure:ruby", "treasure:crown"])
    sc.act("treasure:crown")
    assert (sc.fallen, sc.treasures_of(1), sc.treasures_of(0)) == (["crown"], ["ruby"], [])
    sc = blow(sc.put(T, "elf").put(U, "dwarf").hand(0, "table_leg").lead(0), 6, 5, 3)
    assert (sc.position("elf"), sc.fallen) == (D, ["crown"]), "the second time nothing is dropped"
    sc = blow(duel().put(T, "elf").fallen_once("elf"), 6, 5, 3)
    assert (sc.position("elf"), sc.question, sc.fallen) == (D, "action", [])
    assert blow(duel().put(T, "elf").treasures(1), 6, 5, 3).fallen == []


@rule("TB-T4")
def test_fives_hurt_arrivals_only() -> None:
    assert blow(duel().join(1, "merchant"), 6, 5, 2, at="merchant").position("merchant") == D
    assert blow(duel().join(1, "merchant"), 6, 5, 2, at="elf").position("elf") == T
    assert blow(duel().join(1, "merchant"), 5, 5, 2, at="elf").position("elf") == U


@rule("TB-T5")
@pytest.mark.parametrize(("dice", "broken"), [((1, 1, 6), True), ((1, 1, 1), True), ((1, 2, 6), False)])
def test_two_ones_break_the_object(dice: tuple[int, ...], broken: bool) -> None:
    sc = Scene(2, heroes=FIGHTERS).hand(0, "stool").dice(lambda table: table.do("barbarian", "strike:stool", "elf"), *dice)
    assert sc.position("elf") == (T if 6 in dice else U)
    assert (sc.broken, sc.used, sc.tavern) == ((["stool"], [], 29) if broken else ([], ["stool"], 30))


@rule("TB-R5")
def test_a_broken_object_is_out_of_the_game() -> None:
    sc = Scene(2, heroes=("elf", "gnome", "dwarf", "barbarian")).hand(0, "bottle")
    sc.dice(lambda table: table.do("elf", "throw:bottle", "dwarf"), 1, 1, 6)
    assert (sc.broken, sc.position("dwarf")) == (["bottle"], T)
    sc.until("claim", "keep")
    assert (sc.broken, sc.discard) == (["bottle"], [])
    assert not (sc.s.deck > sc.R.copies - sc.s.broken).any()


def test_broken_weapons_are_those_used() -> None:
    sc = Scene(2, heroes=("dwarf", "barbarian", "elf", "gnome")).drawn("dwarf", "demonic_sword").hand(0, "stool")
    sc.dice(lambda table: table.do("dwarf", "strike_drawn:demonic_sword", "elf"), 1, 1, 2, 3)
    assert (sc.broken, sc.drawn_by("dwarf"), sc.treasures_of(0), sc.hand_of(0)) == ([], ["demonic_sword"], ["demonic_sword"], ["stool"])
    sc = Scene(2, heroes=("dwarf", "barbarian", "elf", "gnome")).drawn("dwarf", "wall_trophy")
    sc.dice(lambda table: table.do("dwarf", "strike_drawn:wall_trophy", "elf"), 1, 1, 2, 3)
    assert (sc.broken, sc.drawn_by("dwarf"), sc.tavern) == (["wall_trophy"], [], 29)
    sc = Scene(2, heroes=("dwarf", "barbarian", "elf", "gnome")).drawn("dwarf", "wall_trophy")
    sc.dice(lambda table: table.do("dwarf", "strike_drawn:wall_trophy", "elf"), 1, 5, 2, 3).until("keep", "claim")
    assert (sc.broken, sc.discard, sc.drawn_by("dwarf")) == ([], [], ["wall_trophy"])


# Targets


def crowd(seats: int, **more: object) -> Scene:
    """Return a scene of many seats; the Elf of seat 0 has a bottle."""
    sc = Scene(seats, heroes=("elf", "dwarf"), **more)  # type: ignore[arg-type]
    return sc.hand(0, "bottle")


def aims(sc: Scene, action: str) -> list[int]:
    """Return the seats whose characters the Elf can attack."""
    twin = sc.clone().activate("elf")
    if not twin.legal(action):
        return []
    twin.act(action)
    if twin.question != "target":
        return [next(seat for seat in range(sc.seats) if 1 << int(twin.s.act.target) & int(twin.s.seat[seat].group))]
    seats = [seat for seat in range(sc.seats) if set(twin.labels("character")) & set(sc.group(seat))]
    attackable = [c for seat in seats for c in sc.group(seat) if sc.position(c) in (U, T, D)]
    assert sorted(twin.labels("character")) == sorted(attackable)
    return seats


def knock_out(sc: Scene, *seats: int) -> Scene:
    """Knock out all characters of some seats."""
    for seat in seats:
        sc.put(KO, *sc.group(seat))
    return sc


@rule("TB-T8")
def test_no_throw_at_the_neighbours() -> None:
    sc = crowd(5)
    assert aims(sc, "throw:bottle") == [2, 3]
    assert aims(sc, "strike:bottle") == [1, 4]


@pytest.mark.parametrize(
    ("seats", "throws", "strikes"),
    [(2, [1], [1]), (3, [1, 2], [1, 2]), (4, [2], [1, 3]), (5, [2, 3], [1, 4]), (6, [2, 3, 4], [1, 5])],
)
def test_targets_by_players(seats: int, throws: list[int], strikes: list[int]) -> None:
    sc = crowd(seats)
    assert (aims(sc, "throw:bottle"), aims(sc, "strike:bottle")) == (throws, strikes)


@rule("TB-R6")
def test_living_groups_lift_the_limit() -> None:
    sc = knock_out(crowd(4), 2)
    assert (aims(sc, "throw:bottle"), aims(sc, "strike:bottle")) == ([1, 3], [1, 3])
    sc = knock_out(crowd(5), 1)
    assert (aims(sc, "throw:bottle"), aims(sc, "strike:bottle")) == ([3], [2, 4])
    sc = knock_out(crowd(6), 1, 2)
    assert (aims(sc, "throw:bottle"), aims(sc, "strike:bottle")) == ([4], [3, 5])
    sc = knock_out(crowd(6), 1, 2, 5)
    assert (aims(sc, "throw:bottle"), aims(sc, "strike:bottle")) == ([3, 4], [3, 4])


@rule("TB-R10")
def test_a_group_lives_by_any_character() -> None:
    sc = knock_out(crowd(4), 1).join(1, "pilgrim")
    assert (aims(sc, "throw:bottle"), aims(sc, "strike:bottle")) == ([2], [1, 3])
    sc.put(D, "pilgrim")
    assert (aims(sc, "throw:bottle"), aims(sc, "strike:bottle")) == ([2], [1, 3])
    sc.put(FLED, "pilgrim")
    assert (aims(sc, "throw:bottle"), aims(sc, "strike:bottle")) == ([2, 3], [2, 3])


def test_nobody_strikes_his_own_or_the_hidden() -> None:
    sc = Scene(2, heroes=FIGHTERS).hand(0, "bottle").hide("elf", "curtain")
    sc.dice(lambda scene: scene.do("dwarf", "strike:bottle"), 2, 3, 4)
    assert (sc.target, len(sc.rolled)) == ("magician", 3)
    sc = Scene(2, heroes=FIGHTERS).hand(0, "bottle").hide("elf", "curtain").hide("magician", "cupboard").activate("dwarf")
    assert (sc.labels("strike"), sc.labels("throw")) == ([], [])


@rule("TB-T9")
@pytest.mark.parametrize("modules", [(), ("casse_tout",)])
def test_protection(modules: tuple[str, ...]) -> None:
    def table() -> Scene:
        sc = Scene(2, modules, heroes=("dwarf", "barbarian", "elf", "magician")).hand(0, "bottle", "table_leg")
        return sc.cover("elf", "overturned_table").cover("magician", "overturned_table")

    sc = table().activate("dwarf")
    assert (sc.labels("throw"), sc.labels("strike")) == ([], ["table_leg", "bottle"])
    sc = blow(table(), 4, 3, 2)
    assert (sc.position("elf"), sc.cover_of("elf"), sc.tavern) == (U, "overturned_table", 30)
    sc = blow(table(), 6, 3, 2)
    assert (sc.position("elf"), sc.cover_of("elf")) == (T, None)
    assert sc.cover_of("magician") == "overturned_table"
    if modules:
        assert (sc.broken, sc.discard, sc.tavern) == (["table_leg", "overturned_table"], [], 28)
    else:
        assert (sc.broken, sc.discard, sc.tavern) == ([], ["overturned_table"], 30)


@rule("TB-R12")
@pytest.mark.parametrize(("lying", "dice"), [(U, (6, 6, 2)), (T, (6, 5, 2)), (T, (6, 6, 2)), (D, (6, 2, 2))])
def test_any_damage_in_contact_takes_the_protection(lying: str, dice: tuple[int, ...]) -> None:
    sc = blow(duel().put(lying, "elf").cover("elf", "wall_shield"), *dice)
    assert (sc.cover_of("elf"), sc.discard) == (None, ["wall_shield"])


def test_only_a_throw_is_stopped_by_a_protection() -> None:
    sc = Scene(2, heroes=("elf", "gnome", "dwarf", "barbarian")).hand(0, "plate").cover("dwarf", "bar_counter")
    sc.activate("elf").act("throw:plate")
    assert (sc.target, sc.position("dwarf")) == ("barbarian", U)


def test_combat_takes_one_out_of_cover() -> None:
    for action in ("strike:bottle", "throw:bottle"):
        sc = Scene(2, heroes=("elf", "gnome", "dwarf", "barbarian")).hand(0, "bottle").cover("elf", "wall_shield")
        sc.do("elf", action, "dwarf")
        assert (sc.cover_of("elf"), sc.discard) == (None, ["wall_shield"])


# Dice


def test_dice_of_a_strike_and_of_a_throw() -> None:
    """One hero has strength 3 and cunning 1, the other strength 1 and cunning 3; a drawn weapon adds one."""
    sc = Scene(2, heroes=("dwarf", "elf", "paladin", "amazon")).hand(0, "bottle")
    assert len(sc.clone().do("dwarf", "strike:bottle", "paladin").rolled) == 3
    assert len(sc.clone().do("dwarf", "throw:bottle", "paladin").rolled) == 1
    assert len(sc.clone().do("elf", "strike:bottle", "paladin").rolled) == 1
    assert len(sc.clone().do("elf", "throw:bottle", "paladin").rolled) == 3
    for weapon in ("demonic_sword", "blessed_lance", "wall_trophy"):
        assert len(sc.clone().drawn("dwarf", weapon).do("dwarf", f"strike_drawn:{weapon}", "paladin").rolled) == 4


def test_seven_dice_at_most() -> None:
    sc = Scene(2, heroes=FIGHTERS).drawn("dwarf", "demonic_sword").join(0, "sergeant", "recruit", "monk", "pilgrim")
    sc.do("dwarf", "strike_drawn:demonic_sword", "elf", ["sergeant", "recruit", "monk"])
    assert len(sc.rolled) == 7
    assert sc.positions("dwarf", "sergeant", "recruit", "monk", "pilgrim") == [T, T, T, T, U]


@rule("TB-R7")
def test_scores_and_the_troll() -> None:
    sc = Scene(2, heroes=("troll", "dwarf", "elf", "magician")).hand(0, "plate", "bottle")
    assert sc.clone().activate("dwarf").labels("throw") == ["plate", "bottle"]
    sc.join(0, "witch", "bard").activate("troll")
    assert (sc.labels("throw"), sc.labels("strike")) == ([], ["bottle"])
    heroes = range(12)
    assert all(1 <= sc.R.strength[h] <= 3 for h in heroes)
    assert [int(sc.R.cunning[h]) for h in heroes if not 1 <= sc.R.cunning[h] <= 3] == [0]


# Supports


@rule("TB-R14")
def test_arrivals_support_and_heroes_do_not() -> None:
    def table(**overrides: str) -> Scene:
        sc = Scene(2, heroes=FIGHTERS, overrides={f"switch.{k}": word for k, word in overrides.items()}).hand(0, "bottle")
        return sc.join(0, "bouncer", "drunkard", "witch").put(T, "drunkard").join(1, "monk").activate("dwarf")

    sc = table().act("strike:bottle").act("character:elf")
    assert (sc.question, sc.options()) == ("support", ["character:bouncer", "roll"])
    sc.act("character:bouncer").answer("support", "roll")
    assert (len(sc.rolled), sc.positions("bouncer", "witch", "barbarian")) == (4, [T, U, U])
    sc = table().act("throw:bottle").act("character:elf")
    assert sc.options() == ["character:witch", "roll"]
    sc.act("character:witch").answer("support", "roll")
    assert len(sc.rolled) == 2
    sc = table(base_support="off").act("strike:bottle").act("character:elf")
    assert (sc.turn, len(sc.rolled), sc.position("bouncer")) == (1, 3, U)


def test_no_support_is_needed() -> None:
    sc = duel().join(0, "bouncer").do("dwarf", "strike:table_leg", "elf")
    assert (len(sc.rolled), sc.position("bouncer")) == (3, U)


# Consequences


@rule("TB-R8")
def test_damage_adds_to_the_tilt_of_an_activation() -> None:
    sc = duel().lead(1).activate("elf").act("pass")
    assert (sc.position("elf"), sc.turn) == (T, 0)
    sc = blow(sc, 6, 2, 3)
    assert sc.position("elf") == D
    sc = blow(duel().put(T, "elf"), 6, 6, 3)
    assert sc.position("elf") == KO


@rule("TB-R9")
def test_straight_to_ko_drops_once() -> None:
    sc = blow(duel().treasures(1, "ruby", "crown", "wand", "spyglass"), 6, 6, 6)
    assert sc.position("elf") == KO
    assert int(sc.s.fallen_once) == 0
    assert (sc.question, sc.turn) == ("drop", 1)
    assert (len(sc.treasures_of(0)), len(sc.treasures_of(1))) == (1, 3)
    sc.act(sc.options()[0])
    assert (len(sc.fallen), len(sc.treasures_of(1)), sc.question) == (1, 2, "action")


def test_ko_gives_one_at_random_then_drops_one_of_choice() -> None:
    given = set()
    for seed in range(60):
        sc = duel().put(D, "elf").treasures(1, "ruby", "crown", "wand")
        sc.s.seed = seed
        sc.do("dwarf", "strike:table_leg", "elf")
        if sc.position("elf") == KO:
            gift = sc.treasures_of(0)
            given.update(gift)
            assert len(gift) == 1
            assert (sc.question, sc.turn) == ("drop", 1)
            assert sc.labels("treasure") == [t for t in ("wand", "ruby", "crown") if t not in gift]
    assert given == {"ruby", "crown", "wand"}


def test_ko_with_little_to_give() -> None:
    sc = blow(duel().put(D, "elf").treasures(1, "ruby"), 6, 2, 3)
    assert (sc.treasures_of(0), sc.treasures_of(1), sc.fallen, sc.question) == (["ruby"], [], [], "action")
    sc = blow(duel().put(D, "elf").treasures(1), 6, 2, 3)
    assert (sc.treasures_of(0), sc.fallen, sc.position("elf")) == ([], [], KO)


def test_safe_treasures_are_never_touched() -> None:
    sc = blow(duel().put(D, "elf").treasures(1).safe(1, "ruby", "crown"), 6, 2, 3)
    assert (sc.safe_of(1), sc.treasures_of(0), sc.fallen) == (["ruby", "crown"], [], [])


def test_arrival_ko_leaves_the_game() -> None:
    sc = blow(duel().join(1, "merchant").cover("merchant", "wall_shield"), 6, 5, 5, at="merchant")
    assert sc.position("merchant") == KO
    assert (sc.fallen, sc.treasures_of(0), sc.treasures_of(1)) == ([], [], ["ruby", "crown"])
    assert sc.discard == ["wall_shield"]
    assert sc.question == "activate"


def test_cards_of_a_ko_character_go() -> None:
    sc = duel().put(D, "elf").treasures(1).drawn("elf", "blessed_lance").cover("elf", "wall_shield")
    sc = blow(sc, 6, 2, 3)
    assert (sc.drawn_by("elf"), sc.cover_of("elf"), sc.discard) == ([], None, ["wall_shield"])
    assert (sc.treasures_of(0), sc.treasures_of(1)) == (["blessed_lance"], [])
    sc = blow(duel().put(D, "elf").treasures(1).drawn("elf", "wall_trophy"), 6, 2, 3)
    assert (sc.drawn_by("elf"), sc.discard) == ([], ["wall_trophy"])


@rule("TB-R22")
def test_drawn_treasures_are_still_owned() -> None:
    """When they are dropped or given they leave the character who drew them."""
    sc = blow(duel().put(T, "elf").treasures(1, "ruby").drawn("magician", "demonic_sword"), 6, 2, 3)
    assert sc.options() == ["treasure:demonic_sword", "treasure:ruby"]
    sc.act("treasure:demonic_sword")
    assert (sc.drawn_by("magician"), sc.fallen) == ([], ["demonic_sword"])
    sc = blow(duel().put(D, "elf").treasures(1).drawn("magician", "demonic_sword"), 6, 2, 3)
    assert (sc.drawn_by("magician"), sc.treasures_of(0)) == ([], ["demonic_sword"])
    sc = Scene(2, heroes=FIGHTERS).drawn("dwarf", "demonic_sword", fresh=True).activate("dwarf")
    assert sc.labels("strike_drawn") == []
    sc = Scene(2, heroes=FIGHTERS).drawn("dwarf", "demonic_sword")
    assert sc.clone().activate("dwarf").labels("strike_drawn") == ["demonic_sword"]
    assert sc.clone().activate("barbarian").labels("strike_drawn") == []
    assert sc.clone().activate("barbarian").labels("draw") == []
    sc = Scene(2, heroes=FIGHTERS).drawn("dwarf", "demonic_sword").last_round().next_round()
    assert (sc.question, sc.scores[0]) == ("over", 2)


def test_the_last_living_group_ends_the_game() -> None:
    sc = blow(duel().put(KO, "magician").put(D, "elf").treasures(1, "ruby", "crown", "wand"), 6, 2, 3)
    while sc.question == "drop":
        sc.act(sc.options()[0])
    assert (sc.question, sc.turn) == ("over", -1)
    assert (len(sc.treasures_of(0)), len(sc.fallen), len(sc.treasures_of(1))) == (1, 1, 1)
    sc = Scene(3, heroes=FIGHTERS).put(KO, "magician").put(D, "elf").hand(0, "table_leg")
    assert blow(sc, 6, 2, 3).question != "over"
