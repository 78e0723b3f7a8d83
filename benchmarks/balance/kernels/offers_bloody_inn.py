"""The travelers lodged in the inn, which the seat to act may bribe or kill; the annexes it may build; the objects it drafts."""

from alehouse.benchmarks.balance.kernels.offers import OTHER, WHERE, Family, any_member, any_of, kernel
from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.layout import A_BRIBE, A_KILL, CARDS, OBJECT_NAMES, PLACES
from alehouse.envs.core.run.question_stack import top

FAMILIES = (
    Family("guests of the inn", tuple(CARDS), "cards.{}.up"),
    Family("annexes, by the card built", tuple(CARDS), "cards.{}.low", "build", Q.ACTION),
    Family("objects drafted", tuple(OBJECT_NAMES), "objects.{}.cost", "object", Q.DRAFT),
)


@kernel
def offered(s, family, key):
    """The place of one of the guests, each as likely, where an action is to be chosen."""
    lodged = 0
    for place in range(PLACES):
        lodged |= int(s.guest[place] >= 0) << place
    return any_member(lodged, key, WHERE) if top(s).what == Q.ACTION else -1


@kernel
def lying(s, family, where):
    """The kind of the guest."""
    return int(s.guest[where])


@kernel
def takes(s, family, where, a):
    """Bribing or killing the guest."""
    return a in (A_BRIBE + where, A_KILL + where)


@kernel
def exchange(s, R, family, where, key):
    """A card nobody has seen, of another kind, takes the room; the guest goes among the unseen ones."""
    old = int(s.guest[where])
    new = any_of(s.unseen, old, key, OTHER)
    if new >= 0:
        s.unseen[new] -= 1
        s.unseen[old] += 1
        s.guest[where] = new
    return new
