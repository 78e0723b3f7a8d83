"""Measures this package, or another revision of it, for `make bench-guard`; its arguments are names of games."""

import functools
import sys
from importlib.metadata import version

from alehouse_games import play
from protocol import Case, serve

from alehouse.benchmarks import throughput
from alehouse.envs.games import game

MODES = ("kernel", "batch", "heuristics", "networks")


def cases(names: list[str]) -> list[Case]:
    """Return each mode of each game, in its longest form, without modules, on one thread."""
    found = []
    for name in names:
        v = game(name).variant(length=game(name).lengths[-1])
        some = {case.mode: case for case in throughput.cases(game(name)) if case.threads == 1 and case.variant == v}
        found += [Case(name, mode, "", functools.partial(play, some[mode].run, v)) for mode in MODES if mode in some]
    return found


if __name__ == "__main__":
    serve(version("alehouse"), cases(sys.argv[1:]))
