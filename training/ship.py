"""Measure a network before it comes with the package, and write the figures into the header of its file.

The network plays in one seat against heuristics (or uniform agents where a game has no heuristic), in every variant, each seed from
every seat in turn. A journal keeps the figures of each variant, so that a stopped measurement can go on.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from safetensors.numpy import save

from alehouse.agents import UNIFORM, Agent, heuristic
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.network import of_record
from alehouse.agents.network_file import read_net, sealed, tensors_of
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.files import write_atomically
from alehouse.training.journal import add_line, lines_of
from alehouse.training.measure import measure

FORMAT = "alehouse-ship-1"
DIGITS = 4  # digits of a share
Figures = dict[str, Any]


class Job(NamedTuple):
    """What is measured: a network's file in some variants of its game, on the first games of a series."""

    file: Path
    variants: Sequence[Variant]
    seeds: int
    seed: int

    @property
    def game(self) -> Game:
        """The game that the network plays."""
        return self.variants[0].spec

    def head(self) -> Figures:
        """Return everything that the figures depend on, as the first line of a journal."""
        record, _ = read_net(self.file, self.game)
        other = opponent(self.game)
        weights = other.weights.tobytes() if hasattr(other, "weights") else b""
        return {
            "format": FORMAT,
            "network": hashlib.sha256(record.tobytes()).hexdigest(),
            "against": other.name,
            "weights": hashlib.sha256(weights).hexdigest(),
            "rules": {str(v): v.rules_digest for v in self.variants},
            "seeds": self.seeds,
            "seed": self.seed,
        }


def opponent(game: Game, threads: int = 1) -> Agent:
    """Return the agent that a network is measured against: the game's heuristic, or a uniform agent."""
    return heuristic(game, threads=threads) if heuristic_of(game) else UNIFORM


def figures(job: Job, folder: Path, threads: int = 1) -> Iterator[tuple[str, Figures]]:
    """Yield the figures of each variant; those that the journal in the folder already holds come first."""
    head = job.head()
    journal = folder / f"measured-{hashlib.sha256(json.dumps(head).encode()).hexdigest()[:12]}.jsonl"
    known = {line["variant"]: line["figures"] for line in lines_of(journal, head, ("variant", "figures"))}
    yield from known.items()
    network = of_record(job.game, read_net(job.file, job.game)[0], threads=threads)
    other = opponent(job.game, threads)
    for v in job.variants:
        if str(v) not in known:
            found = measure(v, network, other, job.seeds, job.seed, threads)
            line = {"against": other.name, "games": found.games, "seeds": job.seeds, "seed": job.seed,
                    "won": round(found.won, DIGITS), "half": round(found.half, DIGITS),
                    "rules": v.rules_digest}  # fmt: skip
            add_line(journal, {"variant": str(v), "figures": line})
            yield str(v), line


def add_figures(file: Path, found: Mapping[str, Figures], command: str) -> None:
    """Write the figures of each variant, and the command that measured them, into the header of a network's file; keep the weights."""
    words, tensors = tensors_of(file.read_bytes())
    commands = [text for text in words.get("measured", "").split("; ") if text]
    results = json.loads(words.get("results", "{}")) | dict(found)
    changed = {"results": json.dumps(results, separators=(",", ":")), "measured": "; ".join(dict.fromkeys([*commands, command]))}
    write_atomically(file, save(dict(tensors), sealed(words | changed, tensors)))
