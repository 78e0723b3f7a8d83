"""Places as a seat names them: actions and observations are relative to the seat to move."""

from alehouse.envs.bloody_inn.layout import WHITES
from alehouse.envs.core.bits import first
from alehouse.envs.core.jit import jit


@jit
def relative(places, p, seats):
    """A set of places as seat p names them: its own room first."""
    homes = int(places) & first(seats)
    turned = (homes >> int(p)) | (homes << (int(seats) - int(p)))
    return (int(places) & ~first(WHITES)) | (turned & first(seats))


@jit
def absolute(place, p, seats):
    """The place that seat p names so."""
    return (int(place) + int(p)) % int(seats) if place < WHITES else int(place)


@jit
def named(place, p, seats):
    """What seat p calls a place: the inverse of `absolute`."""
    return (int(place) - int(p)) % int(seats) if place < WHITES else int(place)


@jit
def left(p, seat, seats):
    """How many seats to the left of a seat p sits."""
    return (int(p) - int(seat)) % int(seats)
