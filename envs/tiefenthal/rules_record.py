"""Fills Rules records of a variant from the numbers in this folder, and checks it."""

from typing import Any

import numpy as np

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Array, Numbers, first_fault, members, side_by_side
from alehouse.envs.tiefenthal.layout import (
    B_REPUTATION, BARD, BONUSES, COLUMN_NAMES, FACES, LOOP, LOOP_SPACES, NOBLE, PATRONS, PIECES,
    PLACES, REGULARS, ROUNDS, ROWS, S_CROWN, S_POINTS, S_SIGNATURE, STEPS, TAVERN_NAMES, UNUSED,
)  # fmt: skip
from alehouse.envs.tiefenthal.state import NOBODY, OWN_REGULARS, OWNED, PIPS, WORTH

MODULES = ("schnapps", "reputation", "start_cards", "guest_book")
FACE_COLUMNS = ("one", "two", "three", "four", "five", "six")
ENTERTAINER_WORDS = ("none", "e1", "e2", "e3")
CARD_WORDS = (*[""] * BARD, *TAVERN_NAMES)  # the words of tavern cards, each at the number of its kind


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the rules of a variant into records."""
    R.seats = v.seats
    for module in MODULES:
        R[module] = module in v.modules
    fill_numbers(R, numbers, v)
    fill_cards(R, numbers, v)
    fill_dice(R, numbers)
    fill_pieces(R, numbers)
    fill_tracks(R, numbers, v)
    fill_starts(R, numbers)
    check(R, v)


def fill_numbers(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the single numbers and the switches; a switch is 0 for its default reading of the rules."""
    number = numbers.number
    R.rounds = number("game.rounds")
    R.white_dice = number("game.white_dice")
    R.own_dice = number("game.own_dice")
    R.counters = number("game.counter_guests") * v.seats
    R.open_guests = number("game.open_guests")
    R.monastery_end = number("game.monastery_end")
    R.noble_beers[:] = side_by_side([number(f"noble.beers_{n}") for n in (1, 2, 3)])
    if "schnapps" in v.modules:
        R.glasses = number("schnapps.supply")
        R.keep = number("schnapps.keep")
        R.glass_doubloons = number("schnapps.doubloons")
        R.glass_beer = number("schnapps.beer")
        R.glass_cost[:] = numbers.column("entertainers", "cost")
    R.tiles = number("signature.tiles") if "guest_book" in v.modules else 0
    R.many_purchases = number("switch.beer_one_purchase")
    R.k1_always = number("switch.start_card_default_always") if "start_cards" in v.modules else 0
    R.hire_takes_card = number("switch.hire_consumes_card")
    R.nobles_apart = number("switch.nobles_must_share_table")


def fill_cards(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the values of regulars, guests, nobles and tavern cards."""
    regulars, guests, staff = slice(REGULARS), slice(REGULARS, PATRONS), slice(BARD, None)
    for name in ("copies", "vp", "pay", "die"):
        R[name][:, regulars] = numbers.column("regulars", name)
        R[name][:, guests] = numbers.column("guests", name)
    for name in ("copies", "vp", "pay"):
        R[name][:, NOBLE] = numbers.number(f"noble.{name}")
    for name in ("copies", "vp"):
        R[name][:, staff] = numbers.column("tavern", name)
    piles = [row["pile"] for row in numbers.tables["guests"]]
    if "reputation" not in v.modules:
        R.copies[:, BARD] = 0
        R.copies[:, guests] *= np.array([pile != "module3" for pile in piles])
    R.cheap = members([pile == "side" for pile in piles]) << REGULARS
    R.beers[:, guests] = numbers.column("guests", "price")
    R.bonus[:, guests] = numbers.codes("guests", "bonus", BONUSES)
    R.amount[:, guests] = numbers.column("guests", "amount")
    if "guest_book" in v.modules:
        for beers in range(3, 9):
            some = np.clip(R.beers[:, guests], 3, 8) == beers
            R.column[:, guests] += (some * np.asarray(numbers.code(f"column.price_{beers}", COLUMN_NAMES))).astype(R.column.dtype)
    R.price[:] = numbers.column("tavern", "price")
    for n in range(WORTH):
        R.affordable[:, n] = members(R.price <= n)


def fill_dice(R: Any, numbers: Numbers) -> None:
    """Write which die may go where, and how many added pips it needs for that (1.8)."""
    places = range(NOBLE, UNUSED)
    takes = np.zeros((len(R), R.pips.shape[2], FACES + 1), bool)  # for each place, the faces that it takes
    takes[:, :PATRONS] = R.die[:, :PATRONS, None] == np.arange(FACES + 1)
    for face, name in enumerate(FACE_COLUMNS, 1):
        takes[:, NOBLE:UNUSED, face] = side_by_side([numbers.number(f"spaces.{PLACES[place]}.{name}") for place in places])
    takes[:, UNUSED:, 1:] = True
    R.pips[:] = PIPS
    for face in range(1, FACES + 1):
        for to in reversed(range(face, FACES + 1)):
            R.pips[:, face - 1] = np.where(takes[:, :, to], to - face, R.pips[:, face - 1])
        for pips in range(PIPS):
            R.reach[:, face - 1, pips] = members(R.pips[:, face - 1] <= pips)


def fill_pieces(R: Any, numbers: Numbers) -> None:
    """Write the values of the pieces of a tavern, basic and upgraded."""
    R.level[:, 0] = numbers.column("pieces", "basic")
    R.level[:, 1] = numbers.column("pieces", "upgraded")
    R.cost[:] = side_by_side([numbers.number(f"upgrade_price.{key}") for key in PIECES])
    for n in range(WORTH):
        R.upgradable[:, n] = members(R.cost <= n)
    for k, key in enumerate(PIECES):
        discounted = numbers.number(f"upgrade_discount.{key}") if f"upgrade_discount.{key}" in numbers else 0
        R.staff[:, k] = np.where(discounted, CARD_WORDS.index(key) if key in CARD_WORDS else NOBODY, NOBODY)
    R.discounted = members(R.staff != NOBODY)
    R.at_once = members(side_by_side([numbers.code(f"pieces.{key}.works", ("now",)) == 0 for key in PIECES]))


def fill_tracks(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the monastery, the rounds, the reputation loop and the guest book."""
    bonuses(R.step_bonus[:, 1:], R.step_amount[:, 1:], numbers, "monastery", [f"step{k + 1}" for k in range(STEPS)])
    R.step_after[:, STEPS] = STEPS + 1
    for k in range(STEPS):
        R.step_before[:, k + 1] = np.where(R.step_bonus[:, k + 1] != 0, k + 1, R.step_before[:, k])
        later = STEPS - 1 - k
        R.step_after[:, later] = np.where(R.step_bonus[:, later + 1] != 0, later + 1, R.step_after[:, later + 1])
    schnapps, reputation = "schnapps" in v.modules, "reputation" in v.modules
    table = "winter" if schnapps else "summer"
    R.round_card[:] = R.round_or_card[:] = NOBODY
    for k in range(2, ROUNDS + 1):
        row = f"{table}.round{k}"
        R.round_counter[:, k] = numbers.number(f"{row}.counter")
        R.round_card[:, k] = numbers.code(f"{row}.card", CARD_WORDS, NOBODY)
        R.round_or_card[:, k] = numbers.code(f"{row}.or_card", CARD_WORDS, NOBODY)
        if schnapps:
            R.round_entertainer[:, k] = numbers.code(f"{row}.entertainer", ENTERTAINER_WORDS)
            R.round_schnapps[:, k] = numbers.number(f"{row}.schnapps") + (0 if reputation else numbers.number(f"{row}.tile"))
        else:
            R.round_die[:, k] = numbers.number(f"{row}.die")
            R.round_discount[:, k] = numbers.number(f"{row}.discount")
    if reputation:
        fill_loop(R, numbers, v)
    for k in range(ROWS if "guest_book" in v.modules else 0):
        bonuses(R.cell_bonus[:, k], R.cell_amount[:, k], numbers, "book", [f"{column}{k + 1}" for column in COLUMN_NAMES])


def bonuses(what: Array, amount: Array, numbers: Numbers, table: str, keys: list[str]) -> None:
    """Write a row of bonuses and their amounts."""
    what[:] = side_by_side([numbers.code(f"{table}.{key}.bonus", BONUSES) for key in keys])
    amount[:] = side_by_side([numbers.number(f"{table}.{key}.amount") for key in keys])


def fill_loop(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the reputation loop; the signature space belongs to it only with the guest book (1.12)."""
    worth = np.zeros(len(R), int)
    each = np.arange(len(R))
    for key in numbers.rows("reputation"):
        what = np.broadcast_to(numbers.code(f"reputation.{key}.what", LOOP_SPACES), len(R))
        there = np.ones(len(R), bool) if "guest_book" in v.modules else what != S_SIGNATURE
        points = np.where(what == S_POINTS, numbers.number(f"reputation.{key}.points"), np.where(what == S_CROWN, 0, worth))
        worth = np.where(there, points, worth)
        R.loop += there
        R.space[each[there], R.loop[there]] = what[there]
        R.points[each[there], R.loop[there]] = worth[there]


def fill_starts(R: Any, numbers: Numbers) -> None:
    """Write what each start card gives; the first row is the start without a card."""
    for k, name in enumerate(TAVERN_NAMES):
        R.start_kit[:, :, k] = numbers.column("starts", name)
    R.start_upgrade[:] = numbers.codes("starts", "upgrade", PIECES, NOBODY)
    for field, name in (("steps", "monastery"), ("dismiss", "dismiss"), ("schnapps", "schnapps"), ("beer", "beer")):
        R[f"start_{field}"][:] = numbers.column("starts", name)


def check(R: Any, v: Variant) -> None:
    """Raise a ValueError for numbers that cannot be used together."""
    regulars = R.copies[:, :REGULARS].sum(1)
    if (k := first_fault((regulars < 1) | (regulars > OWN_REGULARS))) is not None:
        text = f"{regulars[k]} regulars for each player; 1 to {OWN_REGULARS} are possible, see regulars.*.copies"
        raise ValueError(f"variant '{v}': {text}")
    guests = R.copies[:, REGULARS:PATRONS].sum(1)
    if (k := first_fault(guests > 127)) is not None:
        raise ValueError(f"variant '{v}': {guests[k]} guests, 127 is the most; lower some copies")
    cards, most = R.copies[:, NOBLE:].sum(1), OWNED - ROUNDS - OWN_REGULARS
    if (k := first_fault(cards > most)) is not None:
        raise ValueError(f"variant '{v}': {cards[k]} nobles and tavern cards, {most} is the most; lower noble.copies or tavern.*.copies")
    if R.reputation[0] and R.loop.min() < 1:
        raise ValueError(f"variant '{v}': no space is left of the reputation loop; see reputation.*.what")
    longest = (R.cell_amount * (R.cell_bonus == B_REPUTATION)).max((1, 2))
    gap = np.full(len(R), LOOP)
    for one in np.flatnonzero(longest > 0):
        places = np.flatnonzero(R.space[one, 1 : R.loop[one] + 1] == S_SIGNATURE)
        gap[one] = np.diff(places, append=places[:1] + R.loop[one]).min(initial=LOOP)
    if "guest_book" in v.modules and (k := first_fault(longest >= gap)) is not None:
        text = f"a cell of the guest book gives {longest[k]} reputation, the next signature is {gap[k]} spaces on"
        raise ValueError(f"variant '{v}': {text}; no cell may lead from one signature to another")
