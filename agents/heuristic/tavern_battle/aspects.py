"""Tavern Battle: aspects of an answer for networks: what is done, whom it concerns, and how an attack may end, in numbers around 1.

With them a network can learn of one character, seat or treasure what holds for all. They read only what the seat to move may know: a
treasure that nobody has shown it counts as an average of all that may lie with its owner.
"""

import numpy as np

from alehouse.envs.tavern_battle import questions as Q
from alehouse.agents.heuristic.columns import columns
from alehouse.agents.heuristic.tavern_battle.fight import outcomes, rate_target
from alehouse.agents.heuristic.tavern_battle.view import VIEW, expected, heroes_of, look_round, points_with, total_points
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import first, lowest, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.core.run.seats import left
from alehouse.envs.tavern_battle.combat import dice, reach, ready, score
from alehouse.envs.tavern_battle.effects import living, seat_named
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_CLAIM, A_CONFIRM, A_DOOR, A_DRAW, A_HIDE, A_KEEP, A_PASS, A_PICK_UP, A_PROTECT, A_SEAT, A_STAY_HIDDEN, A_STRIKE,
    A_STRIKE_DRAWN, A_THROW, A_TREASURE, A_WINDOW, CHARACTERS, HEROES, LANCE_CARD, SEATS, STRIKE, SWORD_CARD, THROW,
    TREASURES,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY

ASPECTS = (
    # how the seat to move stands: its points, its lead over the best other seat, the rounds to come
    "points", "lead", "rounds",
    # what the heuristic says: its rating of the answer relative to the best answer and, for an attack, the rating of its best target
    "rated", "worth",
    # the seat that the answer concerns
    "own", "to_the_left", "to_the_right", "foremost", "ahead_of_me", "behind_the_best", "in_hand", "upright_ones", "objects",
    "living", "heroes",
    # the character that the answer concerns; for an attack, its best target
    "hero", "upright", "tilted", "down", "strength", "cunning", "at_the_door", "covered", "hidden", "fallen_once", "armed",
    # the chances of an attack
    "stunned", "felled", "killed", "hero_felled", "hero_killed",
    # the points of a treasure with the heroes of each seat
    "mine", "left", "right", "others", "best", "seller", "weapon",
    # the points of what a buyer offers
    "offered",
    # which kind of action the answer is
    "passes", "posts", "strikes", "throws", "draws", "covers", "hides", "flees", "picks_up",
    # the object that the answer uses
    "price", "contact", "ranged",
)  # fmt: skip
C = columns(ASPECTS)
POINTS, TEN, FEW, MANY = 3.0, 10.0, 3.0, 6.0  # divisors that bring numbers close to 1


@jit
def study(s, R, W, prior, out):
    """Write a row of aspects for each legal answer, in order; `prior` holds the heuristic's rating of each answer."""
    p = int(s.turn)
    v = scratch(1, VIEW)[0]
    look_round(s, R, W, p, v)
    points = scratch(SEATS, np.float32)
    best = 0.0
    for q in range(R.seats):
        points[q] = expected(s, R, p, q)
        if q != p:
            best = max(best, points[q])
    n = 0
    for w in range(s.can.size):
        word = s.can[w]
        while word != 0:
            a = (w << 6) + bits.lowest(word)
            word &= word - np.uint64(1)
            row = out[n]
            row[:] = 0
            row[C.points], row[C.lead] = points[p] / TEN, (points[p] - best) / TEN
            row[C.rounds], row[C.rated] = v.rounds / MANY, prior[n]
            if a >= A_CHARACTER and a < A_CHARACTER + CHARACTERS:
                write_character(s, R, p, a - A_CHARACTER, points, best, row)
            elif a >= A_SEAT and a < A_CHARACTER:
                write_buyer(s, R, p, seat_named(a, p, R.seats), points, best, row)
            elif a >= A_TREASURE and a < A_TREASURE + TREASURES:
                write_treasure(s, R, p, a - A_TREASURE, points, best, row)
            else:
                write_action(R, a, row)
                if v.what == Q.ACTION:
                    c = write_attack(s, R, W, v, a, row) if a >= A_STRIKE and a < A_WINDOW else int(s.act.actor)
                    write_character(s, R, p, c, points, best, row)
            n += 1


@jit
def write_seat(s, R, p, q, points, best, row):
    """Write how the seat stands that the answer concerns."""
    k = left(q, p, R.seats)
    row[C.own] = k == 0
    if k != 0:
        row[C.to_the_left], row[C.to_the_right], row[C.foremost] = k == 1, k == int(R.seats) - 1, points[q] == best
        row[C.ahead_of_me], row[C.behind_the_best] = (points[q] - points[p]) / TEN, (points[q] - best) / TEN
    there = living(s, q)
    row[C.in_hand] = popcount(s.seat[q].treasures) / MANY
    row[C.upright_ones] = popcount(there & int(s.upright)) / FEW
    row[C.objects] = int(s.seat[q].held) / FEW
    row[C.living] = popcount(there) / FEW
    row[C.heroes] = popcount(there & first(HEROES)) / 2.0


@jit
def write_character(s, R, p, c, points, best, row):
    """Write a character, his seat, and how an attack on him may end if a target is being chosen."""
    if s.owner[c] != NOBODY:
        write_seat(s, R, p, int(s.owner[c]), points, best, row)
    row[C.hero] = c < HEROES
    row[C.upright], row[C.tilted], row[C.down] = int(within(s.upright, c)), int(within(s.tilted, c)), int(within(s.down, c))
    row[C.strength], row[C.cunning] = int(R.strength[c]) / FEW, int(R.cunning[c]) / FEW
    row[C.at_the_door], row[C.covered] = int(within(s.door, c)), int(within(s.covered, c))
    row[C.hidden], row[C.fallen_once] = int(within(s.hidden, c)), int(within(s.fallen_once, c))
    row[C.armed] = ready(s, c) != 0
    if top(s).what == Q.TARGET:
        write_chances(s, R, c, dice(s, R), int(s.act.verb), row)


@jit
def write_chances(s, R, c, k, verb, row):
    """Raise the written chances of an attack to those of k dice against a character, where they are higher."""
    hero = int(c < HEROES)
    stunned, felled, killed = outcomes(s, R, c, k, verb)
    row[C.stunned], row[C.felled], row[C.killed] = max(row[C.stunned], stunned), max(row[C.felled], felled), max(row[C.killed], killed)
    row[C.hero_felled], row[C.hero_killed] = max(row[C.hero_felled], felled * hero), max(row[C.hero_killed], killed * hero)


@jit
def write_attack(s, R, W, v, a, row):
    """Write the best chances that an attack has on any target, and return the target that the heuristic rates highest."""
    verb, c = THROW if a >= A_THROW else STRIKE, int(s.act.actor)
    k = score(R, c, verb) + (int(R.bonus) if a >= A_STRIKE_DRAWN and a < A_THROW else 0)
    found, most = -1, -np.inf
    rest = reach(s, R, v.p, verb)
    while rest != 0:
        t = lowest(rest)
        rest &= rest - 1
        write_chances(s, R, t, k, verb, row)
        worth = rate_target(s, R, W, v, t, k, verb)
        if worth > most:
            found, most = t, worth
    row[C.worth] = most / POINTS
    return found


@jit
def write_action(R, a, row):
    """Write which kind of action it is, and with which object."""
    if a == A_PASS:
        row[C.passes] = 1
    elif a < A_CONFIRM:
        row[C.posts] = 1
    elif a == A_PICK_UP:
        row[C.picks_up] = 1
    elif a >= A_PROTECT and a < A_HIDE:
        row[C.covers] = 1
        write_object(R, a - A_PROTECT, row)
    elif a >= A_HIDE and a < A_STAY_HIDDEN:
        row[C.hides] = 1
        write_object(R, a - A_HIDE, row)
    elif a == A_STAY_HIDDEN:
        row[C.hides] = 1
    elif a >= A_DRAW and a < A_STRIKE:
        row[C.draws] = 1
    elif a >= A_STRIKE and a < A_THROW:
        row[C.strikes] = 1
        if a < A_STRIKE_DRAWN:
            write_object(R, a - A_STRIKE, row)
    elif a >= A_THROW and a < A_WINDOW:
        row[C.throws] = 1
        write_object(R, a - A_THROW, row)
    elif a in (A_WINDOW, A_DOOR):
        row[C.flees] = 1
    elif a >= A_KEEP and a < A_CLAIM:
        write_object(R, a - A_KEEP, row)


@jit
def write_object(R, kind, row):
    """Write what an object can be used for."""
    row[C.price] = int(R.price[kind]) / FEW
    row[C.contact], row[C.ranged] = int(within(R.contact, kind)), int(within(R.ranged, kind))


@jit
def write_buyer(s, R, p, q, points, best, row):
    """Write the aspects of another seat; if it may buy, also its offer and the treasure shown."""
    write_seat(s, R, p, q, points, best, row)
    if top(s).what == Q.BUYER:
        row[C.offered] = total_points(R, heroes_of(s, p), int(s.seat[q].offer)) / POINTS
        write_treasure(s, R, q, int(s.shown), points, best, row)


@jit
def write_treasure(s, R, p, t, points, best, row):
    """Write the points that a treasure gives with the heroes of seat p and of the others."""
    row[C.mine] = points_with(R, heroes_of(s, p), t) / POINTS
    for q in range(R.seats):
        if q == p:
            continue
        theirs, k = points_with(R, heroes_of(s, q), t) / POINTS, left(q, p, R.seats)
        if k == 1:
            row[C.left] = theirs
        if k == int(R.seats) - 1:
            row[C.right] = theirs
        row[C.others] = max(row[C.others], theirs)
        if points[q] == best:
            row[C.best] = theirs
        if s.seller == q:
            row[C.seller] = theirs
    row[C.weapon] = t in (SWORD_CARD, LANCE_CARD)
