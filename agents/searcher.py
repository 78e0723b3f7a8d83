"""Agents that search: how they decide, and the ratings that they read off the root of their search."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np

from alehouse.agents.agent import Masks, Observations
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.ratings import Ratings, empty
from alehouse.agents.search import REWARD
from alehouse.envs.core.run.context import Context, true_records
from alehouse.envs.core.run.standings import WIN

Rating = Callable[[Observations, Masks, Context, int, int], Ratings]


class Searcher(Kernel):
    """A search. Besides those of `Kernel` it has the kernels `begin`, which clears its memory, and `more`, which searches a little."""

    def __init__(self, kernels: SimpleNamespace, *rest: Any, **more: Any) -> None:
        super().__init__(*rest, **more)
        self.kernels = kernels
        counts_wins = self.options[REWARD] == WIN
        self.rate: Rating | None = self.root if counts_wins else None  # other results are no shares of the win

    def searched(self, s: Any, R: Any, seat: int, key: np.uint64) -> tuple[int, Any]:
        """Search at a table, and return the answer with the working memory of the search."""
        desk = self.kernels.prepare(self.options)
        return int(self.kernels.decide(s, R, self.weights[0], seat, key, self.options, desk)), desk

    def root(self, obs: Observations, mask: Masks, ctx: Context, plays: int, seed: int) -> Ratings:
        """Return what the search saw of each answer when it decided: with seed 0 the very search by which the agent acts.

        The agent's limits say how long it is. An only answer needs no search, and is tried at least `plays` times.
        """
        self.check(ctx)
        states, rules, rule = true_records(ctx)
        found = empty(len(states), len(self.game.ACTIONS), int(rules["seats"].max()))

        def one(i: int) -> None:
            s, R, seat, key = states[i], rules[rule[i]], int(ctx.seats[i]), ctx.keys[i] ^ np.uint64(seed)
            legal = np.flatnonzero(mask[i])
            if legal.size == 1:
                desk = self.kernels.prepare(self.options)
                self.kernels.begin(s, R, self.weights[0], key, self.options, desk)
                while desk.tally.visits[legal[0]] < plays:
                    self.kernels.more(s, R, self.weights[0], seat, key, self.options, desk)
            elif legal.size:
                _, desk = self.searched(s, R, seat, key)
            if legal.size:
                read_off(found, i, desk.tally, seat)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(one, range(len(states))))
        return found


def read_off(found: Ratings, row: int, tally: Any, seat: int) -> None:
    """Write the ratings of a table from what a search has seen."""
    [tried] = np.nonzero(tally.visits)
    visits = tally.visits[tried]
    shares = tally.shares[tried, : found.shares.shape[2]] / visits[:, None]
    value, several = shares[:, seat], np.where(visits > 1, visits - 1.0, np.nan)
    error = np.sqrt(np.maximum(0.0, tally.square[tried] / visits - value**2) / several)
    found.visits[row, tried], found.shares[row, tried] = visits, shares
    found.value[row, tried], found.error[row, tried] = value, error
    best = found.best[row]
    found.loss[row, tried] = found.value[row, best] - value
    found.loss_error[row, tried] = np.where(tried == best, 0.0, np.hypot(error, found.error[row, best]))
