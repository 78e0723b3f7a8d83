"""Asymmetric boards (TD 4.3): dice of value 1 move a marker along a track, which gives the bonus of its square or an earlier one."""

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.envs.core.run.question_stack import push
from alehouse.envs.core.run.bits import bit
from alehouse.envs.core.declare.game import Module
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons import choices, hunt
from alehouse.envs.taverns_dragons.effects import gain_energy, gain_runes
from alehouse.envs.taverns_dragons.layout import (
    BOW, FOR_HEAL, FOR_STEP, FOR_STORE, FOR_TELEPORT, SQUARE_HEAL, SQUARE_READY, SQUARE_STEP, SQUARE_STORE, SQUARE_TELEPORT, SQUARE_TURN,
    SQUARES, SWORD, TAVERN_DEAL, TAVERNS,
)  # fmt: skip

MODULE = Module(
    "asymmetric",
    "Asymmetric boards",
    actions=("track",),
    features=("tavern", "marker"),
    numbers=("tracks.",),
)


@jit
def deal(s, R):
    """Deal each seat one of the five taverns."""
    if R.asymmetric:
        left = (1 << TAVERNS) - 1
        for p in range(R.seats):
            k = below(s.seed, TAVERN_DEAL, 0, 0, p, TAVERNS - p)
            for tavern in range(TAVERNS):
                if (left >> tavern) & 1:
                    if k == 0:
                        s.seat[p].tavern = tavern
                        left ^= bit(tavern)
                    k -= 1


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
    if op == SQUARE_STEP or op == SQUARE_TELEPORT:
        return not hunt.open_to_change(s)
    return purpose(op) >= 0 and choices.suitable(s, R, me, purpose(op)) != 0


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
    elif purpose(op) >= 0 and not hunt.open_to_change(s) and choices.suitable(s, R, me, purpose(op)) != 0:
        push(s, Q.MINION, p, purpose(op), 1)
