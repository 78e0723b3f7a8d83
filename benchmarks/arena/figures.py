"""The figures of each agent with block-bootstrap intervals, and how much pairing has narrowed them."""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.benchmarks.arena.play import NOBODY, Games
from alehouse.envs.core.run.standings import win_shares
from alehouse.envs.core.verify.intervals import Z95

RESAMPLES = 1000
CLUSTERS = 2000  # before resampling, blocks are merged to at most this many clusters, which are as independent as the blocks
SHARE, UTILITY, SCORE = range(3)
WIDEST: tuple[tuple[float, float] | None, ...] = ((0.0, 1.0), (-1.0, 1.0), None)  # the bounds of each measure; scores have none

Floats = npt.NDArray[np.float64]


class Sums(NamedTuple):
    """Sums over the games of a block, for each block."""

    total: Floats  # for each block, measure and agent: the sum over the agent's seats
    seats: Floats  # for each block, measure and agent: the number of these seats
    game: Floats  # for each block and agent: the sum over games of the mean share of the agent's seats
    square: Floats  # for each block and agent: the sum of the squares of these means
    games: int  # number of games in a block


class Figure(NamedTuple):
    """A mean and both ends of its 95 % interval; None where nothing is known."""

    mean: float | None
    low: float | None
    high: float | None


def sums(games: Games, agents: int) -> Sums:
    """Return the sums of each block in a span."""
    blocks = int(games.block[-1] - games.block[0]) + 1
    played = (games.offender == NOBODY)[:, None]
    own = games.seating[:, :, None] == np.arange(agents)  # indices: game, seat, agent
    values = (win_shares(games.utility), games.utility.astype(np.float64), games.scores.astype(np.float64))
    counts = (own, own, own & played[:, :, None])  # the score of a forfeited game does not count
    total = np.stack([(value[:, :, None] * count).sum(axis=1) for value, count in zip(values, counts, strict=True)], axis=1)
    seats = np.stack([count.sum(axis=1) for count in counts], axis=1).astype(np.float64)
    mean = total[:, SHARE] / seats[:, SHARE]

    a, b, c, d = (rows.reshape(blocks, -1, *rows.shape[1:]).sum(axis=1) for rows in (total, seats, mean, mean**2))
    return Sums(a, b, c, d, len(games.block) // blocks)


def together(parts: Sequence[Sums]) -> Sums:
    """Return the sums of several spans as one."""
    rows: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in Sums._fields[:4]}
    return Sums(**rows, games=parts[0].games)


def figures(found: Sums, seed: int = 0) -> list[list[Figure]]:
    """Return a figure for each measure and agent."""
    total, seats = clustered(found.total), clustered(found.seats)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = found.total.sum(axis=0) / found.seats.sum(axis=0)
        low, high = bootstrap(total, seats, seed)
    return [
        [figure(*ends, WIDEST[measure], len(found.game)) for ends in zip(means[measure], low[measure], high[measure], strict=True)]
        for measure in (SHARE, UTILITY, SCORE)
    ]


def figure(mean: float, low: float, high: float, widest: tuple[float, float] | None, blocks: int) -> Figure:
    """Return a figure; if it has no interval of its own, it gets the widest possible one.

    If all blocks had the same extreme result, the bootstrap would find no spread. Then the rule of three says how far away the truth may
    be.
    """
    if np.isnan(mean):
        return Figure(None, None, None)
    if not (np.isfinite(low) and np.isfinite(high)):
        return Figure(float(mean), *(widest or (None, None)))
    if widest is not None and low == high and low in widest:
        room = min(1.0, 3 / blocks) * (widest[1] - widest[0])
        return Figure(float(mean), float(max(widest[0], low - room)), float(min(widest[1], high + room)))
    return Figure(float(mean), float(low), float(high))


def clustered(rows: Floats) -> Floats:
    """Return the sums after merging neighbouring blocks to a number of clusters that can be resampled quickly."""
    size = -(-len(rows) // CLUSTERS)
    merged: Floats = rows if size == 1 else np.add.reduceat(rows, np.arange(0, len(rows), size))
    return merged


def bootstrap(total: Floats, seats: Floats, seed: int) -> tuple[Floats, Floats]:
    """Return both ends of the 95 % intervals of total / seats; blocks (the first axis) are drawn with replacement. One block gives nan."""
    if len(total) < 2:
        nothing = np.full(total.shape[1:], np.nan)
        return nothing, nothing
    from scipy import stats

    def ratio(t: Any, s: Any, axis: int) -> Any:
        return t.sum(axis=axis) / s.sum(axis=axis)

    data = [np.moveaxis(rows, 0, -1) for rows in (total, seats)]
    rng = np.random.default_rng([seed, len(total)])
    with warnings.catch_warnings(action="ignore"):  # an agent that has finished no game causes a division by zero
        found = stats.bootstrap(
            data, ratio, n_resamples=RESAMPLES, batch=100, vectorized=True, paired=True, axis=-1, method="percentile", rng=rng
        )
    return found.confidence_interval.low, found.confidence_interval.high


def half_widths(found: Sums, seed: int = 0) -> Floats:
    """Return half the width of the interval of each agent's share of the win."""
    low, high = bootstrap(clustered(found.total[:, :1]), clustered(found.seats[:, :1]), seed)
    widths: Floats = (high - low)[0] / 2
    return widths


def rough_half_widths(found: Sums) -> Floats:
    """Return the same half widths, quickly, by the normal approximation."""
    n = len(found.game)
    mean = found.total[:, SHARE].sum(axis=0) / found.seats[:, SHARE].sum(axis=0)
    rest = found.total[:, SHARE] - mean * found.seats[:, SHARE]
    widths: Floats = Z95 * rest.std(axis=0) * np.sqrt(n) / found.seats[:, SHARE].sum(axis=0)
    return widths


def block_shares(found: Sums, agent: int) -> Floats:
    """Return the share of the win of an agent in each block."""
    shares: Floats = found.total[:, SHARE, agent] / found.seats[:, SHARE, agent]
    return shares


def variance_saved(found: Sums) -> list[float | None]:
    """Return for each agent by what share the blocks lowered the variance of its result, compared with as many games of separate seeds."""
    if len(found.game) < 2 or found.games == 1:
        return [None] * found.game.shape[1]
    n = found.games * len(found.game)
    alone = found.square.sum(axis=0) / n - (found.game.sum(axis=0) / n) ** 2
    paired = found.game.var(axis=0, ddof=1) / found.games
    return [float(1 - p / a) if a > 0 else None for p, a in zip(paired, alone, strict=True)]
