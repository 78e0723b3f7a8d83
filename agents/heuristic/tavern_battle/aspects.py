"""Tavern Battle: what an answer is about, in numbers of about one: what is done, whom it meets, how that seat stands, what may come of it.

For networks, which can then learn of one character, seat or treasure what holds for all. Only what the seat to move may know is read:
of treasures nobody has shown it, each that may lie with another seat counts alike.
"""

import numpy as np

from alehouse.envs.tavern_battle import questions as Q
from alehouse.agents.heuristic.tavern_battle.fight import outcomes, target_worth
from alehouse.agents.heuristic.tavern_battle.view import elsewhere, heroes_of, look, pleasure
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import first, highest, lowest, popcount, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import left
from alehouse.envs.tavern_battle.combat import dice, reach, ready, score
from alehouse.envs.tavern_battle.effects import living, seat_named
from alehouse.envs.tavern_battle.layout import (
    A_CHARACTER, A_CLAIM, A_CONFIRM, A_DOOR, A_DRAW, A_HIDE, A_KEEP, A_PASS, A_PICK_UP, A_PROTECT, A_SEAT, A_STAY_HIDDEN, A_STRIKE,
    A_STRIKE_DRAWN, A_THROW, A_TREASURE, A_WINDOW, CHARACTERS, HAND, HEROES, LANCE_CARD, SAFE, SEATS, STRIKE, SWORD_CARD, THROW,
    TREASURES,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY

ASPECTS = (
    # the seat to move: its points, over the best of the others; the rounds it may expect
    "points", "lead", "rounds",
    # what the heuristic says of the answer: beside its best, and of an attack what it may bring
    "rated", "worth",
    # the seat met
    "own", "to_the_left", "to_the_right", "foremost", "ahead_of_me", "behind_the_best", "in_hand", "upright_ones", "objects",
    "living", "heroes",
    # the character, of an attack its best target
    "hero", "upright", "tilted", "down", "strength", "cunning", "at_the_door", "covered", "hidden", "fallen_once", "armed",
    # chances of an attack
    "stunned", "felled", "killed", "hero_felled", "hero_killed",
    # points for a treasure, by whose they would be
    "mine", "left", "right", "others", "best", "seller", "weapon",
    # what a buyer offers
    "offered",
    # what is done
    "passes", "posts", "strikes", "throws", "draws", "covers", "hides", "flees", "picks_up",
    # an object
    "price", "contact", "ranged",
)  # fmt: skip
WORTH, SEAT, CHARACTER, ODDS, TREASURE, OFFERED = (ASPECTS.index(name) for name in ("worth", "own", "hero", "stunned", "mine", "offered"))
PASSES, POSTS, STRIKES, THROWS, DRAWS, COVERS, HIDES, FLEES, PICKS_UP, OBJECT = range(OFFERED + 1, OFFERED + 11)
POINTS, TEN, FEW, MANY = 3.0, 10.0, 3.0, 6.0  # what counts as one


@jit
def expected(s, R, p, q):
    """The points of treasures that seat p may expect seat q to have."""
    may = s.seat[p].may
    here, others, heroes = int(may[HAND + q] | may[SAFE + q]), elsewhere(s, p, q), heroes_of(s, q)
    unseen = popcount(s.seat[q].treasures) + popcount(s.seat[q].safe) - popcount(here & ~others)
    perhaps = pleasures(R, heroes, here & others) / max(1, popcount(here & others))
    return pleasures(R, heroes, here & ~others) + unseen * perhaps


@jit
def pleasures(R, heroes, members):
    """Points for some treasures with two heroes."""
    one, two, total = R.worth[lowest(heroes)], R.worth[highest(heroes)], 0.0
    while members != 0:
        total += max(int(one[lowest(members)]), int(two[lowest(members)]))
        members &= members - 1
    return total


@jit
def study(s, R, W, prior, out):
    """A row of aspects for each legal answer, in order; `prior` is what the heuristic says of each."""
    p = int(s.turn)
    m = look(s, R, W, p)
    board = np.zeros(SEATS, np.float32)
    best = 0.0
    for q in range(R.seats):
        board[q] = expected(s, R, p, q)
        if q != p:
            best = max(best, board[q])
    n = 0
    for w in range(s.can.size):
        word = s.can[w]
        while word != 0:
            a = (w << 6) + bits.lowest(word)
            word &= word - np.uint64(1)
            row = out[n]
            row[:] = 0
            row[0], row[1], row[2], row[3] = board[p] / TEN, (board[p] - best) / TEN, m.rounds / MANY, prior[n]
            if a >= A_CHARACTER and a < A_CHARACTER + CHARACTERS:
                of_character(s, R, p, a - A_CHARACTER, board, best, row)
            elif a >= A_SEAT and a < A_CHARACTER:
                of_buyer(s, R, p, seat_named(a, p, R.seats), board, best, row)
            elif a >= A_TREASURE and a < A_TREASURE + TREASURES:
                of_treasure(s, R, p, a - A_TREASURE, board, best, row)
            else:
                of_deed(s, R, a, row)
                if m.what == Q.ACTION:
                    c = of_attack(s, R, W, m, a, row) if a >= A_STRIKE and a < A_WINDOW else int(s.act.actor)
                    of_character(s, R, p, c, board, best, row)
            n += 1


@jit
def of_seat(s, R, p, q, board, best, row):
    """The seat that an answer meets."""
    k = left(q, p, R.seats)
    row[SEAT] = k == 0
    if k != 0:
        row[SEAT + 1], row[SEAT + 2], row[SEAT + 3] = k == 1, k == int(R.seats) - 1, board[q] == best
        row[SEAT + 4], row[SEAT + 5] = (board[q] - board[p]) / TEN, (board[q] - best) / TEN
    there = living(s, q)
    row[SEAT + 6] = popcount(s.seat[q].treasures) / MANY
    row[SEAT + 7] = popcount(there & int(s.upright)) / FEW
    row[SEAT + 8] = int(s.seat[q].held) / FEW
    row[SEAT + 9] = popcount(there) / FEW
    row[SEAT + 10] = popcount(there & first(HEROES)) / 2.0


@jit
def of_character(s, R, p, c, board, best, row):
    """A character, whose it is, and how an attack on it may end."""
    hero = c < HEROES
    if s.owner[c] != NOBODY:
        of_seat(s, R, p, int(s.owner[c]), board, best, row)
    row[CHARACTER] = hero
    row[CHARACTER + 1], row[CHARACTER + 2] = int(within(s.upright, c)), int(within(s.tilted, c))
    row[CHARACTER + 3] = int(within(s.down, c))
    row[CHARACTER + 4], row[CHARACTER + 5] = int(R.strength[c]) / FEW, int(R.cunning[c]) / FEW
    row[CHARACTER + 6], row[CHARACTER + 7] = int(within(s.door, c)), int(within(s.covered, c))
    row[CHARACTER + 8], row[CHARACTER + 9] = int(within(s.hidden, c)), int(within(s.fallen_once, c))
    row[CHARACTER + 10] = ready(s, c) != 0
    if top(s).what == Q.TARGET:
        of_odds(s, R, c, dice(s, R), int(s.act.verb), row)


@jit
def of_odds(s, R, c, k, verb, row):
    """How an attack with k dice may end for a character, unless another is worse off."""
    hero = int(c < HEROES)
    stunned, felled, killed = outcomes(s, R, c, k, verb)
    row[ODDS], row[ODDS + 1], row[ODDS + 2] = max(row[ODDS], stunned), max(row[ODDS + 1], felled), max(row[ODDS + 2], killed)
    row[ODDS + 3], row[ODDS + 4] = max(row[ODDS + 3], felled * hero), max(row[ODDS + 4], killed * hero)


@jit
def of_attack(s, R, W, m, a, row):
    """How an attack may end for whom it hits worst; whom the heuristic would attack."""
    verb, c = THROW if a >= A_THROW else STRIKE, int(s.act.actor)
    k = score(R, c, verb) + (int(R.bonus) if a >= A_STRIKE_DRAWN and a < A_THROW else 0)
    found, most = -1, -np.inf
    rest = reach(s, R, m.p, verb)
    while rest != 0:
        t = lowest(rest)
        rest &= rest - 1
        of_odds(s, R, t, k, verb, row)
        worth = target_worth(s, R, W, m, t, k, verb)
        if worth > most:
            found, most = t, worth
    row[WORTH] = most / POINTS
    return found


@jit
def of_deed(s, R, a, row):
    """What is done, with what."""
    if a == A_PASS:
        row[PASSES] = 1
    elif a < A_CONFIRM:
        row[POSTS] = 1
    elif a == A_PICK_UP:
        row[PICKS_UP] = 1
    elif a >= A_PROTECT and a < A_HIDE:
        row[COVERS] = 1
        of_object(R, a - A_PROTECT, row)
    elif a >= A_HIDE and a < A_STAY_HIDDEN:
        row[HIDES] = 1
        of_object(R, a - A_HIDE, row)
    elif a == A_STAY_HIDDEN:
        row[HIDES] = 1
    elif a >= A_DRAW and a < A_STRIKE:
        row[DRAWS] = 1
    elif a >= A_STRIKE and a < A_THROW:
        row[STRIKES] = 1
        if a < A_STRIKE_DRAWN:
            of_object(R, a - A_STRIKE, row)
    elif a >= A_THROW and a < A_WINDOW:
        row[THROWS] = 1
        of_object(R, a - A_THROW, row)
    elif a in (A_WINDOW, A_DOOR):
        row[FLEES] = 1
    elif a >= A_KEEP and a < A_CLAIM:
        of_object(R, a - A_KEEP, row)


@jit
def of_object(R, kind, row):
    """An object, by what it is good for."""
    row[OBJECT] = int(R.price[kind]) / FEW
    row[OBJECT + 1], row[OBJECT + 2] = int(within(R.contact, kind)), int(within(R.ranged, kind))


@jit
def of_buyer(s, R, p, q, board, best, row):
    """Another seat, and what it offers."""
    of_seat(s, R, p, q, board, best, row)
    if top(s).what == Q.BUYER:
        row[OFFERED] = pleasures(R, heroes_of(s, p), int(s.seat[q].offer)) / POINTS
        of_treasure(s, R, q, int(s.shown), board, best, row)


@jit
def of_treasure(s, R, p, t, board, best, row):
    """A treasure, by whom it pleases."""
    row[TREASURE] = pleasure(R, heroes_of(s, p), t) / POINTS
    for q in range(R.seats):
        if q == p:
            continue
        points, k = pleasure(R, heroes_of(s, q), t) / POINTS, left(q, p, R.seats)
        if k == 1:
            row[TREASURE + 1] = points
        if k == int(R.seats) - 1:
            row[TREASURE + 2] = points
        row[TREASURE + 3] = max(row[TREASURE + 3], points)
        if board[q] == best:
            row[TREASURE + 4] = points
        if s.seller == q:
            row[TREASURE + 5] = points
    row[TREASURE + 6] = t in (SWORD_CARD, LANCE_CARD)
