# /// script
# dependencies = ["alehouse", "torch", "torchrl"]
# ///
"""TorchRL: PPO with masks for one seat by GymWrapper, and random play of all seats by PettingZooWrapper."""

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper, PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import alehouse  # noqa: F401 - registers the environments
from alehouse.envs.reference import connect_four


class Logits(nn.Module):
    """Return a number for each action, and the mask as truth values."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, actions))

    def forward(self, seen, mask):
        """Return logits and mask."""
        return self.net(seen), mask.bool()


settings = {"opponents": "heuristic", "obs": "dict", "scaled": True}
env = GymWrapper(gymnasium.make("alehouse/ConnectFour-v0", **settings), categorical_action_encoding=True)
size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
torch.manual_seed(1)
policy = ProbabilisticActor(
    TensorDictModule(Logits(), in_keys=["observation", "action_mask"], out_keys=["logits", "mask"]),
    in_keys=["logits", "mask"],
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
value = ValueOperator(nn.Sequential(nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, 1)), in_keys=["observation"])
advantage, loss = GAE(gamma=1.0, lmbda=0.95, value_network=value), ClipPPOLoss(policy, value)
optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
collector = Collector(env, policy, frames_per_batch=500, total_frames=1000)
for batch in collector:
    for _ in range(2):
        advantage(batch)
        for part in batch.reshape(-1).split(250):
            parts = loss(part)
            optimizer.zero_grad()
            (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
            optimizer.step()
    ends = batch["next", "reward"][batch["next", "done"]]
    print(f"mean result of {len(ends)} games against the heuristic: {ends.mean():+.2f}")
collector.shutdown()

seats = PettingZooWrapper(connect_four.parallel_env(scaled=True, idle="any"), use_mask=True)  # waiting seats may "choose" anything
game = seats.rollout(1000)
print(f"a random game of {len(game)} decisions ended with {game['next', 'player', 'reward'][-1].flatten().tolist()}")
