"""Tavern Battle: rate the answers during the trade, and all others that choose a treasure."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.agents.heuristic.tavern_battle.view import elsewhere, expected, gain, heroes_of, loss, points_with
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import bit, lowest, popcount
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.effects import seat_named
from alehouse.envs.tavern_battle.flow import tavern_points
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_CONFIRM, A_FACE_DOWN, A_PASS, A_POST, A_TREASURE, DISAPPROVAL, ELBOW, HAND, SAFE,
)  # fmt: skip
from alehouse.envs.tavern_battle.trade import stands


@jit
def rate_trade(s, R, W, v, a):
    """Rate an answer during the trade, or one that chooses a treasure."""
    what = v.what
    if what == Q.POST:
        return rate_post(s, R, W, v, a)
    if what == Q.OFFER:
        return 0.0 if a == A_CONFIRM else 1.0 if a - A_TREASURE == v.offer else -1.0
    if what == Q.BUYER:
        return rate_buyer(s, R, W, v, seat_named(a, v.p, R.seats))
    if what == Q.VICTIM:
        return rate_victim(s, R, W, v, seat_named(a, v.p, R.seats))
    if what == Q.INSULT:
        c = a - A_CHARACTER
        return float(max(int(R.strength[c]), int(R.cunning[c])))
    if a == A_FACE_DOWN:
        return W.prize
    t = a - A_TREASURE
    if what in (Q.PICK, Q.LOOT):
        return gain(R, W, v, t) + v.envy * W.deny * most_to_others(s, R, v, t)
    if what == Q.SECURE:
        return loss(R, W, v, t)
    if what == Q.REVEAL:
        return W.lure * most_to_others(s, R, v, t) - loss(R, W, v, t)
    if what in (Q.BAIT, Q.PASS_LEFT):
        q = int(top(s).a) if what == Q.BAIT else (v.p + 1) % int(R.seats)
        return -loss(R, W, v, t) - v.envy * points_with(R, heroes_of(s, q), t)
    return -loss(R, W, v, t) - v.envy * W.deny * most_to_others(s, R, v, t)


@jit
def most_to_others(s, R, v, t):
    """Return the most points that a treasure gives any other seat."""
    most = 0
    for q in range(R.seats):
        if q != v.p:
            most = max(most, points_with(R, heroes_of(s, q), t))
    return most


# Agitation cards (TB 1.7)


@jit
def rate_post(s, R, W, v, a):
    """Rate posting a card now, or going on with the trade."""
    if a == A_PASS:
        return W.wait + (W.sell if s.seller == v.p else 0.0)
    worth = W.post[a - A_POST] + (W.lead if s.posted + 1 == R.seats else 0.0) - W.ahead * lead(s, R, v.p)
    return worth + rate_taking_back(s, R, W, v) if a - A_POST == DISAPPROVAL else worth


@jit
def lead(s, R, p):
    """Return by how many points a seat may expect to be ahead of the best other one if the game ended in peace now."""
    mine, best = 0.0, 0.0
    for q in range(R.seats):
        points = expected(s, R, p, q) + popcount(heroes_of(s, q) & int(R.keepers)) * tavern_points(s, R)
        if q == p:
            mine = points
        else:
            best = max(best, points)
    return mine - best


@jit
def rate_taking_back(s, R, W, v):
    """Rate taking the last sale back: each of its two seats gets back what it gave."""
    if not stands(s):
        return 0.0
    sale = s.sale
    sold, paid = bit(sale.sold), int(sale.paid)
    seller = rate_hand(s, R, W, v, int(sale.seller), sold) - rate_hand(s, R, W, v, int(sale.seller), paid)
    return seller + rate_hand(s, R, W, v, int(sale.buyer), paid) - rate_hand(s, R, W, v, int(sale.buyer), sold)


@jit
def rate_hand(s, R, W, v, q, members):
    """Rate that seat q gets some treasures; if it is another seat, they cost what they give it."""
    worth = 0.0
    while members != 0:
        t = lowest(members)
        members &= members - 1
        worth += gain(R, W, v, t) if q == v.p else -v.envy * points_with(R, heroes_of(s, q), t)
    return worth


@jit
def known_treasures(s, v, q):
    """Return as a set the treasures that a seat is known to hold."""
    may = s.seat[v.p].may
    return int(may[HAND + q]) & ~int(may[SAFE + q]) & ~elsewhere(s, v.p, q)


@jit
def rate_victim(s, R, W, v, q):
    """Rate the victim of a card by the average worth of its treasures; for an elbow, a victim is better the fewer it can choose from."""
    n = popcount(int(s.seat[q].treasures))
    if top(s).a == ELBOW:
        return -float(n)
    sure = known_treasures(s, v, q)
    worth = W.prize * (n - popcount(sure))
    while sure != 0:
        worth += gain(R, W, v, lowest(sure))
        sure &= sure - 1
    return worth / max(1, n)


# Selling a treasure, and offering some for it


@jit
def rate_buyer(s, R, W, v, q):
    """Rate selling to a seat: what its offer is worth to the seller, less what the buyer gains."""
    offer = int(s.seat[q].offer)
    return rate_hand(s, R, W, v, v.p, offer) + rate_hand(s, R, W, v, q, bit(s.shown)) - rate_hand(s, R, W, v, q, offer)


@jit
def best_offer(s, R, W, v):
    """Return a treasure to offer, or -1: it must give the seller points and cost less than the treasure shown is worth."""
    me = s.seat[v.p]
    if me.offer != 0:
        return -1
    theirs = heroes_of(s, int(s.seller))
    budget = W.bid * gain(R, W, v, int(s.shown))
    found, most = -1, 0.0
    rest = int(me.treasures)
    while rest != 0:
        t = lowest(rest)
        rest &= rest - 1
        price = loss(R, W, v, t)
        liked = points_with(R, theirs, t)
        worth = budget - price + W.please * liked
        if price <= budget and liked > 0 and worth > most:
            found, most = t, worth
    return found
