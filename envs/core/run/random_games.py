"""Play whole games by random agents inside one kernel."""

from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.run.batch_kernels import new_games
from alehouse.envs.core.run.compiling import kernels
from alehouse.envs.core.run.inputs import MOST, check_whole


class Results(NamedTuple):
    """Results of whole games: scores and utilities for each game and seat, the number of decisions for each game."""

    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]
    decisions: npt.NDArray[np.int64]


def play(
    v: Variant | str, games: int, seed: int = 0, first: int = 0, threads: int = 1, reward: str = "rank", lively: bool = False
) -> Results:
    """Play games first, first + 1, ... of a seed by uniform agents, or by the game's lively ones, and return their results."""
    v = as_variant(v)
    check_whole("games", games, 0, MOST)
    check_whole("seed", seed, 0, 2**64 - 1)
    check_whole("threads", threads, 1, numba.config.NUMBA_NUM_THREADS)
    job = new_games(v, games, seed, first, reward, lively, threads)
    kernels(v.spec, threads).play(job, games, threads)
    return Results(job.scores, job.utility, job.decisions)
