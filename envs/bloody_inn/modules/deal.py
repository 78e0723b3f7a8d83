"""Module 3, the draft of the objects, and what a seat can know of it (BI 2.3, BI-R37).

Every object lies in a slot. Hand d of the deal fills slots 4 d to 4 d + 3: the card picked from it in round r moves to
slot 4 d + r, where it belongs to seat d + r, and the last one goes to the box. Later slots were never dealt.
"""

import numpy as np

from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.layout import A_OBJECT, DEAL, OBJECTS, P_DRAFT
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, first, lowest, put, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below

PICKS = 3
HAND = PICKS + 1
KNOWN, OPEN = -1, OBJECTS  # groups of slots: known card by card; anything not seen


@jit
def deal(s, R):
    """Shuffle the objects over the slots."""
    for k in range(OBJECTS):
        s.slot[k] = k
    for k in range(OBJECTS - 1, 0, -1):
        j = below(s.seed, DEAL, 0, 0, k, k + 1)
        s.slot[k], s.slot[j] = s.slot[j], s.slot[k]


@jit
def ask(s, R):
    """The next pick, seat by seat; after three rounds everybody pays."""
    if R.objects and s.cursor < PICKS * R.seats:
        push(s, Q.DRAFT, s.cursor % R.seats)
        return True
    if R.objects:
        for p in range(R.seats):
            me = s.seat[p]
            me.spent = price(R, int(me.objects))
            me.cash = max(0, int(R.start_cash) - int(me.spent))
    return False


@jit
def price(R, objects):
    """What a set of objects costs."""
    total = 0
    while objects != 0:
        total += int(R.price[lowest(objects)])
        objects &= objects - 1
    return total


@jit
def offered(s, R, p):
    """The set of objects a seat may keep one of now."""
    round = s.cursor // R.seats
    hand = (p - round) % R.seats
    found = 0
    for k in range(round, HAND):
        found |= bit(s.slot[HAND * hand + k])
    return found


@jit
def legal_draft(s, R, p, words):
    """Keep one of the objects in view."""
    put(words, A_OBJECT, offered(s, R, p))


@jit
def apply_draft(s, R, p, a):
    """Keep an object; it stays secret."""
    pop(s)
    round = s.cursor // R.seats
    start = HAND * ((p - round) % R.seats)
    for k in range(start + round, start + HAND):
        if s.slot[k] == a - A_OBJECT:
            s.slot[k] = s.slot[start + round]
            s.slot[start + round] = a - A_OBJECT
    s.seat[p].objects |= bit(a - A_OBJECT)
    s.seat[p].held += 1
    s.cursor += 1


# What a seat knows


@jit
def owner(k, seats):
    """The seat whose pick lies in slot k, or -1."""
    hand, round = k // HAND, k % HAND
    return (hand + round) % seats if hand < seats and round < PICKS else -1


@jit
def picked(s, R, k):
    """Whether the pick of slot k has been made."""
    if owner(k, R.seats) < 0:
        return False
    return s.phase != P_DRAFT or (k % HAND) * R.seats + owner(k, R.seats) < s.cursor


@jit
def group(s, R, p, k):
    """KNOWN if p knows the card in slot k, OPEN if p knows nothing of it, else the number of the last look p had at its hand:
    the cards of slots of one look are known as a set."""
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


@jit
def redeal(s, R, p, key):
    """Deal what seat p can not know anew: uniform over the deals that fit what p saw, the prices and the objects played."""
    if not R.objects:
        return
    groups = np.empty(OBJECTS, np.int64)
    for k in range(OBJECTS):
        groups[k] = group(s, R, p, k)
    if s.phase != P_DRAFT:
        refill(s, groups, find_deal(s, R, p, groups, key))
        for k in range(OBJECTS):
            if groups[k] != KNOWN:
                groups[k] = groups[k] * OBJECTS + owner(k, R.seats) + 1
    for k in range(OBJECTS - 1, 0, -1):
        swap_within(s, groups, k, key)
    for q in range(R.seats):
        s.seat[q].objects = held(s, R, q) & ~s.used


@jit
def swap_within(s, groups, k, key):
    """One step of a shuffle of each group of slots in itself."""
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


@jit
def held(s, R, q):
    """The set of objects a seat has picked so far."""
    found = 0
    for k in range(OBJECTS):
        if owner(k, R.seats) == q and picked(s, R, k):
            found |= bit(s.slot[k])
    return found


@jit
def find_deal(s, R, p, groups, key):
    """Go through all deals that fit and keep one of them, each as likely: the object of every slot that p does not know and
    a seat picked from, -1 elsewhere. Slots of one seat and one group are filled in ascending order: in which order they
    were picked, and where the others lie, is shuffled afterwards."""
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
    """Objects that may lie in the slot of this level."""
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
    """Once all slots of a seat are filled: the price it paid is met, and what it played is there."""
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
    """Put the objects found into their slots, the others of a group where there is room."""
    for k in range(OBJECTS):
        if kept[k] >= 0 and s.slot[k] != kept[k]:
            for j in range(OBJECTS):
                if s.slot[j] == kept[k]:
                    s.slot[j] = s.slot[k]
                    s.slot[k] = kept[k]
                    break
