"""Whole games by instant agents inside numba: the same games as agents play decision by decision, but many times as fast."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from alehouse.agents import ladder
from alehouse.agents.agent import Agent
from alehouse.agents.instant import WholeGames, instant_kernels
from alehouse.agents.kernel_agent import Kernel, announced
from alehouse.agents.uniform import UNIFORM
from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.run.batch_kernels import tables_apart
from alehouse.envs.core.run.inputs import as_seeds, check_whole


class Played(NamedTuple):
    """Results of whole games: scores and rank utilities for each game and seat, and the number of decisions."""

    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]
    decisions: npt.NDArray[np.int32]


def as_instant(agent: Agent, game: Game) -> Kernel | None:
    """Return the agent's form as an instant agent of a game, or None if it has none."""
    if agent is UNIFORM:
        return ladder.uniform(game)
    return agent if isinstance(agent, Kernel) and agent.game is game and agent.decide is instant_kernels(game).decide else None


def play_line(v: Variant | str, agents: Sequence[Agent], seating: Any, seeds: Any, threads: int = 1) -> Played:
    """Play the games of some seeds and return their results; `seating[i, p]` is the number of the agent that has seat p in game i."""
    v = as_variant(v)
    check_whole("threads", threads, 1, numba.config.NUMBA_NUM_THREADS)
    found = [as_instant(agent, v.spec) for agent in agents]
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
    job = WholeGames(
        tables=np.zeros(threads * tables_apart(v.spec), v.spec.STATE),
        rules=v.rules_record(),
        weights=np.concatenate([one.weights for one in line]),
        options=np.stack([one.options for one in line]),
        agents=seats.astype(np.int8),
        seeds=seeds,
        scores=np.zeros(shape, np.int32),
        utility=np.zeros(shape, np.float32),
        decisions=np.zeros(shape, np.int32),
    )
    play = instant_kernels(v.spec).play
    with announced(v.spec, "whole games"):
        play(job, 0)
    play(job, seeds.size, threads)
    return Played(job.scores, job.utility, job.decisions)
