"""Seats around a table: counted on, counted from one of them, and sets of them as one of them counts."""

from alehouse.envs.core.run.bits import first
from alehouse.envs.core.run.jit import jit


@jit
def around(p, seats):
    """A seat counted on, or back, past the last one; cheaper than a division."""
    q, n = int(p), int(seats)
    while q >= n:
        q -= n
    while q < 0:
        q += n
    return q


@jit
def left(p, seat, seats):
    """How many seats to the left of a seat p sits."""
    return around(int(p) - int(seat), seats)


@jit
def turned(members, seat, seats):
    """A set of seats as one of them counts: itself first."""
    some = int(members)
    return ((some >> int(seat)) | (some << (int(seats) - int(seat)))) & first(seats)
