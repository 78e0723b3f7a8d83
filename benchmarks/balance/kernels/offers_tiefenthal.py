"""The guests on display; the upgrades, tavern cards and start cards the seat to move can have."""

from alehouse.benchmarks.balance.kernels.offers import OTHER, WHERE, Family, any_member, any_of, kernel
from alehouse.envs.core.run.bits import within
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.tiefenthal.layout import A_GUEST, DISPLAY, GUEST_NAMES, K1, KINDS, PIECES, REGULARS, SIDE, START_NAMES, TAVERN_NAMES

FAMILIES = (
    Family("guests on display", GUEST_NAMES, "guests.{}.price"),
    Family("upgrades", PIECES, "upgrade_price.{}", "upgrade", Q.SERVE),
    Family("tavern cards", TAVERN_NAMES, "tavern.{}.price", "buy", Q.SERVE),
    Family("start cards", START_NAMES[K1:], "", "start", Q.START),
)


@kernel
def offered(s, family, key):
    """The place of one of the guests, each as likely, where a seat serves and has bought none in this turn."""
    there = 0
    for place in range(DISPLAY):
        there |= int(s.open[place] >= 0) << place
    return any_member(there, key, WHERE) if top(s).what == Q.SERVE and not s.act.guest else -1


@kernel
def lying(s, family, where):
    """Which guest."""
    return int(s.open[where]) - REGULARS


@kernel
def takes(s, family, where, a):
    """Buying the guest."""
    return a == A_GUEST + where


@kernel
def exchange(s, R, family, where, key):
    """A guest nobody has seen, of another kind and of the same pile, takes the place; he goes into the pile."""
    old, pile = int(s.open[where]), s.unseen.copy()
    for kind in range(KINDS):
        if within(R.cheap, kind) != (where == SIDE):
            pile[kind] = 0
    new = any_of(pile, old, key, OTHER)
    if new < 0:
        return -1
    s.unseen[new] -= 1
    s.unseen[old] += 1
    s.open[where] = new
    return new - REGULARS
