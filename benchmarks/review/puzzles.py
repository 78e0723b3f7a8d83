"""Puzzles: positions from play in which one answer is clearly best, and agents miss it. Each is a small file with its proof."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from alehouse.agents.agent import Agent
from alehouse.agents.kernel_agent import Kernel
from alehouse.benchmarks.review.decisions import Course, error_of, lucks, played_on
from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.run.context import ask
from alehouse.envs.core.run.files import DAMAGE, check_format, parsed, read_text, write_atomically
from alehouse.envs.core.run.luck import game_seed
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.intervals import Z95

FORMAT = "alehouse-puzzle-1"
SCREENED = (8, 32)  # a position is looked at more closely if a few plays, and then more of them, suggest a puzzle
MARGIN = 0.05  # the best answer must surely be better than every other by this share of the win
FEWEST = 3  # a puzzle has at least this many answers
KEPT = Path(__file__).with_name("kept")  # the puzzles that come with the package, in a folder for each game


@dataclass(frozen=True)
class Puzzle:
    """A position, the answer to find, and the proof; values are shares of the win of the seat that is asked."""

    variant: str
    rules: str  # digest of the rules
    seed: int
    actions: tuple[int, ...]  # the moves that lead to the position
    best: str  # the name of the answer to find
    answers: dict[str, tuple[float, float]]  # for each answer its value and standard error
    ahead: float  # how far the best answer is surely ahead of every other: the lower end of the smallest difference's interval
    plays: int  # how often each answer was played on, on the same luck
    luck: int  # the seed of that luck
    by: str  # the agent that played on
    missed: tuple[str, ...]  # the agents that do not find the answer
    format: str = FORMAT

    def tables(self) -> Tables:
        """Return the table of the puzzle."""
        return Replay.of(self.variant, self.seed, self.actions).tables()

    def save(self, path: Path) -> None:
        """Write the puzzle as JSON."""
        write_atomically(path, (json.dumps(asdict(self), indent=1) + "\n").encode())

    @classmethod
    def load(cls, path: Path) -> "Puzzle":
        """Read a puzzle; a ValueError says what is wrong with the file."""
        try:
            found: Any = parsed(read_text(path))
            check_format(found.get("format") if isinstance(found, dict) else None, FORMAT)
            kinds = {"variant": str, "rules": str, "seed": int, "best": str, "ahead": float, "plays": int, "luck": int, "by": str}
            if wrong := [name for name, kind in kinds.items() if type(found[name]) is not kind]:
                raise ValueError(f"{wrong[0]} is {found[wrong[0]]!r:.40}, not of type {kinds[wrong[0]].__name__}")
            answers = {str(name): (float(value), float(error)) for name, (value, error) in found["answers"].items()}
            moves, missed = tuple(map(int, found["actions"])), tuple(map(str, found["missed"]))
            puzzle = cls(**{**found, "answers": answers, "actions": moves, "missed": missed})
            v = as_variant(puzzle.variant)
            if puzzle.rules != v.rules_digest:
                raise ValueError(f"its rules have digest {puzzle.rules}, here they have {v.rules_digest}")
            table = puzzle.tables()
            legal = {v.action_names[a] for a in np.flatnonzero(table.mask[0])}
            if puzzle.best not in legal or set(puzzle.answers) != legal:
                raise ValueError("its answers are not those that the rules allow")
        except DAMAGE as error:
            raise ValueError(f"{path}: not a puzzle that can be set: {error}") from None
        return puzzle


def files(name: str, folder: Path | None = None) -> dict[str, Path]:
    """Return the files of a game's puzzles by name: those that come with the package, and those in a folder."""
    places = [place for place in (folder, KEPT / name) if place is not None]
    return {path.stem: path for place in places for path in sorted(place.glob("*.json"))}


def mined(v: Variant, agent: Kernel, missing: Sequence[Agent], plays: int, seed: int, threads: int = 1) -> Iterator[list[Puzzle]]:
    """Yield the puzzles of one game after another, played by the agent in every seat; `missing` must all miss the answer."""
    number = 0
    while True:
        table = Tables(v, n=1, autoreset=False)
        table.reset(seeds=[game_seed(np.uint64(seed), number)])
        answers = list[list[int]]()  # of the agents in `missing`, for each decision
        while not table.over[0]:
            answers.append([int(ask(one, table)[0]) for one in missing])
            table.step(ask(agent, table))
        replay = table.replay(0)
        course = Course.of(replay)
        luck = int(game_seed(np.uint64(seed + 1), number))
        found = (puzzle_at(replay, course, at, agent, missing, answers[at], plays, luck, threads) for at in range(len(answers)))
        yield [one for one in found if one is not None]
        number += 1


def puzzle_at(
    replay: Replay, course: Course, at: int, agent: Kernel, missing: Sequence[Agent], given: list[int], plays: int, luck: int, threads: int
) -> Puzzle | None:
    """Return a decision as a puzzle, if it is one. Some plays choose the answer; others prove it."""
    seat, legal, v = course.seats[at], course.legal[at], course.variant
    if len(legal) < FEWEST:
        return None
    keys = np.concatenate(lucks(luck, at, SCREENED[-1] + plays))
    for few in SCREENED:
        values = played_on(course, at, legal.tolist(), agent, keys[:few], seat, threads)[:, :, seat].mean(axis=1)
        best = int(values.argmax())
        if int(legal[best]) in given or values[best] - np.delete(values, best).max() < MARGIN:
            return None
    shares = played_on(course, at, legal.tolist(), agent, keys[SCREENED[-1] :], seat, threads)[:, :, seat]
    ahead = min(float((shares[best] - other).mean() - Z95 * error_of(shares[best] - other)) for other in np.delete(shares, best, axis=0))
    if ahead < MARGIN:
        return None
    names = [v.action_names[a] for a in legal]
    found = {name: (float(row.mean()), error_of(row)) for name, row in zip(names, shares, strict=True)}
    return Puzzle(
        str(v), v.rules_digest, replay.seed, replay.actions[:at], names[best], found, ahead, plays, luck, agent.name,
        tuple(one.name for one in missing),
    )  # fmt: skip


def solved(puzzle: Puzzle, agent: Agent) -> bool:
    """Return whether an agent finds the answer."""
    table = puzzle.tables()
    return bool(table.variants[0].action_names[int(ask(agent, table)[0])] == puzzle.best)
