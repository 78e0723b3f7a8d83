"""What answers are worth: the form in which all agents give their ratings."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Ratings(NamedTuple):
    """What each answer is worth to the seat that is asked, with a row for each table and a column for each action.

    Columns of illegal actions, and rows of games that are over, hold NaN (and 0 visits), as do answers that a searcher did not try.
    """

    value: Floats  # the seat's expected share of the win
    error: Floats  # the standard error of `value`; NaN for an answer that was tried once
    visits: npt.NDArray[np.int64]  # how often the answer was tried
    shares: Floats  # the expected share of the win of every seat, along a third axis
    loss: Floats  # how much lower `value` is than that of the best answer, on the same redeals; of a searcher it may be below 0
    loss_error: Floats  # the standard error of `loss`

    @property
    def best(self) -> npt.NDArray[np.int64]:
        """The action of the highest value among those tried most often at each table, or -1 where the game is over."""
        most = self.visits.max(axis=1, keepdims=True)
        worth = np.where(self.visits == most, np.nan_to_num(self.value, nan=-np.inf), -np.inf)
        return np.where(most[:, 0] > 0, worth.argmax(axis=1), -1)


def empty(n: int, actions: int, seats: int) -> Ratings:
    """Return ratings that hold nothing yet."""
    blank = [np.full((n, actions), np.nan) for _ in range(4)]
    return Ratings(blank[0], blank[1], np.zeros((n, actions), np.int64), np.full((n, actions, seats), np.nan), blank[2], blank[3])
