"""Which games have offers that can be swapped, and the hooks of each.

offered(s, key) -> where        a random offer open to the seat to move, or -1 where it is asked something else
lying(s, where) -> item         what lies there
exchange(s, where, key) -> item another item put there, the old one where that came from; -1 where there is no other
"""

import importlib
from types import ModuleType

from alehouse.envs.core.game import Game

WITH_OFFERS = ("bloody_inn",)


def offers(game: Game) -> ModuleType | None:
    """The hooks of a game, if it has any."""
    return importlib.import_module(f"{__name__}_{game.name}") if game.name in WITH_OFFERS else None
