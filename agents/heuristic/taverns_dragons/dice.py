"""Taverns & Dragons: rate the uses of a die, recipes, and re-rolling a die."""

from alehouse.agents.heuristic.taverns_dragons.matching import NEVER
from alehouse.agents.heuristic.taverns_dragons.values import USE_BANK, USE_OTHER_RECIPE, USE_RECIPE, USE_SOURCE, USES
from alehouse.agents.heuristic.taverns_dragons.positions import best_arrival, standing
from alehouse.envs.core.run.bits import first, lowest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.taverns_dragons.effects import values
from alehouse.envs.taverns_dragons.kitchen import cookable
from alehouse.envs.taverns_dragons.layout import (
    AIM_GRAND, AIM_MUSHROOM, AIM_RECIPES, AIM_SPICE, AIMS, BLANK, EGG, KINDS, MEAT, MINIONS, MUSHROOM, REROLL_DICE, SHOWN,
    SIDES, SPICE,
)  # fmt: skip
from alehouse.envs.taverns_dragons.modules import missions

# For each mission, the set of ingredients by which a recipe helps it; -1 where any recipe helps.
HELPS = {AIM_RECIPES: -1, AIM_SPICE: 1 << SPICE, AIM_MUSHROOM: 1 << MUSHROOM, AIM_GRAND: 1 << EGG | 1 << MEAT}
RECIPE_AIMS = tuple(HELPS.get(aim, 0) for aim in range(len(AIMS)))

# The worth of each use of a die


@jit
def rate_uses(s, R, W, v):
    """Write what a die of each value brings in each use."""
    me, gain = s.seat[v.p], v.gain
    gain[:] = NEVER
    v.faces = first(SIDES) if may_reroll(s, R, me) else values(me)
    for m in range(MINIONS):
        if me.die[m] == 0:
            rate_walks(s, R, W, v, m)
    rest = int(v.faces)
    while rest != 0:
        face = lowest(rest)
        rest &= rest - 1
        if not me.bank:
            gold = int(R.bank[BLANK]) if not within(s.bank, BLANK) else 0
            if not within(s.bank, face):
                gold = max(gold, int(R.bank[face]))
            if gold > 0:
                gain[USE_BANK * SIDES + face] = rate_gold(s, R, v, gold)
        if not me.source:
            gain[USE_SOURCE * SIDES + face] = v.energy * min(face + 1, int(R.energy_cap) - int(me.energy))
    rate_recipes(s, R, W, v)


@jit
def may_reroll(s, R, me):
    """Return whether re-rolling a die may have to be rated, so that any value may come up."""
    found = me.runes > 0 or top(s).what == Q.DICE
    rest = int(me.ready)
    while rest != 0:
        found |= R.ability[lowest(rest)] == REROLL_DICE
        rest &= rest - 1
    return found


@jit
def rate_walks(s, R, W, v, m):
    """Write what walking with a minion brings, for a die of each value."""
    me = s.seat[v.p]
    zone, extra = int(me.zone[m]), int(R.extra_steps[m])
    stay = standing(s, R, W, v, m, zone, False)
    rest = int(v.faces)
    while rest != 0:
        face = lowest(rest)
        rest &= rest - 1
        steps = face + 1 + extra
        runes = int(R.passed[zone, steps]) * v.rune
        v.gain[m * SIDES + face] = best_arrival(s, R, W, v, m, int(R.reached[zone, steps])) + W.passing * runes - stay


@jit
def rate_gold(s, R, v, gold):
    """Rate a gain of gold; in the last round also count the prestige of a hero that it makes affordable."""
    worth = gold * v.gold
    if v.last:
        have = int(s.seat[v.p].gold)
        before = after = 0
        rest = int(s.market)
        while rest != 0:
            hero = lowest(rest)
            rest &= rest - 1
            price, points = int(R.price[hero]), int(R.hero_prestige[hero])
            if price <= have:
                before = max(before, points)
            if price <= have + gold:
                after = max(after, points)
        worth += after - before
    return worth


# The worth of cooking recipes


@jit
def rate_recipe(R, W, v, recipe):
    """Rate cooking a recipe: its points less the worth of its ingredients elsewhere. The die and missions do not count here."""
    worth = float(R.points[recipe])
    for kind in range(KINDS):
        n = int(R.needs[recipe, kind])
        if n > 0:
            worth -= n * (int(R.pantry_point) + W.spend * W.goods[kind] * v.later)
    return worth


@jit
def rate_display(s, R, W, v, space):
    """Rate cooking the recipe on a space of the display, counting its help for the seat's missions."""
    recipe = int(s.display[space])
    worth = rate_recipe(R, W, v, recipe)
    return worth + W.aim * missions_helped(s, R, v.p, recipe) if R.missions else worth


@jit
def missions_helped(s, R, p, recipe):
    """Return how many unfinished missions of the seat a recipe helps."""
    n = 0
    for mission in (int(s.mission[0]), int(s.mission[missions.slot(p)])):
        aim = int(R.aim[mission])
        kinds = RECIPE_AIMS[aim]
        if kinds != 0 and not missions.met(s, R, s.seat[p], aim, int(R.aim_amount[mission])):
            helps = kinds < 0
            for kind in range(KINDS):
                helps |= kinds > 0 and within(kinds, kind) and R.needs[recipe, kind] > 0
            n += int(helps)
    return n


@jit
def enough_for_both(R, me, recipe, other):
    """Return whether the pantry holds enough for both of two recipes."""
    enough = True
    for kind in range(KINDS):
        enough &= int(R.needs[recipe, kind]) + int(R.needs[other, kind]) <= me.pantry[kind]
    return enough


@jit
def rate_recipes(s, R, W, v):
    """Write what the best recipe that can be cooked brings, and what the best second one brings."""
    me = s.seat[v.p]
    spaces = cookable(s, R, me)
    if spaces == 0:
        return
    best, most = -1, NEVER
    for space in range(SHOWN):
        if within(spaces, space):
            worth = rate_display(s, R, W, v, space)
            if worth > most:
                best, most = space, worth
    other = NEVER
    for space in range(SHOWN):
        if space != best and within(spaces, space) and enough_for_both(R, me, int(s.display[best]), int(s.display[space])):
            other = max(other, rate_display(s, R, W, v, space))
    for face in range(SIDES):
        v.gain[USE_RECIPE * SIDES + face] = most + W.pip * (face + 1)
        if other > NEVER:
            v.gain[USE_OTHER_RECIPE * SIDES + face] = other + W.pip * (face + 1)


# Re-rolling a die


@jit
def rate_new_die(v):
    """Return what a new die brings on average, in the use where its value adds most."""
    gain = 0.0
    for new in range(SIDES):
        most = 0.0
        for use in range(USES):
            most = max(most, v.gain[use * SIDES + new] - max(0.0, v.surplus[use]))
        gain += most
    return gain / SIDES


@jit
def rate_reroll(v, face):
    """Rate re-rolling a die: what a new die brings on average, less what this die brings now."""
    return v.new_die - v.elsewhere[face]
