# /// script
# dependencies = ["alehouse[puffer]", "torch"]
# [tool.uv]
# override-dependencies = ["numpy>=2.1", "gymnasium>=1.2", "pettingzoo>=1.26"]
# [tool.alehouse]
# tests = "tests/alehouse/adapters/test_puffer.py"
# ///
"""PufferLib: a native vector environment; the mask is the second part of each observation."""

import pufferlib.vector
import torch
from pufferlib.models import Default
from pufferlib.pytorch import sample_logits

from alehouse.adapters.puffer import PufferTables


class Masked(Default):
    """PufferLib's own policy, with no chance for illegal actions."""

    def forward_eval(self, observations, state=None):
        """Return a number for each action, and the values."""
        _, mask = tables.split(observations)
        logits, values = super().forward_eval(observations, state)
        return logits.masked_fill(mask == 0, -1e9), values


settings = {"variant": "connect_four-2p", "n": 512, "opponents": "heuristic"}
vector = pufferlib.vector.make(PufferTables, env_kwargs=settings, num_envs=2, backend=pufferlib.vector.Serial, seed=1)
tables = vector.driver_env
torch.manual_seed(1)
policy = Masked(tables)
seen, _ = vector.reset(seed=1)
games, won = 0, []
with torch.inference_mode():
    for _ in range(100):
        logits, _ = policy(torch.as_tensor(seen))
        action, _, _ = sample_logits(logits)
        seen, rewards, terminals, truncations, infos = vector.step(action.numpy())
        games += int(terminals.sum())
        won += [info["won"] for info in infos]
print(f"{games} games ended in {100 * vector.num_agents:,} decisions; an untrained policy won {sum(won) / len(won):.0%} of them")
