"""The travelers lodged in the inn, which the seat to act may bribe or kill."""

import functools
from pathlib import Path

from alehouse.envs.bloody_inn.layout import CARDS, KINDS, PLACES, Q_ACTION
from alehouse.envs.core.ask import top
from alehouse.envs.core.jit import jit
from alehouse.envs.core.luck import REDEALS, below

ITEMS = tuple(CARDS)
WHERE, OTHER = 1, 2  # rounds of this luck
kernel = functools.partial(jit, home=Path(__file__).parent)


@kernel
def offered(s, key):
    """The place of one of the guests, each as likely, where an action is to be chosen."""
    guests = 0
    for place in range(PLACES):
        guests += int(s.guest[place] >= 0)
    if top(s.asks).what != Q_ACTION or guests == 0:
        return -1
    k = below(key, REDEALS, WHERE, 0, 0, guests)
    for place in range(PLACES):
        if s.guest[place] >= 0:
            if k == 0:
                return place
            k -= 1
    return -1


@kernel
def lying(s, where):
    """The kind of the guest."""
    return int(s.guest[where])


@kernel
def exchange(s, where, key):
    """A card nobody has seen, of another kind, takes the room; the guest goes among the unseen ones."""
    old = int(s.guest[where])
    others = 0
    for kind in range(KINDS):
        others += int(s.unseen[kind]) if kind != old else 0
    if others == 0:
        return -1
    k = below(key, REDEALS, OTHER, 0, 0, others)
    for kind in range(KINDS):
        if kind != old:
            if k < s.unseen[kind]:
                s.unseen[kind] -= 1
                s.unseen[old] += 1
                s.guest[where] = kind
                return kind
            k -= int(s.unseen[kind])
    return -1
