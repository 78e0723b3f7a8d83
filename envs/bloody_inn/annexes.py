"""Annexes: how they are built, their effects when they are built, and where a corpse may be buried.

A grave is the place for one corpse under an annex.
"""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.effects import from_corpses, gain
from alehouse.envs.bloody_inn.layout import (
    A_AT, ANNEXES, BARN, BEARDED, CARAVAN, CARAVANS, DWARF, KEY, LASTING, NEUTRAL_ROOMS, ONCE, ONCE_AND_EXIT, OWN_ROOMS, PER_FAMILY,
    PLACES, SERVICE, TWINS,
)  # fmt: skip
from alehouse.envs.bloody_inn.places import absolute, empty_caravan, owned, relative, unserved
from alehouse.envs.bloody_inn.state import CLOSED, GRAVES, NOBODY, TWIN, WHITE
from alehouse.envs.core.run.bits import bit, first, lowest, popcount, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import pop, push

# Building an annex


@jit
def raise_annex(s, R, p, card):
    """Put an annex in front of a seat, with as many free graves as its rank, and return its number; NOBODY as the card means a barn."""
    new = s.built[s.annexes]
    new.owner = p
    new.card = card
    new.free = rank_of(R, new)
    new.across = 0
    for k in range(GRAVES):
        new.corpse[k] = NOBODY
    s.annexes += 1
    annex = annex_of(R, new)
    s.seat[p].annex[annex] += 1
    count_graves(s, R, p, annex)
    return s.annexes - 1


@jit
def annex_of(R, built):
    """Return the kind of annex that annex k is."""
    return BARN if built.card == NOBODY else int(R.annex[built.card])


@jit
def rank_of(R, built):
    """Return the rank of an annex, which is its number of graves."""
    return int(R.barn_rank) if built.card == NOBODY else int(R.low[built.card])


@jit
def count_graves(s, R, p, annex):
    """Count the free graves of a seat under its annexes of one kind."""
    free = 0
    for k in range(s.annexes):
        built = s.built[k]
        if built.owner == p and annex_of(R, built) == annex:
            free += int(built.free)
    me = s.seat[p]
    me.graves[annex] = free
    if free > 0:
        me.open |= bit(annex)
    else:
        me.open = without(me.open, annex)


@jit
def build(s, R, p, card):
    """Put a card in front of a seat as an annex or a caravan, and apply its effect on being built (BI 3.4.2)."""
    annex = int(R.annex[card])
    op = R.op[annex]
    if op == CARAVAN:
        place = CARAVANS
        while s.owner[place] != CLOSED and place < PLACES - 1:
            place += 1
        s.owner[place] = p
        s.guest[place] = NOBODY
        s.caravan[place - CARAVANS] = card
        s.seat[p].tokens -= 1
        return
    raise_annex(s, R, p, card)
    if op < LASTING:
        me = s.seat[p]
        if me.power[op] == 0 or not R.annex_once:
            me.power[op] += R.amount[annex]
    else:
        at_once(s, R, p, annex, op)


@jit
def at_once(s, R, p, annex, op):
    """Apply the one-time effect of an annex when it is built."""
    amount = int(R.amount[annex])
    if op == ONCE or op == ONCE_AND_EXIT:
        gain(s, R, p, amount)
    elif op == PER_FAMILY:
        gain(s, R, p, amount * family_annexes(s, R, p, R.colour[annex]))
    elif op == NEUTRAL_ROOMS:
        gain(s, R, p, amount * occupied_rooms(s, WHITE))
    elif op == OWN_ROOMS:
        gain(s, R, p, amount * occupied_rooms(s, p))
    elif op == KEY and s.seat[p].tokens > 0 and owned(s, WHITE) != 0:
        push(s, Q.KEY, p)
    elif op == SERVICE and s.seat[p].tokens > 0 and unserved(s) != 0:
        push(s, Q.SERVICE, p)


@jit
def family_annexes(s, R, p, family):
    """Count the annexes of a seat that are built from cards of one family."""
    n = 0
    me = s.seat[p]
    for annex in range(ANNEXES):
        if annex != BARN and R.colour[annex] == family:
            n += int(me.annex[annex])
    return n


@jit
def occupied_rooms(s, owner):
    """Count the rooms of an owner that hold a guest; caravans do not count."""
    return popcount(owned(s, owner) & int(s.full) & first(CARAVANS))


@jit
def legal_key(s, R, p, words):
    """List the rooms with a white key."""
    put(words, A_AT, owned(s, WHITE))


@jit
def apply_key(s, R, p, a):
    """Replace a white key by one of the seat's own."""
    pop(s)
    s.owner[a - A_AT] = p
    s.seat[p].tokens -= 1


@jit
def legal_service(s, R, p, words):
    """List the rooms without a service token."""
    put(words, A_AT, relative(unserved(s), p, R.seats))


@jit
def apply_service(s, R, p, a):
    """Put a service token on a room."""
    pop(s)
    s.service[absolute(a - A_AT, p, R.seats)] = p
    s.seat[p].tokens -= 1


# Burying a corpse


@jit
def graves_for(s, R, p, owner, kind):
    """Return as a set the annex kinds of an owner under which p may bury a corpse; bit ANNEXES stands for an empty caravan (BI 4.1.7)."""
    special = R.special[kind]
    if (special == BEARDED and owner == p) or (special == TWINS and owner != p and not R.twins_any):
        return 0
    them = s.seat[owner]
    found = them.open
    caravan = empty_caravan(s, owner) if R.carnies else -1
    if special == TWINS:
        found = 0
        for k in range(s.annexes):
            built = s.built[k]
            if built.owner == owner and built.free >= 2:
                found |= bit(annex_of(R, built))
    elif special == DWARF:
        for k in range(s.annexes):
            built = s.built[k]
            if built.owner == owner and not (R.dwarf_needs_rank and rank_of(R, built) == 0):
                found |= bit(annex_of(R, built))
    if caravan >= 0 and (special == DWARF or R.low[s.caravan[caravan - CARAVANS]] >= 1 + int(special == TWINS)):
        found |= bit(ANNEXES)
    return found


@jit
def buriable(s, R, p, kinds):
    """Return, out of a set of corpse kinds, those that p could bury somewhere."""
    plain = False
    caravans = False
    for owner in range(R.seats):
        plain |= s.seat[owner].open != 0
        caravans |= bool(R.carnies) and empty_caravan(s, owner) >= 0
    found = 0
    rest = kinds
    while rest != 0:
        kind = lowest(rest)
        rest &= rest - 1
        if R.special[kind] == 0 and not caravans:
            found |= int(plain) << kind
        else:
            there = False
            for owner in range(R.seats):
                there |= graves_for(s, R, p, owner, kind) != 0
            found |= int(there) << kind
    return found


@jit
def fullest(s, R, owner, annex, least):
    """Return the number of an owner's annex of a kind that has the fewest free graves, but at least `least`; -1 if there is none."""
    best = -1
    for k in range(s.annexes):
        built = s.built[k]
        if built.owner == owner and annex_of(R, built) == annex and built.free >= least and (best < 0 or built.free < s.built[best].free):
            best = k
    return best


@jit
def settle_caravan(s, R, owner):
    """Turn an empty caravan into an annex without effect, give its key back, and return the annex's number (BI 4.1.4)."""
    place = empty_caravan(s, owner)
    card = s.caravan[place - CARAVANS]
    s.owner[place] = CLOSED
    s.caravan[place - CARAVANS] = NOBODY
    s.seat[owner].tokens += 1
    return raise_annex(s, R, owner, card)


@jit
def lay(s, R, p, k, kind):
    """Lay a corpse under annex k; its money goes to the annex's owner, or half each to the owner and p (BI 3.4.4)."""
    built = s.built[k]
    owner = int(built.owner)
    special = R.special[kind]
    from_corpses(s, p, kind)
    coffins = 1
    if special == DWARF:
        built.across += 1
    else:
        put_under(s, built, kind)
        if special == TWINS:
            coffins = 2
            put_under(s, built, TWIN)
        count_graves(s, R, owner, annex_of(R, built))
    s.seat[owner].buried += coffins
    s.seat[p].interred += coffins
    money = int(R.money[kind])
    if owner == p:
        gain(s, R, p, money)
    else:
        gain(s, R, p, money // 2)
        gain(s, R, owner, money // 2)


@jit
def put_under(s, built, kind):
    """Put one coffin into a grave. If quicklime lets a corpse be buried in a full annex, it just leaves the game."""
    built.free = max(0, int(built.free) - 1)
    for k in range(GRAVES):
        if built.corpse[k] == NOBODY:
            built.corpse[k] = kind
            return
    if kind != TWIN:
        s.box[kind] += 1
