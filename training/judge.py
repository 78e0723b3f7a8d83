"""A judge estimates in the middle of a game what share of the win each seat may expect.

It reads numbers that describe what each seat holds (stock). It learns from games played by heuristics in which one answer is random. After
that answer stock is taken at each stage. The judge adds up a seat's numbers with weights for that stage, and the softmax of these sums is
the seats' shares of the win. It reads all hands, as the final score does, so it serves only to compute rewards in training, never to
decide.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from alehouse.agents.heuristic import heuristic_of, weights_of
from alehouse.agents.instant import instant_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import batch_kernels
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, below, game_seed
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import RANK
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.run.threads import Chunked, chunked
from alehouse.training.decisions import Floats, lasting

GAMES = 40_000  # how many games are watched for each set of rules
LAPSE = 100  # the random answer comes at one in this many decisions
LAPSES = 5  # the round of an agent's luck that says where the random answer comes
SEEN = 4  # stock is taken at up to this many stages of a game
STEPS = 60  # how many steps the solver takes
USUAL = 0.2  # typical size of a weight before any game is seen (the prior's standard deviation)
LEAST = 1e-3  # entries of the stock are divided by their standard deviation, at least this

Stock = npt.NDArray[np.int16]
# turns utilities by rank, points and numbers of seats into rewards
Paid = Callable[[Floats, npt.NDArray[Any], npt.NDArray[np.int64]], Floats]


@functools.cache
def accountant(game: Game) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return two kernels: one takes stock, one returns the stage of a game. For a game without stock they do nothing."""
    known = heuristic_of(game)

    @jit
    def nothing(s, R, out):
        """Write nothing, because the game has no stock."""

    @jit
    def always(s):
        """Return 0, the only stage."""
        return 0

    return (known.take_stock, known.stage) if known and known.take_stock and known.stage else (nothing, always)


@jit
def weigh(weights, stock, seats, out):
    """Write the share of the win that each seat may expect, as a utility: 1 for the whole win."""
    most, total = -np.inf, 0.0
    for p in range(seats):
        out[p] = 0
        for k in range(weights.size):
            out[p] += weights[k] * stock[p, k]
        most = max(most, out[p])
    for p in range(seats):
        out[p] = np.exp(out[p] - most)
        total += out[p]
    for p in range(seats):
        out[p] = (out[p] / total * seats - 1) / (seats - 1)


class Watched(NamedTuple):
    """A job of games to watch, with a row for each, and what is seen in them."""

    rules: Any
    weights: Any  # the weights of the heuristic
    seeds: Any
    stock: Any  # the stock, for each game, stage seen, seat and entry
    when: Any  # for each game, the stages at which stock was taken, or -1
    points: Any
    utility: Any


@functools.cache
def watching(game: Game) -> Chunked:
    """Make the kernel that plays games and takes stock in them."""
    best, step, state = instant_kernels(game).best, game.step, game.STATE
    begin, finish = batch_kernels(game).begin, batch_kernels(game).finish
    take_stock, stage = accountant(game)

    @chunked
    @jit
    def watch(job, chunk, low, high):
        j = Watched(*bare(job))
        places, table = np.zeros(j.utility.shape[1], np.int64), np.zeros(1, state)
        for i in range(low, high):
            t, R = table[0], j.rules[0]  # inside the loop, so that numba keeps the table's memory alive until the loop ends
            begin(t, R, j.seeds[i])
            j.when[i] = -1
            taken, reached = -1, 0
            while t.turn >= 0 and taken < SEEN:
                if taken >= 0 and stage(t) > reached:
                    take_stock(t, R, j.stock[i, taken])
                    j.when[i, taken] = stage(t)
                    taken += 1
                reached = stage(t)
                n = bits.count(t.can)
                if taken < 0 and n > 1 and below(t.seed, AGENTS, LAPSES, 0, t.asked, LAPSE) == 0:
                    taken = 0
                    step(t, R, bits.nth(t.can, below(t.seed, AGENTS, LAPSES, 1, t.asked, n)))
                else:
                    step(t, R, best(t, R, j.weights[0], lasting(t)))
            while t.turn >= 0:
                step(t, R, best(t, R, j.weights[0], lasting(t)))
            finish(t, R, RANK, places, j.points[i], j.utility[i])

    found: Chunked = watch
    return found


def judge_of(tables: Tables, paid: Paid, seed: int, threads: int = 1, games: int = GAMES) -> Floats:
    """Return a judge's weights for each set of rules, stage and entry of the stock, learnt from some games of each set of rules."""
    known = heuristic_of(tables.game)
    if known is None or not known.stock:
        raise ValueError(f"ahead: {tables.game.name} has no heuristic that takes stock of a seat in the middle of a game; --set ahead=0")
    each = (tables.rules[k : k + 1] for k in range(tables.rules.size))
    return np.stack([learnt(*seen(tables.game, rules, paid, seed, threads, games), known.stages) for rules in each])


def seen(
    game: Game, rules: npt.NDArray[Any], paid: Paid, seed: int, threads: int, games: int
) -> tuple[Stock, npt.NDArray[np.int64], Floats]:
    """Play games by some rules; return the stock of all seats, the stages at which it was taken, and the shares of the win at the end."""
    seats, known = int(rules["seats"][0]), heuristic_of(game)
    seeds = np.array([game_seed(seed, k) for k in range(games)], np.uint64)
    stock, when = np.zeros((games, SEEN, seats, len(known.stock if known else ())), np.int16), np.zeros((games, SEEN), np.int64)
    points, utility = np.zeros((games, seats), np.int64), np.zeros((games, seats), np.float32)
    watching(game)(Watched(rules, weights_of(game).record(), seeds, stock, when, points, utility), games, threads)
    share = (paid(utility, points, np.full(games, seats)) * (seats - 1) + 1) / seats
    return stock[when >= 0], when[when >= 0], np.repeat(share, (when >= 0).sum(axis=1), axis=0)


def learnt(stock: Stock, when: npt.NDArray[np.int64], share: Floats, stages: int) -> Floats:
    """Return for each stage the weights that fit the shares of the win best; entries that are rarely seen get small weights."""
    weights = np.zeros((stages, stock.shape[2]), np.float32)
    spread = torch.from_numpy(stock.std(axis=(0, 1), dtype=np.float32) + np.float32(LEAST))
    for at in np.unique(when):
        x, y = stock[when == at].astype(np.float32), share[when == at]
        weights[at] = fitted(torch.from_numpy(x) / spread, torch.from_numpy(y), spread)
    return weights


def fitted(x: torch.Tensor, y: torch.Tensor, spread: torch.Tensor) -> Floats:
    """Return the best-fitting weights of one stage; `x` is the stock in standard deviations, `y` the shares of the win."""
    found = torch.zeros(x.shape[2], requires_grad=True)
    solver = torch.optim.LBFGS([found], max_iter=STEPS, line_search_fn="strong_wolfe")

    def miss() -> torch.Tensor:
        """Return the cross-entropy of the shares, plus a penalty for large weights."""
        solver.zero_grad()
        off = -(y * torch.log_softmax(x @ found, dim=1)).sum()
        loss: torch.Tensor = (off + ((found / spread) ** 2).sum() / (2 * USUAL**2)) / len(x)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    solver.step(miss)  # type: ignore[no-untyped-call]
    weights: Floats = (found / spread).detach().numpy()
    return weights
