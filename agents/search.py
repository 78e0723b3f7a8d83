"""What all searching agents share: redealt tables, and roll-outs by the heuristic up to the end of a round."""

import functools
from types import SimpleNamespace

from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.instant import instant_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.batch_kernels import batch_kernels
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, REDEALS, draw

CHOICE = 3  # the index of luck for choices within a roll-out


@functools.cache
def search(game: Game) -> SimpleNamespace:
    """Make the kernels of a game that look ahead."""
    step, determinize = game.step, game.determinize
    best, finish = instant_kernels(game).best, batch_kernels(game).finish
    known = heuristic_of(game)

    if known is None:

        @jit
        def clock(s):
            """Return 0 always, so that no roll-out is cut short."""
            return 0

        @jit
        def expect(s, R, W, utility):
            """Write zeros as estimates for a game in progress."""
            utility[:] = 0.0

    else:
        clock, expect = game.clock, known.evaluate

    @jit
    def deal(s, R, seat, key, k, dealt):
        """Make the first table of `dealt` the k-th redeal of s for a seat, and return it."""
        dealt[0] = s
        t = dealt[0]
        determinize(t, R, seat, draw(key, REDEALS, 0, 0, k))
        return t

    @jit
    def luck(key, t):
        """Return the random bits for one decision within a roll-out."""
        return draw(key, AGENTS, t.asked, t.turn, CHOICE)

    @jit
    def roll(t, R, W, until, key, steps):
        """Play on by the heuristic until the game's clock shows `until`, or to the end."""
        while t.turn >= 0 and clock(t) < until:
            step(t, R, best(t, R, W, luck(key, t)))
            steps[0] += 1

    @jit
    def judge(t, R, W, reward, places, points, utility):
        """Write the utility of each seat: the true one at the end of the game, the heuristic's estimate before that."""
        if t.turn < 0:
            finish(t, R, reward, places, points, utility)
        else:
            expect(t, R, W, utility)

    return SimpleNamespace(clock=clock, deal=deal, luck=luck, roll=roll, judge=judge)
