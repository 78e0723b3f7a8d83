"""Agents that callers give by name. The package above hands in the function that finds them, because agents stand above this one."""

from collections.abc import Callable
from typing import Any

from alehouse.envs.core.declare.game import Game

Finder = Callable[[str, Game, int], Any]
_FINDERS: list[Finder] = []


def find_agents_by(finder: Finder) -> None:
    """Let this function find agents: it takes a name, a game and a number of threads."""
    _FINDERS[:] = [finder]


def as_agent(given: Any, game: Game, threads: int = 1) -> Any:
    """Return the agent that a caller gave, found by its name if it is a text."""
    return _FINDERS[0](given, game, threads) if isinstance(given, str) else given
