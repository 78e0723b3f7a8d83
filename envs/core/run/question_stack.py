"""The stack of sub-decisions: who is asked what, with up to four small arguments; the top is asked now."""

from typing import Annotated

from alehouse.envs.core.declare.record import i1
from alehouse.envs.core.run.jit import jit

DEPTH = 8


class Ask:
    """One open question."""

    what: i1
    seat: i1
    a: i1
    b: i1


class Asks:
    """The open questions of a table, the last one on top."""

    n: i1
    entry: Annotated[list[Ask], Ask, DEPTH]


@jit
def push(asks, what, seat, a, b):
    """Ask a seat something before whatever is open now."""
    entry = asks.entry[asks.n]
    entry.what = what
    entry.seat = seat
    entry.a = a
    entry.b = b
    asks.n += 1


@jit
def pop(asks):
    """The question on top is settled."""
    asks.n -= 1


@jit
def top(asks):
    """The question asked now."""
    return asks.entry[asks.n - 1]
