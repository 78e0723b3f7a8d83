"""The Taverns of Tiefenthal: compute what each number of doubloons or beers can buy in this turn."""

import numpy as np

from alehouse.agents.heuristic.tiefenthal import worth
from alehouse.agents.heuristic.tiefenthal.worth import MOST
from alehouse.envs.core.run.bits import bit, lowest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.tiefenthal.effects import level
from alehouse.envs.tiefenthal.layout import BARD, DISPLAY, P_SAFE, P_STORE, PIECES, TAVERN
from alehouse.envs.tiefenthal.service import discount, spare_cards, upgradable
from alehouse.envs.tiefenthal.state import NOBODY

AMOUNTS = MOST + 1
ITEMS = TAVERN + len(PIECES)


@jit
def shop(s, R, W, v, most, gain, chosen):
    """Write, for 0 to `most` doubloons, the worth of the best purchases and which they are (tavern cards, then pieces)."""
    me, act = s.seat[v.p], s.act
    cap = level(R, me, P_SAFE)
    each = worth.kept(W, v, v.coin)
    for n in range(most + 1):
        gain[n] = each * min(n, cap)
        chosen[n] = 0
    rest = (int(s.stocked) & ~int(act.bought)) | upgradable(R, me) << TAVERN
    while rest != 0:
        k = lowest(rest)
        rest &= rest - 1
        if k < TAVERN:
            add(most, gain, chosen, k, int(R.price[k]), worth.card(s, R, W, v, BARD + k))
        else:
            add_piece(s, R, W, v, most, gain, chosen, k - TAVERN)


@jit
def add(most, gain, chosen, k, cost, brings):
    """Take one thing to buy into account at every number of doubloons."""
    for n in range(most, cost - 1, -1):
        if gain[n - cost] + brings > gain[n]:
            gain[n] = gain[n - cost] + brings
            chosen[n] = chosen[n - cost] | bit(k)


@jit
def add_piece(s, R, W, v, most, gain, chosen, piece):
    """Take an upgrade into account, at its price and with each number of cards that may be given up for it."""
    cost, brings = int(R.cost[piece]), worth.piece(s, R, W, v, piece)
    cards = spare_cards(R, s.seat[v.p], piece)
    if cards == 0:
        add(most, gain, chosen, TAVERN + piece, cost, brings)
        return
    kind = int(R.staff[piece])
    off, loss = discount(R, kind), worth.laid_card(s, R, W, v, kind)
    for n in range(most, max(0, cost - cards * off) - 1, -1):
        best, rest = gain[n], -1
        for given in range(cards + 1):
            price = max(0, cost - given * off)
            if price <= n and gain[n - price] + brings - given * loss > best:
                best, rest = gain[n - price] + brings - given * loss, n - price
        if rest >= 0:
            gain[n] = best
            chosen[n] = chosen[rest] | bit(TAVERN + piece)


@jit
def tap(s, R, W, v, most, gain):
    """Write, for 0 to `most` beers, the worth of the best purchase."""
    me, act = s.seat[v.p], s.act
    cap, each = level(R, me, P_STORE), worth.kept(W, v, v.beer)
    kept = scratch(AMOUNTS, np.float64)
    for n in range(most + 1):
        kept[n] = each * min(n, cap)
        gain[n] = kept[n]
    if not R.many_purchases and (act.guest or act.nobles):
        return
    if not act.guest:
        for k in range(DISPLAY):
            if s.open[k] != NOBODY and R.beers[s.open[k]] <= most:
                offer(kept, int(R.beers[s.open[k]]), guest_at(s, R, W, v, k), most, gain)
    for k in range(3):
        if R.noble_beers[k] <= most and s.stock[0] > 0:
            offer(kept, int(R.noble_beers[k]), min(k + 1, int(s.stock[0])) * v.noble, most, gain)


@jit
def guest_at(s, R, W, v, place):
    """Rate the guest at a position of the display."""
    return worth.guest(s, R, W, v, int(s.open[place]), within(s.signed, place))


@jit
def offer(kept, cost, brings, most, gain):
    """Try one purchase at every number of beers that can pay for it; beers left over are worth what `kept` says."""
    for n in range(most + 1 - cost):
        gain[n + cost] = max(gain[n + cost], brings + kept[n])
