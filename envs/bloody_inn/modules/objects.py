"""Module 3, the objects: the windows in which they are played (BI 4.4, 1.7; BI-R36). The draft stands in deal.py."""

from alehouse.envs.bloody_inn.effects import from_corpses, gain, places_of, to_corpses, vacate, visible, visible_kinds
from alehouse.envs.bloody_inn.layout import (
    A_AT, A_CORPSE, A_DONE, A_OBJECT, A_SEAT, CAKE, COFFEE, CONFESSIONAL, LETTER, POISON, Q_CONFESS, Q_CORPSE, Q_DONOR, Q_EVENING,
    Q_PLACE, Q_RECIPIENT, Q_SNOW, Q_TOMB, Q_TOMB_OWNER, Q_WELL, RUG, SNOW, TOMB, WELL,
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
            push(s.asks, Q_EVENING, p, 0, 0)
            return True
        s.quiet += 1
    return False


@jit
def after_action(s, R, p):
    """The well, after one's own action."""
    if R.objects and s.seat[p].held > 0 and s.seat[p].corpses > 0:
        push(s.asks, Q_WELL, p, 0, 0)
        return True
    return False


@jit
def window(s, R, question):
    """W3a, W3b, W3c: each seat once, in turn order."""
    while R.objects and s.cursor < R.seats:
        p = (s.first + s.cursor) % R.seats
        s.cursor += 1
        if s.seat[p].held > 0 and concerned(s, R, p, question):
            push(s.asks, question, p, 0, 0)
            return True
    return False


@jit
def concerned(s, R, p, question):
    """The public condition of a window of phase 3."""
    if question == Q_SNOW:
        return s.seat[p].corpses > 0
    if question == Q_TOMB:
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
    pop(s.asks)
    if a == A_DONE:
        s.quiet += 1
        return
    item = a - A_OBJECT
    s.quiet = 0
    spend(s, p, item)
    if item == LETTER:
        s.letter = 1
    else:
        push(s.asks, Q_CORPSE if item == RUG else Q_PLACE, p, item, 0)


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
    put(words, A_AT, relative(guests_for(s, R, p, top(s.asks).a), p, R.seats))


@jit
def apply_place(s, R, p, a):
    """Serve or poison the guest."""
    item = top(s.asks).a
    pop(s.asks)
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
    kind = int(top(s.asks).a)
    pop(s.asks)
    from_corpses(s, p, kind)
    to_corpses(s, (p + a - A_SEAT) % R.seats, kind)


# Which corpse: rug, well, snow pile, tomb


@jit
def legal_corpse(s, R, p, words):
    """Corpses of the seat concerned; the tomb takes none that is hidden (BI-R16)."""
    item, owner = top(s.asks).a, top(s.asks).b
    put(words, A_CORPSE, visible_kinds(s, owner) if item == TOMB else s.seat[p].dead)


@jit
def apply_corpse(s, R, p, a):
    """Do with the corpse what the object says."""
    item, owner = int(top(s.asks).a), int(top(s.asks).b)
    pop(s.asks)
    kind = a - A_CORPSE
    if item == RUG:
        push(s.asks, Q_RECIPIENT, p, kind, 0)
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
def awaited(question):
    """The one object a window is for, or -1."""
    if question == Q_WELL or question == Q_SNOW:
        return WELL if question == Q_WELL else SNOW
    if question == Q_TOMB or question == Q_CONFESS:
        return TOMB if question == Q_TOMB else CONFESSIONAL
    return -1


@jit
def legal_window(s, R, p, words, item):
    """This object if it is held, or nothing."""
    put(words, A_DONE, 1)
    put(words, A_OBJECT + item, int(holds(s, p, item)))


@jit
def apply_window(s, R, p, a, item):
    """Play it and go on to its target, or let the window pass."""
    pop(s.asks)
    if a != A_DONE:
        spend(s, p, item)
        if item == TOMB:
            push(s.asks, Q_TOMB_OWNER, p, 0, 0)
        elif item == CONFESSIONAL:
            push(s.asks, Q_DONOR, p, 0, 0)
        else:
            push(s.asks, Q_CORPSE, p, item, p)


@jit
def legal_tomb_owner(s, R, p, words):
    """Seats with a visible corpse."""
    for k in range(R.seats):
        put(words, A_SEAT + k, int(visible(s, (p + k) % R.seats) > 0))


@jit
def apply_tomb_owner(s, R, p, a):
    """Whose corpse; then which."""
    pop(s.asks)
    push(s.asks, Q_CORPSE, p, TOMB, (p + a - A_SEAT) % R.seats)


@jit
def legal_donor(s, R, p, words):
    """Those with most corpses (BI-R18)."""
    most = most_graves(s, R)
    for k in range(1, R.seats):
        put(words, A_SEAT + k, int(graves(s, R, (p + k) % R.seats) == most))


@jit
def apply_donor(s, R, p, a):
    """He gives what he can, cash only."""
    pop(s.asks)
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
