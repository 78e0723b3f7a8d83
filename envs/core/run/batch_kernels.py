"""The kernels that run a batch of tables, built for each game from the game's own kernels."""

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.record import Array
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.arrays import aligned, copied
from alehouse.envs.core.run.byte_blocks import load_ahead, wipe
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, below, game_seed
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import REWARDS, utilities
from alehouse.envs.core.run.threads import chunked

SMALL = 64  # with fewer tables than this, one thread is faster than two
APART = 256  # tables of different threads are at least this many bytes apart
LOGGED = 64  # a log of a game starts with room for this many decisions
WAITS = -1  # stands in place of an action at a table where nothing happens


class Batch(NamedTuple):
    """The arrays of a batch, with one row for each table.

    The last fields say how its games follow one another. Kernels receive a Batch as a plain tuple (see Chunked) and turn it back into a
    Batch first.
    """

    states: Any
    rules: Any  # one row for each distinct variant
    rule: Any  # for each table, its row in `rules`
    actions: Any  # for each table, the action to take now, or WAITS
    seat: Any
    mask: Any
    obs: Any
    over: Any
    scores: Any
    utility: Any
    seeds: Any
    games: Any  # for each table, the number of its game in the series
    log: Any  # for each table, the actions so far; each is kept as its position among the legal ones
    ended_seeds: Any  # for each table that starts a next game by itself, the seed of the game before
    seed: Any  # the seed of the series of games
    stride: Any  # the step from the number of one game of a table to that of its next
    autoreset: Any
    reward: Any


class RandomGames(NamedTuple):
    """A job of whole games by random agents, with one row of results for each game; the first row is game `first` of the series."""

    tables: Any  # the tables to play at, with room for each thread
    rules: Any
    seed: Any
    first: Any
    reward: Any
    lively: Any
    scores: Any
    utility: Any
    decisions: Any


def new_batch(game: Game, rules: Array, rule: Array, seed: int = 0, autoreset: bool = True, reward: str = "rank") -> Batch:
    """Return the arrays of a batch; table i plays by row `rule[i]` of the rules. No game is in progress yet."""
    n, seats = rule.size, int(rules["seats"].max())
    return Batch(
        states=aligned(n, game.STATE),
        rules=rules,
        rule=copied(rule),
        actions=copied(np.full(n, WAITS, np.int64)),
        seat=copied(np.full(n, -1, np.int8)),
        mask=aligned((n, len(game.ACTIONS)), np.int8),
        obs=aligned((n, game.FEATURES.size), np.uint8),
        over=aligned(n, np.bool_),
        scores=aligned((n, seats), np.int32),
        utility=aligned((n, seats), np.float32),
        seeds=aligned(n, np.uint64),
        games=copied(np.arange(n, dtype=np.int64) - n),
        log=aligned((n, LOGGED), np.min_scalar_type(game.choices - 1)),
        ended_seeds=aligned(n, np.uint64),
        seed=np.uint64(seed),
        stride=n,
        autoreset=autoreset,
        reward=REWARDS[reward],
    )


def tables_apart(game: Game) -> int:
    """Return how far apart two threads' tables must be, so that no thread waits for the other's cache line."""
    return 2 + APART // game.STATE.itemsize


def new_games(
    v: Variant, games: int, seed: int = 0, first: int = 0, reward: str = "rank", lively: bool = False, threads: int = 1
) -> RandomGames:
    """Return empty arrays for the results of n games of a seed, from game `first` on."""
    shape, tables = (games, v.seats), np.zeros(threads * tables_apart(v.spec), v.spec.STATE)
    scores, utility, decisions = np.zeros(shape, np.int32), np.zeros(shape, np.float32), np.zeros(games, np.int64)
    return RandomGames(tables, v.rules_record(), np.uint64(seed), first, REWARDS[reward], lively, scores, utility, decisions)


@jit
def uniform(s):
    """Return one of the legal actions, all equally likely."""
    return bits.nth(s.can, below(s.seed, AGENTS, s.asked, 0, 0, bits.count(s.can)))


@jit
def illegal(s, action):
    """Return whether an action is illegal; at an ended table every action is ignored, so none is."""
    return s.turn >= 0 and (action < 0 or action >= 64 * s.can.size or not bits.has(s.can, action))


@jit
def note(s, action, log):
    """Log the action that a table is about to take, if the log has room for it."""
    if s.asked < log.size:
        log[s.asked] = bits.rank(s.can, action)


@functools.cache
def batch_kernels(game: Game) -> SimpleNamespace:
    """Return the kernels that run a batch of a game; they are made on first use."""
    step, observe, legal = game.step, game.observe, game.legal
    reset, scores, standing, determinize = game.reset, game.scores, game.standing, game.determinize
    livelier, apart = game.lively or uniform, tables_apart(game)
    kernel = functools.partial(jit, home=game.folder)

    @kernel
    def begin(s, R, seed):
        """Begin a new game. The record is cleared first, so that equal games have equal bytes."""
        wipe(s)
        reset(s, R, seed)

    @kernel
    def finish(s, R, reward, places, points, utility):
        """Write each seat's points and utility at a table, as the game stands."""
        points[:] = 0
        places[:] = 0
        scores(s, R, points)
        standing(s, R, places)
        utilities(points, places, R.seats, reward, utility)

    @kernel
    def surface(s, R, seat, mask, obs, i):
        """Write the seat to move at table i, its legal actions and its observation."""
        seat[i] = s.turn
        if s.turn >= 0:
            bits.unpack(s.can, mask[i])
            observe(s, R, s.turn, obs[i])
        else:
            mask[i, :] = 0
            obs[i, :] = 0

    @kernel
    def open_tables(batch, which):
        """Begin a new game at each of the listed tables, with the seed given for it."""
        b = Batch(*bare(batch))
        for k in range(which.size):
            i = which[k]
            begin(b.states[i], b.rules[b.rule[i]], b.seeds[i])
            surface(b.states[i], b.rules[b.rule[i]], b.seat, b.mask, b.obs, i)

    @chunked(least=SMALL)
    @kernel
    def refuse(batch, chunk, low, high):
        """Return the first table in a range whose action is illegal, or -1."""
        states, actions = batch
        for i in range(low, high):
            if illegal(states[i], actions[i]):
                return i
        return -1

    @kernel
    def refuse_some(states, actions, which):
        """Return the first of the listed tables whose action is illegal, or -1."""
        for k in range(which.size):
            if illegal(states[which[k]], actions[which[k]]):
                return which[k]
        return -1

    @chunked(least=SMALL)
    @kernel
    def advance(batch, chunk, low, high):
        """Take the (already checked) actions of a range of tables, and begin the next game where one has ended."""
        b = Batch(*bare(batch))
        places = np.zeros(b.scores.shape[1], np.int64)
        for i in range(low, high):
            load_ahead(b.states, i + 1)
            s = b.states[i]
            R = b.rules[b.rule[i]]
            if s.turn < 0 or b.actions[i] == WAITS:
                continue
            note(s, b.actions[i], b.log[i])
            step(s, R, b.actions[i])
            b.over[i] = s.turn < 0
            if b.over[i]:
                finish(s, R, b.reward, places, b.scores[i], b.utility[i])
                if b.autoreset:
                    b.ended_seeds[i] = b.seeds[i]
                    b.games[i] += b.stride
                    b.seeds[i] = game_seed(b.seed, b.games[i])
                    begin(s, R, b.seeds[i])
            surface(s, R, b.seat, b.mask, b.obs, i)

    @kernel
    def pick(s, lively):
        """Return a random legal action."""
        return livelier(s) if lively else uniform(s)

    @chunked(least=SMALL)
    @kernel
    def choose(job, chunk, low, high):
        """Write a random legal action for each table of a range."""
        states, actions, lively = job
        for i in range(low, high):
            actions[i] = pick(states[i], lively) if states[i].turn >= 0 else 0

    @chunked
    @kernel
    def play(job, chunk, low, high):
        """Play a range of games by random agents, one after another at one table."""
        j = RandomGames(*bare(job))
        places = np.zeros(j.scores.shape[1], np.int64)
        s = j.tables[chunk * apart]
        R = j.rules[0]
        for k in range(low, high):
            begin(s, R, game_seed(j.seed, j.first + k))
            while s.turn >= 0:
                step(s, R, pick(s, j.lively))
            finish(s, R, j.reward, places, j.scores[k], j.utility[k])
            j.decisions[k] = s.asked

    @kernel
    def look(states, rules, rule, i, seat, out):
        """Write what a seat may know of table i as an observation."""
        observe(states[i], rules[rule[i]], seat, out)

    @kernel
    def look_all(states, rules, rule, i, out):
        """Write what each seat may know of table i as an observation."""
        for p in range(out.shape[0]):
            observe(states[i], rules[rule[i]], p, out[p])

    @kernel
    def stand(states, rules, rule, i, out):
        """Write how the seats of table i stand now; the best stands highest."""
        standing(states[i], rules[rule[i]], out)

    @kernel
    def redeal(batch, which, seats, keys):
        """Redeal each listed table: what its given seat cannot know becomes something else that fits what the seat knows."""
        b = Batch(*bare(batch))
        for k in range(which.size):
            i = which[k]
            determinize(b.states[i], b.rules[b.rule[i]], seats[k], keys[k])
            b.seeds[i] = b.states[i].seed
            surface(b.states[i], b.rules[b.rule[i]], b.seat, b.mask, b.obs, i)

    @kernel
    def retrace(batch, again, whole):
        """Play the logged moves of every table again from its seed, at tables of its own; note where the log holds all of them. Of the
        states in the batch only the number of decisions is read, so they may come from anywhere."""
        b = Batch(*bare(batch))
        for i in range(b.states.size):
            s, R, asked = again[i], b.rules[b.rule[i]], b.states[i].asked
            begin(s, R, b.seeds[i])
            whole[i] = asked <= b.log.shape[1]
            while whole[i] and s.asked < asked:
                k = np.int64(b.log[i, s.asked])
                whole[i] = s.turn >= 0 and k < bits.count(s.can)
                if whole[i]:
                    step(s, R, bits.nth(s.can, k))

    @kernel
    def show(batch):
        """Write the seat to move, its mask and its observation for every table, without moving on."""
        b = Batch(*bare(batch))
        for i in range(b.states.size):
            surface(b.states[i], b.rules[b.rule[i]], b.seat, b.mask, b.obs, i)

    @kernel
    def relegal(states, rules, rule, i, words):
        """Compute the legal actions of table i again."""
        legal(states[i], rules[rule[i]], words)

    return SimpleNamespace(**{name: fn for name, fn in locals().items() if name not in ("game", "kernel")})
