"""Tavern Battle: compute the chances of an attack, and rate it on each target."""

from alehouse.envs.core.run.bits import lowest, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.combat import score
from alehouse.envs.tavern_battle.effects import position
from alehouse.envs.tavern_battle.layout import HEROES, TILTED, UPRIGHT

FACES = 6.0
PAIRS = 36.0  # number of ways in which two dice can fall


@jit
def chances_of_damage(R, hero, k):
    """Return the chances that k dice do no damage, exactly one, and exactly two to a hero or an arrival (TB 3.5 (5))."""
    p = (7.0 - int(R.hurts_hero if hero else R.hurts_arrival)) / FACES
    miss = 1.0 - p
    none = miss**k
    return none, none * k * p / miss, none * 0.5 * k * (k - 1) * (p / miss) ** 2


@jit
def chance_of_lead(x):
    """Return the chance that one die shows at least x more than another die."""
    if x > 0:
        return max(0, 6 - x) * max(0, 7 - x) / (2.0 * PAIRS)
    return 1.0 - max(0, 5 + x) * max(0, 6 + x) / (2.0 * PAIRS)


@jit
def outcomes(s, R, t, k, verb):
    """Return the chances that an attack with k dice leaves a target tilted, down, or KO, counting only changes for the worse."""
    if R.tete_dure:
        edge = k - score(R, t, verb)
        stunned = chance_of_lead(int(R.stunned) - edge)
        down, ko = chance_of_lead(int(R.down) - edge), chance_of_lead(int(R.ko) - edge)
        return stunned - down, down - ko, ko
    return worsened(s, t, chances_of_damage(R, t < HEROES, k))


@jit
def worsened(s, t, hits):
    """Return the chances that a target is left tilted, down, or KO, given those of no damage, exactly one, and exactly two."""
    none, one, two = hits
    here = position(s, t)
    if here == UPRIGHT:
        return one, two, 1.0 - none - one - two
    return (0.0, one, 1.0 - none - one) if here == TILTED else (0.0, 0.0, 1.0 - none)


@jit
def harm(s, W, v, q):
    """Return what it is worth that seat q loses a point: more if q has more treasures than the seat itself."""
    mine = popcount(s.seat[v.p].treasures | s.seat[v.p].safe)
    theirs = popcount(int(s.seat[q].treasures)) + popcount(int(s.seat[q].safe))
    return max(0.0, v.envy * (1.0 + W.chase * (theirs - mine)))


@jit
def hits_of(R, v, hero, k):
    """Return the chances of damage by k dice to a hero or an arrival; they are computed once for all targets."""
    hits, who = v.hits[int(hero)], int(hero)
    if v.rolled[who] != k:
        v.rolled[who] = k
        hits[0], hits[1], hits[2] = chances_of_damage(R, hero, k)
    return hits[0], hits[1], hits[2]


@jit
def rate_target(s, R, W, v, t, k, verb):
    """Rate an attack on a target with k dice; in Tête dure k is added to a single die."""
    q = int(s.owner[t])
    tilted, down, ko = outcomes(s, R, t, k, verb) if R.tete_dure else worsened(s, t, hits_of(R, v, t < HEROES, k))
    hurt = harm(s, W, v, q)
    n = popcount(int(s.seat[q].treasures))
    later = v.rounds - 1.0
    hero = t < HEROES
    upright = int(within(s.upright, t))
    worth = hurt * (W.stun * upright * (tilted + down + ko) + W.fell * down * min(1.0, later))
    worth += hurt * ko * later * (W.hero if hero else W.arrival)
    if within(s.door, t):
        worth += hurt * W.thrown_back * (down + ko)
    if n > 0:
        if R.tete_dure:
            worth += (down + ko) * (W.loot + hurt * W.robbed) + ko * (n - 1) * W.scatter
            if upright and s.seat[q].held > 0:
                worth -= (1.0 - tilted - down - ko) * W.riposte
        elif hero:
            worth += ko * (W.gift + hurt * W.robbed)
            if n > 1 or ko == 0.0:
                falls = ko + (0.0 if within(s.fallen_once, t) else down)
                worth += falls * (W.spill + hurt * W.dropped)
    return worth


@jit
def best_target(s, R, W, v, k, verb, among):
    """Rate the attack with k dice on the best target in a set of characters; without a target it is worth nothing."""
    most = 0.0
    while among != 0:
        most = max(most, rate_target(s, R, W, v, lowest(among), k, verb))
        among &= among - 1
    return most
