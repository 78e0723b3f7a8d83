"""Decisions of networks at many tables at once."""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.network import adviser, hidden_layers, highest, new_workspace, rate, sampled, soften, student
from alehouse.agents.network_file import aspects_of
from alehouse.agents.rows import dot
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.run.threads import Chunked, chunked

OUTSIDE = -1  # stands in place of an action where an agent outside these kernels must decide
Floats = npt.NDArray[np.float32]


class Decided(NamedTuple):
    """The decision at each table of a batch in one step."""

    prior: Floats  # for each legal action, the heuristic's rating
    aspects: Floats  # for each legal action, its aspects
    action: npt.NDArray[np.int64]
    log: Floats  # the logarithm of the chosen action's probability
    value: Floats  # the utility that the network expects for the seat
    differs: npt.NDArray[np.bool_]  # whether the action may differ from the one in the counterfactual game
    each_differs: npt.NDArray[np.bool_]  # for each legal action, whether it may differ from the one in the counterfactual game

    @classmethod
    def room(cls, tables: Tables) -> "Decided":
        """Return empty arrays for the decisions of a batch."""
        n, legal = tables.n, tables.game.choices
        log, value = np.zeros((2, n), np.float32)
        prior, aspects = np.zeros((n, legal), np.float32), np.zeros((n, legal, len(aspects_of(tables.game))), np.float32)
        return cls(prior, aspects, np.zeros(n, np.int64), log, value, np.zeros(n, np.bool_), np.zeros((n, legal), np.bool_))


class Deciding(NamedTuple):
    """A job of decisions: the tables, how networks decide there, and the arrays of `Decided`."""

    states: Any
    rules: Any
    rule: Any
    obs: Any
    nets: Any  # an array of records, one for each network
    player: Any  # for each table and seat, the index of its network, or -1, -2 ... for an anchor, which decides elsewhere
    best: Any  # whether networks take the action with the highest logit, rather than sample one by the probabilities
    own: Any  # whether the networks themselves continue counterfactual games, rather than the heuristic
    prior: Any
    aspects: Any
    action: Any
    log: Any
    value: Any
    differs: Any
    each_differs: Any


@functools.cache
def deciders(game: Game) -> Chunked:
    """Make the kernel by which networks decide at many tables."""
    advise, study = adviser(game), student(game)

    @chunked
    @jit
    def decide(job, chunk, low, high):
        d = Deciding(*bare(job))
        one = d.nets[0]
        room = new_workspace(d.obs.shape[1], one.policy_bias.size, one.first_bias.size, d.aspects.shape[2], one.answer.size)
        for i in range(low, high):
            work = bare(room)  # in the loop, so that numba keeps its memory until the loop ends
            s, R = d.states[i], d.rules[d.rule[i]]
            p = int(s.turn)
            d.differs[i] = False
            d.each_differs[i] = False
            if d.player[i, p] < 0:
                d.action[i] = OUTSIDE
                continue
            W, key, prior = d.nets[d.player[i, p]], chance(s.seed, s.asked, p), d.prior[i]
            hidden_layers(W, d.obs[i], work)
            d.value[i] = W.value_bias[0] + dot(work.second, W.value)
            if W.trust[0] != 0:
                advise(s, R, W.heuristic, key, W.reach[0], prior)
            study(s, R, W.heuristic, prior, d.aspects[i])
            n = rate(W, s.can, prior, d.aspects[i], work)
            soften(work.logits, n, work.chances)
            k = highest(work.logits, n) if d.best else sampled(work.chances, n, key)
            d.action[i], d.log[i] = work.actions[k], work.logits[k]
            for j in range(n):
                d.each_differs[i, j] = j != k if d.own else W.trust[0] == 0 or not alone_best(prior, n, j)
            d.differs[i] = d.each_differs[i, k]

    found: Chunked = decide
    return found


@jit
def lasting(s):
    """Return the random bits by which a seat breaks ties all through a game, so that two games with the same luck do not part over ties."""
    return chance(s.seed, 0, s.turn)


@jit
def alone_best(prior, n, k):
    """Return whether the heuristic takes the k-th of n legal actions whatever way its ties are broken."""
    level = 0
    for j in range(n):
        level += int(prior[j] >= prior[k])
    return level == 1
