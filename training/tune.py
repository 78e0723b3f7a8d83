"""Tuning the weights of a heuristic: CMA-ES (the `cmaes` library) on paired seeds.

All candidates of a generation play the same seeds, from every seat in turn, against the heuristic with the weights of the file
and, from RENEWED generations on, with the mean of the search as it stood then. A journal keeps what each generation came to;
the same question goes on from there and comes to the same weights.
"""

import json
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
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.verify.intervals import half_width

SIGMA = 0.1  # first step, in ranges
RENEWED = 10  # generations after which the opponents become the mean
TRIALS = 10  # blocks of the last comparison, for each block of a candidate
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """What is tuned, and how."""

    variants: tuple[str, ...]
    only: tuple[str, ...] = ()
    generations: int = 100
    population: int = 24
    blocks: int = 50  # seeds of each variant a candidate plays from every seat
    seed: int = 0


class Generation(NamedTuple):
    """One generation: what its candidates won, as mean utility, and the values at the middle of the search after it."""

    number: int
    utility: list[float]
    values: Vector


class Verdict(NamedTuple):
    """The tuned weights in one seat against the old ones in the others, on fresh seeds; a 95 % interval over blocks."""

    games: int
    utility: float
    half: float


def tune(question: Question, journal: Path, threads: int = 1) -> Iterator[Generation]:
    """The generations one by one, those the journal holds first."""
    from cmaes import CMA

    played = [as_variant(name) for name in question.variants]
    game, weights = played[0].spec, weights_of(played[0].spec)
    places = weights.chosen(question.only)
    low, span = weights.ranges[places, 0], np.ptp(weights.ranges[places], axis=1)
    values = weights.vector()
    start = (values[places] - low) / span
    box = np.tile([0.0, 1.0], (places.size, 1))
    search = CMA(mean=start, sigma=SIGMA, bounds=box, seed=question.seed % 2**32, population_size=question.population)
    told, others = past(question, weights, journal), values
    for number in range(question.generations):
        asked = [search.ask() for _ in range(search.population_size)]
        if number < len(told):
            utility = told[number]
        else:
            utility = [field(played, game, within(values, places, low + x * span), others, question, number, threads) for x in asked]
            write(journal, {"generation": number, "utility": utility})
        search.tell([(x, -u) for x, u in zip(asked, utility, strict=True)])
        middle = within(values, places, low + np.clip(search.mean, 0, 1) * span)
        if (number + 1) % RENEWED == 0:
            others = middle
        yield Generation(number, utility, middle)


def within(values: Vector, places: npt.NDArray[np.int64], chosen: Vector) -> Vector:
    """All weights, those at some places replaced."""
    found = values.copy()
    found[places] = chosen
    return found


def field(played: Sequence[Variant], game: Game, mine: Vector, others: Vector, question: Question, number: int, threads: int) -> float:
    """The mean utility of one set of weights among another, over the variants."""
    means = [blocks(v, game, mine, others, question.blocks, question.seed, number, threads).mean() for v in played]
    return float(np.mean(means))


def blocks(v: Variant, game: Game, mine: Vector, others: Vector, n: int, seed: int, number: int, threads: int) -> Vector:
    """The mean utility of one set of weights among another in each block: one seed, from every seat in turn."""
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


def judge(question: Question, values: Vector, threads: int = 1) -> Verdict:
    """The tuned weights against the old ones, on seeds no candidate played."""
    played = [as_variant(name) for name in question.variants]
    game, n = played[0].spec, question.blocks * TRIALS
    fresh = question.generations * question.blocks // n + 1
    old = weights_of(game).vector()
    found = np.mean([blocks(v, game, values, old, n, question.seed, fresh, threads) for v in played], axis=0)
    half = float(half_width(found))
    return Verdict(n * sum(v.seats for v in played), float(found.mean()), half)


# The journal: the question, then a line a generation


def past(question: Question, weights: Weights, journal: Path) -> list[list[float]]:
    """What the journal holds of this question; it is begun if there is none."""
    head: dict[str, Any] = json.loads(json.dumps(asdict(question) | {"from": weights.vector().tolist()}))
    del head["generations"]
    if not journal.exists():
        journal.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(journal, (json.dumps(head) + "\n").encode())
        return []
    whole = journal.read_text(encoding="utf-8").split("\n")[:-1]  # a line cut short is played again
    try:
        first, *rest = [json.loads(line) for line in whole]
        told = [[float(u) for u in row["utility"]] for row in rest]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{journal}: not a journal of tuning; remove it to begin anew") from None
    if first != head:
        raise ValueError(f"{journal}: of another question, or of other weights; remove it to begin anew")
    write_atomically(journal, ("\n".join(whole) + "\n").encode())
    return told


def write(journal: Path, row: dict[str, Any]) -> None:
    """One more line."""
    with open(journal, "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
