"""A check of what a game says of its course: which round it is, and who is the first player."""

from collections.abc import Iterator

import numpy as np

from alehouse.envs.core.verify.case import CLOCK, FIRST, Case, progress, where


def rounds(case: Case) -> Iterator[str]:
    """Prove that the clock begins at 0 and moves by one, and that the first player is known from the first turn on.

    The last rounds may end together, if nobody has a choice left.
    """
    last, known = np.zeros(case.games, np.int64), np.full(case.games, -1)
    for step, t in case.walk():
        clock, first = progress(t)[:, CLOCK], progress(t)[:, FIRST]
        faults = {
            "the clock moves from {last} to {clock}": (clock < last) | (clock > last + (step > 0)) & ~t.over,
            "the first player is {first}": (clock == 0) & ((first < -1) | (first >= case.v.seats)),
            "nobody is first": (first == -1) & ((clock > 0) | t.over),
            "the first player changes from {known} to {first}": (clock == 0) & (known >= 0) & (first != known),
        }
        for fault, tables in faults.items():
            for i in np.flatnonzero(tables):
                yield f"{where(step, i)}: {fault.format(last=last[i], clock=clock[i], first=first[i], known=known[i])}"
        last, known = clock, np.where(clock == 0, first, known)
