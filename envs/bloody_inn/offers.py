"""Items that a balance study compares: travelers in the inn (to bribe or kill), annexes (to build), objects (to draft)."""

from alehouse.envs.bloody_inn.layout import A_BRIBE, A_KILL, CARDS, OBJECT_NAMES, PLACES
from alehouse.envs.core.declare.offers import Family, Offers
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.picks import any_member, any_of

FAMILIES = (
    Family("guests of the inn", tuple(CARDS), "action", "cards.{}.up"),
    Family("annexes, by the card built", tuple(CARDS), "action", "cards.{}.low", "build"),
    Family("objects drafted", tuple(OBJECT_NAMES), "draft", "objects.{}.cost", "object"),
)


@jit
def offered(s, family, key):
    """Return the place of a random guest whom the seat may bribe or kill, or -1."""
    lodged = 0
    for place in range(PLACES):
        lodged |= int(s.guest[place] >= 0) << place
    return any_member(lodged, key)


@jit
def lying(s, family, where):
    """Return the kind of the guest at a place."""
    return int(s.guest[where])


@jit
def takes(s, family, where, a):
    """Return whether the action bribes or kills the guest at a place."""
    return a in (A_BRIBE + where, A_KILL + where)


@jit
def exchange(s, R, family, where, key):
    """Lodge a random unseen card of another kind in the room; the guest goes back among the unseen cards."""
    old = int(s.guest[where])
    new = any_of(s.unseen, old, key)
    if new >= 0:
        s.unseen[new] -= 1
        s.unseen[old] += 1
        s.guest[where] = new
    return new


OFFERS = Offers(FAMILIES, offered, lying, exchange, takes)
