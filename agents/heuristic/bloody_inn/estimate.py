"""The Bloody Inn: estimate the final points of each seat, and its utility from that."""

import numpy as np

from alehouse.agents.heuristic.bloody_inn.outlook import OUTLOOK, graves_worth, look_out, rounds_left
from alehouse.agents.heuristic.bloody_inn.worth import card_worth, cash_risk, corpse_worth, exit_worth
from alehouse.envs.bloody_inn.layout import ANNEXES, LASTING, ONCE_AND_EXIT, PER_CHECK, SEATS
from alehouse.envs.bloody_inn.places import owned
from alehouse.envs.core.run.bits import lowest, popcount
from alehouse.agents.heuristic.leads import write_leads
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch


@jit
def estimate(s, R, W, p, outlook):
    """Return the points that a seat may expect to have at the end."""
    me = s.seat[p]
    look_out(s, R, W, p, outlook)
    cash = int(me.cash)
    worth = cash + 10.0 * int(me.checks) - cash_risk(s, R, W, outlook, cash)
    before = 0
    rest = int(me.dead)
    while rest != 0:
        kind = lowest(rest)
        rest &= rest - 1
        for _ in range(me.corpse[kind]):
            worth += corpse_worth(s, R, W, outlook, kind, before, outlook.cards)
            before += 1
    rest = int(me.kinds)
    while rest != 0:
        kind = lowest(rest)
        rest &= rest - 1
        worth += int(me.hand[kind]) * card_worth(s, R, W, outlook, kind)
    worth += graves_worth(W, outlook, outlook.graves) + W.held * outlook.time * int(me.held)
    return worth + lasting_worth(s, R, W, outlook)


@jit
def lasting_worth(s, R, W, outlook):
    """Rate what a seat's rooms and annexes bring until the end."""
    me = s.seat[outlook.p]
    worth = W.room * outlook.rounds * popcount(owned(s, outlook.p))
    for op in range(LASTING):
        worth += W.powers[op] * int(me.power[op]) * outlook.rounds
    for annex in range(ANNEXES):
        if me.annex[annex] > 0:
            if R.op[annex] == ONCE_AND_EXIT:
                worth += exit_worth(s, R, W, annex)
            elif R.op[annex] == PER_CHECK:
                worth += int(R.amount[annex]) * (int(me.checks) + W.saving * outlook.actions)
    return worth


@jit
def evaluate(s, R, W, out):
    """Write the utility that each seat may expect, from how surely its estimate is above each other seat's."""
    points, outlook = scratch(SEATS, np.float64), scratch(1, OUTLOOK)[0]
    for p in range(R.seats):
        points[p] = estimate(s, R, W, p, outlook)
    if R.seats == 1:
        out[:] = 0.0
        out[0] = (points[0] - int(R.title)) / (W.doubt + abs(points[0] - int(R.title)))
        return
    doubt = W.doubt + W.doubt_round * rounds_left(s, R, W)
    write_leads(points, R.seats, doubt, out)
