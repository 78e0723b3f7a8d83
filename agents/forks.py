"""Plays games on from given tables, each after an answer that the caller chooses, on luck that the caller chooses too.

Games with the same table and the same key share their luck. So two such games differ by nothing but the answers at the start.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.instant import SEATS, instant_kernels
from alehouse.agents.kernel_agent import Kernel, announced
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.batch_kernels import bare, batch_kernels, tables_apart
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, draw
from alehouse.envs.core.run.standings import WIN
from alehouse.envs.core.run.threads import chunked

AS_IT_IS = -1  # in place of a seat: hidden facts and luck stay as they are
NO_ANSWER = -1  # in place of an answer: the agent gives the first answer too
FORK = 4  # the index of the agents' luck in forks


class Forks(NamedTuple):
    """A job of games to play on, with a row for each; all are of one variant."""

    tables: Any  # the tables to play at, with room for each thread
    rules: Any
    weights: Any  # of the agent that has every seat
    options: Any
    states: Any  # the tables from which games go on
    # for each game: the index of its table, the answer to give first or NO_ANSWER, and the seat for which it is redealt or AS_IT_IS
    rows: Any
    keys: Any  # for each game, 64 random bits that decide the redeal and the choices of agents
    shares: Any  # for each game and seat, the share of the win in the end


@functools.cache
def fork_kernel(game: Game) -> Any:
    """Make the kernel that plays games of a kind on."""
    step, determinize, apart = game.step, game.determinize, tables_apart(game)
    prepare, decide, finish = instant_kernels(game).prepare, instant_kernels(game).decide, batch_kernels(game).finish

    @chunked
    @jit
    def play(job, chunk, low, high):
        """Play a range of games on, one after another at one table."""
        j = Forks(*bare(job))
        work, places, points = prepare(j.options), np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
        s, R = j.tables[chunk * apart], j.rules[0]
        for i in range(low, high):
            key = j.keys[i]
            j.tables[chunk * apart] = j.states[j.rows[i, 0]]
            if j.rows[i, 2] != AS_IT_IS:
                determinize(s, R, j.rows[i, 2], key)
            if j.rows[i, 1] != NO_ANSWER:
                step(s, R, j.rows[i, 1])
            while s.turn >= 0:
                p = int(s.turn)
                step(s, R, decide(s, R, j.weights[0], p, draw(key, AGENTS, s.asked, p, FORK), j.options, work))
            finish(s, R, WIN, places, points, j.shares[i])
            j.shares[i, 0] = max(0.0, j.shares[i, 0])  # a seat that loses alone has less

    return play


def play_forks(v: Variant, agent: Kernel, states: Any, rows: Any, keys: Any, threads: int = 1) -> npt.NDArray[np.float64]:
    """Play games of a variant on, an instant agent in every seat, and return each seat's share of the win in each game.

    rows: for each game, the index of its table in `states`, the first answer or NO_ANSWER, and the seat for which the table is redealt
    or AS_IT_IS.
    keys: for each game, 64 random bits that decide the redeal and the choices of agents.
    """
    order, keys = np.asarray(rows, np.int64).reshape(-1, 3), np.asarray(keys, np.uint64)
    shares = np.zeros((len(order), v.seats))
    tables = np.zeros(threads * tables_apart(v.spec), v.spec.STATE)
    job = Forks(tables, v.rules_record(), agent.weights, agent.options, states, order, keys, shares)
    play = fork_kernel(v.spec)
    with announced(v.spec, "forks"):
        play(job, 0)
    play(job, len(order), threads)
    return shares
