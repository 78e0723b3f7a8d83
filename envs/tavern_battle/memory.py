"""What each seat remembers of the treasures: for each place out of sight, which may lie there for all it has seen.

A treasure that is seen may lie only where it was seen. One that moves unseen takes what it may be along: whatever may have
lain where it came from may now lie where it went.
"""

from alehouse.envs.core.run.bits import bit
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.layout import HAND, LANCE, LANCE_CARD, PLACES, SWORD, SWORD_CARD
from alehouse.envs.tavern_battle.state import NOBODY

OPEN = -1  # a place in sight of all


@jit
def drawn(s, p):
    """Treasures of a seat that are drawn: in sight, wherever else its treasures are."""
    found = 0
    if s.bearer[SWORD] != NOBODY and s.owner[s.bearer[SWORD]] == p:
        found |= bit(SWORD_CARD)
    if s.bearer[LANCE] != NOBODY and s.owner[s.bearer[LANCE]] == p:
        found |= bit(LANCE_CARD)
    return found


@jit
def see(me, members, place):
    """A seat sees where treasures lie."""
    for k in range(PLACES):
        me.may[k] &= ~members
    if place != OPEN:
        me.may[place] |= members


@jit
def show(s, R, members, place):
    """All see where treasures lie."""
    for p in range(R.seats):
        see(s.seat[p], members, place)


@jit
def look(me, members, place):
    """A seat looks at all that lies in a place."""
    see(me, members, place)
    me.may[place] = members


@jit
def blur(me, origin, target, in_sight):
    """A treasure has moved, and a seat has not seen which: none of those in sight."""
    me.may[target] |= me.may[origin] & ~in_sight


@jit
def tidy(s, R, place, left):
    """Where nothing is left, nothing may lie."""
    if left == 0:
        for p in range(R.seats):
            s.seat[p].may[place] = 0


@jit
def give(s, R, t, giver, taker):
    """A treasure goes from hand to hand; the two of them see which."""
    in_sight = drawn(s, giver)
    card = bit(t)
    s.seat[giver].treasures ^= card
    s.seat[taker].treasures |= card
    for p in range(R.seats):
        if p == giver or p == taker or in_sight & card:
            see(s.seat[p], card, HAND + taker)
        else:
            blur(s.seat[p], HAND + giver, HAND + taker, in_sight)
    tidy(s, R, HAND + giver, s.seat[giver].treasures)
    sheathe(s, card)


@jit
def drop(s, R, p, t):
    """A treasure falls into the centre, face up."""
    card = bit(t)
    s.seat[p].treasures ^= card
    s.fallen |= card
    show(s, R, card, OPEN)
    tidy(s, R, HAND + p, s.seat[p].treasures)
    sheathe(s, card)


@jit
def sheathe(s, members):
    """A drawn weapon that has gone elsewhere lies on nobody."""
    if members & bit(SWORD_CARD):
        s.bearer[SWORD] = NOBODY
    if members & bit(LANCE_CARD):
        s.bearer[LANCE] = NOBODY
