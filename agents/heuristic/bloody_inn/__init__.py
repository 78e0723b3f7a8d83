"""The Bloody Inn: rate an answer by the francs it brings until the end of the game.

A card in hand is worth what it can pay for. A corpse is worth its money if there is a grave for it, and a card to pay for the burial before
an investigation. An annex is worth its graves and its effect for as long as it stands. All these values shrink with the actions that are
left. Ratings use only open facts and the seat's own objects.
"""

from pathlib import Path

import numpy as np

from alehouse.agents.heuristic.bloody_inn import objects
from alehouse.agents.heuristic.bloody_inn.aspects import ASPECTS, study
from alehouse.agents.heuristic.bloody_inn.estimate import evaluate
from alehouse.agents.heuristic.bloody_inn.outlook import OUTLOOK, look_out
from alehouse.agents.heuristic.bloody_inn.worth import (
    card_worth, cash_risk, corpse_worth, kept, rate_bribe, rate_build, rate_burial, rate_kill,
)  # fmt: skip
from alehouse.agents.heuristic.thought import thinking
from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.bloody_inn import questions as Q
from alehouse.envs.bloody_inn.layout import (
    A_AT, A_BRIBE, A_BUILD, A_BURY, A_CARD, A_CASH, A_CORPSE, A_HIRE, A_KILL, A_KILL_PEASANT, A_LODGE, A_OBJECT, A_PASS, A_TO_CASH,
    A_TO_CHECKS, A_UNDER, ANNEXES, KINDS, LASTING, OBJECT_NAMES, OPS, PEASANT, SEATS, UNDERS, VERB_NAMES,
)  # fmt: skip
from alehouse.envs.bloody_inn.payment import returning
from alehouse.envs.bloody_inn.places import absolute
from alehouse.envs.core.run.bits import bit, first, lowest, within
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.question_stack import top

__all__ = ["ASPECTS", "WEIGHTS", "evaluate", "rate", "study", "think"]

WEIGHTS = Weights.load(
    Path(__file__).parent.with_suffix(".toml"), kin=VERB_NAMES, powers=OPS[:LASTING], objects=OBJECT_NAMES, prizes=OBJECT_NAMES
)


@thinking(OUTLOOK)
@jit
def think(s, R, W, key, outlook):
    """Compute the outlook of the seat to move and, if it must choose cards of its hand, which card comes first."""
    what = top(s).what
    if what == Q.LODGE:
        outlook.p = int(s.turn)  # the rest of the outlook does not matter for this question
    else:
        look_out(s, R, W, int(s.turn), outlook)
        if what == Q.PAY or what == Q.DISMISS:
            outlook.first_card = next_card(s, R, W, outlook, what == Q.PAY)


@jit
def next_card(s, R, W, outlook, paying):
    """Return the card to name first among the least valuable cards that together make up what is due (cards are named in a fixed order)."""
    me, act = s.seat[outlook.p], s.act
    rest = int(me.kinds) & ~first(act.kind)
    due = int(act.low) - int(act.paid)
    back = returning(s, R, outlook.p) if paying else 0
    found = KINDS
    while rest != 0 and due > 0:
        least, kind = np.inf, 0
        scan = rest
        while scan != 0:
            k = lowest(scan)
            scan &= scan - 1
            worth = 0.0 if within(back, k) else card_worth(s, R, W, outlook, k)
            if worth < least:
                least, kind = worth, k
        rest &= ~bit(kind)
        n = int(me.hand[kind]) - (int(act.used) if kind == act.kind else 0)
        due -= n
        if n > 0:
            found = min(found, kind)
    return found


@jit
def rate(s, R, W, outlook, a):
    """Rate an answer in francs; doing nothing is worth nothing."""
    p = outlook.p
    if a < A_LODGE:
        return 0.0
    if a < A_BRIBE:
        return rate_lodging(s, R, W, outlook, absolute(a - A_LODGE, p, R.seats))
    if a < A_KILL:
        return rate_bribe(s, R, W, outlook, absolute(a - A_BRIBE, p, R.seats), False)
    if a < A_AT:
        return rate_kill(s, R, W, outlook, absolute(a - A_KILL, p, R.seats), False)
    if a < A_HIRE:
        return objects.rate_place(s, R, W, outlook, absolute(a - A_AT, p, R.seats))
    if a < A_BUILD:
        return rate_without_cards(s, R, W, outlook, a)
    if a < A_BURY:
        return rate_build(s, R, W, outlook, a - A_BUILD, False)
    if a < A_CARD:
        return rate_burial(s, R, W, outlook, a - A_BURY, False)
    if a < A_CORPSE:
        return 1.0 if a - A_CARD == outlook.first_card else -1.0 - card_worth(s, R, W, outlook, a - A_CARD)
    if a >= A_UNDER and top(s).what == Q.UNDER and a < A_UNDER + SEATS * UNDERS:
        return rate_grave(s, R, W, outlook, a)
    if a >= A_CASH and a < A_OBJECT:
        return -cash_risk(s, R, W, outlook, int(s.seat[p].cash) - 10 * (a - A_CASH))
    return objects.rate(s, R, W, outlook, a)


@jit
def rate_lodging(s, R, W, outlook, place):
    """Rate lodging the visible traveler in a room: guests who are dear to bribe stay until the morning and pay rent."""
    owner, up = int(s.owner[place]), int(R.up[s.top])
    worth = (W.rent + W.dear * up) * (1.0 if owner == outlook.p else -W.envy if owner >= 0 else 0.0)
    if s.service[place] >= 0:
        worth += up if s.service[place] == outlook.p else -W.envy * up
    return worth


@jit
def rate_grave(s, R, W, outlook, a):
    """Rate an annex as the grave of a corpse: the seat's own brings all the money, another seat's half; a caravan also costs a room."""
    own = (a - A_UNDER) // UNDERS == 0
    money = float(R.money[s.act.card])
    worth = kept(s, R, outlook.p, money) if own else kept(s, R, outlook.p, 0.5 * money) - 0.5 * W.feed * money
    if (a - A_UNDER) % UNDERS == ANNEXES:
        worth += (-1.0 if own else W.envy) * W.room * outlook.rounds
    return worth


@jit
def rate_without_cards(s, R, W, outlook, a):
    """Rate the actions that cost no cards: hiring or killing peasants, passing, and laundering."""
    if a < A_KILL_PEASANT:
        n = a - A_HIRE + 1
        return n * (W.card * outlook.time / (1.0 + W.crowd * (outlook.cards + 0.5 * (n - 1))) - W.wage)
    if a < A_PASS:
        return corpse_worth(s, R, W, outlook, PEASANT, outlook.corpses, outlook.cards)
    if a == A_PASS:
        return 0.0
    cash = int(s.seat[outlook.p].cash)
    tens = a - A_TO_CHECKS + 1 if a < A_TO_CASH else -(a - A_TO_CASH + 1)
    return cash_risk(s, R, W, outlook, cash) - cash_risk(s, R, W, outlook, cash - 10 * tens) + W.check * tens
