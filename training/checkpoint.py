"""The folder of a training run: the settings it was started with, and its last two checkpoints.

A checkpoint is one safetensors file and holds numbers only: arrays, and facts as JSON in its header with a digest of both. It is written
under another name and then renamed, so that a run killed at any moment goes on from its last checkpoint or the one before.
"""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as safe_bytes

from alehouse.envs.core.run.files import DAMAGE, check_format, digest, read_text, settle, write_atomically

SETTINGS = "settings.json"
LATEST, PREVIOUS, NEXT = "latest.safetensors", "previous.safetensors", "next.safetensors"
RUN, FORMAT = "alehouse-run-2", "alehouse-checkpoint-2"
Arrays = dict[str, npt.NDArray[Any]]
Facts = dict[str, Any]


def begin(folder: Path, job: Mapping[str, Any]) -> None:
    """Make the folder of a run; if it already holds another run, a ValueError names what differs."""
    job = json.loads(json.dumps({"format": RUN, **job}))
    known = settings_of(folder)
    if known is None:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / SETTINGS, (json.dumps(job, indent=2) + "\n").encode())
        return
    differing = [name for name in {**known, **job} if known.get(name) != job.get(name)]
    if differing:
        was = ", ".join(f"{name} was {known.get(name)!r}, is {job.get(name)!r}" for name in differing)
        raise ValueError(f"{folder}: a run with other settings ({was}); remove it, or train with another --out")


def settings_of(folder: Path) -> Facts | None:
    """Read the settings that the run in a folder was started with; None if there is no run yet."""
    file = folder / SETTINGS
    if not file.exists():
        if (folder / LATEST).exists() or (folder / PREVIOUS).exists():
            raise ValueError(f"{folder}: holds checkpoints but no {SETTINGS}; remove it, or train with another --out")
        return None
    try:
        known = json.loads(read_text(file))
    except (RecursionError, ValueError):
        known = None
    if not isinstance(known, dict):
        raise ValueError(f"{file}: not the settings of a run; remove {folder}, or train with another --out")
    try:
        check_format(known.get("format", "alehouse-run-1"), RUN)
    except ValueError as error:
        raise ValueError(f"{file}: {error}; remove {folder}, or train with another --out") from None
    return known


def save(folder: Path, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> None:
    """Save a checkpoint; keep only the one before it."""
    whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    words = {"format": FORMAT, "facts": json.dumps(facts), "digest": digest(whole, json.loads(json.dumps(facts)))}
    write_atomically(folder / NEXT, safe_bytes(whole, words))
    if (folder / LATEST).exists():
        os.replace(folder / LATEST, folder / PREVIOUS)
    os.replace(folder / NEXT, folder / LATEST)
    settle(folder)


def load(folder: Path) -> tuple[Arrays, Facts] | None:
    """Read the last checkpoint, or the one before it if the last is damaged; None if there is none yet."""
    settings_of(folder)
    found = [folder / name for name in (LATEST, PREVIOUS) if (folder / name).exists()]
    for k, path in enumerate(found):
        try:
            return read(path)
        except ValueError as error:
            if k + 1 == len(found):
                raise ValueError(f"{error}; no other is left; remove {folder} to begin again") from None
            print(f"alehouse: {error}; going on from {found[k + 1].name}", file=sys.stderr)
    return None


def read(path: Path) -> tuple[Arrays, Facts]:
    """Read a checkpoint's arrays and facts; raise a ValueError if the file is damaged."""
    try:
        with safe_open(path, framework="numpy") as file:
            words = file.metadata() or {}
            check_format(words.get("format"), FORMAT)
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
        facts: Facts = json.loads(words["facts"])
        if words["digest"] != digest(arrays, facts):
            raise ValueError("its digest does not fit")
    except (SafetensorError, *DAMAGE) as error:
        raise ValueError(f"{path}: a damaged checkpoint ({error})") from None
    return arrays, facts
