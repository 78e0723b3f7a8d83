"""What is done, in a folder: each span of games a file, there whole or not at all."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from alehouse.benchmarks.arena.games import Games, Job, Span
from alehouse.benchmarks.folder import Folder
from alehouse.envs.core.declare.game import Game, as_variant
from alehouse.envs.core.run.jit import CORE, digest
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


class Store(Folder):
    """The spans of one question."""

    def load(self, span: Span) -> Games | None:
        """The games of a span, if they are there."""
        found: Games | None = self.read(name_of(span), Games)
        return found

    def save(self, span: Span, games: Games) -> None:
        """Keep the games of a span."""
        self.write(name_of(span), games)


def name_of(span: Span) -> str:
    """The file of a span."""
    return f"blocks-{span[0]:07}-{span[1]:07}.npz"
