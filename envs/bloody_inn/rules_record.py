"""Fills Rules records of a variant from the numbers in this folder, and checks it."""

from typing import Any

import numpy as np

from alehouse.envs.bloody_inn.layout import (
    ANNEX_NAMES, CARAVAN, CARAVANS, KINDS, MANY, OPS, PEASANT, PLACES, POLICE, RANKS, RETURN, SAFE, SPECIALS,
    STUDY, VERB_NAMES, VERBS,
)  # fmt: skip
from alehouse.envs.bloody_inn.state import BUILT, GRAVES, MOST_CARDS
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Numbers, first_fault, members, side_by_side

FLAGS = {*range(MANY, MANY + VERBS), *range(RETURN, RETURN + VERBS), SAFE, STUDY}  # effects that have no amount in the tables


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the rules of a variant and check them."""
    R.seats = v.seats
    for module in ("carnies", "events", "notables", "objects"):
        R[module] = module in v.modules
    R.long = v.length == "long"
    fill_numbers(R, numbers, v)
    fill_cards(R, numbers, v)
    fill_annexes(R, numbers)
    for name in ("cost", "amount"):
        R["price" if name == "cost" else "worth"][:] = numbers.column("objects", name)
    R.event_amount[:] = numbers.column("events", "amount")
    fill_switches(R, numbers)
    check(R, v)


def fill_numbers(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the single numbers."""
    number = numbers.number
    R.remove = number(f"removed.{v.length}_{v.seats}")
    R.white_keys = number(f"inn.white_keys_{v.seats}")
    R.tokens = number("inn.tokens")
    R.start_cash = number("start.cash_with_objects" if "objects" in v.modules else "start.cash")
    R.start_checks = number("start.checks")
    R.start_peasants = number("start.peasants")
    R.start_bistro = number("start.solo_bistro") if v.seats == 1 else number("start.bistro")
    R.event_copies = number("start.event_copies") if "events" in v.modules else 1
    R.actions = number("game.actions_per_round")
    R.cash_limit = number("inn.cash_limit")
    corpse, check = number("game.corpse"), number("game.check")
    if np.any(corpse % check):
        raise ValueError(f"game.corpse={corpse}: it has to be a multiple of game.check, which is {check}")
    R.fee = corpse // check
    R.rent = number("game.rent")
    R.rent_high = number("game.high_season_rent")
    R.wage = number("game.wage")
    R.wage_high = number("game.extortion_wage")
    R.peasants = number("game.peasants_per_bribe")
    R.pharmacy_hand = number("game.pharmacy_hand")
    R.title = number(f"solo.title_{v.length}")
    R.ranks[:] = side_by_side([number(f"solo.{rank}") for rank in RANKS])


def fill_cards(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the card table, and the sets of kinds that the rules use."""
    rows = numbers.tables["cards"]
    printed = [row["family"] for row in rows]  # a module brings its own cards even if an override changes their family
    R.family[:] = numbers.column("cards", "family")
    table = np.equal(numbers.number("switch.carny_aptitude"), 1)
    verbs, by_table = (numbers.codes("cards", name, VERB_NAMES) for name in ("aptitude", "aptitude_table"))
    aptitude = np.where(table[..., None], by_table, verbs)
    for name in ("up", "low", "money"):
        R[name][:] = numbers.column("cards", name)
    absent = {"carny": "carnies" not in v.modules, "notable": "notables" not in v.modules, "noble": "notables" in v.modules}
    R.copies[:] = np.where([absent.get(family, False) for family in printed], 0, numbers.column("cards", "copies"))
    R.annex[:] = [ANNEX_NAMES.index(row["annex"]) if row["annex"] else -1 for row in rows]
    R.special[:] = [SPECIALS.index(row["special"]) for row in rows]
    R.buildable = members(R.annex >= 0)
    for rank in range(R.low_upto.shape[1]):
        R.low_upto[:, rank] = members(R.low <= rank)
    for verb in range(VERBS):
        R.helps[:, verb] = members(aptitude == verb)
    R.police = members(R.family == POLICE)


def fill_annexes(R: Any, numbers: Numbers) -> None:
    """Write what each annex does."""
    R.op[:] = numbers.codes("annexes", "op", OPS)
    R.amount[:] = np.where(np.isin(R.op, [*FLAGS]), 1, numbers.column("annexes", "amount"))
    R.per_card[:] = numbers.column("annexes", "per_card")
    R.caravans = members((R.annex >= 0) & (np.take_along_axis(R.op, np.maximum(R.annex, 0), 1) == CARAVAN))
    for kind, annex in enumerate(R.annex[0]):
        if annex >= 0:
            R.colour[:, annex] = R.family[:, kind]
    R.barn_rank = numbers.number("inn.barn_rank")


def fill_switches(R: Any, numbers: Numbers) -> None:
    """Write each switch as 0 for its default reading of the rules, or 1 for the other reading."""
    for field, name in (
        ("barker_checkin", "barker_trigger"),
        ("twins_any", "twins_where"),
        ("dwarf_needs_rank", "dwarf_any_annex"),
        ("pickpockets_two", "ev_pickpockets"),
        ("coffee_weak", "coffee_shield"),
        ("cake_own", "cake_room"),
        ("quicklime_ignores", "quicklime"),
        ("well_free", "well_pays"),
        ("end_uncapped", "endgame_cap40"),
        ("annex_once", "annex_stack"),
        ("discount_forced", "discount_optional"),
        ("eager", "reshuffle"),
        ("unlimited", "unlimited_wealth"),
        ("in_order", "rooms_in_order"),
        ("confess_interred", "confession_count"),
    ):
        R[field] = numbers.number(f"switch.{name}")


def check(R: Any, v: Variant) -> None:
    """Raise a ValueError for numbers that cannot be used together."""
    travelers = R.copies.sum(1) - R.copies[:, PEASANT]
    rooms = v.seats + R.white_keys
    if (k := first_fault(travelers - R.remove < rooms)) is not None:
        text = f"{travelers[k]} travelers less {R.remove[k]} removed do not fill {rooms[k]} rooms; raise some copies"
        raise ValueError(f"variant '{v}': {text}")
    cards = R.copies.sum(1)
    if (k := first_fault(cards > MOST_CARDS)) is not None:
        raise ValueError(f"variant '{v}': {cards[k]} cards, peasants included; {MOST_CARDS} is the most; lower some copies")
    built = (R.copies * (R.annex >= 0)).sum(1) + v.seats
    if (k := first_fault(built > BUILT)) is not None:
        raise ValueError(f"variant '{v}': {built[k]} annexes could be built, {BUILT} is the most; lower some copies")
    caravans = (R.copies * (R.caravans[:, None] >> np.arange(KINDS) & 1)).sum(1)
    if (k := first_fault(caravans > PLACES - CARAVANS)) is not None:
        raise ValueError(f"variant '{v}': {caravans[k]} caravans could be built, {PLACES - CARAVANS} is the most; lower some copies")
    peasants = v.seats * R.start_peasants.astype(int) + R.start_bistro
    if (k := first_fault(peasants > R.copies[:, PEASANT])) is not None:
        raise ValueError(f"variant '{v}': {peasants[k]} peasants at the start, but only {R.copies[k, PEASANT]} in the game")
    rank = np.maximum(R.low.max(1), R.barn_rank)
    if (k := first_fault(rank > GRAVES)) is not None:
        raise ValueError(f"variant '{v}': a rank of {rank[k]}; {GRAVES} is the most, as many corpses lie under an annex")
