"""The file format of saved batches: numbers with a JSON header, no code."""

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Game, as_variant
from alehouse.envs.core.run import array_file
from alehouse.envs.core.run.files import check_format, parsed

if TYPE_CHECKING:
    from alehouse.envs.core.run.tables import Tables

FORMAT = "alehouse-tables-2"
LARGEST = 1 << 32  # the most bytes a file may have


def packed(tables: "Tables") -> bytes:
    """Return the bytes of a batch's file."""
    variants = tables.variants
    head = {
        "format": FORMAT,
        "version": version("alehouse"),
        "variants": [str(v) for v in variants],
        "rules": {str(v): v.rules_digest for v in dict.fromkeys(variants)},
        **{name: getattr(tables, name) for name in ("seed", "autoreset", "threads", "reward")},
    }
    return array_file.packed({"head": np.frombuffer(json.dumps(head).encode(), np.uint8), **tables.kept()})


def fields_of(game: Game) -> npt.NDArray[np.uint8]:
    """Return the names, kinds and places of the fields of a game's state, as the bytes of a text."""
    return np.frombuffer(repr(game.STATE.descr).encode(), np.uint8)


def unpacked(data: bytes) -> "Tables":
    """Return the batch that these bytes of a file hold; their number limits what it may hold. An error among DAMAGE says what is wrong."""
    from alehouse.envs.core.run.tables import Tables

    arrays = array_file.unpacked(data, len(data))
    head: dict[str, Any] = parsed(arrays["head"].tobytes())
    check_format(head["format"], FORMAT)
    arrays = array_file.undamaged(arrays)
    known = {text: as_variant(text) for text in head["rules"]}
    for text, v in known.items():
        if v.rules_digest != head["rules"][text]:
            raise ValueError(f"{text} had rules {head['rules'][text]}, here they are {v.rules_digest}")
    at_tables = [known[text] for text in head["variants"]]
    if not np.array_equal(arrays["fields"], fields_of(at_tables[0].spec)):
        raise ValueError(f"Alehouse {head['version']} wrote it, whose states hold other fields; that version reads it")
    if arrays["states"].shape != (len(at_tables), at_tables[0].spec.STATE.itemsize):
        raise ValueError(f"states of shape {arrays['states'].shape} for {len(at_tables)} tables")
    threads = min(head["threads"], numba.config.NUMBA_NUM_THREADS)
    tables = Tables(at_tables, None, head["seed"], head["autoreset"], threads, head["reward"])
    tables.restore(arrays)
    return tables
