"""Compiling a game on first use, with a message to the user."""

import contextlib
import functools
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import BinaryIO

import numba
import numpy as np

from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.batch_kernels import SMALL, batch_kernels, new_batch, new_games
from alehouse.envs.core.run.jit import CORE, UNKEPT, cache_folder, cache_root, prune, unwritable

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # there is none on Windows
    fcntl = None

PATIENCE = 600.0  # seconds after which nobody waits for another process any longer
HELD: list[Path] = []  # the marks of what this process is compiling


def ready_mark(game: Game, threads: int = 1) -> Path:
    """Return the path of the file that marks a game as compiled for play, with one thread or with several."""
    return cache_folder(game.folder) / f"{game.name}.{min(threads, 2)}.ready"


def kernels(game: Game, threads: int = 1) -> SimpleNamespace:
    """Return the batch kernels of a game, after compiling those that play needs if that was never done."""
    for many in (1, 2)[:threads]:
        with announced(game.name if many == 1 else f"{game.name} for several threads", ready_mark(game, many)) as due:
            if due:
                use(game, many)
    return batch_kernels(game)


@contextlib.contextmanager
def announced(what: str, mark: Path) -> Iterator[bool]:
    """Tell the user that something is being compiled and how long it took, unless the file `mark` exists; create that file at the end.

    Of several processes that come here at once, one compiles and the others wait for it.
    """
    if numba.config.DISABLE_JIT or there(mark):
        yield False
        return
    with alone(what, mark):
        due = not there(mark)
        if due:
            reason = unwritable(mark.parent)
            tell_unkept(reason)
            print(f"alehouse: compiling {what}{'' if reason else ', once'} ...", end=" ", file=sys.stderr, flush=True)
        start = time.perf_counter()
        yield due
        if due:
            print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
            tell_unkept(next(iter(UNKEPT), None))
            with contextlib.suppress(OSError):  # without the mark the next start says again that it compiles
                if not UNKEPT:
                    mark.touch()
                for folder in (mark.parent, cache_folder(CORE)):
                    prune(folder)


def there(mark: Path) -> bool:
    """Return whether a file exists, as far as this user can see."""
    try:
        return mark.exists()
    except OSError:
        return False


@functools.cache
def tell_unkept(reason: str | None) -> None:
    """Say once why compiled kernels cannot be kept, if there is a reason."""
    if reason is not None:
        text = f"compiled kernels cannot be kept in {cache_root()} ({reason}), so each start compiles them again"
        print(f"alehouse: {text}; set NUMBA_CACHE_DIR to a folder that can be written", file=sys.stderr, flush=True)


@contextlib.contextmanager
def alone(what: str, mark: Path) -> Iterator[None]:
    """Keep other processes from compiling the same at the same time; say so if one of them already does, and wait for it.

    Where files cannot be written or locked, nobody waits.
    """
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        file = open(mark.with_suffix(".lock"), "ab")  # noqa: SIM115
    except OSError:
        yield
        return
    with file:
        start = time.monotonic()
        while mark not in HELD and locked_by_another(file) and time.monotonic() - start < PATIENCE:
            tell_waiting(what)
            time.sleep(0.2)
        HELD.append(mark)
        try:
            yield
        finally:
            HELD.remove(mark)


def locked_by_another(file: BinaryIO) -> bool:
    """Lock a file until it is closed; return whether another process has locked it, so that this one must wait."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # a file system without locks
            return False
    return False


@functools.cache
def tell_waiting(what: str) -> None:
    """Say once that another process compiles."""
    print(f"alehouse: another process compiles {what}, waiting for it ...", file=sys.stderr, flush=True)


def use(game: Game, threads: int) -> None:
    """Call each kernel that play needs, on as few tables as this number of threads can share. No game is played: it might not end."""
    k, n = batch_kernels(game), 1 if threads == 1 else SMALL
    b = new_batch(game, game.variant().rules_record(), np.zeros(n, np.int64))
    k.open_tables(tuple(b), np.arange(n))
    k.choose((b.states, b.actions, False), n, threads)
    k.refuse((b.states, b.actions), n, threads)
    k.advance(tuple(b), n, threads)
    k.play(new_games(game.variant(), 0, threads=threads), 0, threads)
