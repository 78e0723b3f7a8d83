"""Set-up, filling the tavern, waitresses and the draft (sections 2 and 3 A to D of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.tiefenthal.scene import R21, R22, R31, R32, R41, REGULARS, Scene


def filled(*pile: str, then: tuple[str, ...] = (), discard: tuple[str, ...] = (), **more: object) -> Scene:
    """A table whose seat 0 has just filled its tavern in round 2, from these cards, the first one drawn first."""
    sc = Scene(**more).pile(0, *pile, deck=then).discard(0, *discard)  # type: ignore[arg-type]
    return sc.until("redraw", seat=0, round=2)


@rule("TT-T1")
def test_the_deck_at_the_start() -> None:
    for seats in (2, 3, 4):
        sc = Scene("die", seats)
        for seat in range(seats):
            assert sc.owned(seat) == [*REGULARS, "waitress", "table", "supplier"]
            assert sc.goods(seat) == (0, 0)
            assert sc.upgrades(seat) == []


@rule("TT-T2")
def test_three_players_with_schnapps() -> None:
    sc = Scene("die", 3, level=2)
    assert sc.s.coaster.sum() == 12
    assert sc.s.counters == 9
    assert sc.s.schnapps == 20
    taken = 0
    while sc.question != "over":
        taken += sc.question == "side"
        sc.decline()
    assert taken == 9


@pytest.mark.parametrize(("seats", "dice", "counters"), [(2, 8, 6), (3, 12, 9), (4, 16, 12)])
def test_material_by_seats(seats: int, dice: int, counters: int) -> None:
    sc = Scene("die", seats)
    assert (sc.s.coaster.sum(), sc.s.counters) == (dice, counters)
    assert None not in sc.display
    assert [card for card in sc.display if card and card.startswith("guest3")] == sc.display[4:]


@rule("TT-T3")
def test_filling_without_a_table_card() -> None:
    sc = filled(R21, "waitress", R31, "supplier", R41, R22)
    assert sc.laid_by() == [R21, R31, R41, "waitress", "supplier"]
    assert sc.gained() == [R22]


@rule("TT-T4")
def test_filling_with_a_table_card() -> None:
    sc = filled(R21, "table", R31, R41, "dishwasher", R22, R32)
    assert sc.laid_by() == [R21, R22, R31, R41, "dishwasher", "table"]
    assert sc.gained() == [R32]


def test_each_table_card_is_a_table_more_and_the_upgrade_too() -> None:
    assert filled("table", "table", R21, R22, R31, R32, R41, R41).seated() == [R21, R22, R31, R32, R41]
    sc = Scene().upgrade(0, "table").pile(0, R21, R22, R31, R32, R41).next_round()
    assert sc.seated() == [R21, R22, R31, R32]


@rule("TT-T6")
def test_the_discard_pile_is_shuffled_for_the_last_table() -> None:
    six = (R22, R22, R32, R32, R32, R32)
    sc = filled(R21, R21, discard=six)
    assert (len(sc.laid_by()), sc.laid_by().count(R21)) == (3, 2)
    assert sorted(sc.owned()) == sorted((R21, R21, *six))
    assert (sc.discarded(), sc.get("deck_n")) == ([], 5)


def test_every_shuffle_is_another_one() -> None:
    """The same nine cards are shuffled six times, each time for the filling of round 2."""
    nine = (R21, R22, R31, R32, R41, "guest3_d2", "guest4_d2", "guest5_d2", "guest6_d4_doubloons")
    sc, found = Scene(), set()
    for _ in range(6):
        found.add(tuple(sc.round_is(1).pile(0).discard(0, *nine).lay(0).next_round().laid_by()))
    assert len(found) > 1


def test_with_both_piles_empty_tables_stay_free() -> None:
    sc = filled(R21, "waitress")
    assert sc.laid_by() == [R21, "waitress"]


@rule("TT-R2")
def test_nobles_share_a_table() -> None:
    pile = ("noble", R21, "noble", "noble", R31, R41)
    assert filled(*pile).seated() == [R21, R31, "noble", "noble", "noble"]
    apart = {"switch.nobles_must_share_table": "no"}
    assert filled(*pile, overrides=apart).seated() == [R21, "noble", "noble"]


def test_a_noble_that_joins_the_others_fills_no_table() -> None:
    """TT 3 B3: with the last table taken the filling stops, a noble on top stays there."""
    sc = filled("noble", R21, R31, "noble")
    assert (sc.seated(), sc.gained()) == ([R21, R31, "noble"], ["noble"])


@pytest.mark.parametrize(("cards", "flipped", "dice"), [(0, 0, 0), (1, 0, 1), (2, 0, 2), (0, 1, 1), (1, 1, 2), (3, 0, 3), (2, 1, 3)])
def test_a_waitress_rolls_an_own_die(cards: int, flipped: int, dice: int) -> None:
    sc = Scene().upgrade(0, *["waitress"] * flipped).pile(0, *["waitress"] * cards, R21, R22, R31)
    assert len(sc.next_round().dice_of(0)) == dice


@rule("TT-T7", "TT-R30")
def test_three_own_dice_at_most() -> None:
    sc = Scene().upgrade(0, "waitress").pile(0, "waitress", "waitress", "waitress", R21, R22, R31)
    assert len(sc.next_round().dice_of(0)) == 3
    sc = Scene().pile(0, *["waitress"] * 5, R21, R22, R31)
    assert len(sc.next_round().dice_of(0)) == 3


def test_an_own_die_shows_any_face() -> None:
    """The die of a waitress over a hundred games."""
    seen = set()
    sc = Scene("die").upgrade(0, "waitress")
    for _ in range(100):
        sc.t.reset()
        seen.update(sc.dice_of(0))
    assert seen == {1, 2, 3, 4, 5, 6}


@rule("TT-T8")
@pytest.mark.parametrize(("seats", "counts"), [(2, [[2, 2], [2, 2]]), (3, [[2, 1, 1], [1, 2, 1], [1, 1, 2]]), (4, [[1] * 4] * 4)])
def test_the_coasters_go_round(seats: int, counts: list[list[int]]) -> None:
    """The dice of coaster c all show c + 1."""
    sc = Scene("die", seats)
    for seat in range(seats):
        sc.coaster(seat, [seat + 1] * 4)
        sc.s.seat[seat].dice[:] = 0
    sc.act("die:1")
    assert [[sc.dice_of(p).count(c + 1) for c in range(seats)] for p in range(seats)] == counts


@rule("TT-R7")
def test_the_draft_is_picked_one_after_another() -> None:
    sc = Scene("die", 3, first=1)
    for seat in range(3):
        sc.coaster(seat, [1, 2, 3, 4])
        sc.s.seat[seat].dice[:] = 0
    picks = []
    while sc.question == "die":
        picks.append((sc.turn, [int(name[-1]) for name in sc.options()]))
        sc.act(sc.options()[0])
    assert [seat for seat, _ in picks] == [1, 2, 0] * 3
    assert [faces for _, faces in picks] == [[1, 2, 3, 4]] * 3 + [[2, 3, 4]] * 3 + [[3, 4]] * 3
    assert [sc.dice_of(p) for p in range(3)] == [[1, 2, 3, 4]] * 3


def test_the_coasters_move_to_the_left() -> None:
    """The second die is from the coaster of the right neighbour."""
    sc = Scene("die", 4)
    for seat in range(4):
        sc.coaster(seat, [1 + seat, 1 + seat, 5, 6])
        sc.s.seat[seat].dice[:] = 0
    sc.act("die:1", "die:2", "die:3", "die:4")
    assert (sc.turn, sc.options()) == (0, ["die:4", "die:5", "die:6"])


def with_counter(*pile: str, counters: int = 1, **more: object) -> Scene:
    """Round 2 of summer: everybody has had a counter guest; those of seat 0 are set."""
    return filled(*pile, **more).set(0, counter=counters)  # type: ignore[arg-type]


@rule("TT-T38", "TT-R29")
def test_a_counter_guest_fills_anew() -> None:
    sc = with_counter("table", R21, R22, R31, R32, "waitress", R41, R21, R22)
    assert sc.laid_by() == [R21, R22, R31, R32, "table"]
    sc.act("redraw")
    assert sc.laid_by() == [R21, R22, R41, "waitress"]
    assert sc.discarded() == [R21, R22, R31, R32, "table"]
    assert sc.get("counter") == 0
    sc.set(0, doubloons=2).until("serve", seat=0)
    assert not sc.legal("counter")


def test_filling_anew_may_be_repeated() -> None:
    """TT 3 B5: with further counter guests."""
    sc = with_counter(R21, R21, R21, R22, R22, R22, R31, R31, R31, counters=2)
    sc.act("redraw")
    assert (sc.question, sc.turn, sc.seated()) == ("redraw", 0, [R22, R22, R22])
    sc.act("redraw")
    assert sc.seated() == [R31, R31, R31]
    assert sc.question == "die"


def test_a_counter_guest_may_be_kept() -> None:
    sc = with_counter(R21, R22, R31).act("done")
    assert (sc.seated(), sc.get("counter"), sc.question) == ([R21, R22, R31], 1, "die")


@rule("TT-R33")
def test_a_counter_guest_has_one_use() -> None:
    sc = with_counter(R21, R22, R31, R32, R41, R21).act("redraw")
    assert (sc.get("counter"), sc.get("monastery")) == (0, 0)
    sc = Scene().goods_are(9, 0).act("counter")
    assert (sc.get("counter"), sc.get("monastery"), sc.legal("counter")) == (0, 1, False)
    counters = int(sc.s.counters)
    assert sc.round_is(2).next_round().get("counter") == 0
    assert sc.s.counters == counters


def test_a_new_filling_comes_before_the_own_dice() -> None:
    """The waitress of the second filling counts, not that of the first."""
    sc = with_counter("waitress", "waitress", R21, R22, R31, "waitress", R32, R41, R21).act("redraw").until("die")
    assert len(sc.dice_of(0)) == 1


def test_the_mug_passes_left() -> None:
    sc = Scene("die", 3, first=1)
    assert [sc.turn, *(sc.next_round().turn for _ in range(3))] == [1, 2, 0, 1]


def test_all_cards_laid_out_are_discarded_at_closing() -> None:
    cards = [R21, R41, "noble", "merchant", "dishwasher", "waitress", "table", "supplier"]
    sc = Scene().lay(0, *cards).discard(0).pile(0, R22, R22, R22).next_round()
    assert sc.discarded() == cards
    assert sc.laid_by() == [R22, R22, R22]
