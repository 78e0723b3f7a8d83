"""Tavern Battle: what a seat takes in of the table before it rates its answers."""

from typing import NamedTuple

from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import first, highest, lowest, popcount
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.layout import ARRIVALS, HAND, HEROES, PLACES, SAFE, TREASURES

TABLE = 3.0  # others at a table of four, for which envy is given


class Mind(NamedTuple):
    """What a seat takes in before it rates its answers."""

    p: int
    what: int  # the question
    one: int  # its heroes
    two: int
    spare: int  # treasures that please neither, and how many of them may count by ANY
    takers: int
    rounds: float  # of the brawl still to come, the one under way included
    envy: float  # what a point less for another is worth


@jit
def heroes_of(s, p):
    """The heroes of a seat."""
    return int(s.seat[p].group) & first(HEROES)


@jit
def pleasure(R, heroes, t):
    """Points for a treasure with two heroes."""
    return max(int(R.worth[lowest(heroes), t]), int(R.worth[highest(heroes), t]))


@jit
def elsewhere(s, p, q):
    """Treasures that may lie elsewhere than with seat q, for all that seat p has seen."""
    may = s.seat[p].may
    found = 0
    for place in range(PLACES):
        if place != HAND + q and place != SAFE + q:
            found |= int(may[place])
    return found


@jit
def rounds_left(s, R):
    """Rounds of the brawl that are still expected, the one under way included (TB-R4)."""
    last = ARRIVALS - 0.5 * int(R.militia_among) + 1.0
    expected = (last + 0.5 * (int(R.arrivals) - 1)) / int(R.arrivals)
    return max(1.0, expected - max(0, int(s.rounds) - 1))


@jit
def spares(s, R, p, heroes):
    """Treasures of a seat that please none of its heroes."""
    n = 0
    rest = int(s.seat[p].treasures | s.seat[p].safe)
    while rest != 0:
        n += int(pleasure(R, heroes, lowest(rest)) == 0)
        rest &= rest - 1
    return n


@jit
def gain(R, W, m, t):
    """What one more treasure is worth."""
    worth = max(int(R.worth[m.one, t]), int(R.worth[m.two, t]))
    return W.count + (worth if worth > 0 else int(m.spare < m.takers))


@jit
def loss(R, W, m, t):
    """What one treasure less costs."""
    worth = max(int(R.worth[m.one, t]), int(R.worth[m.two, t]))
    return W.count + (worth if worth > 0 else int(m.spare <= m.takers))


@jit
def best_fallen(s, R, W, m):
    """What the best treasure in the centre is worth; one face down counts as any."""
    best = W.prize if s.pile != 0 else 0.0
    rest = int(s.fallen)
    while rest != 0:
        best = max(best, gain(R, W, m, lowest(rest)))
        rest &= rest - 1
    return best


@jit
def look(s, R, W, p):
    """What a seat takes in whatever it is asked."""
    heroes = heroes_of(s, p)
    takers = popcount(heroes & int(R.greedy))
    spare = spares(s, R, p, heroes) if takers > 0 else TREASURES
    envy = W.envy * TABLE / (int(R.seats) - 1)
    return Mind(p, int(top(s).what), lowest(heroes), highest(heroes), spare, takers, rounds_left(s, R), envy)
