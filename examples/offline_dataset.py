# /// script
# dependencies = ["alehouse", "torch"]
# ///
"""An offline dataset: decisions of the heuristic with masks and results in a file, and a network that imitates them."""

import tempfile
from pathlib import Path

import numpy as np
import torch

import alehouse
from alehouse import agents

N = 128
tables = alehouse.Tables("bloody_inn-2p", n=N, seed=1)
player = agents.heuristic(tables.game)
rows, open_rows = [], [[] for _ in range(N)]  # finished games' decisions, and those of the games in progress
while len(rows) < 20_000:
    seen, mask, seat, action = tables.obs.copy(), tables.mask.copy(), tables.seat.copy(), agents.ask(player, tables)
    tables.step(action)
    for i in range(N):
        open_rows[i].append((seen[i], mask[i], action[i], seat[i]))
        if tables.over[i]:  # now the result of each seat is known
            rows += [(*row, tables.utility[i, row[3]]) for row in open_rows[i]]
            open_rows[i] = []
columns = dict(zip(("obs", "mask", "action", "seat", "result"), map(np.array, zip(*rows, strict=True)), strict=True))
file = Path(tempfile.mkdtemp()) / "bloody_inn-2p.npz"
np.savez_compressed(file, **columns, variant=str(tables.variants[0]))
print(f"{len(rows):,} decisions in {file}, {file.stat().st_size / 1e6:.1f} MB")

with np.load(file) as data:
    obs, mask, action = (torch.as_tensor(data[name]) for name in ("obs", "mask", "action"))
torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Linear(obs.shape[1], 128), torch.nn.ReLU(), torch.nn.Linear(128, mask.shape[1]))
optimizer, held = torch.optim.Adam(net.parameters(), 2e-3), len(obs) * 9 // 10


def logits(rows):
    """Return the network's numbers for the actions; illegal ones have no chance."""
    return net(obs[rows].float() / 8).masked_fill(mask[rows] == 0, -1e9)


for _ in range(4):
    for rows in torch.randperm(held).split(256):
        loss = torch.nn.functional.cross_entropy(logits(rows), action[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
rest = torch.arange(held, len(obs))
same = (logits(rest).argmax(-1) == action[rest]).float().mean()
print(f"the network answers {same:.0%} of {len(rest):,} decisions of later games as the heuristic does")
