"""How far a game has come: its clock, and the supplies that are not empty."""

from alehouse.envs.core.declare.offers import Supplies
from alehouse.envs.core.run.jit import jit


@jit
def clock(s):
    """Return the number of trade turns ended plus the number of brawl rounds begun."""
    return int(s.turns) + int(s.rounds)


@jit
def held(s):
    """Return the set of supplies that are not empty."""
    return int(s.left > 0) | int(s.arrivals != 0) << 1


SUPPLIES = Supplies(("object deck", "arrivals"), held)
