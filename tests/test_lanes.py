"""Some tests run again in plain Python, and with bounds checks: those that are marked `lanes`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from alehouse.envs.games import GAMES

MARK = "mark.lanes"
LANES = {
    "without the JIT": ({"NUMBA_DISABLE_JIT": "1"}, []),
    # NumPy checks the bounds of plain Python too, so the large games, which take long to compile, need no checks beyond those.
    "with bounds checks": ({"NUMBA_BOUNDSCHECK": "1"}, ["-k", f"not ({' or '.join(GAMES)})"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("lane", LANES)
def test_a_lane(lane: str, root: Path) -> None:
    flags, chosen = LANES[lane]
    files = [str(path) for path in (root / "tests").rglob("test_*.py") if MARK in path.read_text("utf-8") and path != Path(__file__)]
    command = [sys.executable, "-m", "pytest", "-m", "lanes", "-p", "no:cacheprovider", "-p", "no:xdist", *chosen, *files]
    done = subprocess.run(command, cwd=root, env=os.environ | flags, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
