# /// script
# dependencies = ["alehouse", "skrl", "torch"]
# ///
"""skrl: PPO with masks on Gymnasium's vector environment, against the heuristic."""

import gymnasium
import torch
from skrl.agents.torch.ppo import PPO
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer
from skrl.utils.spaces.torch import unflatten_tensorized_space
from torch import nn

import alehouse  # noqa: F401 - registers the environments

settings = {"opponents": "heuristic", "obs": "dict", "scaled": True, "autoreset_mode": "SameStep"}
env = wrap_env(gymnasium.make_vec("alehouse/ConnectFour-v0", num_envs=32, **settings))
size = env.observation_space["observation"].shape[0]


class Policy(CategoricalMixin, Model):
    """A policy that gives illegal actions no chance."""

    def __init__(self):
        Model.__init__(self, observation_space=env.observation_space, action_space=env.action_space, device=env.device)
        CategoricalMixin.__init__(self)
        self.net = nn.Sequential(nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, env.action_space.n))

    def compute(self, inputs, role):
        """Return a number for each action; skrl hands on the observation as one flat row."""
        seen = unflatten_tensorized_space(self.observation_space, inputs["observations"])
        return self.net(seen["observation"]).masked_fill(seen["action_mask"] == 0, -1e9), {}


class Value(DeterministicMixin, Model):
    """The value of a position."""

    def __init__(self):
        Model.__init__(self, observation_space=env.observation_space, action_space=env.action_space, device=env.device)
        DeterministicMixin.__init__(self)
        self.net = nn.Sequential(nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, 1))

    def compute(self, inputs, role):
        """Return the value of each position."""
        return self.net(unflatten_tensorized_space(self.observation_space, inputs["observations"])["observation"]), {}


torch.manual_seed(1)
agent = PPO(
    models={"policy": Policy(), "value": Value()},
    memory=RandomMemory(memory_size=32, num_envs=env.num_envs, device=env.device),
    observation_space=env.observation_space,
    action_space=env.action_space,
    device=env.device,
    cfg={"rollouts": 32, "learning_epochs": 2, "discount_factor": 1.0, "experiment": {"write_interval": 0, "checkpoint_interval": 0}},
)
SequentialTrainer(env=env, agents=agent, cfg={"timesteps": 128, "headless": True, "disable_progressbar": True}).train()
print(f"trained on {128 * env.num_envs:,} decisions, all of them legal")
