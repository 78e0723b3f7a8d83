"""The Bloody Inn: what an action brings in francs, to the end of the game.

A card in hand is worth what it can pay for; a corpse its money, if there is a place and a card to bury it before the police
asks; an annex the places under it and what it does for good. All of it shrinks with the turns that are left. Read of the table:
what lies in the open, and of the objects only one's own.
"""

from pathlib import Path

import numpy as np

from alehouse.envs.bloody_inn import questions as Q
from alehouse.agents.heuristic.bloody_inn import objects
from alehouse.agents.heuristic.bloody_inn.estimate import evaluate
from alehouse.agents.heuristic.bloody_inn.view import look
from alehouse.agents.heuristic.bloody_inn.worth import bribing, building, burying, corpse_worth, fits, keep, killing, spill
from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.bloody_inn.layout import (
    A_AT, A_BRIBE, A_BUILD, A_BURY, A_CARD, A_CASH, A_CORPSE, A_HIRE, A_KILL, A_KILL_PEASANT, A_LODGE, A_OBJECT, A_PASS, A_TO_CASH,
    A_TO_CHECKS, A_UNDER, ANNEXES, KINDS, LASTING, OBJECT_NAMES, OPS, PEASANT, SEATS, UNDERS, VERB_NAMES,
)  # fmt: skip
from alehouse.envs.bloody_inn.payment import returning as staying
from alehouse.envs.bloody_inn.places import absolute
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import bit, first, lowest, within
from alehouse.envs.core.run.jit import jit

__all__ = ["WEIGHTS", "evaluate", "rate", "think"]

WEIGHTS = Weights.load(
    Path(__file__).parent.with_suffix(".toml"), kin=VERB_NAMES, powers=OPS[:LASTING], objects=OBJECT_NAMES, prizes=OBJECT_NAMES
)


@jit
def think(s, R, W, key):
    """What the seat to move takes in; when it has to choose cards, which comes first."""
    m = look(s, R, W, int(s.turn))
    what = top(s).what
    choosing = what in (Q.PAY, Q.DISMISS)
    return m, cheapest(s, R, W, m, what == Q.PAY) if choosing else -1


@jit
def cheapest(s, R, W, m, paying):
    """The first, in the order of choosing, of the cards one misses least."""
    me, act = s.seat[m.p], s.act
    rest = int(me.kinds) & ~first(act.kind)
    need = int(act.low) - int(act.paid)
    back = staying(s, R, m.p) if paying else 0
    found = KINDS
    while rest != 0 and need > 0:
        least, kind = np.inf, 0
        scan = rest
        while scan != 0:
            k = lowest(scan)
            scan &= scan - 1
            cost = 0.0 if within(back, k) else keep(s, R, W, m, k)
            if cost < least:
                least, kind = cost, k
        rest &= ~bit(kind)
        n = int(me.hand[kind]) - (int(act.used) if kind == act.kind else 0)
        need -= n
        if n > 0:
            found = min(found, kind)
    return found


@jit
def lodging(s, R, W, m, place):
    """Where the visible traveler sleeps: those who are dear to bribe stay till morning."""
    owner, up = int(s.owner[place]), int(R.up[s.top])
    worth = (W.rent + W.dear * up) * (1.0 if owner == m.p else -W.envy if owner >= 0 else 0.0)
    if s.service[place] >= 0:
        worth += up if s.service[place] == m.p else -W.envy * up
    return worth


@jit
def under(s, R, W, m, a):
    """A corpse under an annex: all the money, or half of it; a caravan is a room less."""
    own = (a - A_UNDER) // UNDERS == 0
    money = float(R.money[s.act.card])
    worth = fits(s, R, m.p, money) if own else fits(s, R, m.p, 0.5 * money) - 0.5 * W.feed * money
    if (a - A_UNDER) % UNDERS == ANNEXES:
        worth += (-1.0 if own else W.envy) * W.room * m.rounds
    return worth


@jit
def rate(s, R, W, mind, a):
    """What an action brings, in francs; to do nothing brings nothing."""
    m, card = mind
    if a < A_LODGE:
        return 0.0
    if a < A_BRIBE:
        return lodging(s, R, W, m, absolute(a - A_LODGE, m.p, R.seats))
    if a < A_KILL:
        return bribing(s, R, W, m, absolute(a - A_BRIBE, m.p, R.seats), False)
    if a < A_AT:
        return killing(s, R, W, m, absolute(a - A_KILL, m.p, R.seats), False)
    if a < A_HIRE:
        return objects.at(s, R, W, m, absolute(a - A_AT, m.p, R.seats))
    if a < A_BUILD:
        return plain(s, R, W, m, a)
    if a < A_BURY:
        return building(s, R, W, m, a - A_BUILD, False)
    if a < A_CARD:
        return burying(s, R, W, m, a - A_BURY, False)
    if a < A_CORPSE:
        return 1.0 if a - A_CARD == card else -1.0 - keep(s, R, W, m, a - A_CARD)
    if a >= A_UNDER and top(s).what == Q.UNDER and a < A_UNDER + SEATS * UNDERS:
        return under(s, R, W, m, a)
    if a >= A_CASH and a < A_OBJECT:
        return -spill(s, R, W, m, int(s.seat[m.p].cash) - 10 * (a - A_CASH))
    return objects.rate(s, R, W, m, a)


@jit
def plain(s, R, W, m, a):
    """Peasants, passing, laundering."""
    if a < A_KILL_PEASANT:
        n = a - A_HIRE + 1
        return n * (W.card * m.reach / (1.0 + W.crowd * (m.cards + 0.5 * (n - 1))) - W.wage)
    if a < A_PASS:
        return corpse_worth(s, R, W, m, PEASANT, m.corpses, m.cards)
    if a == A_PASS:
        return 0.0
    cash = int(s.seat[m.p].cash)
    tens = a - A_TO_CHECKS + 1 if a < A_TO_CASH else -(a - A_TO_CASH + 1)
    return spill(s, R, W, m, cash) - spill(s, R, W, m, cash - 10 * tens) + W.check * tens
