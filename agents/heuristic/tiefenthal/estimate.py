"""The Taverns of Tiefenthal: estimate the final points of each seat, and its utility from that."""

import numpy as np

from alehouse.envs.core.run.bits import lowest
from alehouse.agents.heuristic.leads import write_leads
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.core.run.seats import around
from alehouse.envs.tiefenthal.flow import score
from alehouse.envs.tiefenthal.layout import BARD, COLUMNS, KINDS, NOBLE, P_CLOSING, P_JUGGLE, P_SERVE, REGULARS, SEATS


@jit
def turns(s, R, p):
    """Return how many turns a seat still has to take; a turn in progress counts only by the goods the seat holds."""
    left = int(R.rounds) - int(s.evening)
    if s.phase < P_JUGGLE:
        return left + 1
    if s.phase >= P_CLOSING:
        return left
    place = around(p - int(s.first), R.seats)
    return left + int(place > s.cursor or (place == s.cursor and s.phase < P_SERVE))


@jit
def each_turn(R, W, kind):
    """Return the points that a card of this kind adds in every turn."""
    if kind >= BARD:
        return W.card_gains[kind - BARD]
    if kind == NOBLE:
        return W.noble_gain
    return (W.regular_gain if kind < REGULARS else W.guest_gain) + W.pay_gain * int(R.pay[kind])


@jit
def estimate(s, R, W, p, left):
    """Return the points a seat may still expect, from what its tavern gives every turn and from its goods."""
    me = s.seat[p]
    each = W.turn
    for kind in range(KINDS):
        n = int(me.deck[kind]) + int(me.discard[kind]) + int(me.laid[kind])
        if n > 0:
            each += n * each_turn(R, W, kind)
    for k in range(me.gained_n):
        each += each_turn(R, W, int(me.gained[k]))
    pieces = int(me.upgraded)
    while pieces != 0:
        each += W.piece_gains[lowest(pieces)]
        pieces &= pieces - 1
    for k in range(COLUMNS):
        each += W.cell_gain * int(me.book[k])
    return left * each + W.beer_gain * int(me.beer) + W.coin_gain * int(me.doubloons)


@jit
def ration(s, R, W, points):
    """Subtract points for nobles that will run out before a seat's turn comes."""
    each = W.want + W.want_fame * int(R.reputation) + W.want_book * int(R.guest_book)
    there = float(s.stock[0])
    for k in range(int(R.rounds) - int(s.evening) + 1):
        want = each * (int(s.evening) + k)
        for place in range(R.seats):
            p = around(int(s.first) + k + place, R.seats)
            if k > 0 or turns(s, R, p) > int(R.rounds) - int(s.evening):
                got = min(want, there)
                there -= got
                points[p] -= W.short * (want - got)


@jit
def evaluate(s, R, W, out):
    """Write the utility each seat may expect, from how surely its points will be above those of each other seat."""
    had, points = scratch(SEATS, np.int64), scratch(SEATS, np.float64)
    score(s, R, had)
    left = 0.0
    for p in range(R.seats):
        mine = turns(s, R, p)
        points[p] = int(had[p]) + estimate(s, R, W, p, mine)
        left += mine / int(R.seats)
    ration(s, R, W, points)
    doubt = (W.doubt_book if R.guest_book else W.doubt) * np.sqrt(W.doubt_last + left)
    write_leads(points, R.seats, doubt, out)
