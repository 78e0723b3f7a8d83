"""Arrivals: three cards a round, and which seat may claim each of them first (TB 3.3 B4, 3.7)."""

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
    """Offer the arrival to the next seat, or roll for him once all have been asked; then turn up the next card, if one is due (TB-R3)."""
    unasked = first(R.seats) & ~int(s.heard)
    if s.arrival != NOBODY and unasked != 0:
        offer_claim(s, R, unasked)
    elif s.arrival != NOBODY:
        join(s, winner(s, R))
    elif s.cursor == R.arrivals:
        s.rounds += 1
        enter(s, P_BRAWL)
    elif militia_comes(s, R):
        finish(s, P_OVER)
    else:
        turn_up(s)


@jit
def militia_comes(s, R):
    """Return whether the next card is the Militia; each of the last few cards is equally likely to be it (TB-R4)."""
    left = ARRIVALS + 1 - s.drawn
    return left <= R.militia_among + 1 and below(s.seed, MILITIA, 0, 0, s.drawn, left) == 0


@jit
def turn_up(s):
    """Turn up one of the arrivals not seen yet; all are equally likely."""
    s.cursor += 1
    k = below(s.seed, ARRIVAL_DECK, 0, 0, s.drawn, popcount(s.arrivals))
    row = member(s.arrivals, k)
    s.arrivals = without(s.arrivals, row)
    s.drawn += 1
    s.arrival = HEROES + row
    s.heard = 0


@jit
def offer_claim(s, R, unasked):
    """Ask a random seat of those not asked yet whether it claims the arrival; all are equally likely (TB-R23)."""
    n = popcount(unasked)
    p = member(unasked, below(s.seed, CLAIMS, s.drawn, 0, n, n))
    s.heard |= bit(p)
    if matches(s, R, p) or not R.mask_bad_claims:
        push(s, Q.CLAIM, p)


@jit
def matches(s, R, p):
    """Return whether a hero of the seat, even one who is KO, has a circled affinity that the arrival shares."""
    return int(s.seat[p].group) & int(R.kin[s.arrival - HEROES]) != 0


@jit
def legal_claim(s, R, p, words):
    """List claiming and passing."""
    put(words, A_PASS, 1)
    put(words, A_CLAIM, 1)


@jit
def apply_claim(s, R, p, a):
    """Claim the arrival: he joins a seat with a matching hero; otherwise one of the seat's upright characters is tilted as a penalty."""
    pop(s)
    if a == A_CLAIM:
        if matches(s, R, p):
            join(s, p)
        elif s.seat[p].group & s.upright != 0:
            push(s, Q.PENALTY, p)


@jit
def legal_penalty(s, R, p, words):
    """List the seat's upright characters."""
    put(words, A_CHARACTER, s.seat[p].group & s.upright)


@jit
def apply_penalty(s, R, p, a):
    """Tilt the chosen character as a penalty."""
    pop(s)
    tilt(s, a - A_CHARACTER)


@jit
def join(s, p):
    """Add the arrival to a seat's group, in upright position."""
    c = int(s.arrival)
    s.arrival = NOBODY
    s.heard = 0
    s.owner[c] = p
    s.seat[p].group |= bit(c)
    s.upright |= bit(c)


@jit
def winner(s, R):
    """Return which seat rolls the highest total with two dice; tied seats roll again (TB 3.7)."""
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
