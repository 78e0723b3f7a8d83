"""What luck brought to each seat: the game's seed is played by one agent in every seat, with a stream of luck as it was and redrawn."""

from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.forks import AS_IT_IS, NO_ANSWER, play_forks
from alehouse.agents.kernel_agent import Kernel
from alehouse.benchmarks.review.decisions import Floats
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.luck import REDEALS, draw_each, redrawn
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.intervals import Z95

ALL = "all luck"
MOST = 255  # a stream can be redrawn this often
TOP = 56  # the bits of a seed from here on say which stream is redrawn


class Luck(NamedTuple):
    """For each seat, what a source of luck brought beyond the same source redrawn, in shares of the win."""

    source: str
    brought: tuple[float, ...]
    half: tuple[float, ...]  # half of each 95 % interval


def lucks(v: Variant, agent: Kernel, seed: int, plays: int, threads: int = 1) -> tuple[Floats, list[Luck]]:
    """Return each seat's share of the win on the luck of a game's seed, and what each source of that luck brought."""
    plays = min(plays, MOST)
    keys = draw_each(np.full(plays, seed, np.uint64), REDEALS, np.arange(plays))
    base = played(v, agent, np.full(plays, seed, np.uint64), keys, threads)
    sources = [(ALL, keys)] + [
        (v.spec.streams[k].replace("_", " "), np.array([redrawn(seed, k, n) for n in range(plays + 1) if redrawn(seed, k, n) != seed]))
        for k in streams_told(seed, len(v.spec.streams))
    ]
    return base.mean(axis=0), [compared(name, base, played(v, agent, seeds[:plays], keys, threads)) for name, seeds in sources]


def streams_told(seed: int, streams: int) -> list[int]:
    """Return which streams can be redrawn alone. A seed that itself stands for a redrawn stream has room for that one only."""
    marked = (int(seed) >> TOP) - 1
    return [marked] if 0 <= marked < streams else list(range(streams))


def played(v: Variant, agent: Kernel, seeds: Any, keys: Any, threads: int) -> Floats:
    """Return each seat's share of the win in the games of some seeds; the keys decide the choices of agents."""
    tables = Tables(v, n=len(seeds), autoreset=False)
    tables.reset(seeds=seeds)
    rows = [(i, NO_ANSWER, AS_IT_IS) for i in range(len(seeds))]
    return play_forks(agent, tables.states, tables.rules, tables.rule, rows, keys, threads)


def compared(name: str, base: Floats, other: Floats) -> Luck:
    """Return what a source brought: the luck as it was, minus the source redrawn."""
    half = Z95 * np.sqrt((base.var(axis=0, ddof=1) + other.var(axis=0, ddof=1)) / len(base))
    return Luck(name, tuple(map(float, base.mean(axis=0) - other.mean(axis=0))), tuple(map(float, half)))
