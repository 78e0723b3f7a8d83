"""Phase E: one seat places its dice, in ascending order of faces (3 E, TT-R45)."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, first, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import around
from alehouse.envs.tiefenthal.effects import level
from alehouse.envs.tiefenthal.layout import (
    A_PLACE, ANY_DICE, BARD, CASHBOX, DISHWASHER, FACES, NOBLE, P_DISHWASHER, P_JUGGLE, P_PLAN, SPACES,
)  # fmt: skip
from alehouse.envs.tiefenthal.modules import schnapps
from alehouse.envs.tiefenthal.state import PIPS


@jit
def begin(s, R):
    """The turn of the seat under the cursor."""
    p = around(s.first + s.cursor, R.seats)
    act, me = s.act, s.seat[p]
    act.seat = p
    act.pips = int(me.laid[DISHWASHER]) + level(R, me, P_DISHWASHER)
    act.face = 0
    act.last = 0
    act.income = 0
    act.songs = me.laid[BARD]
    act.discount = R.round_discount[s.evening]
    act.bought = 0
    act.guest = 0
    act.nobles = 0
    act.ending = 0
    act.vacant = (int(me.laid_kinds) & first(NOBLE + 1)) | (first(SPACES) & ~first(CASHBOX))
    act.on[:] = 0
    s.phase = P_JUGGLE


@jit
def juggle(s, R):
    """The juggler may turn dice first; then the dice are placed."""
    if schnapps.juggle(s, R, int(s.act.seat)):
        return True
    s.phase = P_PLAN
    return False


@jit
def next_die(s):
    """Ask for the lowest die not yet placed; False if there is none."""
    p = int(s.act.seat)
    for face in range(FACES):
        if s.seat[p].dice[face] > 0:
            if s.act.face != face + 1:
                s.act.face = face + 1
                s.act.last = 0
            push(s, Q.PLACE, p)
            return True
    return False


@jit
def legal_place(s, R, p, words):
    """Places that take the die with the pips left; equal dice in the order of places."""
    act = s.act
    fits = int(R.reach[act.face - 1, min(int(act.pips), PIPS - 1)])
    put(words, A_PLACE, fits & int(act.vacant) & ~first(act.last))


@jit
def apply_place(s, R, p, a):
    """Place it; the pips it needs come from dishwashers."""
    pop(s)
    act, me = s.act, s.seat[p]
    place = a - A_PLACE
    me.dice[act.face - 1] -= 1
    act.pips -= R.pips[act.face - 1, place]
    act.last = place
    act.income += R.pay[place]
    act.on[place] += 1
    if place <= NOBLE:
        seats = 1 if place == NOBLE and not R.nobles_apart else int(me.laid[place])
        if act.on[place] == seats:
            act.vacant = without(act.vacant, place)
    elif bit(place) & ANY_DICE == 0:
        act.vacant = without(act.vacant, place)
