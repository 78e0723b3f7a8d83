"""Tune the weights of a heuristic by CMA-ES (the `cmaes` library) on paired seeds.

All candidates of a generation play the same seeds, from every seat in turn. Their opponents use the weights in the file at first; after
every RENEWED generations they take over the mean of the search. A journal keeps the utilities of each generation, so that a stopped
search goes on from there and finds the same weights.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.heuristic import weights_of
from alehouse.agents.heuristic.weights import Weights
from alehouse.agents.ladder import heuristic
from alehouse.agents.whole_games import play_line
from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.verify.intervals import half_width
from alehouse.training.journal import add_line, lines_of

SIGMA = 0.1  # size of the first step, as a share of each weight's range
RENEWED = 10  # the opponents take over the mean of the search after this many generations
TRIALS = 10  # the last comparison plays this many times as many blocks as a candidate
FORMAT = "alehouse-tune-2"
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Job:
    """What is tuned, and with which settings."""

    variants: tuple[str, ...]
    only: tuple[str, ...] = ()
    generations: int = 100
    population: int = 24
    blocks: int = 50  # number of seeds of each variant that a candidate plays from every seat
    seed: int = 0


class Generation(NamedTuple):
    """The result of one generation: the mean utility of each candidate, and the weights in the middle of the search after it."""

    number: int
    utility: list[float]
    values: Vector


class Verdict(NamedTuple):
    """The last comparison, on new seeds: the mean utility of tuned weights in one seat against the old ones, and half its 95 % interval."""

    games: int
    utility: float
    half: float


def tune(job: Job, journal: Path, threads: int = 1) -> Iterator[Generation]:
    """Yield the generations one by one; those in the journal come first."""
    from cmaes import CMA

    played = [as_variant(name) for name in job.variants]
    game, weights = played[0].spec, weights_of(played[0].spec)
    places = weights.chosen(job.only)
    low, span = weights.ranges[places, 0], np.ptp(weights.ranges[places], axis=1)
    values = weights.vector()
    start = (values[places] - low) / span
    box = np.tile([0.0, 1.0], (places.size, 1))
    search = CMA(mean=start, sigma=SIGMA, bounds=box, seed=job.seed % 2**32, population_size=job.population)
    known, others = [line["utility"] for line in lines_of(journal, head_of(job, weights), ["utility"])], values
    for number in range(job.generations):
        candidates = [search.ask() for _ in range(search.population_size)]
        if number < len(known):
            utility = known[number]
        else:
            tried = (within(values, places, low + x * span) for x in candidates)
            utility = [field(played, game, mine, others, job, number, threads) for mine in tried]
            add_line(journal, {"generation": number, "utility": utility})
        search.tell([(x, -u) for x, u in zip(candidates, utility, strict=True)])
        middle = within(values, places, low + np.clip(search.mean, 0, 1) * span)
        if (number + 1) % RENEWED == 0:
            others = middle
        yield Generation(number, utility, middle)


def within(values: Vector, places: npt.NDArray[np.int64], chosen: Vector) -> Vector:
    """Return all weights after replacing those at some indices."""
    found = values.copy()
    found[places] = chosen
    return found


def field(played: Sequence[Variant], game: Game, mine: Vector, others: Vector, job: Job, number: int, threads: int) -> float:
    """Return the mean utility of one set of weights against another, averaged over all variants."""
    means = [blocks(v, game, mine, others, job.blocks, job.seed, number, threads).mean() for v in played]
    return float(np.mean(means))


def blocks(v: Variant, game: Game, mine: Vector, others: Vector, n: int, seed: int, number: int, threads: int) -> Vector:
    """Return the mean utility of one set of weights against another in each block (one seed, played from every seat in turn)."""
    weights = weights_of(game)
    line = [heuristic(game), heuristic(game)]
    for agent, values in zip(line, (mine, others), strict=True):
        agent.weights = weights.packed(values)
    P = v.seats
    seeds = np.repeat(np.array([game_seed(np.uint64(seed), number * n + k) for k in range(n)], np.uint64), P)
    seats = np.tile(np.arange(P), n)
    seating = np.ones((n * P, P), np.int8)
    seating[np.arange(n * P), seats] = 0
    utility = play_line(v, line, seating, seeds, threads).utility
    found: Vector = utility[np.arange(n * P), seats].reshape(n, P).mean(axis=1).astype(np.float64)
    return found


def compared(job: Job, values: Vector, threads: int = 1) -> Verdict:
    """Compare the tuned weights with the old ones, on seeds that no candidate played."""
    played = [as_variant(name) for name in job.variants]
    game, n = played[0].spec, job.blocks * TRIALS
    fresh = job.generations * job.blocks // n + 1
    old = weights_of(game).vector()
    found = np.mean([blocks(v, game, values, old, n, job.seed, fresh, threads) for v in played], axis=0)
    half = float(half_width(found))
    return Verdict(n * sum(v.seats for v in played), float(found.mean()), half)


def head_of(job: Job, weights: Weights) -> dict[str, Any]:
    """Return the first line of the journal of a search; it leaves out the number of generations, which may grow."""
    rules = {text: as_variant(text).rules_digest for text in job.variants}
    head = {"format": FORMAT, **asdict(job), "rules": rules, "from": weights.vector().tolist()}
    del head["generations"]
    return head
