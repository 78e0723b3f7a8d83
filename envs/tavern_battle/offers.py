"""Items that a balance study compares: treasures, objects and agitation cards in hand, and arrivals to claim."""

from alehouse.envs.core.declare.offers import Family, Offers
from alehouse.envs.core.run.bits import bit, first, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.picks import any_member, any_of
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.tavern_battle.layout import (
    A_CLAIM, A_HIDE, A_POST, A_PROTECT, A_STRIKE, A_THROW, A_TREASURE, AGITATION_NAMES, ARRIVAL_NAMES, HEROES, OBJECT_NAMES, OBJECTS,
    PLACES, TREASURE_NAMES, TREASURES,
)  # fmt: skip

FAMILIES = (
    Family("treasures in hand", tuple(TREASURE_NAMES), "reveal"),
    Family("objects in hand", tuple(OBJECT_NAMES), "action"),
    Family("agitation cards in hand", tuple(AGITATION_NAMES), "post"),
    Family("arrivals to claim", tuple(ARRIVAL_NAMES), "claim"),
)
TREASURE, OBJECT, AGITATION, ARRIVAL = range(len(FAMILIES))


@jit
def offered(s, family, key):
    """Return a random card in the hand of the seat to move, or the arrival if no other seat has been asked about him."""
    seat = top(s).seat
    me = s.seat[seat]
    if family == TREASURE:
        return any_member(int(me.treasures), key)
    if family == OBJECT:
        return any_of(replaceable(s, me), -1, key)
    if family == AGITATION:
        return any_of(me.agitation, -1, key)
    return int(s.arrival) if int(s.heard) == bit(seat) else -1


@jit
def replaceable(s, me):
    """Return the types of objects in hand that may have come from the present deck: it held more of them when it was shuffled."""
    found = me.objects.copy()
    for kind in range(OBJECTS):
        if s.deck[kind] >= s.shuffled[kind]:
            found[kind] = 0
    return found


@jit
def lying(s, family, where):
    """Return the number of the item that lies at a place."""
    return where - HEROES if family == ARRIVAL else where


@jit
def takes(s, family, where, a):
    """Return whether the action shows the treasure, uses the object, posts the card or claims the arrival in question."""
    if family == TREASURE:
        return a == A_TREASURE + where
    if family == OBJECT:
        return a in (A_PROTECT + where, A_HIDE + where, A_STRIKE + where, A_THROW + where)
    return a == A_POST + where if family == AGITATION else a == A_CLAIM


@jit
def exchange(s, R, family, where, key):
    """Exchange a treasure with the box, an object with the deck, an agitation card with the undealt ones, or an arrival with later ones."""
    if family == TREASURE:
        return other_treasure(s, R, where, key)
    if family == OBJECT:
        return other_object(s, where, key)
    return other_agitation(s, R, where, key) if family == AGITATION else other_arrival(s, R, where, key)


@jit
def other_treasure(s, R, old, key):
    """Exchange a treasure with one in the box; whoever knew where the old one lay knows where the new one lies."""
    box = first(TREASURES) & ~int(s.fallen) & ~int(s.pile)
    for p in range(R.seats):
        box &= ~int(s.seat[p].treasures) & ~int(s.seat[p].safe)
    new = any_member(box, key)
    if new >= 0:
        me = s.seat[top(s).seat]
        me.treasures = renamed(int(me.treasures), old, new)
        for p in range(R.seats):
            for k in range(PLACES):
                s.seat[p].may[k] = renamed(int(s.seat[p].may[k]), old, new)
    return new


@jit
def renamed(members, a, b):
    """Return a small set in which two members have exchanged their names."""
    return members ^ (bit(a) | bit(b)) if within(members, a) != within(members, b) else members


@jit
def other_object(s, old, key):
    """Exchange an object with one from the deck."""
    new = any_of(s.deck, old, key)
    if new >= 0:
        me = s.seat[top(s).seat]
        s.deck[new] -= 1
        s.deck[old] += 1
        me.objects[new] += 1
        me.objects[old] -= 1
        me.types = int(me.types) | bit(new) if me.objects[old] > 0 else without(int(me.types) | bit(new), old)
    return new


@jit
def other_agitation(s, R, old, key):
    """Exchange an agitation card with one that was dealt to nobody."""
    rest = R.kinds.copy()
    for kind in range(rest.size):
        rest[kind] -= s.agitation[kind]
        for p in range(R.seats):
            rest[kind] -= s.seat[p].agitation[kind]
    new = any_of(rest, old, key)
    if new >= 0:
        me = s.seat[top(s).seat]
        me.agitation[new] += 1
        me.agitation[old] -= 1
    return new


@jit
def other_arrival(s, R, old, key):
    """Exchange the arrival with one that nobody has seen; only one that this seat may claim will do."""
    group, rest = int(s.seat[top(s).seat].group), int(s.arrivals)
    for row in range(R.kin.size):
        if R.mask_bad_claims and int(R.kin[row]) & group == 0:
            rest = without(rest, row)
    new = any_member(rest, key)
    if new >= 0:
        s.arrivals = without(int(s.arrivals), new) | bit(old - HEROES)
        s.arrival = HEROES + new
    return new


OFFERS = Offers(FAMILIES, offered, lying, exchange, takes)
