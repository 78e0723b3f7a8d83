"""The Bloody Inn: rate the objects of module 3: what each brings, and on which place, corpse or seat to use it."""

import numpy as np

from alehouse.agents.heuristic.bloody_inn.worth import (
    annex_worth, burial_gain, cards_due, corpse_worth, cost, kept, rate_bribe, rate_build, rate_burial, rate_kill,
)  # fmt: skip
from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.layout import (
    A_CASH, A_CORPSE, A_OBJECT, A_SEAT, A_UNDER, BIBLE, BUILD, BURY, CAKE, COFFEE, CONFESSIONAL, GOLD_TEETH, HAMMER, LETTER, LIQUOR,
    POISON, QUICKLIME, RUG, SNOW, TOMB, UNDERS, WHEELBARROW, WOLF_TRAP,
)  # fmt: skip
from alehouse.envs.bloody_inn.state import NOBODY
from alehouse.envs.core.run.bits import lowest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import top


@jit
def rate(s, R, W, outlook, a):
    """Rate playing an object now rather than later, or choosing the corpse, the annex or the seat for it."""
    if a < A_UNDER:
        return rate_corpse(s, R, W, outlook, a - A_CORPSE)
    if a < A_SEAT:
        return 1.0 if a < A_UNDER + UNDERS else 0.0
    if a < A_CASH:
        return rate_seat(s, R, (outlook.p + a - A_SEAT) % int(R.seats), outlook.p)
    item = a - A_OBJECT
    if top(s).what == Q.DRAFT:
        return W.objects[item] - W.coin * int(R.price[item])
    return object_gain(s, R, W, outlook, item) - W.prizes[item] * outlook.time


@jit
def rate_corpse(s, R, W, outlook, kind):
    """Rate a corpse for an object: rug and quicklime give up the least valuable one, other objects take the most valuable."""
    if top(s).what == Q.CORPSE and top(s).a == RUG:
        return -corpse_worth(s, R, W, outlook, kind, outlook.corpses - 1, outlook.cards)
    return -float(R.money[kind]) if top(s).what == Q.LIME_CORPSE else float(R.money[kind])


@jit
def rate_seat(s, R, q, p):
    """Rate seat q as the target of seat p's object: the richest gets the corpse or gives the money; the tomb takes own corpses first."""
    if q == p:
        return 1000.0 if top(s).what == Q.TOMB_OWNER else 0.0
    wealth = int(s.seat[q].cash) + 10.0 * int(s.seat[q].checks)
    return wealth if top(s).what == Q.RECIPIENT or top(s).what == Q.TOMB_OWNER else float(int(s.seat[q].cash))


@jit
def rate_place(s, R, W, outlook, place):
    """Rate a place for a key, a service token, the wheelbarrow, coffee, cake or poison."""
    kind = int(s.guest[place])
    what = top(s).what
    if kind == NOBODY:
        return 0.0
    if what == Q.BARROW:
        return annex_worth(s, R, W, outlook, kind) - int(R.low[kind]) * outlook.card
    if what == Q.PLACE:
        if top(s).a == POISON:
            return corpse_worth(s, R, W, outlook, kind, outlook.corpses, outlook.cards)
        return float(R.up[kind])
    return W.rent + W.dear * int(R.up[kind])


@jit
def object_gain(s, R, W, outlook, item):
    """Return how many francs playing an object brings now."""
    fee = 10.0 * int(R.fee)
    if item == LETTER:
        return fee * (1.0 - outlook.call) * (W.spare_letter * outlook.others_corpses - outlook.corpses)
    if item in (COFFEE, CAKE, POISON, WHEELBARROW, LIQUOR, WOLF_TRAP):
        return best_guest(s, R, W, outlook, item)
    if item == HAMMER:
        return best_card(s, R, W, outlook)
    if item == CONFESSIONAL:
        return kept(s, R, outlook.p, float(R.worth[item]))
    if item == SNOW:
        return outlook.call * (fee + W.snow)
    return best_corpse(s, R, W, outlook, item)


@jit
def best_guest(s, R, W, outlook, item):
    """Return the most that an object can bring with a guest."""
    most = -np.inf
    rest = int(s.full)
    while rest != 0:
        place = lowest(rest)
        rest &= rest - 1
        kind = int(s.guest[place])
        if item == COFFEE:
            worth = kept(s, R, outlook.p, float(int(R.worth[COFFEE]) * int(R.up[kind])))
        elif item == CAKE:
            worth = int(R.worth[CAKE]) * int(R.up[kind]) * W.sleeps
        elif item == POISON:
            worth = corpse_worth(s, R, W, outlook, kind, outlook.corpses, outlook.cards)
        elif item == WOLF_TRAP:
            worth = rate_kill(s, R, W, outlook, place, True)
        elif item == LIQUOR:
            worth = rate_bribe(s, R, W, outlook, place, True)
        elif within(R.buildable, kind):
            worth = annex_worth(s, R, W, outlook, kind) - cost(outlook, BUILD, cards_due(s, outlook, BUILD, R.low[kind]))
        else:
            worth = -np.inf
        most = max(most, worth)
    return most


@jit
def best_card(s, R, W, outlook):
    """Return the most that a hammer can bring with a card of the hand."""
    most = -np.inf
    rest = int(s.seat[outlook.p].kinds) & int(R.buildable)
    while rest != 0:
        most = max(most, rate_build(s, R, W, outlook, lowest(rest), True))
        rest &= rest - 1
    return most


@jit
def best_corpse(s, R, W, outlook, item):
    """Return the most francs that an object can bring with any corpse; only the tomb can take other seats' corpses."""
    most = -np.inf
    for k in range(R.seats if item == TOMB else 1):
        q = (outlook.p + k) % int(R.seats)
        rest = int(s.seat[q].dead)
        while rest != 0:
            most = max(most, corpse_gain(s, R, W, outlook, item, lowest(rest), q == outlook.p))
            rest &= rest - 1
    return most


@jit
def corpse_gain(s, R, W, outlook, item, kind, mine):
    """Return how many francs an object brings with a corpse of one's own, or with another seat's."""
    money = kept(s, R, outlook.p, float(R.money[kind]))
    waiting = corpse_worth(s, R, W, outlook, kind, outlook.corpses - 1, outlook.cards) if mine else 0.0
    if item == RUG:
        return -waiting
    if item == BIBLE:
        return rate_burial(s, R, W, outlook, kind, True)
    if item == GOLD_TEETH:
        return rate_burial(s, R, W, outlook, kind, False) + int(R.worth[GOLD_TEETH]) * int(R.low[kind])
    if item == QUICKLIME:
        return burial_gain(s, R, W, outlook, kind, max(1, outlook.graves)) - cost(outlook, BURY, int(R.low[kind])) - waiting
    if item == TOMB:
        return money + (10.0 * int(R.fee) if mine else 0.0)
    return money - waiting
