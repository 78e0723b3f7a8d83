"""How far a game has come: its clock, its first player, and the supplies that are not empty."""

from alehouse.envs.core.declare.offers import Supplies
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tiefenthal.layout import STOCKS, TAVERN_NAMES


@jit
def clock(s):
    """Return the number of the round; the first is 1."""
    return int(s.evening)


@jit
def first(s):
    """Return the seat of the first player."""
    return int(s.first)


@jit
def held(s):
    """Return the set of supplies that are not empty."""
    found = int(s.deck_n > 0) | int(s.cheap_n > 0) << 1 | int(s.schnapps > 0) << 2 | int(s.tiles > 0) << 3 | int(s.counters > 0) << 4
    for k in range(STOCKS):
        found |= int(s.stock[k] > 0) << (5 + k)
    return found


SUPPLIES = Supplies(("guest deck", "cheap pile", "schnapps", "signature tiles", "counter guests", "nobles", *TAVERN_NAMES), held)
