"""Module 3, the objects: the moments (windows) at which they are played (BI 4.4, 1.7; BI-R36, BI-R47).

The draft is in draft.py; objects that go with an action are in action_objects.py.
"""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.effects import from_corpses, gain, take_guest, to_corpses, visible, visible_kinds
from alehouse.envs.bloody_inn.layout import (
    A_AT, A_CORPSE, A_DONE, A_OBJECT, A_SEAT, CAKE, COFFEE, CONFESSIONAL, LETTER, P_NIGHT, POISON, RUG, SNOW, TOMB, WELL,
)  # fmt: skip
from alehouse.envs.bloody_inn.modules.action_objects import spend
from alehouse.envs.bloody_inn.places import absolute, in_turn, owned, relative
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.bits import bit, first, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.turns import enter

SWITCHES = ("coffee_shield", "cake_room", "quicklime", "well_pays", "confession_count")
MODULE = Module(
    "objects",
    "Aunt Ginette's tricks",
    actions=("object", "corpse", "seat"),
    features=("my_objects", "used", "attached", "seen", "coffee", "cake", "letter", "snow"),
    numbers=("objects.", "start.cash_with_objects", *(f"switch.{name}" for name in SWITCHES)),
)


EVENING = sum(1 << item for item in (LETTER, RUG, COFFEE, CAKE, POISON))


@jit
def holds_any(s, p):
    """Return whether a seat holds objects, which others cannot see."""
    return s.seat[p].held > 0


@jit
def may_hold(s, p, items):
    """Return whether a seat may hold one of a set of objects, by what is public: it holds some, and not all of these are played."""
    return s.seat[p].held > 0 and items & ~int(s.used) != 0


# W1, the window of the evening: letter, rug, coffee, cake, poison


@jit
def evening(s, R):
    """Open the window for the objects of the evening, if objects are in play."""
    if R.objects:
        push(s, Q.EVENING_WINDOW, s.first)
    else:
        enter(s, P_NIGHT)


@jit
def evening_window(s, R):
    """Ask the next seat that may hold an object of the evening, round and round, until all seats in a row have declined or have none."""
    window = top(s)
    if window.a == R.seats:
        pop(s)
        enter(s, P_NIGHT)
        return
    p = in_turn(s, R, s.cursor)
    s.cursor = (s.cursor + 1) % R.seats
    if may_hold(s, p, EVENING):
        push(s, Q.EVENING, p)
    else:
        window.a += 1


@jit
def legal_evening(s, R, p, words):
    """List the objects of the evening that have a target now, and declining."""
    put(words, A_DONE, 1)
    found = bit(LETTER)
    if s.seat[p].corpses > 0 and R.seats > 1:
        found |= bit(RUG)
    for item in (COFFEE, CAKE, POISON):
        found |= int(guests_for(s, R, p, item) != 0) << item
    put(words, A_OBJECT, found & int(s.seat[p].objects))


@jit
def apply_evening(s, R, p, a):
    """Play an object, or decline."""
    pop(s)
    window = top(s)
    if a == A_DONE:
        window.a += 1
        return
    window.a = 0
    item = a - A_OBJECT
    spend(s, p, item)
    if item == LETTER:
        s.letter = 1
    elif item == RUG:
        push(s, Q.CORPSE, p, item, p)
    else:
        push(s, Q.PLACE, p, item)


@jit
def guests_for(s, R, p, item):
    """Return the places of guests on whom coffee, cake or poison may be played."""
    found = int(s.full)
    if item == POISON and s.coffee >= 0:
        found = without(found, s.coffee)
    if item == CAKE and R.cake_own:
        found &= owned(s, p)
    return found


@jit
def legal_place(s, R, p, words):
    """List the guests for coffee, cake or poison."""
    put(words, A_AT, relative(guests_for(s, R, p, top(s).a), p, R.seats))


@jit
def apply_place(s, R, p, a):
    """Serve the coffee or the cake to the guest, or poison him."""
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
        to_corpses(s, p, take_guest(s, place))


@jit
def legal_recipient(s, R, p, words):
    """List the other players, for the rug."""
    put(words, A_SEAT, first(R.seats) & ~1)


@jit
def apply_recipient(s, R, p, a):
    """Give the chosen corpse to this player (rug)."""
    kind = int(top(s).a)
    pop(s)
    from_corpses(s, p, kind)
    to_corpses(s, (p + a - A_SEAT) % R.seats, kind)


# Windows for one object each: the well after an action; snow pile, tomb and confessional in phase 3


@jit
def offer_well(s, R, p):
    """Offer the well to a seat with an unburied corpse, after its action."""
    if may_hold(s, p, bit(WELL)) and s.seat[p].corpses > 0:
        push(s, Q.WELL, p, WELL)


@jit
def offer(s, R, question, item, phase):
    """Offer an object to the next seat in turn order that may hold it and could use it; after the last seat enter a phase."""
    while R.objects and s.stack.n == 0 and s.cursor < R.seats:
        p = in_turn(s, R, s.cursor)
        s.cursor += 1
        if may_hold(s, p, bit(item)) and of_use(s, R, p, item):
            push(s, question, p, item)
    if s.stack.n == 0:
        enter(s, phase)


@jit
def of_use(s, R, p, item):
    """Return whether a seat could use a snow pile, a tomb or a confessional if it held one, as far as everybody can see."""
    if item == SNOW:
        return s.seat[p].corpses > 0
    if item == TOMB:
        shown = 0
        for q in range(R.seats):
            shown += visible(s, q)
        return shown > 0
    return burials(s, R, p) < most_burials(s, R)


@jit
def legal_window(s, R, p, words):
    """List the object of this window, if the seat holds it, and declining."""
    put(words, A_DONE, 1)
    put(words, A_OBJECT, bit(top(s).a) & int(s.seat[p].objects))


@jit
def apply_window(s, R, p, a):
    """Play the object and ask for its target next, or decline."""
    item = int(top(s).a)
    pop(s)
    if a != A_DONE:
        spend(s, p, item)
        if item == TOMB:
            push(s, Q.TOMB_OWNER, p)
        elif item == CONFESSIONAL:
            push(s, Q.DONOR, p)
        else:
            push(s, Q.CORPSE, p, item, p)


# Targets of rug, well, snow pile, tomb and confessional


@jit
def legal_corpse(s, R, p, words):
    """List the owner's corpses that may be chosen; the tomb cannot take one under a snow pile (BI-R16)."""
    item, owner = top(s).a, top(s).b
    put(words, A_CORPSE, visible_kinds(s, owner) if item == TOMB else s.seat[owner].dead)


@jit
def apply_corpse(s, R, p, a):
    """Carry out what the object does to this corpse."""
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


@jit
def legal_tomb_owner(s, R, p, words):
    """List the seats with a visible corpse, which the tomb may take."""
    for k in range(R.seats):
        put(words, A_SEAT + k, int(visible(s, (p + k) % R.seats) > 0))


@jit
def apply_tomb_owner(s, R, p, a):
    """Choose whose corpse goes under the tomb; which corpse is chosen next."""
    pop(s)
    push(s, Q.CORPSE, p, TOMB, (p + a - A_SEAT) % R.seats)


@jit
def burials(s, R, p):
    """Return how many corpses of a seat count for the confessional."""
    return int(s.seat[p].interred) if R.confess_interred else int(s.seat[p].buried)


@jit
def most_burials(s, R):
    """Return the largest number of corpses that count for the confessional."""
    most = 0
    for p in range(R.seats):
        most = max(most, burials(s, R, p))
    return most


@jit
def legal_donor(s, R, p, words):
    """List the other seats with the most corpses (BI-R18)."""
    most = most_burials(s, R)
    for k in range(1, R.seats):
        put(words, A_SEAT + k, int(burials(s, R, (p + k) % R.seats) == most))


@jit
def apply_donor(s, R, p, a):
    """Take the francs that are due from this seat, as far as its cash goes."""
    pop(s)
    donor = s.seat[(p + a - A_SEAT) % R.seats]
    given = min(int(R.worth[CONFESSIONAL]), int(donor.cash))
    donor.cash -= given
    gain(s, R, p, given)


# The morning: cake money, and clearing the table


@jit
def cake_money(s, R, p):
    """Return what a cake pays a seat if its guest is still there (BI-R22)."""
    if s.cake >= 0 and s.cake_seat == p:
        return int(R.worth[CAKE]) * int(R.up[s.guest[s.cake]])
    return 0


@jit
def clear_table(s):
    """Discard cakes, coffees, snow piles and letters."""
    s.coffee = -1
    s.cake = -1
    s.snow_seat = -1
    s.letter = 0
