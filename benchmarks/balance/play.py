"""Blocks played: one seed, once in every cell, so that cells are compared on the same luck."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.agent import Agent
from alehouse.agents.kernel_agent import Kernel, announced
from alehouse.agents.whole_games import as_instant
from alehouse.benchmarks.balance.kernels.watched_games import SEEN, TALLY, WatchedGames, watched
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.context import ask
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.tables import Tables

Seeds = npt.NDArray[np.uint64]
Span = Callable[[int, int], npt.NDArray[np.float64]]  # plays the games from one number to another; the tally of their actions


class Played(NamedTuple):
    """Games by block and cell: points and rank utilities by seat, and what was seen on the way; absent seats are 0. The tally of
    actions is of all of them together."""

    scores: npt.NDArray[np.int16]
    utility: npt.NDArray[np.float32]
    seen: npt.NDArray[np.int16]
    tally: npt.NDArray[np.float64]  # by TALLY, then action


def quick_agents(agents: Sequence[Agent], spec: Game) -> list[Kernel]:
    """The agents as ones that decide at once."""
    found = [as_instant(agent, spec) for agent in agents]
    for agent, one in zip(agents, found, strict=True):
        if one is None:
            raise ValueError(f"agent {agent.name!r}: here uniform, greedy and heuristic agents play")
    return [one for one in found if one is not None]


def series(seed: int, low: int, high: int) -> Seeds:
    """The seeds of some blocks of a study."""
    return np.array([game_seed(np.uint64(seed), block) for block in range(low, high)], np.uint64)


def play(cells: Sequence[Variant], agent: Agent, seeds: Seeds, threads: int = 1) -> Played:
    """Every seed in every cell, the agent in all seats."""
    seats, each = max(v.seats for v in cells), np.repeat(seeds, len(cells))
    rule = np.tile(np.arange(len(cells)), len(seeds))
    quick = as_instant(agent, cells[0].spec)
    if quick is not None:
        found = line(cells, rule, np.zeros((each.size, seats), np.int8), [quick], each, threads)
    else:
        found = again(cells, rule, lock_step(cells, rule, agent, each, threads), each)
    shape = len(seeds), len(cells)
    scores, utility = found.scores.reshape(*shape, seats), found.utility.reshape(*shape, seats)
    return Played(scores, utility, found.seen.reshape(*shape, len(SEEN)), found.tally)


def line(
    rules: Sequence[Variant], rule: npt.NDArray[Any], seating: npt.NDArray[np.int8], agents: Sequence[Kernel], seeds: Seeds, threads: int
) -> Played:
    """Games one by one: game i has rules rule[i], and agent seating[i, p] in seat p."""
    weights, hows = np.concatenate([one.weights for one in agents]), np.stack([one.options for one in agents])
    return watching(rules, rule, weights, hows, seating, seeds, threads)


def lock_step(cells: Sequence[Variant], rule: npt.NDArray[Any], agent: Agent, seeds: Seeds, threads: int) -> npt.NDArray[np.int16]:
    """The actions of games played side by side by an agent that is asked from Python: by game, then in order."""
    tables = Tables([cells[k] for k in rule], autoreset=False, threads=threads)
    tables.reset(seeds=seeds)
    moves = []
    while (waiting := np.flatnonzero(~tables.over)).size:
        actions = ask(agent, tables, waiting)
        moves.append(np.zeros(tables.n, np.int16))
        moves[-1][waiting] = actions
        tables.step(actions, waiting)
    return np.ascontiguousarray(np.stack(moves, axis=1))


def again(cells: Sequence[Variant], rule: npt.NDArray[Any], moves: npt.NDArray[np.int16], seeds: Seeds) -> Played:
    """Recorded games, watched: each has a record of its own where others have an agent."""
    who = np.repeat(np.arange(len(seeds)), max(v.seats for v in cells)).reshape(len(seeds), -1)
    return watching(cells, rule, moves, np.zeros((len(seeds), 1), np.int64), who, seeds, 1, recorded=True)


def watching(
    rules: Sequence[Variant],
    rule: npt.NDArray[Any],
    weights: npt.NDArray[Any],
    hows: npt.NDArray[np.int64],
    seating: npt.NDArray[Any],
    seeds: Seeds,
    threads: int,
    recorded: bool = False,
) -> Played:
    """Games inside numba: seat p of game i has the weights, or the record, of seating[i, p]."""
    spec = rules[0].spec
    records = np.zeros(len(rules), spec.RULES)
    for k, v in enumerate(rules):
        records[k] = v.rules_record()[0]
    n, seats = len(seeds), max(v.seats for v in rules)
    points, utility, seen = np.zeros((n, seats), np.int32), np.zeros((n, seats), np.float32), np.zeros((n, len(SEEN)), np.int32)
    todo, games = WatchedGames(records, rule, seeds, seating, weights, hows, points, utility, seen), watched(spec, recorded).games

    def run(low: int, high: int) -> npt.NDArray[np.float64]:
        tally = np.zeros((len(TALLY), len(spec.ACTIONS)))
        games(np.zeros(1, spec.STATE), todo, tally, low, high)
        return tally

    with announced(spec, "recorded games" if recorded else "watched games"):
        run(0, 0)
    tally = shared_out(run, n, threads)
    return Played(points.astype(np.int16), utility, np.minimum(seen, 32767).astype(np.int16), tally)


def shared_out(run: Span, games: int, threads: int) -> npt.NDArray[np.float64]:
    """So many games on so many threads; the tally of all."""
    ends = np.linspace(0, games, threads + 1).astype(int)
    if threads == 1:
        return run(0, games)
    with ThreadPoolExecutor(threads) as pool:
        return np.asarray(np.sum(list(pool.map(run, ends[:-1].tolist(), ends[1:].tolist())), axis=0))
