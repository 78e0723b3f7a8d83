"""A run of the balance lab: how many blocks fit the time, what is stored is taken, what is missing is played."""

import math
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.kernel import Kernel
from alehouse.benchmarks.balance import effects as effects_of
from alehouse.benchmarks.balance import gaps as gaps_of
from alehouse.benchmarks.balance import items as items_of
from alehouse.benchmarks.balance import seats as seats_of
from alehouse.benchmarks.balance.design import MAIN, Design
from alehouse.benchmarks.balance.effects import Found
from alehouse.benchmarks.balance.gaps import Gap
from alehouse.benchmarks.balance.items import Item
from alehouse.benchmarks.balance.measures import measured
from alehouse.benchmarks.balance.play import Played, play, series
from alehouse.benchmarks.balance.seats import Seat
from alehouse.benchmarks.balance.store import Chunk, Store

GAMES = 4000  # of a chunk, about
FACTORIAL = 0.65  # of the time; the rest is for what is played beside it
LEAST = 20  # blocks that any conclusion needs


class Finding(NamedTuple):
    """What the games by one agent come to."""

    agent: str
    blocks: int
    games: int
    means: npt.NDArray[np.float64]  # cell, measure
    errors: npt.NDArray[np.float64]
    effects: list[Found]
    seats: list[Seat]
    items: list[Item]
    gaps: list[Gap]


def chunk_size(design: Design) -> int:
    """Blocks of a chunk."""
    return max(1, math.ceil(GAMES / len(design.cells)))


class Study:
    """A design, who plays it, and what is done of it."""

    def __init__(self, design: Design, agents: Sequence[Kernel], seed: int, store: Store, threads: int) -> None:
        self.design, self.agents, self.seed, self.store, self.threads = design, agents, seed, store, threads
        self.size = chunk_size(design)
        self.parts: list[list[Played]] = []  # by chunk, then agent
        self._main = [e for e in design.effects() if e.kind == MAIN]
        self._seen: list[npt.NDArray[np.float64]] = []  # main effects on the first player's share, by block, of the first agent

    @property
    def blocks(self) -> int:
        """Blocks done by every agent."""
        return sum(len(part[0].seen) for part in self.parts)

    @property
    def games(self) -> int:
        """Games done."""
        return self.blocks * len(self.design.cells) * len(self.agents)

    def plan(self, minutes: float) -> int:
        """How many blocks fit so many minutes, told from the first chunk; a run that goes on keeps to what was found at first."""
        known = self.store.planned(minutes)
        for agent in self.agents:
            play(self.design.cells, agent, series(self.seed, 0, 0))  # compiles
        start = time.perf_counter()
        self._take((0, self.size), afresh=known is None)
        if known is not None:
            return known
        seconds = time.perf_counter() - start
        blocks = math.floor(60 * minutes * FACTORIAL / max(seconds, 1e-6)) * self.size
        if blocks < LEAST:
            need = math.ceil(LEAST / self.size) * seconds / 60 / FACTORIAL
            raise ValueError(
                f"--minutes {minutes:g}: too little for any conclusion; {len(self.design.cells)} cells need about {need:.2g} minutes;"
                " or ask for fewer --modules or --seats"
            )
        self.store.plan(minutes, blocks)
        return blocks

    def play(self, blocks: int) -> Iterator[tuple[int, int]]:
        """Go on until so many blocks are done; after each chunk the blocks done, and all."""
        while self.blocks < blocks:
            low = self.blocks
            self._take((low, min(low + self.size, blocks)))
            yield self.blocks, blocks

    def _take(self, chunk: Chunk, afresh: bool = False) -> None:
        """The chunk from the store, or played and stored."""
        part = []
        for k, agent in enumerate(self.agents):
            played = None if afresh else self.store.load(chunk, k)
            if played is None:
                played = play(self.design.cells, agent, series(self.seed, *chunk), self.threads)
                self.store.save(chunk, k, played)
            part.append(played)
        self.parts.append(part)
        if self._main:
            self._seen.append(effects_of.by_block(measured(part[0], self.design.cells), self._main)[:, :, 0])

    def together(self, agent: int) -> Played:
        """All games by one agent."""
        parts = [part[agent] for part in self.parts]
        scores, utility, seen = (np.concatenate([getattr(part, name) for part in parts]) for name in ("scores", "utility", "seen"))
        return Played(scores, utility, seen, np.sum([part.tally for part in parts], axis=0))

    def width(self) -> float:
        """Half the 95 % interval of the main effect on the first player's share that is known least."""
        if self.blocks < 2 or not self._main:
            return math.nan
        return float(1.96 * effects_of.errors(np.concatenate(self._seen))[1].max())

    def smallest(self, blocks: int) -> npt.NDArray[np.float64] | None:
        """For each measure the main effect that so many blocks are likely to find, by what is done so far."""
        some = self.design.effects()
        if self.blocks < 2 or not some:
            return None
        return effects_of.smallest(measured(self.together(0), self.design.cells), some, blocks)

    def findings(self) -> list[Finding]:
        """What the games so far come to, by agent."""
        return [self._finding(k) for k in range(len(self.agents))]

    def _finding(self, k: int) -> Finding:
        played, cells = self.together(k), self.design.cells
        values = measured(played, cells)
        mean, error = effects_of.errors(values)
        return Finding(
            agent=self.agents[k].name,
            blocks=self.blocks,
            games=self.blocks * len(cells),
            means=mean,
            errors=error,
            effects=effects_of.estimated(values, self.design.effects()),
            seats=seats_of.seats(played, cells),
            items=items_of.items([part[k].tally for part in self.parts], self.design.spec),
            gaps=gaps_of.gaps(played, cells),
        )
