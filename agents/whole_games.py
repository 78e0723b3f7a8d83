"""Whole games inside numba, by agents that decide at once: the same games as in lock-step, many times as fast."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from alehouse.agents import ladder
from alehouse.agents.agent import Agent
from alehouse.agents.instant import quick
from alehouse.agents.kernel_agent import Kernel, announced
from alehouse.agents.uniform import UNIFORM
from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.run.batch_kernels import tables_apart
from alehouse.envs.core.run.tables import as_seeds, check_whole


class Played(NamedTuple):
    """Whole games: points, rank utilities and decisions, by game and seat."""

    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]
    decisions: npt.NDArray[np.int32]


def as_quick(agent: Agent, game: Game) -> Kernel | None:
    """An agent as one that decides at once, or None if it is not one."""
    if agent is UNIFORM:
        return ladder.uniform(game)
    return agent if isinstance(agent, Kernel) and agent.game is game and agent.decide is quick(game).decide else None


def play_line(v: Variant | str, agents: Sequence[Agent], seating: Any, seeds: Any, threads: int = 1) -> Played:
    """The games of some seeds; `seating[i, p]` says which of the agents has seat p in game i."""
    v = as_variant(v)
    check_whole("threads", threads, 1, numba.config.NUMBA_NUM_THREADS)
    found = [as_quick(agent, v.spec) for agent in agents]
    for agent, one in zip(agents, found, strict=True):
        if one is None:
            raise ValueError(f"agent {agent.name!r}: whole games of {v.game} are for its uniform, greedy and heuristic agents")
    line = [one for one in found if one is not None]
    seeds, seats = as_seeds(seeds), np.asarray(seating)
    if (
        seats.shape != (seeds.size, v.seats)
        or seats.dtype.kind not in "iu"
        or (seats.size and not 0 <= seats.min() <= seats.max() < len(line))
    ):
        raise ValueError(f"seating: {seeds.size} rows of {v.seats} numbers from 0 to {len(line) - 1}, one for each agent")
    shape = seats.shape
    out = Played(np.zeros(shape, np.int32), np.zeros(shape, np.float32), np.zeros(shape, np.int32))
    tables, rules, k = tables_apart(v.spec, threads), v.rules_record(), quick(v.spec)
    weights, hows = np.concatenate([one.weights for one in line]), np.stack([one.how for one in line])
    args = (tables, rules, weights, hows, seats.astype(np.int8), seeds, *out)
    with announced(v.spec, "whole games"):
        k.games(*args, 0, 0)
    if threads > 1:
        numba.set_num_threads(threads)
        k.games_all(*args, threads)
    else:
        k.games(*args, 0, seeds.size)
    return out
