"""Module 5: the guest book (4.4 and 1.13 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.tiefenthal.scene import R21, Scene

# A guest of each column whose own bonus can be told from that of a cell.
A3, A4, B, C, D = "guest3_d2", "guest4_d2", "guest5_d2", "guest6_d4_doubloons", "guest8_d4_doubloons"
COLUMN = {"a": A4, "b": B, "c": C, "d": D}
OWN = {A3: 0, A4: 0, B: 0, C: 3, D: 4}  # doubloons


def signing(guest: str, fame: int = 0, **covered: int) -> Scene:
    """Seat 0 buys a guest with its last beer; cells of its book are covered already."""
    sc = Scene(level=5).pile(0).lay(0, R21).book(0, **covered).set(0, fame=fame).offer(guest if guest != A3 else B)
    return sc.goods_are(0, int(guest[5])).act("guest:cheap" if guest == A3 else "guest:open1")


# Cells, by name; each in a row of which nothing else is covered

CARDS = {
    "a2": "merchant", "a4": "waitress", "b3": "dishwasher", "b4": "table", "c2": "dishwasher", "c4": "noble", "d2": "waitress",
    "d3": "table", "d4": "noble",
}  # fmt: skip
SCHNAPPS = ["a3", "d1"]
REPUTATION = {"b2": 1, "c1": 1, "c3": 3}
NOTHING = ["a1", "b1"]


def covering(cell: str) -> Scene:
    """The guest whose tile covers this cell has just been bought."""
    column, row = cell[0], int(cell[1])
    return signing(COLUMN[column], **{column: row - 1})


def test_every_cell_is_tested() -> None:
    assert sorted([*CARDS, *SCHNAPPS, *REPUTATION, *NOTHING]) == [f"{column}{row}" for column in "abcd" for row in (1, 2, 3, 4)]


@rule("TT-M5-4")
@pytest.mark.parametrize(("cell", "card"), CARDS.items())
def test_cells_with_a_card(cell: str, card: str) -> None:
    sc = covering(cell)
    guest = COLUMN[cell[0]]
    assert (sorted(sc.gained()), sc.get("schnapps"), sc.get("fame")) == (sorted([guest, card]), 0, 0)


@rule("TT-M5-4")
@pytest.mark.parametrize("cell", SCHNAPPS)
def test_cells_with_a_schnapps(cell: str) -> None:
    sc = covering(cell)
    assert (sc.gained(), sc.get("schnapps"), sc.get("fame")) == ([COLUMN[cell[0]]], 1, 0)


@rule("TT-M5-4")
@pytest.mark.parametrize(("cell", "n"), REPUTATION.items())
def test_cells_with_reputation(cell: str, n: int) -> None:
    sc = covering(cell)
    assert (sc.gained(), sc.get("schnapps"), sc.get("fame")) == ([COLUMN[cell[0]]], 0, n)


@rule("TT-M5-4")
@pytest.mark.parametrize("cell", NOTHING)
def test_cells_without_a_bonus(cell: str) -> None:
    sc = covering(cell)
    assert (sc.gained(), sc.get("schnapps"), sc.get("fame"), sc.goods()) == ([COLUMN[cell[0]]], 0, 0, (0, 0))
    assert sc.book_of()["abcd".index(cell[0])] == 1


# Columns and rows


@rule("TT-T33", "TT-M5-1")
@pytest.mark.parametrize(("guest", "book"), [
    (A3, [1, 0, 0, 0]), (A4, [1, 0, 0, 0]), (B, [0, 1, 0, 0]), (C, [0, 0, 1, 0]), ("guest7_d4_table", [0, 0, 0, 1]), (D, [0, 0, 0, 1]),
])  # fmt: skip
def test_the_column_is_that_of_the_price(guest: str, book: list[int]) -> None:
    assert signing(guest).book_of() == book


@rule("TT-T33", "TT-M5-5")
def test_the_fifth_tile_of_a_column_is_lost() -> None:
    sc = signing(A4, a=4)
    assert (sc.book_of(), sc.gained(), sc.get("schnapps")) == ([4, 0, 0, 0], [A4], 0)


@rule("TT-M5-6")
@pytest.mark.parametrize("row", [1, 2, 3, 4])
def test_a_full_row_is_a_noble(row: int) -> None:
    """Its last cell in column b; before that three cells of the row are no noble."""
    full = dict.fromkeys("acd", row) | {"b": row - 1}
    sc = signing(B, **full)
    assert sc.gained().count("noble") == 1
    sc = signing(B, **(full | {"d": row - 1}))
    assert sc.gained().count("noble") == 0


def test_the_noble_of_a_row_comes_after_the_bonus_of_its_last_cell() -> None:
    assert signing(B, a=3, b=2, c=3, d=3).gained() == ["noble", "dishwasher", B]


@rule("TT-M5-6")
def test_a_row_is_full_once() -> None:
    sc = signing(B, a=3, b=2, c=3, d=3)
    assert sc.gained().count("noble") == 1
    sc = signing(B, a=3, b=3, c=3, d=3)
    assert sc.gained().count("noble") == 0


# Tiles


@rule("TT-M5-2")
def test_tiles_on_the_guests_on_offer() -> None:
    sc = Scene("die", level=5)
    assert (int(sc.s.tiles), int(sc.s.signed)) == (35, 0b11111)
    for choice, price in (("guest:open2", 5), ("guest:cheap", 3)):
        sc = Scene(level=5).offer(B, B, B, B).goods_are(0, price)
        sc.act(choice)
        assert (int(sc.s.tiles), int(sc.s.signed)) == (34, 0b11111)
        assert None not in sc.display


@rule("TT-M5-7")
def test_a_guest_without_a_tile_gives_no_entry() -> None:
    sc = Scene(level=5).offer(B, B).goods_are(0, 5)
    sc.s.tiles = 0
    sc.act("guest:open1")
    assert (sc.book_of(), int(sc.s.signed)) == ([0, 1, 0, 0], 0b11110)
    sc = Scene(level=5).pile(0).offer(B, B).goods_are(0, 5)
    sc.s.signed = 0b11110
    sc.act("guest:open1")
    assert (sc.book_of(), sc.gained()) == ([0, 0, 0, 0], [B])


@rule("TT-M5-7")
def test_forty_tiles() -> None:
    """The five of the set-up come first."""
    sc = Scene("die", level=5, overrides={"signature.tiles": 3})
    assert (int(sc.s.tiles), bin(int(sc.s.signed)).count("1")) == (0, 3)


@rule("TT-R23")
def test_nobles_bought_bring_no_tile() -> None:
    sc = Scene(level=5).goods_are(0, 18).act("nobles:3")
    assert (sc.book_of(), int(sc.s.tiles)) == ([0, 0, 0, 0], 35)


@rule("TT-M5-8")
def test_still_one_guest_a_round() -> None:
    sc = Scene(level=5).offer(B, B).goods_are(0, 30).act("guest:open1")
    assert sc.options("guest") == []


# The signature space


def at_signature(**covered: int) -> Scene:
    """Seat 0 reaches the signature space by a song."""
    return Scene(level=5).pile(0).lay(0, R21, "bard").book(0, **covered).set(0, fame=6).act("sing")


@rule("TT-T35", "TT-M5-3")
@pytest.mark.parametrize(("column", "book"), [("a", [1, 0, 0, 0]), ("b", [0, 1, 0, 0]), ("c", [0, 0, 1, 0]), ("d", [0, 0, 0, 1])])
def test_the_signature_space(column: str, book: list[int]) -> None:
    sc = at_signature()
    assert (sc.question, sc.options()) == ("sign", ["done", "column:a", "column:b", "column:c", "column:d"])
    tiles = int(sc.s.tiles)
    sc.act(f"column:{column}")
    assert (sc.book_of(), int(sc.s.tiles)) == (book, tiles - 1)


@rule("TT-M5-3")
def test_a_signature_is_placed_top_to_bottom_and_may_be_declined() -> None:
    sc = at_signature(a=1).act("column:a")
    assert (sc.book_of(), sc.gained()) == ([2, 0, 0, 0], ["merchant"])
    sc = at_signature()
    tiles = int(sc.s.tiles)
    sc.act("done")
    assert (sc.book_of(), int(sc.s.tiles), sc.get("fame")) == ([0, 0, 0, 0], tiles, 7)


@rule("TT-M5-3")
def test_the_signature_space_passed_over() -> None:
    sc = Scene(level=5).pile(0).set(0, fame=5).offer("guest5_d3_reputation").goods_are(0, 5).act("guest:open1")
    assert (sc.question, sc.get("fame")) == ("sign", 7)
    sc = Scene(level=5).pile(0).set(0, fame=4).offer("guest8_d4_reputation").goods_are(0, 8).act("guest:open1")
    assert sc.question == "sign"
    sc.act("column:d")
    assert (sc.get("fame"), sc.get("schnapps"), sc.book_of()) == (8, 1, [0, 0, 0, 2])


@rule("TT-T35")
def test_the_signature_space_without_tiles() -> None:
    sc = Scene(level=5).lay(0, "bard").set(0, fame=6)
    sc.s.tiles = 0
    sc.act("sing")
    assert (sc.question, sc.get("fame"), sc.book_of()) == ("serve", 7, [0, 0, 0, 0])


@rule("TT-M5-5")
def test_a_signature_in_a_full_column_is_lost() -> None:
    sc = at_signature(b=4)
    tiles = int(sc.s.tiles)
    sc.act("column:b")
    assert (sc.book_of(), int(sc.s.tiles), sc.gained()) == ([0, 4, 0, 0], tiles - 1, [])


def test_chains_are_resolved_depth_first() -> None:
    """A guest's tile on c3: three steps from space 6; the signature on d1: a schnapps; then the two steps left."""
    sc = signing(C, fame=6, c=2)
    assert (sc.question, sc.get("fame")) == ("sign", 7)
    sc.act("column:d")
    assert sc.get("schnapps") == 1
    assert (sc.question, sc.get("fame")) == ("cheer", 9)
    assert sc.act("take:schnapps").get("schnapps") == 2
    assert (sc.question, sc.book_of()) == ("serve", [0, 0, 3, 1])


def test_a_chain_of_reputation_within_a_walk() -> None:
    """The signature on c3 brings three steps, taken before the two left of the guest's four: to 10, then to the crown."""
    sc = Scene(level=5).pile(0).lay(0, R21).book(0, c=2).set(0, fame=5).offer("guest8_d4_reputation").goods_are(0, 8)
    sc.act("guest:open1")
    assert (sc.question, sc.get("fame")) == ("sign", 7)
    sc.act("column:c")
    assert (sc.question, sc.get("fame")) == ("cheer", 9)
    sc.act("take:schnapps")
    assert (sc.get("fame"), sc.gained()) == (12, ["guest8_d4_reputation", "noble"])
    assert sc.book_of() == [0, 0, 3, 1]
