"""Heuristics: what an action is worth and how a table stands, in a game's own terms. One file and one table of weights a game.

A game's file has three kernels. `think` and `rate` use nothing that the seat to move may not know; `evaluate` reads the table it is
given, which a search has dealt anew for the seat that searches:

    think(s, R, W, key) -> mind       what the seat to move takes in once for all its actions; key: 64 random bits, to bluff
    rate(s, R, W, mind, a) -> number  what a legal action is worth; the best is taken
    evaluate(s, R, W, out)            the utility each seat may expect

Where many answers are of one kind, a game may also say what each is about, for networks to learn of all what they see of one:

    ASPECTS                           names of numbers
    study(s, R, W, prior, out)        a row of them for each legal action, in order; nothing the seat to move may not know

And where a judge is to say in the middle of a game what it comes to, for trainers, what seats have, whoever may know it:

    STOCK, STAGES                     names of numbers; more than a game has stages
    take_stock(s, R, out)             a row of them for each seat
    stage(s) -> number                how far the game has come, from 0

One weight every game has: `temper`, the difference in rating that makes an answer e times as likely to be looked at by a search.
"""

import functools
import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.declare.game import Game


class Heuristic(NamedTuple):
    """The kernels of a game's heuristic, and its weights."""

    think: Callable[..., Any]
    rate: Callable[..., float]
    evaluate: Callable[..., None]
    weights: Weights
    aspects: tuple[str, ...] = ()
    study: Callable[..., None] | None = None
    stock: tuple[str, ...] = ()
    stages: int = 0
    take_stock: Callable[..., None] | None = None
    stage: Callable[..., int] | None = None


MORE = ("ASPECTS", "study", "STOCK", "STAGES", "take_stock", "stage")  # what a game may say


def there_is(module: str) -> bool:
    """Return whether a module can be found; its parent may be a single file, which has no modules below it."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@functools.cache
def heuristic_of(game: Game) -> Heuristic | None:
    """Return the heuristic of a game: the module `heuristic` of its own package, or else the one in this folder; None without either."""
    name = next(filter(there_is, (f"{game.module}.heuristic", f"{__name__}.{game.name}")), None)
    if name is None:
        return None
    m = importlib.import_module(name)
    more = {name.lower(): getattr(m, name) for name in MORE if hasattr(m, name)}
    return Heuristic(m.think, m.rate, m.evaluate, m.WEIGHTS, **more)


NO_WEIGHTS = Weights((), Path("no file"))


def weights_of(game: Game) -> Weights:
    """The weights of a game's heuristic; none if it has no heuristic."""
    known = heuristic_of(game)
    return known.weights if known else NO_WEIGHTS
