"""Module 2: schnapps and entertainers (4.1 and 1.11 of the rules)."""

import pytest
from alehouse.envs.core.show.view import look

from tests.envs.scene import rule
from tests.envs.tiefenthal.scene import R21, R22, R31, R41, Scene

PIECES = ["table", "waitress", "dishwasher", "cashbox", "barrel", "monk", "supplier", "store", "safe"]


def bar(glasses: int, level: int = 2, **sides: int) -> Scene:
    """Seat 0 serving, with glasses and entertainers."""
    return Scene(level=level).side(0, **sides).set(0, schnapps=glasses)


def test_each_side_of_an_entertainer_is_told_with_its_effect() -> None:
    sc = Scene("side", level=2)
    assert [option.words.split()[-1] for option in look(sc.v, sc.s, sc.R, sc.turn).options] == ["doubloons", "beers"]


# 1.11, the six sides


@rule("TT-M2-4", "TT-M2-5", "TT-T22")
def test_e1_side_1_doubloons() -> None:
    sc = bar(3, e1=1)
    supply = int(sc.s.schnapps)
    sc.act("spend:doubloons", "spend:doubloons", "spend:doubloons")
    assert (sc.goods(), sc.get("schnapps"), int(sc.s.schnapps)) == ((6, 0), 0, supply + 3)
    assert not sc.legal("spend:doubloons")


@rule("TT-M2-4", "TT-M2-5")
def test_e1_side_2_beer() -> None:
    sc = bar(5, e1=2).act("spend:beer", "spend:beer")
    assert (sc.goods(), sc.get("schnapps")) == ((0, 6), 1)
    assert not sc.legal("spend:beer")


@rule("TT-M2-5")
@pytest.mark.parametrize("piece", PIECES)
def test_e2_side_1_free_upgrade(piece: str) -> None:
    sc = bar(5, e2=1).act(f"free:{piece}")
    assert (sc.goods(), sc.get("schnapps"), sc.gained(), sc.upgrades()) == ((0, 0), 0, ["noble"], [piece])


@rule("TT-M2-4")
def test_e2_side_1_takes_five_and_a_basic_piece() -> None:
    assert bar(4, e2=1).options("free") == []
    assert bar(5, e2=1).options("free") == [f"free:{piece}" for piece in PIECES]
    sc = bar(10, e2=1).act("free:safe")
    assert sc.options("free") == [f"free:{piece}" for piece in PIECES if piece != "safe"]


@rule("TT-M2-5")
def test_e2_side_2_removes_a_guest() -> None:
    sc = bar(4, e2=2).lay(0, R21, R21, R41, "guest3_d2", "noble", "table")
    sc.act(f"remove:{R21}", "remove:guest3_d2")
    assert (sc.laid_by(), sc.boxed, sc.get("schnapps")) == ([R21, R41, "noble", "table"], [R21, "guest3_d2"], 0)
    assert bar(1, e2=2).lay(0, R21).options("remove") == []


def closing(glasses: int, *laid: str, **more: int) -> Scene:
    """Seat 0, who serves last, has ended its turn; the juggler's first side lies up."""
    sc = Scene("place", level=2, first=1).plan()
    sc.act("end").lay(0, *laid).plan().set(0, schnapps=glasses, **more).side(0, e3=1)
    return sc.act("end")


@rule("TT-M2-5", "TT-T22", "TT-M2-4")
def test_e3_side_1_keeps_a_card_once() -> None:
    sc = closing(3, R21, R41, "waitress").pile(0, R31, R31, R31)
    assert (sc.question, sc.options()) == ("topdeck", ["done", f"topdeck:{R21}", f"topdeck:{R41}", "topdeck:waitress"])
    sc.act(f"topdeck:{R41}")
    assert (sc.get("schnapps"), sc.discarded()[-2:], sc.round) == (3, [R21, "waitress"], 2)
    sc.until("die")
    assert (sc.laid_by(), sc.get("schnapps")) == ([R31, R31, R41], 3)


@rule("TT-M2-4")
def test_e3_side_1_may_be_declined_and_takes_a_glass() -> None:
    sc = closing(3, R21, R41).pile(0, R31, R31, R31).act("done").until("die")
    assert (sc.laid_by(), sc.get("schnapps")) == ([R31, R31, R31], 4)
    assert closing(0, R21, R41).round == 2


@rule("TT-R27")
@pytest.mark.parametrize("card", ["table", "noble", "guest8_d2_supplier", R21, "merchant", "dishwasher", "waitress", "supplier"])
def test_e3_side_1_any_card(card: str) -> None:
    sc = closing(1, card).pile(0, R31, R31, R31, R31, R31, R31).act(f"topdeck:{card}").until("die")
    assert card in sc.laid_by()


@rule("TT-R26")
def test_e3_side_1_is_paid_of_the_glasses_kept() -> None:
    sc = closing(6, R21)
    assert (sc.question, sc.get("schnapps")) == ("topdeck", 4)
    sc.act(f"topdeck:{R21}")
    assert sc.until("die").get("schnapps") == 4


def turning(glasses: int, *faces: int, **more: object) -> Scene:
    """Seat 0 with the juggler's second side, before it places its dice; no own dice."""
    sc = Scene("die", level=2, **more).side(0, e3=2).set(0, schnapps=glasses)  # type: ignore[arg-type]
    for seat in range(2):
        sc.coaster(seat, [2, 2, 2, 2])
        sc.s.seat[seat].dice[:] = 0
    sc.act("die:2")
    sc.s.seat[0].dice[:] = [faces.count(face) for face in range(1, 7)]
    return sc.set(0)


@rule("TT-M2-5")
def test_e3_side_2_turns_a_die() -> None:
    sc = turning(1, 2, 2, 4, 4)
    assert sc.options() == ["done", *(f"turn:{a}>{b}" for a in (2, 4) for b in range(1, 7) if a != b)]
    sc.act("turn:4>6")
    assert (sc.dice_of(), sc.get("schnapps"), sc.question) == ([2, 2, 4, 6], 0, "place")


@rule("TT-M2-4")
def test_e3_side_2_any_number_of_times() -> None:
    sc = turning(2, 2, 2, 4, 4).act("turn:4>1", "turn:2>5")
    assert (sc.dice_of(), sc.get("schnapps"), sc.question) == ([1, 2, 4, 5], 0, "place")
    sc = turning(2, 2, 2, 4, 4).act("turn:4>1", "done")
    assert (sc.dice_of(), sc.get("schnapps"), sc.question) == ([1, 2, 2, 4], 1, "place")


@rule("TT-M2-5")
def test_e3_side_2_is_over_when_dice_are_placed() -> None:
    sc = turning(4, 2, 2, 4, 4).act("done")
    while sc.question == "place":
        assert sc.options("turn") == []
        sc.act("place:unused")
    assert sc.options("turn") == []


@rule("TT-M2-3", "TT-M2-5")
def test_only_the_side_that_lies_up_can_be_used() -> None:
    for sides, there in (
        ({"e1": 1}, ["spend:doubloons"]),
        ({"e1": 2}, ["spend:beer"]),
        ({"e2": 1}, [f"free:{piece}" for piece in PIECES]),
        ({"e2": 2}, [f"remove:{R22}"]),
        ({"e3": 1}, []),
        ({"e3": 2}, []),
        ({}, []),
    ):
        sc = bar(9, **sides).lay(0, R22)
        found = [name for segment in ("spend", "free", "remove", "turn", "topdeck") for name in sc.options(segment)]
        assert found == there


@rule("TT-M2-3")
def test_sides_are_chosen_once_and_by_everybody() -> None:
    sc = Scene("die", seats=3, level=2)
    asked = []
    while sc.question != "over":
        if sc.question == "side":
            asked.append((sc.round, sc.turn))
            sc.act("side:2")
        else:
            sc.decline()
    assert sorted(asked) == [(n, p) for n in (2, 3, 5) for p in range(3)]
    assert [[int(x) for x in sc.s.seat[p].side] for p in range(3)] == [[2, 2, 2]] * 3


@rule("TT-M2-3")
def test_a_tile_is_never_turned() -> None:
    """An entertainer who comes a second time does not let one choose again."""
    sc = Scene(level=2, overrides={"winter.round3.entertainer": "e1"}).side(0, e1=2).side(1, e1=1).round_is(2)
    while sc.question != "die" or sc.round < 3:
        assert sc.question != "side"
        sc.decline()
    assert [int(sc.s.seat[p].side[0]) for p in range(2)] == [2, 1]


# Glasses


@rule("TT-T21", "TT-R25")
def test_five_glasses_for_an_upgrade_in_round_6() -> None:
    sc = Scene(level=2).side(0, e2=1).round_is(5).set(0, schnapps=4).pile(0, R21, R21, R31)
    sc.until("place", seat=0, round=6)
    assert (sc.round, sc.get("schnapps")) == (6, 6)
    sc.plan().act("free:barrel")
    assert (sc.get("schnapps"), sc.gained()[0], sc.upgrades()) == (1, "noble", ["barrel"])


@rule("TT-T21", "TT-M2-6", "TT-R25")
def test_unspent_glasses_go_back_at_the_end_of_the_own_turn() -> None:
    sc = Scene(level=2).side(0, e2=1).round_is(5).set(0, schnapps=4).set(1, schnapps=4)
    sc.until("place", seat=0, round=6).plan()
    supply = int(sc.s.schnapps)
    other = sc.get("schnapps", 1)
    sc.act("end")
    assert (sc.get("schnapps"), int(sc.s.schnapps)) == (4, supply + 2)
    assert sc.get("schnapps", 1) == other


@rule("TT-M2-6")
@pytest.mark.parametrize(("had", "kept"), [(0, 0), (3, 3), (4, 4), (5, 4), (7, 4)])
def test_four_glasses_at_most_are_kept(had: int, kept: int) -> None:
    assert bar(had).act("end").get("schnapps") == kept


def test_an_empty_supply_gives_nothing() -> None:
    sc = Scene(level=2).round_is(5)
    sc.s.schnapps = 3
    sc.until("die", round=6)
    assert sorted(sc.get("schnapps", p) for p in range(2)) == [1, 2]
    assert sc.s.schnapps == 0


@rule("TT-M2-7")
def test_a_glass_is_a_point() -> None:
    points = []
    for glasses in (0, 3):
        sc = Scene(level=2, overrides={"game.rounds": 1}).pile(0).discard(0, R21).set(0, schnapps=glasses)
        points.append(sc.rest().scores[0])
    assert points == [0, 3]
