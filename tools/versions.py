"""Try the lowest and the newest versions that pyproject.toml allows, with every Python on this machine, each in an environment of its own.

`python tools/versions.py` makes the environments in `.cache/versions/`, runs the tests of TESTS in each, and writes the table of
`docs/where_it_runs.md` anew. It needs a package registry. `--only 3.12-lowest` tries one.
"""

import argparse
import datetime
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / ".cache" / "versions"
PAGE = ROOT / "docs" / "where_it_runs.md"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PACKAGES = ("numba", "numpy", "gymnasium", "pettingzoo")
TOOLS = ("setuptools>=77", "pytest", "pytest-xdist", "hypothesis", "starlette", "httpx2", "jinja2")
TESTS = ("tests/envs/core/run/test_jit.py", "tests/envs/reference", "tests/envs/core/faces", "tests/envs/core/verify/test_goldens.py")
CHOSEN = "not tavern and not tiefenthal and not drawing"  # the small games and The Bloody Inn
BEGIN, END = "<!-- versions -->\n", "<!-- end of versions -->\n"


class Trial(NamedTuple):
    """A Python and a choice of versions, "lowest" or "newest"."""

    python: str
    choice: str

    @property
    def folder(self) -> Path:
        """The environment in which they are tried."""
        return HOME / f"{self.python}-{self.choice}"


def interpreter(python: str) -> str | None:
    """Return the program of a version of Python, from pyenv or from the path, or None if there is none here."""
    found = sorted(Path.home().glob(f".pyenv/versions/{python}.*/bin/python{python}"))
    return str(found[-1]) if found else shutil.which(f"python{python}")


def requirements(choice: str) -> list[str]:
    """Return what is installed: the lowest versions allowed, or the newest."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["cli"], *extras["pixels"]]
    return [re.sub(r">=([\d.]+),.*", r"==\1", one) for one in wanted] if choice == "lowest" else wanted


def run(*command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the checkout, and return what it says."""
    return subprocess.run(list(map(str, command)), cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)


def tried(trial: Trial, program: str) -> list[str]:
    """Return a row of the table: the versions that were installed, and what the tests said."""
    python = trial.folder / "bin" / "python"
    if not python.exists():
        run(program, "-m", "venv", trial.folder)
    steps = (["-m", "pip", "install", "-q", *TOOLS, *requirements(trial.choice)],
             ["-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "-e", ROOT])  # fmt: skip
    for step in steps:
        if (done := run(python, *step)).returncode:
            return [trial.python, trial.choice, *["?"] * len(PACKAGES), f"cannot be installed: {last(done.stderr)}"]
    told = run(python, "-c", f"from importlib.metadata import version as v; print(*map(v, {PACKAGES}), sep='\\n')").stdout.split()
    tested = run(
        python,
        "-m",
        "pytest",
        "-o",
        "addopts=",
        "-m",
        "not slow",
        "-q",
        "-r",
        "N",
        "-p",
        "no:cacheprovider",
        *TESTS,
        "-k",
        CHOSEN,
        NUMBA_CACHE_DIR=str(trial.folder / "kernels"),
    )
    (trial.folder / "tests.log").write_text(tested.stdout + tested.stderr, encoding="utf-8")
    return [trial.python, trial.choice, *told, last(tested.stdout).partition(", ")[0] if not tested.returncode else last(tested.stdout)]


def last(text: str) -> str:
    """Return the last line of a text."""
    return (text.strip().splitlines() or ["nothing said"])[-1]


def trials(only: str | None) -> Iterator[Trial]:
    """Yield what is tried."""
    for python in PYTHONS:
        for choice in ("lowest", "newest"):
            if only in (None, f"{python}-{choice}"):
                yield Trial(python, choice)


def main() -> int:
    """Try them all; return 1 if a test failed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", metavar="PYTHON-CHOICE")
    only, rows = options.parse_args().only, []
    for trial in trials(only):
        program = interpreter(trial.python)
        row = tried(trial, program) if program else [trial.python, trial.choice, *["-"] * len(PACKAGES), "no such Python on this machine"]
        rows.append("| " + " | ".join(row) + " |")
        print(rows[-1], flush=True)
    head = ["| Python | versions | " + " | ".join(PACKAGES) + " | tests |", "|" + "---|" * (len(PACKAGES) + 3)]
    table = "\n".join([f"Tried on {datetime.date.today().isoformat()}:", "", *head, *rows]) + "\n"
    if only is None:
        text = PAGE.read_text(encoding="utf-8")
        before, _, after = text.partition(BEGIN)
        PAGE.write_text(before + BEGIN + table + END + after.partition(END)[2], encoding="utf-8")
    return int(any("failed" in row or "error" in row or "cannot" in row for row in rows))


if __name__ == "__main__":
    sys.exit(main())
