"""Fills the Rules record of a variant from the numbers in this folder, and checks it."""

from typing import Any

from alehouse.envs.bloody_inn.layout import (
    ANNEX_NAMES, CARAVAN, CARAVANS, CARDS, MANY, OPS, PEASANT, PLACES, POLICE, RANKS, RETURN, SAFE, SPECIALS,
    STUDY, VERB_NAMES, VERBS,
)  # fmt: skip
from alehouse.envs.bloody_inn.state import BUILT, GRAVES, MOST_CARDS
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Numbers

FLAGS = {*range(MANY, MANY + VERBS), *range(RETURN, RETURN + VERBS), SAFE, STUDY}  # effects that have no amount in the tables


def members(found: Any) -> int:
    """Return the positions of the true values, as a set."""
    return sum(1 << k for k, there in enumerate(found) if there)


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
    R.start_cash = number("start.cash_with_objects") if R.objects else number("start.cash")
    R.start_checks = number("start.checks")
    R.start_peasants = number("start.peasants")
    R.start_bistro = number("start.solo_bistro") if v.seats == 1 else number("start.bistro")
    R.event_copies = number("start.event_copies") if R.events else 1
    R.actions = number("game.actions_per_round")
    R.cash_limit = number("inn.cash_limit")
    if number("game.corpse") % number("game.check"):
        raise ValueError(f"game.corpse={number('game.corpse')}: it has to be a multiple of game.check, which is {number('game.check')}")
    R.fee = number("game.corpse") // number("game.check")
    R.rent = number("game.rent")
    R.rent_high = number("game.high_season_rent")
    R.wage = number("game.wage")
    R.wage_high = number("game.extortion_wage")
    R.peasants = number("game.peasants_per_bribe")
    R.pharmacy_hand = number("game.pharmacy_hand")
    R.title = number(f"solo.title_{v.length}")
    R.ranks[:] = [number(f"solo.{rank}") for rank in RANKS]


def fill_cards(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the card table, and the sets of kinds that the rules use."""
    rows = numbers.tables["cards"]
    printed = [row["family"] for row in rows]  # a module brings its own cards even if an override changes their family
    R.family[:] = numbers.column("cards", "family")
    table = numbers.word("switch.carny_aptitude") == "table"
    aptitudes = [numbers.word(f"cards.{key}.{'aptitude_table' if table else 'aptitude'}") for key in CARDS]
    for name in ("up", "low", "money"):
        R[name][:] = numbers.column("cards", name)
    absent = {"carny": not R.carnies, "notable": not R.notables, "noble": bool(R.notables)}
    R.copies[:] = [0 if absent.get(family, False) else n for family, n in zip(printed, numbers.column("cards", "copies"), strict=True)]
    R.annex[:] = [ANNEX_NAMES.index(row["annex"]) if row["annex"] else -1 for row in rows]
    R.special[:] = [SPECIALS.index(row["special"]) for row in rows]
    R.buildable = members(R.annex >= 0)
    R.low_upto[:] = [members(R.low <= rank) for rank in range(len(R.low_upto))]
    R.helps[:] = [members(aptitude == verb for aptitude in aptitudes) for verb in VERB_NAMES]
    R.police = members(R.family == POLICE)


def fill_annexes(R: Any, numbers: Numbers) -> None:
    """Write what each annex does."""
    R.op[:] = [OPS.index(numbers.word(f"annexes.{name}.op")) for name in ANNEX_NAMES]
    R.amount[:] = [1 if op in FLAGS else n for op, n in zip(R.op, numbers.column("annexes", "amount"), strict=True)]
    R.per_card[:] = numbers.column("annexes", "per_card")
    R.caravans = members(annex >= 0 and R.op[annex] == CARAVAN for annex in R.annex)
    for kind, annex in enumerate(R.annex):
        if annex >= 0:
            R.colour[annex] = R.family[kind]
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
    travelers = sum(int(n) for kind, n in enumerate(R.copies) if kind != PEASANT)
    rooms = v.seats + int(R.white_keys)
    if travelers - int(R.remove) < rooms:
        raise ValueError(f"variant '{v}': {travelers} travelers less {R.remove} removed do not fill {rooms} rooms; raise some copies")
    cards = travelers + int(R.copies[PEASANT])
    if cards > MOST_CARDS:
        raise ValueError(f"variant '{v}': {cards} cards, peasants included; {MOST_CARDS} is the most; lower some copies")
    built = sum(int(n) for n, annex in zip(R.copies, R.annex, strict=True) if annex >= 0) + v.seats
    if built > BUILT:
        raise ValueError(f"variant '{v}': {built} annexes could be built, {BUILT} is the most; lower some copies")
    caravans = sum(int(n) for kind, n in enumerate(R.copies) if R.caravans >> kind & 1)
    if caravans > PLACES - CARAVANS:
        raise ValueError(f"variant '{v}': {caravans} caravans could be built, {PLACES - CARAVANS} is the most; lower some copies")
    peasants = v.seats * int(R.start_peasants) + int(R.start_bistro)
    if peasants > R.copies[PEASANT]:
        raise ValueError(f"variant '{v}': {peasants} peasants at the start, but only {R.copies[PEASANT]} in the game")
    if max(*R.low, R.barn_rank) > GRAVES:
        raise ValueError(f"variant '{v}': a rank of {max(*R.low, R.barn_rank)}; {GRAVES} is the most, as many corpses lie under an annex")
