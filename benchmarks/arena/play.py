"""Plays a span of blocks: side by side for any agents, or as whole games inside numba if all agents are instant."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents import Agent, play_line
from alehouse.agents.process import Process
from alehouse.agents.whole_games import line_of
from alehouse.benchmarks.arena.lineup import Seating, rotations, seatings
from alehouse.benchmarks.arena.timed_agents import TimedAgent, Watch
from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import Tables

NOBODY = -1
REASON = 500  # letters that are kept of the reason of a forfeit, which a program writes
WHOLE = 1000  # a span inside numba has at least this many games

Span = tuple[int, int]  # the first block, and the one after the last block
Lost = Mapping[int, tuple[int, str]]  # for each forfeited game by its number: the agent that forfeited, and why


@dataclass(frozen=True)
class Job:
    """Everything that a process needs to play any span of a job."""

    variant: str
    names: tuple[str, ...]
    make: Callable[[], list[Agent]] = field(compare=False)
    limits: tuple[float | None, ...]  # for each agent, the seconds it has for a decision; None for agents of this package
    seed: int = 0
    batch: int = 64  # how many games are played side by side
    secret: bytes | None = field(default=None, compare=False, repr=False)  # of the run, for the random numbers of programs

    @property
    def seats(self) -> int:
        """The number of seats at the table."""
        return as_variant(self.variant).seats

    def seated(self, watch: Watch | None = None) -> list[TimedAgent]:
        """Return new agents, each with its time limit."""
        made = self.make()
        for agent in made:
            if isinstance(agent, Process):
                agent.secret = self.secret or agent.secret
        return [TimedAgent(number, agent, limit, watch) for number, (agent, limit) in enumerate(zip(made, self.limits, strict=True))]


class Games(NamedTuple):
    """The games of a span: a row for each game, a column for each seat."""

    block: npt.NDArray[np.int64]
    seeds: npt.NDArray[np.uint64]
    seating: Seating  # the number of the agent in each seat
    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]  # utility by rank; after a forfeit the offender is last and the others are tied
    decisions: npt.NDArray[np.int32]
    offender: npt.NDArray[np.int8]  # the seat that forfeited, or NOBODY
    reasons: npt.NDArray[np.uint8]  # the reasons of forfeits as JSON, by number of the game
    times: npt.NDArray[np.int64]  # a row for each agent: nanoseconds, decisions and simulator steps in games played side by side

    @property
    def rotations(self) -> int:
        """The number of games in a block."""
        return int((self.block == self.block[0]).sum())

    @property
    def why(self) -> dict[int, str]:
        """The reasons of the forfeits, by number of the game."""
        return {int(g): text for g, text in json.loads(self.reasons.tobytes() or b"{}").items()}


ROWS = Games._fields[:7]  # the fields that have a row for each game


def joined(parts: Sequence[Games]) -> Games:
    """Return several spans as one: times are added, and the reasons of forfeits are left out."""
    rows: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ROWS}
    return Games(**rows, reasons=parts[0].reasons[:0], times=np.sum([part.times for part in parts], axis=0))


def first_games(games: Games, count: int) -> Games:
    """Return only the first games, without the reasons of forfeits."""
    rows: dict[str, Any] = {name: getattr(games, name)[:count] for name in ROWS}
    return Games(**rows, reasons=games.reasons[:0], times=games.times)


def blocks_a_span(job: Job, instant: bool) -> int:
    """Return how many blocks a span has."""
    return max(1, math.ceil((WHOLE if instant else job.batch) / rotations(len(job.names), job.seats)))


def all_quick(v: Variant, agents: Sequence[Agent]) -> bool:
    """Return whether the agents can play whole games inside numba."""
    return line_of(agents, v.spec) is not None


def play(
    job: Job,
    seated: Sequence[TimedAgent],
    span: Span,
    threads: int = 1,
    announce: Callable[[int], None] | None = None,
    lost: Lost | None = None,
) -> Games:
    """Play the games of a span. If `announce` is given, play them one by one and call it with each game's number first."""
    v = as_variant(job.variant)
    seating, block, seeds = dealt(job, span)
    for asked in seated:
        asked.reset()
    if announce is not None:
        out = play_one_by_one(v, seated, seating, seeds, announce, lost or {})
    elif all_quick(v, [asked.agent for asked in seated]):
        out = play_whole(v, seated, seating, seeds, threads, checked=span[0] == 0)
    else:
        out = play_side_by_side(v, seated, seating, seeds, threads)
    why = np.frombuffer(json.dumps(out.why).encode() if out.why else b"", np.uint8)
    times = np.array([asked.times() for asked in seated])
    return Games(block, seeds, seating, out.scores, out.utility, out.decisions, out.offender, why, times)


def dealt(job: Job, span: Span) -> tuple[Seating, npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """Return for each game of a span who sits where, its block and its seed."""
    block = np.repeat(np.arange(*span), rotations(len(job.names), job.seats))
    seeds = np.array([game_seed(np.uint64(job.seed), int(b)) for b in block], np.uint64)
    return seatings(len(job.names), job.seats, *span), block, seeds


def again(job: Job, span: Span) -> tuple[Seating, "Outcome", list[Replay]]:
    """Play the games of a span again, and return who sat where, the results and the replays."""
    seating, _, seeds = dealt(job, span)
    tables = opened(as_variant(job.variant), seeds)
    out = play_at(tables, job.seated(), seating)
    return seating, out, [tables.replay(i) for i in range(tables.n)]


@dataclass
class Outcome:
    """The results of games, with a row for each."""

    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]
    decisions: npt.NDArray[np.int32]
    offender: npt.NDArray[np.int8]
    why: dict[int, str] = field(default_factory=dict)

    @classmethod
    def empty(cls, seating: Seating) -> "Outcome":
        """Return empty results for games still to be played."""
        numbers, nobody = np.zeros(seating.shape, np.int32), np.full(len(seating), NOBODY, np.int8)
        return cls(numbers, np.zeros(seating.shape, np.float32), numbers.copy(), nobody)

    def forfeit(self, game: int, seat: int, why: str) -> None:
        """End a game: the offender is last, the others share the ranks above, and there are no points."""
        seats = self.scores.shape[1]
        self.offender[game], self.why[game] = seat, why[:REASON]
        self.scores[game] = 0
        self.utility[game] = 1.0 / (seats - 1) if seats > 1 else 0.0
        self.utility[game, seat] = -1.0

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Return all fields except the reasons."""
        return self.scores, self.utility, self.decisions, self.offender


def play_side_by_side(
    v: Variant, seated: Sequence[TimedAgent], seating: Seating, seeds: npt.NDArray[np.uint64], threads: int = 1
) -> Outcome:
    """Play games side by side to their end."""
    return play_at(opened(v, seeds, threads), seated, seating)


def opened(v: Variant, seeds: npt.NDArray[np.uint64], threads: int = 1) -> Tables:
    """Return a table for each seed."""
    tables = Tables(v, n=len(seeds), autoreset=False, threads=threads)
    tables.reset(seeds=seeds)
    return tables


def play_at(tables: Tables, seated: Sequence[TimedAgent], seating: Seating) -> Outcome:
    """Play games to their end. The agent that most tables wait for decides first, so that slow agents get full batches."""
    out = Outcome(tables.scores, tables.utility, np.zeros(seating.shape, np.int32), np.full(tables.n, NOBODY, np.int8))
    while (waiting := np.flatnonzero(~tables.over & (out.offender == NOBODY))).size:
        movers = seating[waiting, tables.seat[waiting]]
        number = int(np.bincount(movers).argmax())
        which = waiting[movers == number]
        actions, failed = seated[number].decide(tables, which)
        for row, why in failed.items():
            out.forfeit(int(which[row]), int(tables.seat[which[row]]), why)
        fine = out.offender[which] == NOBODY
        moved = which[fine]
        out.decisions[moved, tables.seat[moved]] += 1
        if moved.size == tables.n:
            tables.step(actions)
        elif moved.size:
            tables.step(actions[fine], moved)
    return out


def play_one_by_one(
    v: Variant, seated: Sequence[TimedAgent], seating: Seating, seeds: npt.NDArray[np.uint64], announce: Callable[[int], None], lost: Lost
) -> Outcome:
    """Play each game by itself after announcing it; games that were forfeited before are not played."""
    games = range(len(seeds))
    out = Outcome.empty(seating)
    for g in games:
        announce(g)
        if g in lost:
            number, why = lost[g]
            seated[number].missed += 1
            out.forfeit(g, int(np.flatnonzero(seating[g] == number)[0]), why)
            continue
        alone = play_side_by_side(v, seated, seating[g : g + 1], seeds[g : g + 1])
        for target, found in zip(out.arrays(), alone.arrays(), strict=True):
            target[g] = found[0]
        if alone.why:
            out.why[g] = alone.why[0]
    return out


def play_whole(
    v: Variant, seated: Sequence[TimedAgent], seating: Seating, seeds: npt.NDArray[np.uint64], threads: int, checked: bool
) -> Outcome:
    """Play whole games inside numba. If `checked`, also play them side by side, which measures times and must give the same games."""
    played = play_line(v, [asked.agent for asked in seated], seating, seeds, threads)
    out = Outcome(played.scores, played.utility, played.decisions, np.full(len(seeds), NOBODY, np.int8))
    if checked:
        other = play_side_by_side(v, seated, seating, seeds, threads)
        if not all(np.array_equal(one, two) for one, two in zip(out.arrays(), other.arrays(), strict=True)):
            raise RuntimeError(f"{v}: whole games and lock-step play differ")
    return out


def forfeits(job: Job, parts: Sequence[Games]) -> Iterator[tuple[int, str, int, int, str]]:
    """Yield for each agent that forfeited: its name, how many games, the first such block, and the reason in that block."""
    for number, name in enumerate(job.names):
        found = [
            (int(part.block[g]), why)
            for part in parts
            for g, why in sorted(part.why.items())
            if part.seating[g, part.offender[g]] == number
        ]
        if found:
            yield number, name, len(found), *found[0]
