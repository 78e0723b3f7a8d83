"""Tavern Battle: what an attack can bring, by its dice and its target."""

from alehouse.envs.core.run.bits import lowest, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.combat import reach, score
from alehouse.envs.tavern_battle.effects import position
from alehouse.envs.tavern_battle.layout import HEROES, TILTED, UPRIGHT

FACES = 6.0
PAIRS = 36.0  # ways two dice fall


@jit
def hits(R, t, k):
    """The chances that k dice do no damage, one, and two (TB 3.5 (5))."""
    p = (7.0 - int(R.hurts_hero if t < HEROES else R.hurts_arrival)) / FACES
    miss = 1.0 - p
    none = miss**k
    return none, none * k * p / miss, none * 0.5 * k * (k - 1) * (p / miss) ** 2


@jit
def ahead(x):
    """The chance that one die is at least x above another."""
    if x > 0:
        return max(0, 6 - x) * max(0, 7 - x) / (2.0 * PAIRS)
    return 1.0 - max(0, 5 + x) * max(0, 6 + x) / (2.0 * PAIRS)


@jit
def outcomes(s, R, t, k, verb):
    """The chances that a target comes to lie tilted, down, or KO."""
    if R.tete_dure:
        edge = k - score(R, t, verb)
        stunned, down, ko = ahead(int(R.stunned) - edge), ahead(int(R.down) - edge), ahead(int(R.ko) - edge)
        return stunned - down, down - ko, ko
    none, one, two = hits(R, t, k)
    here = position(s, t)
    if here == UPRIGHT:
        return one, two, 1.0 - none - one - two
    return (0.0, one, 1.0 - none - one) if here == TILTED else (0.0, 0.0, 1.0 - none)


@jit
def rivalry(s, W, m, q):
    """What a point less for a seat is worth: more if it has many treasures."""
    mine = popcount(s.seat[m.p].treasures | s.seat[m.p].safe)
    theirs = popcount(int(s.seat[q].treasures)) + popcount(int(s.seat[q].safe))
    return max(0.0, m.envy * (1.0 + W.chase * (theirs - mine)))


@jit
def target_worth(s, R, W, m, t, k, verb):
    """What an attack with k dice, or with k and a die in Tête dure, may bring."""
    q = int(s.owner[t])
    tilted, down, ko = outcomes(s, R, t, k, verb)
    hurt = rivalry(s, W, m, q)
    n = popcount(int(s.seat[q].treasures))
    later = m.rounds - 1.0
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
def best_target(s, R, W, m, k, verb):
    """The most an attack with k dice may bring, over all in reach."""
    most = 0.0
    rest = reach(s, R, m.p, verb)
    while rest != 0:
        most = max(most, target_worth(s, R, W, m, lowest(rest), k, verb))
        rest &= rest - 1
    return most
