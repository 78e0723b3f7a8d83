"""Asymmetric boards (TD 4.3): each seat chooses one. Dice of value 1 move a marker along its track, whose squares give bonuses."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import pop, push
from alehouse.envs.core.run.bits import bit, first, member, put, without
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.core.run.seats import around
from alehouse.envs.taverns_dragons import choices, hunt
from alehouse.envs.taverns_dragons.effects import gain_energy, gain_runes
from alehouse.envs.taverns_dragons.layout import (
    A_BOARD, BOW, FOR_HEAL, FOR_STEP, FOR_STORE, FOR_TELEPORT, SQUARE_HEAL, SQUARE_READY, SQUARE_STEP, SQUARE_STORE, SQUARE_TELEPORT,
    SQUARE_TURN, SQUARES, SWORD, TAVERN_DEAL, TAVERNS,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

MODULE = Module(
    "asymmetric",
    "Asymmetric boards",
    actions=("track", "board"),
    features=("tavern", "marker"),
    numbers=("tracks.", "switch.choose_boards"),
)


@jit
def deal(s, R):
    """Deal each seat one of the five boards, or leave all of them to be chosen."""
    if R.asymmetric:
        for p in range(R.seats):
            s.seat[p].tavern = NOTHING
        for p in range(R.seats if R.deal_boards else 0):
            s.seat[p].tavern = member(left_over(s, R), below(s.seed, TAVERN_DEAL, 0, 0, p, TAVERNS - p))


@jit
def left_over(s, R):
    """Return the boards that no seat has, as a set."""
    found = first(TAVERNS)
    for p in range(R.seats):
        if s.seat[p].tavern != NOTHING:
            found = without(found, s.seat[p].tavern)
    return found


@jit
def ask(s, R):
    """Ask the next seat for its board as long as one has none: the last in turn order first, the former first player last (TD-A36)."""
    if R.asymmetric and not R.deal_boards and s.cursor < R.seats:
        push(s, Q.BOARD, around(int(s.first) - 1 - int(s.cursor), R.seats))


@jit
def legal_board(s, R, p, words):
    """List the boards that no seat has."""
    put(words, A_BOARD, left_over(s, R))


@jit
def apply_board(s, R, p, a):
    """Take the board."""
    pop(s)
    s.seat[p].tavern = a - A_BOARD
    s.cursor += 1


@jit
def placed(R, me, value):
    """Move the marker one square on, if a die of value 1 was placed as a main action."""
    if R.asymmetric and value == 1:
        me.marker = min(SQUARES, int(me.marker) + 1)


@jit
def squares(s, R, p):
    """Return as a set the squares whose bonus is available and would change something."""
    found = 0
    if R.asymmetric:
        for k in range(s.seat[p].marker):
            found |= int(useful(s, R, s.seat[p], k)) << k
    return found


@jit
def useful(s, R, me, k):
    """Return whether the bonus of a square would change something now (TD-A35)."""
    t = int(me.tavern)
    if R.square_gold[t, k] > 0 or R.square_prestige[t, k] > 0 or R.square_kind[t, k] >= 0:
        return True
    if (R.square_energy[t, k] > 0 and me.energy < R.energy_cap) or (R.square_runes[t, k] > 0 and me.runes < R.rune_cap):
        return True
    op = R.square_op[t, k]
    if op == SQUARE_READY:
        return me.tired != 0
    if op == SQUARE_TURN:
        return hunt.turnable(s, SWORD) or hunt.turnable(s, BOW)
    if moves(op):
        return not hunt.open_to_change(s)
    return purpose(op) >= 0 and choices.suitable(s, R, me, purpose(op)) != 0


@jit
def moves(op):
    """Return whether a square moves a minion, which no free action does during a hunt."""
    return op == SQUARE_STEP or op == SQUARE_TELEPORT


@jit
def purpose(op):
    """Return the purpose for which a square needs a minion, or -1 if it needs none."""
    if op == SQUARE_HEAL:
        return FOR_HEAL
    if op == SQUARE_STORE:
        return FOR_STORE
    if op == SQUARE_STEP:
        return FOR_STEP
    return FOR_TELEPORT if op == SQUARE_TELEPORT else -1


@jit
def use(s, R, p, k):
    """Take the bonus of a square; the marker returns to the start."""
    me = s.seat[p]
    t = int(me.tavern)
    me.marker = 0
    me.gold += R.square_gold[t, k]
    gain_energy(R, me, int(R.square_energy[t, k]))
    gain_runes(R, me, int(R.square_runes[t, k]))
    me.score += R.square_prestige[t, k]
    if R.square_kind[t, k] >= 0:
        me.pantry[R.square_kind[t, k]] += 1
    op = R.square_op[t, k]
    if op == SQUARE_READY and me.tired != 0:
        push(s, Q.READY, p)
    elif op == SQUARE_TURN and hunt.open_to_change(s):
        push(s, Q.FACE, p, bit(SWORD) | bit(BOW))
    elif purpose(op) >= 0 and not (moves(op) and hunt.open_to_change(s)) and choices.suitable(s, R, me, purpose(op)) != 0:
        push(s, Q.MINION, p, purpose(op), 1)
