"""Teaching a value: its gradients, what it learns, and that a stopped run goes on as if it had not been stopped."""

import itertools

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from typer.testing import CliRunner

from alehouse.agents.ladder import heuristic, uniform
from alehouse.agents.value import FIRST, LAYERS, read_value
from alehouse.cli import app
from alehouse.envs.games import game
from alehouse.training import value, watching
from alehouse.training.value_fit import BATCH, Fit, Positions, learn, predict, sums
from tests.slow import slow

MOST = np.array([1, 3, 0, 5, 2], np.uint8)


def made_up(n, seed=0, seats=3):
    """Positions whose results follow from their bytes."""
    rng = np.random.default_rng(seed)
    obs = rng.integers(0, 7, (n, seats, MOST.size)).astype(np.uint8)
    number = rng.integers(2, seats + 1, n)
    worth = 0.7 * np.minimum(obs[:, :, 3], 5) - 1.5 * (obs[:, :, 1] == 2)
    worth = np.where(np.arange(seats) < number[:, None], worth, -np.inf)
    label = np.exp(worth - worth.max(axis=1, keepdims=True))
    return Positions(obs, number, label / label.sum(axis=1, keepdims=True), np.arange(n))


def shares(fit, positions):
    """The shares that a network gives."""
    out = np.zeros((positions.which.size, positions.label.shape[1]))
    predict((tuple(fit.value()), tuple(positions), out), positions.which.size)
    return out


def by_torch(fit, positions):
    """The mean cross-entropy of a batch, and its gradients for rows and layers."""
    rows = torch.tensor(fit.rows, requires_grad=True)
    tensors = {name: torch.tensor(part, requires_grad=True) for name, part in zip(LAYERS, fit.layers(), strict=True)}
    total = torch.zeros(())
    for i in positions.which:
        numbers = []
        for p in range(positions.seats[i]):
            picked = [fit.before[b] + x for b, x in enumerate(np.minimum(positions.obs[i, p], MOST).tolist()) if x]
            first = torch.relu(tensors["first_bias"] + rows[picked].sum(dim=0))
            second = torch.relu(tensors["second_bias"] + first @ tensors["second"])
            numbers.append(second @ tensors["last"])
        label = torch.tensor(positions.label[i, : positions.seats[i]], dtype=torch.float32)
        total = total - (label * torch.log_softmax(torch.stack(numbers), dim=0)).sum()
    mean = total / positions.which.size
    mean.backward()
    return float(mean.detach()), rows.grad.numpy(), np.concatenate([tensors[name].grad.numpy().ravel() for name in LAYERS])


def test_gradients_are_those_of_torch():
    fit, batch = Fit.begin(MOST, 1), made_up(BATCH // 4)
    fit.rows[:] = np.random.default_rng(3).normal(0, 0.3, fit.rows.shape)
    loss, rows, dense = by_torch(fit, batch)
    memory = sums(fit)
    assert learn(tuple(fit), tuple(fit.value()), tuple(memory), tuple(batch), 0.0) == pytest.approx(loss, rel=1e-4)
    assert memory.rows == pytest.approx(rows, abs=1e-6)
    assert memory.dense == pytest.approx(dense, abs=1e-6)
    assert abs(rows).max() > 1e-3
    slope = np.zeros((MOST.size, FIRST))
    for row, byte in enumerate(fit.byte):
        slope[byte] += rows[row] * (row - fit.before[byte]) / MOST[byte]
    assert memory.slope == pytest.approx(slope, abs=1e-6)


def test_it_learns_what_bytes_decide():
    fit, seen, unseen = Fit.begin(MOST, 1), made_up(8000), made_up(500, seed=9)
    memory = sums(fit)
    before = abs(shares(fit, unseen) - unseen.label).mean()
    for rate in (0.01, 0.003):
        learn(tuple(fit), tuple(fit.value()), tuple(memory), tuple(seen), rate)
    found = shares(fit, unseen)
    assert abs(found - unseen.label).mean() < before / 5
    assert found.sum(axis=1) == pytest.approx(1)
    assert (found[unseen.seats == 2, 2] == 0).all()


def test_common_values_teach_rare_ones():
    """A value that never came has a row all the same: its byte's slope."""
    fit, batch = Fit.begin(MOST, 1), made_up(4000)
    batch.obs[batch.obs == 4] = 5
    learn(tuple(fit), tuple(fit.value()), tuple(sums(fit)), tuple(batch), 0.01)
    never = fit.before[3] + 4
    assert abs(fit.rows[never]).max() > 0.01
    assert (fit.rows_2[never] == 0).all()


@pytest.fixture
def small(monkeypatch):
    """Parts of few games."""
    for name, n in (("PART", 500), ("FIRST_GAMES", 300), ("HELD", 800), ("SEEDS", 4)):
        monkeypatch.setattr(value, name, n)
    monkeypatch.setattr(value, "SAVE", 0.0)


def test_a_stopped_run_goes_on_bit_for_bit(small, tmp_path):
    job = value.Job(("kuhn_poker-2p",), 1500)
    for name, parts in (("whole", (9,)), ("stopped", (1, 9))):
        for most in parts:
            run = value.Trainer(job, tmp_path / name, 1)
            list(itertools.islice(run.run(), most))
        assert run.games == 1500
        run.export(tmp_path / f"{name}.safetensors", "as ever", [])
    one, two = (tensors for _, tensors in (value_file(tmp_path / f"{name}.safetensors") for name in ("whole", "stopped")))
    assert all((one[name] == two[name]).all() for name in one)
    assert abs(one["rows"]).max() > 0
    with pytest.raises(ValueError, match="games was 1500, is 900"):
        value.Trainer(job._replace(games=900), tmp_path / "whole", 1)


def value_file(path):
    """The words and the tensors of a file."""
    from alehouse.agents.network_file import tensors_of

    return tensors_of(path.read_bytes())


def test_two_threads_watch_the_same_games(small):
    room = [watching.Room([game("kuhn_poker").variant()], 300) for _ in range(2)]
    one, two = (made.watch(3, 0, 300, threads) for made, threads in zip(room, (1, 2), strict=True))
    same(one, two)
    assert (one.when >= 0).any()


def same(one, two):
    """Compare what was seen of some games."""
    for name in ("obs", "when", "points", "utility"):
        assert (getattr(one, name) == getattr(two, name)).all(), name


@pytest.mark.parametrize("name", ["kuhn_poker", slow("tavern_battle")])
def test_agents_lapse_and_are_watched_as_heuristics_in_kernels_are(name):
    spec = game(name)
    room = [watching.Room([spec.variant()], 200) for _ in range(2)]
    by_kernel, by_agents = room[0].watch(3, 40, 200, 1), room[1].watch_agents(3, 40, 200, 1, [heuristic(spec)])
    same(by_kernel, by_agents)
    assert (by_kernel.when >= 0).any()
    mixed = room[1].watch_agents(3, 40, 200, 1, [heuristic(spec), uniform(spec)])
    assert not (mixed.utility == by_kernel.utility).all()


def test_the_command(small, tmp_path):
    words = ["train", "kuhn_poker", "--what", "value", "--games", "1000", "--out", str(tmp_path), "--threads", "1"]
    said = CliRunner().invoke(app, words)
    assert said.exit_code == 0, said.output
    assert "rollout:30 among heuristics in kuhn_poker-2p" in said.stdout
    _, words = read_value(tmp_path / "value.safetensors", game("kuhn_poker"))
    assert words["games"] == "1000"


def test_a_value_goes_on_with_games_of_others(small, tmp_path):
    words = ["train", "kuhn_poker", "--what", "value", "--games", "1000", "--threads", "1"]
    first = str(tmp_path / "value.safetensors")
    assert CliRunner().invoke(app, [*words, "--out", str(tmp_path)]).exit_code == 0
    more = [*words, "--out", str(tmp_path / "more"), "--opponents", "heuristic,rollout:8:leaf=estimate", "--start", first]
    said = CliRunner().invoke(app, more)
    assert said.exit_code == 0, said.output
    before, after = (read_value(path / "value.safetensors", game("kuhn_poker"))[0] for path in (tmp_path, tmp_path / "more"))
    assert 0 < abs(after.rows - before.rows).max() < abs(before.rows).max()


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("--what", "fame"), "--what 'fame': network or value"),
        (("--games", "100"), "--games: only with --what value"),
        (("--what", "value", "--minutes", "3", "--ship"), "--what value: no --minutes, no --ship"),
    ],
)
def test_bad_commands(words, match):
    said = CliRunner().invoke(app, ["train", "kuhn_poker", *words])
    assert said.exit_code == 2
    assert match in said.stderr


def test_ranges_are_capped_alike(monkeypatch):
    monkeypatch.setattr(value, "ROWS", 12)
    obs = np.array([[[[0, 3, 9, 200]]]], np.uint8)
    seen = watching.Watched(*[None] * 5, obs, *[None] * 6)
    assert value.ranges(seen).tolist() == [0, 3, 4, 4]


def test_figures_of_perfect_and_of_even_shares():
    result, seats = np.array([[1.0, 0, 0], [0.5, 0.5, 0]]), np.array([3, 2])
    even = np.array([[1 / 3] * 3, [0.5, 0.5, 0]])
    assert value.figures(even, result, seats)["explained"] == 0
    assert value.figures(result, result, seats)["explained"] == 1
    assert value.figures(even, result, seats)["log_loss"] == pytest.approx((np.log(3) + np.log(2)) / 2, abs=1e-4)


def test_a_win_is_shared_by_points():
    points, seats = np.array([[5, 5 - np.log(3), 0], [2, 2, 9]]), np.array([2, 3])
    found = value.softened(points, seats)
    assert found[0] == pytest.approx([0.75, 0.25, 0])
    assert found[1] == pytest.approx(np.array([1, 1, np.exp(7)]) / (2 + np.exp(7)))
    assert value.softened(points * 1e6, seats)[1] == pytest.approx([0, 0, 1])  # nothing overflows
