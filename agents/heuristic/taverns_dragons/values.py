"""Taverns & Dragons: what gold, energy, wounds, ingredients and zones are worth to a seat now, in points."""

from typing import Annotated

import numpy as np

from alehouse.envs.core.run.bits import bit, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.declare.record import Array, i8, record
from alehouse.envs.taverns_dragons.layout import (
    A_COLLECT, A_COOK, DICE, HEROES, KINDS, LINES, MINIONS, P_OVER, P_TURNS, SHOWN, SIDES, SLOTS, WIDTH, ZONES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

# The uses of a die: one for each minion, the bank, the source, a recipe, a second recipe.
USE_BANK, USE_SOURCE, USE_RECIPE, USE_OTHER_RECIPE, USES = MINIONS, MINIONS + 1, MINIONS + 2, MINIONS + 3, MINIONS + 4
PLACINGS = A_COLLECT - A_COOK  # number of actions that place a die
PERIOD = 2.0 * DICE  # how many dice a seat places from one readying of heroes to the next
# Numbers of all ingredients in one integer, WIDTH bits for each.
EVERY = (1 << WIDTH) - 1  # the bits of the first
ONES = sum(1 << WIDTH * kind for kind in range(KINDS))  # one of each
TOPS = ONES << WIDTH - 1  # the highest bit of each, which no number uses

f8 = Annotated[float, "f8"]


class Values:
    """The worth of things to a seat, in points, and what else is computed once for all answers of a decision."""

    p: i8  # the seat whose values these are
    what: i8  # the question on top of the stack
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
    new_die: f8  # what a re-rolled die brings on average in the use where it adds most, if re-rolling may have to be rated
    stored: Annotated[Array, "f8", KINDS]  # worth of one more ingredient of each kind in the pantry
    carried: Annotated[Array, "f8", KINDS]  # worth in the pantry of one ingredient of each kind that minions carry
    load: Annotated[Array, "f8", MINIONS]  # worth in the pantry of all that each minion carries
    reward: Annotated[Array, "f8", LINES]  # worth of the reward of each line of the dragon that is not complete
    zone: Annotated[Array, "f8", ZONES]  # worth of what each zone offers to any minion, not counting ingredients
    ingredient: Annotated[Array, "f8", ZONES]  # worth of the best ingredient in each zone
    gain: Annotated[Array, "f8", USES * SIDES]  # worth of a die of each value in each use
    surplus: Annotated[Array, "f8", USES]  # worth of each use beyond what its die brings elsewhere
    elsewhere: Annotated[Array, "f8", SIDES]  # worth of a die of each value in the other uses
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
    carried = pantry = 0  # how many of each kind minions carry, and how many the pantry holds
    for m in range(MINIONS):
        if me.load[m] > 0:
            for kind in range(KINDS):
                carried += int(me.bag[m, kind]) << (WIDTH * kind)
    for kind in range(KINDS):
        pantry |= int(me.pantry[kind]) << (WIDTH * kind)
        n = ((carried >> (WIDTH * kind)) & EVERY) + int(me.pantry[kind])
        v.stored[kind] = int(R.pantry_point) + W.goods[kind] * v.later / (1.0 + W.crowd * n)
        v.carried[kind] = v.stored[kind]
    for space in range(SHOWN):
        recipe = int(s.display[space])
        if recipe >= 0:
            to_store = beyond(int(R.all_needs[recipe]), pantry)
            if to_store != 0:
                value_for_recipe(R, W, v, recipe, to_store, beyond(to_store, carried), W.leaving if space == SHOWN - 1 else 1.0)
    for m in range(MINIONS):
        v.load[m] = 0.0
        if me.load[m] > 0:
            for kind in range(KINDS):
                v.load[m] += int(me.bag[m, kind]) * v.carried[kind]


@jit
def value_for_recipe(R, W, v, recipe, to_store, to_find, stays):
    """Raise the worth of the ingredients that a seat has to store or to find for a recipe on display.

    `stays` is the chance that the recipe stays there.
    """
    n = total(to_store)
    gain = stays * max(0.0, int(R.points[recipe]) - W.meal) * min(1.0, v.to_come / (W.pace * (n + 1.0)))
    for _ in range(total(to_find)):
        gain *= W.near
    found, brought = int(R.pantry_point) + gain, int(R.pantry_point) + gain / (0.5 + 0.5 * n)
    for kind in range(KINDS):
        v.stored[kind] = max(v.stored[kind], found if (to_find >> (WIDTH * kind)) & EVERY != 0 else -np.inf)
        v.carried[kind] = max(v.carried[kind], brought if (to_store >> (WIDTH * kind)) & EVERY != 0 else -np.inf)


@jit
def beyond(numbers, others):
    """Return by how much each number exceeds the other, or 0; both are numbers of all ingredients in one integer."""
    left = (numbers | TOPS) - others
    positive = (left & TOPS) >> (WIDTH - 1)
    return left & ((positive << (WIDTH - 1)) - positive)


@jit
def total(numbers):
    """Return the sum of the numbers of all ingredients in one integer."""
    return (numbers * ONES >> (WIDTH * (KINDS - 1))) & EVERY


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
