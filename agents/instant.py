"""Agents that decide at once: uniform, greedy, heuristic. Kernels made once for each game out of its own."""

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from alehouse.agents.heuristic import heuristic_of
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import bare, drivers
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, REDEALS, below, draw
from alehouse.envs.core.run.standings import RANK

UNIFORM, GREEDY, HEURISTIC = 0, 1, 2
SEATS = 8  # at any table, at most
TIES = 1  # the round of an agent's luck that settles ties


class Desk(NamedTuple):
    """Room to think in: tables to try actions at, points, steps of the simulator taken."""

    tables: Any
    points: Any
    steps: Any


@jit
def any_legal(s, key):
    """One of the legal actions, each as likely: the one that `uniform` takes for this key."""
    return bits.nth(s.can, below(key, AGENTS, 0, 0, 0, bits.count(s.can)))


@functools.cache
def quick(game: Game) -> SimpleNamespace:
    """The quick agents of a game, deciding one table and playing whole games."""
    step, scores, determinize = game.step, game.scores, game.determinize
    begin, finish = drivers(game).begin, drivers(game).finish
    state = game.STATE
    known = heuristic_of(game)

    if known is None:

        @jit
        def best(s, R, W, key):
            """There is no heuristic for this game: any legal action."""
            return any_legal(s, key)

    else:
        think, rate = known.think, known.rate

        @jit
        def best(s, R, W, key):
            """The action the heuristic rates highest; ties at random."""
            if bits.count(s.can) == 1:
                return bits.nth(s.can, 0)
            mind = think(s, R, W, key)
            found, most, level = -1, -np.inf, 0
            for w in range(s.can.size):
                word = s.can[w]
                while word != 0:
                    a = (w << 6) + bits.lowest(word)
                    word &= word - np.uint64(1)
                    worth = rate(s, R, W, mind, a)
                    if worth > most:
                        found, most, level = a, worth, 1
                    elif worth == most:
                        level += 1
                        if below(key, AGENTS, TIES, 0, level, level) == 0:
                            found = a
            return found

    @jit
    def grab(s, R, seat, key, desk):
        """The action after which one's own score is highest, at a table dealt anew; ties at random."""
        dealt, tried = desk.tables[0], desk.tables[1]
        desk.tables[0] = s
        determinize(dealt, R, seat, draw(key, REDEALS, 0, 0, 0))
        found, most, level = -1, 0, 0
        for k in range(bits.count(s.can)):
            a = bits.nth(s.can, k)
            desk.tables[1] = dealt
            step(tried, R, a)
            desk.steps[0] += 1
            desk.points[:] = 0
            scores(tried, R, desk.points)
            gain = desk.points[seat]
            if level == 0 or gain > most:
                found, most, level = a, gain, 1
            elif gain == most:
                level += 1
                if below(key, AGENTS, TIES, 0, level, level) == 0:
                    found = a
        return found

    @jit
    def prepare(how):
        """The desk of one thread."""
        return Desk(np.zeros(2, state), np.zeros(SEATS, np.int64), np.zeros(1, np.int64))

    @jit
    def decide(s, R, W, seat, key, how, desk):
        """The action of a quick agent; how[0] says which."""
        if bits.count(s.can) == 1:
            return bits.nth(s.can, 0)
        if how[0] == UNIFORM:
            return any_legal(s, key)
        if how[0] == GREEDY:
            return grab(s, R, seat, key, desk)
        return best(s, R, W, key)

    @jit
    def games(table, rules, weights, hows, seating, seeds, points, utility, asked, low, high):
        """Whole games at one table; weights[k] and hows[k] are agent k's, seating says which agent sits where."""
        table, weights, hows, points, utility = bare(table), bare(weights), bare(hows), bare(points), bare(utility)
        seating, asked = bare(seating), bare(asked)
        desk = prepare(hows[0])
        places = np.zeros(points.shape[1], np.int64)
        s, R = table[0], rules[0]
        for i in range(low, high):
            begin(s, R, seeds[i])
            while s.turn >= 0:
                p = int(s.turn)
                k = seating[i, p]
                asked[i, p] += 1
                step(s, R, decide(s, R, weights[k], p, chance(s.seed, s.asked, p), hows[k], desk))
            finish(s, R, RANK, places, points[i], utility[i])

    @functools.partial(jit, parallel=True)
    def games_all(tables, rules, weights, hows, seating, seeds, points, utility, asked, threads):
        size = (seeds.size + threads - 1) // threads
        apart = tables.size // threads
        for c in prange(threads):
            games(tables[c * apart :], rules, weights, hows, seating, seeds, points, utility, asked,
                  c * size, min(seeds.size, (c + 1) * size))  # fmt: skip

    return SimpleNamespace(best=best, prepare=prepare, decide=decide, games=games, games_all=games_all)
