"""`alehouse doctor`: show what the kernels run on, and what slows them down or stops them."""

import contextlib
import os
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numba

from alehouse.benchmarks.arena.store import PLAYERS
from alehouse.benchmarks.machine import cores, machine
from alehouse.commands import show
from alehouse.envs.core.run.compiling import ready_mark, there
from alehouse.envs.core.run.jit import CORE, cache_root, damaged, unwritable
from alehouse.envs.games import REFERENCE, game, playable

PACKAGES = ("alehouse", "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "typer", "rich")


def doctor(json: show.Json = False) -> int:
    """Show versions, cores, threading layer, compile cache and flags; say what is wrong and what helps."""
    found = {
        "versions": {name: installed(name) for name in PACKAGES},
        "machine": machine(),
        "threads": int(numba.config.NUMBA_NUM_THREADS),
        "cache": {"folder": str(cache_root()), "megabytes": round(size(cache_root()) / 1e6, 1), "unwritable": unwritable(cache_root())},
        "flags": {"jit": not numba.config.DISABLE_JIT, "boundscheck": bool(numba.config.BOUNDSCHECK), "opt": int(numba.config.OPT)},
        "compiled": {name: there(ready_mark(game(name))) for name in (*playable(), *REFERENCE)},
        "problems": [{"problem": problem, "advice": advice} for problem, advice in problems()],
    }
    if json:
        show.write_json(found)
    else:
        write(found)
    return int(bool(found["problems"]))


def installed(package: str) -> str | None:
    """Return the version of a package, or None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def size(folder: Path) -> int:
    """Return the total size in bytes of all files below a folder that this user can see."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # another process may just have removed it
                total += os.stat(os.path.join(path, name)).st_size
    return total


def problems() -> Iterator[tuple[str, str]]:
    """List what slows things down or stops them on this machine, each with a remedy."""
    layer = machine()["threading_layer"]
    if layer != "omp":
        yield f"numba runs threads on {layer}: starting them costs 50 times what it costs on omp", "set NUMBA_THREADING_LAYER=omp"
    if numba.config.DISABLE_JIT:
        yield "the JIT is off: everything runs in plain Python", "unset NUMBA_DISABLE_JIT"
    if numba.config.BOUNDSCHECK:
        yield "bounds checks are on: kernels are slower", "unset NUMBA_BOUNDSCHECK"
    if cores() > numba.config.NUMBA_NUM_THREADS:
        yield f"{numba.config.NUMBA_NUM_THREADS} threads on {cores()} cores", "unset NUMBA_NUM_THREADS"
    spoilt = [path for home in (CORE, PLAYERS, *(game(name).folder for name in (*playable(), *REFERENCE))) for path in damaged(home)]
    if spoilt:
        more = f" and {len(spoilt) - 1} more" if len(spoilt) > 1 else ""
        yield f"damaged compiled kernels: {spoilt[0]}{more}", "nothing to do: they are compiled again when they are needed"
    slow = [name for name in (*playable(), *REFERENCE) if not there(ready_mark(game(name)))]
    reason = unwritable(cache_root())
    if reason and slow and not numba.config.DISABLE_JIT:
        advice = "set NUMBA_CACHE_DIR to a folder that can be written, or to one that `alehouse warmup` has filled"
        yield f"{cache_root()} cannot be written ({reason}): each start compiles {', '.join(slow)}", advice


def write(found: dict[str, Any]) -> None:
    """Print the findings as a table."""
    rows = [(name, found_version or "not installed") for name, found_version in found["versions"].items()]
    rows += [(name.replace("_", " "), str(value)) for name, value in found["machine"].items() if name not in found["versions"]]
    cache = found["cache"]
    only = f"; read only: {cache['unwritable']}" if cache["unwritable"] else ""
    rows += [("threads", str(found["threads"])), ("cache", f"{cache['folder']} ({cache['megabytes']} MB{only})")]
    rows += [(f"flag {name}", str(value)) for name, value in found["flags"].items()]
    later = "compiled at each start" if cache["unwritable"] else "compiled on first use"
    rows += [(name, "compiled" if ready else later) for name, ready in found["compiled"].items()]
    show.write_table(("what", "here"), rows)
    for one in found["problems"]:
        print(f"{one['problem']}: {one['advice']}")
    if not found["problems"]:
        print("no problems found")
