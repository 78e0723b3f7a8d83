"""A design played by one agent: how many blocks fit the time, what is stored is taken, what is missing is played."""

import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.agent import Agent
from alehouse.agents.whole_games import as_instant
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
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.verify.intervals import Z95

GAMES, SEARCHED = 4000, 64  # of a chunk, about; where the agent searches
FACTORIAL = 0.5  # of the time; the rest is for what is played beside it
LEAST = 20  # blocks that any conclusion needs


class Job(NamedTuple):
    """What is played: everything a process needs to play any chunk of it."""

    cells: tuple[Variant, ...]
    agent: Agent
    seed: int


Where = Callable[[Job, Sequence[Chunk]], Iterator[Played]]  # plays chunks, and gives them in their order


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
    ran_out: dict[str, float]  # supplies, and in what part of all games
    unmet: list[str]  # named actions that were never open


def chunk_size(design: Design, agent: Agent) -> int:
    """Blocks of a chunk."""
    games = SEARCHED if as_instant(agent, design.spec) is None else GAMES
    return max(1, math.ceil(games / len(design.cells)))


def here(threads: int) -> Where:
    """In this process, on so many threads."""

    def run(job: Job, chunks: Sequence[Chunk]) -> Iterator[Played]:
        for chunk in chunks:
            yield play(job.cells, job.agent, series(job.seed, *chunk), threads)

    return run


class Study:
    """A design, the agent that plays it in all seats, and what is done of it."""

    def __init__(self, design: Design, agent: Agent, seed: int, store: Store, where: Where, place: int = 0) -> None:
        self.design, self.job, self.store, self.where = design, Job(design.cells, agent, seed), store, where
        self.place = place  # of the agent among those of the run
        self.size = chunk_size(design, agent)
        self.parts: list[Played] = []  # by chunk
        self._main = [e for e in design.effects() if e.kind == MAIN]
        self._seen: list[npt.NDArray[np.float64]] = []  # main effects on the first player's share, by block

    @property
    def blocks(self) -> int:
        """Blocks done."""
        return sum(len(part.seen) for part in self.parts)

    @property
    def games(self) -> int:
        """Games done."""
        return self.blocks * len(self.design.cells)

    def plan(self, minutes: float) -> int:
        """How many blocks fit so many minutes, told from the first chunk; a run that goes on keeps to what was found at first."""
        known = self.store.planned(minutes, self.place)
        if known is not None:
            return known
        some = self.job._replace(cells=self.design.cells[:2])
        for _ in self.where(some, [(0, 2)]):  # compiles
            start = time.perf_counter()
        [first] = self.where(self.job, [(0, self.size)])
        seconds = time.perf_counter() - start
        blocks = math.floor(60 * minutes * FACTORIAL / max(seconds, 1e-6)) * self.size
        if blocks < LEAST:
            need = math.ceil(LEAST / self.size) * seconds / 60 / FACTORIAL
            raise ValueError(
                f"--minutes: {minutes:.2g} for {self.job.agent.name} is too little for any conclusion; {len(self.design.cells)} cells"
                f" need about {need:.2g} minutes; or ask for fewer --modules, --seats or --agents"
            )
        self._take((0, self.size), first)
        self.store.plan(minutes, blocks, self.place)
        return blocks

    def play(self, blocks: int) -> Generator[tuple[int, int], None, None]:
        """Go on until so many blocks are done; after each chunk the blocks done, and all."""
        chunks = [(low, min(low + self.size, blocks)) for low in range(self.blocks, blocks, self.size)]
        stored = {chunk: self.store.load(chunk, self.place) for chunk in chunks}
        missing = self.where(self.job, [chunk for chunk in chunks if stored[chunk] is None])
        for chunk in chunks:
            part = stored.pop(chunk)
            if part is None:
                self._take(chunk, next(missing))
            else:
                self._add(part)
            yield self.blocks, blocks

    def _take(self, chunk: Chunk, part: Played) -> None:
        """A chunk just played."""
        self.store.save(chunk, self.place, part)
        self._add(part)

    def _add(self, part: Played) -> None:
        self.parts.append(part)
        if self._main:
            self._seen.append(effects_of.by_block(measured(part, self.design.cells), self._main)[:, :, 0])

    def together(self) -> Played:
        """All games."""
        scores, utility, seen = (np.concatenate([getattr(part, name) for part in self.parts]) for name in ("scores", "utility", "seen"))
        return Played(scores, utility, seen, np.sum([part.tally for part in self.parts], axis=0))

    def width(self) -> float:
        """Half the 95 % interval of the main effect on the first player's share that is known least."""
        if self.blocks < 2 or not self._main:
            return math.nan
        return float(Z95 * effects_of.errors(np.concatenate(self._seen))[1].max())

    def smallest(self, blocks: int) -> npt.NDArray[np.float64] | None:
        """For each measure the main effect that so many blocks are likely to find, by what is done so far."""
        some = self.design.effects()
        if self.blocks < 2 or not some:
            return None
        return effects_of.smallest(measured(self.together(), self.design.cells), some, blocks)

    def finding(self) -> Finding:
        """What the games so far come to."""
        played, cells = self.together(), self.design.cells
        values = measured(played, cells)
        mean, error = effects_of.errors(values)
        return Finding(
            agent=self.job.agent.name,
            blocks=self.blocks,
            games=self.games,
            means=mean,
            errors=error,
            effects=effects_of.estimated(values, self.design.effects()),
            seats=seats_of.seats(played, cells),
            items=items_of.items([part.tally for part in self.parts], self.design.spec),
            gaps=gaps_of.gaps(played, cells),
            ran_out=gaps_of.ran_out(played.seen, self.design.spec),
            unmet=gaps_of.unmet([part.tally for part in self.parts], cells),
        )
