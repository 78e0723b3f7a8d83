"""How far a game has come: its clock, its first player, and the supplies that are not empty."""

from alehouse.envs.core.declare.offers import Supplies
from alehouse.envs.bloody_inn.layout import P_DRAFT
from alehouse.envs.core.run.jit import jit


@jit
def clock(s):
    """Return how many rounds have ended."""
    return int(s.rounds)


@jit
def first(s):
    """Return the seat of the first player; -1 during the draft."""
    return -1 if s.phase == P_DRAFT else int(s.first)


@jit
def held(s):
    """Return the set of supplies that are not empty."""
    return int(s.bistro > 0) | int(s.event_deck != 0) << 1


SUPPLIES = Supplies(("peasants in the bistro", "event deck"), held)
