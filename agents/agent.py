"""What an agent is, and how a jitted policy, or a player that decides one thing at a time, is turned into an agent."""

import functools
from collections.abc import Callable
from operator import index
from typing import Any, Protocol

import numba
import numpy as np
import numpy.typing as npt

from alehouse.envs.core.run.context import Context
from alehouse.envs.core.run.jit import home_of_kernel, jit
from alehouse.envs.core.run.scratch import bare

Observations = npt.NDArray[np.uint8]
Masks = npt.NDArray[np.int8]
Moves = npt.NDArray[np.int64]


class Agent(Protocol):
    """Takes many decisions at once, each at another table, and knows nothing but what `act` is given."""

    @property
    def name(self) -> str:
        """The agent's name in tables of results."""

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """Return a legal action for each row of observations and masks."""


class Player(Protocol):
    """Takes one decision at a time."""

    def act(self, obs: Observations, mask: Masks) -> int:
        """Return a legal action."""


class OneByOne:
    """An agent made from a player that takes one decision at a time."""

    def __init__(self, player: Player, name: str | None = None) -> None:
        self.player, self.name = player, name or type(player).__name__

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """Return the player's action for each row."""
        return np.array([self._one(o, m) for o, m in zip(obs, mask, strict=True)], np.int64)

    def _one(self, obs: Observations, mask: Masks) -> int:
        answer = self.player.act(obs, mask)
        try:
            return index(answer)
        except TypeError:
            raise ValueError(f"agent {self.name!r}: one whole number is wanted, it answered {answer!r}") from None


class Policy:
    """An agent made from a jitted function `(obs, mask, key) -> action`; key is 64 random bits for the decision."""

    def __init__(self, policy: Callable[..., Any], name: str | None = None) -> None:
        if not numba.config.DISABLE_JIT and not hasattr(policy, "py_func"):
            raise ValueError(f"policy {policy!r}: a jitted function is wanted; OneByOne takes plain Python")
        self.policy, self.name = policy, name or policy.__name__

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """Return the policy's action for each row."""
        actions = np.empty(len(obs), np.int64)
        each(self.policy)(obs, mask, ctx.keys, actions)
        return actions


@functools.cache
def each(policy: Callable[..., Any]) -> Callable[..., None]:
    """Return a kernel that runs a policy row by row; it is cached on disk if the policy is."""

    def run(obs, mask, keys, actions):
        obs, mask = bare(obs), bare(mask)
        for i in range(actions.size):
            actions[i] = policy(obs[i], mask[i], keys[i])

    home = home_of_kernel(policy)
    compiled: Callable[..., None] = jit(run, home=home) if home else numba.njit(run, nogil=True)
    return compiled
