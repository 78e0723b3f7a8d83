"""Interfaces (faces) for other libraries: PettingZoo AEC and Parallel, Gymnasium single and vector."""

import inspect
from typing import Any

from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.faces.aec import AEC
from alehouse.envs.core.faces.gymnasium_seat import SeatEnv
from alehouse.envs.core.faces.gymnasium_vector import SeatVectorEnv
from alehouse.envs.core.faces.parallel import Parallel
from alehouse.envs.core.faces.registry import register
from alehouse.envs.core.faces.table import Table

__all__ = ["SeatEnv", "SeatVectorEnv", "env", "parallel_env", "pettingzoo_faces", "raw_env", "register"]


def face_of(face: type, name: str, module: str, **settings: Any) -> Any:
    """Return a class like `face` in which some settings are other ones by default, and the game is fixed if it is among them."""

    def __init__(self: Any, *args: Any, **given: Any) -> None:
        face.__init__(self, *args, **(settings | given))  # type: ignore[misc]

    signature = inspect.signature(face.__init__)  # type: ignore[misc]
    kept = [one for one in signature.parameters.values() if one.name != "game" or "game" not in settings]
    shown = [one.replace(default=settings.get(one.name, one.default)) for one in kept]
    __init__.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    settings_of = f"{inspect.getdoc(Table)}".partition("\n\n")[2]
    words = f"{face.__doc__}".partition(";")[0] + f".\n\n{settings_of}"
    facts = {"__init__": __init__, "__module__": module, "__qualname__": name, "__doc__": words}
    return type(name, (face,), facts)


env = AEC
raw_env = face_of(AEC, "raw_env", __name__, on_illegal="raise")
parallel_env = Parallel


def pettingzoo_faces(game: Game) -> tuple[type[AEC], type[AEC], type[Parallel]]:
    """Return the classes `env`, `raw_env` and `parallel_env` of one game, under the names that PettingZoo expects."""
    made = [
        face_of(face, name, game.module, game=game, **settings)
        for face, name, settings in ((AEC, "env", {}), (AEC, "raw_env", {"on_illegal": "raise"}), (Parallel, "parallel_env", {}))
    ]
    return made[0], made[1], made[2]
