"""An agent that often does not think: opponents for people who are learning a game."""

import numpy as np

from alehouse.agents import ladder
from alehouse.agents.agent import Masks, Moves, Observations
from alehouse.agents.heuristic import heuristic_of
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.context import Context
from alehouse.envs.core.run.luck import AGENTS, draw_each

LAPSE = 4  # the index of an agent's luck that says whether it thinks
WHOLE = 2.0**64


class Careless:
    """The heuristic of a game, except that a share of its decisions is made at random."""

    def __init__(self, game: Game, share: float = 0.5, threads: int = 1) -> None:
        if not 0 <= share <= 1:
            raise ValueError(f"share={share}: the share of decisions that are made at random, from 0 to 1")
        self.name, self.share = f"careless:share={share:g}", share
        self.random = ladder.uniform(game, threads)
        self.quick = ladder.heuristic(game, threads=threads) if heuristic_of(game) else self.random

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """Return the heuristic's action for each row, or a random one."""
        lapses = draw_each(ctx.keys, AGENTS, np.full(len(obs), LAPSE)) / WHOLE < self.share
        return np.where(lapses, self.random.act(obs, mask, ctx), self.quick.act(obs, mask, ctx))
