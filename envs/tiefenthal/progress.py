"""How far a game has come: its clock, its first player, and the supplies that are not empty."""

from alehouse.envs.core.declare.offers import Supplies
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tiefenthal.layout import STOCKS, TAVERN_NAMES


@jit
def clock(s):
    """Return how many rounds have ended; the choice of start cards is not a round."""
    return max(0, int(s.evening) - 1)


@jit
def first(s):
    """Return the seat of the first player; -1 while start cards are chosen."""
    return int(s.first) if s.evening > 0 else -1


@jit
def held(s):
    """Return the set of supplies that are not empty."""
    found = int(s.deck_n > 0) | int(s.cheap_n > 0) << 1 | int(s.schnapps > 0) << 2 | int(s.tiles > 0) << 3 | int(s.counters > 0) << 4
    for k in range(STOCKS):
        found |= int(s.stock[k] > 0) << (5 + k)
    return found


SUPPLIES = Supplies(("guest deck", "cheap pile", "schnapps", "signature tiles", "counter guests", "nobles", *TAVERN_NAMES), held)
