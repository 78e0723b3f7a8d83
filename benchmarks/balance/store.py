"""The folder of a study: each chunk's games are in a file that never appears half written."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from alehouse.benchmarks.arena.store import PLAYERS, sources
from alehouse.benchmarks.balance.play import Played
from alehouse.benchmarks.balance.rule_sets import RuleSets, digest
from alehouse.benchmarks.run_folder import RunFolder
from alehouse.envs.core.declare.game import rules_digest
from alehouse.envs.core.run.files import DAMAGE, parsed, read_text, write_atomically

FORMAT = "alehouse-balance-3"
Chunk = tuple[int, int]  # the first block, and the one after the last block


def description(
    cells: Sequence[Any], agents: Sequence[str], seed: int, sizes: Sequence[int], drawn: Sequence[RuleSets | None]
) -> dict[str, Any]:
    """Return everything that decides the result of a chunk; `sizes` holds the number of blocks in a chunk for each agent."""
    found = {
        "format": FORMAT,
        "cells": [str(v) for v in cells],
        "rules": rules_digest(*cells),
        "agents": list(agents),
        "seed": seed,
        "chunks": list(sizes),
        "sources": [sources(cells[0].spec, PLAYERS), sources(cells[0].spec, Path(__file__).parent / "kernels")],
    }
    return found | {"rule sets": [digest(tuple(cells), sets, seed) for sets in drawn]} if any(drawn) else found


class Store(RunFolder):
    """The stored chunks of a study, by agent."""

    def read_plan(self, minutes: float, agent: int) -> int | None:
        """Return how many blocks were planned for these minutes when the study began, or None if it is new."""
        try:
            found = parsed(read_text(self._plan(agent)))
            return int(found["blocks"]) if found["minutes"] == minutes else None
        except DAMAGE:
            return None

    def write_plan(self, minutes: float, blocks: int, agent: int) -> None:
        """Write the plan to a file, so that a stopped study goes on to the same end."""
        write_atomically(self._plan(agent), json.dumps({"minutes": minutes, "blocks": blocks}).encode())

    def _plan(self, agent: int) -> Path:
        return self.folder / f"agent{agent}-plan.json"

    def load(self, chunk: Chunk, agent: int) -> Played | None:
        """Return an agent's games of a chunk, or None if they are not stored."""
        found: Played | None = self.read(name_of(chunk, agent), Played)
        return found

    def save(self, chunk: Chunk, agent: int, played: Played) -> None:
        """Write the games of a chunk to a file."""
        self.write(name_of(chunk, agent), played)


def name_of(chunk: Chunk, agent: int) -> str:
    """Return the name of the file of a chunk."""
    return f"agent{agent}-blocks-{chunk[0]:07}-{chunk[1]:07}.npz"
