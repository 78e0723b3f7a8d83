"""Actions that name a card, a place or an object: how often they are taken, and how often those who take them win.

Winning more often after an action does not show that the action is strong: whoever does well can take it more often. So each row compares
the takers with the seats that could have taken the action, and reports keep these rows apart from those of experiments.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.benchmarks.balance.effects import LEVEL
from alehouse.benchmarks.balance.kernels.watched_games import OFFERED, SEATS_OFFERED, SEATS_TOOK, TAKEN, WON_OFFERED, WON_TOOK
from alehouse.envs.core.declare.game import Game

ENOUGH = 100  # an action must be open to, and taken by, this many seats before anything is estimated


@dataclass(frozen=True)
class TakenAction:
    """How often an action was open and was taken, and how its takers fared, in points of share.

    `won` is what they won beyond an even share; `estimate` is what they won beyond all seats that could take the action.
    """

    name: str
    offered: int
    taken: int
    rate: float
    won: float | None  # None if too few seats took it
    estimate: float | None
    low: float | None
    high: float | None


def taken_actions(tallies: Sequence[npt.NDArray[np.float64]], spec: Game) -> list[TakenAction]:
    """Return a row for every named action that was ever open; `tallies` has an entry for each chunk. Intervals are simultaneous."""
    tally = np.asarray(tallies)
    whole = tally.sum(axis=0)
    named = [a for a, name in enumerate(spec.ACTIONS.names) if ":" in name and whole[OFFERED, a] > 0]
    often = {a for a in named if whole[SEATS_OFFERED, a] >= ENOUGH and whole[SEATS_TOOK, a] >= ENOUGH}
    return [taken_action(spec.ACTIONS.names[a], tally[:, :, a], len(often) if a in often else 0) for a in named]


def taken_action(name: str, tally: npt.NDArray[np.float64], together: int) -> TakenAction:
    """Return the row of one action. `together` is the number of actions with simultaneous intervals; 0 means that nothing is estimated."""
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
    """Return in points the share won by seats that took an action, minus the share won by those that could."""
    return float(100 * (tally[WON_TOOK] / max(1.0, tally[SEATS_TOOK]) - tally[WON_OFFERED] / max(1.0, tally[SEATS_OFFERED])))


def never_taken(found: Sequence[TakenAction]) -> list[TakenAction]:
    """Return the actions that were often open and were never taken."""
    return [one for one in found if one.taken == 0 and one.offered >= ENOUGH]
