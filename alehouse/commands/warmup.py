"""`alehouse warmup`: compile now what would otherwise be compiled on first use."""

import time
from collections.abc import Iterator, Sequence
from typing import Annotated

import numba
import typer

from alehouse.commands import show
from alehouse.envs.core.run.batch_kernels import SMALL, batch_kernels
from alehouse.envs.core.run.random_games import play
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import REFERENCE, game, playable

Names = Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="The games to compile (default: all).")]


def warmup(names: Names = None, json: show.Json = False) -> int:
    """Compile every kernel of the games, including those for several threads."""
    chosen = [game(name).name for name in names or (*playable(), *REFERENCE)]
    found, cut = show.collect(warmed(chosen), len(chosen), "compiling")
    if json:
        show.write_json({"games": [{"game": name, "seconds": round(seconds, 2)} for name, seconds in found]})
    else:
        for name, seconds in found:
            print(f"{name}: ready after {seconds:.1f} s")
    return show.status(cut)


def warmed(names: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Compile the games one by one; yield each with the seconds that took."""
    for name in names:
        start = time.perf_counter()
        use_all(name)
        yield name, time.perf_counter() - start


def use_all(name: str) -> None:
    """Call every batch kernel of a game once, so that it is compiled."""
    v = game(name).variant()
    kernels = batch_kernels(v.spec)
    for threads in range(1, min(2, numba.config.NUMBA_NUM_THREADS) + 1):
        tables = Tables(v, n=SMALL, threads=threads)
        tables.step(tables.sample())
        play(v, threads, threads=threads)
    tables.observe(0, 0)
    tables.determinize(tables.seat, 0)
    kernels.show(tuple(tables.batch))
    kernels.relegal(tables.states, tables.rules, tables.rule, 0, tables.states["can"][0].copy())
