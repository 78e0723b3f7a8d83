"""Taverns & Dragons: rate where a minion stands, where it may go, and the places it may visit from there."""

import numpy as np

from alehouse.agents.heuristic.taverns_dragons.hunt import best_hunt
from alehouse.agents.heuristic.taverns_dragons.values import beside_dragon, payable_slots
from alehouse.envs.core.run.bits import bit, lowest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.effects import available
from alehouse.envs.taverns_dragons.layout import (
    CAMPFIRE, CARAVAN, CITY, DUNGEON, FORGE, KINDS, LIBRARY, MARKET, PORTAL, RUNES, SIDES, SLOTS, SPICE, ZONES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.places import reach, visitable
from alehouse.envs.taverns_dragons.state import NOTHING

# What a zone has to offer


@jit
def value_zones(s, R, W, v):
    """Write what each zone offers to any minion that gets there."""
    v.zones_rated = 1
    me, worth = s.seat[v.p], v.zone
    v.slots = payable_slots(s, R, me)
    hunt = best_hunt(s, R, W, v, 0) if s.dragon != NOTHING and me.energy > 0 else 0.0
    for zone in range(ZONES):
        worth[zone] = W.spots[zone] * v.later + (hunt if beside_dragon(s, R, zone) else 0.0)
        v.ingredient[zone] = best_ingredient(s, R, v, zone)
    for slot in range(SLOTS):
        if within(v.slots, slot):
            visit = rate_plain_visit(s, R, W, v, int(s.place[slot]))
            if visit > 0.0:
                for zone in range(ZONES):
                    if within(R.beside[zone], slot):
                        worth[zone] += visit
    if R.encounters and s.encounter != NOTHING and me.energy >= R.encounter_energy:
        worth[s.encounter] += max(0.0, W.encounter - int(R.encounter_energy) * v.energy)
    if R.goblin and s.goblin_items > 0 and me.gold >= R.goblin_price:
        worth[s.goblin] += max(0.0, W.goblin_item * v.later - int(R.goblin_price) * v.gold)


@jit
def best_ingredient(s, R, v, zone):
    """Return what the best ingredient in a zone is worth."""
    best = 0.0
    rest = available(s, R, zone)
    while rest != 0:
        best = max(best, v.stored[lowest(rest)])
        rest &= rest - 1
    return best


# Visits to places


@jit
def rate_plain_visit(s, R, W, v, tile):
    """Rate a visit to a place that does not need what the minion carries, less its cost; 0 for the other places."""
    me = s.seat[v.p]
    cost = int(R.place_energy[tile]) * v.energy
    if tile == DUNGEON:
        return W.dungeon + W.dungeon_coin * v.gold - cost
    if tile == RUNES:
        return min(int(R.place_amount[tile]), int(R.rune_cap) - int(me.runes)) * v.rune - cost
    if tile == FORGE:
        return (W.forge if s.dragon != NOTHING else 0.5 * W.forge) * v.later - cost
    return W.campfire - cost if tile == CAMPFIRE else 0.0


@jit
def rate_delivery(s, R, W, v, m, tile, load, share):
    """Rate a visit to a place that takes what a minion carries; `share` is the share of its worth that the load has on the way."""
    me = s.seat[v.p]
    if tile in (CARAVAN, PORTAL):
        return (1.0 - share) * load - int(R.place_energy[tile]) * v.energy
    if tile == LIBRARY and me.bag[m, SPICE] > 0:
        return int(R.place_amount[tile]) * v.gold - v.carried[SPICE] * share
    if tile == MARKET:
        best = 0.0
        for kind in range(KINDS):
            price = int(R.market[kind])
            if me.bag[m, kind] > 0 and 0 < price <= me.gold:
                best = max(best, (1.0 - share) * v.carried[kind] - price * v.gold)
        return best
    return 0.0


@jit
def best_delivery(s, R, W, v, m, zone, load, share):
    """Return the worth of the best delivery beside a zone, at least 0."""
    best = 0.0
    rest = int(R.beside[zone]) & int(v.slots)
    while rest != 0:
        slot = lowest(rest)
        rest &= rest - 1
        best = max(best, rate_delivery(s, R, W, v, m, int(s.place[slot]), load, share))
    return best


@jit
def rate_visit(s, R, W, v, slot, free):
    """Rate a visit of the active minion to the place on a slot; with `free` the visit costs nothing."""
    me, m, tile = s.seat[v.p], int(s.deed.active), int(s.place[slot])
    zone = int(me.zone[m])
    share = share_on_way(R, W, v, me, m, zone, True)
    spared = int(R.place_energy[tile]) * v.energy if free else 0.0
    load = v.load[m]
    if tile == PORTAL:
        here = load * share - int(me.wounds[m]) * v.wound + (W.spots[zone] * v.later)
        return W.flight * (best_flight(s, R, W, v, m) - here) - int(R.place_energy[tile]) * v.energy + spared
    if tile in (CAMPFIRE, DUNGEON, FORGE, RUNES):
        return spared + rate_plain_visit(s, R, W, v, tile)
    return spared + rate_delivery(s, R, W, v, m, tile, load, share) - 0.01


@jit
def best_led_visit(s, R, W, v, free):
    """Return the worth of the best visit to which a hero leads the active minion, at least 0."""
    best = 0.0
    slots = visitable(s, R, v.p, reach(s, R, v.p, free), free) if s.deed.active >= 0 else 0
    while slots != 0:
        best = max(best, rate_visit(s, R, W, v, lowest(slots), free))
        slots &= slots - 1
    return best


# The worth of a minion in a zone


@jit
def share_on_way(R, W, v, me, m, zone, moved):
    """Return what share of an ingredient's worth in the pantry it has while a minion carries it in a zone."""
    if zone == CITY:
        return 1.0
    if v.last:
        return 1.0 if moved else 0.0
    return W.close if 1 <= int(R.steps_home[zone]) - int(R.extra_steps[m]) <= SIDES else W.far


@jit
def free_slots(R, me, m, zone):
    """Return how many free slots a minion has once it is in a zone; in the City all are free."""
    return int(R.slots[m]) - (0 if zone == CITY else int(me.load[m]) + int(me.wounds[m]))


@jit
def standing(s, R, W, v, m, zone, moved):
    """Return the worth of a minion that stands in a zone and does not act there."""
    me = s.seat[v.p]
    worth = W.spots[zone] * v.later + v.load[m] * share_on_way(R, W, v, me, m, zone, moved)
    return worth if zone == CITY else worth - int(me.wounds[m]) * v.wound


@jit
def arriving(s, R, W, v, m, zone):
    """Return the worth of a minion that has just come to a zone and may act there."""
    me = s.seat[v.p]
    share = share_on_way(R, W, v, me, m, zone, True)
    load = v.load[m]
    if zone == CITY:
        return load + v.zone[zone]
    if free_slots(R, me, m, zone) > 0:
        load += v.ingredient[zone]
    worth = load * share + v.zone[zone] - int(me.wounds[m]) * v.wound
    return worth + best_delivery(s, R, W, v, m, zone, load, share) if load > 0.0 and share < 1.0 else worth


# The best walk, and the best flight


@jit
def best_arrival(s, R, W, v, m, zones):
    """Return the worth of a minion that comes to the best zone of a set."""
    if not v.zones_rated:
        value_zones(s, R, W, v)
    best = -np.inf
    while zones != 0:
        best = max(best, arriving(s, R, W, v, m, lowest(zones)))
        zones &= zones - 1
    return best


@jit
def best_walk(s, R, W, v, m, zone, steps):
    """Return the worth of a minion after the best walk of some steps from a zone."""
    return best_arrival(s, R, W, v, m, int(R.reached[zone, steps]))


@jit
def best_flight(s, R, W, v, m):
    """Return the worth of a minion after moving to the best other zone."""
    return best_arrival(s, R, W, v, m, (bit(ZONES) - 1) & ~bit(s.seat[v.p].zone[m]))
