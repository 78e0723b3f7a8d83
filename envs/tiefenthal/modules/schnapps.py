"""Module 2: schnapps and the entertainers (4.1, 1.11). What pays and gains schnapps stands in effects.py."""

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
    """Whether a seat has this side of an entertainer and the schnapps for it (M2-4)."""
    me = s.seat[p]
    return R.schnapps and me.side[use // 2] == use % 2 + 1 and me.schnapps >= R.glass_cost[use]


@jit
def pay(s, R, p, use):
    """Give the glasses for one of the six uses."""
    pay_schnapps(s, p, int(R.glass_cost[use]))


# A. Evening


@jit
def pour(s, R):
    """What the moon brings to all at once (M2-2)."""
    if R.schnapps:
        for k in range(R.seats):
            gain_schnapps(s, R, around(s.first + k, R.seats), int(R.round_schnapps[s.evening]))


@jit
def arrive(s, R, p):
    """The entertainer of the round; he comes once (M2-3)."""
    who = int(R.round_entertainer[s.evening]) - 1
    if R.schnapps and who >= 0 and s.seat[p].side[who] == 0:
        push(s, Q.SIDE, p, who)


@jit
def legal_side(s, R, p, words):
    """Either side."""
    put(words, A_SIDE, first(2))


@jit
def apply_side(s, R, p, a):
    """The side stays up for good."""
    s.seat[p].side[top(s).a] = a - A_SIDE + 1
    pop(s)


# E. The juggler turns dice


@jit
def juggle(s, R, p):
    """Whether there is a die to turn, and the schnapps for it; then ask."""
    dice = 0
    for face in range(FACES):
        dice += int(s.seat[p].dice[face])
    if able(s, R, p, TURN) and dice > 0:
        push(s, Q.TURN, p)
        return True
    return False


@jit
def legal_turn(s, R, p, words):
    """Each face there is, to each other face."""
    put(words, A_DONE, 1)
    for face in range(FACES):
        if s.seat[p].dice[face] > 0:
            put(words, A_TURN + face * (FACES - 1), first(FACES - 1))


@jit
def apply_turn(s, R, p, a):
    """Turn one die, or go on to place them."""
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


# F. Serving


@jit
def legal_serve(s, R, p, words, pieces):
    """What entertainers do in the own turn; of the pieces, those that can still be upgraded."""
    if R.schnapps and s.seat[p].schnapps > 0:
        put(words, A_SPEND, int(able(s, R, p, DOUBLOONS)) | int(able(s, R, p, BEER)) << 1)
        if able(s, R, p, UPGRADE):
            put(words, A_FREE, pieces)
        if able(s, R, p, EXPEL):
            put(words, A_REMOVE, removable(s))


@jit
def spend(s, R, p, use):
    """Doubloons or beer for schnapps."""
    pay(s, R, p, use)
    if use == DOUBLOONS:
        gain_doubloons(s, R, p, int(R.glass_doubloons))
    else:
        gain_beer(s, R, p, int(R.glass_beer))


@jit
def expel(s, R, p, kind):
    """A seated patron leaves the game for schnapps."""
    pay(s, R, p, EXPEL)
    remove_patron(s, p, kind)


@jit
def put_back(s, R, p):
    """At most so many glasses are kept at the end of the own turn (M2-6)."""
    if R.schnapps and s.seat[p].schnapps > R.keep:
        pay_schnapps(s, p, int(s.seat[p].schnapps) - int(R.keep))


# G. The juggler keeps a card


@jit
def closing(s, R, p):
    """Ask the seat, if it has the schnapps; it is out of its turn, so there is one card a round (M2-5, TT-R26)."""
    if able(s, R, p, TOPDECK) and s.seat[p].laid_kinds != 0:
        push(s, Q.TOPDECK, p)
        return True
    return False


@jit
def legal_topdeck(s, R, p, words):
    """Any laid-out card (TT-R27)."""
    put(words, A_DONE, 1)
    put(words, A_TOPDECK, int(s.seat[p].laid_kinds))


@jit
def apply_topdeck(s, R, p, a):
    """Onto the draw pile with it."""
    pop(s)
    if a != A_DONE:
        me = s.seat[p]
        kind = a - A_TOPDECK
        pay(s, R, p, TOPDECK)
        unlay(me, kind)
        onto_pile(s, p, kind)
