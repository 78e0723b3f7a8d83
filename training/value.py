"""Teach a value (see `agents.value`) by the results of games between heuristics that err now and then.

Games come in parts. Of each game some positions are kept: the ends of its rounds, and some others. What they are worth is told by the end
of the game: half by the win, half by the softmax of the points, which says more of a close game. Each part is learnt from a few times and
then forgotten. Other games, which nothing is learnt from, tell how well the value explains results, round by round.
"""

import functools
import json
import time
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from alehouse.agents import heuristic, rollout
from alehouse.agents.heuristic import weights_of
from alehouse.agents.instant import instant_kernels
from alehouse.agents.network_file import sealed
from alehouse.agents.search import search
from alehouse.agents.value import LAYERS, ROWS, Value, header
from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import batch_kernels
from alehouse.envs.core.run.context import chance
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, REDEALS, below, draw, game_seeds
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import RANK, win_shares
from alehouse.envs.core.run.threads import Chunked, chunked
from alehouse.training import checkpoint
from alehouse.training.lean import softened
from alehouse.training.measure import measure
from alehouse.training.settings import layout_digest
from alehouse.training.value_fit import Fit, Positions, learn, predict, sums

PART = 2_000  # games in each part
EPOCHS = 2  # how often each part is learnt from
RATE = 0.003  # the learning rate of Adam at the start; it falls to nearly 0
LOWEST = 0.02  # the part of the learning rate that is left at the end
KEPT = 12  # at most this many positions of a game are kept
SOME = 20  # besides the ends of rounds, one in this many positions
FIRST_GAMES = 2_000  # games that are watched before learning, for the ranges of bytes and the spread of points
HELD = 4_000  # games that tell how well the value explains results
HELD_SEED, FIRST_SEED = 1 << 40, 1 << 41  # numbers of series of games that nothing is learnt from
LAPSE_RATES = (0, 1, 3, 8)  # a seat lapses in one of these percentages of its decisions
LAPSES, KEEPS = 6, 7  # rounds of an agent's luck: where seats lapse, and which positions are kept
SAVE = 30.0  # seconds between checkpoints
TRIED, SEEDS, SHIP_SEED = 30, 100, 2026  # at the end a search of this many roll-outs plays the games of these seeds, from every seat
TRIAL = "trial.safetensors"  # the value's file for that
DIGITS = 4  # digits of a share
Floats = npt.NDArray[np.float32]


class Job(NamedTuple):
    """What a value learns from: games of these variants, equally often."""

    variants: tuple[str, ...]
    games: int
    seed: int = 0

    @property
    def game(self) -> Game:
        """The game that is played."""
        return as_variant(self.variants[0]).spec

    def facts(self) -> dict[str, Any]:
        """Return this job as JSON, with digests of the rules and of the layout."""
        rules = {text: as_variant(text).rules_digest for text in self.variants}
        return {"trainer": "value", **self._asdict(), "rules": rules, "layout": layout_digest(self.game)}


class Watched(NamedTuple):
    """A job of games to watch, and what is seen in them."""

    rules: Any
    rule: Any  # for each game, its row in `rules`
    weights: Any
    seeds: Any
    held: Any  # whether the games are for measuring: positions are redealt, and the heuristic estimates them too
    obs: Any  # for each game, position kept and seat, what the seat knows
    when: Any  # for each game and position kept, how many rounds had ended; -1 where none is kept
    estimate: Any
    points: Any
    utility: Any


@functools.cache
def watching(game: Game) -> Chunked:
    """Make the kernel that plays games and keeps positions."""
    best, step, state, observe, determinize = instant_kernels(game).best, game.step, game.STATE, game.observe, game.determinize
    begin, finish = batch_kernels(game).begin, batch_kernels(game).finish
    clock, expect = search(game).clock, search(game).expect
    rates = np.array(LAPSE_RATES)

    @jit
    def answer(t, R, W):
        """Return the answer of a seat: the heuristic's or, if the seat lapses, any."""
        p, n = int(t.turn), bits.count(t.can)
        rate = rates[below(t.seed, AGENTS, LAPSES, p, 0, rates.size)]
        if n > 1 and below(t.seed, AGENTS, LAPSES, p, 2 * t.asked + 1, 100) < rate:
            return bits.nth(t.can, below(t.seed, AGENTS, LAPSES, p, 2 * t.asked + 2, n))
        return best(t, R, W, chance(t.seed, t.asked, p))

    @jit
    def keep(t, R, j, i, k, spare):
        """Keep a position as the k-th of game i."""
        kept = t
        if j.held:
            spare[0] = t
            kept = spare[0]
            determinize(kept, R, t.turn, draw(t.seed, REDEALS, 0, 0, t.asked))
            expect(kept, R, j.weights[0], j.estimate[i, k])
        j.when[i, k] = clock(t)
        for p in range(R.seats):
            observe(kept, R, p, j.obs[i, k, p])

    @chunked
    @jit
    def watch(job, chunk, low, high):
        j = Watched(*bare(job))
        places, tables = np.zeros(j.utility.shape[1], np.int64), np.zeros(2, state)
        for i in range(low, high):
            t, R = tables[0], j.rules[j.rule[i]]  # inside the loop, so that numba keeps the tables' memory alive until the loop ends
            begin(t, R, j.seeds[i])
            j.when[i] = -1
            j.obs[i] = 0
            found, reached = 0, clock(t)
            while t.turn >= 0:
                step(t, R, answer(t, R, j.weights[0]))
                if t.turn >= 0 and (clock(t) > reached or below(t.seed, AGENTS, KEEPS, 0, t.asked, SOME) == 0):
                    k = found if found < KEPT else below(t.seed, AGENTS, KEEPS, 1, t.asked, found + 1)
                    found += 1
                    if k < KEPT:
                        keep(t, R, j, i, k, tables[1:])
                reached = clock(t)
            finish(t, R, RANK, places, j.points[i], j.utility[i])

    made: Chunked = watch
    return made


class Room:
    """Room for the games of a part, which is used again for each."""

    def __init__(self, variants: Sequence[Variant], games: int) -> None:
        game, seats = variants[0].spec, max(v.seats for v in variants)
        self.rules, self.weights = np.concatenate([v.rules_record() for v in variants]), weights_of(game).record()
        self.obs, self.when = np.zeros((games, KEPT, seats, game.FEATURES.size), np.uint8), np.zeros((games, KEPT), np.int64)
        self.estimate, self.game = np.zeros((games, KEPT, seats)), game
        self.points, self.utility = np.zeros((games, seats), np.int64), np.zeros((games, seats), np.float32)

    def watch(self, series: int, first: int, games: int, threads: int, held: bool = False) -> Watched:
        """Play some games of a series and return what was seen; the next call overwrites it."""
        rule = np.random.default_rng([series, first]).integers(0, self.rules.size, games)
        seeds = game_seeds(np.uint64(series), np.arange(first, first + games))
        job = Watched(self.rules, rule, self.weights, seeds, held, *(
            array[:games] for array in (self.obs, self.when, self.estimate, self.points, self.utility)
        ))  # fmt: skip
        watching(self.game)(job, games, threads)
        return job


def won(seen: Watched) -> npt.NDArray[np.float64]:
    """Return each seat's share of the win in each game."""
    return win_shares(seen.utility, seen.rules["seats"][seen.rule].astype(np.int64))


def spreads(seen: Watched) -> npt.NDArray[np.float64]:
    """Return for each variant how far the seats' points at the end are apart, as a standard deviation within a game; at least 1."""
    found = np.ones(seen.rules.size)
    for k in range(found.size):
        points = seen.points[seen.rule == k, : seen.rules["seats"][k]]
        found[k] = max(1.0, float(points.std(axis=1).mean())) if len(points) else 1.0
    return found


def ranges(seen: Watched) -> npt.NDArray[np.uint8]:
    """Return for each byte the largest value seen, capped alike for all bytes so that the table has no more than ROWS rows."""
    most = seen.obs.max(axis=(0, 1, 2))
    cap = 255
    while np.minimum(most, cap).sum(dtype=np.int64) > ROWS:
        cap -= 1
    found: npt.NDArray[np.uint8] = np.minimum(most, cap).astype(np.uint8)
    return found


def positions(seen: Watched, spread: npt.NDArray[np.float64], rng: np.random.Generator | None = None) -> Positions:
    """Return the positions kept in some games, with their labels; `rng` shuffles them."""
    seats = seen.rules["seats"][seen.rule].astype(np.int64)
    label = (won(seen) + softened(seen.points / spread[seen.rule][:, None], seats)) / 2
    which = np.flatnonzero(seen.when.ravel() >= 0)
    if rng:
        rng.shuffle(which)
    room, most = seen.obs.shape[1], label.shape[1]
    return Positions(seen.obs.reshape(-1, most, seen.obs.shape[3]), np.repeat(seats, room), np.repeat(label, room, axis=0), which)


class Trainer:
    """A run that teaches a value; it can be stopped after any part, and goes on from its last checkpoint."""

    def __init__(self, job: Job, folder: Path, threads: int) -> None:
        checkpoint.begin(folder, job.facts())
        self.job, self.folder, self.threads = job, folder, threads
        self.variants = [as_variant(text) for text in job.variants]
        self.room = Room(self.variants, max(PART, FIRST_GAMES))
        kept = checkpoint.load(folder)
        if kept is None:
            seen = self.room.watch(job.seed + FIRST_SEED, 0, FIRST_GAMES, threads)
            self.fit, self.spread = Fit.begin(ranges(seen), job.seed), spreads(seen)
            self.games, self.seconds = 0, 0.0
        else:
            arrays, facts = kept
            self.spread = arrays.pop("spread")
            self.fit, self.games, self.seconds = Fit.of(arrays), facts["games"], facts["seconds"]

    def run(self) -> Generator[tuple[int, int], None, None]:
        """Learn from one part after another; after each yield the number of games so far and in all."""
        saved, memory = time.monotonic(), sums(self.fit)
        while self.games < self.job.games:
            start, n = time.monotonic(), min(PART, self.job.games - self.games)
            rng = np.random.default_rng([self.job.seed, self.games])
            seen = self.room.watch(self.job.seed, self.games, n, self.threads)
            rate = RATE * max(LOWEST, 1 - self.games / self.job.games)
            for _ in range(EPOCHS):
                learn(tuple(self.fit), tuple(self.fit.value()), tuple(memory), tuple(positions(seen, self.spread, rng)), rate)
            self.games += n
            self.seconds += time.monotonic() - start
            if time.monotonic() - saved > SAVE or self.games >= self.job.games:
                facts = {"games": self.games, "seconds": self.seconds}
                checkpoint.save(self.folder, {**self.fit._asdict(), "spread": self.spread}, facts)
                saved = time.monotonic()
            yield self.games, self.job.games

    def quality(self) -> list[dict[str, Any]]:
        """Measure the value on games that it has not learnt from."""
        return quality(self.fit.value(), self.variants, self.job.seed + HELD_SEED, self.threads)

    def played(self, seeds: int = SEEDS) -> list[dict[str, Any]]:
        """Play by the value: a quick search in one seat among heuristics, in the first variant; return its share of the win."""
        v, game = self.variants[0], self.job.game
        write_value(self.folder / TRIAL, game, self.fit.value(), {})
        agent = rollout(game, TRIED, leaf=str(self.folder / TRIAL), threads=self.threads)
        found = measure(v, agent, heuristic(game, threads=self.threads), seeds, SHIP_SEED, self.threads)
        line = {"agent": f"rollout:{TRIED}", "variant": str(v), "rules": v.rules_digest, "games": found.games, "seed": SHIP_SEED}
        return [{**line, "won": round(found.won, DIGITS), "half": round(found.half, DIGITS)}]

    def export(self, path: Path, command: str, table: Sequence[Mapping[str, Any]], played: Sequence[Mapping[str, Any]] = ()) -> int:
        """Write the value's file and return its size in bytes."""
        figures = {"quality": json.dumps(table), "played": json.dumps(played)}
        words = {"command": command, "games": str(self.games), "seconds": f"{self.seconds:.0f}", **figures}
        return write_value(path, self.job.game, self.fit.value(), words)


def write_value(path: Path, game: Game, value: Value, words: Mapping[str, str]) -> int:
    """Write a value's file: numbers in float16 and a header. Return its size in bytes."""
    halves = {name: np.ascontiguousarray(getattr(value, name), np.float16) for name in ("most", "rows", *LAYERS)}
    data: bytes = save(halves, sealed({**header(game), **words}, halves))
    write_atomically(path, data)
    return len(data)


def quality(value: Value, variants: Sequence[Variant], series: int, threads: int) -> list[dict[str, Any]]:
    """Return how well a value explains the results of games, for the first variant round by round and for all variants together.

    Positions are redealt for the seat to move, as in a search. Beside the value stands the heuristic's estimate; it becomes shares by a
    softmax with the factor that fits these games best.
    """
    found = []
    for name, some in ((str(variants[0]), variants[:1]), ("all variants", variants)):
        seen = Room(some, HELD).watch(series, 0, HELD, threads, held=True)
        held = positions(seen, np.ones(seen.rules.size))
        shares = np.zeros((held.which.size, held.label.shape[1]))
        predict((tuple(value), tuple(held), shares), held.which.size, threads)
        room = seen.obs.shape[1]
        result = np.repeat(won(seen), room, axis=0)[held.which]
        seats, when = held.seats[held.which], seen.when.ravel()[held.which]
        guess = tempered(seen.estimate.reshape(-1, shares.shape[1])[held.which], result, seats)
        rounds = [(k, when == k) for k in np.unique(when)] if len(some) == 1 else []
        for k, here in ((None, when >= 0), *rounds):
            if here.sum() >= 100:
                cells = {who: figures(x[here], result[here], seats[here]) for who, x in (("value", shares), ("estimate", guess))}
                found.append({"variant": name, "round": k if k is None else int(k), "positions": int(here.sum()), **cells})
    return found


def tempered(estimate: npt.NDArray[np.float64], result: npt.NDArray[np.float64], seats: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return estimates as shares: their softmax with the factor that fits the results best."""
    tried = [softened(estimate * factor, seats) for factor in np.geomspace(0.25, 32, 29)]
    return min(tried, key=lambda shares: log_loss(shares, result))


def log_loss(shares: npt.NDArray[np.float64], result: npt.NDArray[np.float64]) -> float:
    """Return the mean cross-entropy of results."""
    return float(-(result * np.log(np.maximum(shares, 1e-9))).sum(axis=1).mean())


def figures(shares: npt.NDArray[np.float64], result: npt.NDArray[np.float64], seats: npt.NDArray[np.int64]) -> dict[str, float]:
    """Return the log loss of shares, and the part of the variance of the win that they explain."""
    present = np.arange(shares.shape[1]) < seats[:, None]
    even = np.where(present, 1 / seats[:, None], 0)
    rest = ((np.where(present, shares, 0) - result) ** 2).sum() / ((even - result) ** 2).sum()
    return {"log_loss": round(log_loss(shares, result), 4), "explained": round(1 - float(rest), 4)}
