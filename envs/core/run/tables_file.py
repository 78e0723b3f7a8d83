"""The file format of saved batches: numbers with a JSON header, no code."""

import io
import json
import zipfile
import zlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from alehouse.envs.core.declare.game import as_variant
from alehouse.envs.core.run.files import check_format

if TYPE_CHECKING:
    from alehouse.envs.core.run.tables import Tables

FORMAT = "alehouse-tables-2"
DAMAGE = (OSError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, EOFError, RuntimeError,
          zipfile.BadZipFile, zlib.error)  # fmt: skip


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
    arrays: dict[str, Any] = tables.kept()
    buffer = io.BytesIO()
    np.savez_compressed(buffer, head=np.frombuffer(json.dumps(head).encode(), np.uint8), **arrays)
    return buffer.getvalue()


def unpacked(data: bytes) -> "Tables":
    """Return the batch that these bytes of a file hold; an error among DAMAGE says what is wrong with them."""
    from alehouse.envs.core.run.tables import Tables

    with np.load(io.BytesIO(data), allow_pickle=False) as found:
        arrays = {name: found[name] for name in found.files}
    head: dict[str, Any] = json.loads(arrays["head"].tobytes())
    check_format(head["format"], FORMAT)
    known = {text: as_variant(text) for text in head["rules"]}
    for text, v in known.items():
        if v.rules_digest != head["rules"][text]:
            raise ValueError(f"{text} had rules {head['rules'][text]}, here they are {v.rules_digest}")
    threads = min(head["threads"], numba.config.NUMBA_NUM_THREADS)
    tables = Tables([known[text] for text in head["variants"]], None, head["seed"], head["autoreset"], threads, head["reward"])
    if not np.array_equal(arrays["fields"], tables.kept()["fields"]):
        raise ValueError(f"Alehouse {head['version']} wrote it, whose states hold other fields; that version reads it")
    tables.restore(arrays)
    return tables
