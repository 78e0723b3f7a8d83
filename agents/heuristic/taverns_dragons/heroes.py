"""Taverns & Dragons: heroes, squares of the track and items: what they bring now, and what they are kept for."""

import numpy as np

from alehouse.agents.heuristic.taverns_dragons import visits
from alehouse.agents.heuristic.taverns_dragons.hunts import best_hunt, best_turn, special, struck
from alehouse.agents.heuristic.taverns_dragons.plan import rolling
from alehouse.agents.heuristic.taverns_dragons.ways import best_flight, carry, place_of, room
from alehouse.envs.core.run.bits import bit, lowest, popcount
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.effects import available
from alehouse.envs.taverns_dragons.hunt import open_to_change
from alehouse.envs.taverns_dragons.layout import (
    B_BOW, B_GOLD, B_RUNE, B_SWORD, BOOTS, BOW, CITY, CLAW, COPY, ENERGY_PER_HERO, EXCHANGE, EXTRA_DIE, FETCH, FLAME, FLY_HOME,
    GAIN_GOLD, HEAL_AND_PLANT, HOURGLASS, KINDS, MINIONS, MUSHROOM, NEW_RECIPE, PLANT, POTION, RAISE_DICE, REROLL_DICE, SEASON,
    SELL, SHIELD, SIDES, SPICE, SQUARE_HEAL, SQUARE_READY, SQUARE_STEP, SQUARE_STORE, SQUARE_TELEPORT, SQUARE_TURN, SQUARES, STEAL,
    STEP, SWORD, TALISMAN, TURN_SWORD, VISIT_ANYWHERE, VISIT_FREE,
)  # fmt: skip


@jit
def hiring(s, R, W, m, hero):
    """A hero: prestige, uses and bonus, less the gold."""
    worth = W.heroes[hero] * m.uses + max(0.0, prize(s, R, W, m, hero) - int(R.bonus_energy) * m.spark) * m.reach
    return int(R.hero_prestige[hero]) + W.use * worth - int(R.price[hero]) * m.coin


@jit
def prize(s, R, W, m, hero):
    """What a hero's bonus is."""
    kind = int(R.bonus[hero])
    if kind < KINDS:
        return m.want[kind]
    return m.coin if kind == B_GOLD else m.rune if kind == B_RUNE else W.turn_bonus


@jit
def bonus(s, R, W, m, hero):
    """A bonus taken now; ingredients may come to be wanted more, but energy is short."""
    kind, cost = int(R.bonus[hero]), int(R.bonus_energy) * m.spark
    if kind in (B_SWORD, B_BOW):
        return best_turn(s, R, W, m, bit(SWORD if kind == B_SWORD else BOW)) - cost
    return prize(s, R, W, m, hero) - cost - W.patience * m.reach - 0.01


@jit
def ability(s, R, W, m, hero):
    """A hero used now, less what he would bring till he is ready again."""
    op = int(R.ability[hero])
    gain = effect(s, R, W, m, op, int(R.amount[hero]))
    if op in (GAIN_GOLD, HEAL_AND_PLANT, STEAL, SEASON, NEW_RECIPE):
        return gain
    wait = W.wait * W.heroes[hero] * m.wait
    return gain - wait - 0.02


@jit
def effect(s, R, W, m, op, n):
    """What an ability brings now."""
    me = s.seat[m.p]
    if op == GAIN_GOLD:
        return 0.01 + n * m.coin
    if op == STEAL:
        return 0.01 + 2.0 * n * m.coin
    if op in (SEASON, NEW_RECIPE):
        return 0.01 + float(n)
    if op == HEAL_AND_PLANT:
        return n * m.want[PLANT] + m.wound * sickest(me)
    if op == ENERGY_PER_HERO:
        return m.spark * min(int(R.energy_cap) - int(me.energy), n * popcount(int(me.ready) | int(me.tired)))
    if op == RAISE_DICE:
        return W.raised * n * (int(me.dice[0]) + int(me.dice[1]) + int(me.dice[2]))
    if op == REROLL_DICE:
        return rolls(s, m) if s.deed.placed == 0 else 0.0
    if op in (EXCHANGE, SELL):
        return trade(me, m) if op == EXCHANGE else n * m.coin - cheapest(me, m)
    if op == SHIELD:
        flames = special(s, R, W, m) if s.hunt.dice[FLAME] > 0 else 0.0
        return int(s.hunt.dice[CLAW]) * m.wound + flames
    if op == EXTRA_DIE:
        return best_hunt(s, R, W, m, n) - best_hunt(s, R, W, m, 0) if best_hunt(s, R, W, m, 0) > 0.0 else -1.0
    if op in (VISIT_ANYWHERE, VISIT_FREE):
        return led(s, R, W, m, op == VISIT_FREE)
    if op in (FETCH, COPY, STEP, FLY_HOME):
        return sent(s, R, W, m, op, n)
    return best_turn(s, R, W, m, bit(SWORD if op == TURN_SWORD else BOW))


@jit
def sickest(me):
    """The wounds of the minion that has most."""
    n = 0
    for mi in range(MINIONS):
        n = max(n, int(me.wounds[mi]))
    return n


@jit
def rolls(s, m):
    """What the dice would gain that are better rolled again."""
    gain = 0.0
    for face in range(SIDES):
        if s.seat[m.p].dice[face] > 0:
            gain += int(s.seat[m.p].dice[face]) * max(0.0, rolling(s, m, face))
    return gain


@jit
def cheapest(me, m):
    """The ingredient of the pantry one would miss least."""
    least = np.inf
    for kind in range(KINDS):
        if me.pantry[kind] > 0:
            least = min(least, m.hold[kind])
    return least


@jit
def trade(me, m):
    """An ingredient for a better one."""
    return max(m.want[PLANT], max(m.want[MUSHROOM], m.want[SPICE])) - cheapest(me, m)


@jit
def led(s, R, W, m, free):
    """The best visit a hero leads to."""
    best = 0.0
    slots = visits.led_to(s, R, m.p, free)
    while slots != 0:
        best = max(best, visits.visiting(s, R, W, m, lowest(slots), free))
        slots &= slots - 1
    return best


@jit
def sent(s, R, W, m, op, n):
    """The best errand for one of the minions."""
    best = -1.0
    for mi in range(MINIONS):
        best = max(best, errand(s, R, W, m, op, n, mi))
    return best


@jit
def errand(s, R, W, m, op, n, mi):
    """What an errand brings with one minion."""
    me = s.seat[m.p]
    zone = int(me.zone[mi])
    moved = me.die[mi] > 0
    if op == FETCH:
        best = 0.0
        rest = available(s, R, zone)
        while rest != 0:
            best = max(best, m.want[lowest(rest)])
            rest &= rest - 1
        return best
    if op == COPY:
        best = 0.0
        if me.load[mi] > 0 and room(R, me, mi, zone) > 0:
            for kind in range(KINDS):
                if me.bag[mi, kind] > 0:
                    best = max(best, m.want[kind] * carry(R, W, m, me, mi, zone, moved))
        return best
    here = place_of(s, R, W, m, mi, zone, moved)
    if op == FLY_HOME:
        return place_of(s, R, W, m, mi, CITY, moved) - here if zone != CITY else -1.0
    best = place_of(s, R, W, m, mi, int(R.next[zone]), moved) + int(R.zone_runes[R.next[zone]]) * m.rune
    if R.shortcut[zone] >= 0:
        best = max(best, place_of(s, R, W, m, mi, int(R.shortcut[zone]), moved))
    return best - here


# Squares of the track, items


@jit
def best_tired(R, W, me, m):
    """What the best exhausted hero would bring, ready again."""
    best = 0.0
    rest = int(me.tired)
    while rest != 0:
        best = max(best, W.heroes[lowest(rest)])
        rest &= rest - 1
    return best


@jit
def stored(s, R, W, m):
    """What storing the load of one minion brings."""
    me, best = s.seat[m.p], 0.0
    for mi in range(MINIONS):
        share = carry(R, W, m, me, mi, int(me.zone[mi]), me.die[mi] > 0)
        best = max(best, m.goods[mi] * (1.0 - share))
    return best


@jit
def flight(s, R, W, m, mi):
    """What flying brings a minion; the one that moved this turn may act there."""
    me = s.seat[m.p]
    zone, moved = int(me.zone[mi]), me.die[mi] > 0
    here = place_of(s, R, W, m, mi, zone, moved)
    best = place_of(s, R, W, m, mi, CITY, moved) - here
    if mi == s.deed.active and s.deed.collected == 0:
        best = max(best, best_flight(s, R, W, m, mi) - here)
    return best


@jit
def flown(s, R, W, m):
    """What flying brings the minion it helps most."""
    best = 0.0
    for mi in range(MINIONS):
        best = max(best, flight(s, R, W, m, mi))
    return best


@jit
def square(s, R, W, m, k):
    """The bonus of a square, less what the next ones are worth."""
    me = s.seat[m.p]
    t, op = int(me.tavern), int(R.square_op[me.tavern, k])
    worth = int(R.square_gold[t, k]) * m.coin + float(R.square_prestige[t, k])
    worth += m.spark * min(int(R.square_energy[t, k]), int(R.energy_cap) - int(me.energy))
    worth += m.rune * min(int(R.square_runes[t, k]), int(R.rune_cap) - int(me.runes))
    if R.square_kind[t, k] >= 0:
        worth += m.want[R.square_kind[t, k]]
    if op == SQUARE_READY:
        worth += best_tired(R, W, me, m)
    elif op == SQUARE_HEAL:
        worth += m.wound * sickest(me)
    elif op == SQUARE_TURN:
        worth += best_turn(s, R, W, m, bit(SWORD) | bit(BOW))
    elif op == SQUARE_STORE:
        worth += stored(s, R, W, m)
    elif op == SQUARE_STEP and not open_to_change(s):
        worth += max(0.0, sent(s, R, W, m, STEP, 1))
    elif op == SQUARE_TELEPORT and not open_to_change(s):
        worth += flown(s, R, W, m)
    return worth - W.track * m.reach * (SQUARES - k)


@jit
def item(s, R, W, m, item):
    """What an item brings now, less what it may bring later."""
    me = s.seat[m.p]
    if item == POTION:
        worth = m.wound * sickest(me)
    elif item == HOURGLASS:
        worth = best_tired(R, W, me, m)
    elif item == BOOTS:
        worth = flown(s, R, W, m)
    elif item == TALISMAN:
        worth = W.talisman if s.deed.active >= 0 or m.left < 1.0 else 0.0
    else:
        worth = glaive(s, R, W, m)
    return worth - W.keep_item * m.reach - 0.02


@jit
def glaive(s, R, W, m):
    """One more damage in the hunt."""
    before = struck(s, R, W, m, 0, 0)
    return max(struck(s, R, W, m, 1, 0), struck(s, R, W, m, 0, 1)) - before
