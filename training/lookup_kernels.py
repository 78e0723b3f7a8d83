"""The kernel by which the lookup trainer plays, and looks up what answers are worth."""

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.instant import instant_kernels
from alehouse.agents.network import adviser, copy_row, hidden_layers, highest, rate, room, student
from alehouse.agents.search import search
from alehouse.agents.value import value_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import batch_kernels
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, below, game_seed
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import WIN
from alehouse.envs.core.run.threads import Chunked, chunked

LEAST = 3  # the fewest answers that are looked up: the network's, the heuristic's, and one drawn
GAMES, WON, EVEN, GAIN = range(4)  # the columns of the tally
DRAWN = 8  # the round of an agent's luck that draws the learner's seat, its opponents, and an answer to look up


class Lookups(NamedTuple):
    """A job: tables, who plays there and how, and room for samples. Table i fills the `each` rows of samples from row i * each on."""

    states: Any
    rules: Any
    rule: Any  # for each table, its row in `rules`
    games: Any  # for each table, the number of its game
    seat: Any  # for each table, the learner's seat
    copies: Any  # for each table, whether copies of the learner have the other seats
    skip: Any  # for each table, how many of the learner's decisions are left out first, so that tables are at different stages
    tally: Any  # for each table, figures by the columns GAMES to GAIN
    nets: Any
    guides: Any  # the value, and the weights of the heuristic
    obs: Any
    can: Any  # for each sample, the set of answers that were looked up; what follows is about these
    prior: Any
    effect: Any  # for each answer, how much more than the mean of these answers it is worth
    aspects: Any
    seed: Any  # the seed of the series of games
    each: Any
    answers: Any  # at most this many answers are looked up at a decision
    rounds: Any  # rounds until the value judges; 0: games are played to the end
    mixed: Any  # in this many games of 100 copies of the learner have the other seats


@jit
def lasting(s):
    """Return the random bits by which a seat breaks ties all through a game, so that two games with the same luck do not part over ties."""
    return chance(s.seed, 0, s.turn)


@jit
def want(numbers, n, wanted):
    """Mark the highest of the first n numbers that is not marked yet."""
    best = -1
    for a in range(n):
        if not wanted[a] and (best < 0 or numbers[a] > numbers[best]):
            best = a
    wanted[best] = True


@jit
def choose(work, n, answers, key, wanted):
    """Mark the answers to look up: all n, or those with the highest logits, the one the heuristic rates highest, and one drawn."""
    wanted[:n] = n <= answers
    if n <= answers:
        return
    wanted[highest(work.prior, n)] = True
    want(work.logits, n, wanted)
    left = answers - 1
    for a in range(n):
        left -= int(wanted[a])
    for _ in range(left):
        want(work.logits, n, wanted)
    drawn = below(key, AGENTS, DRAWN, 2, 0, n + 1 - answers)
    for a in range(n):
        if not wanted[a]:
            if drawn == 0:
                wanted[a] = True
            drawn -= 1


@functools.cache
def playing(game: Game) -> SimpleNamespace:
    """Make the kernels that begin and conclude games, and that judge positions."""
    begin, finish, shares = batch_kernels(game).begin, batch_kernels(game).finish, value_kernels(game).shares

    @jit
    def start(s, R, j, i):
        """Begin the next game of table i, and draw the learner's seat and its opponents."""
        j.games[i] += j.games.size
        seed = game_seed(j.seed, j.games[i])
        begin(s, R, seed)
        j.seat[i] = below(seed, AGENTS, DRAWN, 0, 0, R.seats)
        j.copies[i] = below(seed, AGENTS, DRAWN, 1, 0, 100) < j.mixed

    @jit
    def judge(t, R, G, found):
        """Write each seat's share of the win: what it got at the end of the game, or what the value says before."""
        if t.turn < 0:
            finish(t, R, WIN, found.places, found.points, found.utility)
        else:
            shares(t, R, G, found.reading, found.utility)

    @jit
    def conclude(s, R, j, i, found):
        """Count the game of table i if the learner has played it among heuristics."""
        if j.games[i] >= 0 and not j.copies[i]:
            judge(s, R, j.guides[0], found)
            j.tally[i, GAMES] += 1
            j.tally[i, WON] += found.utility[j.seat[i]]
            j.tally[i, EVEN] += 1 / R.seats

    return SimpleNamespace(start=start, judge=judge, conclude=conclude)


@functools.cache
def looking(game: Game, width: int) -> Chunked:
    """Make the kernel that plays at a range of tables, by a network of this width, until each has given its samples."""
    best, step, state, observe = instant_kernels(game).best, game.step, game.STATE, game.observe
    clock, deal, results = search(game).clock, search(game).deal, search(game).results
    start, judge, conclude = playing(game).start, playing(game).judge, playing(game).conclude
    advise, study, form, outputs = adviser(game), student(game), room(game, width), len(game.ACTIONS)

    @jit
    def consider(s, R, W, H, work):
        """Write the logits of all legal answers in the workspace, and return their number."""
        p = int(s.turn)
        work.obs[:] = 0
        observe(s, R, p, work.obs)
        hidden_layers(W, work.obs, work)
        advise(s, R, H, chance(s.seed, s.asked, p), W.reach[0], work.prior)
        study(s, R, H, work.prior, work.aspects)
        return rate(W, s.can, work.prior, work.aspects, work)

    @jit
    def try_out(s, R, j, action, dealt, found):
        """Return what an answer is worth to the seat to move in the redeal dealt[0], where the heuristic goes on for all seats."""
        dealt[1] = dealt[0]
        t, until, H = dealt[1], clock(s) + j.rounds, j.guides[0].heuristic
        step(t, R, action)
        while t.turn >= 0 and (j.rounds == 0 or clock(t) < until):
            step(t, R, best(t, R, H, lasting(t)))
        judge(t, R, j.guides[0], found)
        return found.utility[s.turn]

    @jit
    def look_up(s, R, j, row, n, work, dealt, found, wanted):
        """Write a sample of what some of the n legal answers are worth; return what the network's answer gains on the heuristic's."""
        key = chance(s.seed, s.asked, s.turn)
        choose(work, n, j.answers, key, wanted)
        deal(s, R, s.turn, key, 0, dealt)
        copy_row(j.obs[row], work.obs)
        j.can[row] = 0
        effect, tried, total, worth = j.effect[row], 0, 0.0, work.chances
        for a in range(n):
            if wanted[a]:
                action = work.actions[a]
                worth[a] = try_out(s, R, j, action, dealt, found)
                total += worth[a]
                bits.put(j.can[row], action, 1)
                j.prior[row, tried], effect[tried] = work.prior[a], worth[a]
                copy_row(j.aspects[row * j.answers + tried], work.aspects[a])
                tried += 1
        for k in range(tried):
            effect[k] -= total / tried
        return worth[highest(work.logits, n)] - worth[highest(work.prior, n)]

    @chunked
    @jit
    def collect(job, chunk, low, high):
        j = Lookups(*bare(job))
        W, H = j.nets[0], j.guides[0].heuristic
        desk, dealt, found, wanted = np.zeros(1, form), np.zeros(2, state), results(), np.zeros(outputs, np.bool_)
        for i in range(low, high):
            work = desk[0]  # in the loop, so that numba keeps its memory until the loop ends
            s, R, kept = j.states[i], j.rules[j.rule[i]], 0
            while kept < j.each:
                if s.turn < 0:
                    conclude(s, R, j, i, found)
                    start(s, R, j, i)
                elif bits.count(s.can) == 1:
                    step(s, R, bits.nth(s.can, 0))
                elif s.turn != j.seat[i] and not j.copies[i]:
                    step(s, R, best(s, R, H, chance(s.seed, s.asked, s.turn)))
                else:
                    n = consider(s, R, W, H, work)
                    action = work.actions[highest(work.logits, n)]
                    if s.turn == j.seat[i] and j.skip[i] > 0:
                        j.skip[i] -= 1
                    elif s.turn == j.seat[i]:
                        j.tally[i, GAIN] += look_up(s, R, j, i * j.each + kept, n, work, dealt, found, wanted)
                        kept += 1
                    step(s, R, action)

    made: Chunked = collect
    return made
