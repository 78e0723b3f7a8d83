"""Searches with a time limit for each decision; with several threads an agent takes several decisions at once."""

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np

from alehouse.agents.agent import Masks, Moves, Observations
from alehouse.agents.searcher import Searcher
from alehouse.envs.core.run.context import Context, true_records


class Timed(Searcher):
    """A search that works stage by stage, each for an equal part of the time, and then returns the answer it has found.

    Its kernels are `begin`, which returns the number of stages, `more`, which does a little work, `halve`, which ends a stage, and `found`.
    """

    def __init__(self, kernels: SimpleNamespace, ms: float, *rest: Any, **more: Any) -> None:
        super().__init__(kernels, *rest, **more)
        self.seconds = ms / 1000

    def searched(self, s: Any, R: Any, seat: int, key: np.uint64) -> tuple[int, Any]:
        """Search at a table until the time is up, and return the answer with the working memory of the search."""
        k, guides, how = self.kernels, self.weights[0], self.options
        desk = k.prepare(how)
        start, stages = time.perf_counter(), k.begin(s, R, guides, key, how, desk)
        for stage in range(1, stages + 1):
            k.more(s, R, guides, seat, key, how, desk)
            while time.perf_counter() < start + self.seconds * stage / stages:
                k.more(s, R, guides, seat, key, how, desk)
            k.halve(desk)
        return int(k.found(desk)), desk

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """Return for each row the answer that was found when the time was up."""
        self.check(ctx)
        states, rules, rule = true_records(ctx)

        def one(i: int) -> tuple[int, int]:
            action, desk = self.searched(states[i], rules[rule[i]], int(ctx.seats[i]), ctx.keys[i])
            return action, int(desk.steps[0])

        with ThreadPoolExecutor(self.threads) as pool:
            found = list(pool.map(one, range(len(states))))
        self.steps += sum(steps for _, steps in found)
        return np.array([action for action, _ in found], np.int64)
