"""Tables of a learner: what it meets equals games played by hand on ordinary tables, whoever plays the other seats."""

import copy
import dataclasses
import pickle
from typing import Any

import numba
import numpy as np
import pytest

from alehouse.envs.core.run import batch_kernels, bits
from alehouse.envs.core.run.batch_kernels import uniform
from alehouse.envs.core.run.context import true_records
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.learner_kernels import LEARNER, Inside, random_agent
from alehouse.envs.core.run.learner_tables import LearnerTables, RandomAgent
from alehouse.envs.core.run.luck import SEATING, below, game_seed
from alehouse.envs.core.run.tables import IllegalAction, Tables
from tests import one_move, toy
from tests.broken import posing

TOY = toy.GAME.variant(3, ["spice"])
TOYS = [toy.GAME.variant(2), toy.GAME.variant(3), TOY]
SHOWN = ("seat", "mask", "obs", "over", "scores", "utility", "states", "seeds", "players", "own", "moved", "last", "won", "rule")
Played = list[tuple[Any, ...]]


@pytest.fixture(autouse=True)
def _the_toy_is_known():
    with posing(toy.GAME):
        yield


class Asked:
    """The random agent, asked batch by batch."""

    name = "asked"

    def __init__(self) -> None:
        self.seats = set[int]()

    def act(self, obs: Any, mask: Any, ctx: Any) -> Any:
        self.seats |= set(ctx.seats.tolist())
        return np.array([uniform(s) for s in true_records(ctx)[0]], np.int64)


class Other(RandomAgent):
    """A second random agent inside numba."""


@jit
def sudden(s, R, action):
    """The step of the game of one move, which is over at once if seat 0 wins."""
    one_move.step(s, R, action)
    if s.winner == 0:
        s.turn = -1
        bits.clear(s.can)


@jit
def wins(s, R, W, seat, key, options, work):
    """Win."""
    return one_move.WIN


class Winner:
    """Always wins the game of one move."""

    def inside(self, game: Any) -> Inside:
        return random_agent(game)._replace(decide=wins)


SUDDEN = dataclasses.replace(one_move.GAME, step=sudden)


def walked(t: LearnerTables, steps: int, seed: int = 0) -> Played:
    """Random play by the learner, and everything that is shown after each step."""
    luck, found = np.random.default_rng(seed), []
    for _ in range(steps):
        t.step((luck.random(t.mask.shape) * t.mask).argmax(axis=1))
        found.append(tuple(getattr(t, name).copy() for name in SHOWN))
    return found


def alike(a: Played, b: Played) -> bool:
    return all(np.array_equal(x, y) for one, other in zip(a, b, strict=True) for x, y in zip(one, other, strict=True))


def begun(*args: Any, **settings: Any) -> LearnerTables:
    t = LearnerTables(*args, **settings)
    t.reset()
    return t


@pytest.mark.lanes
@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize("autoreset", [False, True])
def test_a_game_is_the_one_played_by_hand(skip: bool, autoreset: bool) -> None:
    t, luck = begun(TOYS, 9, [RandomAgent()], [[0]], skip_forced=skip, autoreset=autoreset, seed=3), np.random.default_rng(1)
    by_hand: list[Tables] = [None] * 9  # type: ignore[list-item]
    ended, met = 0, set()
    fresh = np.ones(9, np.bool_)
    for _ in range(80):
        for i in np.flatnonzero(fresh):
            by_hand[i] = Tables(t.variants[i], autoreset=False)
            by_hand[i].reset(seeds=t.seeds[[i]])
        for i, one in enumerate(by_hand):
            while one.seat[0] != t.own[i] or (skip and one.mask[0].sum() == 1):
                one.step(one.sample())
            assert one.states[0].tobytes() == t.states[i].tobytes()
            assert (t.seat[i], t.mask[i].tolist(), t.obs[i].tolist()) == (one.seat[0], one.mask[0].tolist(), one.obs[0].tolist())
        assert (t.seat == t.own).all()
        own, actions = t.own.copy(), (luck.random(t.mask.shape) * t.mask).argmax(axis=1)
        t.step(actions)
        fresh = t.over.copy()
        for i in np.flatnonzero(t.over):
            one, p = by_hand[i], int(own[i])
            one.step(actions[[i]])
            while not one.over[0]:
                one.step(one.sample() if one.seat[0] != p else [int(one.mask[0].argmax())])  # only a forced move may be left
            seats = one.scores.shape[1]
            assert t.scores[i, :seats].tolist() == one.scores[0].tolist()
            assert t.utility[i, :seats] == pytest.approx(one.utility[0])
            assert t.last[i].tolist() == one.observe(0, p).tolist()
            assert t.won[i].sum() == pytest.approx(1)
            met.add((str(one.variants[0]), p))
            ended += 1
        for i in np.flatnonzero(~t.over):
            by_hand[i].step(actions[[i]])
        if not autoreset and t.over.any():
            before = t.states[~t.over].copy()
            assert (t.seat[t.over] == -1).all()
            t.reset(t.over)
            assert (t.states[~fresh] == before).all()
    assert ended > 40
    assert len(met) == 2 + 3 + 3


@pytest.mark.parametrize("line_up", [[0, 0], [0, 1], [1, LEARNER]])
def test_inside_or_outside_makes_no_difference(line_up: list[int]) -> None:
    inside = begun(TOY, 70, [RandomAgent(), Other()], [line_up], seed=5)
    asked = Asked()
    outside = begun(TOY, 70, [RandomAgent(), asked], [line_up], seed=5)
    assert alike(walked(inside, 30), walked(outside, 30))
    assert bool(asked.seats) == (1 in line_up)
    if LEARNER in line_up:
        begun_ones = inside.decided > 0
        assert set(((inside.moved - inside.own)[begun_ones] % 3).tolist()) == {0, 2}


@pytest.mark.slow
@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core")
def test_threads_change_nothing() -> None:
    one, two = (begun(TOYS, 201, [RandomAgent()], [[0]], seed=8, threads=k) for k in (1, 2))
    assert alike(walked(one, 20), walked(two, 20))


def test_seats_and_line_ups_follow_from_the_seed() -> None:
    t = begun(TOY, 300, [RandomAgent(), Other()], [[0], [0, 1], [1, 1]], seed=4)
    assert t.seeds.tolist() == [int(game_seed(np.uint64(4), k)) for k in range(300)]
    rows = [[0, 0], [0, 1], [1, 1]]
    for i in range(300):
        own = int(below(t.seeds[i], SEATING, 0, 0, 0, 3))
        row = rows[t.line_up[i]]
        due = [LEARNER] * 3
        for k in (1, 2):
            due[(own + k) % 3] = row[k - 1]
        assert (t.own[i], t.players[i].tolist()) == (own, due)
    assert np.bincount(t.line_up, minlength=3).min() > 70
    assert (begun(TOY, 20, [RandomAgent()], [[0]], seat=2).own == 2).all()


def test_games_in_which_the_learner_is_not_asked_are_skipped() -> None:
    v = SUDDEN.variant()
    t, skipped = begun(v, 12, [RandomAgent()], [[0]], seat=1, seed=7), 0
    for i in range(12):
        k = i
        while True:
            one = Tables(v, autoreset=False)
            one.reset(seeds=[game_seed(np.uint64(7), k)])
            one.step(one.sample())
            if not one.over[0]:
                break
            k += 12
        assert t.batch.games[i] == k
        assert t.states[i].tobytes() == one.states[0].tobytes()
        skipped += k > i
    assert 2 < skipped < 12
    assert not t.over.any()


def test_a_learner_that_is_never_asked_is_told() -> None:
    with pytest.raises(ValueError, match="the learner is never asked; give another seat"):
        begun(SUDDEN.variant(), 2, [Winner()], [[0]], seat=1)


def test_without_line_ups_callers_seat_everybody() -> None:
    t = LearnerTables(TOYS, 6, [RandomAgent()], autoreset=False)
    t.players[:] = 0
    t.players[:, 0] = LEARNER
    t.reset()
    for _ in range(60):
        assert (t.seat == 0).all()
        assert t.rule.tolist() == [0, 1, 2, 0, 1, 2]
        t.step(t.sample())
        t.reset(t.over)


@pytest.mark.parametrize("way", [LearnerTables.clone, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies_go_on_alike(way: Any) -> None:
    t = begun(TOY, 12, [RandomAgent()], [[0]], seed=2)
    walked(t, 9)
    twin, before = way(t), t.states.tobytes()
    played = walked(twin, 9, 1)
    assert t.states.tobytes() == before
    assert alike(walked(t, 9, 1), played)


def test_kept_arrays_go_on() -> None:
    t, twin = (begun(TOYS, 12, [RandomAgent()], [[0]], seed=seed) for seed in (2, 3))
    walked(t, 9)
    twin.restore(t.kept())
    names = [k for k, name in enumerate(SHOWN) if name not in ("over", "scores", "utility", "last", "won", "moved")]
    assert all((getattr(t, SHOWN[k]) == getattr(twin, SHOWN[k])).all() for k in names)
    rows, others = walked(t, 30, 1), walked(twin, 30, 1)
    assert alike([tuple(row[k] for k in names) for row in rows], [tuple(row[k] for k in names) for row in others])


@pytest.mark.parametrize("width", [1, 5])
def test_games_outgrow_the_log(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log has room for few decisions at first; games and replays are the same."""
    wide = begun(TOY, 12, [RandomAgent()], [[0]], seed=6, autoreset=False)
    monkeypatch.setattr(batch_kernels, "LOGGED", width)
    t = begun(TOY, 12, [RandomAgent()], [[0]], seed=6, autoreset=False)
    assert alike(walked(wide, 3), walked(t, 3))
    for i in range(12):
        assert wide.replay(i) == t.replay(i)


def test_replays() -> None:
    t = begun("kuhn_poker", 8, [RandomAgent()], [[0]], seed=1, autoreset=False)
    for _ in range(3):
        for i in range(8):
            replay = t.replay(i)
            replay.verify()
            assert replay.tables().states[0].tobytes() == t.states[i].tobytes()
        t.step(np.where(t.over, 0, t.sample()))
    assert t.over.any()
    auto = begun("kuhn_poker", 8, [RandomAgent()], [[0]], seed=1)
    walked(auto, 3)
    assert all(auto.replay(i).seed == auto.seeds[i] for i in range(8))


def test_a_redealt_table_waits_for_the_learner() -> None:
    t = begun(TOY, 30, [RandomAgent()], [[0]], seed=1)
    walked(t, 2)
    before = t.obs.copy()
    t.redeal([3, 7], t.own[[3, 7]], [5, 6])
    assert t.seeds[[3, 7]].tolist() == [5, 6]
    assert (t.obs == before).all()
    t.states[1:2] = t.states[0]
    t.redeal([1], [0], [9])
    assert t.seat[1] == t.own[1]
    with pytest.raises(ValueError, match="table 3: no replay"):
        t.replay(3)


def test_illegal_actions_change_nothing() -> None:
    t = begun(TOY, 5, [RandomAgent()], [[0]])
    before = t.states.tobytes()
    for action in (-1, -2, -3, 99):
        actions = t.sample()
        actions[2] = action
        with pytest.raises(IllegalAction, match="table 2,"):
            t.step(actions)
        assert t.states.tobytes() == before


def test_ended_tables_ignore_their_actions() -> None:
    t = begun("kuhn_poker", 6, [RandomAgent()], [[0]], autoreset=False)
    while not t.over.all():
        t.step(t.sample())
    before = t.states.tobytes()
    for action in (-3, -2, -1, 0, 99):
        t.step(np.full(6, action))
        assert t.states.tobytes() == before
        assert t.over.all()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"v": []}, "at least one variant"),
        ({"v": ["kuhn_poker", "connect_four"]}, "one game only"),
        ({"n": 0}, "n=0"),
        ({"seat": 3}, "seat=3"),
        ({"opponents": [4]}, "opponents: 4 is no agent"),
        ({"line_ups": [[1]]}, "line_ups: .*1"),
        ({"line_ups": [[0, 0, 0]]}, "line_ups: .*3"),
        ({"line_ups": [[-2]]}, "line_ups: .*-2"),
        ({"reward": "fame"}, "reward 'fame'"),
    ],
)
def test_what_is_wrong_is_said(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        LearnerTables(**({"v": TOY, "n": 2, "opponents": [RandomAgent()], "line_ups": [[0]]} | settings))


def test_agents_inside_share_their_kernels() -> None:
    """An agent with kernels of its own beside others is asked; one that cannot be asked is refused."""

    class Foreign(Asked):
        def inside(self, game: Any) -> Inside:
            one = random_agent(game)
            return one._replace(decide=lambda *_: 0)

    foreign = Foreign()
    walked(begun(TOY, 10, [RandomAgent(), foreign], [[0, 1]]), 5)
    assert foreign.seats
