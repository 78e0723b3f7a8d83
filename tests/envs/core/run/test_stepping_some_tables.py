"""Some tables are stepped while others wait, another series is started, and some tables are redealt."""

import numpy as np
import pytest

from alehouse.envs.core.run.tables import IllegalAction, Tables


def test_tables_not_listed_wait():
    tables = Tables("connect_four", n=4, autoreset=False)
    alone = Tables("connect_four", n=4, autoreset=False)
    before = tables.states.copy()
    tables.step([3, 5], which=[2, 0])
    alone.step([5, 0, 3, 0])
    assert (tables.states[[1, 3]] == before[[1, 3]]).all()
    assert (tables.states[[0, 2]] == alone.states[[0, 2]]).all()
    for array, other in ((tables.obs, alone.obs), (tables.mask, alone.mask), (tables.seat, alone.seat)):
        assert (array[[0, 2]] == other[[0, 2]]).all()
    tables.step([1], which=np.array([False, True, False, False]))
    assert tables.states["asked"].tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize("autoreset", [True, False])
def test_replays_skip_the_waits(autoreset):
    tables = Tables("kuhn_poker", n=3, seed=2, autoreset=autoreset)
    for actions, which in (([1], [0]), ([0, 0], [1, 2]), ([1], [1]), ([1, 1], [0, 2]), ([0], [1])):
        tables.step(actions, which)
    assert tables.over.tolist() == [True, True, False]
    assert tables.replay(0).actions == (1, 1)
    assert tables.replay(1).actions == (0, 1, 0)
    assert tables.replay(2).actions == (0, 1)
    for i in range(3):
        tables.replay(i).verify()
    if not autoreset:
        tables.step([1, 0, 0])  # over: ignored
        assert [tables.replay(i).actions for i in range(3)] == [(1, 1), (0, 1, 0), (0, 1, 0)]


def test_a_bad_listed_action_changes_nothing():
    tables = Tables("kuhn_poker", n=3)
    before = tables.states.tobytes()
    for action in (-1, 2, 64):
        with pytest.raises(IllegalAction) as refusal:
            tables.step([0, action], which=[2, 1])
        assert (refusal.value.table, refusal.value.action) == (1, action)
    for actions, which, words in (([0], [0, 1], "actions"), ([0, 0], [1, 1], "twice"), ([0], [3], "which"), ([0.0], [0], "actions")):
        with pytest.raises(ValueError, match=words):
            tables.step(actions, which)
    assert tables.states.tobytes() == before


def test_restart_is_another_seeds_first_games():
    tables, fresh = Tables("kuhn_poker", n=5, seed=1), Tables("kuhn_poker", n=5, seed=9)
    tables.step([0] * 5)
    tables.restart(9)
    assert (tables.states == fresh.states).all()
    tables.reset()
    fresh.reset()
    assert (tables.states == fresh.states).all()
    with pytest.raises(ValueError, match="seed"):
        tables.restart(-1)


def test_redealt_tables_are_new_and_keep_what_the_seat_knows():
    tables = Tables("kuhn_poker", n=6, seed=4)
    tables.step([1, 0, 1, 0, 1, 0])
    before = tables.states.tobytes()
    redealt = tables.redealt([5, 2], tables.seat[[5, 2]], [10, 11])
    assert redealt.n == 2
    assert not redealt.autoreset
    assert (redealt.obs == tables.obs[[5, 2]]).all()
    assert (redealt.mask == tables.mask[[5, 2]]).all()
    assert redealt.seeds.tolist() == [10, 11]
    redealt.step([0, 0])
    assert tables.states.tobytes() == before
    with pytest.raises(ValueError, match="no replay"):
        redealt.replay(0)
