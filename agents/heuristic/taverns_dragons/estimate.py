"""Taverns & Dragons: estimate the final points of each seat, and its utility from that."""

import numpy as np

from alehouse.agents.heuristic.taverns_dragons.values import VALUES, dice_to_come, work_out
from alehouse.agents.heuristic.taverns_dragons.dice import rate_recipe
from alehouse.agents.heuristic.taverns_dragons.positions import share_on_way
from alehouse.envs.core.run.bits import lowest
from alehouse.agents.heuristic.leads import write_leads
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.taverns_dragons.kitchen import cookable
from alehouse.envs.taverns_dragons.layout import KINDS, MINIONS, SEATS
from alehouse.envs.taverns_dragons.modules import missions


@jit
def estimate(s, R, W, p, v):
    """Return the points a seat may expect at the end, leaving out what all seats may expect alike."""
    work_out(s, R, W, p, v)
    me = s.seat[p]
    worth = float(me.score) + W.trophy * int(me.trophies) + int(me.gold) * v.gold + int(me.energy) * v.energy + int(me.runes) * v.rune
    rest = int(me.ready) | int(me.tired)
    while rest != 0:
        hero = lowest(rest)
        rest &= rest - 1
        worth += int(R.hero_prestige[hero]) + W.use * W.heroes[hero] * int(R.readyings[s.rounds])
    for kind in range(KINDS):
        worth += int(me.pantry[kind]) * (int(R.pantry_point) + W.spend * W.goods[kind] * v.later)
    for m in range(MINIONS):
        share = share_on_way(R, W, v, me, m, int(me.zone[m]), me.die[m] == 0)
        worth += v.load[m] * share - int(me.wounds[m]) * v.wound
    if R.missions:
        worth += missions.worth(s, R, p, int(s.mission[0]))
    for item in range(me.items.size):
        worth += int(me.items[item]) * W.keep_item * v.later
    return worth + best_recipe(s, R, W, v, me)


@jit
def best_recipe(s, R, W, v, me):
    """Return what the best recipe that can be cooked now brings; 0 if no die is left to cook with."""
    best = 0.0
    spaces = cookable(s, R, me)
    if v.to_come > 0.0:
        while spaces != 0:
            space = lowest(spaces)
            spaces &= spaces - 1
            best = max(best, W.ready * (rate_recipe(R, W, v, int(s.display[space])) + W.pip))
    return best


@jit
def evaluate(s, R, W, out):
    """Write the utility each seat may expect, from how surely its points will be above those of each other seat."""
    points, values = scratch(SEATS, np.float64), scratch(SEATS, VALUES)
    to_come = 0.0
    for p in range(R.seats):
        points[p] = estimate(s, R, W, p, values[p])
        to_come = max(to_come, dice_to_come(s, R, p))
    doubt = W.doubt + W.doubt_die * to_come
    write_leads(points, R.seats, doubt, out)
