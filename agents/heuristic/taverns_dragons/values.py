"""Taverns & Dragons: what gold, energy, wounds, ingredients and zones are worth to a seat now, in points."""

from typing import Annotated

import numpy as np

from alehouse.envs.core.run.bits import bit, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.declare.record import Array, i8, record
from alehouse.envs.taverns_dragons.layout import (
    A_COLLECT, A_COOK, DICE, HEROES, KINDS, LINES, MINIONS, P_OVER, P_TURNS, SHOWN, SIDES, SLOTS, ZONES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

# The uses of a die: one for each minion, the bank, the source, a recipe, a second recipe.
USE_BANK, USE_SOURCE, USE_RECIPE, USE_OTHER_RECIPE, USES = MINIONS, MINIONS + 1, MINIONS + 2, MINIONS + 3, MINIONS + 4
PLACINGS = A_COLLECT - A_COOK  # number of actions that place a die
PERIOD = 2.0 * DICE  # how many dice a seat places from one readying of heroes to the next

f8 = Annotated[float, "f8"]


class Values:
    """The worth of things to a seat, in points, and what else is computed once for all answers of a decision."""

    p: i8  # the seat whose values these are
    last: i8  # 1 in the last round, else 0
    slots: i8  # the set of slots whose place the seat could visit and pay for in energy
    zones_rated: i8  # 1 once `zone` and `ingredient` are written, else 0
    faces: i8  # the set of values of dice whose gains are written
    to_come: f8  # how many dice the seat has still to place in the whole game
    later: f8  # the share of its worth that a thing for later use still has: 1 early, 0 at the end
    gold: f8  # worth of one gold
    energy: f8  # worth of one energy
    rune: f8  # worth of one rune
    wound: f8  # cost of one wound
    hero_uses: f8  # how many times a hero hired now can be used
    until_ready: f8  # how much is left of the time between two readyings of heroes, as a share
    best_placing: f8  # rating of the best place for a die, or 0 once one is placed
    stored: Annotated[Array, "f8", KINDS]  # worth of one more ingredient of each kind in the pantry
    carried: Annotated[Array, "f8", KINDS]  # worth in the pantry of one ingredient of each kind that minions carry
    load: Annotated[Array, "f8", MINIONS]  # worth in the pantry of all that each minion carries
    reward: Annotated[Array, "f8", LINES]  # worth of the reward of each line of the dragon that is not complete
    zone: Annotated[Array, "f8", ZONES]  # worth of what each zone offers to any minion, not counting ingredients
    ingredient: Annotated[Array, "f8", ZONES]  # worth of the best ingredient in each zone
    gain: Annotated[Array, "f8", USES * SIDES]  # worth of a die of each value in each use
    surplus: Annotated[Array, "f8", USES]  # worth of each use beyond what its die brings elsewhere
    elsewhere: Annotated[Array, "f8", SIDES]  # worth of a die of each value in the other uses
    best_sum: Annotated[Array, "f8", 1 << DICE]  # the highest worth of each choice of dice together
    values_in: Annotated[Array, "i8", 1 << DICE]  # the set of values of the dice in each choice of dice
    placing: Annotated[Array, "f8", PLACINGS]  # rating of each action that places a die


VALUES = record(Values)


@jit
def work_out(s, R, W, p, v):
    """Compute all values of a seat except those of zones and of uses of dice."""
    me = s.seat[p]
    v.p = p
    v.last = s.rounds + 1 >= R.rounds
    v.to_come = dice_to_come(s, R, p)
    v.later = v.to_come / (v.to_come + W.horizon)
    fade = v.to_come / (v.to_come + W.saving)
    heroes = popcount(int(s.heroes) | int(s.market)) + HEROES * int(s.packs)
    v.gold = W.gold * fade * (W.idle + (1.0 - W.idle) * min(1.0, heroes / W.scarce))
    v.energy = W.energy * fade
    v.rune = W.rune * fade
    v.wound = W.wound * fade
    dice = dice_left(me) + DICE * int(R.until_ready[s.rounds])
    v.hero_uses = int(R.readyings[s.rounds]) + min(1.0, dice / DICE)
    v.until_ready = min(1.0, dice / PERIOD)
    v.best_placing = 0.0
    v.zones_rated = 0
    value_ingredients(s, R, W, v, me)


# How much of the game is left


@jit
def dice_left(me):
    """Return how many dice a seat has not placed yet in this round."""
    n = 0
    for k in range(me.dice.size):
        n += int(me.dice[k])
    return n


@jit
def dice_to_come(s, R, p):
    """Return how many dice a seat has still to place in the whole game."""
    if s.phase == P_OVER:
        return 0.0
    ahead = int(R.rounds) - 1 - int(s.rounds)
    if s.phase < P_TURNS:
        ahead += 1
    return float(DICE * ahead + dice_left(s.seat[p]))


# The worth of ingredients


@jit
def value_ingredients(s, R, W, v, me):
    """Write what each ingredient is worth: in any recipe of the game, or in one on display where that is more."""
    carried = 0  # how many of each kind minions carry, four bits for each kind
    for kind in range(KINDS):
        n = 0
        for m in range(MINIONS):
            n += int(me.bag[m, kind])
        carried |= n << (4 * kind)
        v.stored[kind] = int(R.pantry_point) + W.goods[kind] * v.later / (1.0 + W.crowd * (n + int(me.pantry[kind])))
        v.carried[kind] = v.stored[kind]
    for space in range(SHOWN):
        if s.display[space] >= 0:
            value_for_recipe(R, W, v, me, int(s.display[space]), carried, W.leaving if space == SHOWN - 1 else 1.0)
    for m in range(MINIONS):
        v.load[m] = 0.0
        if me.load[m] > 0:
            for kind in range(KINDS):
                v.load[m] += int(me.bag[m, kind]) * v.carried[kind]


@jit
def value_for_recipe(R, W, v, me, recipe, carried, stays):
    """Raise the worth of the ingredients that a seat lacks for a recipe on display; `stays` is the chance that the recipe stays there."""
    to_find = to_store = to_find_kinds = to_store_kinds = 0
    for kind in range(KINDS):
        need = max(0, int(R.needs[recipe, kind]) - int(me.pantry[kind]))
        to_store += need
        to_store_kinds |= int(need > 0) << kind
        need = max(0, need - ((carried >> (4 * kind)) & 15))
        to_find += need
        to_find_kinds |= int(need > 0) << kind
    if to_store == 0:
        return
    gain = stays * max(0.0, int(R.points[recipe]) - W.meal) * min(1.0, v.to_come / (W.pace * (to_store + 1.0)))
    for _ in range(to_find):
        gain *= W.near
    found, brought = int(R.pantry_point) + gain, int(R.pantry_point) + gain / (0.5 + 0.5 * to_store)
    for kind in range(KINDS):
        v.stored[kind] = max(v.stored[kind], found if within(to_find_kinds, kind) else -np.inf)
        v.carried[kind] = max(v.carried[kind], brought if within(to_store_kinds, kind) else -np.inf)


# Zones and slots of the board


@jit
def beside_dragon(s, R, zone):
    """Return whether the dragon sits beside a zone."""
    return s.dragon != NOTHING and within(R.beside[zone], R.lair[s.dragon])


@jit
def payable_slots(s, R, me):
    """Return as a set the slots with a free space, no dragon, and a cost in energy that the seat can pay."""
    found = 0
    for slot in range(SLOTS):
        found |= int(s.paid[slot] < s.open and me.energy >= R.place_energy[s.place[slot]]) << slot
    return found & ~bit(R.lair[s.dragon]) if s.dragon != NOTHING else found
