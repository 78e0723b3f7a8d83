"""Agents that decide inside numba: one call takes many decisions, on one thread or on several."""

import functools
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

from alehouse.agents.agent import Masks, Moves, Observations
from alehouse.agents.instant import instant_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import compiling
from alehouse.envs.core.run.context import Context, true_records
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.jit import cache_folder, jit
from alehouse.envs.core.run.learner_kernels import Inside
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.threads import Chunked, chunked

SHARES = 16  # a batch is cut so that each thread takes about this many parts


class Kernel:
    """An agent made from a kernel `decide(s, R, W, seat, key, options, work) -> action` and from `prepare(options) -> work`.

    `s` and `R` are the table and its rules; the kernel must not use what the seat cannot know. `W` holds its weights and
    `options` its options as whole numbers. `key` is 64 random bits for the decision. `work` holds arrays to work with; work.steps[0] counts
    the simulator's steps.
    """

    def __init__(
        self,
        name: str,
        game: Game,
        decide: Callable[..., Any],
        prepare: Callable[..., Any],
        weights: npt.NDArray[Any],
        options: Sequence[int],
        recipe: tuple[Callable[..., "Kernel"], tuple[Any, ...]],
        threads: int = 1,
    ) -> None:
        check_whole("threads", threads, 1, numba.config.NUMBA_NUM_THREADS)
        self.name, self.game, self.decide, self.prepare, self.weights, self.threads = name, game, decide, prepare, weights, threads
        self.options = np.array(options, np.int64)
        self.recipe = recipe  # enough to make this agent again, also in another process
        self.quick = self  # the agent that plays on where answers are rated; for a searcher, one that does not look ahead
        self.steps = 0  # how many steps of the simulator this agent has taken

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """Return the kernel's action for each row."""
        self.check(ctx)
        states, rules, rule = true_records(ctx)
        actions, steps = np.empty(len(states), np.int64), np.zeros(len(states), np.int64)
        few, taken = 1 + len(states) // (SHARES * self.threads), np.zeros(1, np.int64)
        job = Decisions(states, rules, rule, self.weights, ctx.seats, ctx.keys, self.options, actions, steps, few, taken)
        decide_all = deciding(self.decide, self.prepare)
        with announced(self.game, self.name.partition(":")[0]):
            decide_all(job._replace(taken=np.array([len(states)])), 1)
        workers = min(self.threads, len(states))
        decide_all(job, workers, workers)
        self.steps += int(steps.sum())
        return actions

    def inside(self, game: Game) -> Inside | None:
        """Return this agent in the form that decides inside numba, or None if it is slow and better given many decisions at once."""
        instant = game is self.game and self.decide is instant_kernels(game).decide
        return Inside(self.decide, self.prepare, self.weights, self.options) if instant else None

    def check(self, ctx: Context) -> None:
        """Raise a ValueError if the decisions belong to another game than this agent's."""
        if ctx.game is not self.game:
            raise ValueError(f"agent {self.name!r}: it plays {self.game.name}, not {ctx.game.name}")

    def __reduce__(self) -> Any:
        return self.recipe


def announced(game: Game, what: str) -> AbstractContextManager[bool]:
    """Tell the user when the kernels of an agent must be compiled first."""
    return compiling.announced(f"{what} for {game.name}", cache_folder(Path(__file__).parent) / f"{game.name}.{what}.ready")


class Decisions(NamedTuple):
    """A job of decisions to take, with a row for each."""

    states: Any
    rules: Any
    rule: Any  # for each table, its index in the rules
    weights: Any
    seats: Any
    keys: Any
    options: Any
    actions: Any
    steps: Any
    few: Any  # how many rows a thread takes at a time
    taken: Any  # how many rows have been taken so far


if numba.config.DISABLE_JIT:

    def claim(counter: Any, by: int) -> int:
        """Raise a counter and return its old value."""
        was = int(counter[0])
        counter[0] += by
        return was

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def claim(typing: Any, counter: Any, by: Any) -> Any:
        """Raise a counter that threads share, and return its old value."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(counter)(context, builder, args[0])
            return builder.atomic_rmw("add", array.data, args[1], "monotonic")

        return types.int64(counter, types.int64), emit


@functools.cache
def deciding(decide: Callable[..., Any], prepare: Callable[..., Any]) -> Chunked:
    """Return a kernel that takes decisions row by row. Its range numbers the workers; whoever is free takes the next few rows."""

    @chunked
    @jit
    def decide_all(job, chunk, low, high):
        j = Decisions(*bare(job))
        work = prepare(j.options)
        first = claim(j.taken, j.few)
        while first < j.actions.size:
            for i in range(first, min(j.actions.size, first + j.few)):
                work.steps[0] = 0
                s, R = j.states[i], j.rules[j.rule[i]]
                j.actions[i] = decide(s, R, j.weights[0], int(j.seats[i]), j.keys[i], j.options, bare(work))
                j.steps[i] = work.steps[0]
            first = claim(j.taken, j.few)

    found: Chunked = decide_all
    return found
