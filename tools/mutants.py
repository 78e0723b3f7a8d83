"""Break rules one at a time and see whether the tests of the rules notice: `make mutants`.

`python tools/mutants.py [WORD ...]` takes the mutants in tools/mutants.toml whose game or rule contains one of the words, by default all.
Each mutant is a changed piece of source, which only a process of its own imports. There the tests that should notice run without the JIT,
the likeliest first, until one fails. Tests that only replay recorded games (signatures and playthroughs) are left out. If no
test notices, `--check` plays one variant by the contract, compiled. With `--results` a run goes on where the one before was stopped.
The table names what noticed each mutant; a mutant that nothing noticed shows a gap in the tests.
"""

import argparse
import contextlib
import importlib
import inspect
import json
import math
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300  # a run that takes more processor time counts as endless
GAMES = 20  # how many games `--check` plays
COSTLY = ("numba", "pytest", "hypothesis", "gymnasium", "pettingzoo")  # modules that all runs share


class Mutant(NamedTuple):
    """A change of the source that breaks one rule."""

    where: str  # a game, or "core"
    rule: str
    old: str
    new: str
    tests: str = ""  # for core: the test files that should notice

    @property
    def name(self) -> str:
        return f"{self.where}: {self.rule}"

    def source(self, root: Path) -> Path:
        """Return the file that holds the old text; raise a ValueError unless exactly one file does."""
        files = [path for path in sorted((root / "envs" / self.where).rglob("*.py")) if self.old in path.read_text(encoding="utf-8")]
        if len(files) != 1 or files[0].read_text(encoding="utf-8").count(self.old) != 1:
            places = ", ".join(path.name for path in files) or "no file"
            raise ValueError(f"{self.name}: must stand once, but stands in {places}:\n{self.old}")
        return files[0]

    def concerned(self, root: Path) -> list[Path]:
        """Return the test files that should notice the broken rule."""
        if self.tests:
            found = [sorted((root / "tests").rglob(f"{name}.py")) for name in self.tests.split()]
            return [next((path for path in paths if "core" in path.parts), paths[0]) for paths in found]
        return sorted((root / "tests" / "envs" / self.where).glob("test_*.py"))

    def likeliest_first(self, root: Path, items: list[Any]) -> None:
        """Put first the tests that share most words with the rule and the source; a word that few tests have counts more.

        Tests that play thousands of tables come last.
        """
        sources = {item: inspect.getsource(item.function) for item in items}
        texts = {item: set(words(f"{item.name} {sources[item]}")) for item in items}
        wanted = set(words(f"{self.rule} {self.old} {self.source(root).stem}"))
        weights = {word: math.log((1 + len(items)) / (1 + sum(word in text for text in texts.values()))) for word in wanted}
        large = {item: re.search(r"\d{4}", sources[item].replace("_", "")) is not None for item in items}
        items.sort(key=lambda item: (large[item], -sum(weights[word] for word in wanted & texts[item])))


def words(text: str) -> list[str]:
    """Return the words of a text or a piece of source, without the ends that plurals have."""
    return [word.lower().rstrip("s") for word in re.findall(r"[A-Za-z]{3,}", text)]


def put_in(mutant: Mutant, root: Path) -> None:
    """From now on, import the broken source instead of the one on disk."""
    path = mutant.source(root)
    text, load = path.read_text(encoding="utf-8").replace(mutant.old, mutant.new), SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> Any:
        return compile(text, self.path, "exec") if Path(self.path).resolve() == path.resolve() else load(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def too_long(*_: Any) -> None:
    """End a run that takes too much processor time."""
    raise TimeoutError


def first_failure(mutant: Mutant, root: Path) -> str:
    """Run the tests on a broken rule, in this process; return the first test that failed, or ""."""
    import pytest

    failed: list[str] = []

    class Listener:
        """Orders the tests, and notes what failed."""

        def pytest_collection_modifyitems(self, items: list[Any]) -> None:
            mutant.likeliest_first(root, items)

        def pytest_runtest_logreport(self, report: Any) -> None:
            failed.extend([report.nodeid] if report.failed else [])

        def pytest_collectreport(self, report: Any) -> None:
            failed.extend([report.nodeid] if report.failed else [])

    put_in(mutant, root)
    os.chdir(root)
    tests = [str(path) for path in mutant.concerned(root)]
    chosen = ["-k", "not bloody_inn"] if mutant.where == "core" else []  # too slow without the JIT
    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            code = pytest.main(["-xq", "--tb=no", "-p", "no:cacheprovider", *chosen, *tests], plugins=[Listener()])
    except TimeoutError:
        return "the tests hang"
    if bool(failed) != bool(code):
        raise RuntimeError(f"{mutant.name}: pytest ends with {code}")
    return failed[0].rpartition("/")[2] if failed else ""


def checked(mutant: Mutant) -> str:
    """Check one variant, with all modules, by the contract, on the broken rule; return the name of the check that fails, or ""."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"} | {"NUMBA_CACHE_DIR": folder}
        done = subprocess.run([sys.executable, __file__, "--one", mutant.name], env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{mutant.name}: {done.stderr}")
    return f"check: {done.stdout.strip()}" if done.returncode else ""


def check_one(mutant: Mutant) -> int:
    """Check the broken rule in this process, print the name of the check that fails, and return the exit code."""
    put_in(mutant, ROOT)
    check, games = (importlib.import_module(f"alehouse.envs.{name}") for name in ("core.verify.check", "games"))
    v = max(games.variants(mutant.where), key=lambda v: (len(v.modules), -abs(v.seats - 3)))
    failures = check.check_variant(v, GAMES)
    print(*(failure.split(", ")[2].partition(":")[0] for failure in failures[:1]))
    return int(bool(failures))


def one_result(job: tuple[Mutant, Path, bool]) -> tuple[Mutant, str]:
    """Return a mutant with what noticed it, or with ""."""
    mutant, root, check = job
    test = first_failure(mutant, root)
    return mutant, test or (checked(mutant) if check and mutant.where != "core" else "")


def each_result(mutants: list[Mutant], root: Path, jobs: int, check: bool) -> Iterator[tuple[Mutant, str]]:
    """Run the mutants, each in a process of its own; yield each with what noticed it."""
    os.environ |= {"NUMBA_DISABLE_JIT": "1"}
    for name in COSTLY:
        importlib.import_module(name)
    with multiprocessing.get_context("fork").Pool(jobs, maxtasksperchild=1) as pool:
        yield from pool.imap_unordered(one_result, [(mutant, root, check) for mutant in mutants])


def read(path: Path) -> dict[str, str]:
    """Return the results of earlier runs: what noticed each mutant, by the mutant's name."""
    return dict(map(json.loads, path.read_text(encoding="utf-8").splitlines())) if path.exists() else {}


def main() -> None:
    """Run the mutants and print the table."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("words", nargs="*", help="take mutants whose game or rule contains one of these")
    options.add_argument("--root", type=Path, default=ROOT, help="the checkout whose rules are broken and whose tests run")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="the number of mutants that run side by side")
    options.add_argument("--check", action="store_true", help="play what no test notices by the contract")
    options.add_argument("--results", type=Path, help="add the results to this file; mutants that stand in it do not run again")
    options.add_argument("--one", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    mutants = [Mutant(where, **row) for where, rows in listed.items() for row in rows]
    if chosen.one:
        sys.exit(check_one(next(m for m in mutants if m.name == chosen.one)))
    mutants = [m for m in mutants if not chosen.words or any(word in m.name for word in chosen.words)]
    results = read(chosen.results) if chosen.results else {}
    fresh = []
    for mutant in mutants:
        try:
            mutant.source(chosen.root)
            fresh += [mutant] if mutant.name not in results else []
        except ValueError as fault:
            print(f"stale: {fault}", file=sys.stderr)
    for k, (mutant, test) in enumerate(each_result(fresh, chosen.root, chosen.jobs, chosen.check)):
        results[mutant.name] = test
        print(f"{k + 1} of {len(fresh)}: {mutant.name}: {test or 'nothing noticed it'}", file=sys.stderr, flush=True)
        if chosen.results:
            with chosen.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps([mutant.name, test]) + "\n")
    print("| game | rule | noticed by |\n|---|---|---|")
    for mutant in mutants:
        print(f"| {mutant.where} | {mutant.rule} | {results.get(mutant.name) or '**nothing**'} |")
    noticed = sum(bool(results.get(mutant.name)) for mutant in mutants)
    print(f"{noticed} of {len(mutants)} noticed", file=sys.stderr)
    sys.exit(0 if noticed == len(mutants) else 1)


if __name__ == "__main__":
    main()
