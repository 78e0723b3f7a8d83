"""What is measured of a game, and in which units."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from alehouse.benchmarks.balance.kernels import watched_games as watch
from alehouse.benchmarks.balance.play import Played
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.standings import win_shares


@dataclass(frozen=True)
class Measure:
    """One measure of a game, such as its number of rounds, with its unit."""

    name: str
    unit: str
    note: str


MEASURES = (
    Measure("first player", "points of share", "the first player's share of wins above 1/P, ties split"),
    Measure("last player", "points of share", "the share of the last in the order of play above 1/P"),
    Measure("score", "points", "mean over the seats"),
    Measure("spread", "points", "the best score less the worst"),
    Measure("length", "decisions", "of all seats together"),
    Measure("rounds", "rounds", "begun, as the game counts them"),
    Measure("lead changes", "changes", "another seat alone in front at the end of a round, by the points as they would count then"),
    Measure("comeback", "% of games", "no winner was in front half-way"),
    Measure("choices", "% of decisions", "decisions with more than one legal action"),
)
NAMES = tuple(m.name for m in MEASURES)
SHARES = NAMES[:2]


def in_order(values: npt.NDArray[np.float64], first: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Return values by seat as values by place in the order of play; place 0 is the first player."""
    places = (first[..., None] + np.arange(values.shape[-1])) % values.shape[-1]
    return np.take_along_axis(values, places.astype(np.int64), axis=-1)


def measured(played: Played, cells: Sequence[Variant]) -> npt.NDArray[np.float64]:
    """Return the measures of each game, with axes block, cell and measure."""
    out = np.empty((*played.seen.shape[:2], len(MEASURES)))
    for c, v in enumerate(cells):
        seen, scores = played.seen[:, c].astype(np.float64), played.scores[:, c, : v.seats]
        share = in_order(win_shares(played.utility[:, c, : v.seats]), played.seen[:, c, watch.FIRST])
        out[:, c] = np.column_stack([
            100 * (share[:, 0] - 1 / v.seats),
            100 * (share[:, -1] - 1 / v.seats),
            scores.mean(axis=1),
            scores.max(axis=1) - scores.min(axis=1),
            seen[:, watch.DECISIONS],
            seen[:, watch.ROUND],
            seen[:, watch.CHANGES],
            100 * seen[:, watch.COMEBACK],
            100 * seen[:, watch.CHOICES] / seen[:, watch.DECISIONS],
        ])  # fmt: skip
    return out
