"""Fills Rules records of a variant from the numbers of rules.toml and the card tables, and checks it."""

from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Array, Numbers, first_fault, members
from alehouse.envs.tavern_battle.layout import (
    CUNNING, HERO_NAMES, HEROES, KINDS, STRENGTH, TAVERN_STATES, TRADE_KINDS, TROPHY_CARD, TYPE_NAMES,
)  # fmt: skip

MOST_OBJECTS = 250
EFFECTS = ("trade", "invented", "off")
# values of the special affinities: ANY scores one point; TAVERN scores 0 here, because it has a table of its own
SPECIAL = {"any": 1, "tavern": 0}
AFFINITIES = (*TYPE_NAMES, *SPECIAL)
NO_TYPE = -2  # of a treasure or an arrival: equal to no affinity
SINGLE = {  # the key of the number that each field of the Rules record holds
    "treasures": "switch.treasures_per_player", "agitation": "start.agitation", "objects": "start.objects", "turns": "trade.turns",
    "many": "brawl.many", "arrivals": "brawl.arrivals", "militia_among": "brawl.militia_among", "bonus": "combat.bonus",
    "supports": "combat.supports", "few_groups": "combat.few_groups", "hurts_hero": "combat.hurts_hero",
    "hurts_arrival": "combat.hurts_arrival", "breaking_ones": "combat.breaking_ones", "hide_from": "test.hide_from",
    "window_from": "test.window_from", "window_dice": "test.window_dice", "secured": "flight.secured", "value": "tavern.value",
    "breaks_from": "casse_tout.breaks_from", "stunned": "tete_dure.stunned", "down": "tete_dure.down", "ko": "tete_dure.ko",
    "mask_bad_claims": "switch.mask_bad_claims", "max_offer": "switch.max_offer", "ko_scoreless": "switch.ko_heroes_score",
}  # fmt: skip


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the rules of a variant into its records."""
    R.seats = v.seats
    for module in ("casse_tout", "tous_sur_un", "tete_dure"):
        R[module] = module in v.modules
    for field, key in SINGLE.items():
        R[field] = numbers.number(key)
    R.draw = numbers.number("casse_tout.draw" if "casse_tout" in v.modules else "brawl.draw")
    fill_characters(R, numbers, v)
    fill_affinities(R, numbers)
    fill_objects(R, numbers)
    fill_agitation(R, numbers)
    R.least[:] = numbers.column("tavern", "least")
    R.points[:] = numbers.column("tavern", "points")
    check(R, v)


def fill_characters(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write strength, cunning and supports: heroes support only with Tous sur un (TB 4.2), arrivals unless base_support is off (TB-R14)."""
    for name in ("strength", "cunning"):
        R[name][:, :HEROES] = numbers.column("heroes", name)
        R[name][:, HEROES:] = numbers.column("arrivals", name)
    arrivals_lend = np.equal(numbers.number("switch.base_support"), 0)
    for k, name in ((STRENGTH, "support_strength"), (CUNNING, "support_cunning")):
        R.lends[:, k, :HEROES] = numbers.column("heroes", name) * ("tous_sur_un" in v.modules)
        R.lends[:, k, HEROES:] = numbers.column("arrivals", name) * arrivals_lend[..., None]
        R.lenders[:, k] = members(R.lends[:, k] > 0)


def by_three(numbers: Numbers, name: str) -> list[Array]:
    """Return the three columns of heroes that have this name and a number."""
    if name == "affinity":
        return [numbers.codes("heroes", f"affinity{k}", AFFINITIES) for k in (1, 2, 3)]
    return [numbers.column("heroes", f"{name}{k}") for k in (1, 2, 3)]


def fill_affinities(R: Any, numbers: Numbers) -> None:
    """Write the points of each treasure with each hero, and which heroes can claim each arrival (TB 1.3, 3.7)."""
    wanted, values, circled = (by_three(numbers, name) for name in ("affinity", "value", "circled"))
    for word, points in SPECIAL.items():
        for affinity, value in zip(wanted, values, strict=True):
            wrong = (affinity == AFFINITIES.index(word)) & (value != points)
            for *_, hero in np.argwhere(wrong)[:1]:
                found = np.broadcast_to(value, wrong.shape)[wrong][0]
                raise ValueError(f"heroes.{HERO_NAMES[hero]}: affinity {word} has value {found}; write {points} (TB 1.2)")
    R.greedy, R.keepers = (members(reduce(or_, [affinity == AFFINITIES.index(word) for affinity in wanted])) for word in SPECIAL)
    types = [numbers.codes("treasures", f"type{k}", TYPE_NAMES, NO_TYPE) for k in (1, 2)]
    for affinity, value in zip(wanted, values, strict=True):
        matches = reduce(or_, [affinity[..., :, None] == kind[..., None, :] for kind in types])
        R.worth[:] += (matches * value[..., None]).astype(R.worth.dtype)
    kin = [numbers.codes("arrivals", f"affinity{k}", AFFINITIES, NO_TYPE) for k in (1, 2)]
    claims = [
        (affinity[..., None, :] == kind[..., :, None]) & (mark[..., None, :] == 1)
        for affinity, mark in zip(wanted, circled, strict=True) for kind in kin
    ]  # fmt: skip
    R.kin[:] = members(reduce(or_, claims))


def fill_objects(R: Any, numbers: Numbers) -> None:
    """Write what each type of object can be used for. The trophy is for contact only once it is drawn (TB 3.5 (1))."""
    for name in ("contact", "ranged", "protection", "hideout"):
        R[name][:] = members(numbers.column("objects", name))
    R.contact &= ~(1 << TROPHY_CARD)
    R.price[:] = numbers.column("objects", "value")
    R.copies[:] = numbers.column("objects", "copies")


def fill_agitation(R: Any, numbers: Numbers) -> None:
    """Fill in how many cards of each kind there are: the invented ones are in the game only if the switch says so (TB-R15)."""
    effects = np.asarray(numbers.number("switch.agitation_effects"))
    R.no_effects = effects == EFFECTS.index("off")
    invented = (effects == EFFECTS.index("invented"))[..., None]
    R.kinds[:] = numbers.column("agitation", "copies") * (np.isin(np.arange(KINDS), [*TRADE_KINDS]) != invented)


def check(R: Any, v: Variant) -> None:
    """Raise a ValueError for numbers that cannot be used together."""
    cards, dealt = R.kinds.sum(1), v.seats * R.agitation.astype(int)
    if (k := first_fault(cards < dealt)) is not None:
        raise ValueError(f"variant '{v}': agitation.*.copies are {cards[k]} cards, and {dealt[k]} are dealt")
    objects, trophies = R.copies.sum(1), R.copies[:, TROPHY_CARD]
    if (k := first_fault(objects > MOST_OBJECTS)) is not None:
        raise ValueError(f"variant '{v}': objects.*.copies are {objects[k]} objects; write {MOST_OBJECTS} at most")
    if (k := first_fault(trophies > 1)) is not None:
        raise ValueError(f"variant '{v}': objects.wall_trophy.copies is {trophies[k]}; write 0 or 1")
    if first_fault((np.diff(R.least) > 0).any(1) | (R.least[:, -1] > 0)) is not None:
        raise ValueError(f"variant '{v}': tavern.*.least must fall to 0 from {TAVERN_STATES[0]} to {TAVERN_STATES[-1]}")
