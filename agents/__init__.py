"""Agents: whoever plays. Nothing here needs more than NumPy and numba to play."""

from alehouse.agents.agent import Agent, OneByOne, Policy
from alehouse.agents.uniform import UNIFORM
from alehouse.envs.core.context import Context, ask

__all__ = ["UNIFORM", "Agent", "Context", "OneByOne", "Policy", "ask"]
