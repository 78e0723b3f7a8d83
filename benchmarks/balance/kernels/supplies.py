"""Decks and supplies that may run out, and which of a table's hold something."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.jit import jit
from alehouse.envs.tiefenthal.layout import STOCKS, TAVERN_NAMES

NAMES = {
    "bloody_inn": ("peasants in the bistro", "event deck"),
    "tavern_battle": ("object deck", "arrivals"),
    "taverns_dragons": ("heroes", "recipes", "items", "events", "encounters", "trophies", "forge tokens"),
    "tiefenthal": ("guest deck", "cheap pile", "schnapps", "signature tiles", "counter guests", "nobles", *TAVERN_NAMES),
}
kernel = functools.partial(jit, home=Path(__file__).parent)


def supplies(game: Game) -> tuple[tuple[str, ...], Callable[..., Any]]:
    """The supplies of a game, and the kernel that says which hold something, as a set."""
    return NAMES.get(game.name, ()), KERNELS.get(game.name, none)


@kernel
def none(s):
    """Nothing to run out of."""
    return 0


@kernel
def bloody_inn(s):
    """Peasants, events."""
    return int(s.bistro > 0) | int(s.event_deck != 0) << 1


@kernel
def tavern_battle(s):
    """Objects, arrivals."""
    return int(s.left > 0) | int(s.arrivals != 0) << 1


@kernel
def taverns_dragons(s):
    """What lies face down, and what is there for all."""
    found = int(s.heroes != 0) | int(s.recipes != 0) << 1 | int(s.unsold > 0) << 2 | int(s.events != 0) << 3
    return found | int(s.meetings != 0) << 4 | int(s.pool != 0) << 5 | int(s.forge != 0) << 6


@kernel
def tiefenthal(s):
    """Guests, goods, nobles and tavern cards."""
    found = int(s.deck_n > 0) | int(s.cheap_n > 0) << 1 | int(s.schnapps > 0) << 2 | int(s.tiles > 0) << 3 | int(s.counters > 0) << 4
    for k in range(STOCKS):
        found |= int(s.stock[k] > 0) << (5 + k)
    return found


KERNELS = {"bloody_inn": bloody_inn, "tavern_battle": tavern_battle, "taverns_dragons": taverns_dragons, "tiefenthal": tiefenthal}
