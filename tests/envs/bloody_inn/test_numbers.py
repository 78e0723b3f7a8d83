"""The card tables agree with the totals of the rules (sections 0.1, 1.1, 1.7 and appendix A)."""

from collections import Counter

import alehouse
import pytest
from alehouse.envs.bloody_inn.layout import CARDS, NUMBERS
from alehouse.envs.bloody_inn.modules.events import lodged
from alehouse.envs.bloody_inn.state import NOBODY

from tests.envs.bloody_inn.scene import Scene

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
        {"cards.monk.copies": 49},
        {"cards.peasant.copies": 48, "cards.monk.copies": 14},
        {"switch.reshuffle": "sometimes"},
        {"start.money": 5},
        {"game.corpse": 15},
        {"start.bistro": 8},
    ],
)
def test_numbers_that_can_not_be_are_refused(overrides: dict[str, int | str]) -> None:
    with pytest.raises(ValueError, match="|".join(overrides)):
        alehouse.variant("bloody_inn", overrides=overrides)


# Supplies raised until they do not run out


def test_the_bistro_can_be_filled() -> None:
    t = alehouse.Tables(
        alehouse.variant("bloody_inn", seats=4, overrides={"start.bistro": 40, "cards.peasant.copies": 48}), n=2, autoreset=False
    )
    assert t.states["bistro"].tolist() == [40, 40]
    least = 40
    while not t.over.all():
        t.step(t.sample())
        least = min(least, int(t.states["bistro"].min()))
    assert 0 < least < 40


@pytest.mark.parametrize(("copies", "shuffled"), [(1, 1), (2, 0), (3, 0)])
def test_events_come_again_when_their_cards_are_used_up(copies: int, shuffled: int) -> None:
    """Nine events in a row: with one card each the ninth comes from a new deck; no event comes more often than it has cards."""
    sc = Scene(2, ("carnies", "events"), phase="welcome", overrides={"start.event_copies": copies})
    seen = Counter[str]()
    for _ in range(9):
        sc.s.event = NOBODY
        lodged(sc.s, sc.R, CARDS.index("clown"))
        seen[sc.event_name or ""] += 1
    assert (int(sc.s.event_pass), set(seen) <= set(NUMBERS.rows("events"))) == (shuffled, True)
    assert max(seen.values()) <= copies + shuffled
    assert len(seen) == 8 or copies > 1
    shown = next(f for f in sc.v.features if f.name == "event_deck")
    left = sc.t.observe(0, 0)[shown.start : shown.start + shown.length]
    assert left.tolist() == [int(seen[name] < copies * (1 + shuffled)) for name in NUMBERS.rows("events")]


def test_tokens_can_be_enough_for_everything() -> None:
    sc = Scene(4, overrides={"inn.tokens": 24})
    assert [sc.tokens_of(seat) for seat in range(4)] == [23] * 4
