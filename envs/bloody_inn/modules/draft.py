"""Module 3, the draft of the objects (BI 2.3).

Every object lies in a numbered slot. Hand d of the deal fills slots 4 d to 4 d + 3. The object picked from it in round r moves to slot
4 d + r and belongs to seat d + r; the last one goes to the box. Objects in the slots after those were never dealt.
"""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.layout import A_OBJECT, DEAL, OBJECTS, P_WELCOME
from alehouse.envs.core.run.bits import bit, lowest, put
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.turns import enter

PICKS = 3
HAND = PICKS + 1


@jit
def deal(s, R):
    """Shuffle the objects into the slots."""
    if R.objects:
        for k in range(OBJECTS):
            s.slot[k] = k
        for k in range(OBJECTS - 1, 0, -1):
            j = below(s.seed, DEAL, 0, 0, k, k + 1)
            s.slot[k], s.slot[j] = s.slot[j], s.slot[k]


@jit
def draft(s, R):
    """Ask the next seat to pick; after the last pick every seat pays for its objects, and the first round begins."""
    if R.objects and s.cursor < PICKS * R.seats:
        push(s, Q.DRAFT, s.cursor % R.seats)
        return
    if R.objects:
        for p in range(R.seats):
            me = s.seat[p]
            me.spent = price(R, int(me.objects))
            me.cash = max(0, int(R.start_cash) - int(me.spent))
    enter(s, P_WELCOME)


@jit
def price(R, objects):
    """Return the total price of a set of objects."""
    total = 0
    while objects != 0:
        total += int(R.price[lowest(objects)])
        objects &= objects - 1
    return total


@jit
def legal_draft(s, R, p, words):
    """List the objects in the hand that the seat looks at in this round of the draft."""
    round = s.cursor // R.seats
    hand = (p - round) % R.seats
    for k in range(round, HAND):
        put(words, A_OBJECT, bit(s.slot[HAND * hand + k]))


@jit
def apply_draft(s, R, p, a):
    """Keep an object; it stays secret."""
    pop(s)
    round = s.cursor // R.seats
    start = HAND * ((p - round) % R.seats)
    for k in range(start + round, start + HAND):
        if s.slot[k] == a - A_OBJECT:
            s.slot[k] = s.slot[start + round]
            s.slot[start + round] = a - A_OBJECT
    s.seat[p].objects |= bit(a - A_OBJECT)
    s.seat[p].held += 1
    s.cursor += 1
