"""The tables of the game are compared with its rules page (sections 1 and 7)."""

from collections import Counter

import alehouse
import pytest
from alehouse.envs.tiefenthal.layout import NUMBERS, PIECES

from tests.envs.scene import rows, worked

WORKED = worked("tiefenthal")
TAGS = {"seed", "seed*", "src", "src*", "mem", "guess", "rule"}


def copies(table: str, **where: str) -> int:
    """Return how many cards a table has, of those where columns hold these words."""
    return sum(row["copies"] for row in rows("tiefenthal", table) if all(row[column] == word for column, word in where.items()))


def test_cards_of_the_box() -> None:
    """TT 1.1: 240 cards with 16 bards, 10 guests of module 3 and 7 start cards; 207 without."""
    tavern = copies("tavern") - copies("tavern", key="bard")
    guests = copies("guests") - copies("guests", pile="module3")
    assert 4 * copies("regulars") + tavern + guests + WORKED.number("noble.copies") == 207
    assert copies("tavern", key="bard") == 16
    assert copies("guests", pile="module3") == 10
    assert len([key for key in NUMBERS.rows("starts") if key != "standard"]) == 7


@pytest.mark.parametrize(("pile", "n"), [("side", 15), ("deck", 42), ("module3", 10)])
def test_guests_of_each_pile(pile: str, n: int) -> None:
    assert copies("guests", pile=pile) == n


@pytest.mark.parametrize(("price", "pay", "vp", "base", "more"), [
    (3, 2, 1, 15, 0), (4, 3, 2, 10, 2), (5, 3, 3, 10, 3), (6, 4, 4, 8, 2), (7, 4, 6, 8, 2), (8, 5, 8, 6, 1),
])  # fmt: skip
def test_guests_of_each_price(price: int, pay: int, vp: int, base: int, more: int) -> None:
    guests = [row for row in rows("tiefenthal", "guests") if row["price"] == price]
    assert {(row["pay"], row["vp"]) for row in guests} == {(pay, vp)}
    assert {row["die"] for row in guests} <= {2, 3, 4}
    assert sum(row["copies"] for row in guests if row["pile"] == "module3") == more
    assert sum(row["copies"] for row in guests if row["pile"] != "module3") == base


def test_regulars() -> None:
    """TT 1.4: what each takes and pays."""
    found = Counter({(row["die"], row["pay"]): row["copies"] for row in rows("tiefenthal", "regulars")})
    assert found == Counter([(2, 1), (2, 2), (3, 1), (3, 1), (3, 2), (4, 1), (4, 1)])
    assert set(NUMBERS.column("regulars", "vp")) == {0}


def test_tavern_cards() -> None:
    """TT 1.3: price and VP; the order of prices is sourced."""
    found = {row["key"]: (row["price"], row["vp"], row["copies"]) for row in rows("tiefenthal", "tavern")}
    assert found == {
        "bard": (1, 0, 16), "merchant": (2, 1, 16), "dishwasher": (3, 1, 16),
        "waitress": (3, 1, 16), "table": (4, 1, 16), "supplier": (5, 2, 16),
    }  # fmt: skip
    assert found["merchant"][0] <= found["dishwasher"][0] <= found["waitress"][0] <= found["table"][0] <= found["supplier"][0]
    assert NUMBERS["tavern.dishwasher.price"].provenance == NUMBERS["upgrade_price.dishwasher"].provenance == "src"


def test_pieces() -> None:
    """TT 1.7: what is printed on the two sides, the price, and when the upgrade works."""
    price = {key: WORKED[f"upgrade_price.{key}"].value for key in PIECES}
    found = {row["key"]: (row["basic"], row["upgraded"], price[row["key"]], row["works"]) for row in rows("tiefenthal", "pieces")}
    assert found == {
        "table": (3, 4, 9, "next_round"), "waitress": (0, 1, 9, "next_round"), "dishwasher": (0, 1, 9, "next_round"),
        "cashbox": (1, 3, 8, "now"), "barrel": (1, 2, 6, "now"), "monk": (1, 2, 6, "now"),
        "supplier": (1, 2, 10, "now"), "store": (2, 5, 5, "now"), "safe": (2, 5, 5, "now"),
    }  # fmt: skip


def test_monastery() -> None:
    """TT 1.9."""
    found = {row["key"]: (row["bonus"], row["amount"]) for row in rows("tiefenthal", "monastery") if row["bonus"] != "none"}
    assert found == {
        "step3": ("merchant", 1), "step5": ("doubloons", 2), "step7": ("remove", 1), "step9": ("dishwasher", 1), "step11": ("beer", 3),
        "step13": ("noble", 1), "step15": ("waitress", 1), "step17": ("remove", 1), "step20": ("noble", 1),
    }  # fmt: skip
    assert WORKED.number("game.monastery_end") == 20


def test_counter_guests_of_the_round_tracks() -> None:
    """TT 1.10: a player gets three in summer, three in winter."""
    assert sum(WORKED.column("summer", "counter")) == sum(WORKED.column("winter", "counter")) == 3


def test_schnapps_of_the_winter_track() -> None:
    """TT 1.10: printed in rounds 2 and 8, tiles of 2, 1 and 2 before rounds 3, 5 and 6."""
    assert NUMBERS.column("winter", "schnapps").tolist() == [1, 0, 0, 0, 0, 0, 1]
    assert NUMBERS.column("winter", "tile").tolist() == [0, 2, 0, 1, 2, 0, 0]


def test_reputation_loop() -> None:
    """TT 1.12: points rise by one on eight spaces."""
    spaces = [(row["what"], row["points"]) for row in rows("tiefenthal", "reputation")]
    assert [points for what, points in spaces if what == "points"] == list(range(1, 9))
    assert [what for what, _ in spaces if what != "points"] == ["schnapps", "signature", "schnapps_or_remove", "crown"]
    assert [k for k, (what, _) in enumerate(spaces) if what != "points"] == [3, 6, 8, 11]


def test_supplies() -> None:
    wanted = {
        "game.rounds": 8, "game.white_dice": 4, "game.own_dice": 3, "game.counter_guests": 3, "game.open_guests": 4,
        "noble.vp": 10, "noble.pay": 1, "noble.copies": 42, "noble.beers_1": 9, "noble.beers_2": 14, "noble.beers_3": 18,
        "schnapps.supply": 20, "schnapps.keep": 4, "signature.tiles": 40,
    }  # fmt: skip
    assert {key: WORKED.number(key) for key in wanted} == wanted


def test_every_entry_names_its_source() -> None:
    assert [entry.key for entry in NUMBERS.values() if entry.provenance.split(":")[0] not in TAGS] == []


def test_every_row_says_what_it_does() -> None:
    assert [row["key"] for rows in NUMBERS.tables.values() for row in rows if not row["effect"]] == []


@pytest.mark.parametrize(
    "overrides",
    [
        {"game.rounds": 9},
        {"tavern.table.copies": 33},
        {"tavern.merchant.price": 4},
        {"tavern.waitress.price": 2},
        {"tavern.table.price": 2},
        {"tavern.supplier.price": 2},
        {"switch.beer_one_purchase": "twice"},
        {"tavern.cook.price": 3},
        {"pieces.safe.works": "at_night"},
    ],
)
def test_numbers_that_can_not_be_are_refused(overrides: dict[str, int | str]) -> None:
    with pytest.raises(ValueError, match="|".join(overrides)):
        alehouse.variant("tiefenthal", overrides=overrides)
