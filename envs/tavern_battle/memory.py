"""Memory: for each seat and each place out of sight, the treasures that may lie there, after all the seat has seen.

A treasure that a seat sees may lie only where it was seen. When one moves unseen, whatever may have lain where it came from may now
lie where it went.
"""

from alehouse.envs.core.run.bits import bit, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.layout import HAND, LANCE, LANCE_CARD, PLACES, SWORD, SWORD_CARD
from alehouse.envs.tavern_battle.state import NOBODY

OPEN = -1  # a place in sight of all


@jit
def drawn(s, p):
    """Return the treasures of a seat that are drawn as weapons and so in sight, as a set."""
    found = 0
    if s.bearer[SWORD] != NOBODY and s.owner[s.bearer[SWORD]] == p:
        found |= bit(SWORD_CARD)
    if s.bearer[LANCE] != NOBODY and s.owner[s.bearer[LANCE]] == p:
        found |= bit(LANCE_CARD)
    return found


@jit
def see(me, members, place):
    """Let a seat see at which place some treasures lie."""
    for k in range(PLACES):
        me.may[k] &= ~members
    if place != OPEN:
        me.may[place] |= members


@jit
def show(s, R, members, place):
    """Let all seats see at which place some treasures lie."""
    for p in range(R.seats):
        see(s.seat[p], members, place)


@jit
def look(me, members, place):
    """Let a seat look at all treasures that lie at a place."""
    see(me, members, place)
    me.may[place] = members


@jit
def blur(me, origin, target, in_sight):
    """Let a seat know that one treasure has moved, but not which; it was none of those in sight."""
    me.may[target] |= me.may[origin] & ~in_sight


@jit
def move(s, R, card, origin, target, witnesses, in_sight):
    """Let the witnesses see which treasure moves to another place; the others see only that one does, unless it was in sight."""
    for p in range(R.seats):
        if within(witnesses, p) or in_sight & card:
            see(s.seat[p], card, target)
        else:
            blur(s.seat[p], origin, target, in_sight)


@jit
def tidy(s, R, place, left):
    """Let all seats know that a place is empty, if nothing is left there."""
    if left == 0:
        for p in range(R.seats):
            s.seat[p].may[place] = 0


@jit
def give(s, R, t, giver, taker):
    """Move a treasure from hand to hand; only the two of them see which one, unless it was drawn as a weapon."""
    in_sight = drawn(s, giver)
    card = bit(t)
    s.seat[giver].treasures ^= card
    s.seat[taker].treasures |= card
    move(s, R, card, HAND + giver, HAND + taker, bit(giver) | bit(taker), in_sight)
    tidy(s, R, HAND + giver, s.seat[giver].treasures)
    sheathe(s, card)


@jit
def drop(s, R, p, t):
    """Drop a treasure face up into the centre."""
    card = bit(t)
    s.seat[p].treasures ^= card
    s.fallen |= card
    show(s, R, card, OPEN)
    tidy(s, R, HAND + p, s.seat[p].treasures)
    sheathe(s, card)


@jit
def sheathe(s, members):
    """Take drawn weapons among some treasures from their bearers, because the treasures have gone elsewhere."""
    if members & bit(SWORD_CARD):
        s.bearer[SWORD] = NOBODY
    if members & bit(LANCE_CARD):
        s.bearer[LANCE] = NOBODY
