"""Information-set Monte Carlo tree search for the seat to move: one tree over many redeals.

A node stands for a sequence of answers after the decision. Each iteration redeals the table, goes down the tree along answers that are
legal there, adds one node, plays on by the heuristic to the end of a round, and adds every seat's utility to the nodes of its own answers
(max^n). How much a node is explored depends on how often it was legal, not on how often its parent was visited.
"""

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.search import EXPLORE, ITERATIONS, MILLE, ROUNDS, forget, note, search
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit

EVEN = 0.2  # the share of the prior that is spread evenly over all answers
DEEP = 256  # no path has more nodes
NODES = 1 << 18  # room for nodes in a search that is limited by time, not by iterations
SLICE = 16  # the search is tested for being decided once in this many iterations


class Desk(NamedTuple):
    """Working memory: the tree, the answers at the current node, and results. Node 0 is the root; as a link, 0 means no node."""

    tables: Any
    count: Any  # numbers that change: how many nodes there are, and how many iterations were run
    child: Any  # for each node, its first child
    sibling: Any
    action: Any  # for each node, the answer that leads to it
    visits: Any
    available: Any
    total: Any
    at: Any  # for each answer at the current node, the child it leads to
    rating: Any  # the heuristic's rating of each legal answer
    prior: Any
    path: Any
    mover: Any
    results: Any
    tally: Any
    steps: Any


SIZE, DONE = range(2)  # the indices of a desk's count


@jit
def favourite(desk):
    """Return the answer that was tried most often at the root."""
    best = desk.child[0]
    node = best
    while node != 0:
        more = desk.visits[node] - desk.visits[best]
        if more > 0 or (more == 0 and desk.total[node] > desk.total[best]):
            best = node
        node = desk.sibling[node]
    return desk.action[best]


@jit
def settled(desk, left):
    """Return whether the most tried answer stays the same whatever the remaining iterations try."""
    first, second = 0, 0
    node = desk.child[0]
    while node != 0:
        n = desk.visits[node]
        if n > first:
            first, second = n, first
        else:
            second = max(second, n)
        node = desk.sibling[node]
    return first - second > left


@jit
def pick(can, node, explore, desk):
    """Return the answer to follow, chosen by its mean result, its prior, and how often it was legal.

    `explore` is the weight of exploring answers that were seldom tried.
    """
    mean, tried = 0.0, 0
    child = desk.child[node]
    while child != 0:
        mean += desk.total[child]
        tried += desk.visits[child]
        child = desk.sibling[child]
    mean /= max(1, tried)
    found, most = -1, -np.inf
    for w in range(can.size):
        word = can[w]
        while word != 0:
            a = (w << 6) + bits.lowest(word)
            word &= word - np.uint64(1)
            child = desk.at[a]
            if child == 0:
                worth = mean + explore * desk.prior[a] * np.sqrt(desk.visits[node] + 1.0)
            else:
                desk.available[child] += 1
                n = desk.visits[child]
                worth = desk.total[child] / n + explore * desk.prior[a] * np.sqrt(desk.available[child]) / (1 + n)
            if worth > most:
                found, most = a, worth
    return found


@jit
def grown(node, a, desk):
    """Return the child of a node for an answer; add it if there is room, or else return 0."""
    child = desk.at[a]
    if child == 0 and desk.count[SIZE] < desk.child.size:
        child = desk.count[SIZE]
        desk.count[SIZE] += 1
        desk.child[child] = 0
        desk.sibling[child] = desk.child[node]
        desk.child[node] = child
        desk.action[child] = a
        desk.visits[child] = 0
        desk.available[child] = desk.visits[node] + 1
        desk.total[child] = 0.0
    return child


@functools.cache
def ismcts_kernels(game: Game) -> SimpleNamespace:
    """Make the kernels of a game's tree search."""
    k = search(game)
    deal, roll, judge, luck, clock, advise, results = k.deal, k.roll, k.judge, k.luck, k.clock, k.advise, k.results
    tally = k.tally
    step, state, size, choices = game.step, game.STATE, len(game.ACTIONS), game.choices

    @jit
    def expect(t, R, W, key, desk):
        """Write for each legal answer a chance that it is the best, from the heuristic's ratings."""
        advise(t, R, W, luck(key, t), desk.rating)
        n, total = bits.count(t.can), 0.0
        for k in range(n):
            desk.rating[k] = np.exp(desk.rating[k])
            total += desk.rating[k]
        for k in range(n):
            desk.prior[bits.nth(t.can, k)] = EVEN / n + (1.0 - EVEN) * desk.rating[k] / total

    @jit
    def prepare(how):
        """Return the working memory of one thread."""
        nodes = how[ITERATIONS] + 2 if how[ITERATIONS] > 0 else NODES
        return Desk(
            np.zeros(1, state), np.zeros(2, np.int64), np.zeros(nodes, np.int32), np.zeros(nodes, np.int32), np.zeros(nodes, np.int16),
            np.zeros(nodes, np.int32), np.zeros(nodes, np.int32), np.zeros(nodes), np.zeros(size, np.int32), np.zeros(choices),
            np.zeros(size), np.zeros(DEEP, np.int32), np.zeros(DEEP, np.int64), results(), tally(), np.zeros(1, np.int64),
        )  # fmt: skip

    @jit
    def follow(t, R, G, node, key, how, desk):
        """Take an answer at a node and return the child it leads to."""
        expect(t, R, G.heuristic, key, desk)
        child = desk.child[node]
        while child != 0:
            desk.at[desk.action[child]] = child
            child = desk.sibling[child]
        a = pick(t.can, node, how[EXPLORE] / MILLE, desk)
        child = grown(node, a, desk)
        other = desk.child[node]
        while other != 0:
            desk.at[desk.action[other]] = 0
            other = desk.sibling[other]
        step(t, R, a)
        desk.steps[0] += 1
        return child

    @jit
    def descend(t, R, G, until, key, how, desk):
        """Go down the tree, add a node, and return the length of the path."""
        node = length = 0
        while t.turn >= 0 and clock(t) < until and length < DEEP:
            if bits.count(t.can) == 1:
                step(t, R, bits.nth(t.can, 0))
                desk.steps[0] += 1
                continue
            desk.mover[length] = t.turn
            node = follow(t, R, G, node, key, how, desk)
            if node == 0:
                break
            desk.path[length] = node
            length += 1
            if desk.visits[node] == 0:
                break
        return length

    @jit
    def grow(s, R, G, seat, key, how, more, desk):
        """Run some more iterations."""
        until, done, only = clock(s) + how[ROUNDS], desk.count[DONE], bits.count(s.can) == 1
        for k in range(done, done + more):
            t = deal(s, R, seat, key, k, desk.tables)
            fate = luck(key, t) + np.uint64(k)
            length = descend(t, R, G, until, fate, how, desk)
            roll(t, R, G.heuristic, until, fate, desk.steps)
            judge(t, R, G, how, desk.results)
            desk.visits[0] += 1
            if only or length > 0:
                note(desk.tally, bits.nth(s.can, 0) if only else desk.action[desk.path[0]], seat, desk.results.utility)
            for j in range(length):
                node = desk.path[j]
                desk.visits[node] += 1
                desk.total[node] += desk.results.utility[desk.mover[j]]
        desk.count[DONE] += more

    @jit
    def begin(s, R, G, key, how, desk):
        """Remove all nodes from the tree, and return 1: the search has one stage."""
        desk.count[SIZE], desk.count[DONE] = 1, 0
        desk.child[0] = 0
        desk.visits[0] = 0
        forget(desk.tally)
        return 1

    @jit
    def more(s, R, G, seat, key, how, desk):
        """Run a few iterations."""
        grow(s, R, G, seat, key, how, SLICE, desk)

    @jit
    def halve(desk):
        """Keep the tree as it is at the end of its only stage."""

    @jit
    def decide(s, R, G, seat, key, how, desk):
        """Return the answer tried most often; stop early once further iterations could not change it. `how` holds the options."""
        if bits.count(s.can) == 1:
            return bits.nth(s.can, 0)
        begin(s, R, G, key, how, desk)
        left = how[ITERATIONS]
        while left > 0 and not settled(desk, left):
            grow(s, R, G, seat, key, how, min(SLICE, left), desk)
            left -= min(SLICE, left)
        return favourite(desk)

    return SimpleNamespace(prepare=prepare, decide=decide, begin=begin, grow=grow, more=more, halve=halve, found=favourite)
