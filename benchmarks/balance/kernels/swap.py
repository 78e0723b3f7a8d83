"""Games played to their end, and twice more from one random moment: with one item, and with another one instead."""

import functools
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from alehouse.agents.instant import quick
from alehouse.benchmarks.balance.kernels.offers import ON_OFFER, chosen, instead, offers
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import bare, drivers
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import REDEALS, below, draw
from alehouse.envs.core.run.standings import RANK

SWAPPED = ("seat", "was", "became", "open", "taken")  # became: -1 where nothing was exchanged; open: to be taken at that moment
SEAT, WAS, BECAME, OPEN, TAKEN = range(len(SWAPPED))
PLAYED, WITH, INSTEAD = range(3)  # games: as they were played, with the first of the items, with the second
MOMENT = 3  # the round of this luck that chooses the moment
kernel = functools.partial(jit, home=Path(__file__).parent)


@functools.cache
def swapped(game: Game) -> SimpleNamespace:
    """The kernels of a game that has items to exchange."""
    hooks = offers(game)
    assert hooks is not None
    offered, lying, exchange, takes = hooks.offered, hooks.lying, hooks.exchange, hooks.takes
    step, legal = game.step, game.legal
    begin, finish, actions = drivers(game).begin, drivers(game).finish, len(game.ACTIONS)
    prepare, decide = quick(game).prepare, quick(game).decide

    @kernel
    def item(s, family, choice, key):
        """Where an item is that the seat to move could have exchanged, or -1."""
        question, start, size = choice
        return offered(s, family, key) if question == ON_OFFER else chosen(s, question, start, size, key)

    @kernel
    def taking(s, family, choice, where, a):
        """Whether an action takes the item."""
        return takes(s, family, where, a) if choice[0] == ON_OFFER else a == where

    @kernel
    def note(s, family, choice, where, a, what):
        """Who is offered the item, whether an action takes it, and whether this one does."""
        what[SEAT], what[OPEN], what[TAKEN] = s.turn, 0, int(taking(s, family, choice, where, a))
        for other in range(actions):
            what[OPEN] |= int(bits.has(s.can, other) and taking(s, family, choice, where, other))

    @kernel
    def play(s, R, W, how, desk, family, choice, kept, what):
        """A game to its end; of the moments with an item one, each as likely, is kept. Where the item is, or -1."""
        found, moments = -1, 0
        while s.turn >= 0:
            p = int(s.turn)
            a = decide(s, R, W, p, chance(s.seed, s.asked, p), how, desk)
            key = draw(s.seed, REDEALS, MOMENT, p, s.asked)
            where = item(s, family, choice, key) if bits.count(s.can) > 1 else -1
            moments += int(where >= 0)
            if where >= 0 and below(key, REDEALS, MOMENT, 0, 0, moments) == 0:
                kept[0] = s
                found = where
                note(s, family, choice, where, a, what)
            step(s, R, a)
        return found

    @kernel
    def play_on(s, R, W, how, desk):
        """To the end."""
        while s.turn >= 0:
            p = int(s.turn)
            step(s, R, decide(s, R, W, p, chance(s.seed, s.asked, p), how, desk))

    @kernel
    def swap(other, R, family, where, what):
        """Another item lies there."""
        what[WAS] = lying(other, family, where)
        what[BECAME] = exchange(other, R, family, where, draw(other.seed, REDEALS, MOMENT, 0, 0))
        legal(other, R, other.can)

    @kernel
    def choose(s, other, R, choice, a, what):
        """One is taken at one table, another one at the other."""
        start, size = choice[1], choice[2]
        b = instead(other, start, size, a, draw(other.seed, REDEALS, MOMENT, 0, 0))
        what[WAS], what[BECAME] = a - start, b - start
        step(s, R, a)
        step(other, R, b)

    @kernel
    def pairs(tables, rules, weights, how, seeds, family, choice, what, points, utility, low, high):
        """Games played as they were, with the item that was, and with the one it became."""
        tables, points, utility, what = bare(tables), bare(points), bare(utility), bare(what)
        desk = prepare(how)
        places = np.zeros(points.shape[2], np.int64)
        R, W = rules[0], weights[0]
        s, other = tables[0], tables[1]
        for i in range(low, high):
            begin(s, R, seeds[i])
            where = play(s, R, W, how, desk, family, choice, tables[1:2], what[i])
            what[i, BECAME] = -1
            if where < 0:
                continue
            finish(s, R, RANK, places, points[i, PLAYED], utility[i, PLAYED])
            if choice[0] == ON_OFFER:
                swap(other, R, family, where, what[i])
            else:
                tables[0] = other
                choose(s, other, R, choice, where, what[i])
                play_on(s, R, W, how, desk)
            if what[i, BECAME] >= 0:
                finish(s, R, RANK, places, points[i, WITH], utility[i, WITH])
                play_on(other, R, W, how, desk)
                finish(other, R, RANK, places, points[i, INSTEAD], utility[i, INSTEAD])

    return SimpleNamespace(pairs=pairs, swap=swap)
