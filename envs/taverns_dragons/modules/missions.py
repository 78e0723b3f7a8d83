"""Secret missions (TD 4.1): one mission is common to all, each seat secretly keeps one of two, and all count at the end."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, popcount, put
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons.effects import at_home, wounded
from alehouse.envs.taverns_dragons.layout import (
    A_KEEP, AIM_BONUSES, AIM_GOLD, AIM_GRAND, AIM_HEROES, AIM_HOME, AIM_MUSHROOM, AIM_PANTRY, AIM_RECIPES, AIM_SPICE, AIM_TROPHIES,
    AIM_WOUNDS, EGG, KINDS, MEAT, MISSION_DEAL, MISSIONS, MUSHROOM, SPICE,
)  # fmt: skip

MODULE = Module(
    "missions",
    "Secret missions",
    actions=("keep",),
    features=("common_mission", "my_mission", "other_mission"),
    numbers=("missions.",),
)
HAND = 2  # number of missions that each seat chooses from


@jit
def deal(s, R):
    """Shuffle the missions; the first is the common one, then come two for each seat, then those that are not dealt."""
    if R.missions:
        for k in range(MISSIONS):
            s.mission[k] = k
        for k in range(MISSIONS - 1, 0, -1):
            j = below(s.seed, MISSION_DEAL, 0, 0, k, k + 1)
            s.mission[k], s.mission[j] = s.mission[j], s.mission[k]


@jit
def slot(p):
    """Return the index of a seat's mission among the shuffled missions."""
    return 1 + HAND * int(p)


@jit
def second(p):
    """Return the index of the other mission that a seat was dealt; once it has chosen, that is the one it discarded."""
    return slot(p) + 1


@jit
def ask(s, R):
    """Ask the next seat that has not chosen yet which mission it keeps."""
    if R.missions and s.cursor < R.seats:
        push(s, Q.MISSION, s.cursor)


@jit
def legal_mission(s, R, p, words):
    """List the two missions that the seat was dealt."""
    put(words, A_KEEP, bit(s.mission[slot(p)]) | bit(s.mission[second(p)]))


@jit
def apply_mission(s, R, p, a):
    """Keep the mission; the other one is discarded face down."""
    pop(s)
    kept, other = slot(p), second(p)
    if s.mission[kept] != a - A_KEEP:
        s.mission[kept], s.mission[other] = s.mission[other], s.mission[kept]
    s.cursor += 1


@jit
def prestige(s, R, p):
    """Return the prestige of the common mission and of the seat's own one together."""
    if not R.missions:
        return 0
    return worth(s, R, p, int(s.mission[0])) + worth(s, R, p, int(s.mission[slot(p)]))


@jit
def worth(s, R, p, mission):
    """Return the prestige of a mission if its condition is met, else 0 (TD 1.10)."""
    return int(R.mission_prestige[mission]) if met(s, R, s.seat[p], int(R.aim[mission]), int(R.aim_amount[mission])) else 0


@jit
def met(s, R, me, aim, n):
    """Return whether a tavern meets a condition, given as an aim and an amount."""
    cooked = int(me.cooked)
    if aim == AIM_WOUNDS:
        return wounded(me) == 0
    if aim == AIM_RECIPES:
        found = popcount(cooked)
    elif aim == AIM_HEROES:
        found = popcount(int(me.ready) | int(me.tired))
    elif aim == AIM_TROPHIES:
        found = int(me.trophies)
    elif aim == AIM_GOLD:
        found = int(me.gold)
    elif aim == AIM_PANTRY:
        found = left_over(me)
    elif aim == AIM_HOME:
        found = popcount(at_home(me))
    elif aim == AIM_SPICE:
        found = popcount(cooked & int(R.with_kind[SPICE]))
    elif aim == AIM_MUSHROOM:
        found = popcount(cooked & int(R.with_kind[MUSHROOM]))
    elif aim == AIM_GRAND:
        found = popcount(cooked & (int(R.with_kind[EGG]) | int(R.with_kind[MEAT])))
    elif aim == AIM_BONUSES:
        found = popcount(int(me.bonus))
    else:
        found = int(me.energy)
    return found >= n


@jit
def left_over(me):
    """Return the number of ingredients in the pantry."""
    n = 0
    for kind in range(KINDS):
        n += int(me.pantry[kind])
    return n


@jit
def redeal(s, R, p, key):
    """Deal again all missions that a seat has not seen: those that other seats kept or discarded, and those not dealt."""
    if not R.missions:
        return
    for k in range(MISSIONS - 1, 0, -1):
        if hidden(p, k):
            n = 0
            for j in range(k + 1):
                n += int(hidden(p, j))
            pick = below(key, MISSION_DEAL, 0, 0, k, n)
            for j in range(k + 1):
                if hidden(p, j):
                    if pick == 0:
                        s.mission[k], s.mission[j] = s.mission[j], s.mission[k]
                    pick -= 1


@jit
def hidden(p, k):
    """Return whether a seat has not seen the mission at this index of the shuffled missions."""
    return k != 0 and k != slot(p) and k != second(p)
