"""Module 2: schnapps and the entertainers (4.1, 1.11). Gaining and paying schnapps is in effects.py."""

from alehouse.envs.tiefenthal import questions as Q
from alehouse.envs.core.run.question_stack import pop, push, top
from alehouse.envs.core.run.bits import first, put
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import around
from alehouse.envs.tiefenthal.effects import (
    gain_beer, gain_doubloons, gain_schnapps, onto_pile, pay_schnapps, removable, remove_patron, unlay,
)  # fmt: skip
from alehouse.envs.tiefenthal.layout import A_DONE, A_FREE, A_REMOVE, A_SIDE, A_SPEND, A_TOPDECK, A_TURN, FACES, P_PLAN, RELATIVE

MODULE = Module(
    "schnapps",
    "That was his last word",
    actions=("side", "turn", "free", "spend", "topdeck"),
    features=("glasses", "schnapps", *(f"{who}_entertainers" for who in RELATIVE)),
    numbers=("schnapps.", "winter.", "entertainers."),
)
DOUBLOONS, BEER, UPGRADE, EXPEL, TOPDECK, TURN = range(6)  # the rows of entertainers.csv


@jit
def able(s, R, p, use):
    """Return whether a seat has this side of an entertainer, and the schnapps to use it (M2-4)."""
    me = s.seat[p]
    return R.schnapps and me.side[use // 2] == use % 2 + 1 and me.schnapps >= R.glass_cost[use]


@jit
def pay(s, R, p, use):
    """Pay the glasses that one of the six sides costs to use."""
    pay_schnapps(s, p, int(R.glass_cost[use]))


# A. At the beginning of an evening


@jit
def pour(s, R):
    """Give all seats the schnapps of the new round (M2-2)."""
    if R.schnapps:
        for k in range(R.seats):
            gain_schnapps(s, R, around(s.first + k, R.seats), int(R.round_schnapps[s.evening]))


@jit
def arrive(s, R, p):
    """Ask a seat which side of the round's entertainer it wants; each entertainer comes once (M2-3)."""
    who = int(R.round_entertainer[s.evening]) - 1
    if R.schnapps and who >= 0 and s.seat[p].side[who] == 0:
        push(s, Q.SIDE, p, who)


@jit
def legal_side(s, R, p, words):
    """List both sides of the entertainer."""
    put(words, A_SIDE, first(2))


@jit
def apply_side(s, R, p, a):
    """Choose this side for the rest of the game."""
    s.seat[p].side[top(s).a] = a - A_SIDE + 1
    pop(s)


# E. The juggler turns dice before they are placed


@jit
def may_turn(s, R, p):
    """Return whether a seat has a die to turn, and the schnapps for it."""
    dice = 0
    for face in range(FACES):
        dice += int(s.seat[p].dice[face])
    return able(s, R, p, TURN) and dice > 0


@jit
def legal_turn(s, R, p, words):
    """List turning a die from each face the seat has to each other face, and stopping."""
    put(words, A_DONE, 1)
    for face in range(FACES):
        if s.seat[p].dice[face] > 0:
            put(words, A_TURN + face * (FACES - 1), first(FACES - 1))


@jit
def apply_turn(s, R, p, a):
    """Turn one die, or go on to the planning."""
    pop(s)
    if a == A_DONE:
        s.phase = P_PLAN
        return
    face = (a - A_TURN) // (FACES - 1)
    to = (a - A_TURN) % (FACES - 1)
    to += int(to >= face)
    pay(s, R, p, TURN)
    s.seat[p].dice[face] -= 1
    s.seat[p].dice[to] += 1


# F. What entertainers do while the seat serves its guests


@jit
def legal_serve(s, R, p, words, pieces):
    """List what entertainers can do in the seat's own turn; `pieces` are the tavern's pieces that can still be upgraded."""
    if R.schnapps and s.seat[p].schnapps > 0:
        put(words, A_SPEND, int(able(s, R, p, DOUBLOONS)) | int(able(s, R, p, BEER)) << 1)
        if able(s, R, p, UPGRADE):
            put(words, A_FREE, pieces)
        if able(s, R, p, EXPEL):
            put(words, A_REMOVE, removable(s))


@jit
def spend(s, R, p, use):
    """Change schnapps into doubloons or beer."""
    pay(s, R, p, use)
    if use == DOUBLOONS:
        gain_doubloons(s, R, p, int(R.glass_doubloons))
    else:
        gain_beer(s, R, p, int(R.glass_beer))


@jit
def expel(s, R, p, kind):
    """Remove a seated patron from the game for schnapps."""
    pay(s, R, p, EXPEL)
    remove_patron(s, p, kind)


@jit
def put_back(s, R, p):
    """Give back the glasses above the number that a seat may keep at the end of its turn (M2-6)."""
    if R.schnapps and s.seat[p].schnapps > R.keep:
        pay_schnapps(s, p, int(s.seat[p].schnapps) - int(R.keep))


# G. The juggler keeps a card at the end of the round


@jit
def keep_card(s, R, p):
    """Ask a seat with enough schnapps whether it keeps a card; only one a round, because this is not its turn (M2-5, TT-R26)."""
    if able(s, R, p, TOPDECK) and s.seat[p].laid_kinds != 0:
        push(s, Q.TOPDECK, p)


@jit
def legal_topdeck(s, R, p, words):
    """List all laid-out cards (TT-R27), and declining."""
    put(words, A_DONE, 1)
    put(words, A_TOPDECK, int(s.seat[p].laid_kinds))


@jit
def apply_topdeck(s, R, p, a):
    """Put the card on top of the draw pile."""
    pop(s)
    if a != A_DONE:
        me = s.seat[p]
        kind = a - A_TOPDECK
        pay(s, R, p, TOPDECK)
        unlay(me, kind)
        onto_pile(s, p, kind)
