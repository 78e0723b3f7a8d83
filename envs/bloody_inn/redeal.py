"""Redealing what a seat cannot know: the objects that others keep (BI-R37). The draft is in modules/draft.py."""

import numpy as np

from alehouse.envs.bloody_inn.layout import DEAL, OBJECTS, P_DRAFT
from alehouse.envs.bloody_inn.modules.draft import HAND, PICKS, price
from alehouse.envs.core.run.bits import bit, first, lowest, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below

KNOWN, OPEN = -1, OBJECTS  # groups of slots: KNOWN holds those whose object is known, OPEN those of which nothing was seen


@jit
def redeal(s, R, p, key):
    """Deal again the objects that seat p cannot know.

    All deals that fit what p saw, the prices paid and the objects played are equally likely.
    """
    if not R.objects:
        return
    groups = np.empty(OBJECTS, np.int64)
    for k in range(OBJECTS):
        groups[k] = group(s, R, p, k)
    if s.phase != P_DRAFT:
        refill(s, groups, find_deal(s, R, groups, key))
        for k in range(OBJECTS):
            if groups[k] != KNOWN:
                groups[k] = groups[k] * OBJECTS + owner(k, R.seats) + 1
    for k in range(OBJECTS - 1, 0, -1):
        swap_within(s, groups, k, key)
    for q in range(R.seats):
        s.seat[q].objects = picks(s, R, q) & ~s.used


# What a seat knows about each slot of the draft


@jit
def owner(k, seats):
    """Return the seat that owns the pick in slot k, or -1."""
    hand, round = k // HAND, k % HAND
    return (hand + round) % seats if hand < seats and round < PICKS else -1


@jit
def picked(s, R, k):
    """Return whether the pick of slot k has been made."""
    if owner(k, R.seats) < 0:
        return False
    return s.phase != P_DRAFT or (k % HAND) * R.seats + owner(k, R.seats) < s.cursor


@jit
def picks(s, R, q):
    """Return the set of objects that a seat has picked so far."""
    found = 0
    for k in range(OBJECTS):
        if owner(k, R.seats) == q and picked(s, R, k):
            found |= bit(s.slot[k])
    return found


@jit
def group(s, R, p, k):
    """Return the group of slot k.

    It is KNOWN if p knows the slot's object, OPEN if p knows nothing of it, else the number of the last look that p had at its hand. The
    objects of one look are known only together, as a set.
    """
    hand = k // HAND
    if hand >= R.seats:
        return OPEN
    now = s.cursor // R.seats if s.phase == P_DRAFT else PICKS - 1
    look = (p - hand) % R.seats
    last = OPEN
    while look <= min(now, PICKS - 1) and look <= k % HAND:
        last = look
        look += R.seats
    if last == OPEN:
        return OPEN
    if (last == k % HAND and picked(s, R, k)) or look <= min(now, PICKS - 1, k % HAND + 1):
        return KNOWN
    return hand * HAND + last


# The search for a deal


@jit
def find_deal(s, R, groups, key):
    """Go through all deals that fit and keep one of them, all equally likely.

    Return the object of every slot that was picked and that p does not know, and -1 for other slots. Slots of one seat and one group are
    filled in ascending order; the order of their picks, and the place of the other objects, are shuffled afterwards.
    """
    slots = np.empty(OBJECTS, np.int64)
    n = 0
    for q in range(R.seats):
        for k in range(OBJECTS):
            if owner(k, R.seats) == q and groups[k] != KNOWN:
                slots[n] = k
                n += 1
    options, chosen, kept = np.zeros(OBJECTS + 1, np.int64), np.zeros(OBJECTS, np.int64), np.full(OBJECTS, -1, np.int64)
    found = level = 0
    taken = 0
    options[0] = candidates(s, R, groups, slots, chosen, 0, 0) if n > 0 else 0
    while level >= 0 and n > 0:
        if options[level] == 0:
            level -= 1
            if level >= 0:
                taken = without(taken, chosen[level])
            continue
        chosen[level] = lowest(options[level])
        options[level] &= options[level] - 1
        if not fits(s, R, groups, slots, chosen, level, n):
            continue
        if level == n - 1:
            found += 1
            if below(key, DEAL, 1, 0, found, found) == 0:
                for j in range(n):
                    kept[slots[j]] = chosen[j]
        else:
            taken |= bit(chosen[level])
            level += 1
            options[level] = candidates(s, R, groups, slots, chosen, level, taken)
    return kept


@jit
def candidates(s, R, groups, slots, chosen, level, taken):
    """Return the objects that may lie in the slot at this level of the search."""
    k = slots[level]
    q = owner(k, R.seats)
    found = 0
    for j in range(OBJECTS):
        item = int(s.slot[j])
        played = (int(s.used) >> item) & 1
        if groups[j] == groups[k] and (not played or owner(j, R.seats) == q):
            found |= bit(item)
    if level > 0 and groups[slots[level - 1]] == groups[k] and owner(slots[level - 1], R.seats) == q:
        found &= ~first(chosen[level - 1] + 1)
    return found & ~taken


@jit
def fits(s, R, groups, slots, chosen, level, n):
    """Return whether a seat's slots have the price it paid and hold what it played, if this level fills the last of them."""
    q = owner(slots[level], R.seats)
    if level + 1 < n and owner(slots[level + 1], R.seats) == q:
        return True
    mine = 0
    played = 0
    for k in range(OBJECTS):
        if owner(k, R.seats) == q:
            played |= bit(s.slot[k]) & int(s.used)
            if groups[k] == KNOWN:
                mine |= bit(s.slot[k])
    for j in range(level + 1):
        if owner(slots[j], R.seats) == q:
            mine |= bit(chosen[j])
    return price(R, mine) == s.seat[q].spent and played & ~mine == 0


@jit
def refill(s, groups, kept):
    """Put the objects found into their slots; the other objects of a group fill the slots that are left."""
    for k in range(OBJECTS):
        if kept[k] >= 0 and s.slot[k] != kept[k]:
            for j in range(OBJECTS):
                if s.slot[j] == kept[k]:
                    s.slot[j] = s.slot[k]
                    s.slot[k] = kept[k]
                    break


@jit
def swap_within(s, groups, k, key):
    """Swap slot k with a random slot of its group up to k, all equally likely: one step of a shuffle within each group."""
    n = 0
    for j in range(k + 1):
        n += int(groups[j] == groups[k])
    if groups[k] == KNOWN or n < 2:
        return
    pick = below(key, DEAL, 0, 0, k, n)
    for j in range(k + 1):
        if groups[j] == groups[k]:
            if pick == 0:
                s.slot[k], s.slot[j] = s.slot[j], s.slot[k]
                return
            pick -= 1
