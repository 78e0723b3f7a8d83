# /// script
# dependencies = ["alehouse[train]"]
# ///
"""Stable-Baselines3: MaskablePPO against the heuristic, on the vector environment that comes with Alehouse."""

import numpy as np
from sb3_contrib import MaskablePPO

from alehouse.training import SeatVecEnv

env = SeatVecEnv("connect_four-2p", n=64, opponents="heuristic", seed=1)  # its `action_masks` is what MaskablePPO asks for
model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=512, n_epochs=2, seed=1)
model.learn(8 * 64 * 32)

seen, won = env.reset(), []
while len(won) < 200:
    actions, _ = model.predict(seen, action_masks=env.action_masks())
    seen, _, _, infos = env.step(actions)
    won += [info["won"] for info in infos if "won" in info]
print(f"{np.mean(won):.0%} of {len(won)} games won against the heuristic after {model.num_timesteps:,} decisions")
