"""Actions that name a card, a place or an object: how often they are taken when they can be, and how those who took them fare.

Winning more often after taking something does not show that it is strong: whoever does well has more occasions to take things.
So this is told apart from a cause by its name, and compared with those who could have taken it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.benchmarks.balance.effects import LEVEL
from alehouse.benchmarks.balance.kernels.watched_games import OFFERED, SEATS_OFFERED, SEATS_TOOK, TAKEN, WON_OFFERED, WON_TOOK
from alehouse.envs.core.declare.game import Game

ENOUGH = 100  # seats that had it on offer


@dataclass(frozen=True)
class Item:
    """An action: how often it was open and taken; in points of share, what those who took it won beyond an even part, and, adjusted
    for who has the occasion, beyond those who had it open."""

    name: str
    offered: int
    taken: int
    rate: float
    won: float | None  # None where too few had it
    estimate: float | None
    low: float | None
    high: float | None


def items(tallies: Sequence[npt.NDArray[np.float64]], spec: Game) -> list[Item]:
    """Every named action met in a run; tallies are by chunk. Intervals hold together."""
    tally = np.asarray(tallies)
    whole = tally.sum(axis=0)
    named = [a for a, name in enumerate(spec.ACTIONS.names) if ":" in name and whole[OFFERED, a] > 0]
    told = {a for a in named if whole[SEATS_OFFERED, a] >= ENOUGH and whole[SEATS_TOOK, a] >= ENOUGH}
    return [one(spec.ACTIONS.names[a], tally[:, :, a], len(told) if a in told else 0) for a in named]


def one(name: str, tally: npt.NDArray[np.float64], together: int) -> Item:
    """One action; without an estimate where there are too few."""
    whole = tally.sum(axis=0)
    rate = whole[TAKEN] / whole[OFFERED]
    won = estimate = low = high = None
    if together and len(tally) > 2:
        won = float(100 * whole[WON_TOOK] / whole[SEATS_TOOK])
        estimate = advantage(whole)
        without = np.array([advantage(whole - part) for part in tally])
        error = np.sqrt((len(without) - 1) * np.mean((without - without.mean()) ** 2))
        half = float(stats.t.isf(LEVEL / 2 / together, len(tally) - 1) * error)
        low, high = estimate - half, estimate + half
    return Item(name, int(whole[OFFERED]), int(whole[TAKEN]), float(rate), won, estimate, low, high)


def advantage(tally: npt.NDArray[np.float64]) -> float:
    """The share won by those who took it less that of all who could, in points."""
    return float(100 * (tally[WON_TOOK] / max(1.0, tally[SEATS_TOOK]) - tally[WON_OFFERED] / max(1.0, tally[SEATS_OFFERED])))


def dead(found: Sequence[Item]) -> list[Item]:
    """Actions often open and never taken."""
    return [item for item in found if item.taken == 0 and item.offered >= ENOUGH]
