"""A judge says in the middle of a game what it comes to for each seat, from what seats have: it has seen how such games end.

Its games are played by heuristics, but for one answer at random. At each of the stages that follow, stock is taken; what a seat has is
weighed by numbers of that stage, and the seats share a win as their sums say (a softmax). It reads all hands, as the score at the end
does: it is for what training looks up, never for deciding.
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
from alehouse.envs.core.run.batch_kernels import bare, batch_kernels
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, below, game_seed
from alehouse.envs.core.run.standings import RANK
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.run.threads import Chunked, chunked
from alehouse.training.streams import Floats, lasting

GAMES = 40_000  # for each set of rules
LAPSE = 100  # answers by the heuristic for one at random
LAPSES = 5  # the round of an agent's luck that says which
SEEN = 4  # stages that stock is taken at in one game
STEPS = 60  # of the solver
USUAL = 0.2  # size of a weight, as far as nothing is seen that tells it
LEAST = 1e-3  # spread of what a seat has

Stock = npt.NDArray[np.int16]
Paid = Callable[[Floats, npt.NDArray[Any], npt.NDArray[np.int64]], Floats]  # what utilities by rank and points are worth, at so many seats


@functools.cache
def accountant(game: Game) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The kernels that take stock and say how far a game has come."""
    known = heuristic_of(game)

    @jit
    def nothing(s, R, out):
        """Nobody takes stock."""

    @jit
    def always(s):
        """There are no stages."""
        return 0

    return (known.take_stock, known.stage) if known and known.take_stock and known.stage else (nothing, always)


@jit
def weigh(weights, stock, seats, out):
    """The share of a win each seat may expect, as a utility: 1 for all of it."""
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
    """Games to watch, with a row for each."""

    rules: Any
    weights: Any
    seeds: Any
    stock: Any  # by game, stage and seat
    when: Any  # by game: the stages at which stock was taken, or -1
    scores: Any
    utility: Any


@functools.cache
def witness(game: Game) -> Chunked:
    """Return the kernel that plays games and takes stock in them."""
    best, step, state = instant_kernels(game).best, game.step, game.STATE
    begin, finish = batch_kernels(game).begin, batch_kernels(game).finish
    take_stock, stage = accountant(game)

    @chunked
    @jit
    def watch(job, chunk, low, high):
        j = Watched(*bare(job))
        places, table = np.zeros(j.utility.shape[1], np.int64), np.zeros(1, state)
        for i in range(low, high):
            t, R = table[0], j.rules[0]
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
            finish(t, R, RANK, places, j.scores[i], j.utility[i])

    found: Chunked = watch
    return found


def judge_of(tables: Tables, paid: Paid, seed: int, threads: int = 1, games: int = GAMES) -> Floats:
    """What a judge gives each thing a seat has, by rules and stage, learnt from so many games of each."""
    known = heuristic_of(tables.game)
    if known is None or not known.stock:
        raise ValueError(f"ahead: nothing says what a seat of {tables.game.name} has in the middle of a game; --set ahead=0")
    ways = (tables.rules[k : k + 1] for k in range(tables.rules.size))
    return np.stack([learnt(*seen(tables.game, rules, paid, seed, threads, games), known.stages) for rules in ways])


def seen(
    game: Game, rules: npt.NDArray[Any], paid: Paid, seed: int, threads: int, games: int
) -> tuple[Stock, npt.NDArray[np.int64], Floats]:
    """What seats had in games by some rules, at which stages, and what share of a win came of it."""
    seats, known = int(rules["seats"][0]), heuristic_of(game)
    seeds = np.array([game_seed(seed, k) for k in range(games)], np.uint64)
    stock, when = np.zeros((games, SEEN, seats, len(known.stock if known else ())), np.int16), np.zeros((games, SEEN), np.int64)
    points, utility = np.zeros((games, seats), np.int64), np.zeros((games, seats), np.float32)
    witness(game)(Watched(rules, weights_of(game).record(), seeds, stock, when, points, utility), games, threads)
    share = (paid(utility, points, np.full(games, seats)) * (seats - 1) + 1) / seats
    return stock[when >= 0], when[when >= 0], np.repeat(share, (when >= 0).sum(axis=1), axis=0)


def learnt(stock: Stock, when: npt.NDArray[np.int64], share: Floats, stages: int) -> Floats:
    """The weights, by stage, with which sums come nearest to the shares seen; what is seldom seen weighs little."""
    weights = np.zeros((stages, stock.shape[2]), np.float32)
    spread = torch.from_numpy(stock.std(axis=(0, 1), dtype=np.float32) + np.float32(LEAST))
    for at in np.unique(when):
        x, y = stock[when == at].astype(np.float32), share[when == at]
        weights[at] = fitted(torch.from_numpy(x) / spread, torch.from_numpy(y), spread)
    return weights


def fitted(x: torch.Tensor, y: torch.Tensor, spread: torch.Tensor) -> Floats:
    """The weights of one stage, for what seats have in units of its spread."""
    found = torch.zeros(x.shape[2], requires_grad=True)
    solver = torch.optim.LBFGS([found], max_iter=STEPS, line_search_fn="strong_wolfe")

    def miss() -> torch.Tensor:
        """How far off shares are; a weight beyond its usual size costs as well."""
        solver.zero_grad()
        off = -(y * torch.log_softmax(x @ found, dim=1)).sum()
        loss: torch.Tensor = (off + ((found / spread) ** 2).sum() / (2 * USUAL**2)) / len(x)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    solver.step(miss)  # type: ignore[no-untyped-call]
    weights: Floats = (found / spread).detach().numpy()
    return weights
