"""A game whose second decision never returns if the first one was a win; run as a program, this file lets `alehouse check` check it."""

import dataclasses
import sys

from alehouse.cli import app
from alehouse.commands import check
from alehouse.envs.core.run.jit import jit
from tests import one_move


@jit
def step(s, R, action):
    """Loop for ever where the game is decided for seat 0."""
    while s.asked == 1 and s.winner == 0:
        pass
    one_move.step(s, R, action)


GAME = dataclasses.replace(one_move.GAME, name="endless", module="tests.endless", step=step)

if __name__ == "__main__":
    check.game = lambda name: GAME
    app(["check", "endless", *sys.argv[1:]])
