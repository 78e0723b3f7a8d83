"""Entries for the registries of Gymnasium and PettingZoo, made from names alone: a game is imported only when an environment is made."""

from collections.abc import Iterable

import gymnasium
import pettingzoo

FACES = "alehouse.envs.core.faces"


def register(games: Iterable[str], newest: int = 0) -> None:
    """Register games in all versions: `my_game` becomes "alehouse/MyGame-v0" in Gymnasium and "alehouse/my_game-v0" in PettingZoo."""
    for game in games:
        for version in range(newest + 1):
            in_gymnasium(game, f"alehouse/{''.join(word.title() for word in game.split('_'))}-v{version}")
            in_pettingzoo(game, f"alehouse/{game}-v{version}")


def in_gymnasium(game: str, name: str) -> None:
    """Register the environments of one seat."""
    if name not in gymnasium.registry:
        one, many = f"{FACES}.gymnasium_seat:SeatEnv", f"{FACES}.gymnasium_vector:SeatVectorEnv"
        gymnasium.register(name, entry_point=one, vector_entry_point=many, kwargs={"game": game})


def in_pettingzoo(game: str, name: str) -> None:
    """Register the environments of all seats."""
    for kind, face in (("aec", "aec:AEC"), ("parallel", "parallel:Parallel")):
        known = getattr(pettingzoo, f"{kind}_registry", None)  # only PettingZoo 1.27 and later have registries
        if known is not None and name not in known:
            pettingzoo.register(kind, name, f"{FACES}.{face}", kwargs={"game": game})
