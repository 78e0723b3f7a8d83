"""A span of blocks played: in lock-step by any agents, or as whole games inside numba where all of them are quick."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents import Agent, play_line
from alehouse.agents.whole_games import as_instant
from alehouse.benchmarks.arena.asking import Asked, Watch
from alehouse.benchmarks.arena.lineup import Seating, rotations, seatings
from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.tables import Tables

NOBODY = -1
WHOLE = 1000  # games of a span that is played inside numba, at least

Span = tuple[int, int]  # the first block, and the one after the last
Lost = Mapping[int, tuple[int, str]]  # games of a span, by number: the agent that forfeited it, and why


@dataclass(frozen=True)
class Job:
    """What is played: everything a process needs to play any span of it."""

    variant: str
    names: tuple[str, ...]
    make: Callable[[], list[Agent]] = field(compare=False)
    limits: tuple[float | None, ...]  # seconds for a decision; None for agents of our own
    seed: int = 0
    batch: int = 64  # games played side by side

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return as_variant(self.variant).seats

    def seated(self, watch: Watch | None = None) -> list[Asked]:
        """The agents, made afresh."""
        made = zip(self.make(), self.limits, strict=True)
        return [Asked(place, agent, limit, watch) for place, (agent, limit) in enumerate(made)]


class Games(NamedTuple):
    """The games of a span, a row each; columns are seats."""

    block: npt.NDArray[np.int64]
    seeds: npt.NDArray[np.uint64]
    seating: Seating  # which agent sits where
    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]  # by rank; a forfeit puts the offender last and the others level
    decisions: npt.NDArray[np.int32]
    offender: npt.NDArray[np.int8]  # the seat that forfeited, or NOBODY
    reasons: npt.NDArray[np.uint8]  # why, by game: JSON
    clock: npt.NDArray[np.int64]  # nanoseconds, decisions and simulator steps in lock-step, a row for each agent

    @property
    def rotations(self) -> int:
        """The games of a block."""
        return int((self.block == self.block[0]).sum())

    @property
    def why(self) -> dict[int, str]:
        """The reasons of the forfeits, by the number of the game."""
        return {int(g): text for g, text in json.loads(self.reasons.tobytes() or b"{}").items()}


ROWS = Games._fields[:7]  # those with a row for each game


def joined(parts: Sequence[Games]) -> Games:
    """Several spans as one; the reasons stay with the parts, the clocks are added."""
    rows: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ROWS}
    return Games(**rows, reasons=parts[0].reasons[:0], clock=np.sum([part.clock for part in parts], axis=0))


def beginning(games: Games, count: int) -> Games:
    """The first games, without the reasons of forfeits."""
    rows: dict[str, Any] = {name: getattr(games, name)[:count] for name in ROWS}
    return Games(**rows, reasons=games.reasons[:0], clock=games.clock)


def blocks_a_span(job: Job, quick: bool) -> int:
    """How many blocks are played at once."""
    return max(1, math.ceil((WHOLE if quick else job.batch) / rotations(len(job.names), job.seats)))


def all_quick(v: Variant, agents: Sequence[Agent]) -> bool:
    """Whether all of them play whole games without leaving numba."""
    return all(as_instant(agent, v.spec) is not None for agent in agents)


def play(
    job: Job,
    seated: Sequence[Asked],
    span: Span,
    threads: int = 1,
    told: Callable[[int], None] | None = None,
    lost: Lost | None = None,
) -> Games:
    """The games of a span; where `told` is to be told of each before it is played, they are played one by one."""
    v = as_variant(job.variant)
    seating = seatings(len(job.names), v.seats, *span)
    block = np.repeat(np.arange(*span), rotations(len(job.names), v.seats))
    seeds = np.array([game_seed(np.uint64(job.seed), int(b)) for b in block], np.uint64)
    for asked in seated:
        asked.reset()
    if told is not None:
        out = one_by_one(v, seated, seating, seeds, told, lost or {})
    elif all_quick(v, [asked.agent for asked in seated]):
        out = whole(v, seated, seating, seeds, threads, checked=span[0] == 0)
    else:
        out = lock_step(v, seated, seating, seeds, threads)
    why = np.frombuffer(json.dumps(out.why).encode() if out.why else b"", np.uint8)
    clock = np.array([asked.times() for asked in seated])
    return Games(block, seeds, seating, out.scores, out.utility, out.decisions, out.offender, why, clock)


@dataclass
class Outcome:
    """How games ended, a row each."""

    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]
    decisions: npt.NDArray[np.int32]
    offender: npt.NDArray[np.int8]
    why: dict[int, str] = field(default_factory=dict)

    @classmethod
    def empty(cls, seating: Seating) -> "Outcome":
        """Nothing yet."""
        numbers, nobody = np.zeros(seating.shape, np.int32), np.full(len(seating), NOBODY, np.int8)
        return cls(numbers, np.zeros(seating.shape, np.float32), numbers.copy(), nobody)

    def forfeit(self, game: int, seat: int, why: str) -> None:
        """End a game: the offender is last, the others share the ranks above; there are no points."""
        seats = self.scores.shape[1]
        self.offender[game], self.why[game] = seat, why
        self.scores[game] = 0
        self.utility[game] = 1.0 / (seats - 1) if seats > 1 else 0.0
        self.utility[game, seat] = -1.0

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """All but the reasons."""
        return self.scores, self.utility, self.decisions, self.offender


def lock_step(v: Variant, seated: Sequence[Asked], seating: Seating, seeds: npt.NDArray[np.uint64], threads: int = 1) -> Outcome:
    """Games side by side to their end; the agent most tables wait for is asked first, so that slow ones get full batches."""
    tables = Tables(v, n=len(seeds), autoreset=False, threads=threads)
    tables.reset(seeds=seeds)
    out = Outcome(tables.scores, tables.utility, np.zeros(seating.shape, np.int32), np.full(len(seeds), NOBODY, np.int8))
    while (waiting := np.flatnonzero(~tables.over & (out.offender == NOBODY))).size:
        movers = seating[waiting, tables.seat[waiting]]
        place = int(np.bincount(movers).argmax())
        which = waiting[movers == place]
        actions, failed = seated[place].decide(tables, which)
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


def one_by_one(
    v: Variant, seated: Sequence[Asked], seating: Seating, seeds: npt.NDArray[np.uint64], told: Callable[[int], None], lost: Lost
) -> Outcome:
    """Each game by itself, told of before it is played; those forfeited before are not played."""
    games = range(len(seeds))
    out = Outcome.empty(seating)
    for g in games:
        told(g)
        if g in lost:
            place, why = lost[g]
            seated[place].missed += 1
            out.forfeit(g, int(np.flatnonzero(seating[g] == place)[0]), why)
            continue
        alone = lock_step(v, seated, seating[g : g + 1], seeds[g : g + 1])
        for target, found in zip(out.arrays(), alone.arrays(), strict=True):
            target[g] = found[0]
        if alone.why:
            out.why[g] = alone.why[0]
    return out


def whole(v: Variant, seated: Sequence[Asked], seating: Seating, seeds: npt.NDArray[np.uint64], threads: int, checked: bool) -> Outcome:
    """Whole games inside numba; where checked, also in lock-step, which gives the clock and must give the same."""
    played = play_line(v, [asked.agent for asked in seated], seating, seeds, threads)
    out = Outcome(played.scores, played.utility, played.decisions, np.full(len(seeds), NOBODY, np.int8))
    if checked:
        other = lock_step(v, seated, seating, seeds, threads)
        if not all(np.array_equal(one, two) for one, two in zip(out.arrays(), other.arrays(), strict=True)):
            raise RuntimeError(f"{v}: whole games and lock-step play differ")
    return out


def forfeits(job: Job, parts: Sequence[Games]) -> Iterator[tuple[int, str, int, int, str]]:
    """Each agent that forfeited: its place and name, how many games, in which block first, and why there."""
    for place, name in enumerate(job.names):
        found = [
            (int(part.block[g]), why) for part in parts for g, why in sorted(part.why.items()) if part.seating[g, part.offender[g]] == place
        ]
        if found:
            yield place, name, len(found), *found[0]
