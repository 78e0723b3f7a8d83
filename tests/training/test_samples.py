"""Samples and their links are compared with a slow account of the same games in plain Python."""

import numpy as np
import pytest

pytest.importorskip("torch")

from alehouse.envs.core.run.tables import Tables
from alehouse.training.decisions import Decided
from alehouse.training.samples import ENDED, NOBODY, OPEN, Collector
from tests import one_move, toy

DISCOUNT, SMOOTHING = 0.9, 0.8


def decided(tables, action, log=0.0, value=0.0, prior=0.0):
    """Return decisions as networks take them."""
    found = Decided.room(tables)
    for part, numbers in zip(found, (prior, 0, action, log, value, True, True), strict=True):
        part[:] = numbers
    return found


def played(collector, tables, who, steps, account):
    """Play some random steps with made-up values; `account` lists every seat's decisions and rewards, game by game."""
    rng = np.random.default_rng(1)
    for _ in range(steps):
        action, log, value = tables.sample(), *rng.random((2, tables.n), np.float32)
        baseline = rng.random(tables.utility.shape, np.float32)
        for i in range(tables.n):
            p = int(tables.seat[i])
            if who[i, p] != NOBODY and tables.mask[i].sum() > 1:
                account.setdefault((i, p), [[]])[-1].append(
                    (tables.obs[i].tolist(), int(action[i]), float(value[i]), float(log[i]), float(baseline[i, p]))
                )
        prior = rng.random((tables.n, toy.GAME.choices), np.float32)
        collector.note(tables, who, decided(tables, action, log, value, prior), baseline)
        tables.step(action)
        ended = np.flatnonzero(tables.over)
        collector.close(ended, tables.utility[ended])
        for i in ended:
            for p in range(tables.utility.shape[1]):
                if account.get((i, p), [[]])[-1]:
                    account[i, p][-1].append(float(tables.utility[i, p]))
                    account[i, p].append([])


def advantages(game):
    """Return GAE by the textbook for one seat's decisions in one game; a position is worth its value and its baseline.

    The last number of a game that has ended is the reward.
    """
    over = isinstance(game[-1], float)
    values = [row[2] + row[4] for row in game if isinstance(row, tuple)]
    found, ahead = [], 0.0
    for k in reversed(range(len(values) if over else len(values) - 1)):
        after = values[k + 1] if k + 1 < len(values) else 0.0
        delta = (game[-1] if k + 1 == len(values) else DISCOUNT * after) - values[k]
        ahead = delta + DISCOUNT * SMOOTHING * (ahead if k + 1 < len(values) else 0.0)
        found.append(ahead)
    return found[::-1]


def test_advantages_are_those_of_each_seat_alone():
    tables = Tables(toy.GAME.variant(modules=["spice"]), n=5, seed=2)
    who = np.zeros((5, 3), np.int8)
    who[1, 2], who[2] = NOBODY, 1
    collector, account = Collector(tables, 1000), {}
    played(collector, tables, who, 60, account)
    collector.settle(DISCOUNT, SMOOTHING)
    wanted = {}
    for (i, p), games in account.items():
        for game in filter(None, games):
            for row, advantage in zip(game, advantages(game), strict=False):
                wanted[tuple(row[0]), row[1], row[3]] = advantage, advantage + row[2], int(who[i, p])
    mine = np.concatenate([collector.learnt(0), collector.learnt(1)])
    found = {
        (tuple(collector.samples.obs[k].tolist()), int(collector.samples.action[k]), float(collector.samples.log[k])): (
            float(collector.samples.advantage[k]),
            float(collector.samples.target[k]),
            int(collector.samples.who[k]),
        )
        for k in mine
    }
    assert len(found) == mine.size > 100
    assert found.keys() == wanted.keys()
    for key, values in wanted.items():
        assert found[key] == pytest.approx(values, abs=1e-5)


def test_the_reward_reaches_seats_that_decided_long_ago():
    tables = Tables(one_move.GAME.variant(), n=2, seed=0)
    collector, who = Collector(tables, 8), np.zeros((2, 2), np.int8)
    for actions in ([one_move.WIN, one_move.LOSE], [0, 1]):
        collector.note(tables, who, decided(tables, actions), np.zeros((2, 2), np.float32))
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
    who, baseline = np.zeros((20, 3), np.int8), np.zeros((20, 3), np.float32)
    for _ in range(30):
        chosen += int((tables.mask.sum(axis=1) > 1).sum())
        action = tables.sample()
        collector.note(tables, who, decided(tables, action), baseline)
        tables.step(action)
    assert 0 < chosen < 20 * 30
    assert collector.count == chosen


def test_open_samples_open_the_next_batch(tmp_path):
    tables = Tables(toy.GAME.variant(), n=4, seed=4)
    who, account = np.zeros((4, 3), np.int8), {}
    collector = Collector(tables, 500)
    played(collector, tables, who, 17, account)
    still = {(i, p): games[-1][-1] for (i, p), games in account.items() if games[-1]}
    collector.settle(DISCOUNT, SMOOTHING)
    collector.carry()
    assert collector.count == len(still)
    assert (collector.samples.after[: collector.count] == OPEN).all()
    for (i, p), (obs, action, value, log, baseline) in still.items():
        k = collector.open[i, p]
        assert (collector.samples.obs[k].tolist(), collector.samples.action[k]) == (obs, action)
        assert (collector.samples.value[k], collector.samples.log[k], collector.samples.baseline[k]) == pytest.approx(
            (value, log, baseline)
        )
    other = Collector(tables, 500)
    other.restore(collector.saved())
    assert other.count == collector.count
    assert (other.open == collector.open).all()


def test_aspects_stay_with_their_samples():
    tables = Tables("tavern_battle-4p", n=6, seed=4)
    who, baseline = np.zeros(tables.utility.shape, np.int8), np.zeros(tables.utility.shape, np.float32)
    collector, other, rng, account = Collector(tables, 500), Collector(tables, 500), np.random.default_rng(2), {}
    for _ in range(40):
        action = tables.sample()
        found = decided(tables, action)
        found.aspects[:] = rng.normal(size=found.aspects.shape)
        for i in np.flatnonzero(tables.mask.sum(axis=1) > 1):
            account[i, int(tables.seat[i])] = found.aspects[i, : tables.mask[i].sum()]
        collector.note(tables, who, found, baseline)
        tables.step(action)
    before = collector.rows
    collector.carry()
    assert collector.rows == sum(len(rows) for rows in account.values()) < before
    other.restore(collector.saved())
    for kept in (collector, other):
        for (i, p), rows in account.items():
            assert (kept.samples.aspects_at(kept.open[i, p : p + 1])[0] == rows).all()


def test_effects_stay_with_their_samples():
    tables = Tables(toy.GAME.variant(modules=["spice"]), n=4, seed=3)
    who, baseline, given = np.zeros((4, 3), np.int8), np.zeros((4, 3), np.float32), {}
    who[1], who[2] = 1, NOBODY
    collector, rng = Collector(tables, 100), np.random.default_rng(2)

    def account():
        """Return each effect as given, and as the collector keeps it."""
        return {key: (effect, float(collector.samples.effect[key[0], key[1]])) for key, effect in given.items()}

    for _ in range(14):
        found, before = decided(tables, tables.sample()), collector.count
        collector.note(tables, who, found, baseline)
        which = np.flatnonzero(tables.mask.sum(axis=1) > 1)
        which = which[who[which, 0] != NOBODY]
        place = rng.integers(tables.mask[which].sum(axis=1))
        effect = rng.normal(size=which.size).astype(np.float32)
        collector.weigh(tables, which, place, effect)
        given |= {(before + k, int(place[k])): float(effect[k]) for k in range(which.size)}
        tables.step(found.action)
    assert len(given) > 20
    assert all(a == b for a, b in account().values())
    assert np.count_nonzero(collector.samples.effect) == len(given)
    mean_square = sum(effect**2 for effect in given.values()) / np.bitwise_count(collector.samples.can[: collector.count]).sum()
    assert collector.samples.usual_effect(np.arange(collector.count)) == pytest.approx(mean_square**0.5, rel=1e-5)
    collector.settle(DISCOUNT, SMOOTHING)
    still = np.flatnonzero(collector.samples.after[: collector.count] == OPEN)
    kept = collector.samples.effect[still].copy()
    collector.carry()
    assert (collector.samples.effect[: still.size] == kept).all()
    assert not collector.samples.effect[still.size :].any()


def test_a_batch_is_full_when_there_is_no_room_for_rows():
    tables = Tables("tavern_battle-4p", n=2, seed=4)
    collector = Collector(tables, 10)
    assert not collector.full
    collector.filled[1] = collector.most_rows + 1
    assert collector.full
