"""Entries for the registries of Gymnasium and PettingZoo, made from names alone: a game is imported only when an environment is made."""

from collections.abc import Iterable

import gymnasium
import pettingzoo

FACES = "alehouse.envs.core.faces"


def register(games: Iterable[str]) -> None:
    """Register games: `my_game` becomes "alehouse/MyGame-v0" in Gymnasium and "alehouse/my_game-v0" in PettingZoo."""
    for game in games:
        title = "".join(word.title() for word in game.split("_"))
        if f"alehouse/{title}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"alehouse/{title}-v0",
                entry_point=f"{FACES}.gymnasium_seat:SeatEnv",
                vector_entry_point=f"{FACES}.gymnasium_vector:SeatVectorEnv",
                kwargs={"game": game},
            )
        for kind, face in (("aec", "aec:AEC"), ("parallel", "parallel:Parallel")):
            known = getattr(pettingzoo, f"{kind}_registry", None)  # only PettingZoo 1.27 and later have registries
            if known is not None and f"alehouse/{game}-v0" not in known:
                pettingzoo.register(kind, f"alehouse/{game}-v0", f"{FACES}.{face}", kwargs={"game": game})
