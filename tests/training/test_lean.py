"""The lean trainer: its gradients, its line-ups, games with a known solution, and stopped runs that go on."""

import itertools
import os
import signal
import subprocess
import sys
import time

import numba
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from alehouse.agents import UNIFORM, heuristic  # noqa: E402
from alehouse.agents.network import of_record  # noqa: E402
from alehouse.agents.network_file import aspects_of, names_of, shapes  # noqa: E402
from alehouse.envs.core.run.learner_kernels import LEARNER  # noqa: E402
from alehouse.envs.core.run.learner_tables import LearnerTables  # noqa: E402
from alehouse.envs.core.run.standings import win_shares  # noqa: E402
from alehouse.envs.core.run.tables import Tables  # noqa: E402
from alehouse.envs.games import game  # noqa: E402
from alehouse.training import checkpoint, lean, metrics, ppo  # noqa: E402
from alehouse.training.decisions import Decided  # noqa: E402
from alehouse.training.measure import measure  # noqa: E402
from alehouse.training.network import Net  # noqa: E402
from alehouse.training.opponents import Opponents  # noqa: E402
from alehouse.training.samples import ENDED, Collector  # noqa: E402
from alehouse.training.settings import train  # noqa: E402
from tests import one_move, toy  # noqa: E402
from tests.slow import slow  # noqa: E402

TINY = {"tables": 64, "batch": 512, "minibatch": 128, "width": 16, "trust": 0.0, "warm": 0.0, "entropy": 0.01,
        "current": 0.5, "learning_rate": 3e-3}  # fmt: skip
KUHN = "kuhn_poker-2p"


def trainer(folder, variant=KUHN, seed=0, line=(), start="", **changes):
    """Make a small trainer with the sparse engine on one thread."""
    names = tuple(agent.name for agent in line)
    job = lean.Job((variant,), names, seed, lean.Settings(**{**TINY, **changes}), str(start))
    return lean.Trainer(job, folder, line, threads=1, engine="sparse")


def drawn(spec, n=200, seed=0):
    """Return samples of random tables, with made-up advantages and targets."""
    tables, rng = Tables(spec.variant(), n=50, seed=seed), np.random.default_rng(seed)
    prior = rng.normal(-1, 1, (tables.n, spec.choices)).astype(np.float32)
    aspects = rng.normal(size=(*prior.shape, len(aspects_of(spec)))).astype(np.float32)
    collector, learns, zeros = Collector(tables, n), np.ones(tables.utility.shape, np.bool_), np.zeros(tables.n, np.float32)
    while not collector.full:
        action = tables.sample()
        log = rng.normal(-1, 0.3, tables.n).astype(np.float32)
        collector.note(tables, learns, Decided(prior, aspects, action, log, zeros))
        tables.step(action)
    samples = collector.samples
    samples.advantage[:], samples.target[:] = rng.normal(0.3, size=(2, samples.target.size))
    samples.effect[:] = rng.normal(0.3, size=samples.effect.shape)
    return samples, np.arange(collector.count)


@pytest.mark.parametrize(
    ("spec", "spread", "policy", "every"),
    [(toy.GAME, 0.3, 1.0, False), (toy.GAME, 0.3, 0.0, False), slow(game("tavern_battle"), 0.2, 1.0, False), (toy.GAME, 0.3, 0.8, True)],
)
def test_gradients_by_hand_are_those_of_torch(spec, spread, policy, every):
    samples, which = drawn(spec)
    net = Net(spec, 12, np.linspace(0.1, 1, spec.FEATURES.size, dtype=np.float32), 2.0, 1, trust=0.7)
    with torch.no_grad():
        for weight in net.parameters():
            weight.normal_(0, spread, generator=torch.Generator().manual_seed(weight.numel()))
    terms, found, figures = ppo.Terms(clip=0.3, value=0.7, entropy=0.2, policy=policy, every=every), {}, {}
    for engine in ("sparse", "float32"):
        figures[engine] = ppo.Learner(net, engine, 1).gradients(samples, which, terms)
        found[engine] = [weight.grad.clone() for weight in net.parameters()]
    assert figures["sparse"] == pytest.approx(figures["float32"], rel=1e-4)
    assert 0 < figures["sparse"][ppo.FIGURES.index("clipped")] < 1
    for by_hand, by_torch in zip(found["sparse"], found["float32"], strict=True):
        assert by_torch.abs().max() > 1e-3
        torch.testing.assert_close(by_hand, by_torch, rtol=1e-3, atol=1e-5)


@pytest.mark.slow
@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core")
def test_two_threads_compute_the_gradients_of_one():
    samples, which = drawn(toy.GAME)
    net = Net(toy.GAME, 12, np.ones(toy.GAME.FEATURES.size, np.float32), 2.0, 1)
    found = []
    for threads in (1, 2):
        figures = ppo.Learner(net, "sparse", threads).gradients(samples, which, ppo.Terms())
        found.append((figures, [weight.grad.clone() for weight in net.parameters()]))
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-4)
    torch.testing.assert_close(found[0][1], found[1][1], rtol=1e-3, atol=1e-6)


def test_an_engine_is_chosen_by_time():
    samples, which = drawn(toy.GAME)
    net = Net(toy.GAME, 12, np.ones(toy.GAME.FEATURES.size, np.float32), 2.0, 1)
    engine, threads = ppo.fastest(net, samples, which, 1)
    assert engine in ppo.ENGINES
    assert threads == 1


@pytest.mark.slow
def test_what_a_timing_chose_is_kept_after_the_first_iteration(tmp_path, monkeypatch):
    chosen = iter([("float32", 1)])
    monkeypatch.setattr(lean, "fastest", lambda *_: next(chosen))

    def run():
        return lean.Trainer(lean.Job((KUHN,), (), 0, lean.Settings(**TINY)), tmp_path, [], threads=1)

    next(train(run(), 1e6, 1e6, keep=1e6))
    again = run()
    assert again.samples > 0
    assert again.engine == "float32"
    assert again.learner.engine == "float32"


def test_the_win_and_the_rank():
    utility, seats = np.array([[1, -1, 0], [0, 0, 0], [1, -1, 0.0], [1, 0, 0]], np.float32), np.array([3, 3, 2, 1])
    won = win_shares(utility, seats)
    assert won == pytest.approx(np.array([[1, 0, 0], [1 / 3, 1 / 3, 1 / 3], [1, 0, 0], [1, 0, 0]]))
    assert lean.mixed(utility, won, seats, 0.0) == pytest.approx(utility)
    whole = lean.mixed(utility, won, seats, 1.0)
    assert whole == pytest.approx(np.array([[1, -0.5, -0.5], [0, 0, 0], [1, -1, 0], [1, 0, 0]]))
    assert whole[:3].sum(axis=1) == pytest.approx(0)


def test_line_ups():
    tables = LearnerTables(toy.GAME.variant(), 4000, [UNIFORM, UNIFORM], seed=1, autoreset=False)
    line_ups, rows = Opponents(tables, 0.4, [UNIFORM, UNIFORM], 0), np.arange(tables.n)
    line_ups.draw(rows)
    alone = (tables.players == LEARNER).all(axis=1)
    assert alone.mean() == pytest.approx(0.4, abs=0.03)
    assert (tables.players[rows, line_ups.hero] == LEARNER).all()
    others = np.sort(tables.players[~alone], axis=1)
    assert set(map(tuple, others)) == {(LEARNER, 0, 0), (LEARNER, 1, 1)}
    assert np.bincount(line_ups.hero, minlength=3) / tables.n == pytest.approx([1 / 3] * 3, abs=0.04)
    line_ups.ended(rows, np.repeat((tables.players.max(axis=1) == 0)[:, None], 3, axis=1).astype(float))  # the first is always beaten
    assert line_ups.tally[:, 0].sum() == (~alone).sum()
    assert line_ups.tally[:, 1].tolist() == [line_ups.tally[0, 0], 0]
    line_ups.draw(rows)
    assert (tables.players == 0).any(axis=1).sum() < 0.05 * (tables.players >= 0).any(axis=1).sum()
    assert set(Opponents(tables, 0.4, [], 0).figures()) == set()


def test_opponents_stay_for_a_whole_game_and_change_with_it(tmp_path):
    run = trainer(tmp_path, "kuhn_poker-2p", line=[UNIFORM])
    room, changed = Decided.room(run.tables), 0
    for _ in range(30):
        before, games = run.tables.players.copy(), run.tables.seeds.copy()
        run._play(room, run.learner.net.record())
        run.collector.filled[:] = 0
        moved = (run.tables.players != before).any(axis=1)
        assert not (moved & (run.tables.seeds == games)).any()
        changed += moved.sum()
    assert changed


@pytest.mark.slow
def test_a_move_that_wins_is_learnt_for_the_right_seat(tmp_path, monkeypatch):
    for module in ("lean", "settings"):
        monkeypatch.setattr(f"alehouse.training.{module}.as_variant", lambda text: one_move.GAME.variant())
    run = trainer(tmp_path, "one_move-2p", learning_rate=1e-2)
    for _ in range(25):
        row = run.iterate()
    assert 0 <= row.entropy <= 1
    net = run.learner.net
    obs = torch.tensor([[1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1]], dtype=torch.uint8)  # seat 0 to move; seat 1 when 0 has won; when 1 has
    logits, value = net(obs)
    assert torch.softmax(logits[0], 0)[one_move.WIN] > 0.95
    assert value[:2].tolist() == pytest.approx([1, -1], abs=0.2)
    assert value[2] > 0.5  # hardly ever seen once seat 0 has learnt to win


def kuhn_value(record):
    """Return what seat 0 gets on the mean of all deals when a network plays both seats by its chances."""
    spec = game("kuhn_poker")
    net = Net(spec, 16, np.ones(6, np.float32), 1.0, 0)
    with torch.no_grad():
        for name, weight in net.named_parameters():
            weight.copy_(torch.from_numpy(record[name][0]))

    def bets(card, first, mine, theirs):
        obs = torch.tensor([[card == 0, card == 1, card == 2, first, mine, theirs]]).to(torch.uint8)
        return float(torch.softmax(net(obs)[0][0].detach(), 0)[1])

    total = 0.0
    for mine, theirs in itertools.permutations(range(3), 2):
        better = 1 if mine > theirs else -1
        opens, follows = bets(mine, 1, 1, 1), bets(theirs, 0, 1, 1)
        called, calls = bets(theirs, 0, 1, 2), bets(mine, 1, 1, 2)
        passed = (1 - follows) * better + follows * (calls * 2 * better - (1 - calls))
        total += opens * (called * 2 * better + 1 - called) + (1 - opens) * passed
    return total / 6


def test_kuhn_poker_approaches_its_value(tmp_path):
    run = trainer(tmp_path, tables=256, batch=4096, minibatch=1024, epochs=2, entropy=0.06, current=1.0, win=0.0)
    found = []
    for k in range(60):
        run.iterate()
        if k >= 30:
            found.append(kuhn_value(run.learner.net.record()))
    assert np.mean(found) == pytest.approx(-1 / 18, abs=0.03)


def test_at_first_only_values_are_learnt(tmp_path):
    run = trainer(tmp_path, line=[heuristic(game("kuhn_poker"))], warm=1000.0)
    weights = run.learner.net.record
    before = weights()
    while run.samples < 1000:
        run.iterate()
    assert (weights()["value"] != before["value"]).any()
    assert (weights()["policy"] == before["policy"]).all()
    run.iterate()
    assert (weights()["policy"] != before["policy"]).any()


@pytest.mark.slow
def test_a_network_that_trusts_the_heuristic_begins_as_strong_as_it(tmp_path):
    spec = game("bloody_inn")
    run = trainer(tmp_path, "bloody_inn-4p", trust=4.0)
    found = measure("bloody_inn-4p", of_record(spec, run.learner.net.record()), heuristic(spec), 250, seed=1)
    assert found.won == pytest.approx(found.parity, abs=1.5 * found.half)


def test_it_begins_with_the_weights_of_a_file(tmp_path):
    first = trainer(tmp_path / "first", trust=2.0, reach=3.0)
    first.iterate()
    first.export(file := tmp_path / "first.safetensors", "alehouse train kuhn_poker")
    begun = trainer(tmp_path / "begun", start=file, seed=1)
    for name in shapes(names_of(game("kuhn_poker")), 16):
        kept = first.learner.net.record()[name].astype(np.float16)
        assert begun.learner.net.record()[name] == pytest.approx(kept, rel=1e-5), name
    with pytest.raises(ValueError, match="16 wide, here it is 12"):
        trainer(tmp_path / "wide", start=file, width=12)
    assert not (tmp_path / "wide").exists()


def test_measuring_is_even_against_oneself():
    found = measure(KUHN, heuristic(game("kuhn_poker")), heuristic(game("kuhn_poker")), 600, seed=4)
    assert (found.games, found.parity) == (1200, 0.5)
    assert abs(found.won - 0.5) <= max(found.half, 1e-6) * 1.6


def figures(rows):
    return [(row.samples, row.entropy, row.kl, dict(row.shares)) for row in rows]


def test_a_stopped_run_goes_on_to_the_same_bits(tmp_path):
    goes_on(tmp_path, seed=5, line=[heuristic(game("kuhn_poker")), UNIFORM], trust=2.0, warm=1000.0)


def goes_on(tmp_path, *args, **settings):
    def run(folder):
        return trainer(folder, *args, **settings)

    whole = run(tmp_path / "whole")
    rows = [whole.iterate() for _ in range(9)]
    for stop in (1, 5):
        first = run(tmp_path / f"part{stop}")
        rows_again = [first.iterate() for _ in range(stop)]
        first.save()
        second = run(tmp_path / f"part{stop}")
        rows_again += [second.iterate() for _ in range(9 - stop)]
        assert figures(rows_again) == figures(rows)
        assert second.weights() == whole.weights()


SCRIPT = """
import sys
from pathlib import Path
from alehouse.training import lean
from alehouse.agents import UNIFORM
from alehouse.training.settings import train
settings = lean.Settings(tables=64, batch=512, minibatch=128, width=16)
run = lean.Trainer(lean.Job(("kuhn_poker-2p",), ("uniform",), 1, settings), Path(sys.argv[1]), [UNIFORM], 1, "sparse")
for row in train(run, float(sys.argv[2]), float("inf"), 0.0):
    print(row.samples, flush=True)
print(run.weights())
"""


@pytest.mark.slow
def test_a_killed_run_reaches_the_same_weights(tmp_path):
    def start(folder):
        return subprocess.Popen([sys.executable, "-P", "-c", SCRIPT, str(tmp_path / folder), "12000"], stdout=subprocess.PIPE, text=True)

    killed = start("killed")
    for _ in range(4):
        killed.stdout.readline()
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    assert checkpoint.load(tmp_path / "killed")[1]["samples"] < 12000
    ends = [run.communicate()[0].split() for run in (start("killed"), start("whole"))]
    assert ends[0][-1] == ends[1][-1]
    assert len(ends[0]) < len(ends[1])


@pytest.mark.slow
def test_a_game_without_a_heuristic_is_trained_too(tmp_path, monkeypatch):
    for module in ("lean", "settings"):
        monkeypatch.setattr(f"alehouse.training.{module}.as_variant", lambda text: toy.GAME.variant())
    run = trainer(tmp_path, "toy-3p", line=[UNIFORM], trust=3.0)
    assert run.learner.net.trust == 0
    assert run.iterate().shares["uniform"].games > 0


def test_settings_that_do_not_fit(tmp_path):
    with pytest.raises(ValueError, match="multiple of 4"):
        trainer(tmp_path, width=10)
    with pytest.raises(ValueError, match="threads"):
        lean.Trainer(lean.Job((KUHN,), ()), tmp_path, [], threads=0)
    with pytest.raises(ValueError, match="engine 'gpu': one of sparse, float32, bfloat16"):
        lean.Trainer(lean.Job((KUHN,), ()), tmp_path, [], engine="gpu")


def test_a_run_with_other_settings_is_refused_by_name(tmp_path):
    trainer(tmp_path)
    with pytest.raises(ValueError, match="width was 16, is 32"):
        trainer(tmp_path, width=32)


def test_a_run_ends_when_its_time_is_over(tmp_path):
    run, start = trainer(tmp_path), time.monotonic()
    rows = list(train(run, float("inf"), 0.3, 1e9))
    assert rows[-1].seconds >= 0.3 > (rows[-2].seconds if len(rows) > 1 else 0)
    assert time.monotonic() - start < 60
    assert checkpoint.load(tmp_path)[1]["samples"] == rows[-1].samples == run.samples
    assert ENDED in run.collector.samples.after
    assert list(metrics.rows(tmp_path)) == rows
