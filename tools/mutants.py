"""Break rules one at a time and see whether the tests of the rules notice: `make mutants`.

`python tools/mutants.py [WORD ...]` takes the mutants in tools/mutants.toml whose game or rule contains one of the words, by default all.
Each mutant replaces a piece of source in a copy of the repository; then the tests that should notice run there, without the JIT. Tests
that only replay recorded games (signatures and playthroughs) are left out. The table names the first test that failed for each mutant; a
mutant that no test noticed shows a gap in the tests.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("envs", "agents", "training", "benchmarks")
SECONDS = 1800  # a run that takes longer counts as endless


class Mutant(NamedTuple):
    """A change of the source that breaks one rule."""

    where: str  # a game, or "core"
    rule: str
    old: str
    new: str
    tests: str = ""  # for core: the test files that should notice

    def source(self, root: Path) -> Path:
        """Return the file that holds the old text; raise a ValueError unless exactly one file does."""
        files = [path for path in sorted((root / "envs" / self.where).rglob("*.py")) if self.old in path.read_text(encoding="utf-8")]
        if len(files) != 1 or files[0].read_text(encoding="utf-8").count(self.old) != 1:
            places = ", ".join(path.name for path in files) or "no file"
            raise ValueError(f"{self.where}, {self.rule}: must stand once, but stands in {places}:\n{self.old}")
        return files[0]

    def concerned(self, root: Path) -> Iterator[Path]:
        """Find the tests that should notice the broken rule."""
        if not self.tests:
            yield from (path for path in (root / "tests").rglob(self.where) if path.is_dir())
        for name in self.tests.split():
            found = sorted((root / "tests").rglob(f"{name}.py"))
            yield next((path for path in found if "core" in path.parts), found[0])


def copied(root: Path, folder: Path) -> Path:
    """Copy the repository with its parts inside the package, as in the wheel."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(root / "alehouse", folder / "alehouse", ignore=ignore)
    shutil.copytree(root / "tests", folder / "tests", ignore=ignore)
    shutil.copy(root / "pyproject.toml", folder)
    for part in PARTS:
        shutil.copytree(root / part, folder / "alehouse" / part, ignore=ignore)
    (folder / "envs").symlink_to("alehouse/envs")
    return folder


def first_failure(mutant: Mutant, folder: Path) -> str:
    """Break the rule in a copy, run the tests, and mend it; return the first test that failed, or ""."""
    path = mutant.source(folder)
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.replace(mutant.old, mutant.new), encoding="utf-8")
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    tests = [str(test.relative_to(folder)) for test in mutant.concerned(folder)]
    command = [sys.executable, "-m", "pytest", "-xq", "--tb=no", "-rfE", "-p", "no:cacheprovider", *tests]
    if mutant.where == "core":
        command += ["-k", "not bloody_inn"]  # too slow without the JIT
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "the tests hang"
    finally:
        path.write_text(whole, encoding="utf-8")
    failed = re.search(r"^(?:FAILED|ERROR) (?:\S*/)?(\S+)", done.stdout, re.MULTILINE)
    if (failed is None) != (done.returncode == 0):
        raise RuntimeError(f"{mutant.where}, {mutant.rule}: {done.stdout}{done.stderr}")
    return failed[1] if failed else ""


def each_failure(mutants: list[Mutant], root: Path, jobs: int) -> Iterator[str]:
    """Run the mutants side by side, each in a copy of the repository; yield in order the test that noticed each."""
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(jobs) as pool:
        free: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            free.put(copied(root, Path(temporary, str(job))))

        def run(mutant: Mutant) -> str:
            folder = free.get()
            try:
                return first_failure(mutant, folder)
            finally:
                free.put(folder)

        yield from pool.map(run, mutants)


def main() -> None:
    """Run the mutants and print the table."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("words", nargs="*", help="take mutants whose game or rule contains one of these")
    options.add_argument("--root", type=Path, default=ROOT, help="the checkout whose rules are broken and whose tests run")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="the number of mutants that run side by side")
    chosen = options.parse_args()
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    mutants = [Mutant(where, **row) for where, rows in listed.items() for row in rows]
    mutants = [m for m in mutants if not chosen.words or any(word in f"{m.where} {m.rule}" for word in chosen.words)]
    sound = []
    for mutant in mutants:
        try:
            mutant.source(chosen.root)
            sound.append(mutant)
        except ValueError as fault:
            print(f"stale: {fault}", file=sys.stderr)
    noticed = 0
    print("| game | rule | noticed by |\n|---|---|---|")
    for mutant, test in zip(sound, each_failure(sound, chosen.root, chosen.jobs), strict=True):
        print(f"| {mutant.where} | {mutant.rule} | {test or '**nothing**'} |", flush=True)
        noticed += bool(test)
    print(f"{noticed} of {len(mutants)} noticed", file=sys.stderr)
    sys.exit(0 if noticed == len(mutants) else 1)


if __name__ == "__main__":
    main()
