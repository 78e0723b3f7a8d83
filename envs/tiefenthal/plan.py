"""Phase E: the seats in turn place their dice, in ascending order of faces (3 E, TT-R45)."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, first, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import around
from alehouse.envs.core.run.turns import enter
from alehouse.envs.tiefenthal.effects import level
from alehouse.envs.tiefenthal.layout import (
    A_PLACE, ANY_DICE, BARD, CASHBOX, DISHWASHER, FACES, NOBLE, P_DISHWASHER, P_CLOSING, P_JUGGLE, P_PLAN, P_REPUTATION, SPACES,
)  # fmt: skip
from alehouse.envs.tiefenthal.modules import reputation, schnapps
from alehouse.envs.tiefenthal.state import PIPS


@jit
def begin(s, R):
    """Begin the turn of the next seat, which the cursor gives."""
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
    """Offer the seat the juggler, who turns dice; if it cannot use him, go on to placing dice."""
    p = int(s.act.seat)
    if schnapps.may_turn(s, R, p):
        push(s, Q.TURN, p)
    else:
        s.phase = P_PLAN


@jit
def place_dice(s, R):
    """Ask where the lowest unplaced die goes. Once all are placed, the plan is final (TT-R5) and reputation is counted."""
    p = int(s.act.seat)
    for face in range(FACES):
        if s.seat[p].dice[face] > 0:
            if s.act.face != face + 1:
                s.act.face = face + 1
                s.act.last = 0
            push(s, Q.PLACE, p)
            return
    s.phase = P_REPUTATION
    reputation.count(s, R, p)


@jit
def legal_place(s, R, p, words):
    """List the places that can take the die, given the pips left; for equal dice the places come in ascending order."""
    act = s.act
    fits = int(R.reach[act.face - 1, min(int(act.pips), PIPS - 1)])
    put(words, A_PLACE, fits & int(act.vacant) & ~first(act.last))


@jit
def apply_place(s, R, p, a):
    """Place the die; pips that it needs come from dishwashers."""
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


@jit
def next_turn(s, R):
    """Begin the turn of the next seat; after the last one go on to the closing."""
    s.cursor += 1
    if s.cursor == R.seats:
        enter(s, P_CLOSING)
    else:
        begin(s, R)
