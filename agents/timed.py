"""Searches with a time limit for each decision; with several threads an agent takes several decisions at once."""

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np

from alehouse.agents.agent import Masks, Moves, Observations
from alehouse.agents.kernel_agent import Kernel
from alehouse.envs.core.run.context import Context, true_records


class Timed(Kernel):
    """A search that works stage by stage, each for an equal part of the time, and then returns the answer it has found.

    Its kernels are `begin`, which returns the number of stages, `more`, which does a little work, `halve`, which ends a stage, and `found`.
    """

    def __init__(self, kernels: SimpleNamespace, ms: float, *rest: Any, **more: Any) -> None:
        super().__init__(*rest, **more)
        self.kernels, self.seconds = kernels, ms / 1000

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """Return for each row the answer that was found when the time was up."""
        self.check(ctx)
        states, rules, rule = true_records(ctx)
        k, guides, how = self.kernels, self.weights[0], self.options

        def one(i: int) -> tuple[int, int]:
            desk = k.prepare(how)
            s, R, seat, key = states[i], rules[rule[i]], int(ctx.seats[i]), ctx.keys[i]
            start, stages = time.perf_counter(), k.begin(s, R, guides, key, how, desk)
            for stage in range(1, stages + 1):
                k.more(s, R, guides, seat, key, how, desk)
                while time.perf_counter() < start + self.seconds * stage / stages:
                    k.more(s, R, guides, seat, key, how, desk)
                k.halve(desk)
            return int(k.found(desk)), int(desk.steps[0])

        with ThreadPoolExecutor(self.threads) as pool:
            found = list(pool.map(one, range(len(states))))
        self.steps += sum(steps for _, steps in found)
        return np.array([action for action, _ in found], np.int64)
