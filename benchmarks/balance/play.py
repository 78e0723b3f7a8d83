"""Blocks played: one seed, once in every cell, so that cells are compared on the same luck."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.agent import Agent
from alehouse.agents.kernel import Kernel, announced
from alehouse.agents.whole import as_quick
from alehouse.benchmarks.balance.kernels.watch import SEEN, TALLY, watched
from alehouse.envs.core.game import Game, Variant
from alehouse.envs.core.luck import game_seed

Seeds = npt.NDArray[np.uint64]


class Played(NamedTuple):
    """Games by block and cell: points and rank utilities by seat, and what was seen on the way; absent seats are 0. The tally of
    actions is of all of them together."""

    scores: npt.NDArray[np.int16]
    utility: npt.NDArray[np.float32]
    seen: npt.NDArray[np.int16]
    tally: npt.NDArray[np.float64]  # by TALLY, then action


def quick_agents(agents: Sequence[Agent], spec: Game) -> list[Kernel]:
    """The agents as ones that decide at once."""
    found = [as_quick(agent, spec) for agent in agents]
    for agent, one in zip(agents, found, strict=True):
        if one is None:
            raise ValueError(f"agent {agent.name!r}: the balance lab plays uniform, greedy and heuristic agents")
    return [one for one in found if one is not None]


def series(seed: int, low: int, high: int) -> Seeds:
    """The seeds of some blocks of a study."""
    return np.array([game_seed(np.uint64(seed), block) for block in range(low, high)], np.uint64)


def play(cells: Sequence[Variant], agent: Kernel, seeds: Seeds, threads: int = 1) -> Played:
    """Every seed in every cell, the agent in all seats."""
    n, seats = len(seeds) * len(cells), max(v.seats for v in cells)
    rule, who = np.tile(np.arange(len(cells)), len(seeds)), np.zeros((n, seats), np.int8)
    found = line(cells, rule, who, [agent], np.repeat(seeds, len(cells)), threads)
    shape = len(seeds), len(cells)
    scores, utility = found.scores.reshape(*shape, seats), found.utility.reshape(*shape, seats)
    return Played(scores, utility, found.seen.reshape(*shape, len(SEEN)), found.tally)


def line(
    rules: Sequence[Variant], rule: npt.NDArray[Any], seating: npt.NDArray[np.int8], agents: Sequence[Kernel], seeds: Seeds, threads: int
) -> Played:
    """Games one by one: game i has rules rule[i], and agent seating[i, p] in seat p."""
    spec = rules[0].spec
    records = np.zeros(len(rules), spec.RULES)
    for k, v in enumerate(rules):
        records[k] = v.rules_record()[0]
    n, seats = len(seeds), max(v.seats for v in rules)
    points, utility, seen = np.zeros((n, seats), np.int32), np.zeros((n, seats), np.float32), np.zeros((n, len(SEEN)), np.int32)
    weights, hows = np.concatenate([one.weights for one in agents]), np.stack([one.how for one in agents])
    games = watched(spec).games

    def run(low: int, high: int) -> npt.NDArray[np.float64]:
        tally = np.zeros((len(TALLY), len(spec.ACTIONS)))
        games(np.zeros(1, spec.STATE), records, rule, weights, hows, seating, seeds, points, utility, seen, tally, low, high)
        return tally

    with announced(spec, "watched games"):
        run(0, 0)
    ends = np.linspace(0, n, threads + 1).astype(int)
    if threads == 1:
        tallies = [run(0, n)]
    else:
        with ThreadPoolExecutor(threads) as pool:
            tallies = list(pool.map(run, ends[:-1].tolist(), ends[1:].tolist()))
    return Played(points.astype(np.int16), utility, np.minimum(seen, 32767).astype(np.int16), np.sum(tallies, axis=0))
