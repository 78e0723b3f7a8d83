# /// script
# dependencies = ["alehouse", "supersuit"]
# ///
"""SuperSuit: its wrappers want flat observations; the masks are in the infos."""

import numpy as np
import supersuit

from alehouse.envs.reference import connect_four

env = supersuit.frame_stack_v1(supersuit.dtype_v0(connect_four.env(obs="flat"), "float32"), 2)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        print(f"{agent} sees {observation.shape} numbers and ends with {reward}")
    env.step(None if terminated or truncated else env.action_space(agent).sample(info["action_mask"]))


def masks_of(infos):
    """Return a row of legal actions for each seat at each table; a seat that waits has none."""
    return np.array([info["action_mask"] for info in infos])


tables = supersuit.pettingzoo_env_to_vec_env_v1(connect_four.parallel_env(obs="flat"))  # a row for each seat
vector = supersuit.concat_vec_envs_v1(tables, 4, base_class="gymnasium")
rng, ends = np.random.default_rng(1), 0
seen, infos = vector.reset(seed=1)
for _ in range(500):
    masks = masks_of(infos)
    actions = (rng.random(masks.shape) * masks).argmax(axis=1)  # a random legal action; the answer 0 of a seat that waits is ignored
    seen, rewards, terminated, truncated, infos = vector.step(actions)
    ends += int(terminated.sum()) // 2
print(f"{ends} games ended in 500 steps of {vector.num_envs} rows")
