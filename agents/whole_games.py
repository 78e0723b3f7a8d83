"""Whole games by quick agents inside numba: the same games as agents play decision by decision, but many times as fast.

Quick agents are instant agents and networks. Where a network plays, instant agents take the form of one that is empty but for the weights
of its heuristic, so that one kernel holds all of them.
"""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from alehouse.agents import ladder
from alehouse.agents.agent import Agent
from alehouse.agents.instant import HEURISTIC, instant_kernels
from alehouse.agents.kernel_agent import Kernel, announced
from alehouse.agents.network import net_kernels
from alehouse.agents.uniform import UNIFORM
from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.run.batch_kernels import batch_kernels, tables_apart
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.inputs import as_seeds, check_whole
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import RANK
from alehouse.envs.core.run.threads import Chunked, chunked


class WholeGames(NamedTuple):
    """A job of whole games of one variant by instant agents, with a row of results for each game."""

    tables: Any  # the tables to play at, with room for each thread
    rules: Any
    weights: Any  # one row of weights for each agent
    options: Any  # one row of options for each agent
    agents: Any  # for each game and seat, the number of the agent that plays there
    seeds: Any
    scores: Any
    utility: Any
    decisions: Any  # for each game and seat, how many decisions it took


class Played(NamedTuple):
    """Results of whole games: scores and rank utilities for each game and seat, and the number of decisions."""

    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]
    decisions: npt.NDArray[np.int32]


class Line(NamedTuple):
    """Quick agents that play whole games together: the width of their networks, 0 without any, and each agent's weights and options."""

    width: int
    weights: npt.NDArray[Any]
    options: npt.NDArray[np.int64]


class Work(NamedTuple):
    """The arrays with which one thread decides for instant agents and for networks."""

    instant: Any
    network: Any


def as_instant(agent: Agent, game: Game) -> Kernel | None:
    """Return the agent's form as an instant agent of a game, or None if it has none."""
    if agent is UNIFORM:
        return ladder.uniform(game)
    return agent if isinstance(agent, Kernel) and agent.game is game and agent.decide is instant_kernels(game).decide else None


def width_of(agent: Agent, game: Game) -> int:
    """Return the width of the network by which an agent plays a game, or 0 if it plays by none."""
    if not isinstance(agent, Kernel) or agent.game is not game or "first_bias" not in (agent.weights.dtype.names or ()):
        return 0
    width = int(agent.weights["first_bias"].shape[1])
    return width if agent.decide is net_kernels(game, width).decide else 0


def line_of(agents: Sequence[Agent], game: Game) -> Line | None:
    """Return the agents in the form that plays whole games, or None unless all are quick and their networks have one width."""
    widths = [width_of(agent, game) for agent in agents]
    found = [agent if width else as_instant(agent, game) for agent, width in zip(agents, widths, strict=True)]
    line = [one for one in found if isinstance(one, Kernel)]
    if len(line) < len(agents) or len({*widths} - {0}) > 1:
        return None
    forms = [one.weights.dtype for one, width in zip(line, widths, strict=True) if width]
    weights = [as_network(one.weights, forms[0]) if forms and not width else one.weights for one, width in zip(line, widths, strict=True)]
    return Line(max(widths, default=0), np.concatenate(weights), np.stack([one.options for one in line]))


def as_network(weights: npt.NDArray[Any], form: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return a heuristic's weights as a network that is empty but for them."""
    found = np.zeros(len(weights), form)
    found["heuristic"] = weights
    return found


@functools.cache
def whole_games(game: Game, width: int) -> Chunked:
    """Make the kernel that plays whole games by instant agents and, unless `width` is 0, by networks of that width."""
    step, apart = game.step, tables_apart(game)
    begin, finish = batch_kernels(game).begin, batch_kernels(game).finish
    prepare, decide = quick_kernels(game, width)

    @chunked
    @jit
    def play(job, chunk, low, high):
        """Play a range of games one after another, at one table."""
        j = WholeGames(*bare(job))
        work = prepare(j.options[0])
        places = np.zeros(j.scores.shape[1], np.int64)
        s, R = j.tables[chunk * apart], j.rules[0]
        for i in range(low, high):
            begin(s, R, j.seeds[i])
            while s.turn >= 0:
                p = int(s.turn)
                k = j.agents[i, p]
                j.decisions[i, p] += 1
                a = decide(s, R, j.weights[k], p, chance(s.seed, s.asked, p), j.options[k], bare(work))
                step(s, R, a)
            finish(s, R, RANK, places, j.scores[i], j.utility[i])

    found: Chunked = play
    return found


def quick_kernels(game: Game, width: int) -> tuple[Any, Any]:
    """Make the kernels that prepare and decide for instant agents and, unless `width` is 0, for networks of that width."""
    instant = instant_kernels(game)
    if not width:
        return instant.prepare, instant.decide
    network = net_kernels(game, width)
    prepare_instant, decide_instant, prepare_network, decide_network = instant.prepare, instant.decide, network.prepare, network.decide

    @jit
    def prepare(options):
        """Return the arrays that one thread works with."""
        return Work(prepare_instant(options), prepare_network(options))

    @jit
    def decide(s, R, W, seat, key, options, work):
        """Return the action of a quick agent; options[0] says which kind of agent it is."""
        if options[0] <= HEURISTIC:
            return decide_instant(s, R, W.heuristic, seat, key, options, work.instant)
        return decide_network(s, R, W, seat, key, options, work.network)

    return prepare, decide


def play_line(v: Variant | str, agents: Sequence[Agent], seating: Any, seeds: Any, threads: int = 1) -> Played:
    """Play the games of some seeds and return their results; `seating[i, p]` is the number of the agent that has seat p in game i."""
    v = as_variant(v)
    check_whole("threads", threads, 1, numba.config.NUMBA_NUM_THREADS)
    line = line_of(agents, v.spec)
    if line is None:
        slow = [agent.name for agent in agents if not (as_instant(agent, v.spec) or width_of(agent, v.spec))]
        named = f"agent {slow[0]!r}" if slow else "networks of different widths"
        raise ValueError(f"{named}: whole games of {v.game} are for its uniform, greedy and heuristic agents and its networks of one width")
    seeds, seats = as_seeds(seeds), np.asarray(seating)
    if (
        seats.shape != (seeds.size, v.seats)
        or seats.dtype.kind not in "iu"
        or (seats.size and not 0 <= seats.min() <= seats.max() < len(agents))
    ):
        raise ValueError(f"seating: {seeds.size} rows of {v.seats} numbers from 0 to {len(agents) - 1}, one for each agent")
    shape = seats.shape
    job = WholeGames(
        tables=np.zeros(threads * tables_apart(v.spec), v.spec.STATE),
        rules=v.rules_record(),
        weights=line.weights,
        options=line.options,
        agents=seats.astype(np.int8),
        seeds=seeds,
        scores=np.zeros(shape, np.int32),
        utility=np.zeros(shape, np.float32),
        decisions=np.zeros(shape, np.int32),
    )
    run = whole_games(v.spec, line.width)
    with announced(v.spec, "whole games with networks" if line.width else "whole games"):
        run(job, 0)
    run(job, seeds.size, threads)
    return Played(job.scores, job.utility, job.decisions)
