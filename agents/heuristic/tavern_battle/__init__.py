"""Tavern Battle: what an answer brings in points of treasures.

A treasure is worth what it pleases one's heroes. An attack brings what may be taken or dropped, by the dice it has; to flee saves
the best treasures and costs the turns that are left; a support costs his own turn. Of the treasures of others only their
number is read, and what the seat has seen of them.
"""

from pathlib import Path
from typing import NamedTuple

from alehouse.envs.tavern_battle import questions as Q
from alehouse.agents.heuristic.tavern_battle import deeds, trade
from alehouse.agents.heuristic.tavern_battle.aspects import ASPECTS, study
from alehouse.agents.heuristic.tavern_battle.estimate import evaluate
from alehouse.agents.heuristic.tavern_battle.fight import target_worth
from alehouse.agents.heuristic.tavern_battle.view import best_fallen, look
from alehouse.agents.heuristic.tavern_battle.stock import STAGES, STOCK, stage, take_stock
from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.arrivals import matches
from alehouse.envs.tavern_battle.combat import dice
from alehouse.envs.tavern_battle.layout import A_CHARACTER, A_CLAIM, AGITATION_NAMES

__all__ = ["ASPECTS", "ROUNDS", "STAGES", "STOCK", "WEIGHTS", "clock", "evaluate", "rate", "stage", "study", "take_stock", "think"]

WEIGHTS = Weights.load(Path(__file__).parent.with_suffix(".toml"), post=AGITATION_NAMES)
ROUNDS = 1000  # of a roll-out: to the end
NONE = -1


class Found(NamedTuple):
    """What a seat finds out for one question, once for all its answers."""

    best: float  # of what lies in the centre
    chosen: int  # the treasure to offer, or NONE
    strike: float  # the best an attack can bring: with an object, with a drawn weapon, with one thrown
    drawn: float
    throw: float
    door: float  # what it brings to stand at the door


@jit
def think(s, R, W, key):
    """What the question asks for."""
    m = look(s, R, W, int(s.turn))
    best, chosen, strike, drawn, throw, door = 0.0, NONE, 0.0, 0.0, 0.0, 0.0
    if m.what == Q.ACTION:
        c = int(s.act.actor)
        best = best_fallen(s, R, W, m)
        strike, drawn, throw = deeds.strikes(s, R, W, m, c)
        door = deeds.at_door(s, R, W, m, c)
    elif m.what == Q.ACTIVATE:
        best = best_fallen(s, R, W, m)
    elif m.what == Q.OFFER:
        chosen = trade.bid(s, R, W, m)
    return m, Found(best, chosen, strike, drawn, throw, door)


@jit
def rate(s, R, W, mind, a):
    """What an answer brings, in points; to do nothing brings nothing."""
    m, x = mind
    what = m.what
    if what == Q.ACTION:
        return deeds.deed(s, R, W, m, x, a)
    if what == Q.ACTIVATE:
        return deeds.activation(s, R, W, m, x, a - A_CHARACTER)
    if what == Q.TARGET:
        return target_worth(s, R, W, m, a - A_CHARACTER, dice(s, R), int(s.act.verb))
    if what == Q.SUPPORT:
        return deeds.support(s, R, W, m, a)
    if what == Q.KEEP:
        return deeds.keeping(s, R, W, m, a)
    if what == Q.CLAIM:
        return 0.0 if a != A_CLAIM else 1.0 if matches(s, R, m.p) else -1.0
    if what == Q.LEND:
        return deeds.lending(s, R, W, m, a)
    if what == Q.RIPOSTE:
        return deeds.riposte(s, R, W, m, a)
    if what == Q.PENALTY:
        return -deeds.labour(R, W, a - A_CHARACTER)
    return trade.trading(s, R, W, m, x, a)


@jit
def clock(s):
    """Trade turns and rounds of the brawl."""
    return int(s.turns) + int(s.rounds)
