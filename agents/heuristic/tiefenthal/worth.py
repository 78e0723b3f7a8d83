"""The Taverns of Tiefenthal: the value of cards, pieces, guests, steps and schnapps, in points until the end of the game."""

from typing import Annotated

import numpy as np

from alehouse.envs.core.declare.record import Array, i8, record
from alehouse.envs.core.run.bits import first, lowest
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import scratch
from alehouse.envs.tiefenthal.effects import level
from alehouse.envs.tiefenthal.layout import (
    B_BEER, B_DOUBLOONS, B_MONASTERY, B_NOBLE, B_REMOVE, B_REPUTATION, B_SCHNAPPS, BARD, BARREL, CASHBOX, COLUMNS, MONK, NOBLE,
    P_BARREL, P_CASHBOX, P_EVENING, P_MONK, P_STORE, P_SERVE, P_SUPPLIER, PATRONS, ROWS, S_CROWN, S_POINTS, S_SIGNATURE,
    SPACES, STEPS, SUPPLIER, SUPPLY,
)  # fmt: skip

PLACES = STEPS + 1  # the place before the monastery counts
TIE = 0.01  # worth of goods left at the end: they only break ties


MOST = 40  # more doubloons or beers than this make no difference
WIDE = max(MOST + 1, SPACES)
f8 = Annotated[float, "f8"]


class Prices:
    """The worth of goods to a seat now, in points, and what else is computed once for all answers of a decision.

    The meaning of `coins`, `kegs`, `wanted` and `most` depends on the question.
    """

    p: i8
    left: i8  # number of rounds after this one
    uses: f8  # number of rounds in which a card gained now will be laid out
    coin: f8
    beer: f8
    glass: f8
    noble: f8
    step: f8  # worth of a step at the monastery that reaches no bonus yet: a share of the next bonus
    # what each number of doubloons buys this turn, or the rating of each place for a die, or what one more die of each face brings
    coins: Annotated[Array, "f8", WIDE]
    kegs: Annotated[Array, "f8", WIDE]  # what each number of beers buys this turn, or what one die less of each face costs
    purse: i8  # how many doubloons the seat will have this turn
    beers: i8
    wanted: i8  # the best purchases for that many doubloons
    most: f8  # the rating of the best plan, or what filling the tavern again would bring
    hurry: i8  # 1 if something must be done before anything else is considered, else 0


PRICES = record(Prices)


@jit
def value_goods(s, R, W, p, v):
    """Write the prices of goods for seat p."""
    v.p = p
    v.left = int(R.rounds) - int(s.evening)
    rounds = v.left + int(s.phase == P_EVENING)  # a card gained in the evening is laid out at once
    v.uses = 0.0 if rounds <= 0 else 1.0 + W.again * (rounds - 1)
    v.coin, v.beer = W.coin + W.coin_early * v.left, W.beer + W.beer_early * v.left
    v.glass = 0.0
    if R.schnapps:
        v.glass = W.glass if v.left > 0 else 1.0
        if s.seat[p].side[1] == 1 and v.left > 0:
            v.glass = W.hoard
    v.noble = int(R.vp[NOBLE]) + W.crowned * v.left if s.stock[0] > 0 else 0.0
    v.step = v.left / (v.left + W.patience)


# The worth of cards


@jit
def owned(me, kind):
    """Count a seat's cards of a kind, except those known to lie on top of the draw pile."""
    return int(me.deck[kind]) + int(me.discard[kind]) + int(me.laid[kind])


@jit
def card(s, R, W, v, kind):
    """Rate a tavern card: its points, and what it gives whenever it is laid out; that is less if the seat has many of its kind."""
    return int(R.vp[kind]) + W.cards[kind - BARD] * v.uses / (1.0 + W.crowd * owned(s.seat[v.p], kind))


@jit
def laid_card(s, R, W, v, kind):
    """Rate a tavern card that is laid out now: its points, and what it will give when it is laid out again."""
    more = W.cards[kind - BARD] * W.again * v.left / (1.0 + W.crowd * max(0, owned(s.seat[v.p], kind) - 1))
    return int(R.vp[kind]) + more


@jit
def guest(s, R, W, v, kind, signed):
    """Rate a guest on offer: his points, his pay, his bonus and his signature."""
    worth = int(R.vp[kind]) + W.pay * (int(R.pay[kind]) - W.usual) * v.uses
    worth += bonus(s, R, W, v, int(R.bonus[kind]), int(R.amount[kind]))
    if signed:
        worth += cell(s, R, W, v, int(R.column[kind]))
    return worth


@jit
def removal(R, W, v, kind):
    """Rate removing one patron: better patrons come up more often, but his points are lost."""
    return W.thin * (W.usual - int(R.pay[kind])) * v.left - int(R.vp[kind])


@jit
def best_removal(s, R, W, v):
    """Rate the best removal that is possible now; 0 if there is none."""
    found = 0.0
    rest = int(s.act.vacant) & first(PATRONS) if s.phase == P_SERVE else 0
    while rest != 0:
        found = max(found, removal(R, W, v, lowest(rest)))
        rest &= rest - 1
    return found


# The worth of bonuses


@jit
def gift(s, R, W, v, what, amount):
    """Rate a bonus that gives no further bonus."""
    if what <= 0:
        return 0.0
    if what < B_NOBLE:
        return amount * card(s, R, W, v, BARD + what - 1)
    if what == B_NOBLE:
        return amount * v.noble
    if what == B_DOUBLOONS:
        return amount * v.coin
    if what == B_BEER:
        return amount * v.beer
    if what == B_REMOVE:
        return amount * W.remove * v.left
    if what == B_SCHNAPPS:
        return amount * v.glass
    return amount * W.fame * int(R.reputation)


@jit
def bonus(s, R, W, v, what, amount):
    """Rate any bonus."""
    if what == B_MONASTERY:
        return steps(s, R, W, v, amount)
    if what == B_REMOVE:
        return best_removal(s, R, W, v)
    if what == B_REPUTATION and R.reputation:
        return steps_of_fame(s, R, W, v, amount)
    return gift(s, R, W, v, what, amount)


@jit
def ahead(s, R, W, v, place):
    """Rate having come part of the way to the next bonus of the monastery."""
    back, to = int(R.step_before[place]), int(R.step_after[place])
    if to > R.monastery_end:
        return 0.0
    return v.step * (place - back) / (to - back) * gift(s, R, W, v, int(R.step_bonus[to]), int(R.step_amount[to]))


@jit
def steps(s, R, W, v, n):
    """Rate steps at the monastery: the bonuses reached, and coming closer to the next one."""
    here = int(s.seat[v.p].monastery)
    to = min(here + n, int(R.monastery_end))
    worth = ahead(s, R, W, v, to) - ahead(s, R, W, v, here)
    for k in range(here + 1, to + 1):
        worth += gift(s, R, W, v, int(R.step_bonus[k]), int(R.step_amount[k]))
    return worth


@jit
def climbs(s, R, W, v, most, gain):
    """Write the value of 1 to `most` steps at the monastery, each as `steps` does."""
    here = int(s.seat[v.p].monastery)
    near, gifts = ahead(s, R, W, v, here), scratch(PLACES, np.float64)
    for n in range(1, most + 1):
        to = min(here + n, int(R.monastery_end))
        if to < here + n:
            gain[n] = gain[n - 1] if n > 1 else 0.0
            continue
        gifts[to] = gift(s, R, W, v, int(R.step_bonus[to]), int(R.step_amount[to]))
        gain[n] = ahead(s, R, W, v, to) - near
        for k in range(here + 1, to + 1):
            gain[n] += gifts[k]


@jit
def renown(s, R, W, v, most, gain):
    """Write the value of 0 to `most` steps of reputation: points won or lost, and the bonuses on the way."""
    here = int(s.seat[v.p].fame)
    before, met = int(R.points[here]), 0.0
    gain[0] = 0.0
    for n in range(1, most + 1):
        here = here % int(R.loop) + 1
        met += space(R, W, v, here)
        gain[n] = met + int(R.points[here]) - before


@jit
def steps_of_fame(s, R, W, v, n):
    """Rate a number of steps of reputation, from the values that `renown` wrote."""
    gain = np.empty(n + 1)
    renown(s, R, W, v, n, gain)
    return gain[n]


@jit
def space(R, W, v, here):
    """Rate a space of the reputation loop, not counting its points."""
    what = int(R.space[here])
    if what == S_POINTS:
        return 0.0
    return v.noble if what == S_CROWN else W.signature * v.step if what == S_SIGNATURE else v.glass


@jit
def cell(s, R, W, v, column):
    """Rate the next cell in a column of the guest book: its bonus, and bringing its row closer to the noble."""
    book = s.seat[v.p].book
    row = int(book[column])
    if row == ROWS:
        return 0.0
    others = 0
    for k in range(COLUMNS):
        others += int(k != column and book[k] > row)
    near = v.noble if others == COLUMNS - 1 else W.row * (1 + others) * v.step
    return near + gift(s, R, W, v, int(R.cell_bonus[row, column]), int(R.cell_amount[row, column]))


# Pieces of the tavern


@jit
def brew(R, me):
    """Return how many beers a die on the supplier gives."""
    return level(R, me, P_SUPPLIER) + int(me.laid[SUPPLIER])


@jit
def piece(s, R, W, v, k):
    """Rate upgrading a piece: its noble, what it adds in each round, and what it adds for dice that lie on it now."""
    act = s.act
    more = int(R.level[1, k]) - int(R.level[0, k])
    worth = v.noble + W.pieces[k] * v.left
    if k == P_CASHBOX:
        worth += more * v.coin * int(act.on[CASHBOX])
    elif k == P_BARREL:
        worth += more * v.beer * int(act.on[BARREL])
    elif k == P_SUPPLIER:
        worth += more * v.beer * int(act.on[SUPPLY])
    elif k == P_MONK and act.on[MONK] > 0:
        n = int(act.on[MONK])
        worth += steps(s, R, W, v, n * int(R.level[1, k])) - steps(s, R, W, v, n * int(R.level[0, k]))
    return worth


@jit
def kept(W, v, price):
    """Rate one doubloon or one beer that is kept at the end of the turn."""
    return W.save * price if v.left > 0 else TIE


@jit
def kept_beer(R, W, v, me, n):
    """Rate the beers kept at the end of the turn, up to the limit of the store."""
    return kept(W, v, v.beer) * min(n, level(R, me, P_STORE))
