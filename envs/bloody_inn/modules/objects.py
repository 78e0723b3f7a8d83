"""Module 3, the objects: the windows in which they are played (BI 4.4, 1.7; BI-R36). The draft stands in deal.py."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.effects import from_corpses, gain, places_of, to_corpses, vacate, visible, visible_kinds
from alehouse.envs.bloody_inn.layout import (
    A_AT, A_CORPSE, A_DONE, A_OBJECT, A_SEAT, CAKE, COFFEE, CONFESSIONAL, LETTER, POISON, RUG, SNOW, TOMB, WELL,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules.attached import holds, spend
from alehouse.envs.bloody_inn.places import absolute, relative
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import bit, first, put, without
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit

SWITCHES = ("coffee_shield", "cake_room", "quicklime", "well_pays", "confession_count")
MODULE = Module(
    "objects",
    "Aunt Ginette's tricks",
    actions=("object", "corpse", "seat"),
    features=("my_objects", "used", "attached", "seen", "coffee", "cake", "letter", "snow"),
    numbers=("objects.", "start.cash_with_objects", *(f"switch.{name}" for name in SWITCHES)),
)


# Who is asked: every seat that holds an object and meets the public condition


@jit
def evening(s, R):
    """W1, round and round from the first player until all decline."""
    while R.objects and s.quiet < R.seats:
        p = (s.first + s.cursor) % R.seats
        s.cursor = (s.cursor + 1) % R.seats
        if s.seat[p].held > 0:
            push(s, Q.EVENING, p)
            return True
        s.quiet += 1
    return False


@jit
def after_action(s, R, p):
    """The well, after one's own action."""
    if R.objects and s.seat[p].held > 0 and s.seat[p].corpses > 0:
        push(s, Q.WELL, p)
        return True
    return False


@jit
def window(s, R, question):
    """W3a, W3b, W3c: each seat once, in turn order."""
    while R.objects and s.cursor < R.seats:
        p = (s.first + s.cursor) % R.seats
        s.cursor += 1
        if s.seat[p].held > 0 and concerned(s, R, p, question):
            push(s, question, p)
            return True
    return False


@jit
def concerned(s, R, p, question):
    """The public condition of a window of phase 3."""
    if question == Q.SNOW:
        return s.seat[p].corpses > 0
    if question == Q.TOMB:
        shown = 0
        for q in range(R.seats):
            shown += visible(s, q)
        return shown > 0
    return graves(s, R, p) < most_graves(s, R)


@jit
def graves(s, R, p):
    """Corpses that count for the confessional."""
    return int(s.seat[p].interred) if R.confess_interred else int(s.seat[p].buried)


@jit
def most_graves(s, R):
    """The largest such number."""
    most = 0
    for p in range(R.seats):
        most = max(most, graves(s, R, p))
    return most


# W1: letter, rug, coffee, cake, poison


@jit
def legal_evening(s, R, p, words):
    """Objects of the evening that have a target, or none."""
    put(words, A_DONE, 1)
    found = bit(LETTER)
    if s.seat[p].corpses > 0 and R.seats > 1:
        found |= bit(RUG)
    for item in (COFFEE, CAKE, POISON):
        found |= int(guests_for(s, R, p, item) != 0) << item
    put(words, A_OBJECT, found & int(s.seat[p].objects))


@jit
def apply_evening(s, R, p, a):
    """Play one object, or let the window pass."""
    pop(s)
    if a == A_DONE:
        s.quiet += 1
        return
    item = a - A_OBJECT
    s.quiet = 0
    spend(s, p, item)
    if item == LETTER:
        s.letter = 1
    else:
        push(s, Q.CORPSE if item == RUG else Q.PLACE, p, item)


@jit
def guests_for(s, R, p, item):
    """Places with a guest an object may be played on."""
    found = int(s.full)
    if item == POISON and s.coffee >= 0:
        found = without(found, s.coffee)
    if item == CAKE and R.cake_own:
        found &= places_of(s, p)
    return found


@jit
def legal_place(s, R, p, words):
    """Guests for coffee, cake or poison."""
    put(words, A_AT, relative(guests_for(s, R, p, top(s).a), p, R.seats))


@jit
def apply_place(s, R, p, a):
    """Serve or poison the guest."""
    item = top(s).a
    pop(s)
    place = absolute(a - A_AT, p, R.seats)
    if item == COFFEE:
        s.coffee = place
        gain(s, R, p, int(R.worth[COFFEE]) * int(R.up[s.guest[place]]))
    elif item == CAKE:
        s.cake = place
        s.cake_seat = p
    else:
        to_corpses(s, p, vacate(s, place))


@jit
def legal_recipient(s, R, p, words):
    """The rug goes to another player."""
    put(words, A_SEAT, first(R.seats) & ~1)


@jit
def apply_recipient(s, R, p, a):
    """The corpse is his."""
    kind = int(top(s).a)
    pop(s)
    from_corpses(s, p, kind)
    to_corpses(s, (p + a - A_SEAT) % R.seats, kind)


# Which corpse: rug, well, snow pile, tomb


@jit
def legal_corpse(s, R, p, words):
    """Corpses of the seat concerned; the tomb takes none that is hidden (BI-R16)."""
    item, owner = top(s).a, top(s).b
    put(words, A_CORPSE, visible_kinds(s, owner) if item == TOMB else s.seat[p].dead)


@jit
def apply_corpse(s, R, p, a):
    """Do with the corpse what the object says."""
    item, owner = int(top(s).a), int(top(s).b)
    pop(s)
    kind = a - A_CORPSE
    if item == RUG:
        push(s, Q.RECIPIENT, p, kind)
    elif item == SNOW:
        s.snow_seat = p
        s.snow = kind
    else:
        from_corpses(s, owner, kind)
        s.box[kind] += 1
        if item == TOMB or not R.well_free:
            gain(s, R, p, int(R.money[kind]))


# The well, the snow pile, the tomb, the confessional: windows for one object


@jit
def holds_any(s, p):
    """Return whether a seat holds objects, which others cannot see."""
    return s.seat[p].held > 0


@jit
def awaited(question):
    """The one object a window is for, or -1."""
    if question == Q.WELL or question == Q.SNOW:
        return WELL if question == Q.WELL else SNOW
    if question == Q.TOMB or question == Q.CONFESS:
        return TOMB if question == Q.TOMB else CONFESSIONAL
    return -1


@jit
def legal_window(s, R, p, words):
    """List the object that the window is for, if it is held, and declining."""
    item = awaited(top(s).what)
    put(words, A_DONE, 1)
    put(words, A_OBJECT + item, int(holds(s, p, item)))


@jit
def apply_window(s, R, p, a):
    """Play the object and ask for its target, or let the window pass."""
    item = awaited(top(s).what)
    pop(s)
    if a != A_DONE:
        spend(s, p, item)
        if item == TOMB:
            push(s, Q.TOMB_OWNER, p)
        elif item == CONFESSIONAL:
            push(s, Q.DONOR, p)
        else:
            push(s, Q.CORPSE, p, item, p)


@jit
def legal_tomb_owner(s, R, p, words):
    """Seats with a visible corpse."""
    for k in range(R.seats):
        put(words, A_SEAT + k, int(visible(s, (p + k) % R.seats) > 0))


@jit
def apply_tomb_owner(s, R, p, a):
    """Whose corpse; then which."""
    pop(s)
    push(s, Q.CORPSE, p, TOMB, (p + a - A_SEAT) % R.seats)


@jit
def legal_donor(s, R, p, words):
    """Those with most corpses (BI-R18)."""
    most = most_graves(s, R)
    for k in range(1, R.seats):
        put(words, A_SEAT + k, int(graves(s, R, (p + k) % R.seats) == most))


@jit
def apply_donor(s, R, p, a):
    """He gives what he can, cash only."""
    pop(s)
    donor = s.seat[(p + a - A_SEAT) % R.seats]
    given = min(int(R.worth[CONFESSIONAL]), int(donor.cash))
    donor.cash -= given
    gain(s, R, p, given)


# Phase 3


@jit
def cake_money(s, R, p):
    """The cake pays if its guest is still there (BI-R22)."""
    if s.cake >= 0 and s.cake_seat == p:
        return int(R.worth[CAKE]) * int(R.up[s.guest[s.cake]])
    return 0


@jit
def clear_table(s):
    """Cakes, coffees and snow piles are discarded."""
    s.coffee = -1
    s.cake = -1
    s.snow_seat = -1
    s.letter = 0
