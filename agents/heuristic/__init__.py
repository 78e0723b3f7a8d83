"""Heuristics: hand-made rules that rate the answers to a question and estimate how a table will end.

Each game has a file of kernels and a file of weights. The heuristic of a game is the module `heuristic` in the game's own package, or one
in this folder. It has three kernels. `think` and `rate` use nothing that the seat to move cannot know. `evaluate` reads the whole table,
which a search has redealt for the seat that searches.

    think(s, R, W, key) -> thought       compute once what all answers of a decision need; key: 64 random bits, for bluffing
    rate(s, R, W, thought, a) -> number  rate a legal answer; the best is taken
    evaluate(s, R, W, out)               write the utility that each seat may expect

Where `think` computes more than a few numbers, `thinking` (thought.py) makes it of a kernel that writes a record.

Where many answers are alike, a heuristic may also describe each of them by numbers, so that networks learn about one answer from all
others; otherwise its rating alone describes an answer to them:

    ASPECTS                               the names of these numbers
    study(s, R, W, prior, out)            write a row of them for each legal answer, in order, from nothing the seat cannot know

Every game has the weight `temper`: if one answer's rating is higher than another's by this much, a search tries it e times as often.
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
    """The kernels and the weights of one game's heuristic."""

    think: Callable[..., Any]
    rate: Callable[..., float]
    evaluate: Callable[..., None]
    weights: Weights
    aspects: tuple[str, ...] = ("rated",)
    study: Callable[..., None] | None = None


MORE = ("ASPECTS", "study")  # names that a heuristic's module may leave out


def there_is(module: str) -> bool:
    """Return whether a module exists; its parent may be a single file, which has no modules below it."""
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
    """Return the weights of a game's heuristic; no weights if it has no heuristic."""
    known = heuristic_of(game)
    return known.weights if known else NO_WEIGHTS
