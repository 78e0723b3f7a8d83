"""Memory: for each seat and each hidden place, the treasures that may lie there as far as the seat knows.

A treasure that a seat sees can only lie where it was seen. When a treasure moves unseen, whatever may have lain at its old place may now
lie at its new one.
"""

from alehouse.envs.core.run.bits import bit, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.layout import HAND, LANCE, LANCE_CARD, PLACES, SWORD, SWORD_CARD
from alehouse.envs.tavern_battle.state import NOBODY

OPEN = -1  # stands for a place in sight of all


@jit
def drawn(s, p):
    """Return as a set the treasures of a seat that are drawn as weapons, and so are in sight."""
    found = 0
    if s.bearer[SWORD] != NOBODY and s.owner[s.bearer[SWORD]] == p:
        found |= bit(SWORD_CARD)
    if s.bearer[LANCE] != NOBODY and s.owner[s.bearer[LANCE]] == p:
        found |= bit(LANCE_CARD)
    return found


@jit
def see(me, members, place):
    """Note that a seat sees where some treasures lie."""
    for k in range(PLACES):
        me.may[k] &= ~members
    if place != OPEN:
        me.may[place] |= members


@jit
def show(s, R, members, place):
    """Note that all seats see where some treasures lie."""
    for p in range(R.seats):
        see(s.seat[p], members, place)


@jit
def look(me, members, place):
    """Note that a seat looks at all treasures that lie at a place."""
    see(me, members, place)
    me.may[place] = members


@jit
def blur(me, origin, target, in_sight):
    """Note that a seat knows that one treasure has moved, but not which; it was none of those in sight."""
    me.may[target] |= me.may[origin] & ~in_sight


@jit
def move(s, R, card, origin, target, witnesses, in_sight):
    """Move a treasure. The witnesses see which one; the others only see that one moves, unless it was in sight."""
    for p in range(R.seats):
        if within(witnesses, p) or in_sight & card:
            see(s.seat[p], card, target)
        else:
            blur(s.seat[p], origin, target, in_sight)


@jit
def tidy(s, R, place, left):
    """Note that all seats know a place to be empty, if nothing is left there."""
    if left == 0:
        for p in range(R.seats):
            s.seat[p].may[place] = 0


@jit
def give(s, R, t, giver, taker):
    """Move a treasure from one hand to another; only these two seats see which one, unless it was drawn as a weapon."""
    in_sight = drawn(s, giver)
    card = bit(t)
    s.seat[giver].treasures ^= card
    s.seat[taker].treasures |= card
    move(s, R, card, HAND + giver, HAND + taker, bit(giver) | bit(taker), in_sight)
    tidy(s, R, HAND + giver, s.seat[giver].treasures)
    sheathe(s, card)


@jit
def drop(s, R, p, t):
    """Drop a treasure face up into the centre of the table."""
    card = bit(t)
    s.seat[p].treasures ^= card
    s.fallen |= card
    show(s, R, card, OPEN)
    tidy(s, R, HAND + p, s.seat[p].treasures)
    sheathe(s, card)


@jit
def sheathe(s, members):
    """Take drawn weapons among some treasures from their bearers, because these treasures have gone elsewhere."""
    if members & bit(SWORD_CARD):
        s.bearer[SWORD] = NOBODY
    if members & bit(LANCE_CARD):
        s.bearer[LANCE] = NOBODY
