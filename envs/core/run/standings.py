"""What the end of a game is worth to each seat: its share of the win, and its utility. Both are computed here and nowhere else."""

from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.run.jit import jit

RANK, WIN, SCORE = 0, 1, 2
REWARDS = {"rank": RANK, "win": WIN, "score": SCORE}


@jit
def shares_of_win(standing, seats, out):
    """Write each seat's share of the win: the seats that stand highest share it equally, absent seats get 0.

    A seat that plays alone wins if its standing is above 0.
    """
    best, level = standing[0], 1
    for p in range(1, seats):
        if standing[p] > best:
            best, level = standing[p], 1
        elif standing[p] == best:
            level += 1
    for p in range(out.size):
        out[p] = 1.0 / level if p < seats and standing[p] == best and (seats > 1 or best > 0) else 0.0


@jit
def rank_utilities(standing, seats, out):
    """Write 1 for the seat that stands highest, -1 for the lowest, with equal steps between; tied seats get the mean of their ranks."""
    for p in range(seats):
        above, level = 0, 0
        for q in range(seats):
            above += int(standing[q] > standing[p])
            level += int(standing[q] == standing[p])
        out[p] = 1.0 - 2.0 * (above + (level - 1) / 2.0) / (seats - 1)


@jit
def utilities(points, standing, seats, reward, out):
    """Write the utility of a finished game for each seat, by one of REWARDS; absent seats get 0. A lone seat gets its standing."""
    for p in range(out.size):
        out[p] = 0.0
    if reward == SCORE:
        for p in range(seats):
            out[p] = points[p]
    elif seats == 1:
        out[0] = standing[0]
    elif reward == WIN:
        shares_of_win(standing, seats, out)
    else:
        rank_utilities(standing, seats, out)


def outcomes(points: npt.NDArray[Any], standings: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[np.int64]]:
    """Return the points, the ranks and the winners of many games, one row for each, from each seat's standing.

    Rank 1 is the best, tied seats share the better rank, and absent seats have rank 0. The winner is -1 if the win is shared or if nobody
    wins.
    """
    ranks, winners = np.zeros(standings.shape, np.int64), np.full(seats.size, -1)
    each_place(standings, seats, np.zeros(standings.shape[1]), ranks, winners)
    return {"points": points.astype(np.int64), "ranks": ranks, "winner": winners}


@jit
def each_place(standings, seats, shares, ranks, winners):
    """Write the ranks of the seats that are present, and the winner if there is one, for many games; `shares` is overwritten."""
    for i in range(seats.size):
        shares_of_win(standings[i], seats[i], shares)
        for p in range(seats[i]):
            ranks[i, p] = 1
            for q in range(seats[i]):
                ranks[i, p] += int(standings[i, q] > standings[i, p])
            if shares[p] == 1:
                winners[i] = p


@jit
def each_share(standings, seats, out):
    """Write the shares of the win for many games, one row for each game."""
    for i in range(seats.size):
        shares_of_win(standings[i], seats[i], out[i])


def win_shares(standings: npt.NDArray[Any], seats: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.float64]:
    """Return each seat's share of the win in many games.

    `standings` has seats along its last axis; any numbers that rank the seats will do, such as utilities by rank. `seats` says how many of
    them are present in each game, by default all.
    """
    rows = np.ascontiguousarray(standings, np.float64).reshape(-1, standings.shape[-1])
    present = np.full(len(rows), rows.shape[1]) if seats is None else seats.astype(np.int64)
    out = np.zeros(rows.shape)
    each_share(rows, present, out)
    return out.reshape(standings.shape)
