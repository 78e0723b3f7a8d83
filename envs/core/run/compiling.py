"""Compiling a game on first use, with a message to the user."""

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np

from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.batch_kernels import SMALL, batch_kernels, new_batch, new_games
from alehouse.envs.core.run.jit import CORE, cache_folder, prune


def ready_mark(game: Game, threads: int = 1) -> Path:
    """Return the path of the file that marks a game as compiled for play, with one thread or with several."""
    return cache_folder(game.folder) / f"{game.name}.{min(threads, 2)}.ready"


def kernels(game: Game, threads: int = 1) -> SimpleNamespace:
    """Return the batch kernels of a game, after compiling those that play needs if that was never done."""
    for many in (1, 2)[:threads]:
        with announced(game.name if many == 1 else f"{game.name} for several threads", ready_mark(game, many)) as due:
            if due:
                use(game, many)
        if due:
            for home in (CORE, game.folder):
                prune(home)
    return batch_kernels(game)


@contextlib.contextmanager
def announced(what: str, mark: Path) -> Iterator[bool]:
    """Tell the user that something is being compiled and how long it took, unless the file `mark` exists; create that file at the end."""
    due = not numba.config.DISABLE_JIT and not mark.exists()
    if due:
        print(f"alehouse: compiling {what}, once ...", end=" ", file=sys.stderr, flush=True)
    start = time.perf_counter()
    yield due
    if due:
        print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        with contextlib.suppress(OSError):  # without the mark the next start says again that it compiles
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()


def use(game: Game, threads: int) -> None:
    """Call each kernel that play needs, on as few tables as this number of threads can share. No game is played: it might not end."""
    k, n = batch_kernels(game), 1 if threads == 1 else SMALL
    b = new_batch(game, game.variant().rules_record(), np.zeros(n, np.int64))
    k.open_tables(tuple(b), np.arange(n))
    k.choose((b.states, b.actions, False), n, threads)
    k.refuse((b.states, b.actions), n, threads)
    k.advance(tuple(b), n, threads)
    k.play(new_games(game.variant(), 0, threads=threads), 0, threads)
