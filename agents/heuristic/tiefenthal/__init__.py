"""The Taverns of Tiefenthal: rate an answer by the points it brings until the end of the game.

Doubloons and beers are worth what they buy: the best purchases of the turn are found, and dice are placed so that all together brings
most. A card is worth its points and what it gives each time it is laid out; a flipped piece of the tavern is worth its noble and what it
gives in each round that is left. All facts but the order of the piles are open, and no rating depends on that order.
"""

from pathlib import Path

import numpy as np

from alehouse.envs.tiefenthal import questions as Q
from alehouse.agents.heuristic.tiefenthal import placing, serving, worth
from alehouse.agents.heuristic.tiefenthal.aspects import ASPECTS, study
from alehouse.agents.heuristic.tiefenthal.estimate import evaluate
from alehouse.agents.heuristic.thought import thinking
from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tiefenthal.effects import level
from alehouse.envs.tiefenthal.layout import (
    A_ACCEPT, A_COLUMN, A_DIE, A_GIVE_UP, A_PLACE, A_REDRAW, A_REMOVE, A_SIDE, A_START, A_TAKE, A_TAKE_DIE, A_TAKE_SCHNAPPS, A_TOPDECK,
    A_TURN, BARD, ENTERTAINER_NAMES, FACES, K1, KINDS, NOBLE, P_TABLE, PIECES, SPACES, START_NAMES, TAVERN_NAMES,
)  # fmt: skip

__all__ = ["ASPECTS", "WEIGHTS", "evaluate", "rate", "study", "think"]

WEIGHTS = Weights.load(
    Path(__file__).parent.with_suffix(".toml"),
    cards=TAVERN_NAMES, pieces=PIECES, starts=START_NAMES[K1:], sides=ENTERTAINER_NAMES, piece_gains=PIECES, card_gains=TAVERN_NAMES,
)  # fmt: skip


@thinking(worth.PRICES)
@jit
def think(s, R, W, key, v):
    """Compute what the ratings of the current question need."""
    what, p = top(s).what, int(s.turn)
    worth.value_goods(s, R, W, p, v)
    v.hurry = what == Q.SERVE and serving.hurried(s, R, p)
    if what == Q.DISCOUNT or (what == Q.SERVE and not v.hurry):
        serving.tonight(s, R, W, v)
    elif what == Q.PLACE:
        placing.plan(s, R, W, v, v.coins)
        v.most = -np.inf
        for place in range(SPACES):
            v.most = max(v.most, v.coins[place])
    elif what == Q.DIE:
        placing.draft(s, R, W, v, v.coins, v.kegs)
    elif what == Q.TURN:
        placing.one_more(s, R, W, v, p, v.coins, v.kegs)
    elif what == Q.REDRAW:
        v.most = refill(s, R, W, v)


@jit
def use(R, W, v, kind):
    """Return what a card is worth when it is laid out in one round."""
    return W.cards[kind - BARD] if kind >= BARD else W.served * v.coin * int(R.pay[kind])


@jit
def refill(s, R, W, v):
    """Rate filling the tavern again: the worth of new cards, less that of the cards out now and of a counter guest."""
    me = s.seat[v.p]
    here = deck = rest = 0.0
    in_deck = in_rest = 0
    for kind in range(KINDS):
        if int(me.deck[kind]) + int(me.laid[kind]) + int(me.discard[kind]) > 0:
            each = use(R, W, v, kind)
            here += int(me.laid[kind]) * each
            deck += int(me.deck[kind]) * each
            rest += (int(me.laid[kind]) + int(me.discard[kind])) * each
            if kind < NOBLE:
                in_deck += int(me.deck[kind])
                in_rest += int(me.laid[kind]) + int(me.discard[kind])
    tables = float(level(R, me, P_TABLE))
    there = deck * tables / (in_deck + 1) if in_deck >= tables else deck + rest * (tables - in_deck) / (in_rest + 1)
    return W.hope * (there - here) - W.counter * v.left - worth.steps(s, R, W, v, 1)


@jit
def turning(s, v, a):
    """Rate turning a die by the juggler."""
    face, to = a // (FACES - 1), a % (FACES - 1)
    to += int(to >= face)
    return v.coins[to] - v.kegs[face] - v.glass - 0.1


@jit
def gone(s, R, W, v, kind):
    """Rate removing a patron for free, compared with keeping him."""
    worth_it = worth.removal(R, W, v, kind)
    return worth_it if worth_it > 0.0 else worth_it - 0.1


@jit
def rate(s, R, W, v, a):
    """Rate an answer in points; doing nothing is worth nothing."""
    what = top(s).what
    if what == Q.SERVE:
        return serving.serving(s, R, W, v, a)
    if what == Q.PLACE:
        got = v.coins[a - A_PLACE]
        return got - v.most if got > -np.inf else -W.slip
    if a < A_START:
        return 0.0
    if a < A_ACCEPT:
        return W.starts[a - A_START]
    if a == A_ACCEPT:
        return 1.0
    if a < A_TAKE:
        return W.sides[2 * int(top(s).a) + a - A_SIDE]
    if a < A_REDRAW:
        return taking(s, R, W, v, a)
    if a == A_REDRAW:
        return v.most
    if a < A_TURN:
        return v.coins[a - A_DIE]
    if a < A_PLACE:
        return turning(s, v, a - A_TURN)
    if a < A_COLUMN:
        return gone(s, R, W, v, a - A_REMOVE)
    if a < A_TOPDECK:
        return 0.01 + worth.cell(s, R, W, v, a - A_COLUMN)
    if a == A_GIVE_UP:
        return serving.giving_up(s, R, W, v)
    return again(R, W, v, a - A_TOPDECK)


@jit
def taking(s, R, W, v, a):
    """Rate taking a free card, die or schnapps."""
    if a == A_TAKE_DIE:
        return W.die
    return v.glass if a == A_TAKE_SCHNAPPS else worth.card(s, R, W, v, BARD + a - A_TAKE)


@jit
def again(R, W, v, kind):
    """Rate keeping a card for the next round, in which it might not come up otherwise."""
    return use(R, W, v, kind) * (1.0 - W.again) - v.glass if v.left > 0 else -1.0
