"""Module 4: the seven start cards (4.3 and 1.14 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.tiefenthal.scene import REGULARS, R21, R31, R41, Scene

KEYS = [f"k{n}" for n in range(1, 8)]


def starting(card: str, *answers: str, level: int = 4, **more: object) -> Scene:
    """Seat 0, the first to choose, takes a start card and answers what it asks; the others have yet to choose."""
    sc = Scene("start", level=level, **more).starts(card, "k1" if card != "k1" else "k2")  # type: ignore[arg-type]
    return sc.act(f"start:{card}", *answers)


def deck(sc: Scene) -> list[str]:
    """The cards of seat 0 beside its regulars."""
    return [card for card in sc.owned() if card not in REGULARS]


def test_three_of_seven_are_on_offer() -> None:
    seen = set()
    sc = Scene("start", level=4)
    for _ in range(40):
        sc.t.reset()
        offered = [name.removeprefix("start:") for name in sc.options()]
        assert len(offered) == 3
        seen.update(offered)
    assert sorted(seen) == KEYS


def test_without_start_cards_everybody_has_the_usual_ones() -> None:
    sc = Scene("die", level=3)
    assert [deck(sc), sc.get("schnapps"), sc.upgrades()] == [["waitress", "table", "supplier"], 0, []]


@pytest.mark.parametrize(("card", "cards"), [
    ("k1", ["waitress", "table", "supplier"]),
    ("k2", ["bard", "merchant", "dishwasher", "supplier"]),
])  # fmt: skip
def test_k1_and_k2_cards(card: str, cards: list[str]) -> None:
    sc = starting(card)
    assert (sc.turn, sc.question, deck(sc)) == (1, "start", cards)
    assert (sc.goods(), sc.get("schnapps"), sc.get("monastery"), sc.upgrades()) == ((0, 0), 0, 0, [])
    assert len(sc.owned()) == 7 + len(cards)


def test_k3_the_monastery_and_two_regulars_less() -> None:
    sc = starting("k3")
    assert (sc.question, sc.get("monastery"), deck(sc)) == ("dismiss", 3, ["merchant"])
    sc.act(f"remove:{R31}", f"remove:{R41}")
    assert (sc.turn, sc.boxed) == (1, [R31, R41])
    left = list(REGULARS)
    left.remove(R31)
    left.remove(R41)
    assert sc.owned() == [*left, "merchant"]


def test_k3_fewer_regulars_or_none_may_leave() -> None:
    assert len(starting("k3", "done").owned()) == 8
    assert len(starting("k3", f"remove:{R31}", "done").owned()) == 7
    assert len(starting("k3", f"remove:{R31}", f"remove:{R31}").owned()) == 6


@rule("TT-R34")
def test_k3_the_merchant_is_shuffled_into_the_deck() -> None:
    """TT 4.3: draw piles are shuffled before round 1: the merchant is not always among the first cards."""
    drawn = []
    sc = Scene("start", level=4)
    for _ in range(30):
        sc.t.reset()
        while sc.question == "start":
            first = sc.turn
            sc.starts("k3", "k1").act("start:k3")
            while sc.question == "dismiss":
                sc.act("done")
        assert sc.get("monastery", first) == 3
        assert sc.gained(first) == []
        drawn.append("merchant" in sc.laid_by(first))
    assert {*drawn} == {True, False}


@rule("TT-T32")
def test_k4_a_schnapps_and_the_table_for_good() -> None:
    sc = starting("k4", "accept")
    assert (deck(sc), sc.owned(), sc.get("schnapps"), sc.upgrades()) == ([], REGULARS, 1, ["table"])
    sc.act("start:k1").until("die")
    assert len(sc.seated()) == 4


@rule("TT-T31")
def test_k5_the_beer_store_with_5_beers() -> None:
    sc = starting("k5", "accept")
    assert (deck(sc), len(sc.owned()), sc.goods(), sc.upgrades()) == (["bard", "table"], 9, (0, 5), ["store"])
    sc.until("place", seat=0)
    assert sc.goods() == (0, 5)
    assert sc.lay(0).plan().act("end").goods() == (0, 5)


@rule("TT-R22")
def test_k6_a_waitress_card_and_one_for_good() -> None:
    sc = starting("k6", "accept")
    assert (deck(sc), len(sc.owned()), sc.upgrades()) == (["waitress"], 8, ["waitress"])
    sc.act("start:k1").until("die")
    assert len(sc.dice_of()) == 1 + sc.laid_by().count("waitress")


def test_k7_a_dishwasher_a_regular_less_and_the_cashbox() -> None:
    sc = starting("k7")
    assert sc.question == "dismiss"
    sc.act(f"remove:{R21}", "accept")
    assert (deck(sc), len(sc.owned()), sc.boxed, sc.upgrades()) == (["dishwasher"], 7, [R21], ["cashbox"])
    sc.act("start:k1").until("place", seat=0)
    assert sc.lay(0).plan(("cashbox", 2)).act("collect:cashbox").goods() == (3, 0)
    assert len(starting("k7", "done", "accept").owned()) == 8


@rule("TT-R21")
@pytest.mark.parametrize("card", ["k4", "k5", "k6", "k7"])
def test_the_free_upgrade_may_be_declined(card: str) -> None:
    sc = starting(card, *(["done"] if card == "k7" else []), "done")
    assert (sc.turn, sc.upgrades(), "noble" in sc.owned(), sc.goods()) == (1, [], False, (0, 0))


@rule("TT-R20")
def test_start_cards_are_chosen_in_turn_order_and_openly() -> None:
    sc = Scene("start", 3, level=4, first=2).starts("k1", "k2", "k4")
    seats, views = [], []
    for card in ("k2", "k2", "k1"):
        seats.append(sc.turn)
        views.append(sc.t.observe(0, 1).tolist())
        assert sc.options() == ["start:k1", "start:k2", "start:k4"]
        sc.act(f"start:{card}")
    assert seats == [2, 0, 1]
    assert views[0] != views[1] != views[2]
    assert [sc.owned(p).count("bard") for p in range(3)] == [1, 0, 1]


@rule("TT-R19")
def test_start_card_default_always() -> None:
    def offered(word: str, *cards: str) -> list[str]:
        sc = Scene("start", level=4, overrides={"switch.start_card_default_always": word}).starts(*cards)
        return [name.removeprefix("start:") for name in sc.options()]

    assert offered("no", "k2", "k3", "k4") == ["k2", "k3", "k4"]
    assert offered("yes", "k2", "k3", "k4") == ["k1", "k2", "k3", "k4"]
    assert offered("yes", "k1", "k3", "k4") == ["k1", "k3", "k4"]
