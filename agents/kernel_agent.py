"""Agents that decide inside numba, many decisions in one call, on several threads if told."""

import contextlib
import functools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import prange, types
from numba.extending import intrinsic

from alehouse.agents.agent import Masks, Moves, Observations
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.batch_kernels import bare
from alehouse.envs.core.run.context import Context
from alehouse.envs.core.run.jit import cache_folder, jit
from alehouse.envs.core.run.tables import check_whole

SMALL = 2  # decisions below which one thread is faster than two
SHARES = 16  # a thread takes about so many times a few rows of a batch


class Kernel:
    """An agent made of a kernel `decide(s, R, W, seat, key, how, desk) -> action` and of one that makes desks, `prepare(how)`.

    `s` and `R` are the table and its rules, of which it uses nothing the seat may not know; `W` its weights, `how` its options
    as whole numbers, `key` 64 random bits for the decision, `desk` arrays to work in; desk.steps[0] counts steps of the simulator.
    """

    def __init__(
        self,
        name: str,
        game: Game,
        decide: Callable[..., Any],
        prepare: Callable[..., Any],
        weights: npt.NDArray[Any],
        how: Sequence[int],
        recipe: tuple[Callable[..., "Kernel"], tuple[Any, ...]],
        threads: int = 1,
    ) -> None:
        check_whole("threads", threads, 1, numba.config.NUMBA_NUM_THREADS)
        self.name, self.game, self.decide, self.prepare, self.weights, self.threads = name, game, decide, prepare, weights, threads
        self.how = np.array(how, np.int64)
        self.recipe = recipe  # what makes it again, in another process too
        self.steps = 0  # of the simulator, taken by this agent so far

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """The kernel's action for each row."""
        self.check(ctx)
        states, rules, rule = ctx.records
        actions, steps = np.empty(len(states), np.int64), np.zeros(len(states), np.int64)
        few = 1 + len(states) // (SHARES * self.threads)
        args = (states, rules, rule, self.weights, ctx.seats, ctx.keys, self.how, actions, steps, few)
        some, several = batches(self.decide, self.prepare)
        with announced(self.game, self.name.partition(":")[0]):
            some(*args, np.array([len(states)]))
        if self.threads > 1 and len(states) >= SMALL:
            numba.set_num_threads(self.threads)
            several(*args, np.zeros(1, np.int64), self.threads)
        else:
            some(*args, np.zeros(1, np.int64))
        self.steps += int(steps.sum())
        return actions

    def check(self, ctx: Context) -> None:
        """A ValueError where another game is played."""
        if ctx.game is not self.game:
            raise ValueError(f"agent {self.name!r}: it plays {self.game.name}, not {ctx.game.name}")

    def __reduce__(self) -> Any:
        return self.recipe


@contextlib.contextmanager
def announced(game: Game, what: str) -> Iterator[None]:
    """A word to the user when a kernel has to be compiled first."""
    mark = cache_folder(Path(__file__).parent) / f"{game.name}.{what}.ready"
    if numba.config.DISABLE_JIT or mark.exists():
        yield
        return
    print(f"alehouse: compiling {what} for {game.name}, once ...", end=" ", file=sys.stderr, flush=True)
    start = time.perf_counter()
    yield
    print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()


if numba.config.DISABLE_JIT:

    def claim(counter: Any, by: int) -> int:
        """Raise a counter; what it was before."""
        was = int(counter[0])
        counter[0] += by
        return was

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def claim(typing: Any, counter: Any, by: Any) -> Any:
        """Raise a counter that threads share; what it was before."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(counter)(context, builder, args[0])
            return builder.atomic_rmw("add", array.data, args[1], "monotonic")

        return types.int64(counter, types.int64), emit


@functools.cache
def batches(decide: Callable[..., Any], prepare: Callable[..., Any]) -> tuple[Callable[..., None], Callable[..., None]]:
    """The kernels that run an agent's kernel row by row, on one thread and on several; whoever is free takes the next few rows."""

    @jit
    def some(states, rules, rule, weights, seats, keys, how, actions, steps, few, taken):
        states, rules = bare(states), bare(rules)
        desk = prepare(how)
        low = claim(taken, few)
        while low < actions.size:
            for i in range(low, min(actions.size, low + few)):
                desk.steps[0] = 0
                actions[i] = decide(states[i], rules[rule[i]], weights[0], int(seats[i]), keys[i], how, desk)
                steps[i] = desk.steps[0]
            low = claim(taken, few)

    @functools.partial(jit, parallel=True)
    def several(states, rules, rule, weights, seats, keys, how, actions, steps, few, taken, threads):
        for _ in prange(threads):
            some(states, rules, rule, weights, seats, keys, how, actions, steps, few, taken)

    return some, several
