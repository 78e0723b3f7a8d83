"""Module 3: the reputation loop, its phase, bards (4.2 and 1.12 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.tiefenthal.scene import R21, R22, R31, R32, R41, Scene

G2, G3 = "guest3_d2", "guest3_d3"  # pay 2 each
POINTS_11 = {1: 1, 2: 2, 3: 3, 4: 3, 5: 4, 6: 5, 7: 6, 8: 6, 9: 7, 10: 8, 11: 0}
POINTS_12 = {1: 1, 2: 2, 3: 3, 4: 3, 5: 4, 6: 5, 7: 5, 8: 6, 9: 6, 10: 7, 11: 8, 12: 0}


def stepping(space: int, level: int = 3, songs: int = 1, **more: object) -> Scene:
    """Seat 0 with bards laid out, one song from a space of the loop, and a regular at a table."""
    sc = Scene(level=level, **more).lay(0, R21, *["bard"] * songs)  # type: ignore[arg-type]
    return sc.set(0, fame=space - 1).pile(0)


def final(fame: int, level: int = 3) -> int:
    """Points of a marker at the end of a game in which nothing else is worth any."""
    sc = Scene(level=level, overrides={"game.rounds": 1}).pile(0).discard(0, R21).set(0, fame=fame)
    return sc.rest().scores[0]


def produced(*laid: str, dice: tuple[tuple[str, int], ...], upgraded: tuple[str, ...] = ()) -> Scene:
    """Seat 0 after its reputation phase."""
    return Scene("place", level=3).lay(0, *laid).upgrade(0, *upgraded).plan(*dice)


# 1.12, the spaces


@rule("TT-M3-1")
@pytest.mark.parametrize("space", [1, 2, 3, 5, 6, 7, 9, 10])
def test_spaces_with_points_bring_nothing_at_once(space: int) -> None:
    sc = stepping(space).act("sing")
    assert (sc.get("fame"), sc.get("schnapps"), sc.gained(), sc.question) == (space, 0, [], "serve")


@rule("TT-M3-2")
def test_space_4_schnapps() -> None:
    sc = stepping(4).act("sing")
    assert (sc.get("fame"), sc.get("schnapps")) == (4, 1)


@rule("TT-M3-2")
def test_space_8_schnapps_or_remove() -> None:
    sc = stepping(8).act("sing")
    assert (sc.question, sc.options()) == ("cheer", ["take:schnapps", f"remove:{R21}"])
    sc.act("take:schnapps")
    assert (sc.get("fame"), sc.get("schnapps"), sc.laid_by()) == (8, 1, [R21, "bard"])
    sc = stepping(8).act("sing", f"remove:{R21}")
    assert (sc.get("fame"), sc.get("schnapps"), sc.laid_by(), sc.boxed) == (8, 0, ["bard"], [R21])


@rule("TT-M3-2")
def test_space_11_crown() -> None:
    sc = stepping(11).act("sing")
    assert (sc.get("fame"), sc.gained()) == (11, ["noble"])


@rule("TT-M3-1")
def test_after_the_crown_comes_space_1() -> None:
    sc = stepping(12).act("sing")
    assert (sc.get("fame"), sc.gained()) == (1, [])
    sc = stepping(13, level=5).act("sing")
    assert (sc.get("fame"), sc.gained()) == (1, [])


@rule("TT-M3-2")
def test_spaces_of_the_loop_with_the_signature() -> None:
    sc = stepping(4, level=5).act("sing")
    assert sc.get("schnapps") == 1
    assert stepping(9, level=5).act("sing").question == "cheer"
    assert stepping(8, level=5).act("sing").question == "serve"
    assert stepping(12, level=5).act("sing").gained() == ["noble"]
    assert stepping(11, level=5).act("sing").gained() == []


@rule("TT-M3-2")
def test_spaces_passed_over_act_too() -> None:
    sc = Scene(level=3).pile(0).lay(0, R21).set(0, fame=2).offer("guest8_d4_reputation").goods_are(0, 8).act("guest:open1")
    assert (sc.get("fame"), sc.get("schnapps")) == (6, 1)
    sc = Scene(level=3).pile(0).lay(0, R21).set(0, fame=10).offer("guest8_d4_reputation").goods_are(0, 8).act("guest:open1")
    assert (sc.get("fame"), sc.gained()) == (3, ["guest8_d4_reputation", "noble"])
    sc = Scene(level=3).pile(0).lay(0, R21).set(0, fame=6).offer("guest8_d4_reputation").goods_are(0, 8).act("guest:open1")
    assert sc.question == "cheer"
    assert sc.act("take:schnapps").get("fame") == 10


@rule("TT-R15")
def test_bonuses_come_on_every_lap() -> None:
    sc = stepping(4, songs=16)
    for _ in range(16):
        sc.act("sing").answer("cheer", "take:schnapps")
    assert (sc.get("fame"), sc.get("schnapps"), sc.gained()) == (8, 4, ["noble"])


# M3-3 to M3-6


@rule("TT-T25", "TT-M3-4")
def test_the_smaller_of_doubloons_and_beers() -> None:
    sc = produced(
        G2, "supplier", "merchant",
        dice=((G2, 2), ("supplier", 1), ("supplier", 6), ("barrel", 4), ("cashbox", 3)), upgraded=("cashbox",),
    )  # fmt: skip
    assert (sc.get("fame"), sc.get("schnapps")) == (5, 1)
    sc.goods_are(9, 0).act("upgrade:barrel")
    assert sc.get("fame") == 5


@rule("TT-M3-3")
@pytest.mark.parametrize(("laid", "dice", "upgraded", "steps"), [
    ((G2,), ((G2, 2),), (), 0),
    ((G2, "merchant"), ((G2, 2),), (), 1),
    ((G2, "merchant", "merchant", "merchant"), ((G2, 2),), (), 2),
    (("merchant",) * 4, (("cashbox", 2),), (), 1),
    (("merchant",) * 4, (("cashbox", 2),), ("cashbox",), 3),
    (("merchant",) * 4, (), ("cashbox",), 0),
    ((G2, G3, "noble"), ((G2, 2), (G3, 3), ("barrel", 4)), (), 1),
    ((G2, G3), ((G2, 2), (G3, 3), ("barrel", 4)), ("barrel",), 2),
    ((G2, G3), ((G2, 2), (G3, 3), ("supplier", 1)), (), 1),
    ((G2, G3), ((G2, 2), (G3, 3), ("supplier", 1)), ("supplier",), 2),
    ((G2, G3, "supplier"), ((G2, 2), (G3, 3), ("supplier", 6)), (), 2),
    ((G2, G3, "supplier"), ((G2, 2), (G3, 3), ("supplier", 6)), ("supplier",), 3),
    ((G2, G3, "supplier", "supplier"), ((G2, 2), (G3, 3)), ("supplier", "barrel"), 0),
])  # fmt: skip
def test_the_reputation_phase(laid: tuple[str, ...], dice: tuple[tuple[str, int], ...], upgraded: tuple[str, ...], steps: int) -> None:
    assert produced(*laid, dice=dice, upgraded=upgraded).get("fame") == steps


@rule("TT-R9")
def test_a_noble_with_a_die_counts_as_a_guest() -> None:
    assert produced("noble", "merchant", "merchant", dice=(("noble", 5),)).get("fame") == 1
    assert produced("noble", "noble", "merchant", "merchant", dice=(("noble", 5),)).get("fame") == 1


@rule("TT-M3-4")
def test_stored_goods_and_other_gains_do_not_count() -> None:
    sc = Scene("place", level=3).lay(0, G2, G3).set(0, doubloons=9, beer=9, schnapps=4, monastery=10).side(0, e1=2)
    sc.plan((G2, 2), (G3, 3), ("monk", 5)).act("spend:beer", "collect:monk")
    assert (sc.get("fame"), sc.goods()) == (0, (13, 15))
    sc = Scene("place", level=3).lay(0, "merchant", "merchant").set(0, doubloons=9, schnapps=4).side(0, e1=1)
    assert sc.plan().act("spend:doubloons").get("fame") == 0


@rule("TT-R40", "TT-M3-4")
def test_an_upgrade_of_the_same_turn_comes_too_late() -> None:
    sc = produced(*["merchant"] * 4, dice=(("cashbox", 2),)).goods_are(8, 4).act("upgrade:cashbox", "collect:cashbox")
    assert (sc.get("fame"), sc.goods()) == (1, (3, 4))
    sc.until("place", seat=0, round=2).lay(0, *["merchant"] * 4).set(0, fame=0).plan(("cashbox", 2))
    assert sc.get("fame") == 3


@rule("TT-M3-5")
def test_serving_follows_at_once_then_the_next_seat() -> None:
    sc = Scene("place", level=3).lay(0, G2, "merchant").plan((G2, 2))
    assert (sc.turn, sc.question, sc.get("fame"), sc.get("fame", 1)) == (0, "serve", 1, 0)
    sc.act("end")
    assert (sc.turn, sc.question, sc.get("fame", 1)) == (1, "place", 0)
    sc.lay(1, G2, "merchant").plan((G2, 2))
    assert (sc.turn, sc.question, sc.get("fame", 1)) == (1, "serve", 1)


@rule("TT-M3-1")
def test_the_phase_can_not_be_declined() -> None:
    """Nothing is asked on the way, whoever would rather stay on the space he is on."""
    sc = Scene("place", level=3).lay(0, G2, "merchant").set(0, fame=10).dice(2).place(G2)
    assert (sc.get("fame"), sc.question) == (11, "serve")


# M3-7, bards


@rule("TT-M3-7")
def test_a_bard_costs_a_doubloon() -> None:
    sc = Scene(level=3).pile(0).goods_are(2, 0).act("buy:bard")
    assert (sc.goods(), sc.gained(), sc.legal("buy:bard")) == ((1, 0), ["bard"], False)
    assert sc.get("fame") == 0
    sc.pile(0, "bard", R21, R22, R31).until("place", seat=0, round=2)
    assert sc.laid_by() == [R21, R22, R31, "bard"]
    sc.plan().act("sing")
    assert (sc.get("fame"), sc.legal("sing")) == (1, False)


@rule("TT-T28", "TT-R8")
def test_two_bards() -> None:
    sc = Scene(level=3).lay(0, "bard", "bard").set(0, fame=1).act("sing", "sing")
    assert (sc.get("fame"), sc.legal("sing")) == (3, False)
    sc = Scene(level=3).lay(0, "bard", "bard").set(0, fame=1).act("end")
    assert sc.get("fame") == 3
    sc = Scene("place", level=3).lay(0, "bard", "bard", G2, "merchant").set(0, fame=1).plan((G2, 2)).act("sing", "end")
    assert sc.get("fame") == 4


@rule("TT-R8")
def test_a_song_at_any_moment_of_the_turn() -> None:
    sc = Scene("place", level=3).lay(0, "bard", "bard", R32, R41).plan(("cashbox", 4), (R32, 3))
    sc.act("sing", "collect:cashbox", "sing")
    assert (sc.get("fame"), sc.goods()) == (2, (3, 0))


@rule("TT-R8")
def test_songs_left_bring_their_bonuses_at_the_end() -> None:
    sc = stepping(4).act("end")
    assert (sc.get("fame"), sc.get("schnapps")) == (4, 1)
    sc = stepping(8).act("end")
    assert (sc.question, sc.turn) == ("cheer", 0)
    sc.act("take:schnapps")
    assert (sc.turn, sc.get("schnapps")) == (1, 1)


def test_bards_are_no_merchants() -> None:
    sc = produced("bard", "bard", G2, dice=((G2, 2),))
    assert (sc.get("fame"), sc.goods()) == (0, (2, 0))


# M3-9


@rule("TT-T27", "TT-M3-9")
@pytest.mark.parametrize(("space", "points"), POINTS_11.items())
def test_points_of_the_loop(space: int, points: int) -> None:
    assert final(space) == points


@rule("TT-M3-9", "TT-R17")
@pytest.mark.parametrize(("space", "points"), POINTS_12.items())
def test_points_of_the_loop_with_the_signature(space: int, points: int) -> None:
    assert final(space, level=5) == points


@rule("TT-R16", "TT-T27")
def test_the_host_is_worth_nothing() -> None:
    assert final(0) == 0


@rule("TT-R18")
def test_points_are_those_of_the_current_lap() -> None:
    sc = Scene(level=3, overrides={"game.rounds": 1}).lay(0, *["bard"] * 5).pile(0).discard(0, R21).set(0, fame=10)
    for _ in range(5):
        sc.act("sing")
    assert (sc.get("fame"), sc.gained()) == (4, ["noble"])
    assert sc.act("end").rest().scores[0] == 10 + 1 + 3
