"""Plays games on from given tables, each after an answer that the caller chooses, on luck that the caller chooses too.

Games with the same table and the same key share their luck. So two such games differ by nothing but the answers at the start.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.instant import SEATS
from alehouse.agents.kernel_agent import Kernel, announced
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.batch_kernels import batch_kernels, tables_apart
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import WIN
from alehouse.envs.core.run.threads import Chunked, chunked

AS_IT_IS = -1  # in place of a seat: hidden facts and luck stay as they are
NO_ANSWER = -1  # in place of an answer: the agent gives the first answer too


class Forks(NamedTuple):
    """A job of games to play on, with a row for each."""

    tables: Any  # the tables to play at, with room for each thread
    weights: Any  # of the agent that has every seat
    options: Any
    states: Any  # the tables from which games go on
    rules: Any
    rule: Any  # for each of these tables, its index in the rules
    # for each game: the index of its table, the answer to give first or NO_ANSWER, and the seat for which it is redealt or AS_IT_IS
    rows: Any
    keys: Any  # for each game, 64 random bits that decide the redeal and the choices of agents
    shares: Any  # for each game and seat, the share of the win in the end


@functools.cache
def fork_kernel(game: Game, decide: Callable[..., Any], prepare: Callable[..., Any]) -> Chunked:
    """Make the kernel that plays games on by one agent's kernels."""
    step, determinize, finish, apart = game.step, game.determinize, batch_kernels(game).finish, tables_apart(game)

    @chunked
    @jit
    def play(job, chunk, low, high):
        """Play a range of games on, one after another at one table."""
        j = Forks(*bare(job))
        work, places, points = prepare(j.options), np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
        s = j.tables[chunk * apart]
        for i in range(low, high):
            key, t = j.keys[i], j.rows[i, 0]
            R = j.rules[j.rule[t]]
            j.tables[chunk * apart] = j.states[t]
            if j.rows[i, 2] != AS_IT_IS:
                determinize(s, R, j.rows[i, 2], key)
            if j.rows[i, 1] != NO_ANSWER:
                step(s, R, j.rows[i, 1])
            while s.turn >= 0:
                p = int(s.turn)
                step(s, R, decide(s, R, j.weights[0], p, chance(key, s.asked, p), j.options, bare(work)))
            finish(s, R, WIN, places, points, j.shares[i])
            j.shares[i, 0] = max(0.0, j.shares[i, 0])  # a seat that loses alone has less

    found: Chunked = play
    return found


def play_forks(agent: Kernel, states: Any, rules: Any, rule: Any, rows: Any, keys: Any, threads: int = 1) -> npt.NDArray[np.float64]:
    """Play games on with the agent in every seat, and return each seat's share of the win in each game.

    rule: for each of the tables `states`, its index in `rules`.
    rows: for each game, the index of its table, the first answer or NO_ANSWER, and the seat for which the table is redealt or AS_IT_IS.
    keys: for each game, 64 random bits that decide the redeal and the choices of agents.
    """
    order, keys = np.asarray(rows, np.int64).reshape(-1, 3), np.asarray(keys, np.uint64)
    shares = np.zeros((len(order), int(rules["seats"].max())))
    tables = np.zeros(threads * tables_apart(agent.game), agent.game.STATE)
    job = Forks(tables, agent.weights, agent.options, states, rules, np.asarray(rule, np.int64), order, keys, shares)
    play = fork_kernel(agent.game, agent.decide, agent.prepare)
    with announced(agent.game, f"games played on by {agent.name.partition(':')[0]}"):
        play(job, 0)
    play(job, len(order), threads)
    return shares
