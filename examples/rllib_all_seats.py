# /// script
# dependencies = ["alehouse", "ray[rllib]", "torch"]
# ///
"""RLlib: one PPO policy with masks plays all seats of the PettingZoo environment against itself."""

import numpy as np
import ray
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from alehouse.envs.reference import connect_four


class Renamed(connect_four.env):
    """The environment with the names that RLlib's masking module wants."""

    def __init__(self, **settings):
        super().__init__(scaled=True, **settings)
        mask = spaces.Box(0, 1, (self.action_space("player_0").n,), np.float32)
        for agent, space in self.observation_spaces.items():
            self.observation_spaces[agent] = spaces.Dict(observations=space["observation"], action_mask=mask)

    def observe(self, agent):
        """Return the observation under RLlib's names."""
        seen = super().observe(agent)
        return {"observations": seen["observation"], "action_mask": seen["action_mask"].astype(np.float32)}


ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
register_env("connect_four", lambda settings: PettingZooEnv(Renamed(**settings)))
module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [64]})
config = (
    PPOConfig()
    .environment("connect_four", env_config={})
    .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
    .env_runners(num_env_runners=0)
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": module}))
    .training(train_batch_size_per_learner=512, minibatch_size=128, num_epochs=2, gamma=1.0)
)
algorithm = config.build_algo()
for _ in range(2):
    seen = algorithm.train()["env_runners"]
    print(f"{seen['num_episodes']} games, mean result by seat {seen['agent_episode_returns_mean']}")
