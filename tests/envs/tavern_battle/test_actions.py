"""The other actions: picking up, protection, hiding, drawing, fleeing (sections 3.4 and 3.6 of the rules)."""

import pytest

from tests.envs.tavern_battle.editing import FLED, KO, D, T, U
from tests.envs.scene import rule
from tests.envs.tavern_battle.scene import Scene


def table(*heroes: str, seats: int = 2, modules: tuple[str, ...] = (), **more: object) -> Scene:
    """Return a scene; seat 0 has the first two heroes."""
    return Scene(seats, modules, heroes=heroes, **more)  # type: ignore[arg-type]


def after(sc: Scene, name: str, action: str, *dice: int) -> Scene:
    """Play a test with these dice."""
    return sc.dice(lambda scene: scene.do(name, action), *dice)


def test_activation_tilts_and_passes_the_lead() -> None:
    sc = table("dwarf", "elf", seats=3)
    assert (sc.question, sc.turn, sc.options()) == ("activate", 0, ["character:dwarf", "character:elf"])
    sc.activate("elf")
    assert (sc.question, sc.position("elf")) == ("action", T)
    sc.act("pass")
    assert (sc.question, sc.turn) == ("activate", 1)


def test_a_player_with_nobody_upright_is_passed_over() -> None:
    sc = table("dwarf", "elf", seats=3).put(T, *Scene(3, heroes=("dwarf", "elf")).group(1)).activate("dwarf").act("pass")
    assert sc.turn == 2


def test_only_upright_characters_act() -> None:
    sc = table("dwarf", "elf").join(0, "monk", "bard", "witch", "tinker").put(T, "monk").put(D, "bard").put(KO, "elf").put(FLED, "tinker")
    assert sc.options() == ["character:dwarf", "character:witch"]


def test_with_nothing_one_passes_or_goes_to_the_door() -> None:
    sc = table("troll", "dwarf").activate("troll")
    assert sc.options() == ["pass", "door"]
    sc = table("gnome", "dwarf").activate("gnome")
    assert sc.options() == ["pass", "window", "door"]


@rule("TB-T6")
def test_a_troll_with_plates() -> None:
    sc = table("troll", "dwarf").hand(0, "plate", "plate", "plate")
    assert sc.clone().activate("troll").options() == ["pass", "door"]
    sc.hand(0, "plate", "curtain")
    assert sc.clone().activate("troll").options() == ["pass", "door"]
    sc.join(0, "witch")
    assert sc.clone().activate("troll").options() == ["pass", "hide:curtain", "door"]
    sc.join(0, "bard")
    assert sc.clone().activate("troll").options() == ["pass", "hide:curtain", "window", "door"]
    assert sc.clone().put(T, "bard").activate("troll").options() == ["pass", "hide:curtain", "door"]


@rule("TB-R26")
def test_the_window_takes_supports() -> None:
    sc = table("troll", "dwarf").join(0, "witch", "bard", "monk").activate("troll").act("window")
    while sc.question == "support":
        assert set(sc.options()) <= {"character:witch", "character:bard"}, "two are needed, the monk has no cunning to lend"
        sc.act(sc.options()[0])
    assert (len(sc.rolled), sc.positions("witch", "bard", "monk")) == (2, [T, T, U])
    sc = table("dwarf", "elf").join(0, "witch").dice(lambda scene: scene.do("dwarf", "window", supports=["witch"]), 6, 6)
    assert (sc.position("dwarf"), sc.position("witch")) == (FLED, T)
    sc = table("troll", "dwarf").hand(0, "curtain").join(0, "witch")
    sc.dice(lambda scene: scene.do("troll", "hide:curtain", supports=["witch"]), 5)
    assert (sc.den_of("troll"), sc.position("witch")) == ("curtain", T)


# Picking up


def test_pick_up() -> None:
    sc = table("dwarf", "elf").drop("ruby", "wand").activate("dwarf").act("pick_up")
    assert (sc.question, sc.options()) == ("pick", ["treasure:wand", "treasure:ruby"])
    sc.act("treasure:ruby")
    assert (sc.treasures_of(0), sc.fallen, sc.turn) == (["ruby"], ["wand"], 1)
    assert table("dwarf", "elf").drop("ruby").activate("dwarf").act("pick_up").treasures_of(0) == ["ruby"]
    assert not table("dwarf", "elf").activate("dwarf").legal("pick_up")


def test_cover_does_not_hinder_other_actions() -> None:
    sc = table("dwarf", "elf").cover("dwarf", "wall_shield").drop("ruby").activate("dwarf").act("pick_up")
    assert sc.cover_of("dwarf") == "wall_shield"
    sc = table("dwarf", "elf").cover("dwarf", "wall_shield").treasures(0, "demonic_sword").do("dwarf", "draw:demonic_sword")
    assert sc.cover_of("dwarf") == "wall_shield"


# Protection


@rule("TB-R11")
def test_protection_is_an_action() -> None:
    sc = table("dwarf", "elf").hand(0, "wall_shield", "plate").activate("dwarf")
    assert sc.labels("protect") == ["wall_shield"]
    sc.act("protect:wall_shield")
    assert (sc.cover_of("dwarf"), sc.hand_of(0), sc.turn) == ("wall_shield", ["plate"], 1)
    assert table("dwarf", "elf").hand(0, "wall_shield", "plate").activate("dwarf").act("throw:plate").cover_of("dwarf") is None


def test_one_protection_at_a_time() -> None:
    sc = table("dwarf", "elf").cover("dwarf", "wall_shield").hand(0, "bar_counter").do("dwarf", "protect:bar_counter")
    assert (sc.cover_of("dwarf"), sc.discard) == ("bar_counter", ["wall_shield"])


def test_protection_stays_from_round_to_round() -> None:
    sc = table("dwarf", "elf").cover("dwarf", "wall_shield").next_round()
    assert (sc.round, sc.cover_of("dwarf"), sc.discard) == (2, "wall_shield", [])


# Hiding


@pytest.mark.parametrize("kind", ["barrel", "cupboard", "curtain", "cellar_hatch"])
@pytest.mark.parametrize(("dice", "hidden"), [((5, 1, 2), True), ((6, 6, 1), True), ((4, 4, 4), False)])
def test_hide(kind: str, dice: tuple[int, ...], hidden: bool) -> None:
    sc = after(table("gnome", "dwarf").hand(0, kind), "gnome", f"hide:{kind}", *dice)
    assert (sc.den_of("gnome"), sc.discard, sc.hand_of(0)) == ((kind, [], []) if hidden else (None, [kind], []))
    assert sc.position("gnome") == T
    sc.hand(1, "bottle").activate(sc.labels("character")[0]).act("strike:bottle")
    assert (sc.question == "target") == (not hidden)


def test_hiding_lasts_to_the_round_after() -> None:
    """He keeps the object at the end of the round he hid in, and loses it at the end of the next one without a test."""
    sc = after(table("gnome", "dwarf").hand(0, "curtain"), "gnome", "hide:curtain", 5, 1, 2).next_round()
    assert (sc.round, sc.den_of("gnome"), sc.position("gnome")) == (2, "curtain", U)
    sc.next_round()
    assert (sc.round, sc.den_of("gnome")) == (3, None)


def hidden(*modules: str) -> Scene:
    """Return a scene in which the Gnome has been hidden since the round before."""
    return table("gnome", "dwarf", modules=modules).in_round(2).hide("gnome", "cupboard")


@pytest.mark.parametrize("modules", [(), ("casse_tout",)])
@pytest.mark.parametrize(("dice", "stays"), [((5, 1, 2), True), ((1, 3, 4), False)])
def test_hiding_is_kept_by_a_test(modules: tuple[str, ...], dice: tuple[int, ...], stays: bool) -> None:
    sc = after(hidden(*modules), "gnome", "stay_hidden", *dice)
    assert (sc.den_of("gnome"), sc.position("gnome")) == ("cupboard" if stays else None, T)
    lost = [] if stays else ["cupboard"]
    assert (sc.broken, sc.discard) == ((lost, []) if modules else ([], lost))
    if stays:
        assert sc.next_round().den_of("gnome") == "cupboard"


@pytest.mark.parametrize("modules", [(), ("casse_tout",)])
def test_other_actions_leave_the_hide_out(modules: tuple[str, ...]) -> None:
    """A hide-out left on purpose is discarded, never broken."""
    for action in ("pick_up", "window", "door", "protect:wall_shield", "draw:blessed_lance", "throw:plate"):
        sc = hidden(*modules).drop("ruby").treasures(0, "blessed_lance").hand(0, "wall_shield", "plate")
        sc.do("gnome", action, "elf" if action == "throw:plate" else "")
        assert sc.den_of("gnome") is None
        assert "cupboard" in sc.discard
        assert "cupboard" not in sc.broken


def test_untested_hide_outs_are_lost_at_the_end_of_the_round() -> None:
    for modules in ((), ("casse_tout",)):
        sc = hidden(*modules).put(T, "gnome").next_round()
        assert (sc.den_of("gnome"), "cupboard" in sc.broken) == (None, False)


def test_first_test_failed_is_only_discarded() -> None:
    sc = after(table("gnome", "dwarf", modules=("casse_tout",)).hand(0, "cupboard"), "gnome", "hide:cupboard", 4, 4, 4)
    assert (sc.broken, sc.discard) == ([], ["cupboard"])


# Drawing


@pytest.mark.parametrize("weapon", ["demonic_sword", "blessed_lance", "wall_trophy"])
def test_draw(weapon: str) -> None:
    sc = table("dwarf", "elf")
    sc = sc.hand(0, weapon) if weapon == "wall_trophy" else sc.treasures(0, weapon)
    sc.activate("dwarf").act(f"draw:{weapon}")
    assert (sc.drawn_by("dwarf"), sc.hand_of(0), sc.turn) == ([weapon], [], 1)
    sc.lead(0).put(U, "dwarf")
    assert sc.clone().activate("dwarf").labels("strike_drawn") == []
    sc.next_round().until("activate", seat=0)
    assert (sc.round, sc.drawn_by("dwarf")) == (2, [weapon])
    assert sc.clone().activate("dwarf").labels("strike_drawn") == [weapon]
    assert sc.clone().activate("elf").labels("strike_drawn") == []


def test_only_three_things_can_be_drawn() -> None:
    sc = table("dwarf", "elf").treasures(0, "dwarven_axe", "elven_bow", "jewelled_dagger").hand(0, "fire_poker", "table_leg")
    assert sc.activate("dwarf").labels("draw") == []


# Door and window


@rule("TB-T11")
def test_door_is_left_after_the_next_round() -> None:
    sc = table("elf", "dwarf").treasures(0, "ruby", "crown", "wand").in_round(2).do("elf", "door").next_round()
    assert (sc.round, sc.position("elf"), sc.at_door("elf")) == (3, U, True)
    sc.put(T, "elf").until("secure")
    assert (sc.round, sc.turn, sc.labels("treasure")) == (3, 0, ["wand", "ruby", "crown"])
    sc.act("treasure:crown").act("treasure:wand")
    assert (sc.position("elf"), sc.safe_of(0), sc.treasures_of(0)) == (FLED, ["wand", "crown"], ["ruby"])


@rule("TB-T12")
def test_down_is_thrown_back_from_the_door() -> None:
    sc = table("elf", "dwarf", "barbarian", "paladin").treasures(0, "ruby", "crown").in_round(3).door("elf").put(T, "elf")
    sc.hand(1, "table_leg").lead(1).dice(lambda scene: scene.do("barbarian", "strike:table_leg", "elf"), 6, 1, 2)
    assert (sc.position("elf"), sc.at_door("elf")) == (D, False)
    sc.next_round()
    assert (sc.round, sc.position("elf"), sc.safe_of(0)) == (4, T, [])


def test_down_in_the_round_he_went_there_too() -> None:
    sc = table("elf", "dwarf", "barbarian", "paladin").do("elf", "door").hand(1, "table_leg")
    sc.dice(lambda scene: scene.do("barbarian", "strike:table_leg", "elf"), 6, 1, 2)
    assert not sc.at_door("elf")
    sc.next_round().next_round()
    assert sc.position("elf") != FLED


def test_at_the_door_one_passes_or_gives_it_up() -> None:
    sc = table("elf", "dwarf").in_round(2).door("elf").drop("ruby").treasures(0, "wand")
    stays = sc.clone().activate("elf").answer("action", "pass")
    assert stays.at_door("elf")
    assert stays.next_round().position("elf") == FLED
    sc.activate("elf").act("pick_up")
    assert not sc.at_door("elf")
    assert sc.next_round().position("elf") == U


@rule("TB-R20")
def test_the_door_holds_any_number() -> None:
    sc = table("elf", "dwarf").join(0, "monk", "bard").in_round(2).door("elf").door("dwarf").door("monk").next_round()
    assert sc.positions("elf", "dwarf", "monk", "bard") == [FLED, FLED, FLED, U]
    sc = table("elf", "dwarf", "barbarian", "paladin").in_round(2).door("elf").lead(1)
    assert sc.activate("barbarian").legal("door")
    sc.act("door")
    assert (sc.at_door("elf"), sc.at_door("barbarian")) == (True, True)


@rule("TB-T13")
def test_gnome_at_the_window() -> None:
    sc = after(table("gnome", "dwarf").treasures(0, "ruby", "wand"), "gnome", "window", 6, 6, 2)
    assert (sc.position("gnome"), sc.safe_of(0), sc.treasures_of(0)) == (FLED, ["wand", "ruby"], [])
    sc = after(table("gnome", "dwarf").treasures(0, "ruby", "wand"), "gnome", "window", 6, 5, 5)
    assert (sc.position("gnome"), sc.safe_of(0)) == (T, [])


@pytest.mark.parametrize(("held", "safe"), [(["ruby"], ["ruby"]), ([], [])])
def test_all_treasures_if_fewer_than_two(held: list[str], safe: list[str]) -> None:
    sc = after(table("gnome", "dwarf").treasures(0, *held), "gnome", "window", 6, 6, 2)
    assert (sc.safe_of(0), sc.treasures_of(0)) == (safe, [])


def test_arrivals_flee_too_and_who_is_gone_is_gone() -> None:
    sc = after(table("gnome", "dwarf").join(0, "witch").treasures(0, "ruby", "wand", "crown"), "witch", "window", 6, 6)
    assert sc.question == "secure"
    sc.act("treasure:ruby").act("treasure:wand")
    assert (sc.position("witch"), sc.safe_of(0)) == (FLED, ["wand", "ruby"])
    sc.hand(1, "bottle").activate(sc.labels("character")[0]).act("strike:bottle")
    assert sc.labels("character") == ["dwarf", "gnome"]


def test_the_last_one_to_flee_ends_the_game() -> None:
    sc = table("gnome", "dwarf").put(KO, "dwarf").treasures(0, "ruby", "wand", "crown")
    sc = after(sc, "gnome", "window", 6, 6, 2)
    while sc.question == "secure":
        sc.act(sc.options()[0])
    assert sc.question == "over"
    assert len(sc.safe_of(0)) == 2


@rule("TB-R30")
def test_supports_from_the_door_and_from_a_hide_out() -> None:
    sc = table("dwarf", "elf").join(0, "monk", "pilgrim").hand(0, "table_leg").in_round(2).door("monk").hide("pilgrim", "cupboard")
    sc.do("dwarf", "strike:table_leg", "magician", ["monk", "pilgrim"])
    assert sc.at_door("monk")
    assert (sc.den_of("pilgrim"), "cupboard" in sc.discard) == (None, True)
    assert sc.next_round().position("monk") == FLED
