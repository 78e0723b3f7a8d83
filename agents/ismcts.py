"""Information-set Monte Carlo tree search for the seat to move: one tree over many redeals.

A node stands for a sequence of answers after the decision. Each iteration redeals the table, goes down the tree along answers that are
legal there, adds one node, plays on by the heuristic to the end of a round, and adds every seat's utility to the nodes of its own answers
(max^n). How much a node is explored depends on how often it was legal, not on how often its parent was visited.
"""

import functools
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.agent import Masks, Moves, Observations
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.instant import SEATS
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.search import search
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.context import Context, true_records
from alehouse.envs.core.run.jit import jit

EXPLORE = 1.0  # weight of exploring answers that were seldom tried
EVEN = 0.2  # the share of the prior that is spread evenly over all answers
DEEP = 256  # no path has more nodes
NODES = 1 << 18  # room for nodes in a search that is limited by time, not by iterations
SLICE = 16  # the search is tested for being decided once in this many iterations


class Desk(NamedTuple):
    """Working memory: the tree, the answers at the current node, and results. Node 0 is the root; as a link, 0 means no node."""

    tables: Any
    size: Any  # how many nodes there are
    child: Any  # for each node, its first child
    sibling: Any
    action: Any  # for each node, the answer that leads to it
    visits: Any
    available: Any
    total: Any
    at: Any  # for each answer at the current node, the child it leads to
    prior: Any
    path: Any
    mover: Any
    places: Any
    points: Any
    utility: Any
    steps: Any


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
def pick(can, node, desk):
    """Return the answer to follow, chosen by its mean result, its prior, and how often it was legal."""
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
                worth = mean + EXPLORE * desk.prior[a] * np.sqrt(desk.visits[node] + 1.0)
            else:
                desk.available[child] += 1
                n = desk.visits[child]
                worth = desk.total[child] / n + EXPLORE * desk.prior[a] * np.sqrt(desk.available[child]) / (1 + n)
            if worth > most:
                found, most = a, worth
    return found


@jit
def grown(node, a, desk):
    """Return the child of a node for an answer; add it if there is room, or else return 0."""
    child = desk.at[a]
    if child == 0 and desk.size[0] < desk.child.size:
        child = desk.size[0]
        desk.size[0] += 1
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
    deal, roll, judge, luck, clock = k.deal, k.roll, k.judge, k.luck, k.clock
    step, state, size = game.step, game.STATE, len(game.ACTIONS)
    known = heuristic_of(game)

    if known is None:

        @jit
        def expect(t, R, W, key, desk):
            """Write equal chances for all legal answers, because the game has no heuristic."""
            desk.prior[:] = 1.0 / bits.count(t.can)

    else:
        think, rate = known.think, known.rate

        @jit
        def expect(t, R, W, key, desk):
            """Write for each legal answer a chance that it is the best, from the heuristic's ratings."""
            mind = think(t, R, W, luck(key, t))
            n, most = bits.count(t.can), -np.inf
            for k in range(n):
                a = bits.nth(t.can, k)
                desk.prior[a] = rate(t, R, W, mind, a)
                most = max(most, desk.prior[a])
            total = 0.0
            for k in range(n):
                a = bits.nth(t.can, k)
                desk.prior[a] = np.exp((desk.prior[a] - most) / W.temper)
                total += desk.prior[a]
            for k in range(n):
                a = bits.nth(t.can, k)
                desk.prior[a] = EVEN / n + (1.0 - EVEN) * desk.prior[a] / total

    @jit
    def prepare(how):
        """Return the working memory of one thread."""
        nodes = how[0] + 2 if how[0] > 0 else NODES
        return Desk(
            np.zeros(1, state), np.zeros(1, np.int64), np.zeros(nodes, np.int32), np.zeros(nodes, np.int32), np.zeros(nodes, np.int16),
            np.zeros(nodes, np.int32), np.zeros(nodes, np.int32), np.zeros(nodes), np.zeros(size, np.int32), np.zeros(size),
            np.zeros(DEEP, np.int32), np.zeros(DEEP, np.int64), np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64), np.zeros(SEATS),
            np.zeros(1, np.int64),
        )  # fmt: skip

    @jit
    def follow(t, R, W, node, key, desk):
        """Take an answer at a node and return the child it leads to."""
        expect(t, R, W, key, desk)
        child = desk.child[node]
        while child != 0:
            desk.at[desk.action[child]] = child
            child = desk.sibling[child]
        a = pick(t.can, node, desk)
        child = grown(node, a, desk)
        other = desk.child[node]
        while other != 0:
            desk.at[desk.action[other]] = 0
            other = desk.sibling[other]
        step(t, R, a)
        desk.steps[0] += 1
        return child

    @jit
    def descend(t, R, W, until, key, desk):
        """Go down the tree, add a node, and return the length of the path."""
        node = length = 0
        while t.turn >= 0 and clock(t) < until and length < DEEP:
            if bits.count(t.can) == 1:
                step(t, R, bits.nth(t.can, 0))
                desk.steps[0] += 1
                continue
            desk.mover[length] = t.turn
            node = follow(t, R, W, node, key, desk)
            if node == 0:
                break
            desk.path[length] = node
            length += 1
            if desk.visits[node] == 0:
                break
        return length

    @jit
    def grow(s, R, W, seat, key, how, first, last, desk):
        """Run a range of iterations."""
        until = clock(s) + how[1]
        for k in range(first, last):
            t = deal(s, R, seat, key, k, desk.tables)
            fate = luck(key, t) + np.uint64(k)
            length = descend(t, R, W, until, fate, desk)
            roll(t, R, W, until, fate, desk.steps)
            judge(t, R, W, how[2], desk.places, desk.points, desk.utility)
            desk.visits[0] += 1
            for j in range(length):
                node = desk.path[j]
                desk.visits[node] += 1
                desk.total[node] += desk.utility[desk.mover[j]]

    @jit
    def clear(desk):
        """Remove all nodes from the tree."""
        desk.size[0] = 1
        desk.child[0] = 0
        desk.visits[0] = 0

    @jit
    def decide(s, R, W, seat, key, how, desk):
        """Return the answer tried most often; stop early once further iterations could not change it.

        `how` holds the number of iterations, the number of rounds that each one plays, and the kind of reward.
        """
        if bits.count(s.can) == 1:
            return bits.nth(s.can, 0)
        clear(desk)
        done = 0
        while done < how[0] and not settled(desk, how[0] - done):
            more = min(SLICE, how[0] - done)
            grow(s, R, W, seat, key, how, done, done + more, desk)
            done += more
        return favourite(desk)

    return SimpleNamespace(prepare=prepare, decide=decide, clear=clear, grow=grow)


class Timed(Kernel):
    """The tree search with a time limit for each decision; with several threads it takes several decisions at once."""

    def __init__(self, kernels: SimpleNamespace, ms: float, *rest: Any, **more: Any) -> None:
        super().__init__(*rest, **more)
        self.kernels, self.seconds = kernels, ms / 1000

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """Return for each row the answer that was tried most often when the time was up."""
        self.check(ctx)
        states, rules, rule = true_records(ctx)

        def one(i: int) -> tuple[int, int]:
            desk = self.kernels.prepare(self.options)
            self.kernels.clear(desk)
            until, done = time.perf_counter() + self.seconds, 0
            while done == 0 or time.perf_counter() < until:
                self.kernels.grow(
                    states[i], rules[rule[i]], self.weights[0], int(ctx.seats[i]), ctx.keys[i], self.options, done, done + SLICE, desk
                )
                done += SLICE
            return favourite(desk), desk.steps[0]

        with ThreadPoolExecutor(self.threads) as pool:
            found = list(pool.map(one, range(len(states))))
        self.steps += sum(int(steps) for _, steps in found)
        return np.array([action for action, _ in found], np.int64)
