"""Alehouse: tavern board games as very fast environments for agents."""

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from alehouse.commands import interrupt  # noqa: F401 - first of all, so that Ctrl-C ends the command line quietly while the rest is imported
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.faces import register
from alehouse.envs.core.run.learner_tables import LearnerTables
from alehouse.envs.core.run.named_agents import find_agents_by
from alehouse.envs.core.run.random_games import Results, play
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import IllegalAction, Tables
from alehouse.envs.core.show.draw import draw
from alehouse.envs.core.show.view import Option, View
from alehouse.envs.games import GAMES, REFERENCE, VERSION, game, installed, variant, variants

if TYPE_CHECKING:
    from alehouse.matches.match import Match

__all__ = [
    "GAMES",
    "REFERENCE",
    "IllegalAction",
    "LearnerTables",
    "Match",
    "Option",
    "Replay",
    "Results",
    "Tables",
    "Variant",
    "View",
    "draw",
    "game",
    "play",
    "variant",
    "variants",
]

__version__ = version("alehouse")

register(GAMES, VERSION)
register((*REFERENCE, *installed()))


def agent(name: str, game: Game, threads: int = 1) -> Any:
    """Return an agent for a game by its name."""
    from alehouse.players import player

    return player(name, game, threads)


find_agents_by(agent)


def __getattr__(name: str) -> Any:
    """Load matches when they are first used: they need the agents."""
    if name != "Match":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from alehouse.matches.match import Match

    return Match
