"""A run of the arena: take the spans that are stored and play those that are missing, until the stopping rule is met."""

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from alehouse.benchmarks.arena import payoff
from alehouse.benchmarks.arena.figures import SCORE, SHARE, UTILITY, Figure, Sums, figures, sums, together, variance_saved
from alehouse.benchmarks.arena.play import Games, Job, Span, forfeits, joined
from alehouse.benchmarks.arena.ratings import Ratings, ratings
from alehouse.benchmarks.arena.stopping import Rule
from alehouse.benchmarks.arena.store import Store
from alehouse.benchmarks.arena.workers import Played
from alehouse.envs.core.run.files import write_atomically


@dataclass(frozen=True)
class Row:
    """The figures of one agent."""

    name: str
    share: Figure
    utility: Figure
    score: Figure
    variance_saved: float | None
    us_per_decision: float | None
    steps_per_decision: float | None
    forfeits: int


@dataclass(frozen=True)
class Report:
    """The result of a run."""

    games: Games
    blocks: int
    rows: list[Row]
    # for each agent that forfeited: its name, games forfeited, the first such block, and the reason in it
    forfeits: list[tuple[str, int, int, str]]
    verdict: str


class Arena:
    """Plays a job until a rule says that it is done; what is played goes to a store."""

    def __init__(self, job: Job, rule: Rule, store: Store, size: int) -> None:
        self.job, self.rule, self.store = job, rule, store
        self.size = size  # number of blocks in a span
        self.parts: list[Games] = []
        self.found: Sums | None = None
        self.over = False
        self._next = rule.spans(size)
        self._due = next(self._next, None)
        self._ahead: dict[Span, Games] = {}

    @property
    def blocks(self) -> int:
        """The number of blocks done, counted up to the first one that is missing."""
        return 0 if self.found is None else len(self.found.game)

    def play(self, players: Callable[[Iterable[Span]], Played]) -> Generator[tuple[int, int], None, None]:
        """Play what is missing; after each span yield the blocks done, and how many may be needed in all."""
        for span, games in players(self._missing()):
            self.store.save(span, games)
            self._take(span, games)
            yield self._progress()
            if self.over:
                return

    def _progress(self) -> tuple[int, int]:
        return self.blocks, 0 if self.found is None else self.rule.expected(self.found)

    def _missing(self) -> Iterator[Span]:
        """Yield the spans to play until the rule is met; take stored spans on the way."""
        for span in self.rule.spans(self.size):
            stored = self.store.load(span)
            if stored is None:
                yield span
            else:
                self._take(span, stored)
            if self.over:
                return

    def _take(self, span: Span, games: Games) -> None:
        """Add the games of a span, and check the rule after each span in order."""
        self._ahead[span] = games
        while not self.over and self._due in self._ahead:
            part = self._ahead.pop(self._due)
            self.parts.append(part)
            new = sums(part, len(self.job.names))
            self.found = new if self.found is None else together([self.found, new])
            self._due = next(self._next, None)
            self.over = self._due is None or self.rule.met(self.found)

    def report(self) -> Report:
        """Return the result of the games so far."""
        assert self.found is not None
        measures = figures(self.found, self.job.seed % 2**32)
        times = np.sum([part.times for part in self.parts], axis=0)
        bad = list(forfeits(self.job, self.parts))
        lost = {number: games for number, _, games, _, _ in bad}
        rows = [
            Row(
                name=name,
                share=measures[SHARE][number],
                utility=measures[UTILITY][number],
                score=measures[SCORE][number],
                variance_saved=saving,
                us_per_decision=per(times[number, 0] / 1000, times[number, 1]),
                steps_per_decision=per(times[number, 2], times[number, 1]),
                forfeits=lost.get(number, 0),
            )
            for number, (name, saving) in enumerate(zip(self.job.names, variance_saved(self.found), strict=True))
        ]
        told = [(name, games, block, why) for _, name, games, block, why in bad]
        return Report(joined(self.parts), self.blocks, rows, told, self.rule.verdict(self.found))

    def rated(self, report: Report) -> Ratings | None:
        """Return ratings, or None if there is only one agent."""
        if len(self.job.names) == 1:
            return None
        return ratings(report.games, self.job.names, self.job.seed % 2**32)

    def write(self, report: Report, rated: Ratings | None) -> None:
        """Write the payoff table and the result to the folder."""
        table = payoff.write(self.store.folder, report.games, self.job.names)
        result = {
            "variant": self.job.variant,
            "seed": self.job.seed,
            "games": len(report.games.block),
            "blocks": report.blocks,
            "verdict": report.verdict,
            "agents": [as_json(row) for row in report.rows],
            "forfeits": [dict(zip(("agent", "games", "block", "why"), one, strict=True)) for one in report.forfeits],
            "ratings": None if rated is None else {**rated._asdict(), "agents": [one._asdict() for one in rated.agents]},
            "payoff": table,
        }
        write_atomically(self.store.folder / "result.json", (json.dumps(result, indent=2) + "\n").encode())


def per(total: Any, count: Any) -> float | None:
    """Return total / count, or None if that is unknown."""
    return float(total / count) if count and total >= 0 else None


def as_json(row: Row) -> dict[str, Any]:
    """Return a row in the form that `--json` prints."""
    measures = {name: getattr(row, name)._asdict() for name in ("share", "utility", "score")}
    return {**asdict(row), **measures}
