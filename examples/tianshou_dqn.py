# /// script
# dependencies = ["alehouse", "tianshou", "torch"]
# ///
"""Tianshou: DQN in one seat and random play in the other, on the PettingZoo environment; its policies respect the masks."""

from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from alehouse.envs.reference import connect_four


def make():
    """Return one table; Tianshou takes the mask out of the observation."""
    return PettingZooEnv(connect_four.env(scaled=True))


env = make()
seen = env.observation_space["observation"]
net = Net(state_shape=seen.shape, action_shape=env.action_space.n, hidden_sizes=(64,))
policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, observation_space=seen, eps_training=0.3)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=100)
other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, other], env=env)
played = Collector(both, DummyVectorEnv([make] * 4), VectorReplayBuffer(10_000, 4), exploration_noise=True)
tested = Collector(both, DummyVectorEnv([make] * 4))
played.reset()
played.collect(n_step=400)
result = both.run_training(
    OffPolicyTrainerParams(
        training_collector=played,
        test_collector=tested,
        max_epochs=1,
        epoch_num_steps=1000,
        collection_step_num_env_steps=100,
        test_step_num_episodes=8,
        batch_size=64,
        update_step_num_gradient_steps_per_sample=0.1,
        multi_agent_return_reduction=lambda returns: returns[:, 0],
    )
)
print(f"mean result of 8 games after {result.train_step:,} decisions: {result.best_reward:+.2f}")
