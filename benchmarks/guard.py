"""Compares the speed of the working tree with that of a revision: `make bench-guard BASE=main`. About three minutes.

Both are measured alternately in one run, so that whatever else the machine does slows them alike. It fails (exit code 1) where the working
tree is surely more than 5 % slower: where the whole 95 % interval of the ratio lies below 0.95.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from alehouse.benchmarks.peers.catalogue import WORKERS
from alehouse.benchmarks.peers.contest import Entry, Worker, contest, middle, rate
from alehouse.envs.games import GAMES

MOST = 0.05  # how much slower the working tree may be
SECONDS, ROUNDS = 0.2, 15
NAMES = ("connect_four", *GAMES)


def checked_out(base: str, folder: Path) -> None:
    """Write the files of a revision into a folder, and make the package there one that Python can import."""
    archive = subprocess.run(["git", "archive", base], capture_output=True)
    if archive.returncode:
        raise ValueError(f"BASE={base}: {archive.stderr.decode().strip().splitlines()[-1]}")
    subprocess.run(["tar", "--extract", "--directory", str(folder)], input=archive.stdout, check=True)
    subprocess.run(["make", "--silent", "--directory", str(folder), "typing"], check=True)


def worker(name: str, folder: Path, names: Sequence[str]) -> Worker:
    """Start a process that measures the package in a folder."""
    return Worker(name, sys.executable, WORKERS / "revision.py", *names, PYTHONPATH=f"{folder}/.typing")


def compiled(folder: Path, names: Sequence[str]) -> None:
    """Compile all that will be measured, in a process that then ends: the same code runs faster where it is loaded from the cache."""
    first = worker("compiling", folder, names)
    try:
        for k in range(len(first.cases)):
            first.measure(k, 0.0, 0)
    finally:
        first.close()


def compared(new: Worker, old: Worker, seconds: float, rounds: int) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """Yield what both can measure, with how many times as fast the new one is: the median between the ends of its 95 % interval."""
    numbers = {(case["game"], case["how"]): k for k, case in enumerate(old.cases)}
    pairs = [(k, numbers[key]) for k, case in enumerate(new.cases) if (key := (case["game"], case["how"])) in numbers]
    todo = [entry for a, b in pairs for entry in (Entry(new, a), Entry(old, b))]
    print(f"{len(todo)} measurements of {seconds} s in each of {rounds} rounds, after one to warm up", flush=True)
    rates: dict[Entry, list[float]] = {entry: [] for entry in todo}
    for entry, counts in contest(todo, seconds, rounds, 0):
        if isinstance(counts, str):
            raise ValueError(f"{entry.worker.name}, {entry.case['game']}, {entry.case['how']}: {counts}")
        if counts is not None:
            rates[entry].append(rate(counts))
    for a, b in pairs:
        ratios = [ours / theirs for ours, theirs in zip(rates[Entry(new, a)], rates[Entry(old, b)], strict=True)]
        yield f"{new.cases[a]['game']}, {new.cases[a]['how']}", middle(ratios)


def main(words: Sequence[str], seconds: float = SECONDS, rounds: int = ROUNDS, names: Sequence[str] = NAMES) -> int:
    """Compare the working tree with the revision that is named, and print a line for each game and mode."""
    base, tree, slower = words[0] if words else "main", Path(__file__).parents[1], 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            checked_out(base, Path(folder))
        except ValueError as fault:
            print(fault, file=sys.stderr)
            return 2
        compiled(tree, names)
        compiled(Path(folder), names)
        new, old = worker("working tree", tree, names), worker(base, Path(folder), names)
        try:
            for what, (low, ratio, high) in compared(new, old, seconds, rounds):
                bad = high < 1 - MOST
                slower += bad
                print(f"{what}: {ratio:.3f} times as fast as {base} ({low:.3f} to {high:.3f}){': too slow' if bad else ''}", flush=True)
        finally:
            new.close()
            old.close()
    print(f"{slower} too slow" if slower else f"nothing is more than {MOST:.0%} slower than {base}")
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
