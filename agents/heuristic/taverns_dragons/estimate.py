"""Taverns & Dragons: the points each seat may expect, and what they are worth."""

import numpy as np

from alehouse.agents.heuristic.taverns_dragons.view import MIND, look, meads, turns
from alehouse.agents.heuristic.taverns_dragons.plan import meal
from alehouse.agents.heuristic.taverns_dragons.ways import carry
from alehouse.envs.core.run.bits import lowest
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.kitchen import cookable
from alehouse.envs.taverns_dragons.layout import KINDS, MINIONS, SEATS
from alehouse.envs.taverns_dragons.modules import missions


@jit
def estimate(s, R, W, p, m):
    """The points a seat may expect in the end, beside what every seat may."""
    look(s, R, W, p, m)
    me = s.seat[p]
    worth = float(me.score) + W.trophy * int(me.trophies) + int(me.gold) * m.coin + int(me.energy) * m.spark + int(me.runes) * m.rune
    rest = int(me.ready) | int(me.tired)
    while rest != 0:
        hero = lowest(rest)
        rest &= rest - 1
        worth += int(R.hero_prestige[hero]) + W.use * W.heroes[hero] * meads(s, R)
    for kind in range(KINDS):
        worth += int(me.pantry[kind]) * (int(R.pantry_point) + W.spend * W.goods[kind] * m.reach)
    for mi in range(MINIONS):
        share = carry(R, W, m, me, mi, int(me.zone[mi]), me.die[mi] == 0)
        worth += m.goods[mi] * share - int(me.wounds[mi]) * m.wound
    if R.missions:
        worth += missions.worth(s, R, p, int(s.mission[0]))
    for item in range(me.items.size):
        worth += int(me.items[item]) * W.keep_item * m.reach
    return worth + kitchen(s, R, W, m, me)


@jit
def kitchen(s, R, W, m, me):
    """The best recipe the pantry suffices for, if there is a die to cook it with."""
    best = 0.0
    spaces = cookable(s, R, me)
    if m.left > 0.0:
        while spaces != 0:
            space = lowest(spaces)
            spaces &= spaces - 1
            best = max(best, W.ready * (meal(R, W, m, int(s.display[space])) + W.pip))
    return best


@jit
def evaluate(s, R, W, out):
    """The utility each seat may expect: how surely its estimate is above each other's."""
    out[:] = 0.0
    points, minds = np.zeros(SEATS), np.empty(SEATS, MIND)
    left = 0.0
    for p in range(R.seats):
        points[p] = estimate(s, R, W, p, minds[p])
        left = max(left, turns(s, R, p))
    doubt = W.doubt + W.doubt_die * left
    for p in range(R.seats):
        for q in range(p):
            lead = (points[p] - points[q]) / doubt
            lead /= np.sqrt(1.0 + lead * lead) * (int(R.seats) - 1)
            out[p] += lead
            out[q] -= lead
