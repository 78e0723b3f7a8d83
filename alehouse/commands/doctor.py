"""`alehouse doctor`: show what the kernels run on, and what slows them down or stops them."""

import os
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numba

from alehouse.benchmarks.arena.store import PLAYERS
from alehouse.benchmarks.machine import cores, machine
from alehouse.commands import show
from alehouse.envs.core.run.compiling import ready_mark
from alehouse.envs.core.run.jit import CORE, cache_root, damaged
from alehouse.envs.games import REFERENCE, game, playable

PACKAGES = ("alehouse", "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "typer", "rich")


def doctor(json: show.Json = False) -> int:
    """Show versions, cores, threading layer, compile cache and flags; say what is wrong and what helps."""
    found = {
        "versions": {name: installed(name) for name in PACKAGES},
        "machine": machine(),
        "threads": int(numba.config.NUMBA_NUM_THREADS),
        "cache": {"folder": str(cache_root()), "megabytes": round(size(cache_root()) / 1e6, 1)},
        "flags": {"jit": not numba.config.DISABLE_JIT, "boundscheck": bool(numba.config.BOUNDSCHECK), "opt": int(numba.config.OPT)},
        "compiled": {name: ready_mark(game(name)).exists() for name in (*playable(), *REFERENCE)},
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
    """Return the total size in bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


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
    root = cache_root()
    there = next(folder for folder in (root, *root.absolute().parents) if folder.exists())
    if not os.access(there, os.W_OK):
        yield f"{there} cannot be written: kernels are compiled at every start", "set NUMBA_CACHE_DIR to a folder of yours"


def write(found: dict[str, Any]) -> None:
    """Print the findings as a table."""
    rows = [(name, there or "not installed") for name, there in found["versions"].items()]
    rows += [(name.replace("_", " "), str(value)) for name, value in found["machine"].items() if name not in found["versions"]]
    rows += [("threads", str(found["threads"])), ("cache", f"{found['cache']['folder']} ({found['cache']['megabytes']} MB)")]
    rows += [(f"flag {name}", str(value)) for name, value in found["flags"].items()]
    rows += [(name, "compiled" if there else "compiled on first use") for name, there in found["compiled"].items()]
    show.write_table(("what", "here"), rows)
    for one in found["problems"]:
        print(f"{one['problem']}: {one['advice']}")
    if not found["problems"]:
        print("no problems found")
