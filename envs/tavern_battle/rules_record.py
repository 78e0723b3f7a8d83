"""Fills the Rules record of a variant from the numbers of rules.toml and the card tables, and checks it."""

from typing import Any

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Numbers
from alehouse.envs.tavern_battle.layout import (
    ARRIVAL_NAMES, CUNNING, HERO_NAMES, HEROES, STRENGTH, TAVERN_STATES, TRADE_KINDS, TREASURE_NAMES, TROPHY_CARD, TYPE_NAMES,
)  # fmt: skip

MOST_OBJECTS = 250
# values of the special affinities: ANY scores one point; TAVERN scores 0 here, because it has a table of its own
SPECIAL = {"any": 1, "tavern": 0}
SINGLE = {  # the key of the number that each field of the Rules record holds
    "treasures": "switch.treasures_per_player", "agitation": "start.agitation", "objects": "start.objects", "turns": "trade.turns",
    "many": "brawl.many", "arrivals": "brawl.arrivals", "militia_among": "brawl.militia_among", "bonus": "combat.bonus",
    "supports": "combat.supports", "few_groups": "combat.few_groups", "hurts_hero": "combat.hurts_hero",
    "hurts_arrival": "combat.hurts_arrival", "breaking_ones": "combat.breaking_ones", "hide_from": "test.hide_from",
    "window_from": "test.window_from", "window_dice": "test.window_dice", "secured": "flight.secured", "value": "tavern.value",
    "breaks_from": "casse_tout.breaks_from", "stunned": "tete_dure.stunned", "down": "tete_dure.down", "ko": "tete_dure.ko",
    "mask_bad_claims": "switch.mask_bad_claims", "max_offer": "switch.max_offer", "ko_scoreless": "switch.ko_heroes_score",
}  # fmt: skip


def members(found: Any) -> int:
    """Return the positions of the true values, as a set."""
    return sum(1 << k for k, there in enumerate(found) if there)


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the rules of a variant into its record."""
    R.seats = v.seats
    for module in ("casse_tout", "tous_sur_un", "tete_dure"):
        R[module] = module in v.modules
    for field, key in SINGLE.items():
        R[field] = numbers.number(key)
    R.draw = numbers.number("casse_tout.draw" if R.casse_tout else "brawl.draw")
    fill_characters(R, numbers)
    fill_affinities(R, numbers)
    fill_objects(R, numbers)
    fill_agitation(R, numbers)
    R.least[:] = numbers.column("tavern", "least")
    R.points[:] = numbers.column("tavern", "points")
    check(R, v)


def fill_characters(R: Any, numbers: Numbers) -> None:
    """Write strength, cunning and supports: heroes support only with Tous sur un (TB 4.2), arrivals unless base_support is off (TB-R14)."""
    for name in ("strength", "cunning"):
        R[name][:] = numbers.column("heroes", name) + numbers.column("arrivals", name)
    for k, name in ((STRENGTH, "support_strength"), (CUNNING, "support_cunning")):
        heroes = numbers.column("heroes", name) if R.tous_sur_un else [0] * HEROES
        arrivals = numbers.column("arrivals", name)
        R.lends[k] = heroes + (arrivals if numbers.word("switch.base_support") == "on" else [0] * len(arrivals))
        R.lenders[k] = members(R.lends[k] > 0)


def affinities(numbers: Numbers, hero: str) -> list[tuple[str, int, int]]:
    """Return the affinities of a hero, each with its points and with whether it is circled."""
    key = f"heroes.{hero}."
    return [(numbers.word(f"{key}affinity{k}"), numbers.number(f"{key}value{k}"), numbers.number(f"{key}circled{k}")) for k in (1, 2, 3)]


def fill_affinities(R: Any, numbers: Numbers) -> None:
    """Write the points of each treasure with each hero, and which heroes can claim each arrival (TB 1.3, 3.7)."""
    wanted = [affinities(numbers, hero) for hero in HERO_NAMES]
    for hero, row in zip(HERO_NAMES, wanted, strict=True):
        for word, value, _ in row:
            if value != SPECIAL.get(word, value):
                raise ValueError(f"heroes.{hero}: affinity {word} has value {value}; write {SPECIAL[word]} (TB 1.2)")
    R.greedy = members(any(word == "any" for word, _, _ in row) for row in wanted)
    R.keepers = members(any(word == "tavern" for word, _, _ in row) for row in wanted)
    for t, treasure in enumerate(TREASURE_NAMES):
        types = {numbers.word(f"treasures.{treasure}.type{k}") for k in (1, 2)} & {*TYPE_NAMES}
        for h, row in enumerate(wanted):
            R.worth[h, t] = sum(value for word, value, _ in row if word in types)
    for a, arrival in enumerate(ARRIVAL_NAMES):
        words = {numbers.word(f"arrivals.{arrival}.affinity{k}") for k in (1, 2)} - {"none"}
        R.kin[a] = members(any(circled and word in words for word, _, circled in row) for row in wanted)


def fill_objects(R: Any, numbers: Numbers) -> None:
    """Write what each type of object can be used for. The trophy is for contact only once it is drawn (TB 3.5 (1))."""
    for name in ("contact", "ranged", "protection", "hideout"):
        R[name] = members(numbers.column("objects", name))
    R.contact &= ~(1 << TROPHY_CARD)
    R.price[:] = numbers.column("objects", "value")
    R.copies[:] = numbers.column("objects", "copies")


def fill_agitation(R: Any, numbers: Numbers) -> None:
    """Fill in how many cards of each kind there are: the invented ones are in the game only if the switch says so (TB-R15)."""
    effects = numbers.word("switch.agitation_effects")
    R.no_effects = effects == "off"
    copies = numbers.column("agitation", "copies")
    R.kinds[:] = [n if (kind in TRADE_KINDS) != (effects == "invented") else 0 for kind, n in enumerate(copies)]


def check(R: Any, v: Variant) -> None:
    """Raise a ValueError for numbers that cannot be used together."""
    if sum(int(n) for n in R.kinds) < v.seats * int(R.agitation):
        raise ValueError(f"variant '{v}': agitation.*.copies are {sum(R.kinds)} cards, and {v.seats * int(R.agitation)} are dealt")
    if sum(int(n) for n in R.copies) > MOST_OBJECTS:
        raise ValueError(f"variant '{v}': objects.*.copies are {sum(int(n) for n in R.copies)} objects; write {MOST_OBJECTS} at most")
    if R.copies[TROPHY_CARD] > 1:
        raise ValueError(f"variant '{v}': objects.wall_trophy.copies is {R.copies[TROPHY_CARD]}; write 0 or 1")
    falling = [int(x) for x in R.least]
    if falling != sorted(falling, reverse=True) or falling[-1] > 0:
        raise ValueError(f"variant '{v}': tavern.*.least must fall to 0 from {TAVERN_STATES[0]} to {TAVERN_STATES[-1]}")
