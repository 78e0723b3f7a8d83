"""A kernel that never returns is reported with its place, and no process is left running."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.watch import Watch
from tests import one_move

PATIENCE = 5


@pytest.mark.slow
@pytest.mark.parametrize("flags", [{}, {"NUMBA_DISABLE_JIT": "1"}], ids=["compiled", "plain"])
def test_an_endless_kernel_is_reported_with_its_game_and_decision(flags: dict[str, str], root: Path) -> None:
    firsts = {seed: Tables(one_move.GAME.variant(), n=8, seed=seed).sample() == one_move.WIN for seed in range(20)}
    seed, won = next((seed, won) for seed, won in firsts.items() if not won[0] and won.any())
    command = [sys.executable, "-m", "tests.endless", "--games", "8", "--seed", str(seed), "--patience", str(PATIENCE)]
    process = subprocess.Popen(command, cwd=root, env=os.environ | flags, stdout=subprocess.PIPE, text=True, start_new_session=True)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 1
    assert f"endless-2p, seed {seed}, ends: game {np.argmax(won)}, decision 1: a kernel has not returned for {PATIENCE} s" in out
    assert "1 of 1 variants checked, 1 failed" in out
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_what_takes_long_by_right_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    watch = Watch()
    monkeypatch.setattr(os, "_exit", lambda code: said.append(f"code {code}"))
    with watch.guard(0.2, said.append):
        with watch.waiting():
            time.sleep(0.6)
        for _ in range(6):
            time.sleep(0.1)
            watch.reach("the next step")
    assert said == []
