"""Aspects are found by their names, and written for every legal answer."""

import numpy as np
import pytest

from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.heuristic.columns import columns, studying
from alehouse.envs.core.declare.record import i8, record
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import GAMES, game

C = columns(("points", "lead", "rounds"))


@jit
def fill(row):
    row[C.lead] = 5
    row[C.rounds] = 7


def test_a_kernel_writes_to_the_columns_it_names():
    row = np.zeros(3, np.int64)
    fill(row)
    assert row.tolist() == [0, 5, 7]


@pytest.mark.parametrize("name", GAMES)
def test_no_aspect_has_the_name_of_another(name):
    found = heuristic_of(game(name)).aspects
    assert sorted(set(found)) == sorted(found)


class Seen:
    """What a seat computes before it describes its answers."""

    seat: i8


D = columns(("rated", "best", "action", "seat"))


@jit
def look(s, R, W, p, seen):
    seen.seat = p


@studying(record(Seen), look, D)
@jit
def study(s, R, W, seen, a, row):
    row[D.action], row[D.seat] = a, seen.seat


def test_all_legal_answers_are_described_in_order():
    tables = Tables("kuhn_poker-2p", n=1)
    tables.step(np.array([1]))
    rows = np.full((3, 4), 9, np.float32)
    study(tables.states[0], tables.rules[0], None, np.array([-7, 0], np.float32), rows)
    assert rows.tolist() == [[-3, 0, 0, 1], [0, 1, 1, 1], [9, 9, 9, 9]]
