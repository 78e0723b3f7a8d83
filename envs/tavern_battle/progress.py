"""How far a game has come: its clock, its first player, and the supplies that are not empty."""

from alehouse.envs.core.declare.offers import Supplies
from alehouse.envs.core.run.jit import jit


@jit
def clock(s):
    """Return how many rounds have ended: trade turns and brawl rounds; the brawl ends the trade turn in which it begins."""
    return int(s.turns) + int(s.rounds)


@jit
def first(s):
    """Return the seat of the first seller."""
    return int(s.seller)


@jit
def held(s):
    """Return the set of supplies that are not empty."""
    return int(s.left > 0) | int(s.arrivals != 0) << 1


SUPPLIES = Supplies(("object deck", "arrivals"), held)
