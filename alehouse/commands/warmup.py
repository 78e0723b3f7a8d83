"""`alehouse warmup`: compile now what would otherwise be compiled on first use."""

import concurrent.futures
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numba
import numpy as np
import typer

from alehouse.agents import rate
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.network_file import SHIPPED
from alehouse.agents.value import shipped
from alehouse.agents.whole_games import line_of, play_line
from alehouse.commands import show
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.batch_kernels import SMALL, batch_kernels
from alehouse.envs.core.run.context import ask
from alehouse.envs.core.run.jit import UNKEPT, cache_root
from alehouse.envs.core.run.learner_tables import LearnerTables, RandomAgent
from alehouse.envs.core.run.random_games import play
from alehouse.envs.core.run.standings import outcomes, win_shares
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import REFERENCE, game, playable
from alehouse.players import player

Names = Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="The games to compile (default: all).")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="How many games to compile side by side, each in a process of its own.")]


def warmup(names: Names = None, jobs: Jobs = 1, json: show.Json = False) -> int:
    """Compile every kernel of the games: play, environments, agents, ratings; on one thread and on several."""
    chosen = [game(name).name for name in names or (*playable(), *REFERENCE)]
    found, cut = show.collect(warmed(chosen) if jobs == 1 else warmed_apart(chosen, jobs), len(chosen), "compiling")
    if json:
        show.write_json({"games": [{"game": name, "seconds": round(seconds, 2)} for name, seconds in found]})
    else:
        for name, seconds in found:
            print(f"{name}: ready after {seconds:.1f} s")
    if UNKEPT:
        raise ValueError(f"the compiled kernels cannot be kept in {cache_root()}: {UNKEPT[0]}")
    return show.status(cut)


def warmed(names: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Compile the games one by one; yield each with the seconds that took."""
    for name in names:
        start = time.perf_counter()
        use_all(game(name))
        yield name, time.perf_counter() - start


def warmed_apart(names: Sequence[str], jobs: int) -> Iterator[tuple[str, float]]:
    """Compile several games at a time, each in a process of its own; yield each with the seconds that took."""

    def compile_one(name: str) -> tuple[str, float]:
        start = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", "alehouse", "warmup", name], capture_output=True, text=True)
        if done.returncode:
            raise ValueError(f"{name}: {(done.stderr.strip().splitlines() or ['it ended without a word'])[-1]}")
        return name, time.perf_counter() - start

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from (one.result() for one in concurrent.futures.as_completed([pool.submit(compile_one, name) for name in names]))


def use_all(spec: Game) -> None:
    """Call every kernel of a game once, so that it is compiled."""
    v = spec.variant()
    for threads in range(1, min(2, numba.config.NUMBA_NUM_THREADS) + 1):
        tables = Tables(v, n=SMALL, threads=threads)
        tables.step(tables.mixed())
        play(v, threads, threads=threads)
        use_agents(spec, tables, threads)
    use_tables(tables)


def use_tables(tables: Tables) -> None:
    """Call what looks at tables, redeals them, and saves and loads them."""
    kernels = batch_kernels(tables.game)
    tables.step(tables.sample()[:1], [0])
    tables.observe(0, 0)
    tables.observe_all(0)
    standing, seats = tables.standing(0)[None], np.array([tables.distinct[0].seats])
    outcomes(tables.scores[:1], standing, seats)
    win_shares(standing, seats)
    tables.replay(0).tables()
    kernels.show(tuple(tables.batch))
    kernels.relegal(tables.states, tables.rules, tables.rule, 0, tables.states["can"][0].copy())
    with tempfile.TemporaryDirectory() as folder:
        tables.save(Path(folder) / "tables.npz")
        Tables.load(Path(folder) / "tables.npz")
    tables.determinize(tables.seat, 0)


def use_agents(spec: Game, tables: Tables, threads: int) -> None:
    """Have every kind of agent decide, play whole games, be an opponent, and rate answers."""
    agents = [player(name, spec, threads) for name in agents_of(spec)]
    for agent in agents:
        ask(agent, tables)
    seating, seeds = np.zeros((SMALL, tables.distinct[0].seats), np.int8), np.arange(SMALL, dtype=np.uint64)
    for agent in agents:
        if line_of([agent], spec) is not None:
            play_line(tables.distinct[0], [agent], seating, seeds, threads)
    opponents: list[Any] = [RandomAgent(), *agents]
    for opponent in opponents:
        if hasattr(opponent, "inside") and opponent.inside(spec) is not None:
            learning = LearnerTables(tables.distinct[0], SMALL, [opponent], [[0]], threads=threads)
            learning.reset()
            learning.step(learning.sample())
    for agent in agents:
        rate(agent, tables, plays=2, threads=threads, which=[0])


def agents_of(spec: Game) -> list[str]:
    """Return names of agents of a game that together use every kernel of its agents."""
    found = ["uniform", "greedy", "rollout:2:leaf=estimate", "ismcts:2:leaf=estimate"]
    if heuristic_of(spec) is not None:
        found += ["heuristic", "careless:share=0.5"]
    if shipped(spec) is not None:
        found += ["rollout:2", "ismcts:2"]
    if (SHIPPED / f"{spec.name}.safetensors").is_file():
        found.append("net")
    return found
