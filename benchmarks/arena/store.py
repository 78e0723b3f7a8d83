"""What is done, in a folder: each span of games a file, there whole or not at all."""

import hashlib
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from alehouse.benchmarks.arena.games import Games, Job, Span
from alehouse.envs.core.files import write_atomically
from alehouse.envs.core.game import Game, as_variant
from alehouse.envs.core.jit import CORE, digest
from alehouse.envs.core.tables import DAMAGE
from alehouse.envs.games import GAMES, REFERENCE

FORMAT = "alehouse-arena-1"
PLAYERS = CORE.parent.parent / "agents"  # their sources, weights included, decide what is played


def question(job: Job, digests: Sequence[str]) -> dict[str, Any]:
    """All that decides the outcome of a block; digests are those of agents from elsewhere, empty for our own."""
    v = as_variant(job.variant)
    return {
        "format": FORMAT,
        "variant": job.variant,
        "rules": v.rules_digest,
        "agents": [{"name": name, "digest": text} for name, text in zip(job.names, digests, strict=True)],
        "limits": list(job.limits),
        "seed": job.seed,
        "batch": job.batch,
        "sources": sources(v.spec, PLAYERS),
    }


def sources(spec: Game, folder: Path) -> str:
    """A digest of a game and of the agents in a folder, those files aside that are named after another game."""
    text = hashlib.sha256(digest(spec.folder).encode())
    others = {*GAMES, *REFERENCE} - {spec.name}
    for path in sorted(folder.rglob("*")):
        named = {part.partition(".")[0] for part in path.relative_to(folder).parts}
        if path.suffix in (".py", ".toml", ".csv", ".safetensors") and not named & others:
            text.update(path.name.encode() + b"\0" + path.read_bytes())
    return text.hexdigest()[:16]


def folder_of(asked: dict[str, Any], root: Path) -> Path:
    """The folder of a question."""
    text = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    v = as_variant(asked["variant"])
    return root / f"{v.game}-{v.seats}p-{text[:12]}"


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

    def path(self, span: Span) -> Path:
        """The file of a span."""
        return self.folder / f"blocks-{span[0]:07}-{span[1]:07}.npz"

    def load(self, span: Span) -> Games | None:
        """The games of a span; None if they are not there, or damaged and to be played again."""
        try:
            with np.load(self.path(span), allow_pickle=False) as found:
                return Games(*(found[name] for name in Games._fields))
        except DAMAGE:
            return None

    def save(self, span: Span, games: Games) -> None:
        """Keep the games of a span."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **games._asdict())
        write_atomically(self.path(span), buffer.getvalue())
