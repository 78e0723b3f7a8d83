"""Play games to learn from, and keep some of their positions: the ends of rounds, and a few others.

Each seat lapses in some of its decisions: it takes a random answer. So positions come up that nobody plays for. Games of heuristics are
played inside numba; those of other agents decision by decision, by the same luck.
"""

import functools
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents import Agent
from alehouse.agents.heuristic import weights_of
from alehouse.agents.instant import instant_kernels
from alehouse.agents.search import search
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import batch_kernels
from alehouse.envs.core.run.context import ask, chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, REDEALS, below, draw, game_seeds
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import RANK
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.run.threads import chunked

KEPT = 12  # at most this many positions of a game are kept
SOME = 20  # besides the ends of rounds, one in this many positions
LAPSE_RATES = (0, 1, 3, 8)  # a seat lapses in one of these percentages of its decisions
LAPSES, KEEPS = 6, 7  # rounds of an agent's luck: where seats lapse, and which positions are kept
THINKS = -1  # stands for the random answer of a seat that does not lapse


class Watched(NamedTuple):
    """A job of games to watch, and what is seen in them."""

    rules: Any
    rule: Any  # for each game, its row in `rules`
    weights: Any
    seeds: Any
    held: Any  # whether the games are for measuring: positions are redealt, and the heuristic estimates them too
    obs: Any  # for each game, position kept and seat, what the seat knows
    when: Any  # for each game and position kept, how many rounds had ended; -1 where none is kept
    found: Any  # for each game, how many positions were there to keep so far
    reached: Any  # for each game, the clock at its last position
    estimate: Any
    points: Any
    utility: Any


@functools.cache
def watching(game: Game) -> SimpleNamespace:
    """Make the kernels that play games and keep positions."""
    best, step, state, observe, determinize = instant_kernels(game).best, game.step, game.STATE, game.observe, game.determinize
    begin, finish = batch_kernels(game).begin, batch_kernels(game).finish
    clock, expect = search(game).clock, search(game).expect
    rates = np.array(LAPSE_RATES)

    @jit
    def lapse(t):
        """Return a random answer if the seat to move lapses, or else THINKS."""
        p, n = int(t.turn), bits.count(t.can)
        rate = rates[below(t.seed, AGENTS, LAPSES, p, 0, rates.size)]
        if n > 1 and below(t.seed, AGENTS, LAPSES, p, 2 * t.asked + 1, 100) < rate:
            return bits.nth(t.can, below(t.seed, AGENTS, LAPSES, p, 2 * t.asked + 2, n))
        return THINKS

    @jit
    def keep(t, R, j, i, k, spare):
        """Keep a position as the k-th of game i."""
        kept = t
        if j.held:
            spare[0] = t
            kept = spare[0]
            determinize(kept, R, t.turn, draw(t.seed, REDEALS, 0, 0, t.asked))
            expect(kept, R, j.weights[0], j.estimate[i, k])
        j.when[i, k] = clock(t)
        for p in range(R.seats):
            observe(kept, R, p, j.obs[i, k, p])

    @jit
    def look(t, R, j, i, spare):
        """Keep the position of a game, if it is one to keep; call this at every position."""
        now = clock(t)
        if t.asked == 0:
            j.when[i], j.found[i], j.obs[i] = -1, 0, 0
        elif now > j.reached[i] or below(t.seed, AGENTS, KEEPS, 0, t.asked, SOME) == 0:
            k = j.found[i] if j.found[i] < KEPT else below(t.seed, AGENTS, KEEPS, 1, t.asked, j.found[i] + 1)
            j.found[i] += 1
            if k < KEPT:
                keep(t, R, j, i, k, spare)
        j.reached[i] = now

    @chunked
    @jit
    def watch(job, chunk, low, high):
        j = Watched(*bare(job))
        places, tables = np.zeros(j.utility.shape[1], np.int64), np.zeros(2, state)
        for i in range(low, high):
            t, R = tables[0], j.rules[j.rule[i]]  # inside the loop, so that numba keeps the tables' memory alive until the loop ends
            begin(t, R, j.seeds[i])
            while t.turn >= 0:
                look(t, R, j, i, tables[1:])
                a = lapse(t)
                step(t, R, a if a != THINKS else best(t, R, j.weights[0], chance(t.seed, t.asked, t.turn)))
            finish(t, R, RANK, places, j.points[i], j.utility[i])

    @chunked
    @jit
    def attend(job, chunk, low, high):
        """Look at tables where others play, and write the answers of the seats that lapse."""
        watched, states, answers = job
        j, at, lapses = Watched(*bare(watched)), bare(states), bare(answers)
        spare = np.zeros(1, state)
        for i in range(low, high):
            if at[i].turn >= 0:
                look(at[i], j.rules[j.rule[i]], j, i, spare)
                lapses[i] = lapse(at[i])

    return SimpleNamespace(watch=watch, attend=attend)


class Room:
    """Room for the games of a part, which is used again for each."""

    def __init__(self, variants: Sequence[Variant], games: int) -> None:
        game, seats = variants[0].spec, max(v.seats for v in variants)
        self.variants, self.game = variants, game
        self.rules, self.weights = np.concatenate([v.rules_record() for v in variants]), weights_of(game).record()
        self.obs, self.when = np.zeros((games, KEPT, seats, game.FEATURES.size), np.uint8), np.zeros((games, KEPT), np.int64)
        self.found, self.reached = np.zeros((2, games), np.int64)
        self.estimate = np.zeros((games, KEPT, seats))
        self.points, self.utility = np.zeros((games, seats), np.int64), np.zeros((games, seats), np.float32)

    def job(self, series: int, first: int, games: int, held: bool = False) -> Watched:
        """Return the job of some games of a series, each of a variant drawn."""
        rule = np.random.default_rng([series, first]).integers(0, self.rules.size, games)
        seeds = game_seeds(np.uint64(series), np.arange(first, first + games))
        return Watched(self.rules, rule, self.weights, seeds, held, *(
            array[:games] for array in (self.obs, self.when, self.found, self.reached, self.estimate, self.points, self.utility)
        ))  # fmt: skip

    def watch(self, series: int, first: int, games: int, threads: int, held: bool = False) -> Watched:
        """Play some games of a series by heuristics and return what was seen; the next call overwrites it."""
        job = self.job(series, first, games, held)
        watching(self.game).watch(job, games, threads)
        return job

    def watch_agents(self, series: int, first: int, games: int, threads: int, agents: Sequence[Agent]) -> Watched:
        """Play some games of a series by agents, one drawn for each seat, and return what was seen; the next call overwrites it."""
        job = self.job(series, first, games)
        tables = Tables([self.variants[k] for k in job.rule], autoreset=False, threads=threads)
        tables.reset(seeds=job.seeds)
        who = np.random.default_rng([series, first, 1]).integers(0, len(agents), job.points.shape)
        actions, live = np.zeros(games, np.int64), np.arange(games)
        while live.size:
            watching(self.game).attend((tuple(job), tables.states, actions), games, threads)
            mover = np.where(actions[live] == THINKS, who[live, tables.seat[live]], THINKS)
            for k, agent in enumerate(agents):
                asked = live[mover == k]
                if asked.size:
                    actions[asked] = ask(agent, tables, asked)
            tables.step(actions[live], live)
            live = np.flatnonzero(~tables.over)
        seats = tables.scores.shape[1]
        job.points[:, :seats], job.utility[:, :seats] = tables.scores, tables.utility
        return job
