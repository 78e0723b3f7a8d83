"""The Taverns of Tiefenthal: decide where dice go, and which white die to take.

Each face has its own places: patrons of that face, the best-paid first, then monk or supplier. Cashbox, barrel and the nobles' table
take one die each of any face: every way to give them dice is tried, and the result is rated as a whole. Pips that dishwashers add are
used where they bring most. Doubloons, beers and steps are added up in the bits of one number.
"""

from typing import NamedTuple

import numpy as np

from alehouse.agents.heuristic.tiefenthal import purchases, worth
from alehouse.agents.heuristic.tiefenthal.purchases import AMOUNTS
from alehouse.agents.heuristic.tiefenthal.worth import MOST
from alehouse.envs.core.run.bits import bit, first, highest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.core.run.seats import around
from alehouse.envs.tiefenthal.effects import level
from alehouse.envs.tiefenthal.layout import (
    BARREL, CASHBOX, DISHWASHER, FACES, MERCHANT, MONK, NOBLE, P_BARREL, P_CASHBOX, P_DISHWASHER, P_MONK, PATRONS, SUPPLY, UNUSED,
)  # fmt: skip

LONG = 8  # one more than the most dice of one face
FRONT = LONG + 1
BEERS, STEPS, LOW = 16, 32, (1 << 16) - 1  # beers start at bit 16, steps at bit 32; LOW masks one field of 16 bits
GOODS = 4
COINS, KEGS, WALKS, CLIMBS = range(GOODS)  # what a plan is worth by its doubloons, beers, steps of reputation and steps at the monastery
NONE = FACES
CHOICES = FACES + 1
SPARE = 3  # places that take one die of any face: cashbox, barrel and nobles


class Mat(NamedTuple):
    """The places for dice of each face, best first."""

    dice: np.ndarray  # by face, the number of dice to be placed
    places: np.ndarray  # by face and rank
    brings: np.ndarray  # what a die brings at each place, as a packed sum


class Open(NamedTuple):
    """Where dice may go."""

    places: int  # a bit for each place
    face: int  # of the current die, or NONE
    last: int  # the lowest place that the current die may take


@jit
def yields(R, me, place):
    """Return what a die brings at a place, as a packed sum of doubloons, beers and steps."""
    if place == SUPPLY:
        return worth.brew(R, me) << BEERS
    if place == MONK:
        return level(R, me, P_MONK) << STEPS
    if place == BARREL:
        return level(R, me, P_BARREL) << BEERS
    return level(R, me, P_CASHBOX) if place == CASHBOX else int(R.pay[place])


@jit
def points(v, step, total):
    """Return the worth in points of a packed sum, each part at its price."""
    return (total & LOW) * v.coin + ((total >> BEERS) & LOW) * v.beer + (total >> STEPS) * step


@jit
def lay_out(s, R, me, v, step, may, pips, mat):
    """Write the mat for the dice of a seat, as far as its dice and the pips to be added can use it."""
    places, brings = mat.places, mat.brings
    size = scratch(FACES, np.int64)
    for k in range(FACES):
        mat.dice[k] = min(int(me.dice[k]), LONG - 1)
    rest = may.places & first(PATRONS)
    while rest != 0:
        kind = highest(rest)
        rest &= ~bit(kind)
        row = int(R.die[kind]) - 1
        if row == may.face and kind < may.last:
            continue
        for _ in range(min(int(me.laid[kind]) - int(s.act.on[kind]), LONG - size[row])):
            k = size[row]
            while k > 0 and R.pay[places[row, k - 1]] < R.pay[kind]:
                places[row, k] = places[row, k - 1]
                k -= 1
            places[row, k] = kind
            size[row] += 1
    for row in range(FACES):
        tail = UNUSED
        for place in (MONK, SUPPLY):
            if R.pips[row, place] == 0 and points(v, step, yields(R, me, place)) > points(v, step, yields(R, me, tail)):
                tail = place
        least = yields(R, me, tail)
        floor = points(v, step, least)
        for k in range(min(LONG, mat.dice[row] + 1 + pips)):
            if k >= size[row] or R.pay[places[row, k]] * v.coin < floor:
                places[row, k] = tail
                brings[row, k] = least
            else:
                brings[row, k] = int(R.pay[places[row, k]])


@jit
def raised(W, v, step, mat, pips):
    """Return the face of the die that added pips help most, and the number of pips; NONE if no die is worth them."""
    n, brings = mat.dice, mat.brings
    most, face, far = 0.0, NONE, 0
    for a in range(FACES - 1):
        if n[a] > 0:
            now = max(W.spare, points(v, step, brings[a, n[a] - 1]))
            for d in range(1, min(pips, FACES - 1 - a) + 1):
                gain = points(v, step, brings[a + d, n[a + d]]) - now - W.pip * d
                if gain > most:
                    most, face, far = gain, a, d
    return face, far


@jit
def step_price(s, R, W, v):
    """Rate one step at the monastery, for a die on the monk."""
    n = level(R, s.seat[v.p], P_MONK)
    return worth.steps(s, R, W, v, n) / max(1, n)


@jit
def draft(s, R, W, v, faces, losses):
    """Write what one more die of each face brings, plus a share of what it would bring to the left neighbour."""
    one_more(s, R, W, v, v.p, faces, losses)
    one_more(s, R, W, v, around(v.p + 1, R.seats), losses, losses)
    for a in range(FACES):
        faces[a] += W.deny * losses[a]


@jit
def one_more(s, R, W, v, p, faces, losses):
    """Write what one more die of each face brings seat p, and what one die less costs it."""
    me = s.seat[p]
    step = step_price(s, R, W, v)
    pips = int(me.laid[DISHWASHER]) + level(R, me, P_DISHWASHER)
    mat = Mat(scratch(FACES, np.int64), scratch((FACES, LONG), np.int64), scratch((FACES, LONG), np.int64))
    lay_out(s, R, me, v, step, Open(int(me.laid_kinds), NONE, 0), pips, mat)
    n, brings = mat.dice, mat.brings
    while pips > 0:
        face, far = raised(W, v, step, mat, pips)
        if face == NONE:
            break
        n[face] -= 1
        n[face + far] += 1
        pips -= far
    for a in range(FACES):
        losses[a] = max(W.spare, points(v, step, brings[a, max(0, int(me.dice[a]) - 1)]))
        faces[a] = max(W.spare, points(v, step, brings[a, n[a]]))
        for d in range(1, min(pips, FACES - 1 - a) + 1):
            faces[a] = max(faces[a], points(v, step, brings[a + d, n[a + d]]) - W.pip * d)


@jit
def plan(s, R, W, v, best):
    """Write, for each place of the current die, the most that the turn can bring. Of equal dice the one in the lowest place counts."""
    me, act = s.seat[v.p], s.act
    best[:] = -np.inf
    step = step_price(s, R, W, v)
    face, last = int(act.face) - 1, int(act.last)
    lowest, pips = UNUSED, int(act.pips)
    mat = Mat(scratch(FACES, np.int64), scratch((FACES, LONG), np.int64), scratch((FACES, LONG), np.int64))
    lay_out(s, R, me, v, step, Open(int(act.vacant), face, last), pips, mat)
    n = mat.dice
    while pips > 0:
        a, d = raised(W, v, step, mat, pips)
        if a == NONE:
            break
        if a == face and mat.places[a + d, n[a + d]] >= last:
            lowest = min(lowest, mat.places[a + d, n[a + d]])
        n[a] -= 1
        n[a + d] += 1
        pips -= d
    share_out(s, R, W, v, mat, lowest, best)


@jit
def made(s, R, me):
    """Add up what the dice placed so far and the merchants give."""
    act = s.act
    total = int(act.income) + (int(me.laid[MERCHANT]) << BEERS)
    for place in range(CASHBOX, UNUSED):
        total += int(act.on[place]) * yields(R, me, place)
    return total


@jit
def outlook(s, R, W, v, total, far):
    """Write the worth of each number of doubloons, beers, steps of reputation and steps at the monastery."""
    me, act = s.seat[v.p], s.act
    coins = (total & LOW) + int(me.doubloons) + yields(R, me, CASHBOX) + int(R.pay[NOBLE]) + int(act.discount)
    beers = ((total >> BEERS) & LOW) + int(me.beer) + yields(R, me, BARREL)
    purchases.shop(s, R, W, v, min(MOST, coins), far[COINS], scratch(AMOUNTS, np.int64))
    purchases.tap(s, R, W, v, min(MOST, beers), far[KEGS])
    if R.reputation:
        worth.renown(s, R, W, v, min(MOST, coins, beers), far[WALKS])
    worth.climbs(s, R, W, v, min(MOST, total >> STEPS), far[CLIMBS])


@jit
def spare(R, act, n, place, found):
    """List the faces whose dice may go to a place for any face, beginning with NONE; return how many there are."""
    found[0] = NONE
    size = 1
    if within(act.vacant, place):
        for a in range(FACES):
            if n[a] > 0 and R.pips[a, place] == 0 and not (a == act.face - 1 and place < act.last):
                found[size] = a
                size += 1
    return size


@jit
def share_out(s, R, W, v, mat, lowest, best):
    """Try every way to give dice to cashbox, barrel and nobles."""
    me, act = s.seat[v.p], s.act
    n, brings = mat.dice, mat.brings
    face = int(act.face) - 1
    total = made(s, R, me)
    for a in range(FACES):
        for k in range(n[a]):
            total += brings[a, k]
    far, faces, front = scratch((GOODS, AMOUNTS), np.float64), scratch((SPARE, CHOICES), np.int64), scratch(FRONT, np.int64)
    outlook(s, R, W, v, total, far)
    write_foremost(mat.places[face], n[face], lowest, front)
    boxes, barrels = spare(R, act, n, CASHBOX, faces[0]), spare(R, act, n, BARREL, faces[1])
    nobles = spare(R, act, n, NOBLE, faces[2])
    in_box, in_barrel, on_noble = yields(R, me, CASHBOX), yields(R, me, BARREL), yields(R, me, NOBLE)
    doubloons, beer = int(me.doubloons), int(me.beer)
    for i in range(boxes):
        c = faces[0, i]
        with_c = total + swap(brings, n, c, in_box)
        for j in range(barrels):
            b = faces[1, j]
            if b != NONE and n[b] == 0:
                continue
            with_b = with_c + swap(brings, n, b, in_barrel)
            for k in range(nobles):
                o = faces[2, k]
                if o != NONE and n[o] == 0:
                    continue
                got = with_b + swap(brings, n, o, on_noble)
                low = min(front[n[face]], NOBLE if o == face else CASHBOX if c == face else BARREL if b == face else UNUSED)
                best[low] = max(best[low], sum_of(doubloons, beer, far, got))
                put_back(n, o)
            put_back(n, b)
        put_back(n, c)


@jit
def write_foremost(places, n, lowest, front):
    """Write the lowest place that the first 0, 1, 2, ... dice of a face reach."""
    front[0] = lowest
    for k in range(n):
        front[k + 1] = min(front[k], places[k])


@jit
def swap(brings, left, a, more):
    """Move a die of a face from its own place to one that brings `more`; return what the move gains."""
    if a == NONE:
        return 0
    left[a] -= 1
    return more - brings[a, left[a]]


@jit
def put_back(left, a):
    """Undo what `swap` did."""
    if a != NONE:
        left[a] += 1


@jit
def sum_of(doubloons, beer, far, got):
    """Rate a whole plan of placed dice, for a seat with these goods."""
    coins, beers = got & LOW, (got >> BEERS) & LOW
    total = far[COINS, min(coins + doubloons, MOST)] + far[KEGS, min(beers + beer, MOST)]
    return total + far[WALKS, min(coins, beers, MOST)] + far[CLIMBS, min(got >> STEPS, MOST)]
