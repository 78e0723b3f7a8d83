"""Levels of play: for each game six agents from weak to strong, with their measured ratings.

levels.toml names them; `tools/measure_levels.py` measures them and writes their ratings into that file.
"""

import functools
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from alehouse.envs.core.declare.game import Game

FILE = Path(__file__).with_name("levels.toml")
DEFAULT = "default"  # the section for games that have none of their own
LEVELS = 6


class Level(NamedTuple):
    """A level of play: its agent, and how strong that is."""

    number: int
    agent: str
    rating: float | None = None  # points above the heuristic, 400 for odds of ten to one; None where nobody has measured it
    low: float | None = None  # the ends of the 95 % interval
    high: float | None = None


@functools.cache
def sections() -> dict[str, Any]:
    """Return what levels.toml holds."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def choices() -> dict[str, list[str]]:
    """Return the agents of all levels, by section."""
    return {name: [row["agent"] for row in section["levels"]] for name, section in sections().items()}


def levels(game: Game) -> tuple[Level, ...]:
    """Return the levels of a game, from the weakest to the strongest."""
    rows = sections().get(game.name, sections()[DEFAULT])["levels"]
    return tuple(Level(number, **row) for number, row in enumerate(rows, 1))


def measured(game: Game) -> str:
    """Return how the ratings of a game's levels were measured, or "" if nobody has done that."""
    return str(sections().get(game.name, {}).get("measured", ""))


def level(text: str, game: Game) -> Level:
    """Return a level of a game by its number."""
    if text not in map(str, range(1, LEVELS + 1)):
        raise ValueError(f"level {text!r}: 1 (weakest) to {LEVELS} (strongest)")
    return levels(game)[int(text) - 1]


def strength(one: Level) -> str:
    """Return in words how strong a level is."""
    if one.rating is None:
        return "not measured"
    return f"{one.rating:+.0f} points" + (f" ({one.low:+.0f} to {one.high:+.0f})" if one.low is not None else "")
