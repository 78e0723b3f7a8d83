"""Heroes and recipes on display, the places of the board, and the two missions a seat keeps one of."""

from alehouse.benchmarks.balance.kernels.offers import OTHER, WHERE, Family, any_member, kernel
from alehouse.envs.core.run.bits import bit, first, without
from alehouse.envs.core.run.luck import REDEALS, below
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.taverns_dragons.layout import (
    A_COOK,
    A_HIRE,
    A_KEEP,
    A_VISIT,
    HERO_NAMES,
    MISSION_NAMES,
    MISSIONS,
    PLACE_NAMES,
    PLACES,
    RECIPE_NAMES,
    SHOWN,
    SIDES,
    SLOTS,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules.missions import HAND, slot

FAMILIES = (
    Family("heroes on display", tuple(HERO_NAMES), "heroes.{}.price"),
    Family("recipes on display", tuple(RECIPE_NAMES), "recipes.{}.points"),
    Family("places of the board", tuple(PLACE_NAMES), "places.{}.energy"),
    Family("missions to choose from", tuple(MISSION_NAMES), "missions.{}.prestige"),
)
HERO, RECIPE, PLACE, MISSION = range(len(FAMILIES))


@kernel
def offered(s, family, key):
    """A hero, the space of a recipe before a die is placed, a slot of the board not visited in this turn, or a slot of missions."""
    what = top(s).what
    if family == MISSION:
        return slot(top(s).seat) + below(key, REDEALS, WHERE, 0, 0, HAND) if what == Q.MISSION else -1
    if what != Q.TURN or (family == RECIPE and s.deed.placed):
        return -1
    if family == HERO:
        return any_member(int(s.market), key, WHERE)
    if family == PLACE:
        return any_member(first(SLOTS) & ~int(s.deed.visited), key, WHERE)
    shown = 0
    for space in range(SHOWN):
        shown |= int(s.display[space] >= 0) << space
    return any_member(shown, key, WHERE)


@kernel
def lying(s, family, where):
    """Which item."""
    if family == HERO:
        return where
    if family == RECIPE:
        return int(s.display[where])
    return int(s.place[where]) if family == PLACE else int(s.mission[where])


@kernel
def takes(s, family, where, a):
    """Hiring, cooking, visiting, keeping."""
    if family == HERO:
        return a == A_HIRE + where
    if family == RECIPE:
        return A_COOK + SIDES * where <= a < A_COOK + SIDES * (where + 1)
    return a == A_VISIT + where if family == PLACE else a == A_KEEP + s.mission[where]


@kernel
def exchange(s, R, family, where, key):
    """One that is face down, in the box, or dealt to nobody."""
    if family == HERO:
        return other_hero(s, where, key)
    if family == RECIPE:
        return other_recipe(s, where, key)
    return other_place(s, where, key) if family == PLACE else other_mission(s, R, where, key)


@kernel
def other_hero(s, old, key):
    """The hero goes face down."""
    new = any_member(int(s.heroes), key, OTHER)
    if new >= 0:
        s.heroes = without(int(s.heroes), new) | bit(old)
        s.market = without(int(s.market), old) | bit(new)
    return new


@kernel
def other_recipe(s, where, key):
    """The recipe goes face down."""
    old = int(s.display[where])
    new = any_member(int(s.recipes), key, OTHER)
    if new >= 0:
        s.recipes = without(int(s.recipes), new) | bit(old)
        s.display[where] = new
    return new


@kernel
def other_place(s, where, key):
    """The place goes into the box; what is paid at it stays paid."""
    rest = first(PLACES)
    for k in range(SLOTS):
        rest = without(rest, s.place[k])
    new = any_member(rest, key, OTHER)
    s.place[where] = new
    return new


@kernel
def other_mission(s, R, where, key):
    """The mission goes to those that are dealt to nobody."""
    dealt = slot(R.seats)
    if dealt == MISSIONS:
        return -1
    k = dealt + below(key, REDEALS, OTHER, 0, 0, MISSIONS - dealt)
    s.mission[where], s.mission[k] = s.mission[k], s.mission[where]
    return int(s.mission[where])
