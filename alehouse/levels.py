"""Levels of play: for each game six agents from weak to strong, each with a name and measured ratings.

levels.toml names them; `tools/measure_levels.py` measures them and writes their ratings into that file.
"""

import functools
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from alehouse.envs.core.declare.game import Game

FILE = Path(__file__).with_name("levels.toml")
DEFAULT = "default"  # the section for games that have none of their own
NAMES = ("casual", "regular", "skilled", "strong", "expert", "master")
LEVELS = len(NAMES)


class Rating(NamedTuple):
    """How strong a level is: points above the heuristic, 400 for odds of ten to one, with the ends of the 95 % interval."""

    points: float
    low: float
    high: float


class Level(NamedTuple):
    """A level of play: its agent, and how strong that is by the number of players."""

    number: int
    agent: str
    ratings: dict[int, Rating] = {}  # noqa: RUF012 - nothing changes it

    @property
    def name(self) -> str:
        """The level's name, which is also the name of an agent."""
        return NAMES[self.number - 1]


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
    return tuple(Level(k, row["agent"], ratings_of(row)) for k, row in enumerate(rows, 1))


def ratings_of(row: dict[str, Any]) -> dict[int, Rating]:
    """Return the ratings of a level's row by the number of players."""
    return {int(seats): Rating(*rating) for seats, rating in row.get("ratings", {}).items()}


def measured(game: Game) -> str:
    """Return how the ratings of a game's levels were measured, or "" if nobody has done that."""
    return str(sections().get(game.name, {}).get("measured", ""))


def level(text: str, game: Game) -> Level:
    """Return a level of a game by its number or name."""
    found = [one for one in levels(game) if text in (str(one.number), one.name)]
    if not found:
        raise ValueError(f"level {text!r}: 1 (weakest) to {LEVELS} (strongest), or one of {', '.join(NAMES)}")
    return found[0]


def strength(one: Level, seats: int) -> str:
    """Return in words how strong a level is at a table with this number of players."""
    if seats not in one.ratings:
        return "not measured"
    points, low, high = one.ratings[seats]
    return f"{points:+.0f} points" + (f" ({low:+.0f} to {high:+.0f})" if low < high else "")
