"""Instant agents: uniform, greedy and heuristic, which decide without looking ahead. Their kernels are made for each game."""

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.heuristic import heuristic_of
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, REDEALS, below, draw
from alehouse.envs.core.run.scratch import bare

UNIFORM, GREEDY, HEURISTIC, BEST, SAMPLE = range(5)  # kinds of quick agents: three without a network, two with one
SEATS = 8  # no table has more seats
TIES = 1  # the round of an agent's luck that breaks ties


class Workspace(NamedTuple):
    """Arrays that one thread works with: tables to try actions at, points, and a count of the simulator's steps."""

    tables: Any
    points: Any
    steps: Any


@jit
def any_legal(s, key):
    """Return one of the legal actions, all equally likely; the agent `uniform` takes the same one for this key."""
    return bits.nth(s.can, below(key, AGENTS, 0, 0, 0, bits.count(s.can)))


@functools.cache
def instant_kernels(game: Game) -> SimpleNamespace:
    """Make the kernels of a game's instant agents: they decide at one table, or play whole games."""
    step, scores, determinize = game.step, game.scores, game.determinize
    state, known = game.STATE, heuristic_of(game)

    if known is None:

        @jit
        def best(s, R, W, key):
            """Return a random legal action, because this game has no heuristic."""
            return any_legal(s, key)

    else:
        think, rate = known.think, known.rate

        @jit
        def best(s, R, W, key):
            """Return the action that the heuristic rates highest; random bits break ties."""
            if bits.count(s.can) == 1:
                return bits.nth(s.can, 0)
            mind = think(s, R, W, key)
            found, most, level = -1, -np.inf, 0
            for w in range(s.can.size):
                word = s.can[w]
                while word != 0:
                    a = (w << 6) + bits.lowest(word)
                    word &= word - np.uint64(1)
                    worth = rate(s, R, W, bare(mind), a)  # in the loop, so that numba keeps its memory until the loop ends
                    if worth > most:
                        found, most, level = a, worth, 1
                    elif worth == most:
                        level += 1
                        if below(key, AGENTS, TIES, 0, level, level) == 0:
                            found = a
            return found

    @jit
    def greediest(s, R, seat, key, work):
        """Return the action after which the seat's own score is highest, tried at a redealt table; random bits break ties."""
        dealt, tried = work.tables[0], work.tables[1]
        work.tables[0] = s
        determinize(dealt, R, seat, draw(key, REDEALS, 0, 0, 0))
        found, most, level = -1, 0, 0
        for k in range(bits.count(s.can)):
            a = bits.nth(s.can, k)
            work.tables[1] = dealt
            step(tried, R, a)
            work.steps[0] += 1
            work.points[:] = 0
            scores(tried, R, work.points)
            gain = work.points[seat]
            if level == 0 or gain > most:
                found, most, level = a, gain, 1
            elif gain == most:
                level += 1
                if below(key, AGENTS, TIES, 0, level, level) == 0:
                    found = a
        return found

    @jit
    def prepare(options):
        """Return the arrays that one thread works with."""
        return Workspace(np.zeros(2, state), np.zeros(SEATS, np.int64), np.zeros(1, np.int64))

    @jit
    def decide(s, R, W, seat, key, options, work):
        """Return the action of an instant agent; options[0] says which agent it is."""
        if bits.count(s.can) == 1:
            return bits.nth(s.can, 0)
        if options[0] == UNIFORM:
            return any_legal(s, key)
        if options[0] == GREEDY:
            return greediest(s, R, seat, key, work)
        return best(s, R, W, key)

    return SimpleNamespace(best=best, prepare=prepare, decide=decide)
