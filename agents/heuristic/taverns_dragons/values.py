"""Taverns & Dragons: what gold, energy, wounds, ingredients and zones are worth to a seat now, in points."""

from typing import Annotated

from alehouse.envs.core.run.bits import bit, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.declare.record import Array, i8, record
from alehouse.envs.taverns_dragons.layout import (
    A_COLLECT, A_COOK, CITY, DICE, KINDS, MEAD, MINIONS, P_OVER, P_TURNS, SHOWN, SIDES, SLOTS, ZONES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

# What a die may be used for: one of the minions, the bank, the source, a recipe, another recipe.
USE_BANK, USE_SOURCE, USE_RECIPE, USE_OTHER_RECIPE, USES = MINIONS, MINIONS + 1, MINIONS + 2, MINIONS + 3, MINIONS + 4
PLACINGS = A_COLLECT - A_COOK  # actions that place a die
PERIOD = 2.0 * DICE  # a seat's dice from one readying of heroes to the next

f8 = Annotated[float, "f8"]


class Values:
    """What things are worth to a seat, in points, and what else is worked out once for all answers of a decision."""

    p: i8  # the seat
    last: i8  # whether it is the last round
    slots: i8  # set of slots whose place the seat could visit and pay for in energy
    to_come: f8  # the seat's dice still to come, in the whole game
    later: f8  # share of its worth that something for later in the game still has: 1 early, 0 at the end
    gold: f8  # one gold
    energy: f8  # one energy
    rune: f8  # one rune
    wound: f8  # one wound, as a loss
    hero_uses: f8  # times that a hero hired now can be used
    until_ready: f8  # share of the time between two readyings of heroes that is left
    best_placing: f8  # the best place for a die, or 0 once one is placed
    stored: Annotated[Array, "f8", KINDS]  # one more ingredient of each kind in the pantry
    carried: Annotated[Array, "f8", KINDS]  # one ingredient of each kind that minions carry, if it were in the pantry
    load: Annotated[Array, "f8", MINIONS]  # all that each minion carries, if it were in the pantry
    steps_home: Annotated[Array, "f8", ZONES]  # steps from each zone to the City
    zone: Annotated[Array, "f8", ZONES]  # what each zone offers to any minion, ingredients aside
    ingredient: Annotated[Array, "f8", ZONES]  # the best ingredient in each zone
    gain: Annotated[Array, "f8", USES * SIDES]  # what a die of each value brings in each use
    surplus: Annotated[Array, "f8", USES]  # what each use brings beyond what its die brings elsewhere
    elsewhere: Annotated[Array, "f8", SIDES]  # what a die of each value brings in the other uses
    best_sum: Annotated[Array, "f8", 1 << DICE]  # the most that each set of dice brings together
    placing: Annotated[Array, "f8", PLACINGS]  # the rating of each action that places a die


VALUES = record(Values)


@jit
def work_out(s, R, W, p, v):
    """Fill in all values of a seat but those of zones and of uses of dice."""
    me = s.seat[p]
    v.p = p
    v.last = s.rounds + 1 >= R.rounds
    v.slots = payable_slots(s, R, me)
    v.to_come = dice_to_come(s, R, p)
    v.later = v.to_come / (v.to_come + W.horizon)
    fade = v.to_come / (v.to_come + W.saving)
    heroes = popcount(int(s.heroes) | int(s.market))
    v.gold = W.gold * fade * (W.idle + (1.0 - W.idle) * min(1.0, heroes / W.scarce))
    v.energy = W.energy * fade
    v.rune = W.rune * fade
    v.wound = W.wound * fade
    dice = dice_until_ready(s, R, p)
    v.hero_uses = readyings(s, R) + min(1.0, dice / DICE)
    v.until_ready = min(1.0, dice / PERIOD)
    v.best_placing = 0.0
    value_ingredients(s, R, W, v, me)
    measure_way_home(R, v.steps_home)


# What is left of the game


@jit
def dice_left(me):
    """Return how many dice a seat has not placed yet this round."""
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


@jit
def readyings(s, R):
    """Return how often heroes will still be readied."""
    n = 0
    for k in range(int(s.rounds), int(R.rounds) - 1):
        n += int(R.icons[k, 0] == MEAD) + int(R.icons[k, 1] == MEAD)
    return n


@jit
def dice_until_ready(s, R, p):
    """Return how many dice a seat places until heroes are readied again, or until the game ends."""
    dice = float(dice_left(s.seat[p]))
    for k in range(int(s.rounds), int(R.rounds) - 1):
        if R.icons[k, 0] == MEAD or R.icons[k, 1] == MEAD:
            break
        dice += DICE
    return dice


# What ingredients are worth


@jit
def value_ingredients(s, R, W, v, me):
    """Fill in what ingredients are worth: for any recipe of the game, or for one on display where that is more."""
    carried = 0  # number of each kind that minions carry, four bits a kind
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
    """Raise the worth of the ingredients that one recipe on display lacks; `stays` is the chance that it is still there."""
    to_find = to_store = to_find_kinds = to_store_kinds = 0
    for kind in range(KINDS):
        need = int(R.needs[recipe, kind]) - int(me.pantry[kind])
        if need > 0:
            to_store += need
            to_store_kinds |= bit(kind)
            need -= (carried >> (4 * kind)) & 15
            if need > 0:
                to_find += need
                to_find_kinds |= bit(kind)
    if to_store == 0:
        return
    gain = stays * max(0.0, int(R.points[recipe]) - W.meal) * min(1.0, v.to_come / (W.pace * (to_store + 1.0)))
    for _ in range(to_find):
        gain *= W.near
    for kind in range(KINDS):
        if within(to_find_kinds, kind):
            v.stored[kind] = max(v.stored[kind], int(R.pantry_point) + gain)
        if within(to_store_kinds, kind):
            v.carried[kind] = max(v.carried[kind], int(R.pantry_point) + gain / (0.5 + 0.5 * to_store))


# The board


@jit
def measure_way_home(R, steps):
    """Fill in the steps from each zone to the City."""
    steps[CITY] = 0.0
    zone = int(R.back[CITY])
    while zone != CITY:
        steps[zone] = 1.0 + steps[R.next[zone]]
        if R.shortcut[zone] >= 0:
            steps[zone] = min(steps[zone], 1.0 + steps[R.shortcut[zone]])
        zone = int(R.back[zone])


@jit
def beside_dragon(s, R, zone):
    """Return whether the dragon sits beside a zone."""
    return s.dragon != NOTHING and within(R.beside[zone], R.lair[s.dragon])


@jit
def payable_slots(s, R, me):
    """Return the slots with a free space, no dragon and a cost the seat can pay in energy, as a set."""
    found = 0
    for slot in range(SLOTS):
        found |= int(s.paid[slot] < s.open and me.energy >= R.place_energy[s.place[slot]]) << slot
    return found & ~bit(R.lair[s.dragon]) if s.dragon != NOTHING else found
