"""Items that a balance study compares: heroes and recipes on display, places of the board, and missions to choose from."""

from alehouse.envs.core.declare.offers import Family, Offers
from alehouse.envs.core.run.bits import bit, first, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import REDEALS, below
from alehouse.envs.core.run.picks import any_member
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.taverns_dragons.layout import (
    A_COOK, A_HIRE, A_KEEP, A_VISIT, HERO_NAMES, MINIONS, MISSION_NAMES, MISSIONS, PLACE_NAMES, PLACES, RECIPE_NAMES, SHOWN, SIDES,
    SLOTS, TAVERN_NAMES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules.missions import HAND, slot

FAMILIES = (
    Family("heroes on display", tuple(HERO_NAMES), "turn", "heroes.{}.price"),
    Family("recipes on display", tuple(RECIPE_NAMES), "turn", "recipes.{}.points"),
    Family("places of the board", tuple(PLACE_NAMES), "turn", "places.{}.energy"),
    Family("missions to choose from", tuple(MISSION_NAMES), "mission", "missions.{}.prestige"),
    Family("tavern boards", TAVERN_NAMES, "board", "", "board"),
)
HERO, RECIPE, PLACE, MISSION, BOARD = range(len(FAMILIES))


@jit
def offered(s, family, key):
    """Return where a random item lies: a hero, a recipe (while no die is placed), a place not visited in this turn, or a mission; or -1."""
    if family == MISSION:
        return slot(top(s).seat) + below(key, REDEALS, 0, 0, 0, HAND)
    if family == HERO:
        return any_member(int(s.market), key)
    if family == PLACE:
        visited = 0
        for m in range(MINIONS):
            visited |= int(s.deed.visited[m])
        return any_member(first(SLOTS) & ~visited, key)
    shown = 0
    for space in range(SHOWN):
        shown |= int(s.display[space] >= 0) << space
    return -1 if s.deed.placed else any_member(shown, key)


@jit
def lying(s, family, where):
    """Return the number of the item that lies there."""
    if family == HERO:
        return where
    if family == RECIPE:
        return int(s.display[where])
    return int(s.place[where]) if family == PLACE else int(s.mission[where])


@jit
def takes(s, family, where, a):
    """Return whether the action hires this hero, cooks this recipe, visits this place or keeps this mission."""
    if family == HERO:
        return a == A_HIRE + where
    if family == RECIPE:
        return A_COOK + SIDES * where <= a < A_COOK + SIDES * (where + 1)
    return a == A_VISIT + where if family == PLACE else a == A_KEEP + int(s.mission[where])


@jit
def exchange(s, R, family, where, key):
    """Exchange a hero or a recipe with a face-down one, a place with one in the box, or a mission with one that was dealt to nobody."""
    if family == HERO:
        return other_hero(s, where, key)
    if family == RECIPE:
        return other_recipe(s, where, key)
    return other_place(s, where, key) if family == PLACE else other_mission(s, R, where, key)


@jit
def other_hero(s, old, key):
    """Exchange a hero on display with a face-down one."""
    new = any_member(int(s.heroes), key)
    if new >= 0:
        s.heroes = without(int(s.heroes), new) | bit(old)
        s.market = without(int(s.market), old) | bit(new)
    return new


@jit
def other_recipe(s, where, key):
    """Exchange a recipe on display with a face-down one."""
    old = int(s.display[where])
    new = any_member(int(s.recipes), key)
    if new >= 0:
        s.recipes = without(int(s.recipes), new) | bit(old)
        s.display[where] = new
    return new


@jit
def other_place(s, where, key):
    """Exchange a place with one in the box; activation spaces that are taken stay taken."""
    rest = first(PLACES)
    for k in range(SLOTS):
        rest = without(rest, s.place[k])
    new = any_member(rest, key)
    s.place[where] = new
    return new


@jit
def other_mission(s, R, where, key):
    """Exchange a mission with one that was dealt to nobody."""
    dealt = slot(R.seats)
    if dealt == MISSIONS:
        return -1
    k = dealt + below(key, REDEALS, 0, 0, 0, MISSIONS - dealt)
    s.mission[where], s.mission[k] = s.mission[k], s.mission[where]
    return int(s.mission[where])


OFFERS = Offers(FAMILIES, offered, lying, exchange, takes)
