"""The stack of a table: questions that wait for an answer and tasks that wait to be done. The top one comes next."""

from typing import Annotated

from alehouse.envs.core.declare.record import between, few, i1, upto
from alehouse.envs.core.run.jit import jit

DEPTH = 8


class Entry:
    """A question or a task on the stack: its number, the seat it concerns, and two small arguments, whose meaning its declaration gives."""

    what: few
    seat: few
    a: Annotated[i1, between(-128, 127)]
    b: Annotated[i1, between(-128, 127)]


class Stack:
    """The open questions and tasks of a table; the last one is on top."""

    n: Annotated[i1, upto(DEPTH - 1)]  # DEPTH if an entry was pushed onto the deepest one, which is lost
    entry: Annotated[list[Entry], Entry, DEPTH]


@jit
def push(s, what, seat, a=0, b=0):
    """Put a question or a task on top of the stack."""
    n = min(int(s.stack.n), DEPTH - 1)
    entry = s.stack.entry[n]
    entry.what = what
    entry.seat = seat
    entry.a = a
    entry.b = b
    s.stack.n = n + 1


@jit
def pop(s):
    """Take the top entry off the stack."""
    s.stack.n -= 1


@jit
def top(s):
    """Return the top entry of the stack."""
    return s.stack.entry[s.stack.n - 1]
