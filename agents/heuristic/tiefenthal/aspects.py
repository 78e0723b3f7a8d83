"""The Taverns of Tiefenthal: aspects of an answer for networks: what is done, and what it costs and brings, in numbers around 1.

With them a network can learn of one card, die or place what holds for all. They read only what the seat to move may know.
"""

import numpy as np

from alehouse.agents.heuristic.columns import columns, studying
from alehouse.agents.heuristic.tiefenthal import worth
from alehouse.agents.heuristic.tiefenthal.placing import BEERS, LOW, STEPS, made, yields
from alehouse.agents.heuristic.tiefenthal.purchases import guest_at
from alehouse.agents.heuristic.tiefenthal.worth import PRICES
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import around
from alehouse.envs.tiefenthal.layout import (
    A_BUY, A_COLLECT, A_COLUMN, A_COUNTER, A_DIE, A_DONE, A_END, A_FREE, A_GUEST, A_NOBLES, A_PLACE, A_REDRAW, A_REMOVE, A_SING, A_SPEND,
    A_START, A_TAKE, A_TAKE_DIE, A_TOPDECK, A_TURN, A_UPGRADE, BARD, BONUSES, CASHBOX, FACES, NOBLE, PATRONS, TAVERN_NAMES, UNUSED,
)  # fmt: skip
from alehouse.envs.tiefenthal.service import least_price
from alehouse.envs.tiefenthal.state import NOBODY

DEEDS = ("declines", "starts", "takes", "redraws", "drafts", "turns", "places", "collects", "sings", "buys", "upgrades", "upgrades_free",
         "invites", "nobles", "counter", "spends", "removes", "signs", "topdecks", "ends")  # fmt: skip
STARTS = (A_START, A_TAKE, A_REDRAW, A_DIE, A_TURN, A_PLACE, A_COLLECT, A_SING, A_BUY, A_UPGRADE, A_FREE, A_GUEST, A_NOBLES, A_COUNTER,
          A_SPEND, A_REMOVE, A_COLUMN, A_TOPDECK, A_END)  # fmt: skip
ASPECTS = (
    # which kind of action the answer is
    *DEEDS,
    # what the heuristic says: its rating of the answer relative to the best answer, and whether it is the best
    "rated", "best",
    # the die that is taken or placed, how many of its face there are, and where they could go
    *(f"face_{face}" for face in range(1, FACES + 1)), "on_offer", "mine", "free", "best_pay", "their_free", "their_pay",
    # the place of a die, and what it brings
    "on_patron", "on_noble", "on_cashbox", "on_barrel", "on_monk", "on_supplier", "on_unused", "doubloons", "beers", "steps",
    # what the seat has this turn once the answer is given
    "doubloons_then", "beers_then", "too_dear",
    # the card that the answer concerns
    "is_guest", "is_noble", *TAVERN_NAMES, "points", "pay", "owned", "left", "price", "worth", *(f"bonus_{what}" for what in BONUSES),
    "amount",
)  # fmt: skip
C = columns(ASPECTS)
C_PLACE, C_CARD, C_BONUS = ASPECTS.index("on_noble"), ASPECTS.index("is_noble"), ASPECTS.index("bonus_none")
FEW, TEN = 3.0, 10.0  # divisors that bring numbers close to 1


@studying(PRICES, worth.value_goods, C)
@jit
def study(s, R, W, v, a, row):
    """Write which kind of action an answer is, and what it concerns."""
    deed = 0
    for k in range(len(STARTS)):
        deed += int(a >= STARTS[k])
    row[deed] = 1
    if A_DONE <= a < A_COLLECT:
        write_preparing(s, R, W, v, a, row)
    else:
        write_serving(s, R, W, v, a, row)


@jit
def write_preparing(s, R, W, v, a, row):
    """Write an answer to a question before the dice are collected."""
    if A_TAKE <= a < A_TAKE_DIE:
        write_card(s, R, W, v, BARD + a - A_TAKE, row)
    elif A_DIE <= a < A_TURN:
        face = a - A_DIE
        write_face(s, face, v.p, row)
        row[C.free], row[C.best_pay] = tables(R, s.seat[v.p], face)
        row[C.their_free], row[C.their_pay] = tables(R, s.seat[around(v.p + 1, R.seats)], face)
    elif a >= A_PLACE:
        write_place(s, R, W, v, a - A_PLACE, row)


@jit
def write_face(s, face, p, row):
    """Write the face of a die."""
    row[C.face_1 + face], row[C.mine] = 1, int(s.seat[p].dice[face]) / FEW
    for c in range(s.coaster.shape[0]):
        row[C.on_offer] += int(s.coaster[c, face]) / TEN


@jit
def tables(R, me, face):
    """Return how many patrons of a seat want a die of this face beyond those that it has, and the most that one of them pays."""
    n, most, rest = -int(me.dice[face]), 0, int(me.laid_kinds) & ((1 << PATRONS) - 1)
    while rest != 0:
        kind = bits.lowest(rest)
        rest &= rest - 1
        if int(R.die[kind]) == face + 1:
            n += int(me.laid[kind])
            most = max(most, int(R.pay[kind]))
    return np.float32(n / FEW), np.float32(most / FEW)


@jit
def write_place(s, R, W, v, place, row):
    """Write a place for the current die, what it brings there, and what the seat has then."""
    me, face = s.seat[v.p], int(s.act.face) - 1
    write_face(s, face, v.p, row)
    if place < PATRONS:
        row[C.on_patron] = 1
        write_card(s, R, W, v, place, row)
    else:
        row[C_PLACE + place - NOBLE] = 1
    brings = yields(R, me, place) if place < UNUSED else 0
    row[C.doubloons], row[C.beers], row[C.steps] = (brings & LOW) / FEW, ((brings >> BEERS) & LOW) / FEW, (brings >> STEPS) / FEW
    write_goods(s, R, v, brings, 0, 0, row)


@jit
def write_goods(s, R, v, brings, doubloons, beers, row):
    """Write the goods that the seat will have this turn, with what a die brings, and less what it pays."""
    me, total = s.seat[v.p], made(s, R, s.seat[v.p]) + brings
    row[C.doubloons_then] = (int(me.doubloons) + (total & LOW) - doubloons) / TEN
    row[C.beers_then] = (int(me.beer) + ((total >> BEERS) & LOW) - beers) / TEN


@jit
def write_serving(s, R, W, v, a, row):
    """Write an action of a seat's own turn, or another answer that concerns a card."""
    me, doubloons, beers, brings = s.seat[v.p], 0, 0, 0
    if a < A_SING:
        place = CASHBOX + a - A_COLLECT
        row[C_PLACE + place - NOBLE], brings = 1, yields(R, me, place)
        row[C.doubloons], row[C.beers], row[C.steps] = (brings & LOW) / FEW, ((brings >> BEERS) & LOW) / FEW, (brings >> STEPS) / FEW
    elif A_BUY <= a < A_UPGRADE:
        doubloons = int(R.price[a - A_BUY])
        write_card(s, R, W, v, BARD + a - A_BUY, row)
    elif A_UPGRADE <= a < A_GUEST:
        piece = a - (A_UPGRADE if a < A_FREE else A_FREE)
        doubloons = least_price(R, me, piece) if a < A_FREE else 0
        row[C.worth] = worth.piece(s, R, W, v, piece) / TEN
        row[C.too_dear] = int(R.cost[piece]) > int(me.doubloons) + int(s.act.discount)
    elif A_GUEST <= a < A_NOBLES:
        kind = int(s.open[a - A_GUEST])
        if kind != NOBODY:
            beers = int(R.beers[kind])
            write_card(s, R, W, v, kind, row)
            row[C.worth] = guest_at(s, R, W, v, a - A_GUEST) / TEN
    elif A_NOBLES <= a < A_COUNTER:
        n = a - A_NOBLES + 1
        beers, row[C.is_noble], row[C.amount], row[C.worth] = int(R.noble_beers[n - 1]), 1, n / FEW, n * v.noble / TEN
    elif A_REMOVE <= a < A_COLUMN:
        write_card(s, R, W, v, a - A_REMOVE, row)
    elif A_TOPDECK <= a < A_END - 1:
        write_card(s, R, W, v, a - A_TOPDECK, row)
    row[C.price] = (doubloons + beers) / TEN
    write_goods(s, R, v, 0, doubloons, beers, row)


@jit
def write_card(s, R, W, v, kind, row):
    """Write a card: a patron, the noble, or one laid beside the tables."""
    me = s.seat[v.p]
    row[C.owned] = (int(me.deck[kind]) + int(me.discard[kind]) + int(me.laid[kind])) / FEW
    row[C.points] = int(R.vp[kind]) / FEW
    if kind < PATRONS:
        row[C.is_guest], row[C.pay], row[C.face_1 + int(R.die[kind]) - 1] = 1, int(R.pay[kind]) / FEW, 1
        row[C_BONUS + int(R.bonus[kind])], row[C.amount] = 1, int(R.amount[kind]) / FEW
    elif kind >= NOBLE:
        row[C_CARD + kind - NOBLE], row[C.left] = 1, int(s.stock[kind - NOBLE]) / TEN
        if kind > NOBLE:
            row[C.worth] = worth.card(s, R, W, v, kind) / TEN
