"""The Taverns of Tiefenthal: the order of a turn: be paid, but for what an upgrade will make better; beer; doubloons; the end."""

import numpy as np

from alehouse.agents.heuristic.tiefenthal import purse, worth
from alehouse.agents.heuristic.tiefenthal.purse import MOST
from alehouse.envs.core.run.bits import within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tiefenthal.effects import level
from alehouse.envs.tiefenthal.layout import (
    A_BUY, A_COLLECT, A_COUNTER, A_END, A_FREE, A_GUEST, A_NOBLES, A_REMOVE, A_SING, A_SPEND, A_UPGRADE, BARD, BARREL, CASHBOX,
    P_BARREL, P_CASHBOX, P_MONK, P_SUPPLIER, SUPPLY, TAVERN, UNUSED,
)  # fmt: skip
from alehouse.envs.tiefenthal.modules.schnapps import BEER, DOUBLOONS, EXPEL, UPGRADE

# Where in a turn a thing is done; the points it brings are small beside the steps.
SING, EARLY, COLLECT, SPEND, DRINK, SHOP, STEP = 18.0, 17.0, 16.0, 14.0, 12.0, 8.0, 6.0
PIECE_OF = (P_CASHBOX, P_BARREL, P_MONK, P_SUPPLIER)  # of the spaces that dice are collected from


@jit
def tonight(s, R, W, v, coins, kegs, chosen):
    """Doubloons and beers one will have in this turn, and what all numbers of them would bring."""
    me, act = s.seat[v.p], s.act
    purses = int(me.doubloons) + int(act.on[CASHBOX]) * level(R, me, P_CASHBOX) + int(act.discount)
    beers = int(me.beer) + int(act.on[BARREL]) * level(R, me, P_BARREL) + int(act.on[SUPPLY]) * worth.brew(R, me)
    purses, beers = min(purses, MOST), min(beers, MOST)
    glasses = int(me.schnapps)
    purse.shop(s, R, W, v, min(MOST, purses + glasses * int(R.glass_doubloons)), coins, chosen)
    purse.tap(s, R, W, v, min(MOST, beers + glasses * int(R.glass_beer)), kegs)
    return purses, beers


@jit
def cost_of_glasses(R, me, v, n):
    """Glasses given back; those above what one may keep cost nothing."""
    held, keep = int(me.schnapps), int(R.keep)
    return v.glass * (min(held, keep) - min(held - n, keep))


@jit
def stirred(now, price, each, glasses, R, me, v, gain):
    """The most that turning glasses into goods brings."""
    most = -np.inf
    n = 1
    while n * price <= glasses:
        most = max(most, gain[min(now + n * each, MOST)] - gain[now] - cost_of_glasses(R, me, v, n * price))
        n += 1
    return most


@jit
def hurried(s, R, p):
    """Whether there is a song to sing, or a die to collect from a space whose upgrade can not come this turn."""
    found = s.act.songs > 0
    for place in range(CASHBOX, UNUSED):
        found |= s.act.on[place] > 0 and settled(s, R, p, place - CASHBOX)
    return found


@jit
def settled(s, R, p, space):
    """Whether a space has its upgrade, or it can not be paid."""
    me, piece = s.seat[p], PIECE_OF[space]
    if within(me.upgraded, piece):
        return True
    purse = int(me.doubloons) + int(s.act.on[CASHBOX]) * level(R, me, P_CASHBOX) + int(s.act.discount)
    if R.schnapps and me.side[DOUBLOONS // 2] == DOUBLOONS % 2 + 1:
        purse += int(me.schnapps) * int(R.glass_doubloons)
    return R.cost[piece] > purse and not (R.schnapps and me.schnapps >= R.glass_cost[UPGRADE])


@jit
def hurrying(s, R, p, a):
    """Songs first, then those dice; the rest of the turn is thought of later."""
    if a == A_SING:
        return SING
    if a < A_COLLECT or a >= A_SING:
        return 0.0
    return COLLECT if settled(s, R, p, a - A_COLLECT) else COLLECT - 1.0


@jit
def bettered(mind, space):
    """Whether a die waits on its space for an upgrade that will be bought."""
    return within(mind.wanted, TAVERN + PIECE_OF[space])


@jit
def collecting(s, R, mind, space):
    """A die comes off a space at once, unless its upgrade is coming; the money for it may lie in the cashbox."""
    if bettered(mind, space) and space + CASHBOX != CASHBOX:
        piece = PIECE_OF[space]
        me = s.seat[mind.v.p]
        if int(me.doubloons) + int(s.act.discount) >= R.cost[piece] or s.act.on[CASHBOX] > 0:
            return EARLY - 2.0
    return COLLECT


@jit
def buying(mind, k, cost, brings):
    """A card or a piece: in the best set of purchases or not."""
    if within(mind.wanted, k):
        return SHOP + 0.05 * brings
    return min(-0.1, brings - mind.coins[mind.purse] + mind.coins[max(0, mind.purse - cost)])


@jit
def drinking(s, R, W, mind, cost, brings):
    """A guest or nobles: the best for the beers one has, and better than to keep them."""
    me = s.seat[mind.v.p]
    loss = mind.kegs[mind.beers] - brings - worth.kept_beer(R, W, mind.v, me, mind.beers - cost)
    if mind.kegs[mind.beers] <= worth.kept_beer(R, W, mind.v, me, mind.beers):
        return -0.1 - loss
    return DRINK - 2.0 * loss


@jit
def stepping(s, R, W, v):
    """A counter guest for a step, if steps bring more than he would by going."""
    most = 0.0
    for n in range(1, int(s.seat[v.p].counter) + 1):
        most = max(most, worth.steps(s, R, W, v, n) - n * W.counter * (v.left > 0))
    return STEP if most > 0.0 else -0.1


@jit
def free_piece(s, R, W, v, k):
    """A piece for glasses alone: rather a dear one."""
    brings = worth.piece(s, R, W, v, k)
    cost = cost_of_glasses(R, s.seat[v.p], v, int(R.glass_cost[UPGRADE]))
    return SPEND + 0.1 * brings + 0.1 * int(R.cost[k]) if brings > cost else -0.1


@jit
def serving(s, R, W, mind, a):
    """What an action of phase F is worth; to end the turn brings nothing."""
    v = mind.v
    me = s.seat[v.p]
    if mind.hurry:
        return hurrying(s, R, v.p, a)
    if a == A_END:
        return 0.0
    if a < A_BUY:
        return collecting(s, R, mind, a - A_COLLECT)
    if a < A_UPGRADE:
        return buying(mind, a - A_BUY, int(R.price[a - A_BUY]), worth.card(s, R, W, v, BARD + a - A_BUY))
    if a < A_FREE:
        k = a - A_UPGRADE
        rated = buying(mind, TAVERN + k, int(R.cost[k]), worth.piece(s, R, W, v, k))
        return EARLY if rated > 0.0 and waited_for(s, k) else rated
    if a < A_GUEST:
        return free_piece(s, R, W, v, a - A_FREE)
    if a < A_NOBLES:
        place = a - A_GUEST
        return drinking(s, R, W, mind, int(R.beers[s.open[place]]), purse.guest_at(s, R, W, v, place))
    if a < A_COUNTER:
        n = a - A_NOBLES
        return drinking(s, R, W, mind, int(R.noble_beers[n]), min(n + 1, int(s.stock[0])) * v.noble)
    if a == A_COUNTER:
        return stepping(s, R, W, v)
    if a == A_SPEND + DOUBLOONS:
        price, each, now, gain = int(R.glass_cost[DOUBLOONS]), int(R.glass_doubloons), mind.purse, mind.coins
    elif a == A_SPEND + BEER:
        price, each, now, gain = int(R.glass_cost[BEER]), int(R.glass_beer), mind.beers, mind.kegs
    else:
        gone = worth.removal(R, W, v, a - A_REMOVE) - cost_of_glasses(R, me, v, int(R.glass_cost[EXPEL]))
        return STEP + gone if gone > 0.0 else gone - 0.1
    more = stirred(now, price, each, int(me.schnapps), R, me, v, gain)
    return SPEND + more if more > 0.0 else more - 0.1


@jit
def waited_for(s, k):
    """Whether a die lies on the space of a piece."""
    found = False
    for space in range(len(PIECE_OF)):
        found |= PIECE_OF[space] == k and s.act.on[CASHBOX + space] > 0
    return found
