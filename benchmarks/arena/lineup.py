"""Who sits where: a block is one seed, played once for every rotation of its line-up around the table."""

import functools
import itertools
import math

import numpy as np
import numpy.typing as npt

Seating = npt.NDArray[np.int8]


def rotations(agents: int, seats: int) -> int:
    """Return the games of a block. A single agent is the same in every seat, so one game is enough."""
    return 1 if agents == 1 else seats


def check_line_up(agents: int, seats: int) -> None:
    """Raise a ValueError if this number of agents cannot share a table."""
    if not 1 <= agents <= seats:
        raise ValueError(f"{agents} agents: one for each of the {seats} seats at most")


def order(agents: int, seats: int, block: int) -> tuple[int, ...]:
    """Return the agents around the table of a block, before the line-up is rotated.

    One agent takes all seats. Of two, the first takes one seat and the second all others. Three or more are dealt out in turn: each block
    begins with the next agent, and the neighbours change from deal to deal.
    """
    if agents <= 2:
        return (0,) + (agents - 1,) * (seats - 1)
    dealt = [(block + p) % agents for p in range(seats)]
    return (dealt[0], *(dealt[p] for p in neighbours(seats, block // agents % math.factorial(seats - 1))))


@functools.cache
def neighbours(seats: int, k: int) -> tuple[int, ...]:
    """Return the k-th order of the seats after the first."""
    return next(itertools.islice(itertools.permutations(range(1, seats)), k, None))


def seatings(agents: int, seats: int, first: int, last: int) -> Seating:
    """Return which agent sits in each seat (a column) in each game (a row) of the blocks from `first` up to `last`."""
    rows = [
        [line[(p - turn) % seats] for p in range(seats)]
        for line in (order(agents, seats, block) for block in range(first, last))
        for turn in range(rotations(agents, seats))
    ]
    return np.array(rows, np.int8).reshape(-1, seats)
