"""Every guest: what he takes and pays, and his bonus (1.5 of the rules); removing guests."""

import pytest
from alehouse.envs.tiefenthal.layout import NUMBERS

from tests.envs.scene import rule, worked
from tests.envs.tiefenthal.scene import R21, R22, R31, REGULARS, Scene, kind

NONE = ["guest3_d2", "guest3_d3", "guest3_d4", "guest4_d2", "guest5_d2", "guest5_d3"]
CARDS = {
    "guest5_d2_merchant": "merchant", "guest5_d3_merchant": "merchant", "guest5_d4_merchant": "merchant",
    "guest6_d2_dishwasher": "dishwasher", "guest7_d2_waitress": "waitress", "guest7_d4_table": "table",
    "guest8_d2_supplier": "supplier", "guest8_d3_waitress": "waitress",
}  # fmt: skip
DOUBLOONS = {
    "guest4_d4_doubloons": 1, "guest5_d2_doubloons": 2, "guest5_d4_doubloons": 2, "guest6_d4_doubloons": 3, "guest8_d4_doubloons": 4,
}  # fmt: skip
MONASTERY = {
    "guest4_d3_monastery": 1, "guest5_d2_monastery": 2, "guest5_d3_monastery": 2, "guest5_d4_monastery": 2, "guest7_d3_monastery": 3,
}  # fmt: skip
REMOVE = ["guest6_d3_remove"]
SCHNAPPS = ["guest4_d3_schnapps", "guest5_d2_schnapps", "guest6_d4_schnapps"]
REPUTATION = {
    "guest4_d4_reputation": 1, "guest5_d3_reputation": 2, "guest6_d2_reputation": 2, "guest7_d3_reputation": 3, "guest8_d4_reputation": 4,
}  # fmt: skip
MODULE_3 = [*SCHNAPPS, *REPUTATION]


def bought(guest: str, level: int = 1) -> Scene:
    """Seat 0 has just bought a guest with its last beer."""
    sc = Scene(level=level).pile(0).lay(0, R21)
    price = int(guest.removeprefix("guest")[0])
    if price == 3:
        return sc.offer(cheap=guest).goods_are(0, 3).act("guest:cheap")
    return sc.offer(guest).goods_are(0, price).act("guest:open1")


def test_every_guest_is_tested() -> None:
    tested = [*NONE, *CARDS, *DOUBLOONS, *MONASTERY, *REMOVE, *MODULE_3]
    assert sorted(tested) == sorted(NUMBERS.rows("guests"))


@pytest.mark.parametrize("guest", NONE)
def test_guests_without_a_bonus(guest: str) -> None:
    sc = bought(guest)
    assert (sc.goods(), sc.get("monastery"), sc.gained(), sc.question) == ((0, 0), 0, [guest], "serve")


@pytest.mark.parametrize(("guest", "card"), CARDS.items())
def test_guests_with_a_card(guest: str, card: str) -> None:
    """The bonus comes at once, then the guest's own card onto the pile (TT 3 F5)."""
    sc = bought(guest)
    assert (sc.goods(), sc.gained()) == ((0, 0), [guest, card])


@pytest.mark.parametrize(("guest", "n"), DOUBLOONS.items())
def test_guests_with_doubloons(guest: str, n: int) -> None:
    sc = bought(guest)
    assert (sc.goods(), sc.gained()) == ((n, 0), [guest])


@pytest.mark.parametrize(("guest", "n"), MONASTERY.items())
def test_guests_with_steps_in_the_monastery(guest: str, n: int) -> None:
    sc = bought(guest)
    assert (sc.get("monastery"), sc.goods(), sc.gained()) == (n, (0, 0), [guest, "merchant"] if n == 3 else [guest])


@pytest.mark.parametrize("guest", REMOVE)
def test_guests_that_send_another_away(guest: str) -> None:
    sc = bought(guest)
    assert (sc.question, sc.options()) == ("remove", ["done", f"remove:{R21}"])
    sc.act(f"remove:{R21}")
    assert (sc.laid_by(), sc.boxed, sc.gained()) == ([], [R21], [guest])
    sc = bought(guest).act("done")
    assert (sc.laid_by(), sc.boxed, sc.gained()) == ([R21], [], [guest])


@rule("TT-M3-8")
@pytest.mark.parametrize("guest", SCHNAPPS)
def test_guests_with_a_schnapps(guest: str) -> None:
    sc = bought(guest, level=3)
    assert (sc.get("schnapps"), sc.get("fame"), sc.gained()) == (1, 0, [guest])


@rule("TT-M3-8")
@pytest.mark.parametrize(("guest", "n"), REPUTATION.items())
def test_guests_with_reputation(guest: str, n: int) -> None:
    sc = bought(guest, level=3)
    assert (sc.get("fame"), sc.gained()) == (n, [guest])


@rule("TT-T29", "TT-M3-8")
def test_the_bonus_of_a_guest_is_not_repeated() -> None:
    sc = Scene(level=3).round_is(3).pile(0, R21, R22).offer("guest5_d3_reputation").goods_are(0, 5).act("guest:open1")
    assert sc.get("fame") == 2
    sc.until("place", seat=0, round=4)
    assert "guest5_d3_reputation" in sc.laid_by()
    assert sc.dice(3).plan(("guest5_d3_reputation", 3)).get("fame") == 2
    sc = Scene(level=3).round_is(3).pile(0, R21, R22).offer("guest4_d3_schnapps").goods_are(0, 4).act("guest:open1")
    sc.until("place", seat=0, round=4)
    assert sc.get("schnapps") == 1


@pytest.mark.parametrize("guest", MODULE_3)
def test_new_guests_come_with_reputation_only(guest: str) -> None:
    for level, copies in ((2, 0), (3, worked("tiefenthal").number(f"guests.{guest}.copies"))):
        sc = Scene("die", level=level)
        assert int(sc.R.copies[kind(guest)]) == copies
        assert int(sc.s.unseen[kind(guest)]) + sc.display.count(guest) == copies


@pytest.mark.parametrize("guest", NUMBERS.rows("guests"))
def test_what_guests_take_and_pay(guest: str) -> None:
    """TT 1.5: the die of their name; 2, 3, 3, 4, 4 or 5 doubloons by price."""
    price, face = int(guest[5]), int(guest[8])
    sc = Scene("place", level=3).lay(0, guest)
    assert [f for f in range(1, 7) if sc.dice(f).legal(f"place:{guest}")] == [face]
    assert sc.plan((guest, face)).goods() == ({3: 2, 4: 3, 5: 3, 6: 4, 7: 4, 8: 5}[price], 0)


# Removing guests


def removing(*laid: str, dice: tuple[tuple[str, int], ...] = ()) -> Scene:
    """Seat 0 may remove a guest, by the seventh step of the monastery."""
    return Scene("place").lay(0, *laid).plan(*dice).set(0, monastery=6, counter=2).act("counter")


@rule("TT-R10")
def test_nobles_are_never_removed() -> None:
    assert removing(R21, "guest3_d2", "noble", "waitress").options() == ["done", f"remove:{R21}", "remove:guest3_d2"]
    sc = Scene(level=2).lay(0, R21, "guest3_d2", "noble").side(0, e2=2).set(0, schnapps=2)
    assert sc.options("remove") == [f"remove:{R21}", "remove:guest3_d2"]


@rule("TT-R11", "TT-T23")
def test_a_guest_already_served_may_be_removed() -> None:
    sc = removing(R21, R31, dice=((R21, 2),))
    assert sc.goods() == (1, 0)
    sc.act(f"remove:{R21}")
    assert (sc.laid_by(), sc.goods(), sc.boxed) == ([R31], (1, 0), [R21])


@rule("TT-R11")
def test_equal_guests_may_all_be_removed_once_served() -> None:
    sc = Scene("place", level=2).lay(0, R31, R31).side(0, e2=2).set(0, schnapps=4).plan((R31, 3))
    assert sc.act(f"remove:{R31}", f"remove:{R31}").laid_by() == []


@rule("TT-T23", "TT-R13")
def test_a_guest_with_a_die_can_not_be_removed() -> None:
    """In the reputation phase dice still lie on guests: two doubloons and beers lead to the ninth space of the loop."""
    sc = Scene("place", level=3).lay(0, R31, R31, "guest3_d2", "merchant", "merchant").side(0, e2=2)
    sc.set(0, fame=7, schnapps=2).plan((R31, 3), ("guest3_d2", 2))
    assert (sc.question, sc.options()) == ("cheer", ["take:schnapps", f"remove:{R31}"])
    sc.act("take:schnapps")
    assert sc.options("remove") == [f"remove:{R31}", "remove:guest3_d2"]
    sc.act("remove:guest3_d2")
    assert (sc.laid_by(), sc.boxed) == ([R31, R31, "merchant", "merchant"], ["guest3_d2"])


@rule("TT-R13")
def test_of_equal_guests_only_those_without_a_die() -> None:
    sc = Scene("place", level=3).lay(0, R31, R31, "merchant", "merchant").set(0, fame=7).plan((R31, 3))
    sc.act(f"remove:{R31}")
    assert (sc.laid_by(), sc.question, sc.goods()) == ([R31, "merchant", "merchant"], "serve", (1, 2))


@rule("TT-T23")
def test_a_removed_guest_counts_no_more() -> None:
    """He is worth 8 points; without him nothing else is."""
    scores = []
    for answer in ("done", "remove:guest8_d2_supplier"):
        sc = Scene(overrides={"game.rounds": 1}).pile(0).discard(0, *REGULARS).lay(0, "guest8_d2_supplier")
        sc.set(0, monastery=6).act("counter", answer).rest()
        scores.append(sc.scores[0])
    assert scores == [8, 0]


@rule("TT-R12")
def test_a_freed_table_is_not_filled_again() -> None:
    sc = removing(R21, R31, "guest3_d2").pile(0, R22, R22).act(f"remove:{R21}")
    assert (sc.laid_by(), sc.gained()) == ([R31, "guest3_d2"], [R22, R22])
    assert sc.act("end").laid_by() == [R31, "guest3_d2"]


def test_removal_with_nobody_there() -> None:
    """The question has one answer only, and is not asked."""
    assert removing("noble").question == "serve"
