# /// script
# dependencies = ["alehouse", "torch"]
# ///
"""PPO with masks in one file, in the manner of CleanRL, on Gymnasium's vector environment."""

import gymnasium
import numpy as np
import torch
from torch import nn

import alehouse  # noqa: F401 - registers the environments

N, STEPS, EPOCHS, GAMMA, LAMBDA = 64, 64, 2, 1.0, 0.95
envs = gymnasium.make_vec("alehouse/ConnectFour-v0", num_envs=N, scaled=True, autoreset_mode="SameStep")
size, actions = envs.single_observation_space.shape[0], envs.single_action_space.n
torch.manual_seed(1)
actor = nn.Sequential(nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, actions))
critic = nn.Sequential(nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], 1e-3)


def policy(obs, mask):
    """Return the distribution over legal actions; a table that has just ended has none, and ignores its action."""
    legal = (mask == 1) | ~(mask == 1).any(-1, keepdim=True)
    return torch.distributions.Categorical(logits=actor(obs).masked_fill(~legal, -1e9))


def tensors(seen, infos):
    """Return observations as numbers near 0 to 1, and the masks."""
    return torch.as_tensor(seen, dtype=torch.float32) / 8, torch.as_tensor(infos["action_mask"])


obs, mask = tensors(*envs.reset(seed=1))
for update in range(10):
    rows, ends = [], []
    for _ in range(STEPS):
        with torch.no_grad():
            chosen = policy(obs, mask)
            action, value = chosen.sample(), critic(obs).squeeze(-1)
        seen, reward, terminated, truncated, infos = envs.step(action.numpy())
        over = torch.as_tensor(terminated | truncated)
        rows.append([obs, mask, action, chosen.log_prob(action), value, torch.as_tensor(reward, dtype=torch.float32), over])
        ends += reward[terminated].tolist()
        obs, mask = tensors(seen, infos)
    with torch.no_grad():
        later, gain = critic(obs).squeeze(-1), torch.zeros(N)
    for row in reversed(rows):  # advantages: nothing is gained across the end of a game
        value, reward, over = row[4:7]
        gain = reward + GAMMA * later * ~over - value + GAMMA * LAMBDA * gain * ~over
        later = value
        row.append(gain)
    o, m, a, old, v, _, _, advantage = (torch.cat([row[k] for row in rows]) for k in range(8))
    asked = m.any(-1)  # the step with which a game begins decides nothing
    for _ in range(EPOCHS):
        for rows_of in asked.nonzero().squeeze(-1)[torch.randperm(int(asked.sum()))].split(1024):
            now = policy(o[rows_of], m[rows_of])
            ratio = (now.log_prob(a[rows_of]) - old[rows_of]).exp()
            better = (advantage[rows_of] - advantage[asked].mean()) / advantage[asked].std()
            loss = -torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better).mean() - 0.01 * now.entropy().mean()
            loss += 0.5 * (critic(o[rows_of]).squeeze(-1) - (advantage + v)[rows_of]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(f"update {update}: mean result of {len(ends)} games {np.mean(ends) if ends else float('nan'):+.2f}")
