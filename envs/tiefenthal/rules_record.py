"""Fills the Rules record of a variant from the numbers in this folder, and checks it."""

from typing import Any

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Numbers
from alehouse.envs.tiefenthal.layout import (
    B_REPUTATION, BARD, BONUSES, COLUMN_NAMES, FACES, GUEST_NAMES, LOOP, LOOP_SPACES, NOBLE, PATRONS, PIECES,
    PLACES, REGULARS, ROUNDS, ROWS, S_CROWN, S_POINTS, S_SIGNATURE, START_NAMES, STEPS, TAVERN_NAMES, UNUSED,
)  # fmt: skip
from alehouse.envs.tiefenthal.state import NOBODY, OWN_REGULARS, OWNED, PIPS, WORTH

MODULES = ("schnapps", "reputation", "start_cards", "guest_book")
FACE_COLUMNS = ("one", "two", "three", "four", "five", "six")
ENTERTAINER_WORDS = ("none", "e1", "e2", "e3")


def members(found: Any) -> int:
    """Return the positions of the true values, as a set."""
    return sum(1 << k for k, there in enumerate(found) if there)


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the rules of a variant into a record."""
    R.seats = v.seats
    for module in MODULES:
        R[module] = module in v.modules
    fill_numbers(R, numbers, v)
    fill_cards(R, numbers)
    fill_dice(R, numbers)
    fill_pieces(R, numbers)
    fill_tracks(R, numbers)
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
    R.noble_beers[:] = [number(f"noble.beers_{n}") for n in (1, 2, 3)]
    if R.schnapps:
        R.glasses = number("schnapps.supply")
        R.keep = number("schnapps.keep")
        R.glass_doubloons = number("schnapps.doubloons")
        R.glass_beer = number("schnapps.beer")
        R.glass_cost[:] = numbers.column("entertainers", "cost")
    R.tiles = number("signature.tiles") if R.guest_book else 0
    R.many_purchases = number("switch.beer_one_purchase")
    R.k1_always = number("switch.start_card_default_always") if R.start_cards else 0
    R.hire_takes_card = number("switch.hire_consumes_card")
    R.nobles_apart = number("switch.nobles_must_share_table")


def fill_cards(R: Any, numbers: Numbers) -> None:
    """Write the values of regulars, guests, nobles and tavern cards."""
    guests = slice(REGULARS, PATRONS)
    for name in ("copies", "vp"):
        tavern = numbers.column("tavern", name)
        R[name][:] = [*numbers.column("regulars", name), *numbers.column("guests", name), numbers.number(f"noble.{name}"), *tavern]
    R.pay[: NOBLE + 1] = [*numbers.column("regulars", "pay"), *numbers.column("guests", "pay"), numbers.number("noble.pay")]
    R.die[:PATRONS] = [*numbers.column("regulars", "die"), *numbers.column("guests", "die")]
    piles = [row["pile"] for row in numbers.tables["guests"]]
    if not R.reputation:
        R.copies[BARD] = 0
        R.copies[guests] = [0 if pile == "module3" else n for pile, n in zip(piles, R.copies[guests], strict=True)]
    R.cheap = members(pile == "side" for pile in piles) << REGULARS
    R.beers[guests] = numbers.column("guests", "price")
    R.bonus[guests] = [BONUSES.index(numbers.word(f"guests.{key}.bonus")) for key in GUEST_NAMES]
    R.amount[guests] = numbers.column("guests", "amount")
    if R.guest_book:
        R.column[guests] = [COLUMN_NAMES.index(numbers.word(f"column.price_{min(max(3, n), 8)}")) for n in R.beers[guests]]
    R.price[:] = numbers.column("tavern", "price")
    R.affordable[:] = [members(R.price <= n) for n in range(WORTH)]


def fill_dice(R: Any, numbers: Numbers) -> None:
    """Write which die may go where, and how many added pips it needs for that (1.8)."""
    taken = [{int(die)} for die in R.die[:PATRONS]]
    taken += [{face for face, name in enumerate(FACE_COLUMNS, 1) if numbers.number(f"spaces.{key}.{name}")} for key in PLACES[NOBLE:UNUSED]]
    taken.append({*range(1, FACES + 1)})
    for face in range(1, FACES + 1):
        R.pips[face - 1] = [min((to - face for to in faces if to >= face), default=PIPS) for faces in taken]
        R.reach[face - 1] = [members(R.pips[face - 1] <= pips) for pips in range(PIPS)]


def fill_pieces(R: Any, numbers: Numbers) -> None:
    """Write the values of the pieces of a tavern, basic and upgraded."""
    R.level[0] = numbers.column("pieces", "basic")
    R.level[1] = numbers.column("pieces", "upgraded")
    R.cost[:] = [numbers.number(f"upgrade_price.{key}") for key in PIECES]
    R.upgradable[:] = [members(R.cost <= n) for n in range(WORTH)]
    R.staff[:] = [staff(key, numbers) for key in PIECES]
    R.discounted = members(R.staff != NOBODY)
    R.at_once = members(numbers.word(f"pieces.{key}.works") == "now" for key in PIECES)


def staff(piece: str, numbers: Numbers) -> int:
    """Return the kind of card that may be given up for a discount on a piece, NOBODY for none."""
    key = f"upgrade_discount.{piece}"
    return card(piece) if key in numbers and numbers.word(key) == "yes" else NOBODY


def fill_tracks(R: Any, numbers: Numbers) -> None:
    """Write the monastery, the rounds, the reputation loop and the guest book."""
    bonuses(R.step_bonus[1:], R.step_amount[1:], numbers, "monastery", [f"step{k + 1}" for k in range(STEPS)])
    table = "winter" if R.schnapps else "summer"
    R.round_card[:] = R.round_or_card[:] = NOBODY
    for k in range(2, ROUNDS + 1):
        row = f"{table}.round{k}"
        R.round_counter[k] = numbers.number(f"{row}.counter")
        R.round_card[k] = card(numbers.word(f"{row}.card"))
        R.round_or_card[k] = card(numbers.word(f"{row}.or_card"))
        if R.schnapps:
            R.round_entertainer[k] = ENTERTAINER_WORDS.index(numbers.word(f"{row}.entertainer"))
            R.round_schnapps[k] = numbers.number(f"{row}.schnapps") + (0 if R.reputation else numbers.number(f"{row}.tile"))
        else:
            R.round_die[k] = numbers.number(f"{row}.die")
            R.round_discount[k] = numbers.number(f"{row}.discount")
    if R.reputation:
        fill_loop(R, numbers)
    for k in range(ROWS if R.guest_book else 0):
        bonuses(R.cell_bonus[k], R.cell_amount[k], numbers, "book", [f"{column}{k + 1}" for column in COLUMN_NAMES])


def card(word: str) -> int:
    """Return the kind of a tavern card by its name, or NOBODY for "none"."""
    return BARD + TAVERN_NAMES.index(word) if word in TAVERN_NAMES else NOBODY


def bonuses(what: Any, amount: Any, numbers: Numbers, table: str, keys: list[str]) -> None:
    """Write a row of bonuses and their amounts."""
    what[:] = [BONUSES.index(numbers.word(f"{table}.{key}.bonus")) for key in keys]
    amount[:] = [numbers.number(f"{table}.{key}.amount") for key in keys]


def fill_loop(R: Any, numbers: Numbers) -> None:
    """Write the reputation loop; the signature space belongs to it only with the guest book (1.12)."""
    worth = 0
    for key in numbers.rows("reputation"):
        what = LOOP_SPACES.index(numbers.word(f"reputation.{key}.what"))
        if what == S_SIGNATURE and not R.guest_book:
            continue
        R.loop += 1
        worth = numbers.number(f"reputation.{key}.points") if what == S_POINTS else 0 if what == S_CROWN else worth
        R.space[R.loop] = what
        R.points[R.loop] = worth


def fill_starts(R: Any, numbers: Numbers) -> None:
    """Write what each start card gives; the first row is the start without a card."""
    for k, key in enumerate(START_NAMES):
        R.start_kit[k] = [numbers.number(f"starts.{key}.{name}") for name in TAVERN_NAMES]
        upgrade = numbers.word(f"starts.{key}.upgrade")
        R.start_upgrade[k] = PIECES.index(upgrade) if upgrade in PIECES else NOBODY
    for field, name in (("steps", "monastery"), ("dismiss", "dismiss"), ("schnapps", "schnapps"), ("beer", "beer")):
        R[f"start_{field}"][:] = numbers.column("starts", name)


def check(R: Any, v: Variant) -> None:
    """Raise a ValueError for numbers that cannot be used together."""
    regulars = int(R.copies[:REGULARS].sum())
    if not 1 <= regulars <= OWN_REGULARS:
        raise ValueError(f"variant '{v}': {regulars} regulars for each player; 1 to {OWN_REGULARS} are possible, see regulars.*.copies")
    if int(R.copies[REGULARS:PATRONS].sum()) > 127:
        raise ValueError(f"variant '{v}': {R.copies[REGULARS:PATRONS].sum()} guests, 127 is the most; lower some copies")
    cards, most = int(R.copies[NOBLE:].sum()), OWNED - ROUNDS - OWN_REGULARS
    if cards > most:
        raise ValueError(f"variant '{v}': {cards} nobles and tavern cards, {most} is the most; lower noble.copies or tavern.*.copies")
    if R.reputation and R.loop < 1:
        raise ValueError(f"variant '{v}': no space is left of the reputation loop; see reputation.*.what")
    signatures = [k for k in range(1, R.loop + 1) if R.space[k] == S_SIGNATURE]
    gap = min((b - a for a, b in zip(signatures, [*signatures[1:], *(k + R.loop for k in signatures[:1])], strict=True)), default=LOOP)
    longest = max((int(n) for what, n in zip(R.cell_bonus.flat, R.cell_amount.flat, strict=True) if what == B_REPUTATION), default=0)
    if R.guest_book and longest >= gap:
        text = f"a cell of the guest book gives {longest} reputation, the next signature is {gap} spaces on"
        raise ValueError(f"variant '{v}': {text}; no cell may lead from one signature to another")
