"""What looks like a gap in the rules: games that run to their bound, long stretches without a choice, wins shared."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from alehouse.benchmarks.balance.kernels import watch
from alehouse.benchmarks.balance.measures import shares
from alehouse.benchmarks.balance.play import Played
from alehouse.envs.core.game import Variant


@dataclass(frozen=True)
class Gap:
    """Something met in a cell."""

    variant: str
    longest: int  # decisions of the longest game
    bound: int  # decisions a game can have at most
    forced: int  # decisions in a row without a choice, at most
    shared: float  # part of the games with more than one winner


def gaps(played: Played, cells: Sequence[Variant]) -> list[Gap]:
    """What was met in each cell."""
    found = []
    for c, v in enumerate(cells):
        seen = played.seen[:, c]
        shared = shares(played.utility[:, c], v.seats).max(axis=1) < 1
        longest, forced = int(seen[:, watch.DECISIONS].max()), int(seen[:, watch.FORCED].max())
        found.append(Gap(str(v), longest, v.bound, forced, float(np.mean(shared))))
    return found
