"""Samples and their links are compared with a slow account of the same games in plain Python."""

import numpy as np
import pytest

pytest.importorskip("torch")

from alehouse.envs.core.run.tables import Tables
from alehouse.training.decisions import Decided
from alehouse.training.samples import ENDED, OPEN, Collector
from tests import one_move, toy

SMOOTHING = 0.8


def decided(tables, action, log=0.0, value=0.0, prior=0.0):
    """Return decisions as a network takes them."""
    found = Decided.room(tables)
    for part, numbers in zip(found, (prior, 0, action, log, value), strict=True):
        part[:] = numbers
    return found


def played(collector, tables, learns, steps, account):
    """Play some random steps with made-up values; `account` lists every seat's decisions and rewards, game by game."""
    rng = np.random.default_rng(1)
    for _ in range(steps):
        action, log, value = tables.sample(), *rng.random((2, tables.n), np.float32)
        for i in range(tables.n):
            p = int(tables.seat[i])
            if learns[i, p] and tables.mask[i].sum() > 1:
                account.setdefault((i, p), [[]])[-1].append((tables.obs[i].tolist(), int(action[i]), float(value[i]), float(log[i])))
        prior = rng.random((tables.n, toy.GAME.choices), np.float32)
        collector.note(tables, learns, decided(tables, action, log, value, prior))
        tables.step(action)
        ended = np.flatnonzero(tables.over)
        collector.close(ended, tables.utility[ended])
        for i in ended:
            for p in range(tables.utility.shape[1]):
                if account.get((i, p), [[]])[-1]:
                    account[i, p][-1].append(float(tables.utility[i, p]))
                    account[i, p].append([])


def advantages(game):
    """Return GAE by the textbook for one seat's decisions in one game. The last number of a game that has ended is the reward."""
    over = isinstance(game[-1], float)
    values = [row[2] for row in game if isinstance(row, tuple)]
    found, ahead = [], 0.0
    for k in reversed(range(len(values) if over else len(values) - 1)):
        after = values[k + 1] if k + 1 < len(values) else 0.0
        delta = (game[-1] if k + 1 == len(values) else after) - values[k]
        ahead = delta + SMOOTHING * (ahead if k + 1 < len(values) else 0.0)
        found.append(ahead)
    return found[::-1]


def test_advantages_are_those_of_each_seat_alone():
    tables = Tables(toy.GAME.variant(modules=["spice"]), n=5, seed=2)
    learns = np.ones((5, 3), np.bool_)
    learns[1, 2] = False
    collector, account = Collector(tables, 1000), {}
    played(collector, tables, learns, 60, account)
    collector.settle(SMOOTHING)
    wanted = {}
    for games in account.values():
        for game in filter(None, games):
            for row, advantage in zip(game, advantages(game), strict=False):
                wanted[tuple(row[0]), row[1], row[3]] = advantage, advantage + row[2]
    mine = collector.settled()
    found = {
        (tuple(collector.samples.obs[k].tolist()), int(collector.samples.action[k]), float(collector.samples.log[k])): (
            float(collector.samples.advantage[k]),
            float(collector.samples.target[k]),
        )
        for k in mine
    }
    assert len(found) == mine.size > 100
    assert found.keys() == wanted.keys()
    for key, values in wanted.items():
        assert found[key] == pytest.approx(values, abs=1e-5)


def test_the_reward_reaches_seats_that_decided_long_ago():
    tables = Tables(one_move.GAME.variant(), n=2, seed=0)
    collector, learns = Collector(tables, 8), np.ones((2, 2), np.bool_)
    for actions in ([one_move.WIN, one_move.LOSE], [0, 1]):
        collector.note(tables, learns, decided(tables, actions))
        tables.step(actions)
        ended = np.flatnonzero(tables.over)
        collector.close(ended, tables.utility[ended])
    assert collector.count == 4
    assert collector.samples.after[:4].tolist() == [ENDED] * 4
    assert collector.samples.reward[:4].tolist() == [1, -1, -1, 1]  # of seat 0 at both tables, then of seat 1
    assert (collector.open == -1).all()


def test_single_legal_actions_are_left_out():
    tables = Tables(toy.GAME.variant(modules=["spice"]), n=20, seed=3)
    collector, chosen = Collector(tables, 4000), 0
    learns = np.ones((20, 3), np.bool_)
    for _ in range(30):
        chosen += int((tables.mask.sum(axis=1) > 1).sum())
        action = tables.sample()
        collector.note(tables, learns, decided(tables, action))
        tables.step(action)
    assert 0 < chosen < 20 * 30
    assert collector.count == chosen


def test_open_samples_open_the_next_batch(tmp_path):
    tables = Tables(toy.GAME.variant(), n=4, seed=4)
    learns, account = np.ones((4, 3), np.bool_), {}
    collector = Collector(tables, 500)
    played(collector, tables, learns, 17, account)
    still = {(i, p): games[-1][-1] for (i, p), games in account.items() if games[-1]}
    collector.settle(SMOOTHING)
    collector.carry()
    assert collector.count == len(still)
    assert (collector.samples.after[: collector.count] == OPEN).all()
    for (i, p), (obs, action, value, log) in still.items():
        k = collector.open[i, p]
        assert (collector.samples.obs[k].tolist(), collector.samples.action[k]) == (obs, action)
        assert (collector.samples.value[k], collector.samples.log[k]) == pytest.approx((value, log))
    other = Collector(tables, 500)
    other.restore(collector.saved())
    assert other.count == collector.count
    assert (other.open == collector.open).all()


@pytest.mark.slow
def test_aspects_stay_with_their_samples():
    tables = Tables("tavern_battle-4p", n=6, seed=4)
    learns = np.ones(tables.utility.shape, np.bool_)
    collector, other, rng, account = Collector(tables, 500), Collector(tables, 500), np.random.default_rng(2), {}
    for _ in range(40):
        action = tables.sample()
        found = decided(tables, action)
        found.aspects[:] = rng.normal(size=found.aspects.shape)
        for i in np.flatnonzero(tables.mask.sum(axis=1) > 1):
            account[i, int(tables.seat[i])] = found.aspects[i, : tables.mask[i].sum()]
        collector.note(tables, learns, found)
        tables.step(action)
    before = collector.rows
    collector.carry()
    assert collector.rows == sum(len(rows) for rows in account.values()) < before
    other.restore(collector.saved())
    for kept in (collector, other):
        for (i, p), rows in account.items():
            assert (kept.samples.aspects_at(kept.open[i, p : p + 1])[0] == rows).all()


def test_a_batch_is_full_when_there_is_no_room_for_rows():
    tables = Tables("tavern_battle-4p", n=2, seed=4)
    collector = Collector(tables, 10)
    assert not collector.full
    collector.filled[1] = collector.most_rows + 1
    assert collector.full
