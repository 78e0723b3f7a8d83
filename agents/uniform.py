"""The agent that takes every legal action as likely."""

from alehouse.agents.agent import Policy
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, below


@jit
def uniform(obs, mask, key):
    """One of the legal actions, each as likely."""
    legal = 0
    for a in range(mask.size):
        legal += int(mask[a])
    left = below(key, AGENTS, 0, 0, 0, legal)
    for a in range(mask.size):
        if mask[a]:
            if left == 0:
                return a
            left -= 1
    return -1


UNIFORM = Policy(uniform)
