"""How far a game has come: its clock, and the supplies that still hold something."""

from alehouse.envs.core.declare.offers import Supplies
from alehouse.envs.core.run.jit import jit


@jit
def clock(s):
    """Return the trade turns ended plus the rounds of the brawl begun."""
    return int(s.turns) + int(s.rounds)


@jit
def held(s):
    """Return the set of supplies that hold something."""
    return int(s.left > 0) | int(s.arrivals != 0) << 1


SUPPLIES = Supplies(("object deck", "arrivals"), held)
