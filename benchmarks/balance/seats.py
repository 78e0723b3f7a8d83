"""Shares of the win by place in the order of play, and the bonus points that would make them even."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.benchmarks.balance.effects import LEVEL, errors
from alehouse.benchmarks.balance.kernels import watched_games as watch
from alehouse.benchmarks.balance.measures import in_order
from alehouse.benchmarks.balance.play import Played
from alehouse.benchmarks.balance.robust import Verdict, by_rule_set
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.standings import win_shares


@dataclass(frozen=True)
class Seat:
    """A place in the order of play: its share of the win, and the bonus points with which that share would be even."""

    seats: int
    place: int  # 1 for the first player
    share: float
    low: float
    high: float
    p: float  # p-value, adjusted by Bonferroni over all places and numbers of players
    handicap: float | None  # the bonus points; None if no bonus that was tried makes the share even
    handicap_low: float | None
    handicap_high: float | None
    verdict: Verdict | None = None  # what the plausible rule sets say of it, if rule sets were drawn


def by_count(cells: Sequence[Variant]) -> dict[int, list[int]]:
    """Return for each number of players, in order, the indices of the cells with that number."""
    return {count: [c for c, v in enumerate(cells) if v.seats == count] for count in sorted({v.seats for v in cells})}


def seats(played: Played, cells: Sequence[Variant], each: int = 1) -> list[Seat]:
    """Return a row for every place at every number of players, averaged over all cells with that number; intervals are simultaneous.

    `each` is the number of blocks in a row that were played by the same rules.
    """
    counts = by_count(cells)
    return [row for count, which in counts.items() for row in of_count(played, which, count, sum(counts), each)]


def shares(played: Played, which: Sequence[int], count: int) -> npt.NDArray[np.float64]:
    """Return the share of the win in each block, for each of some cells with the same number of players, by place."""
    return in_order(win_shares(played.utility[:, which, :count]), played.seen[:, which, watch.FIRST])


def advantages(played: Played, cells: Sequence[Variant]) -> npt.NDArray[np.float64]:
    """Return in points what every place wins beyond an even share in each block, in the order of `seats`."""
    parts = [shares(played, which, count).mean(axis=1) - 1 / count for count, which in by_count(cells).items()]
    return np.round(100 * np.concatenate(parts, axis=1), 9)


def of_count(played: Played, which: Sequence[int], count: int, rows: int, each: int) -> Iterator[Seat]:
    """Yield the places at one number of players; `rows` is the number of simultaneous intervals."""
    first = played.seen[:, which, watch.FIRST]
    share = by_rule_set(shares(played, which, count).mean(axis=1), each)
    score = in_order(played.scores[:, which, :count].astype(np.float64), first).reshape(-1, count)
    mean, error = errors(share)
    half = stats.t.isf(LEVEL / 2 / rows, len(share) - 1) * error
    for k in range(count):
        t = abs(mean[k] - 1 / count) / error[k] if error[k] > 0 else 0.0
        p = min(1.0, rows * 2 * float(stats.t.sf(t, len(share) - 1)))
        curve = shares_with_bonus(score, k)
        level, low, high = (leveling(*curve, 1 / count + off) for off in (0.0, -half[k], half[k]))
        yield Seat(count, k + 1, float(mean[k]), float(mean[k] - half[k]), float(mean[k] + half[k]), p, level, low, high)


def shares_with_bonus(score: npt.NDArray[np.float64], place: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the bonuses that were tried for a place, and its share of the win with each of them."""
    margin = score[:, place] - np.delete(score, place, axis=1).max(axis=1)
    reach = max(1, int(np.quantile(np.abs(margin), 0.9)))
    bonus = np.arange(-reach, reach + 1, dtype=np.float64)
    given = np.eye(score.shape[1])[place]  # only this place gets the bonus
    return bonus, np.array([win_shares(score + points * given)[:, place].mean() for points in bonus])


def leveling(bonus: npt.NDArray[np.float64], share: npt.NDArray[np.float64], wanted: float) -> float | None:
    """Return the bonus at which the share is the wanted one, interpolated between whole points; None if no bonus tried reaches it."""
    if not share[0] <= wanted <= share[-1]:
        return None
    return float(np.interp(wanted, share, bonus))
