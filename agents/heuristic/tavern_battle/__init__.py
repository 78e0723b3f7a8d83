"""Tavern Battle: rate an answer by the points that it brings in treasures.

A treasure is worth its points with the seat's own heroes. An attack brings the treasures that its dice can be expected to win; a flight
saves the best treasures but costs the actions of the rounds that are left; a support costs the supporter's own action. Of the others'
treasures the ratings use only how many there are, and those the seat has seen.
"""

from pathlib import Path

from alehouse.envs.tavern_battle import questions as Q
from alehouse.agents.heuristic.tavern_battle import brawl, trade
from alehouse.agents.heuristic.tavern_battle.aspects import ASPECTS, study
from alehouse.agents.heuristic.tavern_battle.estimate import evaluate
from alehouse.agents.heuristic.tavern_battle.fight import rate_target
from alehouse.agents.heuristic.tavern_battle.view import VIEW, best_fallen, look_round
from alehouse.agents.heuristic.thought import thinking
from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tavern_battle.arrivals import matches
from alehouse.envs.tavern_battle.combat import dice
from alehouse.envs.tavern_battle.layout import A_CHARACTER, A_CLAIM, AGITATION_NAMES

__all__ = ["ASPECTS", "WEIGHTS", "evaluate", "rate", "study", "think"]

WEIGHTS = Weights.load(Path(__file__).parent.with_suffix(".toml"), post=AGITATION_NAMES)


@thinking(VIEW)
@jit
def think(s, R, W, key, v):
    """Compute what the ratings of the current question need."""
    look_round(s, R, W, int(s.turn), v)
    if v.what == Q.ACTION:
        c = int(s.act.actor)
        v.fallen = best_fallen(s, R, W, v)
        brawl.rate_best_attacks(s, R, W, v, c)
        v.door = brawl.rate_door(s, R, W, v, c)
    elif v.what == Q.ACTIVATE:
        v.fallen = best_fallen(s, R, W, v)
    elif v.what == Q.TARGET:
        v.dice = dice(s, R)
    elif v.what == Q.OFFER:
        v.offer = trade.best_offer(s, R, W, v)


@jit
def rate(s, R, W, v, a):
    """Rate an answer in points; doing nothing is worth nothing."""
    what = v.what
    if what == Q.ACTION:
        return brawl.rate_action(s, R, W, v, a)
    if what == Q.ACTIVATE:
        return brawl.rate_activation(s, R, W, v, a - A_CHARACTER)
    if what == Q.TARGET:
        return rate_target(s, R, W, v, a - A_CHARACTER, v.dice, int(s.act.verb))
    if what == Q.SUPPORT:
        return brawl.rate_support(s, R, W, v, a)
    if what == Q.KEEP:
        return brawl.rate_keeping(s, R, W, v, a)
    if what == Q.CLAIM:
        return 0.0 if a != A_CLAIM else 1.0 if matches(s, R, v.p) else -1.0
    if what == Q.LEND:
        return brawl.rate_lending(s, R, W, v, a)
    if what == Q.RIPOSTE:
        return brawl.rate_riposte(s, R, W, v, a)
    if what == Q.PENALTY:
        return -brawl.rate_activity(R, W, a - A_CHARACTER)
    return trade.rate_trade(s, R, W, v, a)
