"""Games played to their end, and twice more from one random moment: once with an item, and once with another one instead."""

import functools
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.instant import instant_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import bare, batch_kernels
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import REDEALS, below, draw
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.standings import RANK

NOTED = ("seat", "was", "became", "open", "taken")
SEAT, WAS, BECAME, OPEN, TAKEN = range(
    len(NOTED)
)  # became: -1 if nothing was exchanged; open: an action could take the item at that moment
PLAYED, WITH, INSTEAD = range(3)  # the game as it was played, with the first item, with the second
MOMENT = 3  # the round of this luck that chooses the moment
kernel = functools.partial(jit, home=Path(__file__).parent)


class SwappedGames(NamedTuple):
    """The games to play, the family whose items are exchanged, and what comes of it."""

    rules: Any  # a row
    weights: Any  # of the agent in every seat
    how: Any
    seeds: Any  # by game
    family: int
    question: int  # at which its items are offered
    start: int  # the first of the actions that choose an item
    size: int  # how many there are; 0 where items are swapped where they lie
    noted: Any  # by game and NOTED, to be filled in
    points: Any  # by game, PLAYED to INSTEAD, and seat
    utility: Any  # likewise, by rank


@kernel
def another(can, start, size, but, key):
    """Return a random open action out of `size` from `start` on, except `but`; -1 where there is none."""
    n = 0
    for a in range(start, start + size):
        n += int(a != but and bits.has(can, a))
    k = below(key, REDEALS, 0, 0, 0, n) if n > 0 else 0
    for a in range(start, start + size):
        if a != but and bits.has(can, a):
            if k == 0:
                return a
            k -= 1
    return -1


@functools.cache
def swapped(game: Game) -> SimpleNamespace:
    """Return the kernels of a game that has items to exchange."""
    offered, lying, exchange, takes = game.offers.offered, game.offers.lying, game.offers.exchange, game.offers.takes
    step, legal = game.step, game.legal
    begin, finish, actions = batch_kernels(game).begin, batch_kernels(game).finish, len(game.ACTIONS)
    prepare, decide = instant_kernels(game).prepare, instant_kernels(game).decide

    @kernel
    def item(s, g, key):
        """Return where an item is that the seat asked could exchange: a place, or the action that chooses it; -1 for none."""
        if top(s).what != g.question:
            return -1
        if g.size == 0:
            return offered(s, g.family, key)
        a = another(s.can, g.start, g.size, -1, key)
        return a if another(s.can, g.start, g.size, a, key) >= 0 else -1

    @kernel
    def taking(s, g, where, a):
        """Return whether an action takes the item."""
        return takes(s, g.family, where, a) if g.size == 0 else a == where

    @kernel
    def note(s, g, where, a, noted):
        """Note who is offered the item, whether an action takes it, and whether action a does."""
        noted[SEAT], noted[OPEN], noted[TAKEN] = s.turn, 0, int(taking(s, g, where, a))
        for other in range(actions):
            noted[OPEN] |= int(bits.has(s.can, other) and taking(s, g, where, other))

    @kernel
    def choose(s, R, g, desk):
        """Return the agent's action."""
        p = int(s.turn)
        return decide(s, R, g.weights[0], p, chance(s.seed, s.asked, p), g.how, desk)

    @kernel
    def play(s, R, g, desk, kept, noted):
        """Play a game to its end and keep one of the moments with an item, all equally likely. Return where the item is, or -1."""
        found, moments = -1, 0
        while s.turn >= 0:
            a = choose(s, R, g, desk)
            key = draw(s.seed, REDEALS, MOMENT, s.turn, s.asked)
            where = item(s, g, key) if bits.count(s.can) > 1 else -1
            moments += int(where >= 0)
            if where >= 0 and below(key, REDEALS, MOMENT, 0, 0, moments) == 0:
                kept[0] = s
                found = where
                note(s, g, where, a, noted)
            step(s, R, a)
        return found

    @kernel
    def play_on(s, R, g, desk):
        """Play a game to its end."""
        while s.turn >= 0:
            step(s, R, choose(s, R, g, desk))

    @kernel
    def swap(s, R, family, where, noted):
        """Put another item where one lies."""
        noted[WAS] = lying(s, family, where)
        noted[BECAME] = exchange(s, R, family, where, draw(s.seed, REDEALS, MOMENT, 0, 0))
        legal(s, R, s.can)

    @kernel
    def part(s, other, R, g, a, noted):
        """Take one item at the first of two equal tables, and another item at the second."""
        b = another(s.can, g.start, g.size, a, draw(s.seed, REDEALS, MOMENT, 0, 0))
        noted[WAS], noted[BECAME] = a - g.start, b - g.start
        step(s, R, a)
        step(other, R, b)

    @kernel
    def pairs(tables, g, low, high):
        """Play the games from `low` up to `high`: as they are, with the item that was, and with the one it became."""
        tables, points, utility, noted = bare(tables), bare(g.points), bare(g.utility), bare(g.noted)
        desk = prepare(g.how)
        places = np.zeros(points.shape[2], np.int64)
        R = g.rules[0]
        s, other = tables[0], tables[1]
        for i in range(low, high):
            begin(s, R, g.seeds[i])
            where = play(s, R, g, desk, tables[1:2], noted[i])
            noted[i, BECAME] = -1
            if where < 0:
                continue
            finish(s, R, RANK, places, points[i, PLAYED], utility[i, PLAYED])
            if g.size == 0:
                swap(other, R, g.family, where, noted[i])
            else:
                tables[0] = other
                part(s, other, R, g, where, noted[i])
                play_on(s, R, g, desk)
            if noted[i, BECAME] >= 0:
                finish(s, R, RANK, places, points[i, WITH], utility[i, WITH])
                play_on(other, R, g, desk)
                finish(other, R, RANK, places, points[i, INSTEAD], utility[i, INSTEAD])

    return SimpleNamespace(pairs=pairs, swap=swap)
