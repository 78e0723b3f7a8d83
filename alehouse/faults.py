"""Runs a command line in a process of its own under a fault: killed, with a full disk, a torn file, or a clock that jumps."""

import contextlib
import io
import os
import random
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

PATIENCE = 600.0  # seconds after which a job counts as hanging
JUMP = 10**7  # seconds by which a clock may jump


class Ended(NamedTuple):
    """How a command ended: its exit code, or minus the number of the signal; what it printed."""

    code: int
    out: str
    err: str


def run(words: Sequence[str], lines: str, fault: Callable[[], None], seconds: float) -> Ended:
    """Run a command line under a fault, in a forked process that is killed after some seconds; `lines` are typed into it."""
    into, typed = os.pipe()
    (out, out_end), (err, err_end) = os.pipe(), os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        for end, place in ((into, 0), (out_end, 1), (err_end, 2)):
            os.dup2(end, place)
        os.closerange(3, 256)
        os._exit(obeyed(words, fault))
    for end in (into, out_end, err_end):
        os.close(end)
    with contextlib.suppress(OSError):
        os.setpgid(child, child)  # whoever comes first
    with contextlib.suppress(BrokenPipeError), open(typed, "wb") as person:
        person.write(lines.encode())
    heard = drained((out, err), time.monotonic() + seconds, child)
    return Ended(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), *heard)


def obeyed(words: Sequence[str], fault: Callable[[], None]) -> int:
    """Set up the fault and carry out the command line, in the forked process; return the exit code."""
    from alehouse.cli import app

    sys.stdin, sys.stdout, sys.stderr = (open(k, mode, closefd=False) for k, mode in enumerate("rww"))  # noqa: SIM115
    try:
        fault()
        app(list(words), prog_name="alehouse")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except BaseException:
        traceback.print_exc()
        return 70
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    return 0


def drained(ends: tuple[int, int], until: float, child: int) -> tuple[str, str]:
    """Return what a process writes into two pipes; kill it when its time is over."""
    heard, left = {end: io.BytesIO() for end in ends}, set(ends)
    while left:
        for end in select.select(list(left), [], [], max(0.0, until - time.monotonic()))[0]:
            if data := os.read(end, 1 << 16):
                heard[end].write(data)
            else:
                left.discard(end)
        if left and time.monotonic() >= until:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            until = time.monotonic() + PATIENCE
    for end in ends:
        os.close(end)
    out, err = (heard[end].getvalue().decode(errors="replace") for end in ends)
    return out, err


# Faults


def unharmed() -> None:
    """Do nothing: the run without a fault."""


def full_disk(room: int) -> Callable[[], None]:
    """Return a fault that lets no file grow beyond a number of bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))


def jumping_clock(luck: random.Random) -> Callable[[], None]:
    """Return a fault that makes the clock jump forwards and backwards."""
    seed, clock = luck.random(), time.time

    def jump() -> None:
        leaps = random.Random(seed)
        time.time = lambda: clock() + leaps.uniform(-JUMP, JUMP)

    return jump


def torn(folder: Path, luck: random.Random) -> tuple[Path, bytes] | None:
    """Tear one of the files of a run: cut it short, or change bytes in it. Return which, and what it held."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    if not files:
        return None
    path = luck.choice(files)
    held = path.read_bytes()
    path.write_bytes(damaged(held, luck))
    return path, held


def damaged(data: bytes, luck: random.Random) -> bytes:
    """Return bytes after a fault: cut short, a few bits turned, a piece filled with zeros, or a piece twice."""
    way, at = luck.randrange(4), luck.randrange(len(data))
    if way == 0:
        return data[:at]
    if way == 1:
        found = bytearray(data)
        for _ in range(luck.choice((1, 1, 1, 2, 8))):
            found[luck.randrange(len(found))] ^= 1 << luck.randrange(8)
        return bytes(found)
    size = luck.choice((1, 16, 512))
    return data[:at] + (bytes(len(data[at : at + size])) + data[at + size :] if way == 2 else data[at : at + size] + data[at:])
