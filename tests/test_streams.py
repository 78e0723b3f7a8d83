"""One honest stream a seat, checked against a slow account of the same games in plain Python."""

import numpy as np
import pytest

pytest.importorskip("torch")

from alehouse.envs.core.tables import Tables
from alehouse.training.streams import ENDED, NOBODY, OPEN, Decided, Streams, choices, evenly
from tests import one_move, toy

DISCOUNT, SMOOTHING = 0.9, 0.8


def decided(tables, action, log=0.0, value=0.0, prior=0.0):
    """Decisions as networks take them."""
    found = Decided.room(tables)
    for part, numbers in zip(found, (prior, 0, action, log, value, True, 0, 0), strict=True):
        part[:] = numbers
    return found


def played(streams, tables, who, steps, told):
    """Play some random steps with made-up values; `told` takes an account of every seat's decisions and ends."""
    rng = np.random.default_rng(1)
    for _ in range(steps):
        action, log, value = tables.sample(), *rng.random((2, tables.n), np.float32)
        anyway = rng.random(tables.utility.shape, np.float32)
        for i in range(tables.n):
            p = int(tables.seat[i])
            if who[i, p] != NOBODY and tables.mask[i].sum() > 1:
                told.setdefault((i, p), [[]])[-1].append(
                    (tables.obs[i].tolist(), int(action[i]), float(value[i]), float(log[i]), float(anyway[i, p]))
                )
        prior = rng.random((tables.n, choices(toy.GAME)), np.float32)
        streams.note(tables, who, decided(tables, action, log, value, prior), anyway)
        tables.step(action)
        ended = np.flatnonzero(tables.over)
        streams.close(ended, tables.utility[ended])
        for i in ended:
            for p in range(tables.utility.shape[1]):
                if told.get((i, p), [[]])[-1]:
                    told[i, p][-1].append(float(tables.utility[i, p]))
                    told[i, p].append([])


def advantages(game):
    """GAE of one seat's decisions in one game by the textbook, a position worth its value and what comes anyway; the last number is the
    reward, if it has ended."""
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
    streams, told = Streams(tables, 1000), {}
    played(streams, tables, who, 60, told)
    streams.settle(DISCOUNT, SMOOTHING)
    wanted = {}
    for (i, p), games in told.items():
        for game in filter(None, games):
            for row, advantage in zip(game, advantages(game), strict=False):
                wanted[tuple(row[0]), row[1], row[3]] = advantage, advantage + row[2], int(who[i, p])
    mine = np.concatenate([streams.learnt(0), streams.learnt(1)])
    found = {
        (tuple(streams.obs[k].tolist()), int(streams.action[k]), float(streams.log[k])): (
            float(streams.advantage[k]),
            float(streams.target[k]),
            int(streams.who[k]),
        )
        for k in mine
    }
    assert len(found) == mine.size > 100
    assert found.keys() == wanted.keys()
    for key, values in wanted.items():
        assert found[key] == pytest.approx(values, abs=1e-5)


def test_the_end_reaches_seats_that_moved_long_ago():
    tables = Tables(one_move.GAME.variant(), n=2, seed=0)
    streams, who = Streams(tables, 8), np.zeros((2, 2), np.int8)
    for actions in ([one_move.WIN, one_move.LOSE], [0, 1]):
        streams.note(tables, who, decided(tables, actions), np.zeros((2, 2), np.float32))
        tables.step(actions)
        ended = np.flatnonzero(tables.over)
        streams.close(ended, tables.utility[ended])
    assert streams.count == 4
    assert streams.after[:4].tolist() == [ENDED] * 4
    assert streams.reward[:4].tolist() == [1, -1, -1, 1]  # of seat 0 at both tables, then of seat 1
    assert (streams.open == -1).all()


def test_forced_moves_are_left_out():
    tables = Tables(toy.GAME.variant(modules=["spice"]), n=20, seed=3)
    streams, chosen = Streams(tables, 4000), 0
    who, anyway = np.zeros((20, 3), np.int8), np.zeros((20, 3), np.float32)
    for _ in range(30):
        chosen += int((tables.mask.sum(axis=1) > 1).sum())
        action = tables.sample()
        streams.note(tables, who, decided(tables, action), anyway)
        tables.step(action)
    assert 0 < chosen < 20 * 30
    assert streams.count == chosen


def test_what_is_open_opens_the_next_batch(tmp_path):
    tables = Tables(toy.GAME.variant(), n=4, seed=4)
    who, told = np.zeros((4, 3), np.int8), {}
    streams = Streams(tables, 500)
    played(streams, tables, who, 17, told)
    still = {(i, p): games[-1][-1] for (i, p), games in told.items() if games[-1]}
    streams.settle(DISCOUNT, SMOOTHING)
    streams.carry()
    assert streams.count == len(still)
    assert (streams.after[: streams.count] == OPEN).all()
    for (i, p), (obs, action, value, log, anyway) in still.items():
        k = streams.open[i, p]
        assert (streams.obs[k].tolist(), streams.action[k]) == (obs, action)
        assert (streams.value[k], streams.log[k], streams.anyway[k]) == pytest.approx((value, log, anyway))
    other = Streams(tables, 500)
    other.restore(streams.saved())
    assert other.count == streams.count
    assert (other.open == streams.open).all()


def test_what_answers_are_about_goes_along():
    tables = Tables("tavern_battle-4p", n=6, seed=4)
    who, anyway = np.zeros(tables.utility.shape, np.int8), np.zeros(tables.utility.shape, np.float32)
    streams, other, rng, told = Streams(tables, 500), Streams(tables, 500), np.random.default_rng(2), {}
    for _ in range(40):
        action = tables.sample()
        found = decided(tables, action)
        found.aspects[:] = rng.normal(size=found.aspects.shape)
        for i in np.flatnonzero(tables.mask.sum(axis=1) > 1):
            told[i, int(tables.seat[i])] = found.aspects[i, : tables.mask[i].sum()]
        streams.note(tables, who, found, anyway)
        tables.step(action)
    before = streams.rows
    streams.carry()
    assert streams.rows == sum(len(rows) for rows in told.values()) < before
    other.restore(streams.saved())
    for kept in (streams, other):
        for (i, p), rows in told.items():
            assert (kept.about(kept.open[i, p : p + 1])[0] == rows).all()


def test_further_answers_are_learnt_from_at_the_position_they_were_tried_at():
    tables = Tables(toy.GAME.variant(modules=["spice"]), n=4, seed=3)
    who, anyway = np.zeros((4, 3), np.int8), np.zeros((4, 3), np.float32)
    who[1], who[2] = 1, NOBODY
    streams, told = Streams(tables, 100, tries=2), {}
    for step in range(12):
        found = decided(tables, tables.sample())
        found.logs[:] = -np.arange(found.logs.shape[1]) - step / 16 - np.arange(4)[:, None] / 256  # each its own
        streams.note(tables, who, found, anyway)
        legal = [np.flatnonzero(mask) for mask in tables.mask]
        for i in (0, 1, 3):
            if legal[i].size > 1:
                place = np.array([0, legal[i].size - 1])
                streams.try_out(tables, found, np.array([i, i]), place, np.array([0.5, -0.25], np.float32) + i)
                for k, effect in zip(place, (0.5 + i, -0.25 + i), strict=True):
                    told[tuple(tables.obs[i]), int(legal[i][k]), float(found.logs[i, k])] = effect, int(who[i, 0])
        tables.step(found.action)
    streams.settle(DISCOUNT, SMOOTHING)
    assert len(told) > 20
    for learner in (0, 1):
        rows = [k for k in streams.learnt(learner) if streams.at[k] != k]
        assert len(rows) == sum(who == learner for _, who in told.values())
        for k in rows:
            key = tuple(streams.obs[streams.at[k]]), int(streams.action[k]), float(streams.log[k])
            assert (streams.advantage[k], learner) == told[key]
    streams.carry()
    assert all(k < streams.count for k in streams.learnt(0))  # none is left
    assert not streams.full
    streams.tried = streams.most + 2 * 100 + 1
    assert streams.full


def test_draws_at_even_distances():
    chances, counts = np.array([0.5, 0.07, 0.0, 0.43]), np.zeros((3000, 4), np.int8)
    for key, row in enumerate(counts):
        evenly(chances, 4, 10, key, row)
    assert (counts.sum(axis=1) == 10).all()
    assert (np.abs(counts - 10 * chances) < 1).all()
    assert counts.mean(axis=0) == pytest.approx(10 * chances, abs=0.04)


def test_a_batch_is_full_when_there_is_no_room_for_rows():
    tables = Tables("tavern_battle-4p", n=2, seed=4)
    streams = Streams(tables, 10)
    assert not streams.full
    streams.rows = streams.enough + 1
    assert streams.full
