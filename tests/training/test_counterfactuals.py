"""Counterfactual games: the heuristic's own decisions change nothing, other decisions change what step-by-step play says."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")

from alehouse.agents import UNIFORM, ask, greedy, heuristic
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.network import of_record
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.context import Context, chances
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from alehouse.training import lean
from alehouse.training.counterfactuals import FRESH, STALE, Counterfactuals, is_heuristic
from alehouse.training.decisions import Decided
from alehouse.training.samples import ENDED
from tests import toy

pytestmark = pytest.mark.slow
BATTLE = "tavern_battle-4p"


def looked(tables, share=1.0):
    """Return counterfactuals looked up at all tables; a seat is paid its utility."""
    found_ends = Counterfactuals(tables, share, lambda utility, points, which: utility, 0)
    found_ends.look_up(tables, np.ones(tables.n, np.bool_), 1)
    return found_ends


def by_heuristic(tables):
    """Return the heuristic's actions, with ties settled in the same way all through a game."""
    ctx = Context.of(tables)
    vars(ctx)["keys"] = chances(tables.states["seed"], np.zeros(tables.n, int), tables.seat)
    return heuristic(tables.game).act(tables.obs, tables.mask, ctx)


def test_counterfactual_games_end_as_the_heuristic_plays_them():
    tables = Tables(BATTLE, n=40, seed=3, autoreset=False)
    first = looked(tables).baseline
    for step in range(2000):
        if tables.over.all():
            break
        if step == 90:
            assert not tables.over.any()
            assert looked(tables).baseline == pytest.approx(first)
        still = np.flatnonzero(~tables.over)
        tables.step(by_heuristic(tables)[still], still)
    assert tables.over.all()
    assert first == pytest.approx(tables.utility)


def test_other_decisions_may_change_the_end_and_tables_stay_as_they_are():
    tables, agent = Tables(BATTLE, n=200, seed=3), heuristic(game("tavern_battle"))
    states = tables.states.copy()
    before = looked(tables).baseline
    assert tables.states.tobytes() == states.tobytes()
    for _ in range(40):
        tables.step(tables.sample())
    assert (looked(tables).baseline != before).any(axis=1).mean() > 0.1
    assert is_heuristic(agent, tables.game)
    for other in (UNIFORM, greedy(tables.game), heuristic(tables.game, {"envy": 0.5})):
        assert not is_heuristic(other, tables.game)


def test_effects_of_answers_are_those_of_plain_steps():
    tables = Tables(BATTLE, n=30, seed=5)
    for _ in range(60):
        tables.step(by_heuristic(tables))
    found_ends, deciding = looked(tables), np.arange(30) > 3
    others = np.zeros((30, tables.game.choices), np.bool_)
    legal = [np.flatnonzero(mask) for mask in tables.mask]
    for i in range(30):
        others[i, : legal[i].size] = True
    found_ends.known[4] = STALE
    states, found = tables.states.copy(), {}
    for i, place, effect in zip(*found_ends.effects(tables, deciding, others, 1), strict=True):
        found[int(i), int(place)] = float(effect)
    assert tables.states.tobytes() == states.tobytes()
    wanted = {}
    for i in range(5, 30):
        for place, action in enumerate(legal[i]):
            after, seat = tables.clone(), tables.seat[i]
            after.step([action], [i])
            wanted[i, place] = float(looked(after).baseline[i, seat] - found_ends.baseline[i, seat])
    assert sum(effect != 0 for effect in wanted.values()) > 5
    assert found == pytest.approx(wanted)


def judged(tables, i, ahead, judge):
    """Return what a table is worth some stages later, by plain steps of the heuristic, and whether its game goes on then."""
    known, one = heuristic_of(tables.game), tables.clone()
    until = known.stage(one.states[i]) + ahead
    while not one.over[i] and known.stage(one.states[i]) < until:
        one.step(by_heuristic(one)[[i]], [i])
    if one.over[i]:
        return one.utility[i], False
    seats, s, R = one.utility.shape[1], one.states[i], one.rules[one.rule[i]]
    stock = np.zeros((seats, len(known.stock)), np.int16)
    known.take_stock(s, R, stock)
    share = np.exp(stock @ judge[one.rule[i], known.stage(s)])
    return (share / share.sum() * seats - 1) / (seats - 1), True


def test_a_judge_estimates_the_end_some_stages_ahead():
    tables, known = Tables([BATTLE, f"{BATTLE}-casse_tout"] * 8, seed=5, autoreset=False), heuristic_of(game("tavern_battle"))
    judge = np.random.default_rng(1).normal(0, 0.02, (2, known.stages, len(known.stock))).astype(np.float32)
    ends, everybody = [], np.ones(16, np.bool_)
    for ahead in (1, 2):
        for _ in range(5):
            live = np.flatnonzero(~tables.over)
            found_ends = Counterfactuals(tables, 1.0, lambda utility, points, seats: utility, 0, ahead, judge)
            found_ends.look_up(tables, everybody & ~tables.over, 1)
            for i in live:
                wanted, going_on = judged(tables, i, ahead, judge)
                assert found_ends.baseline[i] == pytest.approx(wanted, abs=1e-5)
                ends.append(going_on)
            for _ in range(45):
                live = np.flatnonzero(~tables.over)
                tables.step(by_heuristic(tables)[live], live)
    assert 0.2 < np.mean(ends) < 1


def test_ends_are_looked_up_again_at_another_stage():
    tables, known = Tables(BATTLE, n=8, seed=5), heuristic_of(game("tavern_battle"))
    found_ends = Counterfactuals(
        tables, 1.0, lambda utility, points, seats: utility, 0, 2, np.zeros((1, known.stages, len(known.stock)), np.float32)
    )
    again, everybody = 0, np.ones(8, np.bool_)
    for _ in range(150):
        before = found_ends.stage.copy()
        found_ends.baseline[:] = 7
        found_ends.look_up(tables, everybody, 1)
        stages = np.array([known.stage(s) for s in tables.states])
        assert (found_ends.stage == stages).all()
        if again:
            assert ((found_ends.baseline != 7).all(axis=1) == (stages != before)).all()
        again += int((stages != before).sum())
        tables.step(by_heuristic(tables))
    assert again > 20


def test_only_ends_that_may_have_changed_are_looked_up_again():
    tables = Tables(BATTLE, n=6, seed=1)
    found_ends = looked(tables)
    found_ends.baseline[:] = 7
    found_ends.moved(np.array([1, 0, 0, 0, 0, 0], bool))
    found_ends.began(np.array([1]))
    found_ends.look_up(tables, np.array([1, 1, 1, 0, 0, 0], bool), 1)
    assert (found_ends.baseline != 7).all(axis=1).tolist() == [True, True, False, False, False, False]
    assert Counterfactuals(Tables("connect_four", n=2), 1.0, lambda utility, points, which: utility, 0).share == 1
    assert (
        Counterfactuals(Tables(toy.GAME.variant(), n=2), 1.0, lambda utility, points, which: utility, 0).share == 0
    )  # no heuristic to ask


def test_advantages_of_the_heuristics_own_decisions_are_zero(tmp_path):
    """At tables of heuristics, a learner's decision has advantage 0 where the heuristic would have taken it too."""
    chosen = lean.Settings(tables=64, batch=2048, width=8, replays=1.0, anchors=1.0, current=0.0, snapshots=0.0, resets=0.3)
    run = lean.Trainer(lean.Job((BATTLE,), ("heuristic",), 0, chosen), tmp_path, [heuristic(game("tavern_battle"))], 1, "sparse")
    decided, collector, samples = Decided.room(run.tables), run.collector, run.collector.samples
    while not collector.full:
        run._play(decided)
    collector.settle(1.0, 0.0)
    linked = np.flatnonzero(samples.after[: collector.count] >= 0)
    own = np.zeros(linked.size, np.bool_)
    for row, k in enumerate(linked):
        prior = samples.prior[k, : bits.count(samples.can[k])]
        own[row] = prior[bits.rank(samples.can[k], samples.action[k])] == 0 and (prior == 0).sum() == 1
    assert own.sum() > 500
    assert not samples.advantage[linked[own]].any()
    assert 0.01 < (samples.advantage[linked[~own]] != 0).mean() < 0.5


def test_networks_go_on_at_their_own_seats(tmp_path):
    """With own=1 the ends that were looked up come true, and effects of answers are those of plain steps."""
    chosen = lean.Settings(tables=24, batch=20_000, width=8, replays=1.0, effects=1, own=1, anchors=1.0, current=0.0, snapshots=0.0,
                           resets=0.0, trust=1.0)  # fmt: skip
    run = lean.Trainer(lean.Job((BATTLE,), ("heuristic",), 3, chosen), tmp_path, [heuristic(game("tavern_battle"))], 1, "sparse")
    decided, collector, tables, hero = Decided.room(run.tables), run.collector, run.tables, run.opponents.hero
    samples = collector.samples
    network = of_record(tables.game, run.opponents.nets[:1])
    while collector.count < 4000:
        run._play(decided)
    ended = np.flatnonzero(samples.after[: collector.count] == ENDED)
    assert ended.size > 20
    assert samples.reward[ended] == pytest.approx(samples.baseline[ended], abs=1e-6)
    compared = 0
    while compared < 12:
        which = np.flatnonzero((tables.seat == hero) & (tables.mask.sum(axis=1) > 1) & ~tables.over)[:1]
        before = tables.clone()
        run._play(decided)
        for i in which:
            answers = np.flatnonzero(before.mask[i])
            k = int(np.flatnonzero((samples.obs[: collector.count] == before.obs[i]).all(axis=1))[-1])
            ends = []
            for action in answers:
                one = before.clone()
                one.step([action], [i])
                while not one.over[i]:
                    one.step(ask(network, one, [i]) if one.seat[i] == hero[i] else by_heuristic(one)[[i]], [i])
                ends.append(run._paid(one.utility[[i]], one.scores[[i]], run.opponents.seats[[i]])[0, hero[i]])
            played = list(answers).index(samples.action[k])
            assert samples.effect[k, : answers.size] == pytest.approx(np.array(ends) - ends[played], abs=1e-5)
            compared += answers.size
    run.counterfactuals.moved(np.ones(24, np.bool_))
    assert (run.counterfactuals.known != FRESH).all()
