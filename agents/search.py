"""What all searching agents share: redealt copies, and roll-outs by the heuristic up to the end of a round."""

import functools
from types import SimpleNamespace

from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.instant import instant_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.batch_kernels import batch_kernels
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, REDEALS, draw

CHOICE = 3  # the index of luck for the choices within a roll-out


@functools.cache
def search(game: Game) -> SimpleNamespace:
    """Return the kernels of a game that look ahead."""
    step, determinize = game.step, game.determinize
    best, finish = instant_kernels(game).best, batch_kernels(game).finish
    known = heuristic_of(game)

    if known is None:

        @jit
        def clock(s):
            """Never cut a roll-out short."""
            return 0

        @jit
        def expect(s, R, W, utility):
            """Expect nothing of a game that is not over."""
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
        """Return the key of a decision within a roll-out."""
        return draw(key, AGENTS, t.asked, t.turn, CHOICE)

    @jit
    def roll(t, R, W, until, key, steps):
        """Play on by the heuristic until the clock reaches `until`, or to the end."""
        while t.turn >= 0 and clock(t) < until:
            step(t, R, best(t, R, W, luck(key, t)))
            steps[0] += 1

    @jit
    def judge(t, R, W, reward, places, points, utility):
        """Write the utility of each seat: the true one at the end of the game, before that what the heuristic expects."""
        if t.turn < 0:
            finish(t, R, reward, places, points, utility)
        else:
            expect(t, R, W, utility)

    return SimpleNamespace(clock=clock, deal=deal, luck=luck, roll=roll, judge=judge)
