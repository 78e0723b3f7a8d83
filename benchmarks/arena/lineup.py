"""Who sits where: a block is one seed, played once for every rotation of the agents around the table."""

import functools
import itertools
import math

import numpy as np
import numpy.typing as npt

Seating = npt.NDArray[np.int8]


def rotations(agents: int, seats: int) -> int:
    """Return how many games a block has. With a single agent all rotations are the same, so one game is enough."""
    return 1 if agents == 1 else seats


def check_line_up(agents: int, seats: int) -> None:
    """Raise a ValueError if this number of agents cannot fill a table."""
    if not 1 <= agents <= seats:
        raise ValueError(f"{agents} agents: one for each of the {seats} seats at most")


def order(agents: int, seats: int, block: int) -> tuple[int, ...]:
    """Return which agents sit around the table in a block, before they are rotated.

    One agent takes all seats. Of two agents, the first takes one seat and the second all others. Three or more are seated in turn: each
    block begins with the next agent, and neighbours change from one round of seating to the next.
    """
    if agents <= 2:
        return (0,) + (agents - 1,) * (seats - 1)
    dealt = [(block + p) % agents for p in range(seats)]
    return (dealt[0], *(dealt[p] for p in neighbours(seats, block // agents % math.factorial(seats - 1))))


@functools.cache
def neighbours(seats: int, k: int) -> tuple[int, ...]:
    """Return the k-th other way to order the seats after the first."""
    return next(itertools.islice(itertools.permutations(range(1, seats)), k, None))


def seatings(agents: int, seats: int, first: int, last: int) -> Seating:
    """Return which agent sits in each seat (column) in each game (row) of the blocks from `first` up to, but not including, `last`."""
    rows = [
        [line[(p - turn) % seats] for p in range(seats)]
        for line in (order(agents, seats, block) for block in range(first, last))
        for turn in range(rotations(agents, seats))
    ]
    return np.array(rows, np.int8).reshape(-1, seats)
