"""Plackett-Luce ratings: an agent with strength w comes first among some agents with probability w / (sum of their strengths)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.benchmarks.arena.play import Games, first_games

ELO = 400 / np.log(10)  # rating points for a factor of e in strength
PRIOR = 0.01  # a weak pull towards the middle, so that an agent that wins every game has a finite rating
MOST = 5000  # ratings are made from at most this many blocks
RESAMPLES = 100
DRAWN = 250  # a resample has at most this many blocks; its spread is scaled to all blocks

Rankings = list[tuple[int, ...]]


class Rating(NamedTuple):
    """An agent's rating, in points above the anchor, and both ends of its 95 % interval."""

    rating: float
    low: float
    high: float


class Ratings(NamedTuple):
    """The ratings of all agents, and their anchor."""

    agents: list[Rating]
    anchor: str  # the name of the agent whose rating is 0, or "mean"
    blocks: int


def rankings(games: Games, rng: np.random.Generator) -> Rankings:
    """Return the agents of each game from first to last; tied seats are put in a random order."""
    order = np.lexsort((rng.random(games.utility.shape), -games.utility))
    ranked = np.take_along_axis(games.seating, order, axis=1)
    return [tuple(row) for row in ranked.tolist()]


def fit(agents: int, data: Sequence[tuple[int, ...]], start: Any = None) -> npt.NDArray[np.float64]:
    """Return the logarithms of the strengths that fit the rankings best; an agent with several seats counts in each of them."""
    import choix

    found: npt.NDArray[np.float64] = choix.ilsr_rankings(agents, data, alpha=PRIOR, initial_params=start, max_iter=1000, tol=1e-6)
    return found


def ratings(games: Games, names: Sequence[str], seed: int = 0) -> Ratings:
    """Return ratings with block-bootstrap intervals (from resamples of fewer blocks); the uniform agent is the anchor if it plays."""
    size = games.rotations
    n = min(len(games.block) // size, MOST)
    rng = np.random.default_rng([seed, n])
    data = rankings(first_games(games, n * size), rng)
    center = fit(len(names), data)
    drawn = min(n, DRAWN)
    off = np.empty((RESAMPLES, len(names)))
    for row in off:
        chosen = rng.integers(0, n, drawn)
        row[:] = fit(len(names), [data[b * size + g] for b in chosen for g in range(size)], center)
    anchor = names.index("uniform") if "uniform" in names else None
    zero = slice(None) if anchor is None else slice(anchor, anchor + 1)
    center = ELO * (center - center[zero].mean())
    off = ELO * (off - off[:, zero].mean(axis=1, keepdims=True))
    spread = np.sqrt(drawn / n) * (np.quantile(off, (0.025, 0.975), axis=0) - np.median(off, axis=0))
    rated = [Rating(float(c), float(c + low), float(c + high)) for c, low, high in zip(center, *spread, strict=True)]
    return Ratings(rated, "mean" if anchor is None else names[anchor], n)
