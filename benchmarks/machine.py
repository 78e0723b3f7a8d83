"""Describes the machine that a figure was measured on."""

import os
import platform
from pathlib import Path

import numba
import numpy as np


def threading_layer() -> str:
    """Return the name of the layer by which numba runs threads."""
    numba.get_num_threads()
    return str(numba.threading_layer())


def processor() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def machine() -> dict[str, str | int]:
    """Return a description of processor, cores and versions."""
    return {
        "processor": processor(),
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "threading_layer": threading_layer(),
    }
