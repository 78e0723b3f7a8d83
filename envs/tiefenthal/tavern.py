"""Before the guests are served: the tavern fills, dice are rolled and drafted (phases B, C and D)."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import put
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.tiefenthal.effects import clear_tavern, draw_card, lay, level
from alehouse.envs.tiefenthal.layout import (
    A_DIE, A_DONE, A_REDRAW, FACES, NOBLE, OWN_DICE, P_TABLE, P_WAITRESS, TABLE, WAITRESS, WHITE_DICE,
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
    """Each seat in turn fills its tavern, and may do so again for a counter guest (3 B5). True: a question is open."""
    while s.cursor < R.seats:
        p = around(s.first + s.cursor, R.seats)
        if not s.filled:
            fill(s, R, p)
            s.filled = 1
            if s.seat[p].counter > 0:
                push(s, Q.REDRAW, p)
                return True
        s.cursor += 1
        s.filled = 0
    return False


@jit
def legal_redraw(s, R, p, words):
    """Fill anew, or be content."""
    put(words, A_DONE, 1)
    put(words, A_REDRAW, 1)


@jit
def apply_redraw(s, R, p, a):
    """A counter guest goes back to the box, and all laid-out cards to the discard pile (TT-R29, TT-R33)."""
    pop(s)
    if a != A_DONE:
        s.seat[p].counter -= 1
        clear_tavern(s.seat[p])
        s.filled = 0


# C and D. Dice


@jit
def roll(s, R):
    """Own dice, then the white dice on the coasters (3 C, 3 D1)."""
    for p in range(R.seats):
        me = s.seat[p]
        own = level(R, me, P_WAITRESS) + int(me.laid[WAITRESS]) + int(me.extra)
        for k in range(min(own, int(R.own_dice))):
            me.dice[below(s.seed, OWN_DICE, s.evening, p, k, FACES)] += 1
        for k in range(R.white_dice):
            s.coaster[p, below(s.seed, WHITE_DICE, s.evening, p, k, FACES)] += 1


@jit
def draft(s, R):
    """Ask for the next die; False once all are picked. Each coaster passes to the left after all have picked (3 D3)."""
    passes = 0
    picks = int(s.cursor)
    while picks >= R.seats:
        picks -= R.seats
        passes += 1
    if passes == R.white_dice:
        return False
    p = around(s.first + picks, R.seats)
    push(s, Q.DIE, p, around(p - passes, R.seats), 0)
    return True


@jit
def legal_die(s, R, p, words):
    """The faces on the coaster in front of the seat."""
    c = top(s).a
    faces = 0
    for face in range(FACES):
        faces |= int(s.coaster[c, face] > 0) << face
    put(words, A_DIE, faces)


@jit
def apply_die(s, R, p, a):
    """Take it."""
    s.coaster[top(s).a, a - A_DIE] -= 1
    pop(s)
    s.seat[p].dice[a - A_DIE] += 1
    s.cursor += 1
