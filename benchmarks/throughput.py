"""Measures speed: whole games inside numba, batches from Python, the PettingZoo face, copies of a state, heuristics, and search.

All cases are measured in turn for a fixed time, and that for several rounds. The first round warms up; a figure is the median of the
others. With seven rounds the true median lies between the lowest and the highest with a chance of 98 %.
"""

import functools
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numba
import numpy as np

from alehouse.agents import Agent, ask, heuristic, ismcts, play_line
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.ladder import search as best_search
from alehouse.agents.network import net
from alehouse.agents.network_file import SHIPPED
from alehouse.agents.value import shipped
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.faces import raw_env
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.random_games import play
from alehouse.envs.core.run.tables import Tables

BATCH = 4096  # number of tables in a batch
COPIES = 64  # number of copies made of a state; they fit into the first-level cache
ITERATIONS = 1000  # iterations of the tree search that is measured
ROLLOUTS = 30  # roll-outs a decision of the search by a learned value
SEARCHED = 4  # number of tables at which the search decides
CALL = 0.05  # one call of a kernel should take this many seconds, so that Ctrl-C is noticed in between


class Tally(NamedTuple):
    """How many decisions and games were played in how many seconds."""

    decisions: int
    games: int | None
    seconds: float


@dataclass(frozen=True)
class Case:
    """One thing to measure, such as batches of one variant."""

    variant: Variant
    mode: str
    threads: int
    n: int
    run: Callable[[Variant, int, int, float], Tally]  # called with (variant, threads, seed, seconds)


@dataclass(frozen=True)
class Row:
    """The result of a case: the median of its measurements."""

    game: str
    variant: str
    mode: str
    threads: int
    n: int
    decisions_per_s: float
    games_per_s: float | None  # None for copies, where decisions_per_s counts copies
    lowest: float  # decisions per second of the slowest round
    highest: float


def kernel(v: Variant, threads: int, seed: int, seconds: float, lively: bool = False) -> Tally:
    """Play whole games by uniform (or lively) agents inside one kernel."""
    decisions = games = 0
    size = threads
    start = now = time.perf_counter()
    while now - start < seconds:
        before = now
        decisions += int(play(v, size, seed, games, threads, lively=lively).decisions.sum())
        now = time.perf_counter()
        games += size
        if now - before < CALL / 2:
            size *= 2
    return Tally(decisions, games, now - start)


def batch(v: Variant, threads: int, seed: int, seconds: float) -> Tally:
    """Step a batch from Python by uniform actions; every step writes observations and masks."""
    tables = under_way(v, threads, seed)
    steps = games = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        tables.step(tables.sample())
        steps += 1
        games += int(np.count_nonzero(tables.over))
    return Tally(steps * BATCH, games, time.perf_counter() - start)


@functools.cache
def under_way(v: Variant, threads: int, seed: int, n: int = BATCH) -> Tables:
    """Return a batch in the middle of its games, each at a different point."""
    tables = Tables(v, n=n, seed=seed, threads=threads)
    length = int(play(v, 100, seed).decisions.mean()) + 1
    for which in np.array_split(np.arange(n), length):
        tables.reset(which)
        tables.step(tables.sample())
    return tables


def whole_games(v: Variant, threads: int, seed: int, seconds: float, make: Callable[[Game], Agent]) -> Tally:
    """Play whole games inside one kernel, by copies of the agent that `make` returns."""
    player, decisions, games, size = make(v.spec), 0, 0, threads
    start = now = time.perf_counter()
    while now - start < seconds:
        before = now
        seeds = np.arange(games, games + size, dtype=np.uint64) + np.uint64(seed << 32)
        decisions += int(play_line(v, [player], np.zeros((size, v.seats), int), seeds, threads).decisions.sum())
        now = time.perf_counter()
        games += size
        if now - before < CALL / 2:
            size *= 2
    return Tally(decisions, games, now - start)


def search(v: Variant, threads: int, seed: int, seconds: float, make: Callable[[Game], Agent]) -> Tally:
    """Let the searcher that `make` returns decide, wherever there is a choice, in games that heuristics play."""
    tables, player, searcher = played_well(v, seed), heuristic(v.spec), make(v.spec)
    decisions, spent = 0, 0.0
    while spent < seconds:
        tables.step(ask(player, tables))
        which = np.flatnonzero(tables.mask.sum(axis=1) > 1)
        start = time.perf_counter()
        ask(searcher, tables, which)
        spent += time.perf_counter() - start
        decisions += which.size
    return Tally(decisions, None, spent)


@functools.cache
def played_well(v: Variant, seed: int) -> Tables:
    """Return a few tables in the middle of games played by heuristics, each at a different point."""
    tables, player = Tables(v, n=SEARCHED, seed=seed), heuristic(v.spec)
    length = int(play_line(v, [player], np.zeros((1, v.seats), int), [seed]).decisions.sum())
    for step in range(length):
        which = np.flatnonzero(np.arange(SEARCHED) * length > step * SEARCHED)
        tables.step(ask(player, tables, which), which)
    return tables


def aec(v: Variant, threads: int, seed: int, seconds: float) -> Tally:
    """Play on a PettingZoo environment without wrappers, taking uniform legal actions."""
    env = raw_env(v)
    luck = random.Random(seed)
    decisions = games = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        env.reset(seed=seed + games)
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(legal[int(luck.random() * legal.size)])
            decisions += 1
        games += 1
    return Tally(decisions, games, time.perf_counter() - start)


@jit
def copies(states: Any, times: int) -> None:
    """Copy the first table to all the others, again and again."""
    for _ in range(times):
        for i in range(1, states.size):
            states[i] = states[0]


def clone(v: Variant, threads: int, seed: int, seconds: float) -> Tally:
    """Copy a state inside the kernel."""
    tables = Tables(v, n=COPIES + 1, seed=seed)
    done = 0
    times = 1
    start = now = time.perf_counter()
    while now - start < seconds:
        before = now
        copies(tables.states, times)
        now = time.perf_counter()
        done += times * COPIES
        if now - before < CALL / 2:
            times *= 2
    return Tally(done, None, now - start)


def cases(spec: Game) -> Iterator[Case]:
    """Yield everything that is measured of a game, in its longest form, without modules and with all of them."""
    bare = spec.variant(length=spec.lengths[-1])
    full = spec.variant(length=spec.lengths[-1], modules=tuple(m.name for m in spec.modules))
    for v in dict.fromkeys((bare, full)):
        for threads in range(1, min(2, numba.config.NUMBA_NUM_THREADS) + 1):
            yield Case(v, "kernel", threads, threads, kernel)
            if spec.lively:
                yield Case(v, "lively", threads, threads, functools.partial(kernel, lively=True))
            yield Case(v, "batch", threads, BATCH, batch)
            if heuristic_of(spec):
                yield Case(v, "heuristics", threads, threads, functools.partial(whole_games, make=heuristic))
            if (SHIPPED / f"{spec.name}.safetensors").is_file():
                yield Case(v, "networks", threads, threads, functools.partial(whole_games, make=net))
        if heuristic_of(spec):
            by_estimate = functools.partial(ismcts, iterations=ITERATIONS, leaf="estimate")
            yield Case(v, f"ismcts:{ITERATIONS}", 1, 1, functools.partial(search, make=by_estimate))
        if shipped(spec):
            by_value = functools.partial(best_search, iterations=ROLLOUTS)
            yield Case(v, f"search:{ROLLOUTS}", 1, 1, functools.partial(search, make=by_value))
        yield Case(v, "aec", 1, 1, aec)
        yield Case(v, "clone", 1, COPIES, clone)


def measure(todo: Sequence[Case], seed: int, seconds: float, rounds: int) -> Iterator[tuple[Case, Tally | None]]:
    """Measure all cases in turn, round after round; yield None for the first round, which does not count."""
    for turn in range(rounds + 1):
        for case in todo:
            tally = case.run(case.variant, case.threads, seed, seconds)
            yield case, tally if turn else None


def summaries(measured: Iterable[tuple[Case, Tally | None]]) -> list[Row]:
    """Return a row for each case that was measured, in order of the cases."""
    tallies: dict[Case, list[Tally]] = {}
    for case, tally in measured:
        if tally is not None:
            tallies.setdefault(case, []).append(tally)
    return [summary(case, found) for case, found in tallies.items()]


def summary(case: Case, found: Sequence[Tally]) -> Row:
    """Return the medians of one case as a row."""
    rates = [t.decisions / t.seconds for t in found]
    games = [t.games / t.seconds for t in found if t.games is not None]
    return Row(
        game=case.variant.game,
        variant=str(case.variant),
        mode=case.mode,
        threads=case.threads,
        n=case.n,
        decisions_per_s=round(statistics.median(rates), 1),
        games_per_s=round(statistics.median(games), 2) if games else None,
        lowest=round(min(rates), 1),
        highest=round(max(rates), 1),
    )
