# /// script
# dependencies = ["alehouse", "torch"]
# ///
"""PyTorch without copies: tensors that share the memory of the tables, and see every step."""

import torch

import alehouse

tables = alehouse.Tables("bloody_inn-2p", n=1024, seed=1)
obs, mask = torch.from_numpy(tables.obs), torch.from_numpy(tables.mask)  # made once; `step` writes into the same memory
torch.manual_seed(1)
policy = torch.nn.Linear(obs.shape[1], mask.shape[1])
games, first = 0, torch.zeros(2)
with torch.inference_mode():
    for _ in range(200):
        logits = policy(obs / 255).masked_fill(mask == 0, -torch.inf)  # an illegal action has no chance
        tables.step(torch.distributions.Categorical(logits=logits).sample().numpy())
        games += int(tables.over.sum())
        first += torch.from_numpy(tables.utility[tables.over].sum(axis=0))
assert obs.data_ptr() == tables.obs.ctypes.data
print(f"{games} games ended in {200 * tables.n:,} decisions; mean result by seat {first / games}")
