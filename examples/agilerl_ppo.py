# /// script
# dependencies = ["agilerl", "alehouse", "peft", "torch"]
# ///
"""AgileRL: PPO with masks on Gymnasium's vector environment, against the heuristic."""

import gymnasium
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts

import alehouse  # noqa: F401 - registers the environments

settings = {"opponents": "heuristic", "scaled": True, "autoreset_mode": "SameStep"}
env = gymnasium.make_vec("alehouse/ConnectFour-v0", num_envs=16, **settings)
torch.manual_seed(1)
agent = PPO(env.single_observation_space, env.single_action_space, num_envs=16, learn_step=1024, batch_size=256, update_epochs=2, gamma=1.0)
for _ in range(3):
    scores, *last = collect_rollouts(agent, env)  # it takes the masks from infos["action_mask"], and keeps them for the update
    print(f"{len(scores)} games, loss {agent.learn():.3f}")
