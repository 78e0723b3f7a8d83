"""Games played on from a table: the answer, what is redealt, and the luck are those the caller chooses."""

from typing import Any

import numpy as np
import pytest

from alehouse.agents import Kernel, heuristic
from alehouse.agents.forks import AS_IT_IS, NO_ANSWER, play_forks
from alehouse.agents.ladder import uniform
from alehouse.envs.core.run.tables import Tables

KEYS = np.arange(200, dtype=np.uint64)


def played(tables: Tables, agent: Kernel, rows: Any, keys: Any) -> Any:
    """The shares of the win after games were played on."""
    return play_forks(agent, tables.states, tables.rules, tables.rule, rows, keys)


def three_in_a_row() -> Tables:
    """Connect four: player_0 has three discs in column a, player_1 three in column b, and player_0 is to move."""
    tables = Tables("connect_four", n=1, autoreset=False)
    for column in (0, 1) * 3:
        tables.step([column])
    return tables


@pytest.mark.lanes
def test_the_answer_comes_first() -> None:
    tables = three_in_a_row()
    [v] = tables.variants
    rows = [(0, 0, 0), (0, 6, 0)]
    won, lost = played(tables, heuristic(v.spec), rows, [7, 7])
    assert won.tolist() == [1, 0]  # four in column a
    assert lost.tolist() == [0, 1]  # player_1 answers in column b


def test_a_redeal_changes_what_the_seat_cannot_know_and_nothing_else() -> None:
    tables = Tables("kuhn_poker", n=1, autoreset=False)
    tables.states["card"] = 1, 2  # a queen and a king
    [v] = tables.variants
    one = uniform(v.spec)
    passed = v.action("pass")
    tables.step([passed])
    kept = played(tables, one, [(0, passed, AS_IT_IS)] * len(KEYS), KEYS)
    assert (kept[:, 1] == 1).all()  # both pass: the king wins
    known = played(tables, one, [(0, passed, 0)] * len(KEYS), KEYS)
    assert abs(known[:, 0].mean() - 0.5) < 0.12  # player_0 knows only of the queen: half of the other cards are lower


def test_games_of_one_key_share_their_luck() -> None:
    tables = Tables("kuhn_poker", n=1, autoreset=False)
    [v] = tables.variants
    rows = [(0, NO_ANSWER, 0)] * len(KEYS)
    one, two, other = (played(tables, uniform(v.spec), rows, keys) for keys in (KEYS, KEYS, KEYS + 1000))
    assert (one == two).all()
    assert (one != other).any()
