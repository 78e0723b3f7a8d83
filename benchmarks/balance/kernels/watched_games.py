"""Plays whole games inside numba and watches them: who leads after each round, who has a choice, which actions are taken.

Quick agents (instant agents and networks) play there. Games of other agents are recorded first, and the record is played again.
"""

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.whole_games import quick_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import batch_kernels, tables_apart
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import RANK, shares_of_win
from alehouse.envs.core.run.threads import chunked

ONE = np.uint64(1)
ROUNDS = 512  # the leaders of at most this many rounds are remembered
SEEN = ("first", "opener", "rounds", "lead_changes", "comeback", "decisions", "choices", "forced", "ran_out")
FIRST, OPENER, ROUND, CHANGES, COMEBACK, DECISIONS, CHOICES, FORCED, RAN_OUT = range(len(SEEN))
TALLY = ("offered", "taken", "seats_offered", "seats_took", "won_offered", "won_took")
OFFERED, TAKEN, SEATS_OFFERED, SEATS_TOOK, WON_OFFERED, WON_TOOK = range(len(TALLY))
kernel = functools.partial(jit, home=Path(__file__).parent)


class WatchedGames(NamedTuple):
    """A job of whole games to play and watch, with a row of results for each game."""

    tables: Any  # the tables to play at, with room for each thread
    rules: Any  # a row for each set of rules
    rule: Any  # for each game, the row of its rules
    seeds: Any
    agents: Any  # for each game and seat, the number of the agent that plays there
    weights: Any  # for each agent its weights, or for each recorded game its actions
    options: Any  # the options of each agent
    scores: Any
    utility: Any
    seen: Any  # for each game, the values named in SEEN
    tally: Any  # for each thread, the counts named in TALLY for each action


@kernel
def offer(can, met, offered):
    """Count the actions that a seat may choose from, and add them to the set of those offered to it in this game."""
    for w in range(can.size):
        word = can[w]
        met[w] |= word
        while word != 0:
            offered[(w << 6) + bits.lowest(word)] += 1.0
            word &= word - ONE


@kernel
def credit(words, won, seats, sums):
    """Credit every action of a set with one more seat, and with what that seat won above an even share."""
    for w in range(words.size):
        word = words[w]
        while word != 0:
            a = (w << 6) + bits.lowest(word)
            word &= word - ONE
            seats[a] += 1.0
            sums[a] += won


@kernel
def settle(met, took, utility, seats, tally):
    """Credit, at the end of a game, the actions that each seat was offered and those it took."""
    shares = np.empty(seats)
    shares_of_win(utility, seats, shares)
    for p in range(seats):
        won = shares[p] - 1.0 / seats
        credit(met[p], won, tally[SEATS_OFFERED], tally[WON_OFFERED])
        credit(took[p], won, tally[SEATS_TOOK], tally[WON_TOOK])


@kernel
def leaders(points, seats):
    """Return the set of seats that have the most points."""
    most = points[0]
    for p in range(1, seats):
        most = max(most, points[p])
    found = 0
    for p in range(seats):
        if points[p] == most:
            found |= 1 << p
    return found


@kernel
def begin_turns(seen, first, turn):
    """Note the first player, and the seat that is asked when turns begin; before that the first player is -1."""
    if seen[FIRST] < 0:
        seen[FIRST], seen[OPENER] = first, turn


@kernel
def end_round(seen, trail, points, seats, lead):
    """Note who leads at the end of a round and whether the lead changed. Return as a set the last seat that led alone."""
    front = leaders(points, seats)
    if seen[ROUND] < trail.size:
        trail[seen[ROUND]] = front
    seen[ROUND] += 1
    if front & (front - 1) != 0:
        return lead
    seen[CHANGES] += int(lead not in (0, front))
    return front


@kernel
def end_game(seen, trail, utility, seats):
    """Note whether all winners were behind when half of the game was over."""
    rounds = min(int(seen[ROUND]), trail.size)
    if rounds > 0:
        seen[COMEBACK] = int(leaders(utility, seats) & trail[(rounds - 1) // 2] == 0)


@kernel
def no_workspace(options):
    """Return 0, because a record needs no workspace."""
    return 0


@kernel
def as_recorded(s, R, W, seat, key, options, work):
    """Return the next action of a recorded game; the record is passed in place of an agent's weights."""
    return int(W[s.asked])


@functools.cache
def watched(game: Game, width: int = 0, recorded: bool = False) -> Any:
    """Make the kernel that watches whole games, which quick agents with networks of a width play or which follow records."""
    step, scores, clock, first, held = game.step, game.scores, game.clock, game.first, game.supplies.held
    apart = tables_apart(game)
    begin, finish, words = batch_kernels(game).begin, batch_kernels(game).finish, game.ACTIONS.words
    prepare, decide = (no_workspace, as_recorded) if recorded else quick_kernels(game, width)

    @chunked
    @kernel
    def play(job, chunk, low, high):
        """Play a range of games one after another, at one table."""
        j = WatchedGames(*bare(job))
        work, seen, tally, seats = prepare(j.options[0]), j.seen, j.tally[chunk], j.scores.shape[1]
        places, standing = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
        trail = np.zeros(ROUNDS, np.int64)
        met, took = np.zeros((seats, words), np.uint64), np.zeros((seats, words), np.uint64)
        s = j.tables[chunk * apart]
        for i in range(low, high):
            R = j.rules[j.rule[i]]
            begin(s, R, j.seeds[i])
            seen[i, FIRST] = -1
            now, lead, stretch, stocked = clock(s), 0, 0, 0
            met[:] = 0
            took[:] = 0
            while s.turn >= 0:
                p = int(s.turn)
                begin_turns(seen[i], first(s), p)
                k = j.agents[i, p]
                free = bits.count(s.can) > 1
                stretch = 0 if free else stretch + 1
                seen[i, DECISIONS] += 1
                seen[i, CHOICES] += int(free)
                seen[i, FORCED] = max(int(seen[i, FORCED]), stretch)
                a = decide(s, R, j.weights[k], p, chance(s.seed, s.asked, p), j.options[k], bare(work))
                if free:
                    offer(s.can, met[p], tally[OFFERED])
                    tally[TAKEN, a] += 1.0
                    took[p, a >> 6] |= ONE << np.uint64(a & 63)
                stocked |= held(s)
                step(s, R, a)
                seen[i, RAN_OUT] |= stocked & ~held(s)
                if s.turn >= 0 and clock(s) != now:
                    now = clock(s)
                    standing[:] = 0
                    scores(s, R, standing)
                    lead = end_round(seen[i], trail, standing, int(R.seats), lead)
            finish(s, R, RANK, places, j.scores[i], j.utility[i])
            settle(met, took, j.utility[i], int(R.seats), tally)
            end_game(seen[i], trail, j.utility[i], int(R.seats))
            standing[:] = j.scores[i]
            end_round(seen[i], trail, standing, int(R.seats), lead)

    return play
