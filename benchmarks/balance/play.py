"""Plays the blocks of a study: each block is one seed, played once in every cell, so that cells are compared on the same luck."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.agent import Agent
from alehouse.agents.kernel_agent import Kernel, announced
from alehouse.agents.whole_games import Line, as_instant, line_of
from alehouse.benchmarks.balance.kernels.watched_games import SEEN, TALLY, WatchedGames, watched
from alehouse.benchmarks.balance.rule_sets import DrawnRules
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.batch_kernels import tables_apart
from alehouse.envs.core.run.context import ask
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.tables import Tables

Ints = npt.NDArray[Any]
Seeds = npt.NDArray[np.uint64]


class Played(NamedTuple):
    """Games of a study, with axes block and cell: points and rank utilities by seat, and what was seen during play. Absent seats are 0."""

    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]
    seen: npt.NDArray[np.int32]
    tally: npt.NDArray[np.float64]  # the counts named in TALLY for each action, summed over all games


def instant_agents(agents: Sequence[Agent], spec: Game) -> list[Kernel]:
    """Return the agents in their form as instant agents; a ValueError names one that has none."""
    found = [as_instant(agent, spec) for agent in agents]
    for agent, one in zip(agents, found, strict=True):
        if one is None:
            raise ValueError(f"agent {agent.name!r}: only uniform, greedy and heuristic play games with exchanged items or redrawn luck")
    return [one for one in found if one is not None]


def block_seeds(seed: int, low: int, high: int) -> Seeds:
    """Return the seeds of the blocks from `low` up to, but not including, `high`."""
    return np.array([game_seed(np.uint64(seed), block) for block in range(low, high)], np.uint64)


def play(cells: Sequence[Variant], agent: Agent, seeds: Seeds, threads: int = 1, drawn: DrawnRules | None = None) -> Played:
    """Play every seed in every cell, with the agent in all seats; by drawn rules, if there are any."""
    seats, each = max(v.seats for v in cells), np.repeat(seeds, len(cells))
    of_block = np.zeros(len(seeds), np.int64) if drawn is None else drawn.of_block
    rule = (of_block[:, None] * len(cells) + np.arange(len(cells))).ravel()
    line = line_of([agent], cells[0].spec)
    if line:
        rules = None if drawn is None else drawn.rules
        found = play_quick(cells, rule, np.zeros((each.size, seats), np.int8), line, each, threads, rules)
    else:
        variants = cells if drawn is None else drawn.variants()
        found = play_records(variants, rule, record_actions(variants, rule, agent, each, threads), each)
    shape = len(seeds), len(cells)
    scores, utility = found.scores.reshape(*shape, seats), found.utility.reshape(*shape, seats)
    return Played(scores, utility, found.seen.reshape(*shape, len(SEEN)), found.tally)


def play_quick(
    cells: Sequence[Variant], rule: Ints, seating: Ints, line: Line, seeds: Seeds, threads: int, rules: Ints | None = None
) -> Played:
    """Play whole games by quick agents: game i by row rule[i] of the rules, by default those of the cells."""
    return play_watched(cells[0].spec, rules_of(cells) if rules is None else rules, rule, seating, line, seeds, threads)


def rules_of(cells: Sequence[Variant]) -> Ints:
    """Return the rules of some variants, a record for each."""
    return np.concatenate([v.rules_record() for v in cells])


def record_actions(cells: Sequence[Variant], rule: Ints, agent: Agent, seeds: Seeds, threads: int) -> npt.NDArray[np.int16]:
    """Play games side by side with an agent outside numba; return the actions of each game, in order."""
    tables = Tables([cells[k] for k in rule], autoreset=False, threads=threads)
    tables.reset(seeds=seeds)
    record = []
    while (waiting := np.flatnonzero(~tables.over)).size:
        actions = ask(agent, tables, waiting)
        record.append(np.zeros(tables.n, np.int16))
        record[-1][waiting] = actions
        tables.step(actions, waiting)
    return np.ascontiguousarray(np.stack(record, axis=1))


def play_records(cells: Sequence[Variant], rule: Ints, record: npt.NDArray[np.int16], seeds: Seeds) -> Played:
    """Play recorded games again and watch them; a game's record takes the place of an agent's weights."""
    who = np.repeat(np.arange(len(seeds)), max(v.seats for v in cells)).reshape(len(seeds), -1)
    options = np.zeros((len(seeds), 1), np.int64)
    return play_watched(cells[0].spec, rules_of(cells), rule, who, Line(0, record, options), seeds, 1, recorded=True)


def play_watched(
    spec: Game, rules: Ints, rule: Ints, seating: Ints, line: Line, seeds: Seeds, threads: int, recorded: bool = False
) -> Played:
    """Play games inside numba; `line` holds weights (or records) and options for the agents that `seating` numbers."""
    shape = seating.shape
    job = WatchedGames(
        tables=np.zeros(threads * tables_apart(spec), spec.STATE),
        rules=rules,
        rule=rule,
        seeds=seeds,
        agents=seating,
        weights=line.weights,
        options=line.options,
        scores=np.zeros(shape, np.int32),
        utility=np.zeros(shape, np.float32),
        seen=np.zeros((len(seeds), len(SEEN)), np.int32),
        tally=np.zeros((threads, len(TALLY), len(spec.ACTIONS))),
    )
    run = watched(spec, line.width, recorded)
    with announced(spec, "recorded games" if recorded else "watched games"):
        run(job, 0)
    run(job, len(seeds), threads)
    return Played(job.scores, job.utility, job.seen, job.tally.sum(axis=0))
