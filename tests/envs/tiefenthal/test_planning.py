"""Planning the dice (section 3 E of the rules, 1.7 and 1.8)."""

import pytest

from tests.envs.scene import rule
from tests.envs.tiefenthal.scene import R21, R22, R31, R32, R41, Scene

G3, G5 = "guest3_d3", "guest5_d3"


def planning(*laid: str, dice: tuple[int, ...], level: int = 1, **more: object) -> Scene:
    """Seat 0 about to place dice, with these cards laid out."""
    return Scene("place", level=level, **more).lay(0, *laid).dice(*dice)  # type: ignore[arg-type]


@rule("TT-T9")
def test_the_plan_of_the_rulebook() -> None:
    sc = planning(G5, dice=(1, 1, 3, 3, 5, 6)).place("supplier", "supplier", G5, "barrel", "monk", "supplier")
    assert sc.question == "serve"
    assert sc.goods() == (3, 0)
    sc.collect("supplier")
    assert sc.goods() == (3, 3)
    sc.act("collect:barrel", "collect:monk")
    assert (sc.goods(), sc.get("monastery")) == ((3, 4), 1)


FACES = {
    1: ["noble", "cashbox", "barrel", "supplier", "unused"],
    2: [R21, "noble", "cashbox", "barrel", "unused"],
    3: [R31, "noble", "cashbox", "barrel", "unused"],
    4: [R41, "noble", "cashbox", "barrel", "unused"],
    5: ["noble", "cashbox", "barrel", "monk", "unused"],
    6: ["noble", "cashbox", "barrel", "supplier", "unused"],
}


@pytest.mark.parametrize("face", FACES)
def test_where_a_die_goes(face: int) -> None:
    """TT 1.8: by its face."""
    sc = planning(R21, R31, R41, "noble", dice=(face,))
    assert sc.options() == [f"place:{place}" for place in FACES[face]]


@pytest.mark.parametrize("place", [G3, "noble", "cashbox", "barrel"])
def test_places_for_one_die(place: str) -> None:
    sc = planning(G3, "noble", dice=(3, 3)).place(place)
    assert not sc.legal(f"place:{place}")


@rule("TT-R2")
def test_a_die_for_the_noble_table_or_for_each_noble() -> None:
    sc = planning("noble", "noble", dice=(6, 6, 6)).place("noble")
    assert not sc.legal("place:noble")
    apart = {"switch.nobles_must_share_table": "no"}
    sc = planning("noble", "noble", dice=(6, 6, 6), overrides=apart).place("noble", "noble")
    assert not sc.legal("place:noble")
    assert sc.plan(("supplier", 6)).goods() == (2, 0)


@pytest.mark.parametrize(("place", "face"), [("monk", 5), ("supplier", 1), ("unused", 3)])
def test_places_for_any_number_of_dice(place: str, face: int) -> None:
    sc = planning(dice=(face,) * 4).place(place, place, place)
    assert sc.legal(f"place:{place}")


def test_equal_guests_take_a_die_each() -> None:
    sc = planning(R31, R31, dice=(3, 3, 3)).place(R31, R31)
    assert not sc.legal(f"place:{R31}")
    assert sc.place("unused").goods() == (2, 0)


@rule("TT-T11")
def test_a_dishwasher_raises_a_die() -> None:
    assert not planning(dice=(4,)).legal("place:monk")
    sc = planning("dishwasher", dice=(4,)).place("monk").act("collect:monk")
    assert sc.get("monastery") == 1
    assert not planning("dishwasher", dice=(3,)).legal("place:monk")
    assert planning("dishwasher", "dishwasher", dice=(3,)).legal("place:monk")
    assert not planning("dishwasher", "dishwasher", dice=(2,)).legal("place:monk")


@rule("TT-T11")
def test_a_6_is_never_a_1() -> None:
    only_ones = {"spaces.supplier.six": 0}
    assert not planning("dishwasher", dice=(6,), overrides=only_ones).legal("place:supplier")
    assert planning("dishwasher", dice=(1,), overrides=only_ones).legal("place:supplier")
    assert planning("dishwasher", dice=(6,)).legal("place:supplier")


@rule("TT-T12")
def test_a_5_goes_to_the_supplier_with_a_dishwasher() -> None:
    assert not planning(dice=(5,)).legal("place:supplier")
    sc = planning("dishwasher", dice=(5,)).place("supplier").act("collect:supplier")
    assert sc.goods() == (0, 1)


def test_a_dishwasher_serves_one_die() -> None:
    sc = planning("dishwasher", dice=(4, 4)).place("monk")
    assert not sc.legal("place:monk")
    sc = planning("dishwasher", "dishwasher", dice=(4, 4)).place("monk")
    assert sc.legal("place:monk")


def test_the_dishwasher_of_the_tavern_serves_every_round() -> None:
    assert Scene("place").upgrade(0, "dishwasher").dice(4).legal("place:monk")
    sc = Scene().upgrade(0, "dishwasher").pile(0, R21, R21, R31).next_round()
    for seat in range(2):
        sc.coaster(seat, [4] * 4)
    assert sc.until("place", seat=0).legal("place:monk")
    assert Scene("place").upgrade(0, "dishwasher").lay(0, "dishwasher").dice(3).legal("place:monk")


@rule("TT-R31")
def test_dishwashers_serve_own_dice_too() -> None:
    """A die of the waitress and white ones are placed alike, on any space."""
    sc = Scene().pile(0, "waitress", "dishwasher", R21, R22, R41).next_round().until("die")
    for seat in range(2):
        sc.coaster(seat, [6] * 4)
    sc.s.seat[0].dice[:] = [0, 0, 0, 1, 0, 0]
    sc.until("place", seat=0)
    assert sc.options() == [f"place:{place}" for place in (R41, "cashbox", "barrel", "monk", "unused")]
    sc.place("monk", "supplier", "supplier", "supplier", "supplier").act("collect:monk")
    assert sc.get("monastery") == 1
    sc = Scene().pile(0, "dishwasher", R21, R22, R41).next_round().until("die")
    for seat in range(2):
        sc.coaster(seat, [3, 3, 6, 6])
    sc.until("place", seat=0)
    assert sc.legal(f"place:{R41}")


@rule("TT-R32")
def test_no_dishwasher_is_used_where_any_face_goes() -> None:
    for place in ("noble", "cashbox", "barrel"):
        assert planning("dishwasher", "noble", dice=(4, 4)).place(place).legal("place:monk")


@rule("TT-R45")
def test_dice_are_placed_in_ascending_order() -> None:
    """The second 3 has no place after the barrel and stays unused: the game sees to it."""
    sc = planning("dishwasher", G3, "noble", dice=(6, 3, 5, 3, 1))
    assert sc.options() == [f"place:{place}" for place in ("noble", "cashbox", "barrel", "supplier", "unused")]
    sc.act("place:supplier")
    assert sc.options() == [f"place:{place}" for place in (G3, "noble", "cashbox", "barrel", "unused")]
    sc.act("place:barrel")
    assert sc.options() == [f"place:{place}" for place in ("noble", "cashbox", "monk", "supplier", "unused")]


@rule("TT-R45")
def test_equal_dice_go_to_places_in_order() -> None:
    assert planning(dice=(3, 3)).place("cashbox").options() == ["place:barrel", "place:unused"]
    assert planning(dice=(3, 3, 4)).place("barrel").options() == ["place:cashbox", "place:unused"]
    assert planning(dice=(3, 4)).place("barrel").options() == ["place:cashbox", "place:unused"]


@rule("TT-R41")
@pytest.mark.parametrize(("card", "face", "pay"), [(R21, 2, 1), (R22, 2, 2), (R31, 3, 1), (R32, 3, 2), (R41, 4, 1)])
def test_the_number_of_a_regular_is_his_pay(card: str, face: int, pay: int) -> None:
    assert planning(card, dice=(face,)).place(card).goods() == (pay, 0)
    for other in {2, 3, 4} - {face}:
        assert not planning(card, dice=(other,)).legal(f"place:{card}")


@rule("TT-R5", "TT-M3-6")
@pytest.mark.parametrize("level", [1, 3])
def test_the_plan_is_binding(level: int) -> None:
    sc = planning(G5, dice=(3,), level=level).place(G5)
    assert sc.question == "serve"
    assert sc.options("place") == []
    sc = planning(G5, dice=(3, 6), level=level).place("unused", "supplier")
    assert sc.options("place") == []
    fame = sc.get("fame")
    sc.act("collect:supplier")
    assert (sc.get("fame"), sc.goods()) == (fame, (0, 1))


@rule("TT-R6")
def test_everybody_plans_at_the_beginning_of_the_own_turn() -> None:
    sc = Scene("place", 3, first=1)
    for seat in (1, 2, 0):
        assert (sc.question, sc.turn) == ("place", seat)
        sc.plan()
        assert (sc.question, sc.turn) == ("serve", seat)
        sc.act("end")
    assert sc.round == 2


def test_an_unused_die_brings_nothing() -> None:
    sc = planning(G5, dice=(1, 3, 5, 6)).place("unused", "unused", "unused", "unused")
    assert (sc.goods(), sc.options("collect")) == ((0, 0), [])
