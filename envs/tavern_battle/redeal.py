"""Redealing: dealing again what a seat cannot know, so that it fits all the seat has seen (TB 6).

Treasures change places within what the seat remembers: a long random walk, each step of which exchanges two or three of them, makes all
arrangements that fit equally likely. Then the treasures get new names, also in what the other seats remember.
"""

import numpy as np

from alehouse.envs.core.run.bits import bit, member, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below, draw
from alehouse.envs.tavern_battle.flow import agitation_left
from alehouse.envs.tavern_battle.layout import BOX, HAND, KINDS, OBJECTS, P_OFFERS, PILE, PLACES, REDEAL, SAFE, TREASURES
from alehouse.envs.tavern_battle.state import NOBODY

STEPS = 24  # how many steps the walk takes for each treasure that may lie elsewhere
(WALK, OFFER_SIZE, OFFER, PASSED, AGITATION, DECK, HANDS) = range(7)  # the purposes for which the stream REDEAL is drawn


@jit
def redeal(s, R, p, key):
    """Redeal everything that seat p cannot know, except the luck to come."""
    redeal_treasures(s, R, p, key)
    for q in range(R.seats):
        if q != p:
            redeal_choices(s, R, q, key)
    redeal_agitation(s, R, p, key)
    redeal_objects(s, R, p, key)


# Treasures in hands, in safety, in the pile and in the box


@jit
def redeal_treasures(s, R, p, key):
    """Walk from one arrangement of the treasures to another, then rename the treasures."""
    may = s.seat[p].may
    place = np.empty(TREASURES, np.int64)
    label = np.empty(TREASURES, np.int64)
    loose = np.empty(TREASURES, np.int64)
    n = 0
    for t in range(TREASURES):
        place[t] = whereabouts(s, R, t)
        label[t] = t
        options = 0
        for k in range(PLACES):
            options += int(within(may[k], t))
        if options > 1:
            loose[n] = t
            n += 1
    for k in range(STEPS * n):
        exchange(may, place, label, loose, n, np.int64(draw(key, REDEAL, WALK, 0, k) >> np.uint64(16)))
    if n > 1:
        rename(s, R, p, label)


@jit
def whereabouts(s, R, t):
    """Return the place where a treasure lies; a treasure in sight counts as in the box."""
    for p in range(R.seats):
        if within(s.seat[p].treasures, t):
            return HAND + p
        if within(s.seat[p].safe, t):
            return SAFE + p
    return PILE if within(s.pile, t) else BOX


@jit
def exchange(may, place, label, loose, n, bits):
    """Exchange two treasures, or three in a ring, if all of them may lie there. A step and its reverse must be equally likely."""
    a = loose[((bits & 0xFFFF) * n) >> 16]
    b = loose[(((bits >> 16) & 0xFFFF) * n) >> 16]
    c = loose[(((bits >> 32) & 0xFFFF) * n) >> 16]
    if a == b:
        return
    x, y, z = label[a], label[b], label[c]
    if c == a or c == b:
        if within(may[place[a]], y) and within(may[place[b]], x):
            label[a], label[b] = y, x
    elif within(may[place[a]], y) and within(may[place[b]], z) and within(may[place[c]], x):
        label[a], label[b], label[c] = y, z, x


@jit
def renamed(members, label):
    """Return a set of treasures under their new names."""
    found = 0
    for t in range(TREASURES):
        found |= ((int(members) >> t) & 1) << label[t]
    return found


@jit
def rename(s, R, p, label):
    """Give every treasure its new name, in the memory of the other seats too."""
    for q in range(R.seats):
        me = s.seat[q]
        me.treasures = renamed(me.treasures, label)
        me.safe = renamed(me.safe, label)
        if q != p:
            for k in range(PLACES):
                me.may[k] = renamed(me.may[k], label)
    s.pile = renamed(s.pile, label)


# Choices that are still secret


@jit
def redeal_choices(s, R, q, key):
    """Redeal an offer that is not shown yet, and the treasure that a seat has chosen to pass to the left."""
    me = s.seat[q]
    if s.phase == P_OFFERS and 0 < (q - s.seller) % R.seats <= s.cursor:
        me.offer = some_offer(me, R, q, key)
    if me.passing != NOBODY:
        n = popcount(me.treasures)
        me.passing = member(me.treasures, below(key, REDEAL, PASSED, q, 0, n))


@jit
def some_offer(me, R, q, key):
    """Return a random offer that the seat may have made: draw first its size, then its treasures; all offers are equally likely."""
    n = popcount(me.treasures)
    most = n if R.max_offer == 0 else min(n, int(R.max_offer))
    total = 0
    for size in range(most + 1):
        total += choices(n, size)
    k = np.int64(draw(key, REDEAL, OFFER_SIZE, q, 0) % np.uint64(total))
    size = 0
    while k >= choices(n, size):
        k -= choices(n, size)
        size += 1
    found = 0
    for j in range(n):
        if below(key, REDEAL, OFFER, q, j, n - j) < size:
            found |= bit(member(me.treasures, j))
            size -= 1
    return found


@jit
def choices(n, k):
    """Return the number of ways to choose k things out of n."""
    ways = 1
    for j in range(k):
        ways = ways * (n - j) // (j + 1)
    return ways


# Agitation cards and objects in hands and decks


@jit
def redeal_agitation(s, R, p, key):
    """Redeal the others' agitation cards from all that are neither posted nor in this seat's hand."""
    n = 0
    for kind in range(KINDS):
        n += int(R.kinds[kind]) - int(s.agitation[kind]) - int(s.seat[p].agitation[kind])
    for q in range(R.seats):
        if q != p:
            s.seat[q].agitation[:] = 0
    for q in range(R.seats):
        if q != p:
            for _ in range(s.seat[q].cards):
                k = below(key, REDEAL, AGITATION, q, n, n)
                s.seat[q].agitation[agitation_left(s, R, k)] += 1
                n -= 1


@jit
def redeal_objects(s, R, p, key):
    """Redeal the deck from the objects that were shuffled into it, and the others' hands from the rest."""
    s.deck[:] = 0
    for q in range(R.seats):
        if q != p:
            s.seat[q].objects[:] = 0
            s.seat[q].types = 0
    for k in range(s.left):
        s.deck[free_object(s, R, p, key, DECK, 0, k, True)] += 1
    for q in range(R.seats):
        if q != p:
            for k in range(s.seat[q].held):
                kind = free_object(s, R, p, key, HANDS, q, k, False)
                s.seat[q].objects[kind] += 1
                s.seat[q].types |= bit(kind)


@jit
def free_object(s, R, p, key, use, q, index, for_deck):
    """Return the type of a random object that is not dealt yet, all objects equally likely."""
    n = 0
    for kind in range(OBJECTS):
        n += undealt(s, R, p, kind, for_deck)
    k = below(key, REDEAL, use, q, index, n)
    kind = 0
    while k >= undealt(s, R, p, kind, for_deck):
        k -= undealt(s, R, p, kind, for_deck)
        kind += 1
    return kind


@jit
def undealt(s, R, p, kind, for_deck):
    """Return how many objects of a type are hidden from seat p and not dealt yet."""
    n = int(s.hidden_objects[kind]) - int(s.seat[p].objects[kind])
    if for_deck:
        return min(n, int(s.shuffled[kind])) - int(s.deck[kind])
    for q in range(R.seats):
        if q != p:
            n -= int(s.seat[q].objects[kind])
    return n - int(s.deck[kind])
