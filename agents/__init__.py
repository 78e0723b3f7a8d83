"""Agents: the players. Playing needs nothing beyond NumPy and numba."""

from alehouse.agents.agent import Agent, OneByOne, Policy
from alehouse.agents.careless import Careless
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.ladder import greedy, heuristic, ismcts, rollout
from alehouse.agents.rate import rate
from alehouse.agents.ratings import Ratings
from alehouse.agents.uniform import UNIFORM
from alehouse.agents.whole_games import Played, play_line
from alehouse.envs.core.run.context import Context, ask

__all__ = [
    "UNIFORM",
    "Agent",
    "Careless",
    "Context",
    "Kernel",
    "OneByOne",
    "Played",
    "Policy",
    "Ratings",
    "ask",
    "greedy",
    "heuristic",
    "ismcts",
    "play_line",
    "rate",
    "rollout",
]
