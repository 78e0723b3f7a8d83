"""What a decision costs, part by part: `python -m alehouse.benchmarks.cost GAME [TABLES ...]`. About a minute once it is compiled.

A batch is stepped from Python on one thread, as `alehouse bench` does. The kernel that advances the tables is also made with parts left
out, and what a part saves is its cost. Legality cannot be left out, so it is done twice. Luck is the number of random draws in a decision,
counted without the JIT, times the time of one draw. Rules are the rest of the kernel. All variants of the kernel take turns for several
rounds; the figures are medians.
"""

import functools
import itertools
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numba
import numpy as np

from alehouse.benchmarks.throughput import under_way
from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.run import bits, luck
from alehouse.envs.core.run.batch_kernels import Batch, batch_kernels, note
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.random_games import play
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import GAMES, REFERENCE, game

LOG, MASK, OBSERVATION, AGAIN = range(4)
PARTS = {"log": LOG, "mask": MASK, "observation": OBSERVATION}
SIZES = (64, 1024, 4096, 16384)
SECONDS, ROUNDS = 0.1, 7
DRAWS, COUNTED = 1_000_000, 3  # draws that are timed, and games whose draws are counted
HEADINGS = ("tables", "whole", "call", "choice", "refusal", "log", "mask", "observation", "legality", "luck", "rules", "bytes")


class Cost(NamedTuple):
    """Nanoseconds of one decision in a batch of `tables`, and its parts; `bytes` is what it reads and writes."""

    tables: int
    whole: float
    call: float
    choice: float
    refusal: float
    log: float
    mask: float
    observation: float
    legality: float
    luck: float
    rules: float
    bytes: int


@functools.cache
def advance_parts(spec: Game) -> Any:
    """Make the kernel that advances a batch by the parts that `parts` switches on; without any of them only the rules are left."""
    step, observe, legal = spec.step, spec.observe, spec.legal
    begin, finish = batch_kernels(spec).begin, batch_kernels(spec).finish

    @jit(home=spec.folder)
    def advance(batch, parts, words):  # type: ignore[no-untyped-def]
        """Take the actions of all tables, which must be legal; where a game has ended, begin the next."""
        b = Batch(*bare(batch))
        places = np.zeros(b.scores.shape[1], np.int64)
        for i in range(b.states.size):
            s = b.states[i]
            R = b.rules[b.rule[i]]
            if parts[LOG]:
                note(s, b.actions[i], b.log[i])
            step(s, R, b.actions[i])
            b.over[i] = s.turn < 0
            if b.over[i]:
                finish(s, R, b.reward, places, b.scores[i], b.utility[i])
                b.games[i] += b.stride
                b.seeds[i] = luck.game_seed(b.seed, b.games[i])
                begin(s, R, b.seeds[i])
            b.seat[i] = s.turn
            if parts[AGAIN]:
                legal(s, R, words)
            if parts[MASK]:
                bits.unpack(s.can, b.mask[i])
            if parts[OBSERVATION]:
                observe(s, R, s.turn, b.obs[i])

    return advance


@jit
def draws(times):  # type: ignore[no-untyped-def]
    """Draw many random numbers, each of which depends on the one before."""
    found = np.uint64(0)
    for k in range(times):
        found ^= luck.draw(found, 1, 2, 3, k)
    return found


def loops(tables: Tables) -> dict[str, Callable[[], None]]:
    """Return what is timed: each takes one decision at every table, or a part of one."""
    k, advance = batch_kernels(tables.game), advance_parts(tables.game)
    batch, words = tuple(tables.batch), np.zeros(tables.game.ACTIONS.words, np.uint64)
    states, actions = tables.batch.states, tables.batch.actions

    def choose() -> None:
        k.choose((states, actions, False), tables.n, 1)

    def step(parts: Any) -> None:
        choose()
        advance(batch, parts, words)

    full = np.array([True, True, True, False])
    some = {f"without {name}": np.where(np.arange(4) == part, False, full) for name, part in PARTS.items()}
    every = {"full": full, "legality twice": np.ones(4, np.bool_), **some}
    return {
        "whole": lambda: tables.step(tables.sample()),
        "choice": choose,
        "refusal": lambda: k.refuse((states, actions), tables.n, 1),
        **{name: functools.partial(step, parts) for name, parts in every.items()},
    }


def timed(run: Callable[[], None], n: int, seconds: float) -> float:
    """Return how many nanoseconds each of n tables takes."""
    times, start = 0, time.perf_counter()
    while not times or time.perf_counter() - start < seconds:
        run()
        times += 1
    return 1e9 * (time.perf_counter() - start) / (times * n)


def costs(v: Variant, sizes: Sequence[int], drawn: float, seconds: float = SECONDS, rounds: int = ROUNDS) -> Iterator[Cost]:
    """Yield the cost of a decision for each size of a batch; `drawn` is the number of draws in a decision."""
    draws(1)
    one_draw = statistics.median(timed(lambda: draws(DRAWS), DRAWS, seconds / 10) for _ in range(rounds))
    for n in sizes:
        tables = under_way(v, 1, 0, n)
        todo = loops(tables)
        found: dict[str, list[float]] = {name: [] for name in todo}
        for turn in range(rounds + 1):
            for name, run in todo.items():
                took = timed(run, n, seconds if turn else 0)
                if turn:
                    found[name].append(took)
        t = {name: statistics.median(took) for name, took in found.items()}
        saved = {name: t["full"] - t[f"without {name}"] for name in PARTS}
        legality, by_luck = t["legality twice"] - t["full"], drawn * one_draw
        kernel = t["full"] - t["choice"]
        rules = kernel - sum(saved.values()) - legality - by_luck
        call = t["whole"] - t["full"] - t["refusal"]
        moved = 2 * v.spec.STATE.itemsize + v.spec.FEATURES.size + len(v.spec.ACTIONS)
        yield Cost(n, t["whole"], call, t["choice"], t["refusal"], **saved, legality=legality, luck=by_luck, rules=rules, bytes=moved)


def draws_of(v: Variant) -> float:
    """Return the number of random draws in a decision of uniform play, the choice itself left out; another Python counts it."""
    command = [sys.executable, "-m", "alehouse.benchmarks.cost", "--draws", str(v)]
    done = subprocess.run(command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True)
    return float(done.stdout)


def counted(v: Variant) -> float:
    """Count the draws of a few games, without the JIT."""
    tally, watched = itertools.count(), luck.draw.__code__

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code is watched:
            next(tally)

    sys.setprofile(watch)
    try:
        decisions = int(play(v, COUNTED).decisions.sum())
    finally:
        sys.setprofile(None)
    return next(tally) / decisions - 1


def caches() -> str:
    """Return the sizes of the processor's caches, as far as the system tells them."""
    found = sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"))
    return ", ".join(f"level {(one / 'level').read_text().strip()} {(one / 'size').read_text().strip()}" for one in found)


def main(words: Sequence[str]) -> int:
    """Print a table of the costs of a game without modules in its longest form, in nanoseconds of one decision."""
    if words[:1] == ["--draws"]:
        print(counted(as_variant(words[1])))
        return 0
    if not words or words[0] not in (*GAMES, *REFERENCE) or not all(word.isdigit() and int(word) for word in words[1:]):
        print(f"python -m alehouse.benchmarks.cost GAME [TABLES ...]; GAME is one of {', '.join((*GAMES, *REFERENCE))}", file=sys.stderr)
        return 2
    v = game(words[0]).variant(length=game(words[0]).lengths[-1])
    drawn = draws_of(v)
    print(f"{v}: {drawn:.2f} draws a decision; a table is {v.spec.STATE.itemsize} bytes; caches: {caches()}; numba {numba.__version__}")
    print("".join(f"{name:>13}" for name in HEADINGS))
    for row in costs(v, [int(word) for word in words[1:]] or SIZES, drawn):
        print("".join(f"{value:13,.1f}" if isinstance(value, float) else f"{value:13,}" for value in row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
