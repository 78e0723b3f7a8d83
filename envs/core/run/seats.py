"""Arithmetic of seats around a table: wrap a seat number, count from one seat to another, and rotate sets of seats."""

from alehouse.envs.core.run.bits import first
from alehouse.envs.core.run.jit import jit


@jit
def around(p, seats):
    """Wrap a seat number that is past the last seat or before the first; this is cheaper than a division."""
    q, n = int(p), int(seats)
    while q >= n:
        q -= n
    while q < 0:
        q += n
    return q


@jit
def left(p, seat, seats):
    """Return how many seats to the left of `seat` the seat p sits."""
    return around(int(p) - int(seat), seats)


@jit
def turned(members, seat, seats):
    """Rotate a set of seats so that `seat` becomes number 0."""
    some = int(members)
    return ((some >> int(seat)) | (some << (int(seats) - int(seat)))) & first(seats)
