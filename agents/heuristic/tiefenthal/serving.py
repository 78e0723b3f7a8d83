"""The Taverns of Tiefenthal: rate the actions of a seat's own turn, which follow a fixed order.

First collect dice, except from spaces whose upgrade is about to be bought; then spend beer, then doubloons, then end the turn.
"""

import numpy as np

from alehouse.agents.heuristic.tiefenthal import purchases, worth
from alehouse.agents.heuristic.tiefenthal.purchases import AMOUNTS
from alehouse.agents.heuristic.tiefenthal.worth import MOST
from alehouse.envs.core.run.bits import within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.tiefenthal.effects import level
from alehouse.envs.tiefenthal.layout import (
    A_BUY, A_COLLECT, A_COUNTER, A_END, A_FREE, A_GUEST, A_NOBLES, A_REMOVE, A_SING, A_SPEND, A_UPGRADE, BARD, BARREL, CASHBOX,
    P_BARREL, P_CASHBOX, P_MONK, P_SUPPLIER, SUPPLY, TAVERN, UNUSED,
)  # fmt: skip
from alehouse.envs.tiefenthal.modules.schnapps import BEER, DOUBLOONS, EXPEL, UPGRADE
from alehouse.envs.tiefenthal.service import discount, least_price

# Ratings that put the actions of a turn in order: they are far larger than the points that any action brings.
SING, EARLY, COLLECT, SPEND, DRINK, SHOP, STEP = 18.0, 17.0, 16.0, 14.0, 12.0, 8.0, 6.0
PIECE_OF = (P_CASHBOX, P_BARREL, P_MONK, P_SUPPLIER)  # the pieces whose spaces dice are collected from


@jit
def tonight(s, R, W, v):
    """Write how many doubloons and beers a seat will have this turn, the worth of every number of them, and the best purchases."""
    me, act = s.seat[v.p], s.act
    purse = int(me.doubloons) + int(act.on[CASHBOX]) * level(R, me, P_CASHBOX) + int(act.discount)
    beers = int(me.beer) + int(act.on[BARREL]) * level(R, me, P_BARREL) + int(act.on[SUPPLY]) * worth.brew(R, me)
    v.purse, v.beers = min(purse, MOST), min(beers, MOST)
    glasses, chosen = int(me.schnapps), scratch(AMOUNTS, np.int64)
    purchases.shop(s, R, W, v, min(MOST, v.purse + glasses * int(R.glass_doubloons)), v.coins, chosen)
    purchases.tap(s, R, W, v, min(MOST, v.beers + glasses * int(R.glass_beer)), v.kegs)
    v.wanted = chosen[v.purse]


@jit
def cost_of_glasses(R, me, v, n):
    """Rate the cost of giving back n glasses of schnapps; glasses above the limit a seat may keep cost nothing."""
    held, keep = int(me.schnapps), int(R.keep)
    return v.glass * (min(held, keep) - min(held - n, keep))


@jit
def stirred(now, price, each, glasses, R, me, v, gain):
    """Return the most that turning schnapps into other goods brings."""
    most = -np.inf
    n = 1
    while n * price <= glasses:
        most = max(most, gain[min(now + n * each, MOST)] - gain[now] - cost_of_glasses(R, me, v, n * price))
        n += 1
    return most


@jit
def hurried(s, R, p):
    """Return whether there is a song to sing, or a die to collect from a space that cannot be upgraded this turn."""
    found = s.act.songs > 0
    for place in range(CASHBOX, UNUSED):
        found |= s.act.on[place] > 0 and settled(s, R, p, place - CASHBOX)
    return found


@jit
def settled(s, R, p, space):
    """Return whether a space is upgraded already, or cannot be upgraded this turn."""
    me, piece = s.seat[p], PIECE_OF[space]
    if within(me.upgraded, piece):
        return True
    purse = int(me.doubloons) + int(s.act.on[CASHBOX]) * level(R, me, P_CASHBOX) + int(s.act.discount)
    if R.schnapps and me.side[DOUBLOONS // 2] == DOUBLOONS % 2 + 1:
        purse += int(me.schnapps) * int(R.glass_doubloons)
    return least_price(R, me, piece) > purse and not (R.schnapps and me.schnapps >= R.glass_cost[UPGRADE])


@jit
def hurrying(s, R, p, a):
    """Rate songs first and then the dice of such spaces; everything else waits."""
    if a == A_SING:
        return SING
    if a < A_COLLECT or a >= A_SING:
        return 0.0
    return COLLECT if settled(s, R, p, a - A_COLLECT) else COLLECT - 1.0


@jit
def bettered(v, space):
    """Return whether the upgrade of a space is among the best purchases."""
    return within(v.wanted, TAVERN + PIECE_OF[space])


@jit
def collecting(s, R, v, space):
    """Rate collecting a die: at once, unless the upgrade of its space comes first."""
    if bettered(v, space) and space + CASHBOX != CASHBOX:
        piece = PIECE_OF[space]
        me = s.seat[v.p]
        if int(me.doubloons) + int(s.act.discount) >= least_price(R, me, piece) or s.act.on[CASHBOX] > 0:
            return EARLY - 2.0
    return COLLECT


@jit
def buying(v, k, cost, brings):
    """Rate buying a card or a piece: it should belong to the best set of purchases."""
    if within(v.wanted, k):
        return SHOP + 0.05 * brings
    return min(-0.1, brings - v.coins[v.purse] + v.coins[max(0, v.purse - cost)])


@jit
def drinking(s, R, W, v, cost, brings):
    """Rate buying a guest or nobles: it should be the best purchase for the beers at hand, and better than keeping the beers."""
    me = s.seat[v.p]
    loss = v.kegs[v.beers] - brings - worth.kept_beer(R, W, v, me, v.beers - cost)
    if v.kegs[v.beers] <= worth.kept_beer(R, W, v, me, v.beers):
        return -0.1 - loss
    return DRINK - 2.0 * loss


@jit
def stepping(s, R, W, v):
    """Rate paying a counter guest for a step, which must be worth more than the counter guest."""
    most = 0.0
    for n in range(1, int(s.seat[v.p].counter) + 1):
        most = max(most, worth.steps(s, R, W, v, n) - n * W.counter * (v.left > 0))
    return STEP if most > 0.0 else -0.1


@jit
def free_piece(s, R, W, v, k):
    """Rate an upgrade paid with schnapps; more expensive pieces are better."""
    brings = worth.piece(s, R, W, v, k)
    cost = cost_of_glasses(R, s.seat[v.p], v, int(R.glass_cost[UPGRADE]))
    return SPEND + 0.1 * brings + 0.1 * int(R.cost[k]) if brings > cost else -0.1


@jit
def serving(s, R, W, v, a):
    """Rate an action of phase F (serving); ending the turn brings nothing."""
    me = s.seat[v.p]
    if v.hurry:
        return hurrying(s, R, v.p, a)
    if a == A_END:
        return 0.0
    if a < A_BUY:
        return collecting(s, R, v, a - A_COLLECT)
    if a < A_UPGRADE:
        return buying(v, a - A_BUY, int(R.price[a - A_BUY]), worth.card(s, R, W, v, BARD + a - A_BUY))
    if a < A_FREE:
        k = a - A_UPGRADE
        rated = buying(v, TAVERN + k, int(R.cost[k]), worth.piece(s, R, W, v, k))
        return EARLY if rated > 0.0 and waited_for(s, k) else rated
    if a < A_GUEST:
        return free_piece(s, R, W, v, a - A_FREE)
    if a < A_NOBLES:
        place = a - A_GUEST
        return drinking(s, R, W, v, int(R.beers[s.open[place]]), purchases.guest_at(s, R, W, v, place))
    if a < A_COUNTER:
        n = a - A_NOBLES
        return drinking(s, R, W, v, int(R.noble_beers[n]), min(n + 1, int(s.stock[0])) * v.noble)
    if a == A_COUNTER:
        return stepping(s, R, W, v)
    if a == A_SPEND + DOUBLOONS:
        price, each, now, gain = int(R.glass_cost[DOUBLOONS]), int(R.glass_doubloons), v.purse, v.coins
    elif a == A_SPEND + BEER:
        price, each, now, gain = int(R.glass_cost[BEER]), int(R.glass_beer), v.beers, v.kegs
    else:
        gone = worth.removal(R, W, v, a - A_REMOVE) - cost_of_glasses(R, me, v, int(R.glass_cost[EXPEL]))
        return STEP + gone if gone > 0.0 else gone - 0.1
    more = stirred(now, price, each, int(me.schnapps), R, me, v, gain)
    return SPEND + more if more > 0.0 else more - 0.1


@jit
def giving_up(s, R, W, v):
    """Rate giving up a card for a discount, compared with paying: what the doubloons saved bring, less the card and those after it."""
    kind, price = int(top(s).a), int(top(s).b)
    loss, most = worth.laid_card(s, R, W, v, kind), -np.inf
    for cards in range(1, int(s.seat[v.p].laid[kind]) + 1):
        rest = max(0, v.purse - max(0, price - cards * discount(R, kind)))
        most = max(most, v.coins[rest] - cards * loss)
    return most - v.coins[max(0, v.purse - price)]


@jit
def waited_for(s, k):
    """Return whether a die lies on the space of a piece, so that upgrading the piece should wait."""
    found = False
    for space in range(len(PIECE_OF)):
        found |= PIECE_OF[space] == k and s.act.on[CASHBOX + space] > 0
    return found
