"""What would have come anyway: the heuristic's own games change nothing, others show what a decision changed."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")

from alehouse.agents import UNIFORM, greedy, heuristic
from alehouse.envs.core import bits
from alehouse.envs.core.context import Context, chances
from alehouse.envs.core.tables import Tables
from alehouse.envs.games import game
from alehouse.training import lean
from alehouse.training.replays import STALE, Replays, is_heuristic
from alehouse.training.streams import Decided, choices
from tests import toy

BATTLE = "tavern_battle-4p"


def looked(tables, share=1.0):
    """Replays that have been looked up at all tables; paid is the utility itself."""
    replays = Replays(tables, share, lambda utility, points, which: utility, 0)
    replays.look(tables, np.ones(tables.n, np.bool_), 1)
    return replays


def by_heuristic(tables):
    """What the heuristic does, settling its ties in the same way all through a game."""
    ctx = Context.of(tables)
    vars(ctx)["keys"] = chances(tables.states["seed"], np.zeros(tables.n, int), tables.seat)
    return heuristic(tables.game).act(tables.obs, tables.mask, ctx)


def test_games_end_as_the_heuristic_plays_them():
    tables = Tables(BATTLE, n=40, seed=3, autoreset=False)
    first = looked(tables).anyway
    for step in range(2000):
        if tables.over.all():
            break
        if step == 90:
            assert not tables.over.any()
            assert looked(tables).anyway == pytest.approx(first)
        still = np.flatnonzero(~tables.over)
        tables.step(by_heuristic(tables)[still], still)
    assert tables.over.all()
    assert first == pytest.approx(tables.utility)


def test_another_decision_may_end_otherwise_and_the_table_stays_as_it_is():
    tables, agent = Tables(BATTLE, n=200, seed=3), heuristic(game("tavern_battle"))
    states = tables.states.copy()
    before = looked(tables).anyway
    assert tables.states.tobytes() == states.tobytes()
    for _ in range(40):
        tables.step(tables.sample())
    assert (looked(tables).anyway != before).any(axis=1).mean() > 0.1
    assert is_heuristic(agent, tables.game)
    for other in (UNIFORM, greedy(tables.game), heuristic(tables.game, {"envy": 0.5})):
        assert not is_heuristic(other, tables.game)


def test_what_other_answers_would_have_changed():
    tables = Tables(BATTLE, n=30, seed=5)
    for _ in range(60):
        tables.step(by_heuristic(tables))
    replays, deciding = looked(tables), np.arange(30) > 3
    drawn = np.zeros((30, choices(tables.game)), np.int8)
    legal = [np.flatnonzero(mask) for mask in tables.mask]
    for i in range(30):
        drawn[i, : legal[i].size] = 2
    replays.known[4] = STALE
    states, found = tables.states.copy(), {}
    for i, place, effect in zip(*replays.effects(tables, deciding, drawn, 1), strict=True):
        found[int(i), int(place)] = float(effect)
    assert tables.states.tobytes() == states.tobytes()
    wanted = {}
    for i in range(5, 30):
        for place, action in enumerate(legal[i]):
            after, seat = tables.clone(), tables.seat[i]
            after.step([action], [i])
            effect = 2 * float(looked(after).anyway[i, seat] - replays.anyway[i, seat])
            if effect:
                wanted[i, place] = effect
    assert len(wanted) > 5
    assert found == pytest.approx(wanted)


def test_only_what_may_have_changed_is_looked_up_again():
    tables = Tables(BATTLE, n=6, seed=1)
    replays = looked(tables)
    replays.anyway[:] = 7
    replays.moved(np.array([1, 0, 0, 0, 0, 0], bool))
    replays.began(np.array([1]))
    replays.look(tables, np.array([1, 1, 1, 0, 0, 0], bool), 1)
    assert (replays.anyway != 7).all(axis=1).tolist() == [True, True, False, False, False, False]
    assert Replays(Tables("connect_four", n=2), 1.0, lambda utility, points, which: utility, 0).share == 1
    assert Replays(Tables(toy.GAME.variant(), n=2), 1.0, lambda utility, points, which: utility, 0).share == 0  # no heuristic to ask


def test_advantages_of_the_heuristics_own_decisions_are_nothing(tmp_path):
    """At tables of heuristics a learner that decides as they do, by whatever chance, is told that it changed nothing."""
    chosen = lean.Settings(tables=64, batch=2048, width=8, replays=1.0, anchors=1.0, current=0.0, snapshots=0.0, resets=0.3)
    run = lean.Trainer(lean.Question((BATTLE,), ("heuristic",), 0, chosen), tmp_path, [heuristic(game("tavern_battle"))], 1, "sparse")
    decided, streams = Decided.room(run.tables), run.streams
    while not streams.full:
        run._play(decided)
    streams.settle(1.0, 0.0)
    linked = np.flatnonzero(streams.after[: streams.count] >= 0)
    own = np.zeros(linked.size, np.bool_)
    for row, k in enumerate(linked):
        prior = streams.prior[k, : bits.count(streams.can[k])]
        own[row] = prior[bits.rank(streams.can[k], streams.action[k])] == 0 and (prior == 0).sum() == 1
    assert own.sum() > 500
    assert not streams.advantage[linked[own]].any()
    assert 0.01 < (streams.advantage[linked[~own]] != 0).mean() < 0.5
