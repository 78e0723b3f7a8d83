"""The card tables agree with the totals of the rules (sections 0.1, 1.1, 1.7 and appendix A)."""

from collections import Counter

import alehouse
import pytest
from alehouse.envs.bloody_inn.layout import NUMBERS

TAGS = {"seed", "seed*", "src", "mem", "guess", "rule"}


@pytest.mark.parametrize(
    ("family", "cards", "money", "upper", "lower"),
    [
        ("artisan", 14, 212, 19, 19),
        ("merchant", 14, 212, 19, 19),
        ("religious", 14, 212, 19, 19),
        ("police", 14, 212, 19, 19),
        ("noble", 14, 212, 19, 19),
        ("peasant", 8, 32, 0, 0),
        ("carny", 14, 220, 17, 16),
        ("notable", 14, 204, 16, 17),
    ],
)
def test_family_totals(family: str, cards: int, money: int, upper: int, lower: int) -> None:
    rows = [row for row in NUMBERS.tables["cards"] if row["family"] == family]
    copies = [int(row["copies"]) for row in rows]
    found = [sum(n * int(row[column]) for n, row in zip(copies, rows, strict=True)) for column in ("money", "up", "low")]
    assert (sum(copies), *found) == (cards, money, upper, lower)


def test_four_objects_of_each_price() -> None:
    assert Counter(NUMBERS.column("objects", "cost")) == {0: 4, 1: 4, 2: 4, 3: 4}


def test_eight_events() -> None:
    assert len(NUMBERS.rows("events")) == 8


def test_every_annex_of_a_card_is_in_the_table_of_annexes() -> None:
    named = [row["annex"] for row in NUMBERS.tables["cards"] if row["annex"]]
    assert ["barn", *dict.fromkeys(named)] == NUMBERS.rows("annexes")


def test_every_entry_names_its_source() -> None:
    assert [entry.key for entry in NUMBERS.values() if entry.provenance.split(":")[0] not in TAGS] == []


def test_every_row_says_what_it_does() -> None:
    assert [row["key"] for rows in NUMBERS.tables.values() for row in rows if not row["effect"]] == []


@pytest.mark.parametrize(
    "overrides",
    [
        {"start.cash": 41},
        {"cards.monk.copies": 9},
        {"switch.reshuffle": "sometimes"},
        {"start.money": 5},
        {"game.corpse": 15},
        {"start.bistro": 8},
    ],
)
def test_numbers_that_can_not_be_are_refused(overrides: dict[str, int | str]) -> None:
    with pytest.raises(ValueError, match="|".join(overrides)):
        alehouse.variant("bloody_inn", overrides=overrides)
