"""What a learner may get besides the observation: the heuristic's rating of each action, and its share of the win by a learned value.

Both are computed by kernels for all tables at once, and from nothing that the learner's seat cannot know: the value reads a redealt table.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.heuristic import weights_of
from alehouse.agents.network import adviser
from alehouse.agents.search import plan, search
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.run.threads import Chunked, chunked

Floats = npt.NDArray[np.float32]


class Advised(NamedTuple):
    """A job: tables at which a seat is to decide, who advises, and a row of numbers to write for each table."""

    states: Any
    rules: Any
    rule: Any  # for each table, its row in `rules`
    guides: Any  # the heuristic's weights or, for shares, those and the value in one record
    options: Any  # those of a search
    found: Any


@functools.cache
def rating(game: Game) -> Chunked:
    """Make the kernel that writes the heuristic's rating of each action: 0 for the best, less for others, 0 where an action is illegal."""
    advise, choices = adviser(game), game.choices

    @chunked
    @jit
    def rate(job, chunk, low, high):
        j = Advised(*bare(job))
        prior = np.zeros(choices, np.float32)
        for i in range(low, high):
            s = j.states[i]
            prior[:] = 0
            advise(s, j.rules[j.rule[i]], j.guides[0], chance(s.seed, s.asked, s.turn), np.inf, prior)
            j.found[i] = 0
            for k in range(bits.count(s.can)):
                j.found[i, bits.nth(s.can, k)] = prior[k]

    found: Chunked = rate
    return found


@functools.cache
def sharing(game: Game) -> Chunked:
    """Make the kernel that writes the share of the win which the seat to decide may expect, by a value at a redealt table."""
    k, state = search(game), game.STATE
    deal, judge, results = k.deal, k.judge, k.results

    @chunked
    @jit
    def share(job, chunk, low, high):
        j = Advised(*bare(job))
        dealt, judged = np.zeros(1, state), results()
        for i in range(low, high):
            s, R = j.states[i], j.rules[j.rule[i]]
            p = int(s.turn)
            t = deal(s, R, p, chance(s.seed, s.asked, p), 0, dealt)
            judge(t, R, j.guides[0], j.options, judged)
            j.found[i] = judged.utility[p] if R.seats > 1 else 0.0

    found: Chunked = share
    return found


class Adviser:
    """Rates actions and positions at the tables of a batch; `leaf` names the value: "value" for the one that comes with the package."""

    def __init__(self, tables: Tables, leaf: str | None = None) -> None:
        self.tables, self.actions = tables, len(tables.game.ACTIONS)
        self.weights, self.plan = weights_of(tables.game).record(), plan(tables.game, "rollout", leaf, "win", 0) if leaf else None

    def ratings(self) -> Floats:
        """Return the heuristic's rating of each action at each table, in units of its weight `temper`."""
        found = np.empty((self.tables.n, self.actions), np.float32)
        return self._told(rating(self.tables.game), self.weights, np.zeros(1, np.int64), found)

    def shares(self) -> Floats:
        """Return the share of the win that the seat to decide may expect at each table."""
        assert self.plan is not None
        options, guides = self.plan
        return self._told(sharing(self.tables.game), guides, np.array(options), np.empty(self.tables.n, np.float32))

    def _told(self, kernel: Chunked, guides: npt.NDArray[Any], options: npt.NDArray[np.int64], found: Floats) -> Floats:
        t = self.tables
        kernel(Advised(t.states, t.rules, t.rule, guides, options, found), t.n, t.threads)
        return found
