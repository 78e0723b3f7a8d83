"""The course of the game: set-up, the phases in order, the score (TB 2, 3, 5)."""

from alehouse.envs.core.run.bits import bit, first, highest, lowest, member, popcount, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.turns import enter, finish
from alehouse.envs.tavern_battle import arrivals, brawl, combat, trade
from alehouse.envs.tavern_battle.layout import (
    AGITATION_DEAL, ARRIVALS, BOX, FIRST, HAND, HERO_DEAL, HEROES, KINDS, OBJECTS, P_BRAWL, P_ESCAPE, P_OBJECTS,
    P_OPENING, P_OVER, P_REVEAL, P_WINDOW, TREASURE_DEAL, TREASURES,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY

HEROES_EACH = 2

# 2. Set-up


@jit
def set_up(s, R, seed):
    """A new table, before the first window."""
    clear(s, R)
    s.seed = seed
    s.seller = below(seed, FIRST, 0, 0, 0, R.seats)
    s.leader = s.seller
    s.upright = deal_heroes(s, R)
    deal_treasures(s, R)
    deal_agitation(s, R)
    for kind in range(OBJECTS):
        n = R.copies[kind]
        s.deck[kind] = n
        s.shuffled[kind] = n
        s.hidden_objects[kind] = n
        s.left += n
    s.arrivals = first(ARRIVALS)


@jit
def clear(s, R):
    """What is not zero on an empty table."""
    s.shown = NOBODY
    s.arrival = NOBODY
    s.owner[:] = NOBODY
    s.cover[:] = NOBODY
    s.den[:] = NOBODY
    s.bearer[:] = NOBODY
    combat.begin(s, NOBODY)
    for p in range(R.seats):
        s.seat[p].passing = NOBODY


@jit
def deal_heroes(s, R):
    """Two each; the others are not played."""
    rest = first(HEROES)
    n = HEROES
    for p in range(R.seats):
        for _ in range(HEROES_EACH):
            c = member(rest, below(s.seed, HERO_DEAL, 0, 0, n, n))
            rest = without(rest, c)
            n -= 1
            s.seat[p].group |= bit(c)
            s.owner[c] = p
    return first(HEROES) & ~rest


@jit
def deal_treasures(s, R):
    """To each as many; a seat knows its own, and nothing of the others."""
    rest = first(TREASURES)
    n = TREASURES
    for p in range(R.seats):
        hand = 0
        for _ in range(R.treasures):
            t = member(rest, below(s.seed, TREASURE_DEAL, 0, 0, n, n))
            rest = without(rest, t)
            hand |= bit(t)
            n -= 1
        s.seat[p].treasures = hand
    for p in range(R.seats):
        me = s.seat[p]
        unknown = first(TREASURES) & ~int(me.treasures)
        for q in range(R.seats):
            me.may[HAND + q] = me.treasures if q == p else unknown
        me.may[BOX] = unknown if n > 0 else 0


@jit
def deal_agitation(s, R):
    """To each as many, out of all of them."""
    n = 0
    for kind in range(KINDS):
        n += int(R.kinds[kind])
    for p in range(R.seats):
        me = s.seat[p]
        me.cards = R.agitation
        for _ in range(R.agitation):
            k = below(s.seed, AGITATION_DEAL, 0, 0, n, n)
            me.agitation[agitation_left(s, R, k)] += 1
            n -= 1


@jit
def agitation_left(s, R, k):
    """The kind of the k-th agitation card that nobody holds."""
    kind = 0
    while True:
        rest = int(R.kinds[kind]) - int(s.agitation[kind])
        for p in range(R.seats):
            rest -= s.seat[p].agitation[kind]
        if k < rest:
            return kind
        k -= rest
        kind += 1


# The phases: each asks what it has to ask, or hands over to the next. True: a question is open.


@jit
def proceed(s, R):
    """Go on from where the table stands."""
    if s.phase < P_OPENING:
        return trading(s, R)
    if s.phase == P_OPENING:
        return brawl.opening(s, R)
    if s.phase == P_BRAWL:
        return brawl.activations(s, R)
    if s.phase == P_OBJECTS:
        return brawl.renew_objects(s, R)
    if s.phase == P_ESCAPE:
        return brawl.escapes(s, R)
    return arrivals.arrivals(s, R)


@jit
def trading(s, R):
    """The trade, until as many cards are posted as there are players (TB 3.1)."""
    if s.posted == R.seats:
        return enter(s, P_OPENING)
    if s.turns == R.turns * R.seats:
        return finish(s, P_OVER)
    if s.phase == P_WINDOW:
        return trade.window(s, R)
    if s.phase == P_REVEAL:
        return trade.reveal(s, R)
    return trade.offers(s, R)


# 5. The end


@jit
def tavern(s, R):
    """What is left of the tavern (TB 1.8)."""
    return max(0, int(R.value) - int(s.broken_value))


@jit
def tavern_points(s, R):
    """What that is worth to the Tavernkeeper's owner."""
    for k in range(R.least.size):
        if tavern(s, R) >= R.least[k]:
            return int(R.points[k])
    return 0


@jit
def treasure_points(s, R, p, members):
    """Some treasures of a seat: each counts for the hero it pleases most; ANY takes one that pleases nobody (TB 5)."""
    heroes = int(s.seat[p].group) & first(HEROES)
    one, two = R.worth[lowest(heroes)], R.worth[highest(heroes)]
    total, useless = 0, 0
    while members != 0:
        best = max(int(one[lowest(members)]), int(two[lowest(members)]))
        members &= members - 1
        total += best
        useless += int(best == 0)
    return total + min(useless, popcount(heroes & int(R.greedy)))


@jit
def points(s, R, p):
    """All its treasures, and the tavern (TB 5)."""
    me = s.seat[p]
    return treasure_points(s, R, p, int(me.treasures | me.safe)) + popcount(int(me.group) & int(R.keepers)) * tavern_points(s, R)


@jit
def score(s, R, out):
    """The points of each seat."""
    for p in range(R.seats):
        out[p] = points(s, R, p)


@jit
def standing(s, R, out):
    """Points, then treasures owned, then heroes not KO (TB 5)."""
    for p in range(R.seats):
        me = s.seat[p]
        awake = int(me.group) & first(HEROES) & ~int(s.ko)
        out[p] = 10_000 * points(s, R, p) + 100 * popcount(me.treasures | me.safe) + popcount(awake)
