"""The end of the game: rounds, points, ties (section 5 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.tiefenthal.scene import R21, REGULARS, Scene

VP = {
    **dict.fromkeys(sorted(set(REGULARS)), 0),
    "guest3_d2": 1, "guest4_d2": 2, "guest5_d2": 3, "guest6_d4_doubloons": 4, "guest7_d4_table": 6, "guest8_d4_doubloons": 8,
    "noble": 10, "merchant": 1, "dishwasher": 1, "waitress": 1, "table": 1, "supplier": 2, "bard": 0,
}  # fmt: skip


def last(level: int = 1, **more: object) -> Scene:
    """Seat 0 serving in the only round of a game, without a card worth anything."""
    return Scene(level=level, overrides={"game.rounds": 1}, **more).pile(0).discard(0, R21)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", [1, 5])
def test_eight_rounds(level: int) -> None:
    sc = Scene("die", level=level)
    rounds = {sc.round}
    while sc.question != "over":
        sc.decline()
        rounds.add(sc.round)
    assert sorted(rounds) == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(("card", "vp"), VP.items())
def test_cards_are_worth_points(card: str, vp: int) -> None:
    assert last(level=3).discard(0, R21, card, card).rest().scores[0] == 2 * vp


def test_cards_count_wherever_they_are() -> None:
    sc = last().pile(0, "noble", deck=("supplier",)).discard(0, "guest8_d4_doubloons").lay(0, "waitress")
    assert sc.rest().scores[0] == 10 + 2 + 8 + 1


def test_cards_out_of_the_game_and_goods_do_not_count() -> None:
    sc = last().lay(0, "guest3_d2").set(0, monastery=6).goods_are(2, 2).act("counter", "remove:guest3_d2")
    assert sc.rest().scores[0] == 0


@rule("TT-T16")
def test_three_nobles_are_30_points() -> None:
    assert last().goods_are(0, 18).act("nobles:3").rest().scores[0] == 30
    assert last().goods_are(0, 9).act("nobles:1").rest().scores[0] == 10


def test_an_upgrade_is_worth_its_noble() -> None:
    assert last().goods_are(8, 0).act("upgrade:cashbox").rest().scores[0] == 10


def tied(goods_0: tuple[int, int], goods_1: tuple[int, int], more: int = 0) -> list[float]:
    """What the seats get with a supplier each, or more, and goods in store."""
    sc = last().discard(0, "supplier", *["merchant"] * more).goods_are(*goods_0).act("end").pile(1).discard(1, "supplier")
    return sc.plan().lay(1).goods_are(*goods_1).act("end").utility


def test_a_tie_is_broken_by_goods_in_store() -> None:
    assert tied((2, 1), (0, 2)) == [1, -1]
    assert tied((0, 1), (1, 1)) == [-1, 1]
    assert tied((0, 0), (2, 2), more=1) == [1, -1]


@rule("TT-R36")
def test_a_tie_in_goods_too_is_shared() -> None:
    assert tied((2, 0), (0, 2)) == [0, 0]
    assert tied((1, 1), (1, 1)) == [0, 0]
