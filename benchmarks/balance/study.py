"""A design played by one agent: plan how many blocks fit into the time, take those that are stored, and play those that are missing."""

import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.agent import Agent
from alehouse.agents.whole_games import line_of
from alehouse.benchmarks.balance import effects, robust, rule_gaps, rule_sets, seats, worth_knowing
from alehouse.benchmarks.balance.design import MAIN, PAIR, Design
from alehouse.benchmarks.balance.effects import EffectEstimate
from alehouse.benchmarks.balance.examples import FOLDER, Example, examples, replay_of
from alehouse.benchmarks.balance.measures import measured
from alehouse.benchmarks.balance.play import Played, block_seeds, play
from alehouse.benchmarks.balance.robust import by_rule_set
from alehouse.benchmarks.balance.rule_gaps import Gap
from alehouse.benchmarks.balance.rule_sets import RuleSets
from alehouse.benchmarks.balance.seats import Seat
from alehouse.benchmarks.balance.store import Chunk, Store
from alehouse.benchmarks.balance.taken_actions import TakenAction, taken_actions
from alehouse.benchmarks.balance.worth_knowing import Unknown
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.verify.intervals import Z95

GAMES, SEARCHED = 4000, 64  # approximate number of games in a chunk, for instant agents and for searching ones
FACTORIAL = 0.5  # share of the time that goes to the factorial; the rest is for the side experiments
LEAST = 20  # no conclusion is drawn from fewer blocks


class Job(NamedTuple):
    """Everything that a process needs to play any chunk of a study."""

    cells: tuple[Variant, ...]
    agent: Agent
    seed: int
    rule_sets: RuleSets | None = None  # how rule sets are drawn; None to play by the given numbers


PlayChunks = Callable[[Job, Sequence[Chunk]], Iterator[Played]]  # plays chunks and yields their games in the same order


class Finding(NamedTuple):
    """What the games of one agent show."""

    agent: str
    blocks: int
    games: int
    means: npt.NDArray[np.float64]  # for each cell and measure
    errors: npt.NDArray[np.float64]
    effects: list[EffectEstimate]
    seats: list[Seat]
    actions: list[TakenAction]
    gaps: list[Gap]
    ran_out: dict[str, float]  # for each supply that ran out, its share of all games
    never_open: list[str]  # named actions that no seat could ever take
    examples: tuple[Example, ...] = ()  # games that stand out
    rule_sets: int = 0  # number of rule sets drawn; 0 if the given numbers were played
    unknown: Sequence[Unknown] = ()  # the numbers that differ between rule sets, first those most worth looking up


def chunk_size(job: Job) -> int:
    """Return the number of blocks in a chunk, a multiple of those that each rule set plays."""
    games, each = SEARCHED if line_of([job.agent], job.cells[0].spec) is None else GAMES, blocks_of_each(job)
    return max(1, math.ceil(games / len(job.cells) / each)) * each


def blocks_of_each(job: Job) -> int:
    """Return the number of blocks in a row that are played by the same rules."""
    return job.rule_sets.blocks if job.rule_sets else 1


def fewest_blocks(job: Job) -> int:
    """Return the fewest blocks from which anything is concluded."""
    return max(LEAST, rule_sets.FEWEST * job.rule_sets.blocks) if job.rule_sets else LEAST


def check_blocks(job: Job, blocks: int) -> None:
    """Raise a ValueError if so few blocks were asked for that they hold too few rule sets."""
    least = fewest_blocks(job)
    if job.rule_sets and blocks < least:
        raise ValueError(
            f"--blocks {blocks}: here {job.rule_sets.blocks} blocks share a rule set, and nothing is concluded from fewer than"
            f" {rule_sets.FEWEST} rule sets; give --blocks {least} or more, or --as-guessed"
        )


def play_chunk(job: Job, chunk: Chunk, threads: int = 1) -> Played:
    """Play the blocks of a chunk."""
    drawn = rule_sets.drawn_rules(job.cells, job.rule_sets, job.seed, chunk) if job.rule_sets else None
    return play(job.cells, job.agent, block_seeds(job.seed, *chunk), threads, drawn)


def on_this_machine(threads: int) -> PlayChunks:
    """Return a function that plays chunks in this process, on several threads."""

    def run(job: Job, chunks: Sequence[Chunk]) -> Iterator[Played]:
        for chunk in chunks:
            yield play_chunk(job, chunk, threads)

    return run


class Study:
    """A design, the agent that plays all its seats, and the games done so far."""

    def __init__(self, design: Design, job: Job, store: Store, play_chunks: PlayChunks, number: int = 0) -> None:
        self.design, self.job, self.store, self.play_chunks = design, job, store, play_chunks
        self.number = number  # the agent's index among the agents of the run
        self.each, self.size = blocks_of_each(job), chunk_size(job)
        self.parts: list[Played] = []  # the games of each chunk
        self._main = [e for e in design.effects() if e.kind == MAIN]
        self._seen: list[npt.NDArray[np.float64]] = []  # main effects on the first player's share, for each block

    @property
    def blocks(self) -> int:
        """The number of blocks done."""
        return sum(len(part.seen) for part in self.parts)

    @property
    def sets(self) -> int:
        """The number of rule sets done; by given numbers each block counts as one."""
        return self.blocks // self.each

    @property
    def games(self) -> int:
        """The number of games done."""
        return self.blocks * len(self.design.cells)

    def plan(self, minutes: float) -> int:
        """Return how many blocks fit into the time, by timing the first chunk; a continued run keeps its first plan."""
        known = self.store.read_plan(minutes, self.number)
        if known is not None:
            return known
        some = self.job._replace(cells=self.design.cells[:2])
        for _ in self.play_chunks(some, [(0, 2)]):  # compiles before the clock starts
            start = time.perf_counter()
        [first] = self.play_chunks(self.job, [(0, self.size)])
        seconds = time.perf_counter() - start
        blocks = math.floor(60 * minutes * FACTORIAL / max(seconds, 1e-6)) * self.size
        least = fewest_blocks(self.job)
        if blocks < least:
            need = math.ceil(least / self.size) * seconds / 60 / FACTORIAL
            raise ValueError(
                f"--minutes: {minutes:.2g} for {self.job.agent.name} is too short for any conclusion; {len(self.design.cells)} cells"
                f" need about {need:.2g} minutes; or ask for fewer --modules, --seats or --agents"
            )
        self._take((0, self.size), first)
        self.store.write_plan(minutes, blocks, self.number)
        return blocks

    def whole(self, blocks: int) -> int:
        """Return a number of blocks, rounded up to whole rule sets."""
        return math.ceil(blocks / self.each) * self.each

    def play(self, blocks: int) -> Generator[tuple[int, int], None, None]:
        """Continue until this number of blocks is done; after each chunk yield the blocks done and the blocks wanted."""
        chunks = [(low, min(low + self.size, blocks)) for low in range(self.blocks, blocks, self.size)]
        stored = {chunk: self.store.load(chunk, self.number) for chunk in chunks}
        missing = self.play_chunks(self.job, [chunk for chunk in chunks if stored[chunk] is None])
        for chunk in chunks:
            part = stored.pop(chunk)
            if part is None:
                self._take(chunk, next(missing))
            else:
                self._add(part)
            yield self.blocks, blocks

    def _take(self, chunk: Chunk, part: Played) -> None:
        """Store a chunk that was just played, and count it."""
        self.store.save(chunk, self.number, part)
        self._add(part)

    def _add(self, part: Played) -> None:
        self.parts.append(part)
        if self._main:
            seen = effects.by_block(measured(part, self.design.cells), self._main)[:, :, 0]
            self._seen.append(by_rule_set(seen, self.each))

    def together(self) -> Played:
        """Return all games in one piece."""
        scores, utility, seen = (np.concatenate([getattr(part, name) for part in self.parts]) for name in ("scores", "utility", "seen"))
        return Played(scores, utility, seen, np.sum([part.tally for part in self.parts], axis=0))

    def width(self) -> float:
        """Return half the 95 % interval of the least certain main effect on the first player's share."""
        if self.sets < 2 or not self._main:
            return math.nan
        return float(Z95 * effects.errors(np.concatenate(self._seen))[1].max())

    def smallest(self, blocks: int) -> npt.NDArray[np.float64] | None:
        """Return for each measure the main effect that this number of blocks will probably find, judging by the blocks done."""
        some = self.design.effects()
        if self.sets < 2 or not some:
            return None
        values = by_rule_set(measured(self.together(), self.design.cells), self.each)
        return effects.smallest(values, some, blocks // self.each)

    def finding(self) -> Finding:
        """Return what the games so far show."""
        played, cells = self.together(), self.design.cells
        values = measured(played, cells)
        of_set = by_rule_set(values, self.each)
        mean, error = effects.errors(of_set)
        found = Finding(
            agent=self.job.agent.name,
            blocks=self.blocks,
            games=self.games,
            means=mean,
            errors=error,
            effects=effects.estimated(of_set, self.design.effects()),
            seats=seats.seats(played, cells, self.each),
            actions=taken_actions([part.tally for part in self.parts], self.design.spec),
            gaps=rule_gaps.gaps(played, cells),
            ran_out=rule_gaps.ran_out(played.seen, self.design.spec),
            never_open=rule_gaps.never_open([part.tally for part in self.parts], cells),
            examples=self._written(examples(values, self.number)),
        )
        return self._over_rule_sets(found, played, values) if self.job.rule_sets else found

    def _over_rule_sets(self, found: Finding, played: Played, values: npt.NDArray[np.float64]) -> Finding:
        """Add to a finding what the plausible rule sets say of its effects and places."""
        cells, every = self.design.cells, self.design.effects()
        assert self.job.rule_sets is not None
        drawn = rule_sets.drawn_numbers(cells, self.job.rule_sets, self.job.seed, self.sets)
        judged: list[EffectEstimate] = []
        for kind in (MAIN, PAIR):
            if some := [e for e in every if e.kind == kind]:
                sample = effects.by_block(values, some).reshape(len(values), -1)
                rows = [row for row in found.effects if row.kind == kind]
                judged += [replace(row, verdict=one) for row, one in zip(rows, robust.verdicts(sample, self.each, drawn), strict=True)]
        places = robust.verdicts(seats.advantages(played, cells), self.each, drawn)
        return found._replace(
            effects=judged,
            seats=[replace(row, verdict=one) for row, one in zip(found.seats, places, strict=True)],
            rule_sets=self.sets,
            unknown=worth_knowing.unknown(values, self.each, every, drawn),
        )

    def _written(self, found: tuple[Example, ...]) -> tuple[Example, ...]:
        """Write the replays of games that stand out, and return these games; none for agents that need long to play a game again."""
        if line_of([self.job.agent], self.design.spec) is None:
            return ()
        (self.store.folder / FOLDER).mkdir(exist_ok=True)
        for one in found:
            [seed] = block_seeds(self.job.seed, one.block, one.block + 1)
            v = self.design.cells[one.cell]
            if self.job.rule_sets:
                v = rule_sets.variant_of(self.design.cells, self.job.rule_sets, self.job.seed, one.block, one.cell)
            replay_of(v, self.job.agent, int(seed)).save(self.store.folder / one.file)
        return found
