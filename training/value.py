"""Teach a value (see `agents.value`) by the results of games between heuristics, or other agents, that err now and then.

Games come in parts. Of each game some positions are kept: the ends of its rounds, and some others. What they are worth is told by the end
of the game: half by the win, half by the softmax of the points, which says more of a close game. Each part is learnt from a few times and
then forgotten. Other games, which nothing is learnt from, tell how well the value explains results, round by round.
"""

import json
import time
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from alehouse.agents import Agent, heuristic, rollout
from alehouse.agents.network_file import sealed
from alehouse.agents.value import LAYERS, ROWS, Value, header, read_value
from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.standings import win_shares
from alehouse.training import checkpoint
from alehouse.training.measure import measure
from alehouse.training.settings import layout_digest
from alehouse.training.value_fit import Fit, Positions, learn, predict, sums
from alehouse.training.watching import Room, Watched

PART = 2_000  # games in each part
EPOCHS = 2  # how often each part is learnt from
RATE = 0.003  # the learning rate of Adam at the start; it falls to nearly 0
FINER = 0.3  # the part of this rate by which a value learns that has learnt before
LOWEST = 0.02  # the part of the learning rate that is left at the end
FIRST_GAMES = 2_000  # games that are watched before learning, for the ranges of bytes and the spread of points
HELD = 4_000  # games that tell how well the value explains results
HELD_SEED, FIRST_SEED = 1 << 40, 1 << 41  # numbers of series of games that nothing is learnt from
SAVE = 30.0  # seconds between checkpoints
TRIED, SEEDS, SHIP_SEED = 30, 100, 2026  # at the end a search of this many roll-outs plays the games of these seeds, from every seat
TRIAL = "trial.safetensors"  # the value's file for that
DIGITS = 4  # digits of a share
Floats = npt.NDArray[np.float32]


class Job(NamedTuple):
    """What a value learns from: games of these variants, equally often.

    They are games of heuristics or, if `opponents` names agents, of these: each seat gets one of them, drawn.
    """

    variants: tuple[str, ...]
    games: int
    seed: int = 0
    opponents: tuple[str, ...] = ()
    start: str = ""  # the file of the value that goes on learning; "" to begin with nothing

    @property
    def game(self) -> Game:
        """The game that is played."""
        return as_variant(self.variants[0]).spec

    def facts(self) -> dict[str, Any]:
        """Return this job as JSON, with digests of the rules and of the layout."""
        rules = {text: as_variant(text).rules_digest for text in self.variants}
        return {"trainer": "value", **self._asdict(), "rules": rules, "layout": layout_digest(self.game)}


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

    def __init__(self, job: Job, folder: Path, threads: int, agents: Sequence[Agent] = ()) -> None:
        """Begin a run, or go on with it. `agents` are the job's opponents."""
        checkpoint.begin(folder, job.facts())
        self.job, self.folder, self.threads, self.agents = job, folder, threads, agents
        self.variants = [as_variant(text) for text in job.variants]
        self.room = Room(self.variants, max(PART, FIRST_GAMES))
        kept = checkpoint.load(folder)
        if kept is None:
            seen = self.room.watch(job.seed + FIRST_SEED, 0, FIRST_GAMES, threads)
            self.spread = spreads(seen)
            self.fit = Fit.of_value(read_value(Path(job.start), job.game)[0]) if job.start else Fit.begin(ranges(seen), job.seed)
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
            seen = self.watch(n)
            rate = RATE * (FINER if self.job.start else 1) * max(LOWEST, 1 - self.games / self.job.games)
            for _ in range(EPOCHS):
                learn(tuple(self.fit), tuple(self.fit.value()), tuple(memory), tuple(positions(seen, self.spread, rng)), rate)
            self.games += n
            self.seconds += time.monotonic() - start
            if time.monotonic() - saved > SAVE or self.games >= self.job.games:
                facts = {"games": self.games, "seconds": self.seconds}
                checkpoint.save(self.folder, {**self.fit._asdict(), "spread": self.spread}, facts)
                saved = time.monotonic()
            yield self.games, self.job.games

    def watch(self, games: int) -> Watched:
        """Play the next games to learn from."""
        if self.agents:
            return self.room.watch_agents(self.job.seed, self.games, games, self.threads, self.agents)
        return self.room.watch(self.job.seed, self.games, games, self.threads)

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


def softened(points: npt.NDArray[np.float64], seats: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return each seat's share if the win were shared by points: one point more multiplies a seat's share by e."""
    present = np.arange(points.shape[1]) < seats[:, None]
    above = np.exp(np.where(present, points, -np.inf) - np.where(present, points, -np.inf).max(axis=1, keepdims=True))
    found: npt.NDArray[np.float64] = above / above.sum(axis=1, keepdims=True)
    return found


def log_loss(shares: npt.NDArray[np.float64], result: npt.NDArray[np.float64]) -> float:
    """Return the mean cross-entropy of results."""
    return float(-(result * np.log(np.maximum(shares, 1e-9))).sum(axis=1).mean())


def figures(shares: npt.NDArray[np.float64], result: npt.NDArray[np.float64], seats: npt.NDArray[np.int64]) -> dict[str, float]:
    """Return the log loss of shares, and the part of the variance of the win that they explain."""
    present = np.arange(shares.shape[1]) < seats[:, None]
    even = np.where(present, 1 / seats[:, None], 0)
    rest = ((np.where(present, shares, 0) - result) ** 2).sum() / ((even - result) ** 2).sum()
    return {"log_loss": round(log_loss(shares, result), 4), "explained": round(1 - float(rest), 4)}
