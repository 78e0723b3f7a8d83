"""Kernels that run tables, made once for each game out of its own kernels."""

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import config, prange
from numba.extending import intrinsic

from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.byte_blocks import wipe
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, below, game_seed
from alehouse.envs.core.run.standings import utilities

APART = 256  # bytes at least between the tables of two threads

if config.DISABLE_JIT:

    def bare(a: Any) -> Any:
        """The array itself."""
        return a

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def bare(typing: Any, a: Any) -> Any:
        """The same array without its reference count: row views of it then cost no atomic operation."""

        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(a)(context, builder, args[0])
            for name in ("meminfo", "parent"):
                setattr(array, name, getattr(array, name).type(None))
            return array._getvalue()

        return a(a), emit


@jit
def uniform(s):
    """One of the legal actions, each as likely."""
    return bits.nth(s.can, below(s.seed, AGENTS, s.asked, 0, 0, bits.count(s.can)))


def build(game: Game) -> SimpleNamespace:
    """The drivers of a game."""
    step, observe, legal = game.step, game.observe, game.legal
    reset, scores, standing, determinize = game.reset, game.scores, game.standing, game.determinize
    livelier = game.lively or uniform
    kernel = functools.partial(jit, home=game.folder)

    @kernel
    def begin(s, R, seed):
        """A new game; nothing is left of the one before, so that equal games have equal bytes."""
        wipe(s)
        reset(s, R, seed)

    @kernel
    def finish(s, R, reward, places, points, utility):
        """Points and utilities of a table as it stands."""
        points[:] = 0
        places[:] = 0
        scores(s, R, points)
        standing(s, R, places)
        utilities(points, places, R.seats, reward, utility)

    @kernel
    def surface(s, R, seat, mask, obs, i):
        seat[i] = s.turn
        if s.turn >= 0:
            bits.unpack(s.can, mask[i])
            observe(s, R, s.turn, obs[i])
        else:
            mask[i, :] = 0
            obs[i, :] = 0

    @kernel
    def open_tables(states, rules, rule, seat, mask, obs, seeds, which):
        """Start a new game at the tables listed."""
        mask, obs = bare(mask), bare(obs)
        for k in range(which.size):
            i = which[k]
            begin(states[i], rules[rule[i]], seeds[i])
            surface(states[i], rules[rule[i]], seat, mask, obs, i)

    @kernel
    def refuse(states, actions, log, low, high):
        """The first table whose action is illegal, or -1; ended tables take any. Logs each action's place among the legal."""
        for i in range(low, high):
            s = states[i]
            if s.turn >= 0:
                a = actions[i]
                if a < 0 or a >= 64 * s.can.size or not bits.has(s.can, a):
                    return i
                log[i] = bits.rank(s.can, a)
        return -1

    @kernel
    def advance(
        states, rules, rule, actions, seat, mask, obs, over, points, utility, seeds, games, series, stride, auto, reward, now,
        begun, ended, ended_seeds, low, high,
    ):  # fmt: skip
        """One decision at each table of a range."""
        places = np.zeros(points.shape[1], np.int64)
        mask, obs, points, utility = bare(mask), bare(obs), bare(points), bare(utility)
        for i in range(low, high):
            s = states[i]
            R = rules[rule[i]]
            if s.turn < 0:
                continue
            step(s, R, actions[i])
            over[i] = s.turn < 0
            if over[i]:
                finish(s, R, reward, places, points[i], utility[i])
                if auto:
                    ended[i] = begun[i]
                    ended_seeds[i] = seeds[i]
                    begun[i] = now
                    games[i] += stride
                    seeds[i] = game_seed(series, games[i])
                    begin(s, R, seeds[i])
            surface(s, R, seat, mask, obs, i)

    @kernel
    def refuse_some(states, actions, log, which):
        """The first of the tables listed whose action is illegal, or -1."""
        for k in range(which.size):
            if refuse(states, actions, log, which[k], which[k] + 1) >= 0:
                return which[k]
        return -1

    @kernel
    def advance_some(
        states, rules, rule, actions, seat, mask, obs, over, points, utility, seeds, games, series, stride, auto, reward, now,
        begun, ended, ended_seeds,
    ):  # fmt: skip
        """One decision at each table that has an action; the others wait."""
        for i in range(actions.size):
            if actions[i] >= 0:
                advance(states, rules, rule, actions, seat, mask, obs, over, points, utility, seeds, games, series, stride, auto, reward,
                        now, begun, ended, ended_seeds, i, i + 1)  # fmt: skip

    @kernel
    def pick(s, lively):
        """A random legal action."""
        return livelier(s) if lively else uniform(s)

    @kernel
    def choose(states, actions, lively, low, high):
        """A random legal action for each table of a range."""
        for i in range(low, high):
            actions[i] = pick(states[i], lively) if states[i].turn >= 0 else 0

    @kernel
    def play(state, rules, rule, series, first, points, utility, asked, reward, lively, low, high):
        """Whole games by random agents at one table."""
        places = np.zeros(points.shape[1], np.int64)
        points, utility = bare(points), bare(utility)
        s = state[0]
        R = rules[rule]
        for k in range(low, high):
            begin(s, R, game_seed(series, first + k))
            while s.turn >= 0:
                step(s, R, pick(s, lively))
            finish(s, R, reward, places, points[k], utility[k])
            asked[k] = s.asked

    @kernel
    def copies(states, n):
        """Copy the first table to all the others, n times."""
        for _ in range(n):
            for i in range(1, states.size):
                states[i] = states[0]

    @kernel
    def look(states, rules, rule, i, seat, out):
        """What a seat may know of a table."""
        observe(states[i], rules[rule[i]], seat, out)

    @kernel
    def look_all(states, rules, rule, i, out):
        """What each seat may know of a table."""
        for p in range(out.shape[0]):
            observe(states[i], rules[rule[i]], p, out[p])

    @kernel
    def redeal(states, rules, rule, seats, keys, seat, mask, obs):
        """Make every table one that its seat can not tell from the true one."""
        mask, obs = bare(mask), bare(obs)
        for i in range(states.size):
            determinize(states[i], rules[rule[i]], seats[i], keys[i])
            surface(states[i], rules[rule[i]], seat, mask, obs, i)

    @kernel
    def show(states, rules, rule, seat, mask, obs):
        """Seat, mask and observation of every table as it stands."""
        mask, obs = bare(mask), bare(obs)
        for i in range(states.size):
            surface(states[i], rules[rule[i]], seat, mask, obs, i)

    @kernel
    def relegal(states, rules, rule, i, words):
        """The legal actions of a table, worked out afresh."""
        legal(states[i], rules[rule[i]], words)

    @functools.partial(kernel, parallel=True)
    def refuse_all(states, actions, log, threads):
        size = (states.size + threads - 1) // threads
        first = np.zeros(threads, np.int64)
        for c in prange(threads):
            first[c] = refuse(states, actions, log, c * size, min(states.size, (c + 1) * size))
        for c in range(threads):
            if first[c] >= 0:
                return first[c]
        return -1

    @functools.partial(kernel, parallel=True)
    def choose_all(states, actions, lively, threads):
        size = (states.size + threads - 1) // threads
        for c in prange(threads):
            choose(states, actions, lively, c * size, min(states.size, (c + 1) * size))

    @functools.partial(kernel, parallel=True)
    def advance_all(
        states, rules, rule, actions, seat, mask, obs, over, points, utility, seeds, games, series, stride, auto, reward, now,
        begun, ended, ended_seeds, threads,
    ):  # fmt: skip
        size = (states.size + threads - 1) // threads
        for c in prange(threads):
            advance(states, rules, rule, actions, seat, mask, obs, over, points, utility, seeds, games, series, stride, auto, reward,
                    now, begun, ended, ended_seeds, c * size, min(states.size, (c + 1) * size))  # fmt: skip

    @functools.partial(kernel, parallel=True)
    def play_all(states, rules, rule, series, first, points, utility, asked, reward, lively, threads):
        size = (asked.size + threads - 1) // threads
        apart = states.size // threads
        for c in prange(threads):
            play(states[c * apart :], rules, rule, series, first, points, utility, asked, reward, lively,
                 c * size, min(asked.size, (c + 1) * size))  # fmt: skip

    return SimpleNamespace(**{name: fn for name, fn in locals().items() if name not in ("game", "kernel")})


def tables_apart(game: Game, threads: int) -> npt.NDArray[Any]:
    """Empty tables, as many for each thread; the first of each lie so far apart that no thread waits for another's cache line."""
    return np.zeros(threads * (2 + APART // game.STATE.itemsize), game.STATE)


@functools.cache
def drivers(game: Game) -> SimpleNamespace:
    """The drivers of a game, made on first use."""
    return build(game)
