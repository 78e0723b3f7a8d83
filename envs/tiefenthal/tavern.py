"""Phases B, C and D: the taverns fill, dice are rolled and drafted."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import put
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.core.run.turns import enter
from alehouse.envs.tiefenthal import plan
from alehouse.envs.tiefenthal.effects import clear_tavern, draw_card, lay, level
from alehouse.envs.tiefenthal.layout import (
    A_DIE, A_DONE, A_REDRAW, FACES, NOBLE, OWN_DICE, P_DRAFT, P_TABLE, P_WAITRESS, TABLE, WAITRESS, WHITE_DICE,
)  # fmt: skip
from alehouse.envs.tiefenthal.state import NOBODY

# B. The tavern fills


@jit
def fill(s, R, p):
    """Lay out cards in an empty tavern until every table is taken (3 B)."""
    me = s.seat[p]
    taken = 0
    while taken < level(R, me, P_TABLE) + int(me.laid[TABLE]):
        kind = draw_card(s, p)
        if kind == NOBODY:
            return
        if kind < NOBLE or (kind == NOBLE and (me.laid[NOBLE] == 0 or R.nobles_apart)):
            taken += 1
        lay(me, kind)


@jit
def open_doors(s, R):
    """Fill one tavern after another; a seat with a counter guest may have its own filled once more (3 B5). Then roll the dice."""
    if s.cursor == R.seats:
        roll(s, R)
        enter(s, P_DRAFT)
        return
    p = around(s.first + s.cursor, R.seats)
    if s.filled:
        s.cursor += 1
        s.filled = 0
        return
    fill(s, R, p)
    s.filled = 1
    if s.seat[p].counter > 0:
        push(s, Q.REDRAW, p)


@jit
def legal_redraw(s, R, p, words):
    """List filling the tavern again, and keeping it as it is."""
    put(words, A_DONE, 1)
    put(words, A_REDRAW, 1)


@jit
def apply_redraw(s, R, p, a):
    """Put the counter guest back into the box and all laid-out cards on the discard pile (TT-R29, TT-R33)."""
    pop(s)
    if a != A_DONE:
        s.seat[p].counter -= 1
        clear_tavern(s.seat[p])
        s.filled = 0


# C and D. Dice are rolled and drafted


@jit
def roll(s, R):
    """Roll every seat's own dice, and the white dice on the coasters (3 C, 3 D1)."""
    for p in range(R.seats):
        me = s.seat[p]
        own = level(R, me, P_WAITRESS) + int(me.laid[WAITRESS]) + int(me.extra)
        for k in range(min(own, int(R.own_dice))):
            me.dice[below(s.seed, OWN_DICE, s.evening, p, k, FACES)] += 1
        for k in range(R.white_dice):
            s.coaster[p, below(s.seed, WHITE_DICE, s.evening, p, k, FACES)] += 1


@jit
def draft(s, R):
    """Ask for the next pick of a die; after every seat has picked, each coaster moves to the left (3 D3). Then the turns begin (TT-R6)."""
    passes = 0
    picks = int(s.cursor)
    while picks >= R.seats:
        picks -= R.seats
        passes += 1
    if passes == R.white_dice:
        s.cursor = 0
        plan.begin(s, R)
        return
    p = around(s.first + picks, R.seats)
    push(s, Q.DIE, p, around(p - passes, R.seats), 0)


@jit
def legal_die(s, R, p, words):
    """List the faces of the dice on the coaster in front of the seat."""
    c = top(s).a
    faces = 0
    for face in range(FACES):
        faces |= int(s.coaster[c, face] > 0) << face
    put(words, A_DIE, faces)


@jit
def apply_die(s, R, p, a):
    """Take the die from the coaster."""
    s.coaster[top(s).a, a - A_DIE] -= 1
    pop(s)
    s.seat[p].dice[a - A_DIE] += 1
    s.cursor += 1
