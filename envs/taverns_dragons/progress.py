"""How far a game has come: its clock, its first player, and the supplies that are not empty."""

from alehouse.envs.core.declare.offers import Supplies
from alehouse.envs.core.run.jit import jit
from alehouse.envs.taverns_dragons.layout import P_TURNS


@jit
def clock(s):
    """Return how many rounds have ended."""
    return int(s.rounds)


@jit
def first(s):
    """Return the seat of the first player; -1 until boards are chosen and missions are kept, as dice decide it then."""
    return -1 if s.phase < P_TURNS else int(s.first)


@jit
def held(s):
    """Return the set of supplies that are not empty."""
    found = int(s.heroes != 0) | int(s.recipes != 0) << 1 | int(s.unsold > 0) << 2 | int(s.events != 0) << 3
    return found | int(s.meetings != 0) << 4 | int(s.pool != 0) << 5 | int(s.forge != 0) << 6


SUPPLIES = Supplies(("heroes", "recipes", "items", "events", "encounters", "trophies", "forge tokens"), held)
