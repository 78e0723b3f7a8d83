"""The folder of a job: each span's games are in a file that never appears half written."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from alehouse.benchmarks.arena.play import Games, Job, Span
from alehouse.benchmarks.run_folder import RunFolder
from alehouse.envs.core.declare.game import Game, as_variant
from alehouse.envs.core.run.jit import CORE, digest
from alehouse.envs.games import GAMES, REFERENCE

FORMAT = "alehouse-arena-1"
PLAYERS = CORE.parent.parent / "agents"  # where the sources and weights of agents are, which decide what is played


def description(job: Job, digests: Sequence[str]) -> dict[str, Any]:
    """Return everything that decides the result of a block; `digests` are those of agents from outside the package, "" for our own."""
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
    """Return a digest of a game and of the agents in a folder, leaving out files named after another game."""
    text = hashlib.sha256(digest(spec.folder).encode())
    others = {*GAMES, *REFERENCE} - {spec.name}
    for path in sorted(folder.rglob("*")):
        named = {part.partition(".")[0] for part in path.relative_to(folder).parts}
        if path.suffix in (".py", ".toml", ".csv", ".safetensors") and not named & others:
            text.update(path.name.encode() + b"\0" + path.read_bytes())
    return text.hexdigest()[:16]


def folder_of(described: dict[str, Any], root: Path) -> Path:
    """Return the folder of a job; its name follows from the description."""
    text = hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
    v = as_variant(described["variant"])
    return root / f"{v.game}-{v.seats}p-{text[:12]}"


class Store(RunFolder):
    """The stored spans of one job."""

    def load(self, span: Span) -> Games | None:
        """Return the games of a span, or None if they are not stored."""
        found: Games | None = self.read(name_of(span), Games)
        return found

    def holding(self, block: int) -> Games | None:
        """Return the stored games of the span that holds a block, or None."""
        for path in self.folder.glob("blocks-*-*.npz"):
            first, last = map(int, path.stem.split("-")[1:])
            if first <= block < last:
                return self.load((first, last))
        return None

    def save(self, span: Span, games: Games) -> None:
        """Write the games of a span to a file."""
        self.write(name_of(span), games)


def name_of(span: Span) -> str:
    """Return the name of the file of a span."""
    return f"blocks-{span[0]:07}-{span[1]:07}.npz"
