"""Plays a game to its end, and twice more from one random moment: once with an item, and once with another item instead."""

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.instant import instant_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import batch_kernels, tables_apart
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import REDEALS, below, draw
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import RANK
from alehouse.envs.core.run.threads import chunked

NOTED = ("seat", "was", "became", "open", "taken")
SEAT, WAS, BECAME, OPEN, TAKEN = range(
    len(NOTED)
)  # became: -1 if nothing was exchanged; open: whether an action could take the item at that moment
PLAYED, WITH, INSTEAD = range(3)  # the game as it was played, the game with the first item, the game with the second item
MOMENT = 3  # the round of the agent's luck that chooses the moment
kernel = functools.partial(jit, home=Path(__file__).parent)


class SwappedGames(NamedTuple):
    """A job of games in which one item is exchanged for another, with a row of results for each game."""

    tables: Any  # the tables to play at, with room for each thread
    rules: Any
    weights: Any  # the weights of the agent that plays every seat
    options: Any
    seeds: Any
    family: Any  # the index of the family of the items
    question: Any  # the question at which the items are offered
    start: Any  # the first of the actions that choose an item
    size: Any  # how many such actions there are; 0 if items are swapped where they lie
    noted: Any  # for each game, the values named in NOTED
    scores: Any  # points, for each game, each of PLAYED, WITH and INSTEAD, and each seat
    utility: Any  # utilities, in the same order


@kernel
def another(can, start, size, but, key):
    """Return a random legal action among `size` actions from `start` on, other than `but`; -1 if there is none."""
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
def swapped(game: Game) -> Any:
    """Make the kernel that plays games with an exchange, for a game that has items."""
    offered, lying, exchange, takes = game.offers.offered, game.offers.lying, game.offers.exchange, game.offers.takes
    step, legal, apart = game.step, game.legal, tables_apart(game)
    begin, finish, actions = batch_kernels(game).begin, batch_kernels(game).finish, len(game.ACTIONS)
    prepare, decide = instant_kernels(game).prepare, instant_kernels(game).decide

    @kernel
    def item(s, j, key):
        """Return where the seat to move finds an item it could exchange: a place, or the action that chooses it; -1 for none."""
        if top(s).what != j.question:
            return -1
        if j.size == 0:
            return offered(s, j.family, key)
        a = another(s.can, j.start, j.size, -1, key)
        return a if another(s.can, j.start, j.size, a, key) >= 0 else -1

    @kernel
    def taking(s, j, where, a):
        """Return whether an action takes the item."""
        return takes(s, j.family, where, a) if j.size == 0 else a == where

    @kernel
    def note(s, j, where, a, noted):
        """Note which seat is offered the item, whether any legal action takes it, and whether action a does."""
        noted[SEAT], noted[OPEN], noted[TAKEN] = s.turn, 0, int(taking(s, j, where, a))
        for other in range(actions):
            noted[OPEN] |= int(bits.has(s.can, other) and taking(s, j, where, other))

    @kernel
    def choose(s, R, j, work):
        """Return the agent's action."""
        p = int(s.turn)
        return decide(s, R, j.weights[0], p, chance(s.seed, s.asked, p), j.options, bare(work))

    @kernel
    def play_once(s, R, j, work, kept, noted):
        """Play a game to its end and keep one of the moments with an item, all equally likely. Return where the item is, or -1."""
        found, moments = -1, 0
        while s.turn >= 0:
            a = choose(s, R, j, work)
            key = draw(s.seed, REDEALS, MOMENT, s.turn, s.asked)
            where = item(s, j, key) if bits.count(s.can) > 1 else -1
            moments += int(where >= 0)
            if where >= 0 and below(key, REDEALS, MOMENT, 0, 0, moments) == 0:
                kept[0] = s
                found = where
                note(s, j, where, a, noted)
            step(s, R, a)
        return found

    @kernel
    def play_on(s, R, j, work):
        """Play a game to its end."""
        while s.turn >= 0:
            step(s, R, choose(s, R, j, work))

    @kernel
    def swap(s, R, family, where, noted):
        """Put another item where this one lies."""
        noted[WAS] = lying(s, family, where)
        noted[BECAME] = exchange(s, R, family, where, draw(s.seed, REDEALS, MOMENT, 0, 0))
        legal(s, R, s.can)

    @kernel
    def part(s, other, R, j, a, noted):
        """Take one item at the first of two equal tables, and another item at the second."""
        b = another(s.can, j.start, j.size, a, draw(s.seed, REDEALS, MOMENT, 0, 0))
        noted[WAS], noted[BECAME] = a - j.start, b - j.start
        step(s, R, a)
        step(other, R, b)

    @chunked
    @kernel
    def play(job, chunk, low, high):
        """Play a range of games: as they are, then with the item that was there, then with the one that replaced it."""
        j = SwappedGames(*bare(job))
        work, places, R = prepare(j.options), np.zeros(j.scores.shape[2], np.int64), j.rules[0]
        tables = j.tables[chunk * apart : chunk * apart + 2]
        s, other = tables[0], tables[1]
        for i in range(low, high):
            noted, scores, utility = j.noted[i], j.scores[i], j.utility[i]
            begin(s, R, j.seeds[i])
            where = play_once(s, R, j, work, tables[1:2], noted)
            noted[BECAME] = -1
            if where < 0:
                continue
            finish(s, R, RANK, places, scores[PLAYED], utility[PLAYED])
            if j.size == 0:
                swap(other, R, j.family, where, noted)
            else:
                tables[0] = other
                part(s, other, R, j, where, noted)
                play_on(s, R, j, work)
            if noted[BECAME] >= 0:
                finish(s, R, RANK, places, scores[WITH], utility[WITH])
                play_on(other, R, j, work)
                finish(other, R, RANK, places, scores[INSTEAD], utility[INSTEAD])

    return play
