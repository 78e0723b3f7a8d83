"""Fills Rules records of a variant from the numbers in this folder, and checks it."""

from typing import Any

import numpy as np

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Array, Numbers, first_fault, members
from alehouse.envs.taverns_dragons.layout import (
    ABILITIES, AIMS, APPEARANCES, B_BOW, B_RUNE, B_SWORD, BONUSES, CITY, ICONS, INGREDIENTS, LINES, MEAD, MEETINGS, MINUS, PLUS, REWARDS,
    ROUNDS, SLOT_NAMES, SPACES, SPECIALS, SQUARE_OPS, SQUARES, SYMBOLS, TAVERN_NAMES, TOKENS,
    WALK, WIDTH, ZONE_NAMES, ZONES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import IN_SIGHT, NOTHING, PURSE

MODULES = ("missions", "events", "asymmetric", "encounters", "goblin")


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the rules of a variant into its records."""
    R.seats = v.seats
    for module in MODULES:
        R[module] = module in v.modules
    fill_numbers(R, numbers)
    R.spaces = numbers.number("game.spaces_two" if v.seats == 2 else "game.spaces")
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
    R.start_energy = np.minimum(R.start_energy, R.energy_cap)
    R.start_runes = np.minimum(R.start_runes, R.rune_cap)


def fill_board(R: Any, numbers: Numbers) -> None:
    """Write zones and the paths between them, minions, places, the bank and the round track."""
    column = numbers.column
    spaces = np.cumsum(np.broadcast_to(column("zones", "spaces"), (len(R), ZONES)), axis=1)
    R.token_count = spaces[:, -1]
    if (k := first_fault(spaces[:, -1] > SPACES)) is not None:
        raise ValueError(f"zones.*.spaces: {spaces[k, -1]} token spaces in all; at most {SPACES} are possible")
    for space in range(SPACES):
        R.token_space[:, space] = np.where(space < spaces[:, -1], (spaces <= space).sum(1), 0)
    R.tokens[:] = column("ingredients", "tokens")[..., :TOKENS]
    R.market[:] = column("ingredients", "market")
    printed = numbers.codes("zones", "printed", INGREDIENTS)
    R.printed[:] = np.where(printed == NOTHING, 0, 1 << np.maximum(printed, 0))
    R.next[:] = numbers.codes("zones", "next", ZONE_NAMES)
    R.shortcut[:] = numbers.codes("zones", "shortcut", ZONE_NAMES)
    R.back[:] = NOTHING
    for zone in reversed(range(ZONES)):
        np.put_along_axis(R.back, R.next[:, zone, None].astype(int), zone, 1)
    measure_way_home(R)
    R.zone_runes[:] = column("zones", "runes")
    measure_walks(R)
    for slot, name in enumerate(SLOT_NAMES):
        R.beside[:] |= (column("zones", name.lower()) << slot).astype(R.beside.dtype)
    R.bank[:] = column("bank", "gold")
    R.slots[:] = column("minions", "slots")
    R.extra_steps[:] = column("minions", "steps")
    R.place_energy[:] = column("places", "energy")
    R.place_pays[:] = numbers.codes("places", "pays", INGREDIENTS)
    R.place_amount[:] = column("places", "amount")
    for name in ("gold", "prestige", "wounds"):
        R[f"find_{name}"][:] = column("dungeon", name)
    for k, name in enumerate(("sword", "bow", "dice", "turn", "shield")):
        R.forge[:, :, k] = column("forge", name)
    for k, name in enumerate(("first", "second")):
        R.icons[:, : ROUNDS - 1, k] = numbers.codes("rounds", name, ICONS)
    for k in reversed(range(ROUNDS - 1)):
        ready, played = (R.icons[:, k] == MEAD).sum(1), k < R.rounds - 1
        R.readyings[:, k] = R.readyings[:, k + 1] + ready * played
        R.until_ready[:, k] = np.where(ready == 0, R.until_ready[:, k + 1] + 1, 0) * played


def measure_way_home(R: Any) -> None:
    """Write the least number of steps from each zone to the City."""
    rows, zone = np.arange(len(R)), R.back[:, CITY]
    R.steps_home[:] = ZONES
    R.steps_home[:, CITY] = 0
    for _ in range(ZONES - 1):
        cut = R.shortcut[rows, zone]
        ways = R.steps_home[rows, R.next[rows, zone]], np.where(cut == NOTHING, ZONES, R.steps_home[rows, cut])
        R.steps_home[rows, zone] = 1 + np.minimum(*ways)
        zone = R.back[rows, zone]


def measure_walks(R: Any) -> None:
    """Write where a number of steps from each zone may end, and the most runes on the way."""
    rows = np.arange(len(R))
    for zone in range(ZONES):
        R.reached[:, zone, 0] = 1 << zone
    for steps in range(1, WALK + 1):
        for zone in range(ZONES):
            cut = R.shortcut[:, zone]
            by_cut = np.where(cut == NOTHING, 0, R.reached[rows, cut, steps - 1])
            R.reached[:, zone, steps] = R.reached[rows, R.next[:, zone], steps - 1] | by_cut
            ends = R.reached[:, zone, steps, None] >> np.arange(ZONES) & 1
            R.passed[:, zone, steps] = np.maximum(R.passed[:, zone, steps - 1], (ends * R.zone_runes).max(1))


def fill_dragons(R: Any, numbers: Numbers) -> None:
    """Write the values of hunting dice, dragons and trophies."""
    column = numbers.column
    R.face[:] = numbers.codes("faces", "symbol", SYMBOLS)
    R.lair[:] = numbers.codes("dragons", "place", SLOT_NAMES)
    R.appear[:] = numbers.codes("dragons", "appear", APPEARANCES)
    R.special[:] = numbers.codes("dragons", "special", SPECIALS)
    for name in ("appear_amount", "from_zone", "to_zone", "special_amount"):
        R[name][:] = column("dragons", name)
    for k in range(LINES):
        R.boxes[:, :, k, 0] = column("dragons", f"sword{k + 1}")
        R.boxes[:, :, k, 1] = column("dragons", f"bow{k + 1}")
        R.reward[:, :, k] = numbers.codes("dragons", f"reward{k + 1}", REWARDS)
        R.reward_amount[:, :, k] = column("dragons", f"amount{k + 1}")
    R.trophy[:] = column("trophies", "prestige")


def fill_cards(R: Any, numbers: Numbers) -> None:
    """Write recipes and heroes, and the sets of them that the rules use."""
    column = numbers.column
    R.points[:] = column("recipes", "points")
    for kind, name in enumerate(INGREDIENTS):
        R.needs[:, :, kind] = column("recipes", name)
        R.all_needs[:] |= R.needs[:, :, kind].astype(np.int64) << WIDTH * kind
        R.with_kind[:, kind] = members(R.needs[:, :, kind] > 0)
        for n in range(IN_SIGHT + 1):
            R.payable[:, kind, n] = members(R.needs[:, :, kind] <= n)
    R.price[:] = column("heroes", "price")
    for gold in range(PURSE + 1):
        R.affordable[:, gold] = members(R.price <= gold)
    R.hero_prestige[:] = column("heroes", "prestige")
    R.ability[:] = numbers.codes("heroes", "op", ABILITIES)
    R.amount[:] = column("heroes", "amount")
    R.bonus[:] = numbers.codes("heroes", "bonus", BONUSES)
    R.rune_bonuses, R.sword_bonuses, R.bow_bonuses = (members(R.bonus == kind) for kind in (B_RUNE, B_SWORD, B_BOW))


def fill_modules(R: Any, numbers: Numbers) -> None:
    """Write the values of missions, events, encounters, tracks and items."""
    column = numbers.column
    R.aim[:] = numbers.codes("missions", "op", AIMS)
    R.aim_amount[:] = column("missions", "amount")
    R.mission_prestige[:] = column("missions", "prestige")
    for k, (half, known) in enumerate((("plus", PLUS), ("minus", MINUS))):
        R.event[:, :, k] = numbers.codes("events", half, known)
        R.event_amount[:, :, k] = column("events", f"{half}_amount")
        R.event_from[:, :, k] = column("events", f"{half}_from")
    R.meeting[:] = numbers.codes("encounters", "op", MEETINGS)
    R.meeting_amount[:] = column("encounters", "amount")
    R.copies[:] = column("items", "copies")
    for field, name in (("gold", "gold"), ("energy", "energy"), ("runes", "rune"), ("prestige", "prestige")):
        R[f"square_{field}"][:] = by_tavern(column("tracks", name))
    R.square_kind[:] = by_tavern(numbers.codes("tracks", "ingredient", INGREDIENTS))
    R.square_op[:] = by_tavern(numbers.codes("tracks", "op", SQUARE_OPS))


def by_tavern(squares: Array) -> Array:
    """Cut the row of all track squares into a row for each track."""
    return squares.reshape(*squares.shape[:-1], len(TAVERN_NAMES), SQUARES)


def check(R: Any, numbers: Numbers, v: Variant) -> None:
    """Raise a ValueError for numbers that cannot be used together, though each is in its range."""
    tokens = R.tokens.sum(1)
    if (k := first_fault(tokens > R.token_count)) is not None:
        text = f"{tokens[k]} ingredient tokens (ingredients.*.tokens) for {R.token_count[k]} spaces (zones.*.spaces)"
        raise ValueError(f"variant '{v}': {text}")
    for path in np.unique(R.next, axis=0).tolist():
        check_ring(path, v)
    if R.encounters[0] and first_fault(R.tokens[:, 0] == 0) is not None:
        raise ValueError(f"variant '{v}': the encounter token takes the place of a plant; make ingredients.plant.tokens at least 1")
    items = R.copies.sum(1)
    if R.goblin[0] and (k := first_fault(items < 4 * v.seats)) is not None:
        raise ValueError(f"variant '{v}': {items[k]} items (items.*.copies); at least {4 * v.seats} are needed")
    for _, dragon in np.argwhere(~R.boxes.any((2, 3)))[:1]:
        raise ValueError(f"variant '{v}': dragons.{numbers.rows('dragons')[dragon]} has no box; give one of its lines a sword or a bow")


def check_ring(path: list[int], v: Variant) -> None:
    """Raise a ValueError if the path through the zones is not a ring of all of them; it holds the next zone of each."""
    ring = [CITY]
    while path[ring[-1]] not in ring:
        ring.append(path[ring[-1]])
    if len(ring) < ZONES or path[ring[-1]] != CITY:
        raise ValueError(
            f"variant '{v}': from the City zones.*.next leads round {len(ring)} zones; it should lead round all {ZONES} of them"
        )
