"""Places as a seat names them: actions and observations are relative to the seat to move."""

from alehouse.envs.bloody_inn.layout import WHITES
from alehouse.envs.core.run.bits import first
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.seats import around, left, turned


@jit
def relative(places, p, seats):
    """A set of places as seat p names them: its own room first."""
    return (int(places) & ~first(WHITES)) | turned(int(places) & first(seats), p, seats)


@jit
def absolute(place, p, seats):
    """The place that seat p names so."""
    return around(int(place) + int(p), seats) if place < WHITES else int(place)


@jit
def named(place, p, seats):
    """What seat p calls a place: the inverse of `absolute`."""
    return left(place, p, seats) if place < WHITES else int(place)
