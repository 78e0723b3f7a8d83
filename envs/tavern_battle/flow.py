"""The course of the game: set-up, the phases in order, and the score (TB 2, 3, 5)."""

from alehouse.envs.core.run.bits import bit, first, highest, lowest, member, popcount, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.tavern_battle import arrivals, brawl, combat, trade
from alehouse.envs.tavern_battle.layout import (
    AGITATION_DEAL, ARRIVALS, BOX, FIRST, HAND, HERO_DEAL, HEROES, KINDS, OBJECTS, P_BRAWL, P_CHOICE, P_ESCAPE, P_OBJECTS, P_OFFERS,
    P_OPENING, P_REVEAL, P_WINDOW, TREASURE_DEAL, TREASURES,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY

HEROES_EACH = 2

# 2. Set-up


@jit
def set_up(s, R, seed):
    """Lay out a new table: deal heroes, treasures and agitation cards, and draw the first seller (TB 2)."""
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
    """Mark the places that begin empty: nobody is there, and nothing."""
    s.shown = NOBODY
    s.sale.sold = NOBODY
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
    """Deal each seat its heroes, and return all dealt heroes as a set; the other heroes stay in the box."""
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
    """Deal each seat its treasures; a seat knows its own and nothing of the others'."""
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
    """Deal each seat its agitation cards."""
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
    """Return the kind of the k-th agitation card among those neither posted nor held."""
    kind = 0
    while True:
        rest = int(R.kinds[kind]) - int(s.agitation[kind])
        for p in range(R.seats):
            rest -= s.seat[p].agitation[kind]
        if k < rest:
            return kind
        k -= rest
        kind += 1


# 3. The course of the phases


@jit
def proceed(s, R):
    """Do the next thing in the current phase: ask a question, or enter the next phase."""
    if s.phase == P_WINDOW:
        trade.window(s, R)
    elif s.phase == P_REVEAL:
        trade.reveal(s, R)
    elif s.phase == P_OFFERS:
        trade.offers(s, R)
    elif s.phase == P_CHOICE:
        trade.choice(s, R)
    elif s.phase == P_OPENING:
        brawl.opening(s, R)
    elif s.phase == P_BRAWL:
        brawl.activations(s, R)
    elif s.phase == P_OBJECTS:
        brawl.renew_objects(s, R)
    elif s.phase == P_ESCAPE:
        brawl.escapes(s, R)
    else:
        arrivals.arrivals(s, R)


# 5. The end of the game, and the score


@jit
def tavern(s, R):
    """Return the value of the tavern: its value before the brawl, less that of the broken objects (TB 1.8)."""
    return max(0, int(R.value) - int(s.broken_value))


@jit
def tavern_points(s, R):
    """Return the points that the tavern gives to the owner of the Tavernkeeper."""
    for k in range(R.least.size):
        if tavern(s, R) >= R.least[k]:
            return int(R.points[k])
    return 0


@jit
def scoring(s, R, p):
    """Return the heroes of a seat who score, as a set: all, or by the switch ko_heroes_score those who are not KO (TB-R32)."""
    heroes = int(s.seat[p].group) & first(HEROES)
    return heroes & ~int(s.ko) if R.ko_scoreless else heroes


@jit
def treasure_points(s, R, p, members):
    """Return the points of some treasures of a seat: each counts with the hero for whom it is worth most; ANY takes useless ones (TB 5)."""
    heroes = scoring(s, R, p)
    if heroes == 0:
        return 0
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
    """Return the points of a seat: all its treasures and the tavern (TB 5)."""
    me = s.seat[p]
    return treasure_points(s, R, p, int(me.treasures | me.safe)) + popcount(scoring(s, R, p) & int(R.keepers)) * tavern_points(s, R)


@jit
def score(s, R, out):
    """Write the points of each seat."""
    for p in range(R.seats):
        out[p] = points(s, R, p)


@jit
def standing(s, R, out):
    """Write a number for each seat that ranks the seats: points, then treasures owned, then heroes not KO (TB 5)."""
    for p in range(R.seats):
        me = s.seat[p]
        awake = int(me.group) & first(HEROES) & ~int(s.ko)
        out[p] = 10_000 * points(s, R, p) + 100 * popcount(me.treasures | me.safe) + popcount(awake)
