"""What the seat to move has in hand, treasures to sell, objects and agitation cards, and the arrival it may claim."""

from alehouse.benchmarks.balance.kernels.offers import OTHER, WHERE, Family, any_member, any_of, kernel
from alehouse.envs.core.run.bits import bit, first, within, without
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.tavern_battle.layout import (
    A_CLAIM,
    A_HIDE,
    A_POST,
    A_PROTECT,
    A_STRIKE,
    A_THROW,
    A_TREASURE,
    AGITATION_NAMES,
    ARRIVAL_NAMES,
    HEROES,
    OBJECT_NAMES,
    OBJECTS,
    PLACES,
    TREASURE_NAMES,
    TREASURES,
)  # fmt: skip

FAMILIES = (
    Family("treasures in hand", tuple(TREASURE_NAMES)),
    Family("objects in hand", tuple(OBJECT_NAMES)),
    Family("agitation cards in hand", tuple(AGITATION_NAMES)),
    Family("arrivals to claim", tuple(ARRIVAL_NAMES)),
)
TREASURE, OBJECT, AGITATION, ARRIVAL = range(len(FAMILIES))


@kernel
def offered(s, family, key):
    """A treasure before one is shown, an object before an action, an agitation card before one is posted, an arrival new to all."""
    ask = top(s)
    me = s.seat[ask.seat]
    if family == TREASURE:
        return any_member(int(me.treasures), key, WHERE) if ask.what == Q.REVEAL else -1
    if family == OBJECT:
        return any_of(replaceable(s, me), -1, key, WHERE) if ask.what == Q.ACTION else -1
    if family == AGITATION:
        return any_of(me.agitation, -1, key, WHERE) if ask.what == Q.POST else -1
    return int(s.arrival) if ask.what == Q.CLAIM and int(s.heard) == bit(ask.seat) else -1


@kernel
def replaceable(s, me):
    """Objects in hand that may have come from this deck, by type: those of which it had more."""
    found = me.objects.copy()
    for kind in range(OBJECTS):
        if s.deck[kind] >= s.shuffled[kind]:
            found[kind] = 0
    return found


@kernel
def lying(s, family, where):
    """Which item."""
    return where - HEROES if family == ARRIVAL else where


@kernel
def takes(s, family, where, a):
    """Selling the treasure, using the object, posting the card, claiming the arrival."""
    if family == TREASURE:
        return a == A_TREASURE + where
    if family == OBJECT:
        return a in (A_PROTECT + where, A_HIDE + where, A_STRIKE + where, A_THROW + where)
    return a == A_POST + where if family == AGITATION else a == A_CLAIM


@kernel
def exchange(s, R, family, where, key):
    """One of the box, of the deck, dealt to nobody, or of the arrivals to come."""
    if family == TREASURE:
        return other_treasure(s, R, where, key)
    if family == OBJECT:
        return other_object(s, where, key)
    return other_agitation(s, R, where, key) if family == AGITATION else other_arrival(s, R, where, key)


@kernel
def other_treasure(s, R, old, key):
    """The treasure goes into the box; whoever knew where it lay knows where the new one lies."""
    box = first(TREASURES) & ~int(s.fallen) & ~int(s.pile)
    for p in range(R.seats):
        box &= ~int(s.seat[p].treasures) & ~int(s.seat[p].safe)
    new = any_member(box, key, OTHER)
    if new >= 0:
        me = s.seat[top(s).seat]
        me.treasures = renamed(int(me.treasures), old, new)
        for p in range(R.seats):
            for k in range(PLACES):
                s.seat[p].may[k] = renamed(int(s.seat[p].may[k]), old, new)
    return new


@kernel
def renamed(members, a, b):
    """A small set in which two things have changed names."""
    return members ^ (bit(a) | bit(b)) if within(members, a) != within(members, b) else members


@kernel
def other_object(s, old, key):
    """The object goes into the deck."""
    new = any_of(s.deck, old, key, OTHER)
    if new >= 0:
        me = s.seat[top(s).seat]
        s.deck[new] -= 1
        s.deck[old] += 1
        me.objects[new] += 1
        me.objects[old] -= 1
        me.types = int(me.types) | bit(new) if me.objects[old] > 0 else without(int(me.types) | bit(new), old)
    return new


@kernel
def other_agitation(s, R, old, key):
    """The card goes to those dealt to nobody."""
    rest = R.kinds.copy()
    for kind in range(rest.size):
        rest[kind] -= s.agitation[kind]
        for p in range(R.seats):
            rest[kind] -= s.seat[p].agitation[kind]
    new = any_of(rest, old, key, OTHER)
    if new >= 0:
        me = s.seat[top(s).seat]
        me.agitation[new] += 1
        me.agitation[old] -= 1
    return new


@kernel
def other_arrival(s, R, old, key):
    """The arrival goes back to those nobody has seen; the seat asked must be one that would be asked about the new one."""
    group, rest = int(s.seat[top(s).seat].group), int(s.arrivals)
    for row in range(R.kin.size):
        if R.mask_bad_claims and int(R.kin[row]) & group == 0:
            rest = without(rest, row)
    new = any_member(rest, key, OTHER)
    if new >= 0:
        s.arrivals = without(int(s.arrivals), new) | bit(old - HEROES)
        s.arrival = HEROES + new
    return new
