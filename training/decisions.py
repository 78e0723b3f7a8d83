"""Decisions of a network at many tables at once."""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.network import adviser, hidden_layers, new_workspace, rate, sampled, soften, student
from alehouse.agents.network_file import aspects_of
from alehouse.agents.rows import dot
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.run.threads import Chunked, chunked

Floats = npt.NDArray[np.float32]


class Decided(NamedTuple):
    """The decision at each table of a batch in one step."""

    prior: Floats  # for each legal action, the heuristic's rating
    aspects: Floats  # for each legal action, its aspects
    action: npt.NDArray[np.int64]
    log: Floats  # the logarithm of the chosen action's probability
    value: Floats  # the utility that the network expects for the seat

    @classmethod
    def room(cls, tables: Tables) -> "Decided":
        """Return empty arrays for the decisions of a batch."""
        n, legal = tables.n, tables.game.choices
        log, value = np.zeros((2, n), np.float32)
        prior, aspects = np.zeros((n, legal), np.float32), np.zeros((n, legal, len(aspects_of(tables.game))), np.float32)
        return cls(prior, aspects, np.zeros(n, np.int64), log, value)


class Deciding(NamedTuple):
    """A job of decisions: the tables, the network, and the arrays of `Decided`."""

    states: Any
    rules: Any
    rule: Any
    obs: Any
    nets: Any  # the network as an array of one record
    prior: Any
    aspects: Any
    action: Any
    log: Any
    value: Any


@functools.cache
def deciders(game: Game) -> Chunked:
    """Make the kernel by which a network decides at many tables: it samples an action by the probabilities."""
    advise, study = adviser(game), student(game)

    @chunked
    @jit
    def decide(job, chunk, low, high):
        d = Deciding(*bare(job))
        W = d.nets[0]
        room = new_workspace(d.obs.shape[1], W.policy_bias.size, W.first_bias.size, d.aspects.shape[2])
        for i in range(low, high):
            work = bare(room)  # in the loop, so that numba keeps its memory until the loop ends
            s, R = d.states[i], d.rules[d.rule[i]]
            p = int(s.turn)
            key, prior = chance(s.seed, s.asked, p), d.prior[i]
            hidden_layers(W, d.obs[i], work)
            d.value[i] = W.value_bias[0] + dot(work.second, W.value)
            if W.trust[0] != 0:
                advise(s, R, W.heuristic, key, W.reach[0], prior)
            study(s, R, W.heuristic, prior, d.aspects[i])
            n = rate(W, s.can, prior, d.aspects[i], work)
            soften(work.logits, n, work.chances)
            k = sampled(work.chances, n, key)
            d.action[i], d.log[i] = work.actions[k], work.logits[k]

    found: Chunked = decide
    return found
