"""Whole games inside numba, watched on the way: who leads at the end of a round, who has a choice. Agents that decide at once
play there; of games by others the recorded actions are played again."""

import functools
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.instant import quick
from alehouse.benchmarks.balance.kernels.supplies import supplies
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import bare, drivers
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.standings import RANK, shares_of_win

ONE = np.uint64(1)
HERE = Path(__file__).parent
ROUNDS = 512  # of a game that are remembered
SEEN = ("first", "rounds", "lead_changes", "comeback", "decisions", "choices", "forced", "ran_out")
FIRST, ROUND, CHANGES, COMEBACK, DECISIONS, CHOICES, FORCED, RAN_OUT = range(len(SEEN))
TALLY = ("offered", "taken", "seats_offered", "seats_took", "won_offered", "won_took")
OFFERED, TAKEN, SEATS_OFFERED, SEATS_TOOK, WON_OFFERED, WON_TOOK = range(len(TALLY))
kernel = functools.partial(jit, home=HERE)


@kernel
def look(can, met, offered):
    """What a seat may choose among."""
    for w in range(can.size):
        word = can[w]
        met[w] |= word
        while word != 0:
            offered[(w << 6) + bits.lowest(word)] += 1.0
            word &= word - ONE


@kernel
def credit(words, won, seats, sums):
    """What a seat won above its part, to each action of a set."""
    for w in range(words.size):
        word = words[w]
        while word != 0:
            a = (w << 6) + bits.lowest(word)
            word &= word - ONE
            seats[a] += 1.0
            sums[a] += won


@kernel
def settle(met, took, utility, seats, tally):
    """The end of a game: what the seats won above their parts, to the actions they had on offer and to those they took."""
    shares = np.empty(seats)
    shares_of_win(utility, seats, shares)
    for p in range(seats):
        won = shares[p] - 1.0 / seats
        credit(met[p], won, tally[SEATS_OFFERED], tally[WON_OFFERED])
        credit(took[p], won, tally[SEATS_TOOK], tally[WON_TOOK])


@kernel
def leaders(points, seats):
    """The seats that have most points, as a set."""
    most = points[0]
    for p in range(1, seats):
        most = max(most, points[p])
    found = 0
    for p in range(seats):
        if points[p] == most:
            found |= 1 << p
    return found


@kernel
def note(seen, trail, points, seats, lead):
    """The end of a round: who leads, and whether somebody else is alone in front now. The last who was alone in front."""
    front = leaders(points, seats)
    if seen[ROUND] < trail.size:
        trail[seen[ROUND]] = front
    seen[ROUND] += 1
    if front & (front - 1) != 0:
        return lead
    seen[CHANGES] += int(lead not in (0, front))
    return front


@kernel
def conclude(seen, trail, utility, seats):
    """Whether nobody who wins was in front half-way."""
    rounds = min(int(seen[ROUND]), trail.size)
    if rounds > 1:
        seen[COMEBACK] = int(leaders(utility, seats) & trail[(rounds - 1) // 2] == 0)


@kernel
def no_desk(how):
    """What is recorded needs no desk."""
    return 0


@kernel
def as_recorded(s, R, W, seat, key, how, desk):
    """The next action of a recorded game, which takes the place of an agent's weights."""
    return int(W[s.asked])


@functools.cache
def watched(game: Game, recorded: bool = False) -> SimpleNamespace:
    """The kernel of a game: by agents that decide at once, or of games that are recorded."""
    step, scores = game.step, game.scores
    begin, finish, words = drivers(game).begin, drivers(game).finish, game.ACTIONS.words
    prepare, decide = (no_desk, as_recorded) if recorded else (quick(game).prepare, quick(game).decide)
    known = heuristic_of(game)
    stocked = supplies(game)[1]

    if known is None:

        @kernel
        def clock(s):
            """No rounds are known."""
            return 0

    else:
        clock = known.clock

    if "first" in (game.STATE.names or ()):

        @kernel
        def opener(s):
            """The first player."""
            return int(s.first)

    else:

        @kernel
        def opener(s):
            """Who is asked first."""
            return int(s.turn)

    @kernel
    def games(table, rules, rule, weights, hows, seating, seeds, points, utility, seen, tally, low, high):
        """Whole games at one table; rule[i] says which rules game i has, seating[i, p] which agent has seat p."""
        table, weights, hows, points, utility = bare(table), bare(weights), bare(hows), bare(points), bare(utility)
        seating, seen, tally = bare(seating), bare(seen), bare(tally)
        desk = prepare(hows[0])
        places = np.zeros(points.shape[1], np.int64)
        standing = np.zeros(points.shape[1], np.int64)
        trail = np.zeros(ROUNDS, np.int64)
        met, took = np.zeros((points.shape[1], words), np.uint64), np.zeros((points.shape[1], words), np.uint64)
        s = table[0]
        for i in range(low, high):
            R = rules[rule[i]]
            begin(s, R, seeds[i])
            seen[i, FIRST] = opener(s)
            now, lead, stretch, held = clock(s), 0, 0, 0
            met[:] = 0
            took[:] = 0
            while s.turn >= 0:
                p = int(s.turn)
                k = seating[i, p]
                free = bits.count(s.can) > 1
                stretch = 0 if free else stretch + 1
                seen[i, DECISIONS] += 1
                seen[i, CHOICES] += int(free)
                seen[i, FORCED] = max(int(seen[i, FORCED]), stretch)
                a = decide(s, R, weights[k], p, chance(s.seed, s.asked, p), hows[k], desk)
                if free:
                    look(s.can, met[p], tally[OFFERED])
                    tally[TAKEN, a] += 1.0
                    took[p, a >> 6] |= ONE << np.uint64(a & 63)
                held |= stocked(s)
                step(s, R, a)
                seen[i, RAN_OUT] |= held & ~stocked(s)
                if s.turn >= 0 and clock(s) != now:
                    now = clock(s)
                    standing[:] = 0
                    scores(s, R, standing)
                    lead = note(seen[i], trail, standing, int(R.seats), lead)
            finish(s, R, RANK, places, points[i], utility[i])
            settle(met, took, utility[i], int(R.seats), tally)
            conclude(seen[i], trail, utility[i], int(R.seats))
            standing[:] = places
            note(seen[i], trail, standing, int(R.seats), lead)

    return SimpleNamespace(games=games)
