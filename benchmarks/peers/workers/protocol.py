"""The protocol that all workers speak: a line of JSON from standard input asks for a measurement, a line on standard output answers it.

The first line that a worker writes lists what it can measure. Whatever a simulator itself prints goes to standard error.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

SEEN, BARE = "observation and mask", "rules only"  # what a case writes for each decision


class Case(NamedTuple):
    """One thing a worker can measure. `run(seconds, seed)` plays for some time and returns decisions, games and seconds."""

    game: str
    how: str
    writes: str
    run: Callable[[float, int], tuple[int, int, float]]


def serve(version: str, cases: list[Case]) -> None:
    """List the cases, then measure whichever is asked for, until standard input ends. Only one core is used."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    listed = [{"game": case.game, "how": case.how, "writes": case.writes} for case in cases]
    print(json.dumps({"version": version, "cases": listed}), file=answers, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            decisions, games, seconds = cases[asked["case"]].run(asked["seconds"], asked["seed"])
            found: dict[str, Any] = {"decisions": decisions, "games": games, "seconds": seconds}
        except Exception as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), file=answers, flush=True)


def games_one_by_one(play: Callable[[random.Random], int]) -> Callable[[float, int], tuple[int, int, float]]:
    """Return a `run` that plays whole games by `play`, which plays one and returns its number of decisions."""

    def run(seconds: float, seed: int) -> tuple[int, int, float]:
        luck = random.Random(seed)
        decisions = games = 0
        start = now = time.perf_counter()
        while now - start < seconds:
            decisions += play(luck)
            games += 1
            now = time.perf_counter()
        return decisions, games, now - start

    return run
