"""Measures board games of EnvPool: batches on one thread, stepped from Python."""

import time
from importlib.metadata import version
from typing import Any

import envpool
import numpy as np
from protocol import SEEN, Case, serve

GAMES = {"ConnectFour-v1": "connect_four", "Backgammon-v1": "backgammon"}
BATCH = 1024


def case(name: str, game: str) -> Case:
    """Return the case of one game, whose batch goes on from one measurement to the next."""
    env: Any = envpool.make(name, env_type="gymnasium", num_envs=BATCH, num_threads=1, seed=0)
    masks = [env.reset()[1]["legal_action_mask"]]

    def run(seconds: float, seed: int) -> tuple[int, int, float]:
        luck = np.random.default_rng(seed)
        decisions = games = 0
        start = now = time.perf_counter()
        while now - start < seconds:
            chance = luck.random(masks[0].shape, np.float32)
            _, _, ended, cut, info = env.step(np.where(masks[0], chance, -1.0).argmax(axis=1))
            masks[0] = info["legal_action_mask"]
            # a table whose game has ended spends its next step on the reset, which is no decision
            over = int(np.count_nonzero((ended | cut).reshape(BATCH, -1).any(axis=1)))
            decisions, games = decisions + BATCH - over, games + over
            now = time.perf_counter()
        return decisions, games, now - start

    return Case(game, f"EnvPool, batch of {BATCH:,}", SEEN, run)


if __name__ == "__main__":
    serve(version("envpool"), [case(*item) for item in GAMES.items()])
