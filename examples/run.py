"""Run examples, each in an environment of its own below .examples/, and write the versions that ran into docs/integrations.md.

Usage: python examples/run.py [NAME ...]; without names, all examples. Scripts that need the same packages share an environment. An example
whose packages cannot be installed is skipped. The exit code is 1 if an example failed.
"""

import datetime
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
PAGE = ROOT / "docs" / "integrations.md"
UV = Path(sys.executable).parent / "uv"
TESTING = ("pytest", "pytest-xdist", "hypothesis")  # what the tests of an adapter need besides
PATIENCE = 600  # seconds that an example may take
ALONE = {"PYTHONPATH": "", "OMP_NUM_THREADS": "1"}  # threads of torch that wait for each other are slow on a machine with other work
SHOWN = """
import importlib.metadata as known, sys
print(", ".join(["Python " + sys.version.split()[0], *(f"{name} {known.version(name)}" for name in sys.argv[1:])]))
"""


def main(names: list[str]) -> int:
    """Run the examples of these names, or all of them; return the exit code."""
    scripts = {path.stem: path for path in sorted(HERE.glob("*.py")) if path != Path(__file__)}
    for name in names:
        if name not in scripts:
            raise SystemExit(f"example {name!r}: one of {', '.join(scripts)}")
    results = {name: result(path) for name, path in scripts.items() if not names or name in names}
    PAGE.write_text(with_rows(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    return int(any(row.startswith("failed") for row, _ in results.values()))


def result(path: Path) -> tuple[str, str]:
    """Install what an example needs, run it and its tests; return how that ended, and the versions."""
    print(f"{path.stem}: ", end="", flush=True)
    head = header(path)
    needs, tests = head["dependencies"], head.get("tool", {}).get("alehouse", {}).get("tests")
    python, fault = installed([*needs, *(TESTING if tests else ())], head.get("tool", {}).get("uv", {}).get("override-dependencies", []))
    if fault:
        print(f"skipped, its packages cannot be installed: {fault}")
        return "skipped", fault
    versions = versions_in(python, needs)
    commands = [[str(path)], *([["-m", "pytest", "-m", "", str(ROOT / tests)]] if tests else [])]
    for command in commands:
        done = said(python, *command)
        if done.returncode:
            print(f"failed\n{done.stdout}{done.stderr}")
            return "failed", versions
    print(f"ran with {versions}")
    return "ran", versions


def versions_in(python: Path, needs: list[str]) -> str:
    """Return the versions of the packages of these requirements, and of those in the extras of Alehouse that they name."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    inside = [one for need in needs if "alehouse[" in need for one in extras[need.partition("[")[2].rstrip("]")]]
    return said(python, "-c", SHOWN, *dict.fromkeys([*(word(need) for need in [*needs, *inside]), "gymnasium", "numpy"])).stdout.strip()


def header(path: Path) -> dict[str, Any]:
    """Return the metadata that stand in comments at the head of a script (PEP 723)."""
    text = re.search(r"^# /// script\n((?:#.*\n)+?)# ///$", path.read_text(encoding="utf-8"), re.MULTILINE)
    if text is None:
        raise SystemExit(f"{path}: it has no header that names its packages")
    return tomllib.loads(re.sub(r"^# ?", "", text[1], flags=re.MULTILINE))


def word(need: str) -> str:
    """Return the name of a package out of a requirement."""
    return re.match(r"[\w.-]+", need)[0]


def installed(needs: list[str], instead: list[str]) -> tuple[Path, str]:
    """Return the Python of an environment with these packages and, if they cannot be installed, the reason.

    uv installs them: it keeps one copy of what several environments have. The requirements `instead` replace what packages say they need.
    """
    title = "+".join(re.sub(r"[^\w.-]+", "_", need).strip("_") for need in sorted(needs))
    home = ROOT / ".examples" / title
    python, ready = home / "bin" / "python", home / "ready"
    if not ready.exists():
        said(UV, "venv", "--quiet", "--clear", "--python", sys.executable, str(home))
        [torch] = re.findall("^torch==.*", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
        (home / "constraints.txt").write_text(torch, encoding="utf-8")
        (home / "overrides.txt").write_text("\n".join(instead), encoding="utf-8")
        sources = [["--editable", str(ROOT) + need.removeprefix("alehouse")] if word(need) == "alehouse" else [need] for need in needs]
        packages = [part for source in sources for part in source]
        rules = ["--constraint", str(home / "constraints.txt"), "--override", str(home / "overrides.txt")]
        done = said(UV, "pip", "install", "--quiet", "--python", str(python), *rules, *packages)
        if done.returncode:
            return python, reason(done.stderr)
        ready.touch()
    return python, ""


def reason(errors: str) -> str:
    """Return the line that says why an installation failed: the last error of a build, or what cannot go together."""
    lines = [line.strip() for line in errors.splitlines() if re.match(r"\s*[\w.]+(Error|Exception): ", line)]
    return lines[-1] if lines else " ".join(errors.split())[:300]


def said(program: Path | str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program and return what it wrote."""
    command = [str(program), *arguments]
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, env=os.environ | ALONE)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"stopped after {PATIENCE} seconds")


def with_rows(page: str, results: dict[str, tuple[str, str]]) -> str:
    """Return the page with new rows for these examples in its table of versions."""
    before, table, after = re.split(r"(?<=\| --- \| --- \| --- \|\n)((?:\|.*\n)*)", page, maxsplit=1)
    rows = {re.match(r"\| \[(\w+)", row)[1]: row for row in table.splitlines()}
    today = datetime.date.today().isoformat()
    for name, (outcome, versions) in results.items():
        rows[name] = f"| [{name}](../examples/{name}.py) | {outcome} on {today} | {versions} |"
    return before + "".join(f"{rows[name]}\n" for name in sorted(rows)) + after


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
