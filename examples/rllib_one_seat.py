# /// script
# dependencies = ["alehouse", "ray[rllib]", "torch"]
# ///
"""RLlib: PPO with masks for one seat, against the heuristic."""

import gymnasium
import numpy as np
import ray
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env


def make(settings):
    """Return one table with the names that RLlib's masking module wants."""
    import alehouse  # noqa: F401 - registers the environments, also in Ray's processes

    env = gymnasium.make("alehouse/ConnectFour-v0", obs="dict", scaled=True, **settings)
    size = env.action_space.n
    space = spaces.Dict(observations=env.observation_space["observation"], action_mask=spaces.Box(0, 1, (size,), np.float32))
    renamed = lambda seen: {"observations": seen["observation"], "action_mask": seen["action_mask"].astype(np.float32)}  # noqa: E731
    return gymnasium.wrappers.TransformObservation(env, renamed, space)


ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
register_env("connect_four", make)
config = (
    PPOConfig()
    .environment("connect_four", env_config={"opponents": "heuristic"})
    .env_runners(num_env_runners=0, num_envs_per_env_runner=4)
    .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [64]}))
    .training(train_batch_size_per_learner=512, minibatch_size=128, num_epochs=2, gamma=1.0)
)
algorithm = config.build_algo()
for _ in range(2):
    seen = algorithm.train()["env_runners"]
    print(f"{seen['num_episodes']} games, mean result {seen['episode_return_mean']:+.2f}")
