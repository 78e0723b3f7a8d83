"""A check of the whole lab: seats counted by their numbers must have even shares in every variant.

A game draws its first player, and nothing else tells its seats apart. So a seat's number must say nothing about its share of the win,
whatever a place in the order of play is worth. Where it does, the game, the agents or the lab favours a number. The same games also show
whether the first player is the first to be asked, as the places of all reports count from there.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from alehouse.benchmarks.balance.effects import LEVEL, errors
from alehouse.benchmarks.balance.kernels import watched_games as watch
from alehouse.benchmarks.balance.play import Played
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.standings import win_shares

ROUNDING = 1e-9  # of means in floating point
OPENING = 0.9  # part of the games in which the first player is asked first, at least; others may be asked where it has no choice


class NumberedSeats(NamedTuple):
    """The seats of one variant by their numbers, each with its share of the win and the part of the games in which it was first."""

    variant: str
    shares: list[float]
    half: float  # the widest of their intervals, which hold together over all seats of all variants
    firsts: list[float]
    opening: float  # part of the games in which the first player was the first to be asked
    faults: list[str]  # what should not be, and why it is so


def numbered_seats(played: Played, cells: Sequence[Variant], by_uniform: Callable[[Variant], Played]) -> list[NumberedSeats]:
    """Return the seats of each variant by their numbers. `by_uniform` plays a variant with uneven seats again by uniform agents."""
    rows = sum(v.seats for v in cells)
    return [numbered(played, c, v, rows, by_uniform) for c, v in enumerate(cells)]


def numbered(played: Played, c: int, v: Variant, rows: int, by_uniform: Callable[[Variant], Played]) -> NumberedSeats:
    """Return the seats of one variant; intervals of this number of rows hold together."""
    first = played.seen[:, c, watch.FIRST]
    shares, half = measured_seats(win_shares(played.utility[:, c, : v.seats]), rows)
    firsts, drawn = measured_seats(np.eye(v.seats)[first], rows)
    opening = float(np.mean(played.seen[:, c, watch.OPENER] == first))
    faults = []
    if opening < OPENING:
        faults.append(f"the first player is the first to be asked in {opening:.1%} of the games only")
    if (abs(shares - 1 / v.seats) > half).any():
        worst = int(np.argmax(abs(shares - 1 / v.seats)))
        faults.append(f"seat {worst} wins {shares[worst]:.1%}, {reason(firsts, drawn, v, rows, by_uniform)}")
    return NumberedSeats(str(v), shares.tolist(), float(half.max()), firsts.tolist(), opening, faults)


def reason(
    firsts: npt.NDArray[np.float64], drawn: npt.NDArray[np.float64], v: Variant, rows: int, by_uniform: Callable[[Variant], Played]
) -> str:
    """Return why seats of a variant are uneven."""
    if (abs(firsts - 1 / v.seats) > drawn).any():
        most = int(np.argmax(firsts))
        return f"as not every seat is first equally often: seat {most} in {firsts[most]:.1%} of the games"
    shares, half = measured_seats(win_shares(by_uniform(v).utility[:, 0, : v.seats]), rows)
    if (abs(shares - 1 / v.seats) > half).any():
        return "by uniform agents too: the rules favour the number of a seat"
    return "but by uniform agents the seats are even: the agents favour the number of a seat"


def measured_seats(sample: npt.NDArray[np.float64], rows: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the mean of each seat over the games, and half of the interval of each."""
    mean, error = errors(sample)
    return mean, stats.t.isf(LEVEL / 2 / rows, len(sample) - 1) * error + ROUNDING
