"""Taverns & Dragons: what it is worth that a minion stands somewhere, and where it may walk."""

import numpy as np

from alehouse.agents.heuristic.taverns_dragons.hunts import best_hunt
from alehouse.agents.heuristic.taverns_dragons.view import beside_lair
from alehouse.envs.core.run.bits import bit, lowest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.effects import available
from alehouse.envs.taverns_dragons.layout import (
    CAMPFIRE, CARAVAN, CITY, DUNGEON, FORGE, KINDS, LIBRARY, MARKET, PORTAL, RUNES, SIDES, SLOTS, SPICE, ZONES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

# What a zone brings


@jit
def plain_visit(s, R, W, m, tile):
    """What a place brings whatever the minion carries, its energy paid."""
    me = s.seat[m.p]
    cost = int(R.place_energy[tile]) * m.spark
    if tile == DUNGEON:
        return W.dungeon + W.dungeon_coin * m.coin - cost
    if tile == RUNES:
        return min(int(R.place_amount[tile]), int(R.rune_cap) - int(me.runes)) * m.rune - cost
    if tile == FORGE:
        return (W.forge if s.dragon != NOTHING else 0.5 * W.forge) * m.reach - cost
    return W.campfire - cost if tile == CAMPFIRE else 0.0


@jit
def survey(s, R, W, m):
    """Fill in what each zone brings to any minion that gets there."""
    me, ground = s.seat[m.p], m.ground
    hunt = best_hunt(s, R, W, m, 0) if s.dragon != NOTHING and me.energy > 0 else 0.0
    for zone in range(ZONES):
        ground[zone] = W.spots[zone] * m.reach + (hunt if beside_lair(s, R, zone) else 0.0)
        m.pick[zone] = pick(s, R, m, zone)
    for slot in range(SLOTS):
        if within(m.slots, slot):
            worth = plain_visit(s, R, W, m, int(s.place[slot]))
            if worth > 0.0:
                for zone in range(ZONES):
                    if within(R.beside[zone], slot):
                        ground[zone] += worth
    if R.encounters and s.encounter != NOTHING and me.energy >= R.encounter_energy:
        ground[s.encounter] += max(0.0, W.meet - int(R.encounter_energy) * m.spark)
    if R.goblin and s.goblin_items > 0 and me.gold >= R.goblin_price:
        ground[s.goblin] += max(0.0, W.ware * m.reach - int(R.goblin_price) * m.coin)


# What a minion carries


@jit
def carry(R, W, m, me, mi, zone, moved):
    """The share of an ingredient's worth that it has on the way."""
    if zone == CITY:
        return 1.0
    if m.last:
        return 1.0 if moved else 0.0
    steps = m.home[zone] - int(R.extra_steps[mi])
    return W.close if 1.0 <= steps <= SIDES else W.far


@jit
def pick(s, R, m, zone):
    """The best ingredient to be had in a zone."""
    best = 0.0
    rest = available(s, R, zone)
    while rest != 0:
        best = max(best, m.want[lowest(rest)])
        rest &= rest - 1
    return best


@jit
def room(R, me, mi, zone):
    """Free slots of a minion, once it is in a zone."""
    return int(R.slots[mi]) - (0 if zone == CITY else int(me.load[mi]) + int(me.wounds[mi]))


@jit
def services(s, R, W, m, me, mi, zone, goods, share):
    """What caravan, market, library or portal beside a zone bring a minion that carries so much."""
    found = 0.0
    rest = int(R.beside[zone]) & int(m.slots)
    while rest != 0:
        slot = lowest(rest)
        rest &= rest - 1
        found = max(found, carrying_visit(s, R, W, m, me, mi, int(s.place[slot]), goods, share))
    return found


@jit
def carrying_visit(s, R, W, m, me, mi, tile, goods, share):
    """What a place brings for what a minion carries."""
    if tile in (CARAVAN, PORTAL):
        return (1.0 - share) * goods - int(R.place_energy[tile]) * m.spark
    if tile == LIBRARY and me.bag[mi, SPICE] > 0:
        return int(R.place_amount[tile]) * m.coin - m.hold[SPICE] * share
    if tile == MARKET:
        best = 0.0
        for kind in range(KINDS):
            price = int(R.market[kind])
            if me.bag[mi, kind] > 0 and 0 < price <= me.gold:
                best = max(best, (1.0 - share) * m.hold[kind] - price * m.coin)
        return best
    return 0.0


@jit
def place_of(s, R, W, m, mi, zone, moved):
    """What a minion is worth that only stands there."""
    me = s.seat[m.p]
    worth = W.spots[zone] * m.reach + m.goods[mi] * carry(R, W, m, me, mi, zone, moved)
    return worth if zone == CITY else worth - int(me.wounds[mi]) * m.wound


@jit
def arrival(s, R, W, m, mi, zone):
    """What a minion is worth that just came there."""
    me = s.seat[m.p]
    share = carry(R, W, m, me, mi, zone, True)
    goods = m.goods[mi]
    if zone == CITY:
        return goods + m.ground[zone]
    if room(R, me, mi, zone) > 0:
        goods += m.pick[zone]
    worth = goods * share + m.ground[zone] - int(me.wounds[mi]) * m.wound
    return worth + services(s, R, W, m, me, mi, zone, goods, share) if goods > 0.0 and share < 1.0 else worth


# Where it may walk


@jit
def onward(R, zones):
    """Zones a step beyond some zones, as a set."""
    found = 0
    while zones != 0:
        zone = lowest(zones)
        zones &= zones - 1
        found |= bit(R.next[zone])
        if R.shortcut[zone] >= 0:
            found |= bit(R.shortcut[zone])
    return found


@jit
def best_arrival(s, R, W, m, mi, zones):
    """The best of a set of zones to come to."""
    best = -np.inf
    while zones != 0:
        best = max(best, arrival(s, R, W, m, mi, lowest(zones)))
        zones &= zones - 1
    return best


@jit
def best_walk(s, R, W, m, mi, zone, steps):
    """The best a minion can do with so many steps from a zone, itself not counted."""
    zones = bit(zone)
    for _ in range(steps):
        zones = onward(R, zones)
    return best_arrival(s, R, W, m, mi, zones)


@jit
def best_flight(s, R, W, m, mi):
    """The best a minion can do by getting to any other zone."""
    return best_arrival(s, R, W, m, mi, (bit(ZONES) - 1) & ~bit(s.seat[m.p].zone[mi]))
