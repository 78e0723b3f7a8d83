"""Module 3, the objects that are played together with a seat's own action (BI 1.7, window W2; BI-R41, BI-R42)."""

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.annexes import annex_of, count_graves
from alehouse.envs.bloody_inn.effects import gain
from alehouse.envs.bloody_inn.layout import (
    A_AT, A_CORPSE, A_OBJECT, A_UNDER, ANNEXES, BEARDED, BIBLE, BRIBE, BUILD, BURY, DWARF, GOLD_TEETH, HAMMER, KILL, LIQUOR, QUICKLIME,
    TWINS, UNDERS, WHEELBARROW, WOLF_TRAP,
)  # fmt: skip
from alehouse.envs.bloody_inn.payment import ask_payment, rank_budget
from alehouse.envs.bloody_inn.places import absolute, empty_caravan, relative
from alehouse.envs.bloody_inn.state import GRAVES, NOBODY, TWIN
from alehouse.envs.core.run.bits import bit, first, lowest, popcount, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.seats import left

LIME = 1 << QUICKLIME


@jit
def spend(s, p, item):
    """Take an object out of the game, because it was played."""
    me = s.seat[p]
    me.objects = without(me.objects, item)
    me.held -= 1
    s.used |= bit(item)


@jit
def attachable(s, R, p, bribes, builds, kills, buries):
    """Return the objects of a seat that fit an action it can still take; the last four arguments are the possible targets."""
    mine = int(s.seat[p].objects)
    verb = s.act.verb
    found = 0
    if bribes != 0:
        found |= bit(LIQUOR)
    if kills != 0:
        found |= bit(WOLF_TRAP)
    if buries != 0:
        found |= bit(BIBLE) | bit(GOLD_TEETH)
    if builds != 0:
        found |= bit(HAMMER)
    if within(mine, WHEELBARROW) and (verb < 0 or verb == BUILD) and barrow_guests(s, R, p) != 0:
        found |= bit(WHEELBARROW)
    if (mine & LIME) != 0 and (verb < 0 or verb == BURY) and s.act.lime < 0 and lime_helps(s, R, p):
        found |= LIME
    return found & mine


@jit
def may_attach(s, p):
    """Return whether a seat could, as far as others know, play an object with the current burials."""
    return s.act.verb == BURY and s.seat[p].held > 0


@jit
def attach(s, R, p, item):
    """Play an object with the coming action; from now on only actions that fit the object are possible."""
    spend(s, p, item)
    act = s.act
    if item == WHEELBARROW:
        act.verb = BUILD
        pop(s)
        push(s, Q.BARROW, p)
    elif item == QUICKLIME and not R.quicklime_ignores:
        act.verb = BURY
        push(s, Q.LIME, p)
    else:
        act.objects |= bit(item)
        act.verb = BRIBE if item == LIQUOR else BUILD if item == HAMMER else KILL if item == WOLF_TRAP else BURY


@jit
def buried(s, R, p):
    """Pay for gold teeth after a burial, to the seat that buried the corpse (BI-R27); quicklime is used up."""
    act = s.act
    if within(act.objects, GOLD_TEETH):
        gain(s, R, p, int(R.worth[GOLD_TEETH]) * int(R.low[act.card]))
    act.objects = without(without(act.objects, GOLD_TEETH), QUICKLIME)
    act.lime = -1


# The wheelbarrow: build with a guest instead of a card


@jit
def barrow_guests(s, R, p):
    """Return the places of guests from whom an annex can be built and paid for; coffee protects a guest."""
    rest = int(s.full)
    if s.coffee >= 0:
        rest = without(rest, s.coffee)
    kinds = R.buildable & R.low_upto[rank_budget(s, p, BUILD)]
    if s.seat[p].tokens == 0:
        kinds &= ~R.caravans
    found = 0
    while rest != 0:
        place = lowest(rest)
        rest &= rest - 1
        found |= ((kinds >> int(s.guest[place])) & 1) << place
    return found


@jit
def legal_barrow(s, R, p, words):
    """List the guests that can be built, and the hammer if it can go with it."""
    put(words, A_AT, relative(barrow_guests(s, R, p), p, R.seats))
    put(words, A_OBJECT, int(s.seat[p].objects) & bit(HAMMER))


@jit
def apply_barrow(s, R, p, a):
    """Build with a guest instead of a card from hand, or first play a hammer with it."""
    if a >= A_OBJECT:
        attach(s, R, p, a - A_OBJECT)
        return
    pop(s)
    act = s.act
    act.origin = absolute(a - A_AT, p, R.seats)
    act.card = s.guest[act.origin]
    act.cost = R.low[act.card]
    ask_payment(s, R, p)


# Quicklime: remove a corpse to make room for another


@jit
def fits(R, p, owner, kind, free):
    """Return whether this many free graves under an annex of `owner` are enough for p to bury a corpse there."""
    special = R.special[kind]
    if special == BEARDED and owner == p:
        return False
    if special == TWINS:
        return free >= 2 and (owner == p or bool(R.twins_any))
    return special == DWARF or free >= 1


@jit
def payable_corpses(s, R, p):
    """Return the kinds of unburied corpses that can be chosen next and paid for with the hand."""
    return s.seat[p].dead & R.low_upto[rank_budget(s, p, BURY)] & ~first(s.act.kind)


@jit
def limeable(s, R, p, k):
    """Return the kinds of corpses under annex k that quicklime may remove so that p can bury a corpse there."""
    built = s.built[k]
    found = 0
    for g in range(GRAVES):
        kind = int(built.corpse[g])
        if kind != NOBODY and kind != TWIN:
            free = int(built.free) + (2 if R.special[kind] == TWINS else 1)
            rest = payable_corpses(s, R, p)
            while rest != 0:
                if fits(R, p, built.owner, lowest(rest), free):
                    found |= bit(kind)
                rest &= rest - 1
    return found


@jit
def lime_helps(s, R, p):
    """Return whether quicklime makes any burial possible."""
    if R.quicklime_ignores:
        return buriable_with_lime(s, R, p, payable_corpses(s, R, p)) != 0
    for k in range(s.annexes):
        if limeable(s, R, p, k) != 0:
            return True
    return False


@jit
def buriable_with_lime(s, R, p, kinds):
    """Return, out of a set of kinds, those that fit into the grave that quicklime emptied (with a switch, under any annex)."""
    found = 0
    rest = kinds
    while rest != 0:
        kind = lowest(rest)
        rest &= rest - 1
        if R.quicklime_ignores:
            there = False
            for owner in range(R.seats):
                there |= annexes_for(s, R, p, owner, kind) != 0
        else:
            built = s.built[s.act.lime]
            there = fits(R, p, built.owner, kind, built.free)
        found |= int(there) << kind
    return found


@jit
def annexes_for(s, R, p, owner, kind):
    """Return as a set the annex kinds of an owner that may take a corpse, full or not; bit ANNEXES stands for an empty caravan."""
    found = 0
    if fits(R, p, owner, kind, 2):
        for annex in range(ANNEXES):
            found |= int(s.seat[owner].annex[annex] > 0) << annex
        if R.carnies and empty_caravan(s, owner) >= 0:
            found |= bit(ANNEXES)
    return found


@jit
def limeable_under(s, R, p, owner, annex):
    """Return the kinds of corpses that quicklime can remove from under an owner's annexes of one kind."""
    found = 0
    for k in range(s.annexes):
        if s.built[k].owner == owner and annex_of(R, s.built[k]) == annex:
            found |= limeable(s, R, p, k)
    return found


@jit
def legal_lime(s, R, p, words):
    """List the annexes to take a corpse from, by owner and kind."""
    for k in range(s.annexes):
        if limeable(s, R, p, k) != 0:
            put(words, A_UNDER + left(s.built[k].owner, p, R.seats) * UNDERS + annex_of(R, s.built[k]), 1)


@jit
def apply_lime(s, R, p, a):
    """Choose the annex; if different corpses lie there, the seat chooses one next."""
    pop(s)
    owner = (p + (a - A_UNDER) // UNDERS) % R.seats
    annex = (a - A_UNDER) % UNDERS
    kinds = limeable_under(s, R, p, owner, annex)
    if popcount(kinds) > 1:
        push(s, Q.LIME_CORPSE, p, owner, annex)
    else:
        dissolve(s, R, p, owner, annex, lowest(kinds))


@jit
def legal_lime_corpse(s, R, p, words):
    """List the corpses under the annex that was chosen."""
    put(words, A_CORPSE, limeable_under(s, R, p, top(s).a, top(s).b))


@jit
def apply_lime_corpse(s, R, p, a):
    """Choose the corpse that quicklime removes."""
    owner, annex = int(top(s).a), int(top(s).b)
    pop(s)
    dissolve(s, R, p, owner, annex, a - A_CORPSE)


@jit
def dissolve(s, R, p, owner, annex, kind):
    """Remove a corpse from the fullest annex of a kind that holds it; the next burial of this action must go there."""
    best = -1
    for k in range(s.annexes):
        built = s.built[k]
        if built.owner == owner and annex_of(R, built) == annex and within(limeable(s, R, p, k), kind):
            if best < 0 or built.free < s.built[best].free:
                best = k
    built = s.built[best]
    coffins = 2 if R.special[kind] == TWINS else 1
    gone = False
    for g in range(GRAVES):
        if (built.corpse[g] == kind and not gone) or (coffins == 2 and built.corpse[g] == TWIN):
            gone = gone or built.corpse[g] == kind
            built.corpse[g] = NOBODY
    built.free += coffins
    count_graves(s, R, owner, annex)
    s.seat[owner].buried -= coffins
    s.box[kind] += 1
    s.act.lime = best
