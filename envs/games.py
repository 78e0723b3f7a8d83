"""Which games there are, and how to name what is played."""

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.numbers import Value

GAMES = ("bloody_inn", "tavern_battle", "taverns_dragons", "tiefenthal")
REFERENCE = ("connect_four", "kuhn_poker")


def game(name: str) -> Game:
    """Return a game by its name."""
    if name not in GAMES + REFERENCE:
        raise ValueError(f"game {name!r}: one of {', '.join(GAMES + REFERENCE)}")
    folder = "" if name in GAMES else "reference."
    found: Game = importlib.import_module(f"alehouse.envs.{folder}{name}").GAME
    return found


def variant(
    game_or_id: str,
    seats: int | None = None,
    modules: Sequence[str] = (),
    length: str | None = None,
    overrides: Mapping[str, Value] | None = None,
    rules: str | Path | None = None,
) -> Variant:
    """Return a variant by its parts, or by its canonical id."""
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
    """Return every legal variant of a game, without overrides and switches."""
    return list(game(name).variants())
