"""The kernel that lets tables play on until an agent outside numba must decide: the learner, or an opponent written in Python."""

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import SMALL, WAITS, Batch, batch_kernels, note, uniform
from alehouse.envs.core.run.byte_blocks import load_ahead
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.jit import home_of_kernel, jit
from alehouse.envs.core.run.luck import SEATING, below, game_seed
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import shares_of_win
from alehouse.envs.core.run.threads import chunked

LEARNER = -1  # stands in place of an agent's number: the learner has this seat
BEGIN, PLAY_ON = -2, -3  # stand in place of an action: begin a new game; do nothing now but let the others play
SEAT, VARIANT, LINE_UP = 0, 1, 2  # three uses of the seating luck: who sits where, which variant, which line-up
MISSED = 10_000  # after this many games in a row in which the learner never decides, assume that it never will


class Inside(NamedTuple):
    """An agent that decides inside numba, as a kernel with its data."""

    decide: Callable[..., Any]  # kernel (s, R, W, seat, key, options, work) -> action
    prepare: Callable[..., Any]  # kernel (options) -> work: the arrays that `decide` works with
    weights: Any  # the W that `decide` gets: an array of one record
    options: Any  # the whole numbers that `decide` and `prepare` get


class Learning(NamedTuple):
    """The arrays that a learner's tables have besides a Batch, with one row for each table or each agent."""

    players: Any  # for each table and seat, the number of the agent that plays there, or LEARNER
    line_up: Any  # for each table, the index of its line-up
    own: Any  # for each table, the learner's seat
    moved: Any  # for each table, the seat that the learner decided for last
    decided: Any  # for each table, how many decisions the learner took in this game; -n counts n games before it in which it took none
    last: Any  # for each table, what seat `moved` saw at the end of the last finished game
    won: Any  # for each table and seat, the share of the win in the last finished game
    stood: Any  # for each table and seat, how it stood at the end of the last finished game; the best stands highest
    line_ups: Any  # each row lists agents in order of play from the learner's seat; with no rows, callers write `players` themselves
    inside: Any  # for each agent, whether it decides inside numba
    weights: Any  # for each agent, its weights
    options: Any  # for each agent, its options
    fixed_seat: Any  # the learner's seat in every game, or LEARNER to draw it
    skip_forced: Any  # whether a decision with one legal action is taken without showing it to anybody


ARRAYS = len(Batch._fields)


@functools.cache
def random_agent(game: Game) -> Inside:
    """Choose one of the legal actions, all equally likely, as an agent inside numba."""
    kernel = functools.partial(jit, home=game.folder)

    @kernel
    def decide(s, R, W, seat, key, options, work):
        return uniform(s)

    @kernel
    def prepare(options):
        return options

    return Inside(decide, prepare, np.zeros(1), np.zeros(1, np.int64))


@functools.cache
def learner_kernels(game: Game, decide: Callable[..., Any], prepare: Callable[..., Any]) -> SimpleNamespace:
    """Return the batch kernels of a game, with an `advance` that plays on for a learner.

    All agents inside numba share the kernels of `inside`.
    """
    step, observe = game.step, game.observe
    begin, finish, surface = (getattr(batch_kernels(game), name) for name in ("begin", "finish", "surface"))
    kernel = functools.partial(jit, home=home_of_kernel(decide))

    @kernel
    def seat_players(b, t, i):
        """Seat everybody for the game about to begin at table i; its variant, line-up and learner's seat follow from its seed."""
        if len(t.line_ups) == 0:
            return
        seed = b.seeds[i]
        b.rule[i] = below(seed, SEATING, VARIANT, 0, 0, len(b.rules))
        t.line_up[i] = below(seed, SEATING, LINE_UP, 0, 0, len(t.line_ups))
        seats = int(b.rules[b.rule[i]].seats)
        t.own[i] = below(seed, SEATING, SEAT, 0, 0, seats) if t.fixed_seat < 0 else t.fixed_seat
        t.players[i] = LEARNER
        for k in range(1, seats):
            t.players[i, (t.own[i] + k) % seats] = t.line_ups[t.line_up[i], k - 1]

    @kernel
    def conclude(b, t, i):
        """Write how the game of table i ended: the last observation, how each seat stood, and the shares of the win."""
        s, R = b.states[i], b.rules[b.rule[i]]
        finish(s, R, b.reward, t.stood[i], b.scores[i], b.utility[i])
        shares_of_win(t.stood[i], int(R.seats), t.won[i])
        observe(s, R, t.moved[i], t.last[i])
        b.over[i] = True
        t.decided[i] = 0

    @chunked(least=SMALL)
    @kernel
    def advance(job, chunk, low, high):
        """Take the actions of a range of tables and play on until somebody outside numba must decide or the game is over.

        A game in which the learner never decides is followed by the next one. Return the first table at which it never decides in any game,
        or -1.
        """
        b, t = Batch(*bare(job[:ARRAYS])), Learning(*bare(job[ARRAYS:]))
        work = prepare(t.options[0])
        for i in range(low, high):
            load_ahead(b.states, i + 1)
            s, action = b.states[i], b.actions[i]
            if action == WAITS:
                continue
            if action == BEGIN:
                t.decided[i] = 0
                seat_players(b, t, i)
                begin(s, b.rules[b.rule[i]], b.seeds[i])
            elif action >= 0:
                if t.players[i, s.turn] == LEARNER:
                    b.over[i] = False
                    t.decided[i] = max(0, t.decided[i]) + 1
                    t.moved[i] = s.turn
                note(s, action, b.log[i])
                step(s, b.rules[b.rule[i]], action)
            while True:
                R = b.rules[b.rule[i]]
                while s.turn >= 0 and s.asked < b.log.shape[1]:
                    p = int(s.turn)
                    k = int(t.players[i, p])
                    if t.skip_forced and bits.count(s.can) == 1:
                        action = bits.nth(s.can, 0)
                    elif k >= 0 and t.inside[k]:
                        action = decide(s, R, t.weights[k], p, chance(s.seed, s.asked, p), t.options[k], work)
                    else:
                        break
                    note(s, action, b.log[i])
                    step(s, R, action)
                if s.turn >= 0:
                    break
                if t.decided[i] > 0:
                    conclude(b, t, i)
                    if not b.autoreset:
                        break
                else:
                    t.decided[i] -= 1
                    if t.decided[i] < -MISSED:
                        return i
                b.games[i] += b.stride
                b.seeds[i] = game_seed(b.seed, b.games[i])
                seat_players(b, t, i)
                begin(s, b.rules[b.rule[i]], b.seeds[i])
            surface(s, b.rules[b.rule[i]], b.seat, b.mask, b.obs, i)
        return -1

    return SimpleNamespace(**vars(batch_kernels(game)) | {"advance": advance})
