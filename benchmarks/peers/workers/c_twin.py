"""Measures connect four written in C, as a yardstick: what the processor can do. Compiles connect_four.c beside this environment first."""

import ctypes
import subprocess
import sys
import time
from pathlib import Path

from protocol import BARE, SEEN, Case, serve

BATCH = 4096
TABLE, CELLS, COLUMNS = 32, 84, 7  # bytes of a table, of an observation and of a mask
GAMES = 10_000  # games in one call


def built() -> ctypes.CDLL:
    """Compile the source for this processor and load it."""
    source, library = Path(__file__).with_name("connect_four.c"), Path(sys.prefix) / "connect_four.so"
    subprocess.run(["cc", "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    found = ctypes.CDLL(str(library))
    found.step.argtypes, found.step.restype = [ctypes.c_void_p] * 3 + [ctypes.c_int64], ctypes.c_int64
    found.play.argtypes, found.play.restype = [ctypes.c_uint64, ctypes.c_int64], ctypes.c_int64
    return found


def cases() -> list[Case]:
    """Return a batch stepped from Python, and whole games in C."""
    code = built()
    tables = ctypes.create_string_buffer(BATCH * TABLE)
    obs, mask = ctypes.create_string_buffer(BATCH * CELLS), ctypes.create_string_buffer(BATCH * COLUMNS)
    for i in range(BATCH):  # the luck of each table stands behind its two boards
        ctypes.c_uint64.from_buffer(tables, i * TABLE + 16).value = (i + 1) * 0x5851F42D4C957F2D % 2**64

    def batch(seconds: float, seed: int) -> tuple[int, int, float]:
        decisions = games = 0
        start = now = time.perf_counter()
        while now - start < seconds:
            games += code.step(tables, obs, mask, BATCH)
            decisions += BATCH
            now = time.perf_counter()
        return decisions, games, now - start

    def whole(seconds: float, seed: int) -> tuple[int, int, float]:
        decisions = games = 0
        start = now = time.perf_counter()
        while now - start < seconds:
            decisions += code.play(seed + games, GAMES)
            games += GAMES
            now = time.perf_counter()
        return decisions, games, now - start

    return [Case("connect_four", "C twin, batch of 4,096", SEEN, batch), Case("connect_four", "C twin, whole games", BARE, whole)]


if __name__ == "__main__":
    serve("built here", cases())
