"""Fills the Rules record of a variant from the numbers in this folder, and checks it."""

from typing import Any

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Numbers
from alehouse.envs.taverns_dragons.layout import (
    ABILITIES, AIMS, APPEARANCES, B_BOW, B_RUNE, B_SWORD, BONUSES, CITY, ICONS, INGREDIENTS, LINES, MEETINGS, MINUS, PLUS, REWARDS, ROUNDS,
    SLOT_NAMES, SPACES, SPECIALS, SQUARE_OPS, SQUARES, SYMBOLS, TAVERN_NAMES, TOKENS, ZONE_NAMES, ZONES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import IN_SIGHT, NOTHING, PURSE

MODULES = ("missions", "events", "asymmetric", "encounters", "goblin")


def members(found: Any) -> int:
    """Return the positions of the true values, as a set."""
    return sum(1 << k for k, there in enumerate(found) if there)


def words(numbers: Numbers, table: str, column: str) -> list[str]:
    """Return a column of words from a card table."""
    return [numbers.word(f"{table}.{key}.{column}") for key in numbers.rows(table)]


def codes(numbers: Numbers, table: str, column: str, known: Any) -> list[int]:
    """Return a column of words as their indices in a list; NOTHING for a word that is not in it."""
    return [known.index(word) if word in known else NOTHING for word in words(numbers, table, column)]


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the rules of a variant into its record."""
    R.seats = v.seats
    for module in MODULES:
        R[module] = module in v.modules
    fill_numbers(R, numbers)
    fill_board(R, numbers)
    fill_dragons(R, numbers)
    fill_cards(R, numbers)
    fill_modules(R, numbers)
    check(R, numbers, v)


def fill_numbers(R: Any, numbers: Numbers) -> None:
    """Write the single numbers and the switches."""
    for field, key in (
        ("start_gold", "start.gold"), ("start_energy", "start.energy"), ("start_runes", "start.runes"), ("rounds", "game.rounds"),
        ("energy_cap", "game.energy_cap"), ("rune_cap", "game.rune_cap"), ("low_sum", "game.low_sum"), ("low_gold", "game.low_gold"),
        ("bonus_energy", "game.bonus_energy"), ("pantry_point", "game.pantry_point"), ("hunt_energy", "hunt.energy"),
        ("hunt_dice", "hunt.dice"), ("encounter_energy", "encounter.energy"), ("smuggler_price", "encounter.price"),
        ("goblin_price", "goblin.price"), ("fair_price", "event.price"), ("initial_recipes", "switch.initial_recipes"),
        ("collect_from_start", "switch.collect_from_start"), ("first_game_places", "switch.first_game_places"),
        ("manual_city", "switch.auto_city"), ("deal_boards", "switch.choose_boards"), ("hero_copies", "hero.copies"),
    ):  # fmt: skip
        R[field] = numbers.number(key)
    R.spaces = numbers.number("game.spaces_two" if R.seats == 2 else "game.spaces")
    R.start_energy = min(int(R.start_energy), int(R.energy_cap))
    R.start_runes = min(int(R.start_runes), int(R.rune_cap))


def fill_board(R: Any, numbers: Numbers) -> None:
    """Write zones and the paths between them, minions, places, the bank and the round track."""
    column = numbers.column
    spaces = [zone for zone, n in enumerate(column("zones", "spaces")) for _ in range(n)]
    if len(spaces) > SPACES:
        raise ValueError(f"zones.*.spaces: {len(spaces)} token spaces in all; at most {SPACES} are possible")
    R.token_count = len(spaces)
    R.token_space[: len(spaces)] = spaces
    R.tokens[:] = column("ingredients", "tokens")[:TOKENS]
    R.market[:] = column("ingredients", "market")
    R.printed[:] = [0 if kind == NOTHING else 1 << kind for kind in codes(numbers, "zones", "printed", INGREDIENTS)]
    R.next[:] = codes(numbers, "zones", "next", ZONE_NAMES)
    R.shortcut[:] = codes(numbers, "zones", "shortcut", ZONE_NAMES)
    R.back[:] = [next((z for z in range(ZONES) if R.next[z] == zone), NOTHING) for zone in range(ZONES)]
    R.zone_runes[:] = column("zones", "runes")
    sides = [column("zones", slot.lower()) for slot in SLOT_NAMES]
    R.beside[:] = [members(side[zone] for side in sides) for zone in range(ZONES)]
    R.bank[:] = column("bank", "gold")
    R.slots[:] = column("minions", "slots")
    R.extra_steps[:] = column("minions", "steps")
    R.place_energy[:] = column("places", "energy")
    R.place_pays[:] = codes(numbers, "places", "pays", INGREDIENTS)
    R.place_amount[:] = column("places", "amount")
    for name in ("gold", "prestige", "wounds"):
        R[f"find_{name}"][:] = column("dungeon", name)
    for k, name in enumerate(("sword", "bow", "dice", "turn", "shield")):
        R.forge[:, k] = column("forge", name)
    for k, name in enumerate(("first", "second")):
        R.icons[: ROUNDS - 1, k] = codes(numbers, "rounds", name, ICONS)


def fill_dragons(R: Any, numbers: Numbers) -> None:
    """Write the values of hunting dice, dragons and trophies."""
    column = numbers.column
    R.face[:] = codes(numbers, "faces", "symbol", SYMBOLS)
    R.lair[:] = codes(numbers, "dragons", "place", SLOT_NAMES)
    R.appear[:] = codes(numbers, "dragons", "appear", APPEARANCES)
    R.special[:] = codes(numbers, "dragons", "special", SPECIALS)
    for name in ("appear_amount", "from_zone", "to_zone", "special_amount"):
        R[name][:] = column("dragons", name)
    for k in range(LINES):
        R.boxes[:, k, 0] = column("dragons", f"sword{k + 1}")
        R.boxes[:, k, 1] = column("dragons", f"bow{k + 1}")
        R.reward[:, k] = codes(numbers, "dragons", f"reward{k + 1}", REWARDS)
        R.reward_amount[:, k] = column("dragons", f"amount{k + 1}")
    R.trophy[:] = column("trophies", "prestige")


def fill_cards(R: Any, numbers: Numbers) -> None:
    """Write recipes and heroes, and the sets of them that the rules use."""
    column = numbers.column
    R.points[:] = column("recipes", "points")
    for kind, name in enumerate(INGREDIENTS):
        R.needs[:, kind] = column("recipes", name)
        R.payable[kind, :] = [members(R.needs[:, kind] <= n) for n in range(IN_SIGHT + 1)]
        R.with_kind[kind] = members(R.needs[:, kind] > 0)
    R.price[:] = column("heroes", "price")
    R.affordable[:] = [members(R.price <= gold) for gold in range(PURSE + 1)]
    R.hero_prestige[:] = column("heroes", "prestige")
    R.ability[:] = codes(numbers, "heroes", "op", ABILITIES)
    R.amount[:] = column("heroes", "amount")
    R.bonus[:] = codes(numbers, "heroes", "bonus", BONUSES)
    R.rune_bonuses, R.sword_bonuses, R.bow_bonuses = (members(R.bonus == kind) for kind in (B_RUNE, B_SWORD, B_BOW))


def fill_modules(R: Any, numbers: Numbers) -> None:
    """Write the values of missions, events, encounters, tracks and items."""
    column = numbers.column
    R.aim[:] = codes(numbers, "missions", "op", AIMS)
    R.aim_amount[:] = column("missions", "amount")
    R.mission_prestige[:] = column("missions", "prestige")
    for k, (half, known) in enumerate((("plus", PLUS), ("minus", MINUS))):
        R.event[:, k] = codes(numbers, "events", half, known)
        R.event_amount[:, k] = column("events", f"{half}_amount")
        R.event_from[:, k] = column("events", f"{half}_from")
    R.meeting[:] = codes(numbers, "encounters", "op", MEETINGS)
    R.meeting_amount[:] = column("encounters", "amount")
    R.copies[:] = column("items", "copies")
    for field, name in (("gold", "gold"), ("energy", "energy"), ("runes", "rune"), ("prestige", "prestige")):
        R[f"square_{field}"][:] = by_tavern(column("tracks", name))
    R.square_kind[:] = by_tavern(codes(numbers, "tracks", "ingredient", INGREDIENTS))
    R.square_op[:] = by_tavern(codes(numbers, "tracks", "op", SQUARE_OPS))


def by_tavern(squares: list[int]) -> list[list[int]]:
    """Cut the list of all track squares into one list for each track."""
    return [squares[k * SQUARES : (k + 1) * SQUARES] for k in range(len(TAVERN_NAMES))]


def check(R: Any, numbers: Numbers, v: Variant) -> None:
    """Raise a ValueError for numbers that cannot be used together, though each is in its range."""
    tokens = int(R.tokens.sum())
    if tokens > int(R.token_count):
        raise ValueError(f"variant '{v}': {tokens} ingredient tokens (ingredients.*.tokens) for {R.token_count} spaces (zones.*.spaces)")
    ring = [CITY]
    while int(R.next[ring[-1]]) not in ring:
        ring.append(int(R.next[ring[-1]]))
    if len(ring) < ZONES or R.next[ring[-1]] != CITY:
        raise ValueError(
            f"variant '{v}': from the City zones.*.next leads round {len(ring)} zones; it should lead round all {ZONES} of them"
        )
    if R.encounters and not R.tokens[0]:
        raise ValueError(f"variant '{v}': the encounter token takes the place of a plant; make ingredients.plant.tokens at least 1")
    if R.goblin and int(R.copies.sum()) < 4 * v.seats:
        raise ValueError(f"variant '{v}': {R.copies.sum()} items (items.*.copies); at least {4 * v.seats} are needed")
    for dragon, boxes in zip(numbers.rows("dragons"), R.boxes, strict=True):
        if not boxes.any():
            raise ValueError(f"variant '{v}': dragons.{dragon} has no box; give one of its lines a sword or a bow")
