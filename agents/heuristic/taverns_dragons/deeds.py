"""Taverns & Dragons: what the actions of a turn bring, in points."""

from alehouse.agents.heuristic.taverns_dragons import heroes
from alehouse.agents.heuristic.taverns_dragons.hunts import hunting
from alehouse.agents.heuristic.taverns_dragons.view import T_BANK, T_COOK, T_SOURCE
from alehouse.agents.heuristic.taverns_dragons.plan import dish, purse, rolling
from alehouse.agents.heuristic.taverns_dragons.visits import visiting
from alehouse.agents.heuristic.taverns_dragons.ways import carry
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.layout import (
    A_ABILITY, A_BANK, A_BEHIND, A_BLANK, A_BONUS, A_BUY, A_COLLECT, A_COOK, A_DISCARD, A_ENCOUNTER, A_HEAL, A_HIRE, A_HUNT, A_ITEM,
    A_MOVE, A_REROLL, A_SOURCE, A_STORE, A_TRACK, A_VISIT, BLANK, CUBE, SIDES,
)  # fmt: skip


@jit
def placing(s, R, W, m, a):
    """A die for a main action: what it brings, less what the die could do elsewhere; more if others may be faster."""
    if a >= A_DISCARD:
        return float(A_DISCARD - a)
    if a >= A_MOVE:
        task, face = (a - A_MOVE) // SIDES, (a - A_MOVE) % SIDES
        worth, hurry = m.tasks[a - A_MOVE], W.hurry_move
    elif a >= A_SOURCE:
        task, face = T_SOURCE, a - A_SOURCE
        worth, hurry = m.tasks[T_SOURCE * SIDES + face], 0.0
    elif a >= A_BANK:
        task, face = T_BANK, (a - A_BANK) % SIDES
        worth, hurry = purse(s, R, m, int(R.bank[face if a < A_BLANK else BLANK])), W.hurry_bank
    else:
        task, face = T_COOK, (a - A_COOK) % SIDES
        worth, hurry = dish(s, R, W, m, (a - A_COOK) // SIDES) + W.pip * (face + 1), W.hurry_cook
    return worth - m.price[face] + hurry * max(0.0, m.profit[task])


@jit
def active(s, R, W, m, a):
    """What the minion that moved does: all that brings something, what leads it away last."""
    me, mi = s.seat[m.p], int(s.deed.active)
    zone = int(me.zone[mi])
    if a < A_VISIT:
        kind = a - (A_COLLECT if a < A_BEHIND else A_BEHIND)
        worth = m.want[kind] * carry(R, W, m, me, mi, zone, True)
        return W.first + worth if worth > 0.0 else worth - 0.1
    if a < A_HUNT:
        return visiting(s, R, W, m, a - A_VISIT, False)
    if a < A_ENCOUNTER:
        worth = hunting(s, R, W, m, a - A_HUNT + 1, int(s.deed.extra))
        return W.first + worth if worth > 0.0 else worth
    return W.meet - int(R.encounter_energy) * m.spark


@jit
def free(s, R, W, m, a):
    """Free actions; what is gone later costs what it may still bring."""
    s.seat[m.p]
    if a < A_ABILITY:
        return heroes.hiring(s, R, W, m, a - A_HIRE)
    if a < A_BONUS:
        return heroes.ability(s, R, W, m, a - A_ABILITY)
    if a < A_REROLL:
        return heroes.bonus(s, R, W, m, a - A_BONUS)
    if a < A_STORE:
        return (rolling(s, m, a - A_REROLL) if s.deed.placed == 0 else 0.0) - m.rune - 0.05
    if a < A_HEAL:
        return 0.1 if R.manual_city or s.deed.placed == 0 else -0.1
    if a < A_TRACK:
        return 0.1 if R.manual_city else -0.1
    if a < A_BUY:
        return heroes.square(s, R, W, m, a - A_TRACK)
    if a < A_ITEM:
        return W.ware * m.reach - int(R.goblin_price) * m.coin
    return heroes.item(s, R, W, m, a - A_ITEM + CUBE + 1)
