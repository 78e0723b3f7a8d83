"""Interfaces (faces) for other libraries: PettingZoo AEC and Parallel, Gymnasium single and vector."""

from functools import partial

from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.faces.aec import AEC
from alehouse.envs.core.faces.gymnasium_seat import SeatEnv
from alehouse.envs.core.faces.gymnasium_vector import SeatVectorEnv
from alehouse.envs.core.faces.parallel import Parallel
from alehouse.envs.core.faces.registry import register

__all__ = ["SeatEnv", "SeatVectorEnv", "env", "parallel_env", "pettingzoo_faces", "raw_env", "register"]

env = AEC
raw_env = partial(AEC, on_illegal="raise")
parallel_env = Parallel


def pettingzoo_faces(game: Game) -> tuple[partial[AEC], partial[AEC], partial[Parallel]]:
    """Return the functions `env`, `raw_env` and `parallel_env` of one game, as PettingZoo expects them."""
    return partial(AEC, game=game), partial(AEC, game=game, on_illegal="raise"), partial(Parallel, game=game)
