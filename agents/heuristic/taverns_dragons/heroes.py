"""Taverns & Dragons: rate heroes, squares of the track, and items by what they bring now compared with later."""

import numpy as np

from alehouse.agents.heuristic.taverns_dragons.hunt import best_hunt, gain_of_turning, outcome_with_more, special_attack_cost
from alehouse.agents.heuristic.taverns_dragons.dice import rate_reroll
from alehouse.agents.heuristic.taverns_dragons.positions import best_flight, best_led_visit, free_slots, share_on_way, standing
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
def rate_hire(s, R, W, v, hero):
    """Rate hiring a hero: prestige, later uses and bonus, less the gold."""
    worth = W.heroes[hero] * v.hero_uses + max(0.0, bonus_worth(s, R, W, v, hero) - int(R.bonus_energy) * v.energy) * v.later
    return int(R.hero_prestige[hero]) + W.use * worth - int(R.price[hero]) * v.gold


@jit
def bonus_worth(s, R, W, v, hero):
    """Return what the bonus of a hero is worth."""
    kind = int(R.bonus[hero])
    if kind < KINDS:
        return v.stored[kind]
    return v.gold if kind == B_GOLD else v.rune if kind == B_RUNE else W.turn_bonus


@jit
def rate_bonus(s, R, W, v, hero):
    """Rate taking a bonus now rather than later, when its ingredient may be worth more."""
    kind, cost = int(R.bonus[hero]), int(R.bonus_energy) * v.energy
    if kind in (B_SWORD, B_BOW):
        return gain_of_turning(s, R, W, v, bit(SWORD if kind == B_SWORD else BOW)) - cost
    return bonus_worth(s, R, W, v, hero) - cost - W.patience * v.later - 0.01


@jit
def rate_ability(s, R, W, v, hero):
    """Rate using a hero now, less what the hero could bring before it is readied again."""
    op = int(R.ability[hero])
    gain = ability_worth(s, R, W, v, op, int(R.amount[hero]))
    if op in (GAIN_GOLD, HEAL_AND_PLANT, STEAL, SEASON, NEW_RECIPE):
        return gain
    wait = W.wait * W.heroes[hero] * v.until_ready
    return gain - wait - 0.02


@jit
def ability_worth(s, R, W, v, op, n):
    """Return what using a hero's ability brings now."""
    me = s.seat[v.p]
    if op == GAIN_GOLD:
        return 0.01 + n * v.gold
    if op == STEAL:
        return 0.01 + 2.0 * n * v.gold
    if op in (SEASON, NEW_RECIPE):
        return 0.01 + float(n)
    if op == HEAL_AND_PLANT:
        return n * v.stored[PLANT] + v.wound * most_wounds(me)
    if op == ENERGY_PER_HERO:
        return v.energy * min(int(R.energy_cap) - int(me.energy), n * popcount(int(me.ready) | int(me.tired)))
    if op == RAISE_DICE:
        return W.raised * n * (int(me.dice[0]) + int(me.dice[1]) + int(me.dice[2]))
    if op == REROLL_DICE:
        return reroll_gain(s, v) if s.deed.placed == 0 else 0.0
    if op in (EXCHANGE, SELL):
        return exchange_gain(me, v) if op == EXCHANGE else n * v.gold - cheapest_stored(me, v)
    if op == SHIELD:
        flames = special_attack_cost(s, R, W, v) if s.hunt.dice[FLAME] > 0 else 0.0
        return int(s.hunt.dice[CLAW]) * v.wound + flames
    if op == EXTRA_DIE:
        return best_hunt(s, R, W, v, n) - best_hunt(s, R, W, v, 0) if best_hunt(s, R, W, v, 0) > 0.0 else -1.0
    if op in (VISIT_ANYWHERE, VISIT_FREE):
        return best_led_visit(s, R, W, v, op == VISIT_FREE)
    if op in (FETCH, COPY, STEP, FLY_HOME):
        return best_minion(s, R, W, v, op)
    return gain_of_turning(s, R, W, v, bit(SWORD if op == TURN_SWORD else BOW))


@jit
def most_wounds(me):
    """Return the number of wounds of the minion that has most."""
    n = 0
    for m in range(MINIONS):
        n = max(n, int(me.wounds[m]))
    return n


@jit
def reroll_gain(s, v):
    """Return what re-rolling every die that is better re-rolled brings."""
    gain = 0.0
    for face in range(SIDES):
        if s.seat[v.p].dice[face] > 0:
            gain += int(s.seat[v.p].dice[face]) * max(0.0, rate_reroll(v, face))
    return gain


@jit
def cheapest_stored(me, v):
    """Return the worth of the cheapest ingredient in the pantry."""
    least = np.inf
    for kind in range(KINDS):
        if me.pantry[kind] > 0:
            least = min(least, v.carried[kind])
    return least


@jit
def exchange_gain(me, v):
    """Return what exchanging the cheapest ingredient in the pantry brings."""
    return max(v.stored[PLANT], max(v.stored[MUSHROOM], v.stored[SPICE])) - cheapest_stored(me, v)


@jit
def best_minion(s, R, W, v, op):
    """Return what an ability brings when it is used on the best minion."""
    best = -1.0
    for m in range(MINIONS):
        best = max(best, rate_minion(s, R, W, v, op, m))
    return best


@jit
def rate_minion(s, R, W, v, op, m):
    """Rate using an ability on one minion."""
    me = s.seat[v.p]
    zone = int(me.zone[m])
    moved = me.die[m] > 0
    if op == FETCH:
        best = 0.0
        rest = available(s, R, zone)
        while rest != 0:
            best = max(best, v.stored[lowest(rest)])
            rest &= rest - 1
        return best
    if op == COPY:
        best = 0.0
        if me.load[m] > 0 and free_slots(R, me, m, zone) > 0:
            for kind in range(KINDS):
                if me.bag[m, kind] > 0:
                    best = max(best, v.stored[kind] * share_on_way(R, W, v, me, m, zone, moved))
        return best
    here = standing(s, R, W, v, m, zone, moved)
    if op == FLY_HOME:
        return standing(s, R, W, v, m, CITY, moved) - here if zone != CITY else -1.0
    best = standing(s, R, W, v, m, int(R.next[zone]), moved) + int(R.zone_runes[R.next[zone]]) * v.rune
    if R.shortcut[zone] >= 0:
        best = max(best, standing(s, R, W, v, m, int(R.shortcut[zone]), moved))
    return best - here


# Squares of the track, and items


@jit
def best_exhausted(R, W, me, v):
    """Return what the best exhausted hero would bring if it were readied."""
    best = 0.0
    rest = int(me.tired)
    while rest != 0:
        best = max(best, W.heroes[lowest(rest)])
        rest &= rest - 1
    return best


@jit
def best_storing(s, R, W, v):
    """Return the most that storing the load of one minion brings."""
    me, best = s.seat[v.p], 0.0
    for m in range(MINIONS):
        share = share_on_way(R, W, v, me, m, int(me.zone[m]), me.die[m] > 0)
        best = max(best, v.load[m] * (1.0 - share))
    return best


@jit
def rate_flight(s, R, W, v, m):
    """Rate flying with a minion: home, or, for the active minion, to any zone where it may act."""
    me = s.seat[v.p]
    zone, moved = int(me.zone[m]), me.die[m] > 0
    here = standing(s, R, W, v, m, zone, moved)
    best = standing(s, R, W, v, m, CITY, moved) - here
    if m == s.deed.active and s.deed.collected == 0:
        best = max(best, best_flight(s, R, W, v, m) - here)
    return best


@jit
def best_minion_flight(s, R, W, v):
    """Return what flying brings with the best minion, at least 0."""
    best = 0.0
    for m in range(MINIONS):
        best = max(best, rate_flight(s, R, W, v, m))
    return best


@jit
def rate_square(s, R, W, v, k):
    """Rate the bonus of a square, less the worth of the squares after it."""
    me = s.seat[v.p]
    t, op = int(me.tavern), int(R.square_op[me.tavern, k])
    worth = int(R.square_gold[t, k]) * v.gold + float(R.square_prestige[t, k])
    worth += v.energy * min(int(R.square_energy[t, k]), int(R.energy_cap) - int(me.energy))
    worth += v.rune * min(int(R.square_runes[t, k]), int(R.rune_cap) - int(me.runes))
    if R.square_kind[t, k] >= 0:
        worth += v.stored[R.square_kind[t, k]]
    if op == SQUARE_READY:
        worth += best_exhausted(R, W, me, v)
    elif op == SQUARE_HEAL:
        worth += v.wound * most_wounds(me)
    elif op == SQUARE_TURN:
        worth += gain_of_turning(s, R, W, v, bit(SWORD) | bit(BOW))
    elif op == SQUARE_STORE:
        worth += best_storing(s, R, W, v)
    elif op == SQUARE_STEP and not open_to_change(s):
        worth += max(0.0, best_minion(s, R, W, v, STEP))
    elif op == SQUARE_TELEPORT and not open_to_change(s):
        worth += best_minion_flight(s, R, W, v)
    return worth - W.track * v.later * (SQUARES - k)


@jit
def rate_item(s, R, W, v, item):
    """Rate using an item now, less what it may bring later."""
    me = s.seat[v.p]
    if item == POTION:
        worth = v.wound * most_wounds(me)
    elif item == HOURGLASS:
        worth = best_exhausted(R, W, me, v)
    elif item == BOOTS:
        worth = best_minion_flight(s, R, W, v)
    elif item == TALISMAN:
        worth = W.talisman if s.deed.active >= 0 or v.to_come < 1.0 else 0.0
    else:
        worth = rate_glaive(s, R, W, v)
    return worth - W.keep_item * v.later - 0.02


@jit
def rate_glaive(s, R, W, v):
    """Rate one more damage in the hunt, from the glaive."""
    before = outcome_with_more(s, R, W, v, 0, 0)
    return max(outcome_with_more(s, R, W, v, 1, 0), outcome_with_more(s, R, W, v, 0, 1)) - before
