"""Arrivals: three cards a round, and who is the first to shout (TB 3.3 B4, 3.7)."""

from alehouse.envs.tavern_battle import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, first, member, popcount, put, within, without
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.turns import enter, finish
from alehouse.envs.tavern_battle.effects import tilt
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_CLAIM, A_PASS, ARRIVAL_DECK, ARRIVALS, CLAIMS, HEROES, MILITIA, P_BRAWL, P_OVER, ROLL_OFF,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY


@jit
def arrivals(s, R):
    """Cards one by one; each is claimed, or rolled for, before the next (TB-R3)."""
    while True:
        if s.arrival == NOBODY:
            if s.cursor == R.arrivals:
                s.rounds += 1
                return enter(s, P_BRAWL)
            if militia(s, R):
                return finish(s, P_OVER)
            turn_up(s)
        if claims(s, R):
            return True
        join(s, winner(s, R))


@jit
def militia(s, R):
    """Whether the next card is the Militia: any of the last few, as likely (TB-R4)."""
    left = ARRIVALS + 1 - s.drawn
    return left <= R.militia_among + 1 and below(s.seed, MILITIA, 0, 0, s.drawn, left) == 0


@jit
def turn_up(s):
    """An arrival nobody has seen, any as likely."""
    s.cursor += 1
    k = below(s.seed, ARRIVAL_DECK, 0, 0, s.drawn, popcount(s.arrivals))
    row = member(s.arrivals, k)
    s.arrivals = without(s.arrivals, row)
    s.drawn += 1
    s.arrival = HEROES + row
    s.heard = 0


@jit
def claims(s, R):
    """The next to shout, each of those left as likely (TB-R23)."""
    while True:
        left = first(R.seats) & ~int(s.heard)
        if left == 0:
            return False
        p = member(left, below(s.seed, CLAIMS, s.drawn, 0, popcount(left), popcount(left)))
        s.heard |= bit(p)
        if matches(s, R, p) or not R.mask_bad_claims:
            push(s, Q.CLAIM, p)
            return True


@jit
def matches(s, R, p):
    """Whether a hero of the seat, KO or not, has a circled affinity of the arrival's."""
    return int(s.seat[p].group) & int(R.kin[s.arrival - HEROES]) != 0


@jit
def legal_claim(s, R, p, words):
    """Shout, or not."""
    put(words, A_PASS, 1)
    put(words, A_CLAIM, 1)


@jit
def apply_claim(s, R, p, a):
    """A friend joins; who has none tilts a character."""
    pop(s)
    if a == A_CLAIM:
        if matches(s, R, p):
            join(s, p)
        elif s.seat[p].group & s.upright != 0:
            push(s, Q.PENALTY, p)


@jit
def legal_penalty(s, R, p, words):
    """Upright characters of one's own."""
    put(words, A_CHARACTER, s.seat[p].group & s.upright)


@jit
def apply_penalty(s, R, p, a):
    """He is tilted."""
    pop(s)
    tilt(s, a - A_CHARACTER)


@jit
def join(s, p):
    """The arrival belongs to a group, upright."""
    c = int(s.arrival)
    s.arrival = NOBODY
    s.heard = 0
    s.owner[c] = p
    s.seat[p].group |= bit(c)
    s.upright |= bit(c)


@jit
def winner(s, R):
    """Two dice each; the highest, again among themselves while there are several (TB 3.7)."""
    among = first(R.seats)
    again = 0
    while popcount(among) > 1:
        best = 0
        level = 0
        for p in range(R.seats):
            if within(among, p):
                total = 2 + below(s.seed, ROLL_OFF, s.drawn, p, 2 * again, 6) + below(s.seed, ROLL_OFF, s.drawn, p, 2 * again + 1, 6)
                if total > best:
                    best = total
                    level = 0
                if total == best:
                    level |= bit(p)
        among = level
        again += 1
    return member(among, 0)
