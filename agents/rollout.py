"""Roll-outs with sequential halving.

Every answer is tried on the same redeals with the same luck; then the worse half is dropped, again and again until one is left.
"""

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.instant import SEATS
from alehouse.agents.search import search
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit

CLEAR = 4.0  # stop early when the leader is this many standard errors ahead of all others
LOOK = 16  # after every this many redeals, test for such a lead


class Desk(NamedTuple):
    """Working memory: tables, candidates with their sums, their differences to the leader, and results."""

    tables: Any
    candidate: Any
    total: Any
    ahead: Any  # for each candidate, how much more utility the leader has in this stage, summed
    square: Any
    places: Any
    points: Any
    utility: Any
    steps: Any


@jit
def order(desk, n):
    """Sort the first n candidates by their sums, best first; all were tried equally often."""
    for k in range(1, n):
        a, total = desk.candidate[k], desk.total[k]
        j = k
        while j > 0 and desk.total[j - 1] < total:
            desk.candidate[j] = desk.candidate[j - 1]
            desk.total[j] = desk.total[j - 1]
            j -= 1
        desk.candidate[j] = a
        desk.total[j] = total


@jit
def clear(desk, n, trials):
    """Return whether the first candidate leads all n - 1 others by more than chance can explain."""
    for k in range(1, n):
        mean = desk.ahead[k] / trials
        spread = max(0.0, desk.square[k] / trials - mean * mean)
        if mean * mean * (trials - 1) <= CLEAR * CLEAR * spread or mean <= 0.0:
            return False
    return True


@functools.cache
def rollout_kernels(game: Game) -> SimpleNamespace:
    """Make the roll-out kernels of a game."""
    k = search(game)
    deal, roll, judge, luck, clock = k.deal, k.roll, k.judge, k.luck, k.clock
    step, state, choices = game.step, game.STATE, game.choices

    @jit
    def prepare(how):
        """Return the working memory of one thread."""
        return Desk(
            np.zeros(2, state), np.zeros(choices, np.int64), np.zeros(choices), np.zeros(choices), np.zeros(choices),
            np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64), np.zeros(SEATS), np.zeros(1, np.int64),
        )  # fmt: skip

    @jit
    def compare(s, R, W, seat, key, until, reward, trial, n, desk):
        """Try n candidates on one redeal, and add up their results."""
        dealt = deal(s, R, seat, key, trial, desk.tables)
        lead = 0.0
        for c in range(n):
            desk.tables[1] = dealt
            tried = desk.tables[1]
            fate = luck(key, tried) + np.uint64(trial)
            step(tried, R, desk.candidate[c])
            desk.steps[0] += 1
            roll(tried, R, W, until, fate, desk.steps)
            judge(tried, R, W, reward, desk.places, desk.points, desk.utility)
            worth = desk.utility[seat]
            desk.total[c] += worth
            if c == 0:
                lead = worth
            desk.ahead[c] += lead - worth
            desk.square[c] += (lead - worth) * (lead - worth)

    @jit
    def decide(s, R, W, seat, key, how, desk):
        """Return the candidate that is left at the end.

        `how` holds the number of roll-outs, the number of rounds that each one plays, and the kind of reward.
        """
        n = bits.count(s.can)
        for c in range(n):
            desk.candidate[c] = bits.nth(s.can, c)
            desk.total[c] = 0.0
        until = clock(s) + how[1]
        stages = 0
        while (1 << stages) < n:
            stages += 1
        trial = 0
        for _ in range(stages):
            desk.ahead[:n] = 0.0
            desk.square[:n] = 0.0
            trials = max(1, how[0] // (stages * n))
            for k in range(1, trials + 1):
                compare(s, R, W, seat, key, until, how[2], trial, n, desk)
                trial += 1
                if k % LOOK == 0 and clear(desk, n, k):
                    return desk.candidate[0]
            order(desk, n)
            n = (n + 1) // 2
        return desk.candidate[0]

    return SimpleNamespace(prepare=prepare, decide=decide)
