"""Batches of tables as files: numbers and a head in JSON, no code."""

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
KEPT = ("states", "over", "scores", "utility", "seeds", "games", "log", "ended_seeds")  # arrays of the batch
DAMAGE = (OSError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, EOFError, RuntimeError,
          zipfile.BadZipFile, zlib.error)  # fmt: skip


def packed(tables: "Tables") -> bytes:
    """Return a batch as the bytes of its file."""
    variants = tables.variants
    head = {
        "format": FORMAT,
        "version": version("alehouse"),
        "variants": [str(v) for v in variants],
        "rules": {str(v): v.rules_digest for v in dict.fromkeys(variants)},
        "state": repr(tables.game.STATE.descr),
        **{name: getattr(tables, name) for name in ("seed", "autoreset", "threads", "reward")},
    }
    arrays = {name: getattr(tables.batch, name) for name in KEPT} | {"redealt": tables._redealt}
    arrays["states"] = tables.states.view(np.uint8).reshape(tables.n, -1)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, head=np.frombuffer(json.dumps(head).encode(), np.uint8), **arrays)
    return buffer.getvalue()


def unpacked(data: bytes, kind: "type[Tables]") -> "Tables":
    """Return the batch of the bytes of a file; one of DAMAGE says what is wrong with them."""
    with np.load(io.BytesIO(data), allow_pickle=False) as found:
        arrays = {name: found[name] for name in found.files}
    head: dict[str, Any] = json.loads(arrays["head"].tobytes())
    check_format(head["format"], FORMAT)
    known = {text: as_variant(text) for text in head["rules"]}
    for text, v in known.items():
        if v.rules_digest != head["rules"][text]:
            raise ValueError(f"{text} had rules {head['rules'][text]}, here they are {v.rules_digest}")
    threads = min(head["threads"], numba.config.NUMBA_NUM_THREADS)
    tables = kind([known[text] for text in head["variants"]], None, head["seed"], head["autoreset"], threads, head["reward"])
    if head["state"] != repr(tables.game.STATE.descr):
        raise ValueError(f"Alehouse {head['version']} wrote it, whose states hold other fields; that version reads it")
    arrays["states"] = np.ascontiguousarray(arrays["states"]).view(tables.game.STATE).reshape(-1)
    tables._hold(tables.batch._replace(log=np.zeros((tables.n, arrays["log"].shape[1]), tables.batch.log.dtype)))
    for name, own in [(name, getattr(tables.batch, name)) for name in KEPT] + [("redealt", tables._redealt)]:
        if arrays[name].shape != own.shape:
            raise ValueError(f"{name} has shape {arrays[name].shape}")
        np.copyto(own, arrays[name], casting="equiv")
    tables._longest = tables.batch.log.shape[1]  # counted again by the next step
    tables._k.show(tables._job)
    return tables
