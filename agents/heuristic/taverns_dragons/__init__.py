"""Taverns & Dragons: rate an answer by the points it brings until the end of the game.

An ingredient is worth what it brings in recipes, less the cost of carrying it home; the worth of gold, energy and runes falls to 0
towards the end. The dice left are distributed over the minions' walks, the bank, the source and the recipes, so that placing a die
costs what it would bring elsewhere. Ratings use only open facts and the seat's own mission.
"""

from pathlib import Path

import numpy as np

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.agents.heuristic.taverns_dragons.aspects import ASPECTS, study
from alehouse.agents.heuristic.taverns_dragons.choices import rate_answer
from alehouse.agents.heuristic.taverns_dragons.dice import rate_new_die, rate_uses
from alehouse.agents.heuristic.taverns_dragons.estimate import evaluate
from alehouse.agents.heuristic.taverns_dragons.hunt import value_rewards
from alehouse.agents.heuristic.taverns_dragons.matching import match_dice
from alehouse.agents.heuristic.taverns_dragons.turn import rate_change, rate_die, rate_free, rate_secondary
from alehouse.agents.heuristic.taverns_dragons.values import VALUES, work_out
from alehouse.agents.heuristic.thought import thinking
from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.bits import first, lowest
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.layout import (
    A_ATTACK, A_COLLECT, A_COOK, A_HIRE, A_TURN, HERO_NAMES, INGREDIENTS, MISSION_NAMES, SIDES, TAVERN_NAMES, ZONE_NAMES,
)  # fmt: skip
from alehouse.envs.taverns_dragons.state import NOTHING

__all__ = ["ASPECTS", "WEIGHTS", "evaluate", "rate", "study", "think"]

WEIGHTS = Weights.load(
    Path(__file__).parent.with_suffix(".toml"), goods=INGREDIENTS, spots=ZONE_NAMES, heroes=HERO_NAMES, missions=MISSION_NAMES,
    boards=TAVERN_NAMES,
)  # fmt: skip


@thinking(VALUES)
@jit
def think(s, R, W, key, v):
    """Compute what things are worth to the seat to move and, if a die is to be placed or re-rolled, how best to use its dice."""
    work_out(s, R, W, int(s.turn), v)
    v.what = top(s).what
    if s.dragon != NOTHING:
        value_rewards(s, R, v)
    if v.what == Q.DICE or (v.what == Q.TURN and s.deed.placed == 0):
        rate_uses(s, R, W, v)
        match_dice(s, v)
        if v.faces == first(SIDES):
            v.new_die = rate_new_die(v)
        if v.what == Q.TURN:
            rate_placings(s, R, W, v)


@jit
def rate_placings(s, R, W, v):
    """Write the rating of each legal action that places a die, and the rating of the best."""
    v.best_placing = -np.inf
    for w in range(s.can.size):
        word = s.can[w]
        while word != 0:
            a = (w << 6) + lowest(word)
            word &= word - np.uint64(1)
            if a >= A_COLLECT:
                return
            if a >= A_COOK:
                v.placing[a - A_COOK] = rate_die(s, R, W, v, a)
                v.best_placing = max(v.best_placing, v.placing[a - A_COOK])


@jit
def rate(s, R, W, v, a):
    """Rate an answer in points; ending the turn is worth 0."""
    what = v.what
    if what == Q.TURN:
        if a < A_COOK:
            return 0.0
        if a < A_COLLECT:
            return v.placing[a - A_COOK]
        return v.best_placing + (rate_secondary(s, R, W, v, a) if a < A_HIRE else rate_free(s, R, W, v, a))
    if what == Q.HUNT:
        return rate_change(s, R, W, v, a) if A_ATTACK <= a < A_TURN else rate_free(s, R, W, v, a)
    return rate_answer(s, R, W, v, what, a)
