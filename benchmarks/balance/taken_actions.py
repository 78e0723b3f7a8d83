"""Actions that name a card, a place or an object: how often they are taken, and how often those who take them win.

Winning more often after an action does not show that the action is strong: whoever does well has more occasions to take it. So each
row is compared with the seats that could have taken the action, and reports keep these rows apart from those of experiments.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.benchmarks.balance.effects import LEVEL
from alehouse.benchmarks.balance.kernels.watched_games import OFFERED, SEATS_OFFERED, SEATS_TOOK, TAKEN, WON_OFFERED, WON_TOOK
from alehouse.envs.core.declare.game import Game

ENOUGH = 100  # seats that an action was open to, or that took it, before anything is estimated


@dataclass(frozen=True)
class TakenAction:
    """How often an action was open and taken, and how its takers fared, in points of share.

    `won` is what they won beyond an even share; `estimate` is what they won beyond all seats the action was open to.
    """

    name: str
    offered: int
    taken: int
    rate: float
    won: float | None  # None where too few seats took it
    estimate: float | None
    low: float | None
    high: float | None


def taken_actions(tallies: Sequence[npt.NDArray[np.float64]], spec: Game) -> list[TakenAction]:
    """Return a row for every named action that was ever open; `tallies` are by chunk, and the intervals hold together."""
    tally = np.asarray(tallies)
    whole = tally.sum(axis=0)
    named = [a for a, name in enumerate(spec.ACTIONS.names) if ":" in name and whole[OFFERED, a] > 0]
    often = {a for a in named if whole[SEATS_OFFERED, a] >= ENOUGH and whole[SEATS_TOOK, a] >= ENOUGH}
    return [taken_action(spec.ACTIONS.names[a], tally[:, :, a], len(often) if a in often else 0) for a in named]


def taken_action(name: str, tally: npt.NDArray[np.float64], together: int) -> TakenAction:
    """Return the row of one action out of the number whose intervals hold together; 0 means no estimate."""
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
    return TakenAction(name, int(whole[OFFERED]), int(whole[TAKEN]), float(rate), won, estimate, low, high)


def advantage(tally: npt.NDArray[np.float64]) -> float:
    """Return the share won by the seats that took an action less that of the seats it was open to, in points."""
    return float(100 * (tally[WON_TOOK] / max(1.0, tally[SEATS_TOOK]) - tally[WON_OFFERED] / max(1.0, tally[SEATS_OFFERED])))


def never_taken(found: Sequence[TakenAction]) -> list[TakenAction]:
    """Return the actions that were often open and never taken."""
    return [one for one in found if one.taken == 0 and one.offered >= ENOUGH]
