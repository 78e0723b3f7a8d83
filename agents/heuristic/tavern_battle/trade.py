"""Tavern Battle: what a seat posts, sells, offers and takes, and which treasure goes when one has to go."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.agents.heuristic.tavern_battle.view import elsewhere, gain, heroes_of, loss, pleasure
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import lowest, popcount
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.effects import seat_named
from alehouse.envs.tavern_battle.layout import A_CHARACTER, A_CONFIRM, A_FACE_DOWN, A_PASS, A_POST, A_TREASURE, ELBOW, HAND, SAFE


@jit
def trading(s, R, W, m, x, a):
    """The answers to questions of the trade, and to all about one treasure."""
    what = m.what
    if what == Q.POST:
        return posting(s, R, W, m, a)
    if what == Q.OFFER:
        return 0.0 if a == A_CONFIRM else 1.0 if a - A_TREASURE == x.chosen else -1.0
    if what == Q.BUYER:
        return buyer(s, R, W, m, seat_named(a, m.p, R.seats))
    if what == Q.VICTIM:
        return victim(s, R, W, m, seat_named(a, m.p, R.seats))
    if what == Q.INSULT:
        c = a - A_CHARACTER
        return float(max(int(R.strength[c]), int(R.cunning[c])))
    if a == A_FACE_DOWN:
        return W.prize
    t = a - A_TREASURE
    if what in (Q.PICK, Q.LOOT):
        return gain(R, W, m, t) + m.envy * W.deny * wanted(s, R, m, t)
    if what == Q.SECURE:
        return loss(R, W, m, t)
    if what == Q.REVEAL:
        return W.lure * wanted(s, R, m, t) - loss(R, W, m, t)
    if what in (Q.BAIT, Q.PASS_LEFT):
        q = int(top(s).a) if what == Q.BAIT else (m.p + 1) % int(R.seats)
        return -loss(R, W, m, t) - m.envy * pleasure(R, heroes_of(s, q), t)
    return -loss(R, W, m, t) - m.envy * W.deny * wanted(s, R, m, t)


@jit
def wanted(s, R, m, t):
    """The most a treasure is worth to another seat."""
    most = 0
    for q in range(R.seats):
        if q != m.p:
            most = max(most, pleasure(R, heroes_of(s, q), t))
    return most


# Agitation (TB 1.7)


@jit
def posting(s, R, W, m, a):
    """To post a card now, or to go on trading."""
    if a == A_PASS:
        return W.wait + (W.sell if s.seller == m.p else 0.0)
    return W.post[a - A_POST] + (W.lead if s.posted + 1 == R.seats else 0.0)


@jit
def known(s, R, m, q):
    """The treasures a seat is known to hold."""
    may = s.seat[m.p].may
    return int(may[HAND + q]) & ~int(may[SAFE + q]) & ~elsewhere(s, m.p, q)


@jit
def victim(s, R, W, m, q):
    """Whom a card hits: whose treasures please most; for an elbow, who has fewest to choose from."""
    n = popcount(int(s.seat[q].treasures))
    if top(s).a == ELBOW:
        return -float(n)
    sure = known(s, R, m, q)
    worth = W.prize * (n - popcount(sure))
    while sure != 0:
        worth += gain(R, W, m, lowest(sure))
        sure &= sure - 1
    return worth / max(1, n)


# Selling and buying


@jit
def buyer(s, R, W, m, q):
    """What the offer of a seat brings, less what the treasure shown is worth to it."""
    worth = 0.0
    rest = int(s.seat[q].offer)
    while rest != 0:
        t = lowest(rest)
        rest &= rest - 1
        worth += gain(R, W, m, t) + m.envy * pleasure(R, heroes_of(s, q), t)
    return worth - m.envy * pleasure(R, heroes_of(s, q), int(s.shown))


@jit
def bid(s, R, W, m):
    """The treasure to offer: one the seller likes and one can do without, for less than the one shown is worth; or none."""
    me = s.seat[m.p]
    if me.offer != 0:
        return -1
    theirs = heroes_of(s, int(s.seller))
    budget = W.bid * gain(R, W, m, int(s.shown))
    found, most = -1, 0.0
    rest = int(me.treasures)
    while rest != 0:
        t = lowest(rest)
        rest &= rest - 1
        price = loss(R, W, m, t)
        liked = pleasure(R, theirs, t)
        worth = budget - price + W.please * liked
        if price <= budget and liked > 0 and worth > most:
            found, most = t, worth
    return found
