"""Measures the games of Alehouse: batches stepped from Python, whole games in a kernel, and connect four by PettingZoo's interface."""

import functools
from collections.abc import Callable
from importlib.metadata import version

from protocol import BARE, SEEN, Case, serve

from alehouse.benchmarks.throughput import Tally, aec, batch, kernel
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.games import GAMES, game

Measure = Callable[[Variant, int, int, float], Tally]
HOW: dict[Measure, tuple[str, str]] = {
    batch: ("Alehouse, batch of 4,096", SEEN),
    kernel: ("Alehouse, kernel", BARE),
    aec: ("Alehouse, PettingZoo raw_env", SEEN),
}


def play(measure: Measure, v: Variant, seconds: float, seed: int) -> tuple[int, int, float]:
    """Measure a variant on one thread, and return decisions, games and seconds."""
    tally = measure(v, 1, seed, seconds)
    return tally.decisions, tally.games or 0, tally.seconds


def cases() -> list[Case]:
    """Return the cases of every game, in its longest form, without modules."""
    found = []
    for name in ("connect_four", *GAMES):
        v = game(name).variant(length=game(name).lengths[-1])
        measures = (batch, kernel, aec) if name == "connect_four" else (batch, kernel)
        found += [Case(name, *HOW[measure], functools.partial(play, measure, v)) for measure in measures]
    return found


if __name__ == "__main__":
    serve(version("alehouse"), cases())
