"""Games played to their end twice: as they were, and with one offered item swapped for another at one random moment."""

import functools
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from alehouse.agents.quick import RANK, quick
from alehouse.benchmarks.balance.kernels.offers import offers
from alehouse.envs.core import bits
from alehouse.envs.core.context import chance
from alehouse.envs.core.drive import bare, drivers
from alehouse.envs.core.game import Game
from alehouse.envs.core.jit import jit
from alehouse.envs.core.luck import REDEALS, below, draw

SWAPPED = ("seat", "was", "became")  # became: -1 where nothing was swapped
MOMENT = 3  # the round of this luck that chooses the moment
kernel = functools.partial(jit, home=Path(__file__).parent)


@functools.cache
def swapped(game: Game) -> SimpleNamespace:
    """The kernel of a game that has offers."""
    hooks = offers(game)
    assert hooks is not None
    offered, lying, exchange = hooks.offered, hooks.lying, hooks.exchange
    step, legal = game.step, game.legal
    begin, finish = drivers(game).begin, drivers(game).finish
    prepare, decide = quick(game).prepare, quick(game).decide

    @kernel
    def play_on(s, R, W, how, desk, kept):
        """To the end; one of the moments with an offer, each as likely, is kept. The offer there, or -1."""
        found, moments = -1, 0
        while s.turn >= 0:
            p = int(s.turn)
            if kept.size > 0 and bits.count(s.can) > 1:
                key = draw(s.seed, REDEALS, MOMENT, p, s.asked)
                where = offered(s, key)
                moments += int(where >= 0)
                if where >= 0 and below(key, REDEALS, MOMENT, 0, 0, moments) == 0:
                    kept[0] = s
                    found = where
            step(s, R, decide(s, R, W, p, chance(s.seed, s.asked, p), how, desk))
        return found

    @kernel
    def pairs(tables, rules, weights, how, seeds, what, points, utility, low, high):
        """Pairs of games; points[i, 0] and utility[i, 0] as it was, [i, 1] with the other item."""
        tables, points, utility, what = bare(tables), bare(points), bare(utility), bare(what)
        desk = prepare(how)
        places = np.zeros(points.shape[2], np.int64)
        R, W = rules[0], weights[0]
        s, kept, none = tables[0], tables[1:2], tables[:0]
        for i in range(low, high):
            begin(s, R, seeds[i])
            where = play_on(s, R, W, how, desk, kept)
            finish(s, R, RANK, places, points[i, 0], utility[i, 0])
            what[i, 2] = -1
            if where >= 0:
                other = kept[0]
                what[i, 0] = other.turn
                what[i, 1] = lying(other, where)
                what[i, 2] = exchange(other, where, draw(other.seed, REDEALS, MOMENT, 0, 0))
                legal(other, R, other.can)
                play_on(other, R, W, how, desk, none)
                finish(other, R, RANK, places, points[i, 1], utility[i, 1])

    return SimpleNamespace(pairs=pairs)
