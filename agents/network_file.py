"""The file format of networks: safetensors with numbers in float16, behind a JSON header that names what each row is about.

A file is read into the layout that its game has now. Rows are matched by their names; rows for new features, actions and aspects are
zero, so a network plays as before wherever the new ones are zero. What a file has and the game no longer has is left out only if the
caller allows it. Reading needs no more than NumPy, and nothing in a file can run as code.
"""

import functools
import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.agents.heuristic import heuristic_of, weights_of
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.files import DAMAGE, check_format, digest, finite, parsed, read_within

FORMAT = "alehouse-net-3"
SHIPPED = Path(__file__).parent / "nets"
LONGEST = 1 << 20  # the most bytes a header may have
LARGEST = 1 << 26  # the most bytes a file may have
MOST = 1 << 16  # the most features, actions, or aspects a file may have
WIDEST = 1024
ANSWER, DEEP = 64, 32  # the widths of the layers for answers
STEP = 4  # every width is a multiple of this
# for each tensor, the names that its rows are matched by
ROWS = {"first": "features", "policy": "actions", "policy_bias": "actions", "answer_actions": "actions", "answer_aspects": "aspects"}
DIGEST = "digest"  # the entry of a header that shows whether the file was damaged
CARRY = "to carry it over without them, play net:carry=FILE, or train with --start FILE --carry"
SHOWN = 3  # an error lists at most this many names
Names = dict[str, tuple[str, ...]]
Tensors = Mapping[str, npt.NDArray[Any]]


# The layout of a network: the shapes of its tensors


def aspects_of(game: Game) -> tuple[str, ...]:
    """Return the names of the numbers that a game's heuristic gives for each answer; most games have none."""
    known = heuristic_of(game)
    return known.aspects if known else ()


@functools.cache
def names_of(game: Game) -> Names:
    """Return the names of a game's features, actions and aspects, in the order of a network's rows."""
    features = (f"{segment}:{label}" for segment, labels in game.FEATURES.labels.items() for label in labels)
    return {"features": tuple(features), "actions": game.ACTIONS.names, "aspects": aspects_of(game)}


def layout(names: Names, width: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each tensor of a network, including those with no numbers."""
    inputs, outputs, aspects = (len(names[kind]) for kind in ("features", "actions", "aspects"))
    return {
        "first": (inputs, width),
        "first_bias": (width,),
        "second": (width, width),
        "second_bias": (width,),
        "policy": (outputs, width),
        "policy_bias": (outputs,),
        "value": (width,),
        "value_bias": (1,),
        "answer_context": (width, ANSWER),
        "answer_actions": (outputs, ANSWER),
        "answer_aspects": (aspects, ANSWER),
        "answer_bias": (ANSWER,),
        "answer_second": (ANSWER, DEEP),
        "answer_second_bias": (DEEP,),
        "answer": (DEEP,),
        "trust": (1,),
        "reach": (1,),
    }


def shapes(names: Names, width: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each tensor that a file holds."""
    return {name: shape for name, shape in layout(names, width).items() if 0 not in shape}


# Writing and reading the header


def header(game: Game) -> dict[str, str]:
    """Return what the header of a network says of its game: the names of its rows, and the weights of the heuristic that it uses."""
    rows = {kind: grouped(names) for kind, names in names_of(game).items()}
    weights = {w.key: w.value for w in weights_of(game).entries}
    return {"format": FORMAT, "game": game.name, **rows, "heuristic": json.dumps(weights)}


def sealed(words: Mapping[str, str], tensors: Tensors) -> dict[str, str]:
    """Return the words of a header with the digest of them and of the tensors."""
    said = {name: text for name, text in words.items() if name != DIGEST}
    return {**said, DIGEST: digest(tensors, said)}


def grouped(names: Sequence[str]) -> str:
    """Write names as JSON: each segment once, with its labels, or with their number where the labels are 0, 1, 2 ..."""
    found: list[tuple[str, list[str] | int]] = []
    for segment, group in itertools.groupby((name.partition(":") for name in names), key=lambda parts: parts[0]):
        labels = [label for _, _, label in group]
        found.append((segment, len(labels) if labels == [str(k) for k in range(len(labels))] else labels))
    return json.dumps(found, separators=(",", ":"))


def ungrouped(text: str) -> tuple[str, ...]:
    """Read names from JSON; raise a ValueError unless they are texts and all different."""
    names: list[str] = []
    for segment, labels in parsed(text):
        if (
            not isinstance(segment, str)
            or not isinstance(labels, list | int)
            or (labels if isinstance(labels, int) else len(labels)) > MOST
        ):
            raise ValueError("its header names segments in a way that cannot be read")
        listed = map(str, range(labels)) if isinstance(labels, int) else labels
        names += [f"{segment}:{label}" if label else segment for label in listed]
        if len(names) > MOST:
            raise ValueError(f"its header names more than {MOST:,} rows")
    if len(set(names)) < len(names):
        raise ValueError("its header names a row twice")
    return tuple(names)


# Reading a whole file


def packed(game: Game, tensors: Tensors, heuristic: Mapping[str, float] | None = None) -> npt.NDArray[Any]:
    """Return a network as an array of one record; tensors not given are zero. `heuristic` changes weights of its heuristic by key."""
    width = len(tensors["first_bias"])
    net = np.zeros(1, net_record(game, width))
    net["heuristic"] = weights_of(game).record(heuristic)
    for name, shape in layout(names_of(game), width).items():
        if name in tensors:
            net[name][0] = np.asarray(tensors[name], np.float32).reshape(shape)
    return net


@functools.cache
def net_record(game: Game, width: int, tables: str = "f4") -> np.dtype[Any]:
    """Return the records of a network and of its heuristic's weights as one record, the form that kernels take.

    `tables` is the form of numbers in tensors with rows: "f4", or "u2" for 16-bit words that hold float16.
    """
    tensors = [(name, tables if len(shape) > 1 else "f4", shape) for name, shape in layout(names_of(game), width).items()]
    return np.dtype((np.record, [*tensors, ("heuristic", weights_of(game).dtype)]))


def tensors_of(data: bytes) -> tuple[dict[str, str], dict[str, npt.NDArray[np.float16]]]:
    """Read the header's words and the tensors of a safetensors file that holds only float16."""
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > min(LONGEST, len(data) - 8):
        raise ValueError("its header is cut short or too long")
    head = parsed(data[8 : 8 + size])
    words, body, found = head.pop("__metadata__", {}), memoryview(data)[8 + size :], {}
    for name, row in head.items():
        low, high = row["data_offsets"]
        if not all(type(size) is int and 0 <= size <= LARGEST for size in row["shape"]):
            raise ValueError(f"its tensor {name!r:.40} has the shape {row['shape']!r:.40}")
        count = math.prod(row["shape"])
        if row["dtype"] != "F16" or not 0 <= low <= high <= len(body) or high - low != 2 * count:
            raise ValueError(f"its tensor {name!r:.40} is not {row['shape']!r:.40} numbers in float16")
        found[name] = np.frombuffer(body[low:high], "<f2").reshape(row["shape"])
    return words, found


def opened(path: Path, game: Game, wanted: str, head: Mapping[str, str]) -> tuple[dict[str, str], dict[str, npt.NDArray[np.float16]]]:
    """Return the header's entries and the tensors of a file; a ValueError unless it is undamaged, of a format, and for a game.

    `head`: the header must have at least the entries of this one.
    """
    words, tensors = tensors_of(read_within(path, LARGEST))
    check_format(words.get("format"), wanted)
    if missing := head.keys() - words.keys():
        raise ValueError(f"its header lacks {', '.join(sorted(missing))}")
    if DIGEST not in words:
        raise ValueError("it has no digest, so nobody can tell whether it is damaged; an earlier version wrote it")
    if sealed(words, tensors) != words:
        raise ValueError("it is damaged: its digest does not fit")
    if words["game"] != game.name:
        raise ValueError(f"it is for {words['game']!r:.40}")
    return words, tensors


def read_net(path: Path, game: Game, carry: bool = False) -> tuple[npt.NDArray[Any], dict[str, str]]:
    """Read a network's file for a game; return an array of one record, and the header's entries.

    `carry`: leave out features, actions, aspects and weights that the file has and the game no longer has.
    """
    try:
        words, tensors = opened(path, game, FORMAT, header(game))
        theirs, ours = {kind: ungrouped(words[kind]) for kind in ("features", "actions", "aspects")}, names_of(game)
        check_tensors(tensors, theirs)
        weights = {str(key): finite(value) for key, value in parsed(words["heuristic"]).items()}
        known = {w.key for w in weights_of(game).entries}
        if not carry:
            for kind, names in ours.items():
                refuse_gone(kind, theirs[kind], names, game)
            refuse_gone("weights of the heuristic", weights, known, game)
        moved = {name: matched(tensors[name], theirs[kind], ours[kind]) for name, kind in ROWS.items() if name in tensors and ours[kind]}
        kept = {name: tensor for name, tensor in tensors.items() if name not in ROWS}
        return packed(game, kept | moved, {key: value for key, value in weights.items() if key in known}), words
    except FileNotFoundError:
        raise
    except DAMAGE as error:
        raise ValueError(f"{path}: not a network for {game.name}: {error}") from None


def check_tensors(tensors: Tensors, names: Names) -> None:
    """Raise a ValueError unless these are the tensors of a network whose rows have these names, and all numbers are finite."""
    width = len(tensors.get("first_bias", ()))
    if not 0 < width <= WIDEST or width % STEP:
        raise ValueError(f"it is {width} wide; a width is a multiple of {STEP} up to {WIDEST}")
    if {name: tensor.shape for name, tensor in tensors.items()} != shapes(names, width):
        raise ValueError(f"its tensors are not those of a network {width} wide with the rows that its header names")
    if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
        raise ValueError("it holds numbers that are not finite")


def refuse_gone(kind: str, theirs: Iterable[str], ours: Iterable[str], game: Game, way_out: str = CARRY) -> None:
    """Raise a ValueError that lists names the file has and the game no longer has, if there are any."""
    here = set(ours)
    gone = [f"{name!r:.40}" for name in theirs if name not in here]
    if gone:
        more = f" and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
        raise ValueError(f"it knows {kind} that {game.name} no longer has: {', '.join(gone[:SHOWN])}{more}; {way_out}")


def matched(tensor: npt.NDArray[Any], theirs: Sequence[str], ours: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return the rows of a tensor in the order of the game's names; rows for new names are zero."""
    places = {name: k for k, name in enumerate(theirs)}
    known = np.array([places.get(name, -1) for name in ours], np.int64)
    found = np.zeros((len(ours), *tensor.shape[1:]), np.float32)
    found[known >= 0] = tensor[known[known >= 0]]
    return found
