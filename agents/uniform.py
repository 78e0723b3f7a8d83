"""The agent that chooses among all legal actions with equal chance."""

from alehouse.agents import ladder
from alehouse.agents.agent import Policy
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.learner_kernels import Inside
from alehouse.envs.core.run.luck import AGENTS, below


@jit
def uniform(obs, mask, key):
    """Return one of the legal actions, all equally likely."""
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


class Uniform(Policy):
    """An agent that chooses among all legal actions with equal chance, in every game."""

    def inside(self, game: Game) -> Inside | None:
        """Return this agent in the form that decides inside numba."""
        return ladder.uniform(game).inside(game)


UNIFORM = Uniform(uniform)
