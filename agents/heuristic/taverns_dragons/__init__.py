"""Taverns & Dragons: what an action brings in points, to the end of the game.

Ingredients are worth what recipes they may become, less the way home; gold, energy and runes have a price that falls to nothing.
The dice left are set against the minions' walks, the bank, the source and the kitchen; a die is worth what it could do elsewhere.
Read of the table: what lies in the open, and one's own mission.
"""

from pathlib import Path

import numpy as np

from alehouse.envs.taverns_dragons import questions as Q
from alehouse.agents.heuristic.taverns_dragons.answers import answer, window
from alehouse.agents.heuristic.taverns_dragons.deeds import active, free, placing
from alehouse.agents.heuristic.taverns_dragons.estimate import evaluate
from alehouse.agents.heuristic.taverns_dragons.view import MIND, look
from alehouse.agents.heuristic.taverns_dragons.plan import tasks_of, weigh
from alehouse.agents.heuristic.taverns_dragons.ways import survey
from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.bits import lowest
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.layout import (
    A_ATTACK, A_COLLECT, A_COOK, A_HIRE, A_TURN, HERO_NAMES, INGREDIENTS, MISSION_NAMES, ZONE_NAMES, PORTAL, SLOTS,
)  # fmt: skip

__all__ = ["ROUNDS", "WEIGHTS", "clock", "evaluate", "rate", "think"]

WEIGHTS = Weights.load(
    Path(__file__).parent.with_suffix(".toml"), goods=INGREDIENTS, spots=ZONE_NAMES, heroes=HERO_NAMES, missions=MISSION_NAMES
)
ROUNDS = 1  # of a roll-out, the one under way included

INDOORS = (Q.SEARCH, Q.HUNT, Q.FACE, Q.STRIKE, Q.LINE, Q.LOSE, Q.EXHAUST, Q.READY, Q.CUBE)  # questions that zones do not matter for


@jit
def think(s, R, W, key):
    """What the seat to move takes in; at the start of a turn, what to do with its dice."""
    mind = np.empty(1, MIND)
    m = mind[0]
    look(s, R, W, int(s.turn), m)
    what = top(s).what
    planning = what == Q.DICE or (what == Q.TURN and s.deed.placed == 0)
    if planning or (what not in INDOORS and (what != Q.TURN or may_fly(s, R))):
        survey(s, R, W, m)
    if planning:
        tasks_of(s, R, W, m)
        weigh(s, m)
    if planning and what == Q.TURN:
        place_dice(s, R, W, m)
    return mind


@jit
def may_fly(s, R):
    """Whether a minion may get to any zone after the die of this turn."""
    found = R.goblin != 0 or R.asymmetric != 0
    for slot in range(SLOTS):
        found |= s.place[slot] == PORTAL
    return found


@jit
def place_dice(s, R, W, m):
    """Fill in what each place for a die brings."""
    m.best = -np.inf
    for w in range(s.can.size):
        word = s.can[w]
        while word != 0:
            a = (w << 6) + lowest(word)
            word &= word - np.uint64(1)
            if a >= A_COLLECT:
                return
            if a >= A_COOK:
                m.placing[a - A_COOK] = placing(s, R, W, m, a)
                m.best = max(m.best, m.placing[a - A_COOK])


@jit
def rate(s, R, W, mind, a):
    """What an action brings, in points; to end the turn brings nothing."""
    m, what = mind[0], top(s).what
    if what == Q.TURN:
        if a < A_COOK:
            return 0.0
        if a < A_COLLECT:
            return m.placing[a - A_COOK]
        return m.best + (active(s, R, W, m, a) if a < A_HIRE else free(s, R, W, m, a))
    if what == Q.HUNT:
        return window(s, R, W, m, a) if A_ATTACK <= a < A_TURN else free(s, R, W, m, a)
    return answer(s, R, W, m, what, a)


@jit
def clock(s):
    """Rounds ended."""
    return int(s.rounds)
