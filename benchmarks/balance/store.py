"""What is done, in a folder: each chunk of blocks a file, there whole or not at all."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from alehouse.benchmarks.arena.store import PLAYERS, sources
from alehouse.benchmarks.balance.play import Played
from alehouse.envs.core.files import write_atomically
from alehouse.envs.core.tables import DAMAGE

FORMAT = "alehouse-balance-2"
Chunk = tuple[int, int]  # the first block, and the one after the last


def question(cells: Sequence[Any], agents: Sequence[str], seed: int, sizes: Sequence[int]) -> dict[str, Any]:
    """All that decides the outcome of a chunk."""
    return {
        "format": FORMAT,
        "cells": [str(v) for v in cells],
        "rules": cells[0].spec.numbers.digest,
        "agents": list(agents),
        "seed": seed,
        "chunks": list(sizes),
        "sources": [sources(cells[0].spec, PLAYERS), sources(cells[0].spec, Path(__file__).parent / "kernels")],
    }


class Store:
    """The folder of one question."""

    def __init__(self, folder: Path, asked: dict[str, Any]) -> None:
        self.folder, note = folder, folder / "question.json"
        folder.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            write_atomically(note, (json.dumps(asked, indent=2) + "\n").encode())
        try:
            known = json.loads(note.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{note}: {error}; give another --out") from None
        if known != asked:
            changed = [key for key in asked if not isinstance(known, dict) or known.get(key) != asked[key]]
            raise ValueError(f"{folder}: holds games of another question ({', '.join(changed)} changed); give another --out")

    def planned(self, minutes: float, agent: int) -> int | None:
        """How many blocks were found to fit so many minutes, when this question was first asked."""
        try:
            found = json.loads(self._plan(agent).read_text(encoding="utf-8"))
            return int(found["blocks"]) if found["minutes"] == minutes else None
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def plan(self, minutes: float, blocks: int, agent: int) -> None:
        """Remember it, so that a stopped run goes on to the same end."""
        write_atomically(self._plan(agent), json.dumps({"minutes": minutes, "blocks": blocks}).encode())

    def _plan(self, agent: int) -> Path:
        return self.folder / f"agent{agent}-plan.json"

    def load(self, chunk: Chunk, agent: int) -> Played | None:
        """The games of a chunk by one agent; None if they are not there, or damaged and to be played again."""
        try:
            with np.load(self._path(chunk, agent), allow_pickle=False) as found:
                return Played(*(found[name] for name in Played._fields))
        except DAMAGE:
            return None

    def save(self, chunk: Chunk, agent: int, played: Played) -> None:
        """Keep the games of a chunk."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **played._asdict())
        write_atomically(self._path(chunk, agent), buffer.getvalue())

    def _path(self, chunk: Chunk, agent: int) -> Path:
        return self.folder / f"agent{agent}-blocks-{chunk[0]:07}-{chunk[1]:07}.npz"
