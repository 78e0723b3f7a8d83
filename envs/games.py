"""The list of games, and how to get a game or a variant by name."""

import functools
import importlib
import re
import warnings
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from alehouse.envs.core.declare.game import Game, Variant, game_of
from alehouse.envs.core.declare.numbers import Value

GAMES = ("bloody_inn", "tavern_battle", "taverns_dragons", "tiefenthal")
REFERENCE = ("connect_four", "kuhn_poker")
VERSION = 1  # of the environments of GAMES: one more when their play, actions or observations change (docs/environments.md)
GROUP = "alehouse.games"  # other packages add games under this entry point: a game's name, and the module with its GAME


def game(name: str) -> Game:
    """Return a game by its name."""
    if name in GAMES:
        return game_of(f"alehouse.envs.{name}")
    if name in REFERENCE:
        return game_of(f"alehouse.envs.reference.{name}")
    if name in installed():
        return loaded(installed()[name])
    raise ValueError(f"game {name!r}: one of {', '.join((*GAMES, *REFERENCE, *installed()))}")


@functools.cache
def installed() -> Mapping[str, EntryPoint]:
    """Return the games of other installed packages by name, without importing them; warn about names that cannot be used."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if not re.fullmatch("[a-z][a-z_]*", point.name):
            warnings.warn(f"{told(point)} is left out: a name is made of small letters and underscores", stacklevel=2)
        elif point.name in (*GAMES, *REFERENCE, *found):
            owner = told(found[point.name]) if point.name in found else "one of alehouse"
            warnings.warn(f"{told(point)} is left out: there is {owner} already", stacklevel=2)
        else:
            found[point.name] = point
    return found


def told(point: EntryPoint) -> str:
    """Return the words by which messages name a game of another package."""
    return f"game {point.name!r} of package {point.dist.name if point.dist is not None else point.value}"


@functools.cache
def loaded(point: EntryPoint) -> Game:
    """Import a game of another package."""
    try:
        found: Game = importlib.import_module(point.value).GAME
    except (Exception, SystemExit) as error:
        where = f'python -c "import {point.value}" shows where'
        raise ValueError(f"{told(point)} does not load: {type(error).__name__}: {error} ({where})") from None
    if not isinstance(found, Game) or (found.name, found.module) != (point.name, point.value):
        raise ValueError(f"{told(point)}: GAME in {point.value} is not a Game with name={point.name!r} and module=__name__")
    return found


def newest(name: str) -> int:
    """Return the newest version of a game's environments."""
    return VERSION if name in GAMES else 0


def playable() -> tuple[str, ...]:
    """Return the names of all games except the reference games; warn about games of other packages that fail to load."""
    found = list(GAMES)
    for name, point in installed().items():
        try:
            loaded(point)
            found.append(name)
        except ValueError as error:
            warnings.warn(f"{error}; it is left out", stacklevel=2)
    return tuple(found)


def variant(
    game_or_id: str,
    seats: int | None = None,
    modules: Sequence[str] = (),
    length: str | None = None,
    overrides: Mapping[str, Value] | None = None,
    rules: str | Path | None = None,
) -> Variant:
    """Return a variant, given by its parts or by its canonical id."""
    if not isinstance(game_or_id, str):
        raise ValueError(f"variant {game_or_id!r}: the name of a game, or the id of a variant")
    name = game_or_id.split("-")[0].split("?")[0]
    found = game(name)
    if name != game_or_id:
        if seats is not None or modules or length is not None or overrides or rules is not None:
            raise ValueError(f"variant {game_or_id!r}: an id says everything; give a game's name to add options")
        return found.parse(game_or_id)
    return found.variant(seats, tuple(modules) if not isinstance(modules, str) else modules, length, overrides, rules)


def variants(name: str) -> list[Variant]:
    """Return every legal variant of a game, leaving out overrides and switches."""
    return list(game(name).variants())
