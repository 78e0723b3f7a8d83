"""Rate each legal answer to a question: play it out many times on redealt tables, and count how often the seat then wins.

All answers of a table meet the same redeals with the same luck, so that most of chance cancels out of their differences.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.agents.agent import Agent
from alehouse.agents.forks import play_forks
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.ratings import Floats, Ratings, empty
from alehouse.agents.whole_games import as_instant
from alehouse.envs.core.run.context import Context, ask
from alehouse.envs.core.run.inputs import check_whole, table_numbers
from alehouse.envs.core.run.luck import REDEALS, draw_each
from alehouse.envs.core.run.tables import Tables

PLAYS = 128
ROOM = 4096  # the most tables that are played on at once


def rate(
    agent: Agent, tables: Tables, plays: int = PLAYS, by: Agent | None = None, seed: int = 0, threads: int = 1, which: Any = None
) -> Ratings:
    """Return the ratings of all legal answers at the listed tables, or at all, as an agent sees them.

    Each answer is played out on `plays` redeals for the seat that is asked, with all seats played by the agent `by`. By default that is the
    rated agent itself. An agent with a method `rate(obs, mask, ctx, plays, seed)` gives its own ratings: searchers do, from the root of
    their search. A searcher that counts ranks or points has none; its attribute `quick` holds the agent that plays on. Nothing depends on
    what the seat cannot know, and equal seeds give equal ratings.
    """
    check_whole("plays", plays, 2, 10**6)
    check_whole("seed", seed, 0, 2**64 - 1)
    index = table_numbers(which, tables.n)
    if by is None and (own := getattr(agent, "rate", None)) is not None:
        ratings: Ratings = own(tables.obs[index], tables.mask[index], Context.of(tables, index), plays, seed)
        return ratings
    player: Agent = getattr(agent, "quick", agent) if by is None else by
    seats = tables.scores.shape[1]
    found = empty(index.size, len(tables.game.ACTIONS), seats)
    live = np.flatnonzero(~tables.over[index])
    rows, actions = np.nonzero(tables.mask[index[live]])
    rows, keys = live[rows], draw_each(np.full(plays, seed, np.uint64), REDEALS, np.arange(plays))
    shares, most = np.empty((rows.size, plays, seats)), max(1, ROOM // plays)
    for start in range(0, rows.size, most):
        some = slice(start, start + most)
        shares[some] = played_out(tables, index[rows[some]], actions[some], keys, player, threads)
    for row in map(int, live):
        weigh(found, row, actions[rows == row], shares[rows == row], int(tables.seat[index[row]]))
    return found


def weigh(found: Ratings, row: int, actions: npt.NDArray[np.int64], shares: Floats, seat: int) -> None:
    """Write the ratings of a table: `shares` holds the share of the win by answer, play and seat."""
    own, plays = shares[:, :, seat], shares.shape[1]
    behind = own[own.mean(axis=1).argmax()] - own
    found.value[row, actions], found.error[row, actions] = own.mean(axis=1), own.std(axis=1, ddof=1) / np.sqrt(plays)
    found.loss[row, actions], found.loss_error[row, actions] = behind.mean(axis=1), behind.std(axis=1, ddof=1) / np.sqrt(plays)
    found.visits[row, actions], found.shares[row, actions] = plays, shares.mean(axis=1)


def played_out(
    tables: Tables, index: npt.NDArray[np.int64], actions: npt.NDArray[np.int64], keys: npt.NDArray[np.uint64], player: Agent, threads: int
) -> Floats:
    """Redeal each listed table by each key for the seat that is asked, take the action given with it, and play on to the end.

    Return the share of the win for each row, key and seat.
    """
    every, first, each = np.repeat(index, keys.size), np.repeat(actions, keys.size), np.tile(keys, index.size)
    inside = as_instant(player, tables.game) or (player if type(player) is Kernel else None)
    if inside is not None:
        inside.check(Context.of(tables, index))
        rows = np.stack([every, first, tables.seat[every]], axis=1)
        shares = play_forks(inside, tables.states, tables.rules, tables.rule, rows, each, threads)
    else:
        dealt = Tables([tables.distinct[k] for k in tables.rule[every]], autoreset=False, reward="win")
        dealt.states[:] = tables.states[every]
        dealt.redeal(None, tables.seat[every], each)
        dealt.step(first)
        while not dealt.over.all():
            live = np.flatnonzero(~dealt.over)
            dealt.step(ask(player, dealt, live), live)
        shares = np.maximum(dealt.utility, 0.0).astype(np.float64)  # a seat that loses alone has less
    return shares.reshape(index.size, keys.size, -1)
