"""Taverns & Dragons: what a visit of the active minion brings."""

from alehouse.agents.heuristic.taverns_dragons.ways import best_flight, carry, carrying_visit, plain_visit
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.layout import CAMPFIRE, DUNGEON, FORGE, PORTAL, RUNES
from alehouse.envs.taverns_dragons.places import reach, visitable


@jit
def led_to(s, R, p, free):
    """Slots a hero can lead the active minion to, as a set."""
    return visitable(s, R, p, reach(s, R, p, free), free) if s.deed.active >= 0 else 0


@jit
def visiting(s, R, W, m, slot, free):
    """A visit of the active minion to a place."""
    me, mi, tile = s.seat[m.p], int(s.deed.active), int(s.place[slot])
    zone = int(me.zone[mi])
    share = carry(R, W, m, me, mi, zone, True)
    spared = int(R.place_energy[tile]) * m.spark if free else 0.0
    goods = m.goods[mi]
    if tile == PORTAL:
        here = goods * share - int(me.wounds[mi]) * m.wound + (W.spots[zone] * m.reach)
        return W.flight * (best_flight(s, R, W, m, mi) - here) - int(R.place_energy[tile]) * m.spark + spared
    if tile in (CAMPFIRE, DUNGEON, FORGE, RUNES):
        return spared + plain_visit(s, R, W, m, tile)
    return spared + carrying_visit(s, R, W, m, me, mi, tile, goods, share) - 0.01
