"""One honest stream a seat, checked against a slow account of the same games in plain Python."""

import numpy as np
import pytest

pytest.importorskip("torch")

from alehouse.envs.core.run.tables import Tables
from alehouse.training.streams import ENDED, NOBODY, OPEN, Decided, Streams, choices
from tests import one_move, toy

DISCOUNT, SMOOTHING = 0.9, 0.8


def decided(tables, action, log=0.0, value=0.0, prior=0.0):
    """Decisions as networks take them."""
    found = Decided.room(tables)
    for part, numbers in zip(found, (prior, 0, action, log, value, True, True), strict=True):
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


def test_what_answers_change_stays_with_their_position():
    tables = Tables(toy.GAME.variant(modules=["spice"]), n=4, seed=3)
    who, anyway, told = np.zeros((4, 3), np.int8), np.zeros((4, 3), np.float32), {}
    who[1], who[2] = 1, NOBODY
    streams, rng = Streams(tables, 100), np.random.default_rng(2)

    def account():
        """What was told of each position, and what streams know of it."""
        return {key: (effect, float(streams.effect[key[0], key[1]])) for key, effect in told.items()}

    for _ in range(14):
        found, before = decided(tables, tables.sample()), streams.count
        streams.note(tables, who, found, anyway)
        which = np.flatnonzero(tables.mask.sum(axis=1) > 1)
        which = which[who[which, 0] != NOBODY]
        place = rng.integers(tables.mask[which].sum(axis=1))
        effect = rng.normal(size=which.size).astype(np.float32)
        streams.weigh(tables, which, place, effect)
        told |= {(before + k, int(place[k])): float(effect[k]) for k in range(which.size)}
        tables.step(found.action)
    assert len(told) > 20
    assert all(a == b for a, b in account().values())
    assert np.count_nonzero(streams.effect) == len(told)
    mean_square = sum(effect**2 for effect in told.values()) / np.bitwise_count(streams.can[: streams.count]).sum()
    assert streams.usual(np.arange(streams.count)) == pytest.approx(mean_square**0.5, rel=1e-5)
    streams.settle(DISCOUNT, SMOOTHING)
    still = np.flatnonzero(streams.after[: streams.count] == OPEN)
    kept = streams.effect[still].copy()
    streams.carry()
    assert (streams.effect[: still.size] == kept).all()
    assert not streams.effect[still.size :].any()


def test_a_batch_is_full_when_there_is_no_room_for_rows():
    tables = Tables("tavern_battle-4p", n=2, seed=4)
    streams = Streams(tables, 10)
    assert not streams.full
    streams.rows = streams.enough + 1
    assert streams.full
