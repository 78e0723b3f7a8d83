"""Tavern Battle: what a seat reads off the table before it rates its answers."""

from typing import Annotated

from alehouse.envs.core.declare.record import Array, i8, record
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import first, highest, lowest, popcount
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.layout import ARRIVALS, HAND, HEROES, PLACES, SAFE, TREASURES

OPPONENTS = 3.0  # with this many opponents the weight of envy applies as it is


f8 = Annotated[float, "f8"]


class View:
    """What a seat reads off the table before it rates its answers."""

    p: i8  # the seat whose view this is
    what: i8  # the number of the question
    hero: i8  # the seat's first hero
    other: i8  # the seat's second hero
    useless: i8  # number of the seat's treasures that give points with neither hero
    takers: i8  # number of the seat's heroes who score any treasure (ANY); each makes one useless treasure count
    rounds: f8  # expected number of rounds of the brawl still to come, with the current one
    envy: f8  # what it is worth that an opponent has a point less
    dice: i8  # number of dice of the attack whose target is to be chosen
    # for an arrival and for a hero: the chances of no damage, exactly one, and exactly two, and the number of dice they are for, or -1
    hits: Annotated[Array, "f8", (2, 3)]
    rolled: Annotated[Array, "i8", 2]
    # the best options for all answers to the question, in points
    fallen: f8  # points of the best treasure in the centre
    offer: i8  # the treasure that the seat should offer, or -1
    strike: f8  # rating of the best attack with an object
    drawn: f8  # rating of the best attack with a weapon drawn now
    throw: f8  # rating of the best attack with a thrown object
    door: f8  # rating of standing at the door


VIEW = record(View)


@jit
def heroes_of(s, p):
    """Return the heroes of a seat, as a set."""
    return int(s.seat[p].group) & first(HEROES)


@jit
def points_with(R, heroes, t):
    """Return the points that a treasure gives with the better of two heroes."""
    return max(int(R.worth[lowest(heroes), t]), int(R.worth[highest(heroes), t]))


@jit
def elsewhere(s, p, q):
    """Return the treasures that may lie elsewhere than with seat q, as far as seat p can know."""
    may = s.seat[p].may
    found = 0
    for place in range(PLACES):
        if place != HAND + q and place != SAFE + q:
            found |= int(may[place])
    return found


@jit
def expected(s, R, p, q):
    """Return the points that seat p may expect seat q's treasures to give."""
    may = s.seat[p].may
    here, others, heroes = int(may[HAND + q] | may[SAFE + q]), elsewhere(s, p, q), heroes_of(s, q)
    unseen = popcount(s.seat[q].treasures) + popcount(s.seat[q].safe) - popcount(here & ~others)
    perhaps = total_points(R, heroes, here & others) / max(1, popcount(here & others))
    return total_points(R, heroes, here & ~others) + unseen * perhaps


@jit
def total_points(R, heroes, members):
    """Return the points that some treasures give with two heroes."""
    one, two, total = R.worth[lowest(heroes)], R.worth[highest(heroes)], 0.0
    while members != 0:
        total += max(int(one[lowest(members)]), int(two[lowest(members)]))
        members &= members - 1
    return total


@jit
def rounds_left(s, R):
    """Return the expected number of rounds of the brawl still to come, counting the current one (TB-R4)."""
    last = ARRIVALS - 0.5 * int(R.militia_among) + 1.0
    expected = (last + 0.5 * (int(R.arrivals) - 1)) / int(R.arrivals)
    return max(1.0, expected - max(0, int(s.rounds) - 1))


@jit
def useless_treasures(s, R, p, heroes):
    """Return how many treasures of a seat give points with neither of its heroes."""
    n = 0
    rest = int(s.seat[p].treasures | s.seat[p].safe)
    while rest != 0:
        n += int(points_with(R, heroes, lowest(rest)) == 0)
        rest &= rest - 1
    return n


@jit
def gain(R, W, v, t):
    """Rate what getting a treasure is worth."""
    worth = max(int(R.worth[v.hero, t]), int(R.worth[v.other, t]))
    return W.count + (worth if worth > 0 else int(v.useless < v.takers))


@jit
def loss(R, W, v, t):
    """Rate what losing a treasure costs."""
    worth = max(int(R.worth[v.hero, t]), int(R.worth[v.other, t]))
    return W.count + (worth if worth > 0 else int(v.useless <= v.takers))


@jit
def best_fallen(s, R, W, v):
    """Rate the best treasure in the centre; a face-down treasure counts as an average one."""
    best = W.prize if s.pile != 0 else 0.0
    rest = int(s.fallen)
    while rest != 0:
        best = max(best, gain(R, W, v, lowest(rest)))
        rest &= rest - 1
    return best


@jit
def look_round(s, R, W, p, v):
    """Write the view of a seat, but for its best options."""
    heroes = heroes_of(s, p)
    v.p, v.what, v.hero, v.other = p, int(top(s).what), lowest(heroes), highest(heroes)
    v.rolled[:] = -1
    v.takers = popcount(heroes & int(R.greedy))
    v.useless = useless_treasures(s, R, p, heroes) if v.takers > 0 else TREASURES
    v.rounds = rounds_left(s, R)
    v.envy = W.envy * OPPONENTS / (int(R.seats) - 1)
