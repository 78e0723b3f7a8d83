"""Taverns & Dragons: which die for what. The dice left are set against what there is to do, for the best sum of both."""

import numpy as np

from alehouse.agents.heuristic.taverns_dragons.view import T_AGAIN, T_BANK, T_COOK, T_SOURCE, TASKS
from alehouse.agents.heuristic.taverns_dragons.ways import best_arrival, onward, place_of
from alehouse.envs.core.run.bits import bit, lowest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.kitchen import cookable
from alehouse.envs.taverns_dragons.layout import (
    AIM_GRAND,
    AIM_MUSHROOM,
    AIM_RECIPES,
    AIM_SPICE,
    AIMS,
    BLANK,
    DICE,
    EGG,
    KINDS,
    MEAT,
    MINIONS,
    MUSHROOM,
    SHOWN,
    SIDES,
    SPICE,
)
from alehouse.envs.taverns_dragons.modules import missions

NEVER = -1000.0
# Ingredients by which a recipe helps a mission, as a set; any recipe: -1.
HELPS = {AIM_RECIPES: -1, AIM_SPICE: 1 << SPICE, AIM_MUSHROOM: 1 << MUSHROOM, AIM_GRAND: 1 << EGG | 1 << MEAT}
RECIPE_AIMS = tuple(HELPS.get(aim, 0) for aim in range(len(AIMS)))


@jit
def purse(s, R, m, gold):
    """What so much more gold is worth: in the last round, the heroes it buys."""
    worth = gold * m.coin
    if m.last:
        have = int(s.seat[m.p].gold)
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


@jit
def meal(R, W, m, recipe):
    """What a recipe brings, less what its ingredients could do elsewhere; without the die, and without missions."""
    worth = float(R.points[recipe])
    for kind in range(KINDS):
        n = int(R.needs[recipe, kind])
        if n > 0:
            worth -= n * (int(R.pantry_point) + W.spend * W.goods[kind] * m.reach)
    return worth


@jit
def dish(s, R, W, m, space):
    """The same for a space of the display, and to the seat that looks at it, whose mission it may help."""
    recipe = int(s.display[space])
    worth = meal(R, W, m, recipe)
    return worth + W.aim * aimed(s, R, m.p, recipe) if R.missions else worth


@jit
def aimed(s, R, p, recipe):
    """How many of one's missions a recipe helps."""
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
def both(R, me, recipe, other):
    """Whether the pantry suffices for two recipes."""
    enough = True
    for kind in range(KINDS):
        enough &= int(R.needs[recipe, kind]) + int(R.needs[other, kind]) <= me.pantry[kind]
    return enough


@jit
def tasks_of(s, R, W, m):
    """Fill in what a die of each value brings at each task."""
    me, tasks = s.seat[m.p], m.tasks
    tasks[:] = NEVER
    for mi in range(MINIONS):
        if me.die[mi] == 0:
            walks(s, R, W, m, mi)
    for face in range(SIDES):
        if not me.bank:
            gold = int(R.bank[BLANK]) if not within(s.bank, BLANK) else 0
            if not within(s.bank, face):
                gold = max(gold, int(R.bank[face]))
            if gold > 0:
                tasks[T_BANK * SIDES + face] = purse(s, R, m, gold)
        if not me.source:
            tasks[T_SOURCE * SIDES + face] = m.spark * min(face + 1, int(R.energy_cap) - int(me.energy))
    dishes(s, R, W, m)


@jit
def walks(s, R, W, m, mi):
    """Fill in the walks of a minion."""
    me = s.seat[m.p]
    zone, extra = int(me.zone[mi]), int(R.extra_steps[mi])
    stay = place_of(s, R, W, m, mi, zone, False)
    zones = bit(zone)
    runes = 0.0
    for steps in range(1, SIDES + extra + 1):
        zones = onward(R, zones)
        rest = zones
        while rest != 0:
            runes = max(runes, int(R.zone_runes[lowest(rest)]) * m.rune)
            rest &= rest - 1
        if steps > extra:
            m.tasks[mi * SIDES + steps - extra - 1] = best_arrival(s, R, W, m, mi, zones) + W.passing * runes - stay


@jit
def dishes(s, R, W, m):
    """Fill in the best recipe one can cook, and the best beside it."""
    me = s.seat[m.p]
    spaces = cookable(s, R, me)
    if spaces == 0:
        return
    best, most = -1, NEVER
    for space in range(SHOWN):
        if within(spaces, space):
            worth = dish(s, R, W, m, space)
            if worth > most:
                best, most = space, worth
    other = NEVER
    for space in range(SHOWN):
        if space != best and within(spaces, space) and both(R, me, int(s.display[best]), int(s.display[space])):
            other = max(other, dish(s, R, W, m, space))
    for face in range(SIDES):
        m.tasks[T_COOK * SIDES + face] = most + W.pip * (face + 1)
        if other > NEVER:
            m.tasks[T_AGAIN * SIDES + face] = other + W.pip * (face + 1)


# The best sum


@jit
def offered(m, task):
    """Whether a task is worth a die at all."""
    found = False
    for face in range(SIDES):
        found |= m.tasks[task * SIDES + face] > 0.0
    return found


@jit
def weigh(s, m):
    """Fill in what each task brings beyond its die, and what a die of each value could do elsewhere."""
    me, n, sums = s.seat[m.p], 0, m.sums
    faces = alike = 0  # of the dice in order, two bits each; those that show what the one before them shows
    for face in range(SIDES):
        for k in range(min(DICE - n, int(me.dice[face]))):
            faces |= face << (2 * n)
            alike |= int(k > 0) << n
            n += 1
    sums[: 1 << n] = 0.0
    for task in range(TASKS):
        if offered(m, task):
            for dice in range((1 << n) - 1, 0, -1):
                most = sums[dice]
                rest = dice & ~(alike & (dice << 1))
                while rest != 0:
                    k = lowest(rest)
                    rest &= rest - 1
                    most = max(most, sums[dice ^ (1 << k)] + m.tasks[task * SIDES + ((faces >> (2 * k)) & 3)])
                sums[dice] = most
    m.price[:] = np.inf
    m.profit[:] = NEVER
    for k in range(n):
        face = (faces >> (2 * k)) & 3
        m.price[face] = sums[(1 << n) - 1] - sums[((1 << n) - 1) ^ (1 << k)]
        for task in range(TASKS):
            m.profit[task] = max(m.profit[task], m.tasks[task * SIDES + face] - m.price[face])
    return sums[(1 << n) - 1]


@jit
def rolling(s, m, face):
    """What a die of a value would gain if it were rolled again."""
    gain = 0.0
    for new in range(SIDES):
        most = 0.0
        for task in range(TASKS):
            most = max(most, m.tasks[task * SIDES + new] - max(0.0, m.profit[task]))
        gain += most
    return gain / SIDES - m.price[face]
