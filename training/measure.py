"""Measure an agent in one seat against another agent in all other seats: whole games, with each seed played from every seat."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents import Agent, ask, play_line
from alehouse.agents.whole_games import line_of
from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.standings import win_shares
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.intervals import half_width

AT_ONCE = 512  # number of seeds that are played at once
Shares = npt.NDArray[np.float64]
Seats = npt.NDArray[np.int64]
Seeds = npt.NDArray[np.uint64]


class Measured(NamedTuple):
    """Games played, the share of them won, half its 95 % interval over seeds, and the share that even play would win."""

    games: int
    won: float
    half: float
    parity: float


def measure(v: Variant | str, agent: Agent, others: Agent, seeds: int, seed: int = 0, threads: int = 1) -> Measured:
    """Play the first `seeds` games of a series from each seat in turn, with one agent in that seat and another in all other seats."""
    v = as_variant(v)
    found = [share(v, agent, others, np.arange(k, min(seeds, k + AT_ONCE)), seed, threads) for k in range(0, seeds, AT_ONCE)]
    shares = np.concatenate(found)
    half = float(half_width(shares)) if seeds > 1 else 1.0
    return Measured(seeds * v.seats, float(shares.mean()), half, 1 / v.seats)


def share(v: Variant, agent: Agent, others: Agent, numbers: npt.NDArray[np.int64], seed: int, threads: int) -> Shares:
    """Return the share of games that an agent wins, averaged over the seats, for each of some games of a series."""
    hero = np.tile(np.arange(v.seats), numbers.size)
    seeds = np.repeat(np.array([game_seed(np.uint64(seed), int(k)) for k in numbers], np.uint64), v.seats)
    if line_of([agent, others], v.spec):
        utility = play_line(v, [agent, others], (np.arange(v.seats) != hero[:, None]).astype(np.int64), seeds, threads).utility
    else:
        utility = side_by_side(v, agent, others, hero, seeds, threads)
    found: Shares = win_shares(utility)[np.arange(hero.size), hero].reshape(numbers.size, v.seats).mean(axis=1)
    return found


def side_by_side(v: Variant, agent: Agent, others: Agent, hero: Seats, seeds: Seeds, threads: int) -> npt.NDArray[np.float32]:
    """Play games decision by decision, with the agent in the seats of `hero`; return the utility of each seat."""
    tables = Tables(v, n=hero.size, autoreset=False, threads=threads)
    tables.reset(seeds=seeds)
    while not tables.over.all():
        actions = np.zeros(tables.n, np.int64)
        mine = tables.seat == hero
        for player, which in ((agent, np.flatnonzero(mine)), (others, np.flatnonzero(~mine & ~tables.over))):
            if which.size:
                actions[which] = ask(player, tables, which)
        tables.step(actions)
    return tables.utility
