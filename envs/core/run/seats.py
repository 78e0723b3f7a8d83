"""Arithmetic of seats around a table: counting on, counting from one seat, and sets of seats as one of them sees them."""

from alehouse.envs.core.run.bits import first
from alehouse.envs.core.run.jit import jit


@jit
def around(p, seats):
    """Return a seat counted past the last one, or before the first; this is cheaper than a division."""
    q, n = int(p), int(seats)
    while q >= n:
        q -= n
    while q < 0:
        q += n
    return q


@jit
def left(p, seat, seats):
    """Return how many seats to the left of `seat` p sits."""
    return around(int(p) - int(seat), seats)


@jit
def turned(members, seat, seats):
    """Return a set of seats as `seat` counts them, itself first."""
    some = int(members)
    return ((some >> int(seat)) | (some << (int(seats) - int(seat)))) & first(seats)
