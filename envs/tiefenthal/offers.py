"""Items that a balance study compares: guests on display, upgrades, tavern cards and start cards."""

from alehouse.envs.core.declare.offers import Family, Offers
from alehouse.envs.core.run.bits import within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.picks import any_member, any_of
from alehouse.envs.tiefenthal.layout import A_GUEST, DISPLAY, GUEST_NAMES, K1, KINDS, PIECES, REGULARS, SIDE, START_NAMES, TAVERN_NAMES

FAMILIES = (
    Family("guests on display", GUEST_NAMES, "serve", "guests.{}.price"),
    Family("upgrades", PIECES, "serve", "upgrade_price.{}", "upgrade"),
    Family("tavern cards", TAVERN_NAMES, "serve", "tavern.{}.price", "buy"),
    Family("start cards", START_NAMES[K1:], "start", "", "start"),
)


@jit
def offered(s, family, key):
    """Return the place of a random guest on display; -1 if the seat has bought a guest in this turn."""
    there = 0
    for place in range(DISPLAY):
        there |= int(s.open[place] >= 0) << place
    return -1 if s.act.guest else any_member(there, key)


@jit
def lying(s, family, where):
    """Return the kind of the guest at a place of the display."""
    return int(s.open[where]) - REGULARS


@jit
def takes(s, family, where, a):
    """Return whether the action buys the guest at this place."""
    return a == A_GUEST + where


@jit
def exchange(s, R, family, where, key):
    """Lay out a random unseen guest of another kind from the same pile; the old guest goes into the pile."""
    old, pile = int(s.open[where]), s.unseen.copy()
    for kind in range(KINDS):
        if within(R.cheap, kind) != (where == SIDE):
            pile[kind] = 0
    new = any_of(pile, old, key)
    if new < 0:
        return -1
    s.unseen[new] -= 1
    s.unseen[old] += 1
    s.open[where] = new
    return new - REGULARS


OFFERS = Offers(FAMILIES, offered, lying, exchange, takes)
