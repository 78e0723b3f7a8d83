"""Measures all simulators in turn, round after round, so that whatever slows the machine slows them alike."""

import itertools
import json
import math
import os
import select
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from alehouse.benchmarks.peers.catalogue import FOLDER, PEERS, WORKERS, python_of

OURS, REFERENCE = "alehouse", "connect_four"
SEEN, BARE = "observation and mask", "rules only"  # what a case writes at each decision, as workers say it
PATIENCE = 600.0  # seconds to wait for an answer; the first one may have to compile
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1") | {
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


class Missing(Exception):
    """A simulator cannot be measured; the text says why."""


class Worker:
    """A process that measures one simulator, and what it can measure. `words` are its arguments, `more` its variables of the system."""

    def __init__(self, name: str, python: Path | str, script: Path, *words: str, **more: str) -> None:
        self.name, self.command = name, [str(python), str(script), *words]
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ | ONE_THREAD | more,
        )  # fmt: skip
        try:
            hello = self.answer()
        except Missing:
            self.close()
            raise
        self.version: str = hello["version"]
        self.cases: list[dict[str, str]] = hello["cases"]

    def answer(self) -> dict[str, Any]:
        """Return the next line that the worker writes."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            raise Missing(
                f"no answer within {PATIENCE:g} s" if not ready else f"its worker ended early; `{' '.join(self.command)}` shows why"
            )
        found: dict[str, Any] = json.loads(line)
        if "error" in found:
            raise Missing(found["error"])
        return found

    def measure(self, case: int, seconds: float, seed: int) -> dict[str, Any]:
        """Let the worker play a case for some time, and return its counts."""
        assert self.process.stdin is not None
        print(json.dumps({"case": case, "seconds": seconds, "seed": seed}), file=self.process.stdin, flush=True)
        return self.answer()

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


class Entry(NamedTuple):
    """One case of one worker."""

    worker: Worker
    number: int

    @property
    def case(self) -> dict[str, str]:
        return self.worker.cases[self.number]


class Speed(NamedTuple):
    """What was measured of one case; the middle, the lowest and the highest of all rounds.

    `ratio` is how many times as fast our connect four was in the same round, where the case is connect four too, with its 95 % interval.
    """

    simulator: str
    version: str
    game: str
    how: str
    writes: str
    decisions_per_s: float
    lowest: float
    highest: float
    games_per_s: float
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None


def ours() -> Worker:
    """Start the worker of this package."""
    return Worker(OURS, sys.executable, WORKERS / "alehouse_games.py")


def peers(folder: Path = FOLDER) -> Iterator[Worker | str]:
    """Start the worker of each other simulator; yield a line instead for one that is not installed."""
    for peer in PEERS:
        python = python_of(peer, folder)
        if python is None:
            yield f"{peer.name}: skipped: there is no environment for it; `make peers` makes it if it can be had"
            continue
        try:
            yield Worker(peer.name, python, WORKERS / peer.worker)
        except Missing as fault:
            yield f"{peer.name}: skipped: {fault}"


def contest(entries: Sequence[Entry], seconds: float, rounds: int, seed: int) -> Iterator[tuple[Entry, dict[str, Any] | str | None]]:
    """Measure all entries in turn for several rounds, every second one backwards; yield counts, a fault, or None for the first round,
    which does not count."""
    live = list(entries)
    for turn in range(rounds + 1):
        for entry in live[:: -1 if turn % 2 else 1]:
            try:
                found = entry.worker.measure(entry.number, seconds, seed)
                yield entry, found if turn else None
            except (Missing, OSError) as fault:
                live.remove(entry)
                yield entry, str(fault)


def speeds(measured: Iterable[tuple[Entry, dict[str, Any] | str | None]]) -> list[Speed]:
    """Return what was measured of each entry, in their order."""
    found: dict[Entry, list[dict[str, Any]]] = {}
    for entry, counts in measured:
        found.setdefault(entry, []).extend([counts] if isinstance(counts, dict) else [])  # the first round keeps them in their order
    found = {entry: rows for entry, rows in found.items() if rows}
    yardstick: dict[str, list[float]] = {}  # our connect four, by what is written: batches come first
    for entry, rows in found.items():
        if entry.worker.name == OURS and entry.case["game"] == REFERENCE:
            yardstick.setdefault(entry.case["writes"], [rate(row) for row in rows])
    return [speed(entry, rows, yardstick.get(entry.case["writes"], [])) for entry, rows in found.items()]


def rate(counts: Mapping[str, Any]) -> float:
    """Return decisions per second."""
    return float(counts["decisions"] / counts["seconds"])


def middle(numbers: Sequence[float]) -> tuple[float, float, float]:
    """Return the median between the ends of its 95 % interval, which follows from the order of the numbers alone.

    Each number lies below the true median with a chance of one half. Fewer than six numbers are too few; then the ends are the lowest and
    the highest.
    """
    ordered, n = sorted(numbers), len(numbers)
    below = list(itertools.accumulate(math.comb(n, k) / 2**n for k in range(n)))
    k = max(0, sum(chance <= 0.025 for chance in below) - 1)
    return ordered[k], statistics.median(ordered), ordered[n - 1 - k]


def speed(entry: Entry, rows: Sequence[Mapping[str, Any]], yardstick: Sequence[float]) -> Speed:
    """Return what was measured of an entry; round by round it is compared with our connect four."""
    rates = [rate(row) for row in rows]
    compared = entry.worker.name != OURS and entry.case["game"] == REFERENCE
    ratios = [ours / theirs for ours, theirs in zip(yardstick, rates, strict=False)] if compared else []
    low, ratio, high = middle(ratios) if ratios else (None, None, None)
    games = statistics.median(row["games"] / row["seconds"] for row in rows)
    return Speed(
        entry.worker.name, entry.worker.version, **entry.case,
        decisions_per_s=statistics.median(rates), lowest=min(rates), highest=max(rates), games_per_s=games,
        ratio=ratio, ratio_low=low, ratio_high=high,
    )  # fmt: skip


def verdict(row: Speed) -> str:
    """Say in words which of two is faster, by how much, and how sure that is."""
    assert row.ratio is not None
    assert row.ratio_low is not None
    assert row.ratio_high is not None
    if row.ratio_low <= 1 <= row.ratio_high:
        return f"{row.how} and Alehouse are equally fast ({row.ratio_low:.2f} to {row.ratio_high:.2f} times)"
    if row.ratio > 1:
        return f"Alehouse is {times(row.ratio)} times as fast as {row.how} ({times(row.ratio_low)} to {times(row.ratio_high)})"
    low, middle, high = 1 / row.ratio_high, 1 / row.ratio, 1 / row.ratio_low
    return f"{row.how} is faster: {times(middle)} times as fast as Alehouse ({times(low)} to {times(high)})"


def times(ratio: float) -> str:
    """Return a ratio with as many digits as it needs."""
    return f"{ratio:,.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 2 else f"{ratio:.2f}"
