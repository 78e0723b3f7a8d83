"""Other libraries that make the environments themselves: Stable-Baselines3 in several processes, TorchRL."""

from typing import Any

import gymnasium
import pytest

from alehouse.envs.reference import kuhn_poker


@pytest.mark.slow
@pytest.mark.parametrize("start", ["forkserver", "spawn"])
def test_stable_baselines_makes_its_environments_in_other_processes(start: str) -> None:
    env_util, vec_env = pytest.importorskip("stable_baselines3.common.env_util"), pytest.importorskip("stable_baselines3.common.vec_env")
    made = env_util.make_vec_env(
        "alehouse:alehouse/ConnectFour-v0", n_envs=2, seed=1, env_kwargs={"opponents": "uniform", "dtype": "float32"},
        vec_env_cls=vec_env.SubprocVecEnv, vec_env_kwargs={"start_method": start},
    )  # fmt: skip
    seen = made.reset()
    assert (seen.shape, str(seen.dtype)) == ((2, 84), "float32")
    assert made.env_method("action_masks")[1].sum() == 7
    infos: Any = [{}]
    for _ in range(30):
        _, _, dones, infos = made.step([int(mask.argmax()) for mask in made.env_method("action_masks")])
        if dones.any():
            break
    assert {"points", "ranks", "winner", "terminal_observation"} <= set(infos[int(dones.argmax())])
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "obs"), [("Disabled", "flat"), ("Disabled", "dict"), ("SameStep", "flat")])
def test_torchrl_rolls_the_vector_environment_out(mode: str, obs: str) -> None:
    torch, torchrl = pytest.importorskip("torch"), pytest.importorskip("torchrl.envs")
    made = torchrl.GymWrapper(gymnasium.make_vec("alehouse/ConnectFour-v0", num_envs=4, obs=obs, autoreset_mode=mode))

    def policy(tensordict: Any) -> Any:
        masks = tensordict["action_mask"].float() if obs == "dict" else torch.ones(4, 7)
        masks += masks.sum(-1, keepdim=True) == 0
        return tensordict.set("action", torch.nn.functional.one_hot(torch.multinomial(masks, 1)[:, 0], 7))

    found = made.rollout(60, policy, break_when_any_done=False)
    assert found.shape == (4, 60)
    assert found["next", "done"].sum() == found["next", "reward"].abs().sum() > 4


@pytest.mark.slow
def test_torchrl_draws_for_seats_that_are_not_asked() -> None:
    torchrl = pytest.importorskip("torchrl.envs")
    made = torchrl.PettingZooWrapper(kuhn_poker.parallel_env(obs="dict", idle="any"), use_mask=True)
    assert made.rollout(30, break_when_any_done=False)["next", "done"].sum() > 5
