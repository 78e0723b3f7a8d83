"""Tables at which some seats are played from outside: all that others decide at once happens inside numba, in between."""

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from alehouse.agents.instant import instant_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import bare, batch_kernels
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import SEATING, below, game_seed

LEARNER = -1  # who sits where the learner does
SEAT, VARIANT, OPPONENT = 0, 1, 2  # rounds of the luck of seating
MISSED = 10_000  # games in a row without a decision of the learner's after which there will be none


class Room(NamedTuple):
    """Arrays of a batch, a row a table; `rules` has a row a variant."""

    states: Any
    rules: Any
    rule: Any  # which of the rules
    games: Any  # the number of the game in its series
    sits: Any  # by seat: LEARNER or the number of an agent
    own: Any  # the learner's seat, LEARNER if it has all
    length: Any  # decisions of the learner's in this game; below 0 counts the games before that had none
    moved: Any  # the seat the learner decided for last
    seat: Any
    mask: Any
    obs: Any
    done: Any  # a game of the learner's has ended; the rest is about that game
    utility: Any
    won: Any
    last: Any  # the observation at its end
    decisions: Any
    faced: Any  # the agent in the other seats


@functools.cache
def seated(game: Game) -> SimpleNamespace:
    """The kernels of a game that play up to the next decision from outside, on one thread and on several."""
    step, observe = game.step, game.observe
    decide, prepare = instant_kernels(game).decide, instant_kernels(game).prepare
    begin, finish, surface = (getattr(batch_kernels(game), name) for name in ("begin", "finish", "surface"))

    @jit
    def play_on(s, R, weights, hows, inside, sits, desk):
        """Play until the game is over or a decision is not for an agent in here; forced moves are played for all."""
        while s.turn >= 0:
            p = int(s.turn)
            k = int(sits[p])
            if bits.count(s.can) == 1:
                action = bits.nth(s.can, 0)
            elif 0 <= k < inside:
                action = decide(s, R, weights[k], p, chance(s.seed, s.asked, p), hows[k], desk)
            else:
                return
            step(s, R, action)

    @jit
    def deal(room, i, series, seat, agents):
        """The next game of a table: its variant, the learner's seat and its opponent follow from its seed."""
        room.games[i] += len(room.games)
        seed = game_seed(series, room.games[i])
        room.rule[i] = below(seed, SEATING, VARIANT, 0, 0, len(room.rules))
        R = bare(room.rules)[room.rule[i]]
        begin(bare(room.states)[i], R, seed)
        if agents == 0:
            return
        other = below(seed, SEATING, OPPONENT, 0, 0, agents)
        room.own[i] = below(seed, SEATING, SEAT, 0, 0, R.seats) if seat < 0 else seat
        for p in range(room.sits.shape[1]):
            room.sits[i, p] = LEARNER if p == room.own[i] else other

    @jit
    def close(room, i, reward, places, points):
        """Keep how a game ended for the learner."""
        R = bare(room.rules)[room.rule[i]]
        s = bare(room.states)[i]
        utility = bare(room.utility)[i]
        mine = int(room.moved[i])
        finish(s, R, reward, places, points, utility)
        above, level = 0, 0
        for p in range(R.seats):
            above += int(places[p] > places[mine])
            level += int(places[p] == places[mine])
        best = places[mine] > 0 if R.seats == 1 else above == 0
        room.won[i] = 1.0 / level if best else 0.0
        observe(s, R, mine, bare(room.last)[i])
        room.done[i] = True
        room.decisions[i] = room.length[i]
        room.faced[i] = room.sits[i, (mine + 1) % int(R.seats)]

    @jit
    def run(room, weights, hows, inside, actions, series, seat, agents, reward, low, high):
        """Play the actions given (-1: none), then on to the next decision from outside; ended tables are dealt anew. The table where
        the learner never decides, or -1."""
        weights, hows, sits = bare(weights), bare(hows), bare(room.sits)
        mask, obs, states, rules = bare(room.mask), bare(room.obs), bare(room.states), bare(room.rules)
        places, points = np.zeros(room.utility.shape[1], np.int64), np.zeros(room.utility.shape[1], np.int64)
        desk = prepare(hows[0])
        for i in range(low, high):
            s = states[i]
            if actions[i] >= 0:
                if sits[i, s.turn] == LEARNER:
                    room.length[i] = max(0, room.length[i]) + 1
                    room.moved[i] = s.turn
                step(s, rules[room.rule[i]], actions[i])
            play_on(s, rules[room.rule[i]], weights, hows, inside, sits[i], desk)
            while s.turn < 0:
                if room.length[i] > 0:
                    close(room, i, reward, places, points)
                    room.length[i] = 0
                else:
                    room.length[i] -= 1
                if room.length[i] < -MISSED:
                    return i
                deal(room, i, series, seat, agents)
                play_on(s, rules[room.rule[i]], weights, hows, inside, sits[i], desk)
            surface(s, rules[room.rule[i]], room.seat, mask, obs, i)
        return -1

    @functools.partial(jit, parallel=True)
    def run_all(room, weights, hows, inside, actions, series, seat, agents, reward, threads):
        size = (len(actions) + threads - 1) // threads
        stuck = np.full(threads, -1)
        for c in prange(threads):
            stuck[c] = run(room, weights, hows, inside, actions, series, seat, agents, reward,
                           c * size, min(len(actions), (c + 1) * size))  # fmt: skip
        return stuck.max()

    return SimpleNamespace(run=run, run_all=run_all)
