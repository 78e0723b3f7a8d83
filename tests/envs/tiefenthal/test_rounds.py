"""The round tracks and the monastery (section 3 A and 1.9, 1.10 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.tiefenthal.scene import R21, R22, R31, R32, R41, Scene


def evening(n: int, level: int, *pile: str) -> Scene:
    """Seat 0's draw pile is told, nobody has a counter guest, and the moon has just moved to round n."""
    sc = Scene(level=level).set(0, counter=0).round_is(n - 1).pile(0, *pile).discard(0)
    while sc.round < n:
        sc.decline()
    return sc


def gifts(sc: Scene) -> tuple[int, int, list[str]]:
    """Counter guests and schnapps of seat 0, and cards on its draw pile before the filling."""
    return sc.get("counter"), sc.get("schnapps"), sc.gained()


# 1.10 summer


def test_summer_round_1_brings_nothing() -> None:
    sc = Scene("die")
    assert [(sc.get("counter", p), sc.owned(p).count("merchant")) for p in range(2)] == [(0, 0), (0, 0)]


@pytest.mark.parametrize("n", [2, 4, 6])
def test_summer_rounds_2_4_6_bring_a_counter_guest(n: int) -> None:
    sc = evening(n, 1, R21, R22, R31)
    assert [sc.get("counter", p) for p in range(2)] == [1, 1]
    assert sc.s.counters == 4


def test_no_more_counter_guests_than_there_are() -> None:
    sc = Scene().set(0, counter=0).round_is(1)
    sc.s.counters = 1
    while sc.round < 2:
        sc.decline()
    assert sorted(sc.get("counter", p) for p in range(2)) == [0, 1]


@pytest.mark.parametrize("card", ["merchant", "dishwasher"])
def test_summer_round_3_brings_a_merchant_or_a_dishwasher(card: str) -> None:
    sc = evening(3, 1, R21, R22, R31).until("bonus", seat=0)
    assert sc.options() == ["take:merchant", "take:dishwasher"]
    sc.act(f"take:{card}").until("die")
    assert sc.laid_by() == [R21, R22, R31, card]


def test_a_bonus_card_sold_out_is_not_gained() -> None:
    sc = Scene(overrides={"tavern.merchant.copies": 0}).round_is(2).pile(0, R21, R22, R31).discard(0)
    sc.until("bonus", seat=0).act("take:merchant").until("die")
    assert sc.laid_by() == [R21, R22, R31]


@rule("TT-R42")
def test_summer_round_5_brings_a_table() -> None:
    sc = evening(5, 1, R21, R22, R31, R32, R41).until("die")
    assert sc.laid_by() == [R21, R22, R31, R32, "table"]
    assert sc.gained() == [R41]


def test_summer_round_7_brings_a_waitress() -> None:
    sc = evening(7, 1, R21, R22, R31).until("bonus", seat=0)
    assert sc.options() == ["take:waitress", "take:die"]
    sc.act("take:waitress").until("die")
    assert (sc.laid_by(), len(sc.dice_of())) == ([R21, R22, R31, "waitress"], 1)


def test_summer_round_7_brings_an_own_die_for_the_round() -> None:
    sc = evening(7, 1, R21, R22, R31).until("bonus", seat=0).act("take:die").until("die")
    assert (sc.laid_by(), len(sc.dice_of())) == ([R21, R22, R31], 1)
    sc.discard(0).pile(0, R21, R22, R31).next_round()
    assert sc.dice_of() == []


@rule("TT-R43")
def test_the_die_of_round_7_is_one_of_three() -> None:
    sc = evening(7, 1, "waitress", "waitress", "waitress", R21, R22, R31).until("bonus", seat=0).act("take:die").until("die")
    assert len(sc.dice_of()) == 3
    sc = evening(7, 1, "waitress", "waitress", R21, R22, R31).until("bonus", seat=0).act("take:die").until("die")
    assert len(sc.dice_of()) == 3


def test_summer_round_8_makes_the_first_upgrade_cheaper() -> None:
    sc = evening(8, 1, R21, R22, R31).until("place", seat=0).plan().goods_are(2, 0)
    assert sc.options("upgrade") == ["upgrade:store", "upgrade:safe"]
    sc.goods_are(11, 0).act("upgrade:barrel")
    assert sc.goods() == (8, 0)
    assert sc.act("upgrade:cashbox").goods() == (0, 0)
    assert not evening(7, 1, R21, R22, R31).until("place", seat=0).plan().goods_are(2, 0).options("upgrade")


@rule("TT-R28")
def test_the_discount_and_the_free_upgrade_are_independent() -> None:
    """Winter has no discount; with one at hand a free upgrade leaves it alone."""
    sc = Scene(level=2).side(0, e2=1).set(0, schnapps=5).goods_are(3, 0).set_act(discount=3)
    sc.act("free:supplier")
    assert (sc.goods(), sc.gained()) == ((3, 0), ["noble"])
    sc.act("upgrade:barrel")
    assert (sc.goods(), sc.gained()) == ((0, 0), ["noble", "noble"])
    assert not evening(8, 2, R21, R22, R31).until("place", seat=0).plan().goods_are(4, 0).options("upgrade")


def test_every_seat_chooses_its_bonus_in_turn_order() -> None:
    sc = Scene(seats=3, first=1).round_is(2)
    while sc.round < 3:
        sc.decline()
    seats = []
    while sc.question == "bonus":
        seats.append(sc.turn)
        sc.act("take:merchant")
    assert seats == [2, 0, 1]


# 1.10 winter


@rule("TT-M2-1")
@pytest.mark.parametrize(("n", "counters"), [(2, 0), (3, 0), (4, 1), (5, 0), (6, 1), (7, 0), (8, 1)])
def test_winter_counter_guests(n: int, counters: int) -> None:
    for level in (2, 3):
        sc = evening(n, level, R21, R22, R31)
        assert [sc.get("counter", p) for p in range(2)] == [counters, counters]


@rule("TT-M2-1")
@pytest.mark.parametrize("card", ["table", "waitress"])
def test_winter_round_7_brings_a_table_or_a_waitress(card: str) -> None:
    sc = evening(7, 2, R21, R22, R31, R41).until("bonus", seat=0)
    assert sc.options() == ["take:waitress", "take:table"]
    sc.act(f"take:{card}").until("die")
    assert sc.laid_by()[-1] == card
    assert len(sc.seated()) == (4 if card == "table" else 3)
    assert len(sc.dice_of()) == (0 if card == "table" else 1)


@rule("TT-M2-2")
@pytest.mark.parametrize(("n", "shown", "hidden"), [(2, 1, 1), (3, 2, 0), (4, 0, 0), (5, 1, 0), (6, 2, 0), (7, 0, 0), (8, 1, 1)])
def test_winter_schnapps(n: int, shown: int, hidden: int) -> None:
    for level, glasses in ((2, shown), (3, hidden)):
        sc = evening(n, level, R21, R22, R31)
        assert [sc.get("schnapps", p) for p in range(2)] == [glasses, glasses]
        assert sc.s.schnapps == 20 - 2 * glasses


@rule("TT-M2-3", "TT-R38")
@pytest.mark.parametrize(("n", "who"), [(2, 0), (3, 1), (5, 2)])
@pytest.mark.parametrize("side", [1, 2])
def test_winter_entertainers(n: int, who: int, side: int) -> None:
    sc = evening(n, 2, R21, R22, R31).until("side", seat=0)
    before = sc.get("schnapps"), sc.goods()
    assert sc.options() == ["side:1", "side:2"]
    sc.act(f"side:{side}")
    assert [int(x) for x in sc.s.seat[0].side] == [side if k == who else 0 for k in range(3)]
    assert (sc.get("schnapps"), sc.goods()) == before
    for _ in range(2):
        sc.next_round()
        assert sc.s.seat[0].side[who] == side


@pytest.mark.parametrize("n", [4, 6, 7, 8])
def test_no_entertainer_in_other_rounds(n: int) -> None:
    sc = evening(n, 2, R21, R22, R31)
    while sc.question != "die":
        assert sc.question != "side"
        sc.decline()


# 1.9 monastery


def climbing(step: int, **more: object) -> Scene:
    """Seat 0 gives a counter guest back to reach a step."""
    return Scene(**more).lay(0, R21, "noble", "table").set(0, monastery=step - 1, counter=2).act("counter")  # type: ignore[arg-type]


CARDS = {3: "merchant", 9: "dishwasher", 13: "noble", 15: "waitress", 20: "noble"}


@pytest.mark.parametrize(("step", "card"), CARDS.items())
def test_monastery_cards(step: int, card: str) -> None:
    sc = climbing(step)
    assert (sc.get("monastery"), sc.gained()[0]) == (step, card)


def test_monastery_5_doubloons() -> None:
    assert climbing(5).goods() == (2, 0)


def test_monastery_11_beers() -> None:
    assert climbing(11).goods() == (0, 3)


@pytest.mark.parametrize("step", [7, 17])
def test_monastery_7_and_17_remove_a_guest(step: int) -> None:
    sc = climbing(step)
    assert (sc.question, sc.options()) == ("remove", ["done", f"remove:{R21}"])
    sc.act(f"remove:{R21}")
    assert (sc.laid_by(), sc.boxed, sc.question) == (["noble", "table"], [R21], "serve")
    assert climbing(step).act("done").laid_by() == [R21, "noble", "table"]


@pytest.mark.parametrize("step", sorted({*range(1, 20)} - {3, 5, 7, 9, 11, 13, 15, 17}))
def test_other_steps_bring_nothing(step: int) -> None:
    sc = climbing(step)
    assert (sc.get("monastery"), sc.goods(), sc.question) == (step, (0, 0), "serve")
    assert sc.gained() == Scene().gained()


@rule("TT-R14")
def test_a_bonus_passed_over_is_gained() -> None:
    sc = Scene(level=1).offer("guest7_d3_monastery").goods_are(0, 7).set(0, monastery=8).act("guest:open1")
    assert (sc.get("monastery"), sc.goods()) == (11, (0, 3))
    assert sc.gained() == ["guest7_d3_monastery", "dishwasher"]
    sc = Scene("place").upgrade(0, "monk").set(0, monastery=4).plan(("monk", 5)).act("collect:monk")
    assert (sc.get("monastery"), sc.goods()) == (6, (2, 0))


def test_the_monastery_ends_at_20() -> None:
    sc = climbing(20)
    nobles = sc.gained()
    sc.act("counter")
    assert (sc.get("monastery"), sc.gained()) == (20, nobles)
    sc = Scene("place").upgrade(0, "monk").set(0, monastery=19).plan(("monk", 5)).act("collect:monk")
    assert (sc.get("monastery"), sc.gained()) == (20, ["noble"])


@rule("TT-R24")
def test_goods_outside_the_own_turn_go_as_far_as_safe_and_store_hold_them() -> None:
    """K3 with another third step of the monastery: at the start safe and store hold two."""
    for bonus, amount, found in (("doubloons", 4, (2, 0)), ("beer", 3, (0, 2)), ("beer", 1, (0, 1))):
        numbers = {"monastery.step3.bonus": bonus, "monastery.step3.amount": amount}
        sc = Scene("start", level=4, overrides=numbers).starts("k1", "k3").act("start:k3")
        assert sc.goods() == found
