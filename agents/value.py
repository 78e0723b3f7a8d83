"""What a position is worth: a small network gives each seat its share of the win, from what that seat knows.

The network reads the bytes of each seat's observation. Each byte is a category: its value picks one row of a table, and values above the
largest one with a row of its own pick that row. The sum of the rows goes through two layers with ReLU to a single number; the softmax of
the seats' numbers is their shares of the win. Because it reads every seat's view, a search may use it on redealt tables only, never on
the true one.
"""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.heuristic import weights_of
from alehouse.agents.network import SLACK, add_rows, copy_row, nonzero, rectify
from alehouse.agents.network_file import Tensors, grouped, names_of, opened, refuse_gone, ungrouped
from alehouse.agents.rows import add_picked, dot
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.files import DAMAGE
from alehouse.envs.core.run.jit import jit

FORMAT = "alehouse-value-1"
SHIPPED = Path(__file__).parent / "values"
FIRST, SECOND = 64, 32  # the widths of the layers
ROWS = 7_000  # the most rows of the table
LAYERS = {"first_bias": (FIRST,), "second": (FIRST, SECOND), "second_bias": (SECOND,), "last": (SECOND,)}


class Value(NamedTuple):
    """The numbers of the network. A search gets them in a record with fields of the same names."""

    before: Any  # for each byte, the index of the row for value 1, less 1
    most: Any  # for each byte, the largest value with a row of its own; 0 if the byte is not read
    rows: Any
    first_bias: Any
    second: Any
    second_bias: Any
    last: Any


class Reading(NamedTuple):
    """Arrays that one thread works with."""

    obs: Any
    listed: Any  # the indices of rows, or of numbers that are not zero in the first layer
    first: Any
    second: Any


@functools.cache
def value_record(game: Game, network: np.dtype[Any] | None = None) -> np.dtype[Any]:
    """Return what guides a search as one record: the weights of the game's heuristic, room for any value of the game, and a network."""
    layers = [(name, "f4", shape) for name, shape in LAYERS.items()]
    places = [("before", "i8", game.FEATURES.size), ("most", "u1", game.FEATURES.size)]
    first = [("network", network)] if network else []  # at the front, so that numba does not take the longer record for the shorter one
    return np.dtype((np.record, [*first, ("rows", "u2", (ROWS, FIRST)), *layers, *places, ("heuristic", weights_of(game).dtype)]))


def guides(game: Game, value: Value | None, network: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
    """Return an array of one such record; without a value its numbers are zero. Rows are kept as float16, which are read twice as fast."""
    found = np.zeros(1, value_record(game, None if network is None else network.dtype))
    found["heuristic"] = weights_of(game).record()
    if network is not None:
        found["network"] = network
    for name, numbers in value._asdict().items() if value else ():
        found[name][0, : len(numbers)] = numbers.astype(np.float16).view(np.uint16) if name == "rows" else numbers
    return found


def places(most: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return for each byte the index of the row for value 1, less 1; `most` holds the largest value with a row of its own."""
    found: npt.NDArray[np.int64] = np.cumsum(most, dtype=np.int64) - most - 1
    return found


@jit
def new_reading(size):
    """Make the arrays for observations of this many bytes."""
    return Reading(
        np.zeros(size, np.uint8), np.zeros(max(size, FIRST) + SLACK, np.int64), np.zeros(FIRST, np.float32), np.zeros(SECOND, np.float32)
    )


@jit
def list_rows(V, obs, listed):
    """List the rows that an observation picks, and return how many there are."""
    n = 0
    for i in range(nonzero(obs, listed)):
        k = listed[i]
        x = min(obs[k], V.most[k])
        listed[n] = V.before[k] + x
        n += int(x != 0)
    return n


@jit
def rated(V, reading):
    """Return the network's number for the observation in a reading."""
    first, second = reading.first, reading.second
    copy_row(first, V.first_bias)
    add_picked(V.rows, reading.listed, list_rows(V, reading.obs, reading.listed), first)
    rectify(first)
    copy_row(second, V.second_bias)
    add_rows(V.second, first, reading.listed, second)
    rectify(second)
    return dot(second, V.last)


@jit
def soften(numbers, n):
    """Replace the first n numbers by their softmax."""
    most, total = numbers[0], 0.0
    for k in range(1, n):
        most = max(most, numbers[k])
    for k in range(n):
        numbers[k] = np.exp(numbers[k] - most)
        total += numbers[k]
    for k in range(n):
        numbers[k] /= total


@functools.cache
def value_kernels(game: Game) -> SimpleNamespace:
    """Make the kernel that writes what a table is worth to each seat."""
    observe, size = game.observe, game.FEATURES.size

    @jit
    def prepare():
        """Return the arrays that one thread works with."""
        return new_reading(size)

    @jit
    def shares(s, R, V, reading, out):
        """Write the share of the win that each seat may expect, at a table in progress with two or more seats."""
        for p in range(R.seats):
            reading.obs[:] = 0
            observe(s, R, p, reading.obs)
            out[p] = rated(V, reading)
        soften(out, R.seats)

    return SimpleNamespace(prepare=prepare, shares=shares)


# Files


def features_of(game: Game) -> tuple[str, ...]:
    """Return the names of the bytes of a game's observation."""
    return names_of(game)["features"]


def header(game: Game) -> dict[str, str]:
    """Return what the header of a file says of its game."""
    return {"format": FORMAT, "game": game.name, "features": grouped(features_of(game))}


def packed(game: Game, tensors: Tensors, theirs: tuple[str, ...]) -> Value:
    """Return the network of a file in the layout that the game has now; bytes that are new are not read."""
    most = tensors["most"].astype(np.uint8)
    before = dict(zip(theirs, zip(places(most), most, strict=True), strict=True))
    kept = [before.get(name, (0, 0)) for name in features_of(game)]
    mine = np.array([k for _, k in kept], np.uint8)
    moved = [np.arange(k) + at + 1 for at, k in kept]
    rows = tensors["rows"][np.concatenate(moved).astype(np.int64)]
    return Value(places(mine), mine, *(np.ascontiguousarray(x, np.float32) for x in (rows, *(tensors[name] for name in LAYERS))))


def read_value(path: Path, game: Game) -> tuple[Value, Mapping[str, str]]:
    """Read a file for a game; return the network and the header's entries."""
    try:
        words, tensors = opened(path, game, FORMAT, header(game))
        theirs = ungrouped(words["features"])
        check(tensors, theirs)
        refuse_gone("features", theirs, features_of(game), game, f"train another: alehouse train {game.name} --what value")
        return packed(game, tensors, theirs), words
    except FileNotFoundError:
        raise
    except DAMAGE as error:
        raise ValueError(f"{path}: not a value for {game.name}: {error}") from None


def check(tensors: Tensors, names: tuple[str, ...]) -> None:
    """Raise a ValueError unless these are the tensors of a network that reads bytes of these names, and all numbers are finite."""
    most = tensors.get("most", np.zeros(0))
    if most.shape != (len(names),) or not ((most >= 0) & (most <= 255) & (most == most.astype(np.uint8))).all():
        raise ValueError("it does not say how many rows each byte has")
    shapes = {"most": most.shape, "rows": (int(most.sum(dtype=np.int64)), FIRST), **LAYERS}
    if {name: tensor.shape for name, tensor in tensors.items()} != shapes or shapes["rows"][0] > ROWS:
        raise ValueError("its tensors are not those of a network with the rows that its header names")
    if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
        raise ValueError("it holds numbers that are not finite")


def shipped(game: Game) -> Path | None:
    """Return the file that comes with the package for a game, or None."""
    path = SHIPPED / f"{game.name}.safetensors"
    return path if path.is_file() else None


def quality(words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the quality table of a file's header: how well held-out results are explained, round by round."""
    found: list[dict[str, Any]] = json.loads(words.get("quality", "[]"))
    return found
