"""The Bloody Inn: what the objects of module 3 bring, and the choices of a place, a corpse or a seat that go with them."""

import numpy as np

from alehouse.envs.bloody_inn import questions as Q
from alehouse.agents.heuristic.bloody_inn.worth import annex_worth, bribing, building, burial, burying, corpse_worth, fits, killing, price
from alehouse.envs.bloody_inn.layout import (
    A_CASH, A_CORPSE, A_OBJECT, A_SEAT, A_UNDER, BIBLE, BUILD, BURY, CAKE, COFFEE, CONFESSIONAL, DISCOUNT, GOLD_TEETH, HAMMER, LETTER,
    LIQUOR, POISON, QUICKLIME, RUG, SNOW, TOMB, UNDERS, WHEELBARROW, WOLF_TRAP,
)  # fmt: skip
from alehouse.envs.bloody_inn.state import NOBODY
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import lowest, within
from alehouse.envs.core.run.jit import jit


@jit
def rate(s, R, W, m, a):
    """What an object brings beyond keeping it; which corpse, which seat."""
    if a < A_UNDER:
        return corpse(s, R, W, m, a - A_CORPSE)
    if a < A_SEAT:
        return 1.0 if a < A_UNDER + UNDERS else 0.0
    if a < A_CASH:
        return seat(s, R, (m.p + a - A_SEAT) % int(R.seats), m.p)
    item = a - A_OBJECT
    if top(s).what == Q.DRAFT:
        return W.objects[item] - W.coin * int(R.price[item])
    return use(s, R, W, m, item) - W.prizes[item] * m.reach


@jit
def corpse(s, R, W, m, kind):
    """Which corpse the object is for."""
    ask = top(s)
    if ask.what == Q.CORPSE and ask.a == RUG:
        return -corpse_worth(s, R, W, m, kind, m.corpses - 1, m.cards)
    return -float(R.money[kind]) if ask.what == Q.LIME_CORPSE else float(R.money[kind])


@jit
def seat(s, R, q, p):
    """The richest gets the corpse and gives the money; a tomb is for one's own corpses first."""
    if q == p:
        return 1000.0 if top(s).what == Q.TOMB_OWNER else 0.0
    wealth = int(s.seat[q].cash) + 10.0 * int(s.seat[q].checks)
    return wealth if top(s).what == Q.RECIPIENT or top(s).what == Q.TOMB_OWNER else float(int(s.seat[q].cash))


@jit
def at(s, R, W, m, place):
    """Which place: a key where somebody lives, a service for oneself, a guest for an object."""
    kind = int(s.guest[place])
    what = top(s).what
    if kind == NOBODY:
        return 0.0
    if what == Q.BARROW:
        return annex_worth(s, R, W, m, kind) - int(R.low[kind]) * m.card
    if what == Q.PLACE:
        if top(s).a == POISON:
            return corpse_worth(s, R, W, m, kind, m.corpses, m.cards)
        return float(R.up[kind])
    return W.rent + W.dear * int(R.up[kind])


@jit
def use(s, R, W, m, item):
    """What playing an object brings now."""
    fee = 10.0 * int(R.fee)
    if item == LETTER:
        return fee * (1.0 - m.call) * (W.spare_letter * m.others - m.corpses)
    if item in (COFFEE, CAKE, POISON, WHEELBARROW, LIQUOR, WOLF_TRAP):
        return best_guest(s, R, W, m, item)
    if item == HAMMER:
        return best_card(s, R, W, m)
    if item == CONFESSIONAL:
        return fits(s, R, m.p, float(R.worth[item]))
    if item == SNOW:
        return m.call * (fee + W.snow)
    return best_corpse(s, R, W, m, item)


@jit
def best_guest(s, R, W, m, item):
    """The best an object can do with a guest."""
    most = -np.inf
    rest = int(s.full)
    while rest != 0:
        place = lowest(rest)
        rest &= rest - 1
        kind = int(s.guest[place])
        if item == COFFEE:
            worth = fits(s, R, m.p, float(int(R.worth[COFFEE]) * int(R.up[kind])))
        elif item == CAKE:
            worth = int(R.worth[CAKE]) * int(R.up[kind]) * W.sleeps
        elif item == POISON:
            worth = corpse_worth(s, R, W, m, kind, m.corpses, m.cards)
        elif item == WOLF_TRAP:
            worth = killing(s, R, W, m, place, True)
        elif item == LIQUOR:
            worth = bribing(s, R, W, m, place, True)
        elif within(R.buildable, kind):
            worth = annex_worth(s, R, W, m, kind) - price(m, BUILD, max(0, int(R.low[kind]) - int(s.seat[m.p].power[DISCOUNT + BUILD])))
        else:
            worth = -np.inf
        most = max(most, worth)
    return most


@jit
def best_card(s, R, W, m):
    """The best annex that a hammer helps to build."""
    most = -np.inf
    rest = int(s.seat[m.p].kinds) & int(R.buildable)
    while rest != 0:
        most = max(most, building(s, R, W, m, lowest(rest), True))
        rest &= rest - 1
    return most


@jit
def best_corpse(s, R, W, m, item):
    """The best an object can do with a corpse: one's own, but for the tomb."""
    most = -np.inf
    for k in range(R.seats if item == TOMB else 1):
        q = (m.p + k) % int(R.seats)
        rest = int(s.seat[q].dead)
        while rest != 0:
            kind = lowest(rest)
            rest &= rest - 1
            most = max(most, with_corpse(s, R, W, m, item, kind, q == m.p))
    return most


@jit
def with_corpse(s, R, W, m, item, kind, mine):
    """What an object brings with a corpse."""
    money = fits(s, R, m.p, float(R.money[kind]))
    waiting = corpse_worth(s, R, W, m, kind, m.corpses - 1, m.cards) if mine else 0.0
    if item == RUG:
        return -waiting
    if item == BIBLE:
        return burying(s, R, W, m, kind, True)
    if item == GOLD_TEETH:
        return burying(s, R, W, m, kind, False) + int(R.worth[GOLD_TEETH]) * int(R.low[kind])
    if item == QUICKLIME:
        return burial(s, R, W, m, kind, max(1, m.graves)) - price(m, BURY, int(R.low[kind])) - waiting
    if item == TOMB:
        return money + (10.0 * int(R.fee) if mine else 0.0)
    return money - waiting
