"""Digests of random play: `signature` tells whether a variant still plays the same, `trace` tells where two runs begin to differ."""

import hashlib

import numpy as np

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.watch import WATCH

GRAIN = 10_000  # utilities are rounded to four decimals
BLOCK = 16  # a trace redeals each time after this many decisions


def signature(v: Variant, games: int = 20, seed: int = 0) -> str:
    """Return a digest of all that can be seen of some games: who acts, masks, observations, scores and utilities."""
    text = hashlib.sha256(f"{v.n_actions} {[tuple(row) for row in v.features]}".encode())
    t = Tables(v, n=games, seed=seed, autoreset=False)
    while not t.over.all():
        for array in (t.seat, t.mask, t.obs):
            text.update(array.tobytes())
        t.step(t.mixed())
    for i in range(games):
        text.update(t.observe_all(i).tobytes())
    text.update(t.scores.tobytes() + np.rint(t.utility * GRAIN).astype(np.int32).tobytes())
    return text.hexdigest()[:16]


def trace(v: Variant, games: int, seed: int) -> dict[str, str]:
    """Return one digest for every block of decisions of some games; it covers states, all that can be seen, and redeals for every seat."""
    found: dict[str, str] = {}
    WATCH.reach(f"{v}, seed {seed}, the first position")
    t = Tables(v, n=games, seed=seed, autoreset=False)
    for block in range(v.bound // BLOCK + 1):
        dealt = b"".join(t.determinize(p, block).states.tobytes() for p in range(v.seats))
        found[f"redeals at decision {block * BLOCK}"] = hashlib.sha256(dealt).hexdigest()
        text = hashlib.sha256()
        for decision in range(block * BLOCK, (block + 1) * BLOCK):
            WATCH.reach(f"{v}, seed {seed}, decision {decision}")
            for array in (t.states, t.seat, t.mask, t.obs, t.scores, t.utility):
                text.update(array.tobytes())
            if not t.over.all():
                t.step(t.mixed())
        found[f"decisions {block * BLOCK} to {block * BLOCK + BLOCK - 1}"] = text.hexdigest()
        if t.over.all():
            break
    found["results"] = hashlib.sha256(t.scores.tobytes() + t.utility.tobytes()).hexdigest()
    return found
