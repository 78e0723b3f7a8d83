"""The Bloody Inn: the points each seat may expect, and what they are worth."""

import numpy as np

from alehouse.agents.heuristic.bloody_inn.view import look, mornings
from alehouse.agents.heuristic.bloody_inn.worth import corpse_worth, exit_worth, graves_worth, keep, spill
from alehouse.envs.bloody_inn.layout import ANNEXES, LASTING, ONCE_AND_EXIT, PER_CHECK, PLACES, SEATS
from alehouse.envs.core.run.bits import lowest
from alehouse.envs.core.run.jit import jit


@jit
def estimate(s, R, W, p):
    """The points a seat may expect in the end."""
    m = look(s, R, W, p)
    me = s.seat[p]
    cash = int(me.cash)
    worth = cash + 10.0 * int(me.checks) - spill(s, R, W, m, cash)
    before = 0
    rest = int(me.dead)
    while rest != 0:
        kind = lowest(rest)
        rest &= rest - 1
        for _ in range(me.corpse[kind]):
            worth += corpse_worth(s, R, W, m, kind, before, m.cards)
            before += 1
    rest = int(me.kinds)
    while rest != 0:
        kind = lowest(rest)
        rest &= rest - 1
        worth += int(me.hand[kind]) * keep(s, R, W, m, kind)
    worth += graves_worth(W, m, m.graves) + W.held * m.reach * int(me.held)
    return worth + lasting(s, R, W, m)


@jit
def lasting(s, R, W, m):
    """What rooms and annexes bring till the end."""
    me = s.seat[m.p]
    rooms = 0
    for place in range(PLACES):
        rooms += int(s.owner[place] == m.p)
    worth = W.room * m.rounds * rooms
    for op in range(LASTING):
        worth += W.powers[op] * int(me.power[op]) * m.rounds
    for annex in range(ANNEXES):
        if me.annex[annex] > 0:
            if R.op[annex] == ONCE_AND_EXIT:
                worth += exit_worth(s, R, W, annex)
            elif R.op[annex] == PER_CHECK:
                worth += int(R.amount[annex]) * (int(me.checks) + W.saving * m.later)
    return worth


@jit
def evaluate(s, R, W, out):
    """The utility each seat may expect: how surely its estimate is above each other's."""
    out[:] = 0.0
    points = np.zeros(SEATS)
    for p in range(R.seats):
        points[p] = estimate(s, R, W, p)
    if R.seats == 1:
        out[0] = (points[0] - int(R.title)) / (W.doubt + abs(points[0] - int(R.title)))
        return
    doubt = W.doubt + W.doubt_round * mornings(s, R, W)
    for p in range(R.seats):
        for q in range(p):
            lead = (points[p] - points[q]) / doubt
            lead /= np.sqrt(1.0 + lead * lead) * (int(R.seats) - 1)
            out[p] += lead
            out[q] -= lead
