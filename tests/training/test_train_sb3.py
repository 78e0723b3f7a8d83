"""MaskablePPO at many tables: it learns known solutions, stopped runs go on to the same bits, its network plays without torch."""

import dataclasses
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO

from alehouse.agents import ask, heuristic
from alehouse.agents.ladder import uniform
from alehouse.agents.network import net
from alehouse.envs import games
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from alehouse.envs.reference import kuhn_poker
from alehouse.training import SeatVecEnv, lean, lookup, sb3, sb3_policy
from alehouse.training.advice import Adviser
from alehouse.training.metrics import Row, Share
from tests import one_move

SMALLER = (('"tiefenthal"', '"connect_four"'), ('"value"', "None"), ("n=1024", "n=32"), ("seeds=500", "seeds=5"), ("20_000_000", "1_024"))
SMALL = {"tables": 32, "steps": 16, "minibatch": 128, "width": 16}


@pytest.fixture
def one_move_known(monkeypatch):
    real = games.game
    monkeypatch.setattr(games, "game", lambda name: one_move.GAME if name == "one_move" else real(name))


def trainer(folder: Path, name: str = "connect_four-2p", threads: int = 1, **changes: Any) -> sb3.Trainer:
    settings = sb3.Settings(**(SMALL | changes))
    return sb3.Trainer(sb3.Job((name,), ("uniform",), 3, settings), folder, [uniform(game_of(name))], threads)


def game_of(name: str) -> Any:
    return games.game(name.split("-")[0])


def asked(model: MaskablePPO, obs: Any) -> tuple[Any, Any]:
    """Return the chances of each action and the value at some observations."""
    seen = torch.from_numpy(np.array(obs, np.uint8))
    with torch.no_grad():
        return model.policy.get_distribution(seen).distribution.probs.numpy(), model.policy.predict_values(seen)[:, 0].numpy()


def test_the_right_seat_learns_that_it_won(one_move_known, tmp_path):
    run = trainer(tmp_path, "one_move-2p", every_seat=1, learning_rate=0.01)
    for _ in range(25):
        run.iterate()
    chances, values = asked(run.model, [[1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1]])
    assert chances[0, one_move.WIN] > 0.95
    assert values[0] > 0.8  # seat 0, about to win
    assert values[1] < -0.8  # seat 1, after seat 0 has won


def test_a_lone_learner_takes_what_wins(one_move_known, tmp_path):
    run = trainer(tmp_path, "one_move-2p", learning_rate=0.01)
    for _ in range(25):
        row = run.iterate()
    chances, values = asked(run.model, [[1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1]])
    assert chances[0, one_move.WIN] > 0.95
    assert values[0] > 0.8
    assert values[1] < -0.8
    assert values[2] > 0.8
    assert 0.5 < row.shares["uniform"].won < 1
    assert row.shares["uniform"].parity == 0.5


def test_kuhn_poker_comes_near_its_value():
    env = SeatVecEnv("kuhn_poker", 256, every_seat=True, reward="score", seed=1)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=16, batch_size=1024, n_epochs=2, learning_rate=0.003, gamma=1.0, ent_coef=0.05, seed=1, device="cpu",
        rollout_buffer_class=sb3_policy.Rollouts, rollout_buffer_kwargs={"env": env}, policy_kwargs={"net_arch": [16]},
    )  # fmt: skip
    env.seed(1)
    won: list[float] = []

    class Noted(sb3.Tally):
        def _on_step(self) -> bool:
            won.extend(env.tables.utility[env.tables.over, 0].tolist())
            return True

    model.learn(256 * 16 * 100, Noted(env))
    assert abs(np.mean(won[2 * len(won) // 5 :]) + 1 / 18) < 0.04
    F = kuhn_poker.F
    facing_a_bet = np.zeros((2, kuhn_poker.FEATURES.size), np.uint8)
    facing_a_bet[:, F.paid.mine], facing_a_bet[:, F.paid.theirs] = 1, 2
    facing_a_bet[0, F.card.at] = facing_a_bet[1, F.card.at + 2] = 1
    calls = asked(model, facing_a_bet)[0][:, 1]
    assert calls[0] < 0.1  # the jack loses whatever the other holds
    assert calls[1] > 0.9  # the king wins


def test_a_stopped_run_goes_on_to_the_same_bits(tmp_path):
    for every in (0, 1):
        whole = trainer(tmp_path / f"whole{every}", every_seat=every)
        rows = [whole.iterate() for _ in range(4)]
        part = trainer(tmp_path / f"part{every}", every_seat=every)
        for _ in range(2):
            part.iterate()
        part.save()
        part.iterate()  # lost
        again = trainer(tmp_path / f"part{every}", every_seat=every)
        assert again.weights() != whole.weights()
        late = [again.iterate() for _ in range(2)]
        assert again.weights() == whole.weights()
        assert [row.samples for row in late] == [row.samples for row in rows[2:]]
        assert [row.shares for row in late] == [row.shares for row in rows[2:]]
        assert again.samples == whole.samples == 4 * 32 * 16


def test_a_run_with_other_settings_is_refused(tmp_path):
    trainer(tmp_path)
    with pytest.raises(ValueError, match="learning_rate was 0.001, is 0.5"):
        trainer(tmp_path, learning_rate=0.5)
    with pytest.raises(ValueError, match="width=17: a multiple of 4"):
        trainer(tmp_path, width=17)
    trainer(tmp_path, keep=5.0)  # how often checkpoints are written is not part of it


@pytest.mark.parametrize("trust", [0.0, 0.4])
def test_its_network_plays_without_torch(tmp_path, trust):
    """With ratings beside its own numbers or without, the file plays as the policy does, and not as the heuristic does."""
    run = trainer(tmp_path, learning_rate=0.01, trust=trust, reach=1.0)
    run.iterate()
    run.export(tmp_path / "net.safetensors", "test")
    agent = net(game("connect_four"), tmp_path / "net.safetensors")
    assert agent.weights["trust"][0, 0] == pytest.approx(trust, abs=1e-3)
    tables = Tables("connect_four", 200, seed=8)
    for _ in range(7):
        tables.step(tables.sample())
    seen = {"observation": tables.obs, "ratings": Adviser(tables).ratings()} if trust else tables.obs
    wanted, _ = run.model.predict(seen, action_masks=tables.mask, deterministic=True)
    assert (ask(agent, tables) == wanted).mean() > 0.98  # sums in another order, or the file's shorter numbers, may tip a tie
    assert len(set(wanted.tolist())) > 1
    agreed = (ask(heuristic(game("connect_four")), tables) == wanted).mean()
    assert agreed < 0.9


def test_a_policy_begins_as_the_heuristic_and_a_model_is_loaded_as_it_was(tmp_path):
    run = trainer(tmp_path)
    tables = Tables("connect_four", 100, seed=4)
    ratings = Adviser(tables).ratings()
    seen = {"observation": tables.obs, "ratings": ratings}
    chosen, _ = run.model.predict(seen, action_masks=tables.mask, deterministic=True)
    assert (ratings[np.arange(100), chosen] == 0).all()
    run.model.save(tmp_path / "model.zip")
    again = MaskablePPO.load(tmp_path / "model.zip")
    assert isinstance(again.policy, sb3_policy.Policy)
    assert (again.policy.trust, again.policy.reach) == (sb3_policy.TRUST, sb3_policy.REACH)
    assert (again.predict(seen, action_masks=tables.mask, deterministic=True)[0] == chosen).all()


def test_only_the_own_policy_is_exported(tmp_path):
    model = MaskablePPO("MlpPolicy", SeatVecEnv("kuhn_poker", 8), n_steps=8, batch_size=64)
    with pytest.raises(ValueError, match=r"MaskableActorCriticPolicy; agents play alehouse.training.sb3_policy.Policy"):
        sb3_policy.export(model, tmp_path / "net.safetensors")


def test_masks_and_observations_are_kept_as_bytes(tmp_path):
    run = trainer(tmp_path)
    run.iterate()
    buffer = run.model.rollout_buffer
    assert buffer.observations["observation"].dtype == np.uint8
    assert buffer.action_masks.itemsize == 1


@pytest.mark.parametrize("trainer", [lookup, lean, sb3])
def test_the_page_lists_every_setting(trainer, root):
    rows = [f"| `{f.name}` | {f.default:.10g} | {f.metadata['about']} |" for f in dataclasses.fields(trainer.Settings)]
    assert "\n".join(rows) in (root / "docs" / "training.md").read_text(encoding="utf-8")


def test_the_examples_of_the_page_run(root, tmp_path, monkeypatch):
    calls: list[Any] = []
    run = SimpleNamespace(log=lambda figures, step: calls.append((figures, step)))
    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=lambda **named: calls.append(named) or run))  # a stand-in
    blocks = re.findall(r"^```python\n(.*?)^```", (root / "docs" / "training.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {}
    for block in blocks:
        for large, small in SMALLER if "export(model" in block else ():
            assert large in block
            block = block.replace(large, small)
        exec(compile(block, "docs/training.md", "exec"), space)
    assert (tmp_path / "net.safetensors").is_file()
    assert space["env"].every_seat
    assert space["model"].num_timesteps >= 2_000
    sink = space["to_wandb"](Path("runs/train/a"), {"seed": 3})
    sink(Row(100, 1.0, 100.0, 0.9, 0.01, {"uniform": Share(10, 0.75, 0.5)}))
    begun, (figures, step) = calls
    assert begun == {"project": "alehouse", "name": "a", "config": {"seed": 3}}
    assert (figures["share/uniform"], figures["time/samples_per_second"], step) == (0.75, 100.0, 100)
