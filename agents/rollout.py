"""Roll-outs with sequential halving.

Every answer is tried on the same redeals with the same luck; then the worse half is dropped, again and again until one is left.
"""

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.network import highest, net_kernels
from alehouse.agents.search import CANDIDATES, ITERATIONS, MILLE, PLAYERS, PRIOR, ROUNDS, forget, note, search
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare

CLEAR = 4.0  # stop early when the leader is this many standard errors ahead of all others
LEAST = -3.0  # no rating counts as less than this
LOOK = 16  # after every this many redeals, test for such a lead
BUNCH = 16  # a search limited by time looks at the clock after about this many roll-outs, because each look costs as much as one of them


class Desk(NamedTuple):
    """Working memory: tables, candidates with their sums, their differences to the leader, and results."""

    tables: Any
    candidate: Any
    total: Any
    ahead: Any  # for each candidate, how much more utility the leader has in this stage, summed
    square: Any
    count: Any  # numbers that change, at LEFT, TRIAL ...
    results: Any
    tally: Any
    network: Any  # what the network plays with that rates answers, or None
    steps: Any


# how many candidates are left, how many redeals were tried in all, how many in this stage, and the round at which roll-outs end
LEFT, TRIAL, HERE, UNTIL = range(4)


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
def clear(desk):
    """Return whether the first candidate leads all others by more than chance can explain."""
    trials = desk.count[HERE]
    for k in range(1, desk.count[LEFT]):
        mean = desk.ahead[k] / trials
        spread = max(0.0, desk.square[k] / trials - mean * mean)
        if mean * mean * (trials - 1) <= CLEAR * CLEAR * spread or mean <= 0.0:
            return False
    return True


@jit
def halve(desk):
    """Keep the better half of the candidates for the next stage."""
    n = desk.count[LEFT]
    order(desk, n)
    desk.count[LEFT], desk.count[HERE] = (n + 1) // 2, 0
    desk.ahead[:n] = 0.0
    desk.square[:n] = 0.0


@jit
def first(desk):
    """Return the first candidate."""
    return desk.candidate[0]


@functools.cache
def rollout_kernels(game: Game, width: int = 0) -> SimpleNamespace:
    """Make the roll-out kernels of a game; answers are rated by a network of some width, or by the heuristic if that is 0.

    Such a network can also play on in the roll-outs, in all of them or in every other one: the option PLAYERS says so.
    """
    k = search(game)
    deal, roll, judge, luck, clock, advise, results = k.deal, k.roll, k.judge, k.luck, k.clock, k.advise, k.results
    tally = k.tally
    step, state, choices = game.step, game.STATE, game.choices

    if width:
        workspace, think = net_kernels(game, width).prepare, net_kernels(game, width).think

        @jit
        def expect(s, R, G, key, desk):
            """Write the network's logit for each legal answer, less that of the best."""
            work = bare(desk.network).room[0]
            n = think(s, R, G.network, int(s.turn), key, work)
            most = work.logits[highest(work.logits, n)]
            for k in range(n):
                desk.total[k] = work.logits[k] - most

        @jit
        def play_on(t, R, G, by_net, key, desk):
            """Play on by the network or the heuristic up to the round where roll-outs end."""
            if not by_net:
                roll(t, R, G.heuristic, desk.count[UNTIL], key, desk.steps)
            work = bare(desk.network).room[0]
            while t.turn >= 0 and clock(t) < desk.count[UNTIL]:
                a = bits.nth(t.can, 0)
                if bits.count(t.can) > 1:
                    n = think(t, R, G.network, int(t.turn), luck(key, t), work)
                    a = work.actions[highest(work.logits, n)]
                step(t, R, a)
                desk.steps[0] += 1

    else:

        @jit
        def workspace(how):
            """Return nothing, because no network rates answers."""

        @jit
        def expect(s, R, G, key, desk):
            """Write the heuristic's rating of each legal answer."""
            advise(s, R, G.heuristic, key, desk.total)

        @jit
        def play_on(t, R, G, by_net, key, desk):
            """Play on by the heuristic up to the round where roll-outs end."""
            roll(t, R, G.heuristic, desk.count[UNTIL], key, desk.steps)

    @jit
    def prepare(how):
        """Return the working memory of one thread."""
        return Desk(
            np.zeros(2, state), np.zeros(choices, np.int64), np.zeros(choices), np.zeros(choices), np.zeros(choices),
            np.zeros(UNTIL + 1, np.int64), results(), tally(), workspace(how), np.zeros(1, np.int64),
        )  # fmt: skip

    @jit
    def begin(s, R, G, key, how, desk):
        """List the candidates and return in how many stages one of them will be left.

        They are all legal answers, or those that the heuristic or network rates highest; its ratings are where their sums begin.
        """
        n = bits.count(s.can)
        few = how[CANDIDATES] > 0 and how[CANDIDATES] < n
        desk.total[:n] = 0.0
        if n > 1 and (few or how[PRIOR] > 0):
            expect(s, R, G, key, desk)
        for c in range(n):
            desk.candidate[c] = bits.nth(s.can, c)
        if few:
            order(desk, n)
            n = how[CANDIDATES]
        for c in range(n):
            desk.total[c] = max(LEAST, desk.total[c]) * how[PRIOR] / MILLE
        desk.ahead[:n] = 0.0
        desk.square[:n] = 0.0
        desk.count[:] = 0
        forget(desk.tally)
        desk.count[LEFT], desk.count[UNTIL] = n, clock(s) + how[ROUNDS]
        stages = 0
        while (1 << stages) < n:
            stages += 1
        return stages

    @jit
    def compare(s, R, G, seat, key, how, desk):
        """Try all candidates that are left on one redeal, and add up their results."""
        trial = desk.count[TRIAL]
        dealt = deal(s, R, seat, key, trial, desk.tables)
        lead, utility = 0.0, desk.results.utility
        for c in range(desk.count[LEFT]):
            desk.tables[1] = dealt
            tried = desk.tables[1]
            fate = luck(key, tried) + np.uint64(trial)
            step(tried, R, desk.candidate[c])
            desk.steps[0] += 1
            play_on(tried, R, G, trial % 2 >= 2 - how[PLAYERS], fate, desk)
            judge(tried, R, G, how, desk.results)
            note(desk.tally, desk.candidate[c], seat, utility)
            worth = utility[seat]
            desk.total[c] += worth
            if c == 0:
                lead = worth
            desk.ahead[c] += lead - worth
            desk.square[c] += (lead - worth) * (lead - worth)
        desk.count[TRIAL] += 1
        desk.count[HERE] += 1

    @jit
    def more(s, R, G, seat, key, how, desk):
        """Run a few roll-outs: the same number of each candidate that is left."""
        for _ in range(max(1, BUNCH // desk.count[LEFT])):
            compare(s, R, G, seat, key, how, desk)

    @jit
    def decide(s, R, G, seat, key, how, desk):
        """Return the candidate that is left at the end; `how` holds the options."""
        stages = begin(s, R, G, key, how, desk)
        for _ in range(stages):
            trials = max(1, how[ITERATIONS] // (stages * desk.count[LEFT]))
            for k in range(1, trials + 1):
                compare(s, R, G, seat, key, how, desk)
                if k % LOOK == 0 and clear(desk):
                    return desk.candidate[0]
            halve(desk)
        return desk.candidate[0]

    return SimpleNamespace(prepare=prepare, decide=decide, begin=begin, more=more, halve=halve, found=first)
