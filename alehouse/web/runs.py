"""Finds the runs in a folder (training, arenas, balance studies, sweeps, replays) and reads what each says so far."""

import csv
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from alehouse.benchmarks.balance import examples
from alehouse.envs.core.run.files import DAMAGE, parsed, read_text, read_within
from alehouse.envs.core.run.replay import FORMAT
from alehouse.training import metrics

DEEP = 5  # folders below the folder of runs that are looked into
MOST = 300  # runs that are listed, the latest ones
LIVE = 60.0  # a run that changed within these seconds still grows
REPORT = "report.html"
JOBS = {"alehouse-arena": "arena", "alehouse-balance": "balance"}
KINDS = ("replay", "training", "arena", "balance", "sweep")


class Run(NamedTuple):
    """Something in the folder of runs that has a page."""

    kind: str  # one of KINDS
    name: str  # its path below the folder of runs
    changed: float  # when it last changed, in seconds since 1970

    @property
    def live(self) -> bool:
        """Return whether it still grows."""
        return time.time() - self.changed < LIVE


def inside(root: Path, name: str) -> Path:
    """Return the path of a name below the folder of runs; a ValueError if it leads out of it, or to something hidden."""
    path = (root / name).resolve()
    if not path.is_relative_to(root.resolve()) or any(part.startswith(".") for part in Path(name).parts):
        raise ValueError(f"{name!r}: not below the folder of runs")
    return path


def found(root: Path) -> list[Run]:
    """Return the runs in a folder, the latest first."""
    runs = list[Run]()
    for folder, below, files in os.walk(root):
        here = Path(folder)
        below[:] = sorted(name for name in below if not name.startswith(".")) if len(here.relative_to(root).parts) < DEEP else []
        runs += listed(here, root, files)
    return sorted(runs, key=lambda run: -run.changed)[:MOST]


def listed(folder: Path, root: Path, files: list[str]) -> Iterator[Run]:
    """Yield the runs that lie directly in a folder."""
    paths = [folder / name for name in files if not name.startswith(".")]
    kind = kind_of(folder, files)
    if kind:
        yield Run(kind, str(folder.relative_to(root)), max(changed(path) for path in paths))
        return
    for path in paths:
        if path.suffix == ".json" and replayed(path):
            yield Run("replay", str(path.relative_to(root)), changed(path))


def kind_of(folder: Path, files: list[str]) -> str:
    """Return the kind of run whose folder this is, or ""."""
    if metrics.FILE in files:
        return "training"
    if "sweep.csv" in files:
        return "sweep"
    job = read_json(folder / "job.json") if "job.json" in files else None
    text = str(job.get("format")) if isinstance(job, dict) else ""
    return JOBS.get(text.rpartition("-")[0], "")


def changed(path: Path) -> float:
    """Return when a file last changed; 0 if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def replayed(path: Path) -> bool:
    """Return whether a file ends as a replay does."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, path.stat().st_size - 2 * len(FORMAT)))
            return FORMAT.encode() in file.read(2 * len(FORMAT))
    except OSError:
        return False


def run_at(root: Path, name: str) -> Run:
    """Return the run of a name; a ValueError if there is none."""
    path = inside(root, name)
    folder = path if path.is_dir() else path.parent
    files = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
    for run in listed(folder, root.resolve(), files):
        if inside(root, run.name) == path:
            return run
    raise ValueError(f"{name!r}: there is no run of this name")


def read_json(path: Path) -> Any:
    """Return what a file of JSON holds; None if it is missing or damaged."""
    try:
        return parsed(read_text(path))
    except (*DAMAGE, RecursionError):
        return None


def arena(folder: Path) -> dict[str, Any]:
    """Return what an arena says so far: its job, how many blocks are stored, and its result once there is one."""
    job, result = read_json(folder / "job.json"), read_json(folder / "result.json")
    ends = [path.stem.rpartition("-")[2] for path in folder.glob("blocks-*.npz")]
    names = [str(agent["name"]) for agent in job["agents"]]
    rows = list[dict[str, Any]]()
    if result is not None:
        rated = (result["ratings"] or {}).get("agents", [None] * len(result["agents"]))
        rows = [{**agent, "rating": one} for agent, one in zip(result["agents"], rated, strict=True)]
    return {"variant": job["variant"], "names": names, "stored": max(map(int, ends), default=0), "result": result, "rows": rows}


def balance(folder: Path) -> dict[str, Any]:
    """Return what a balance study says so far: its job, how many blocks are stored, and whether its report is written."""
    job = read_json(folder / "job.json")
    ends = [path.stem.rpartition("-")[2] for path in folder.glob("agent*-blocks-*.npz")]
    stored, written = max(map(int, ends), default=0), (folder / REPORT).exists()
    return {"cells": job["cells"], "names": job["agents"], "stored": stored, "report": written, "games": list(games_shown(folder))}


def games_shown(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the replays of a balance study with what each shows, and for which agent."""
    for path in sorted((folder / examples.FOLDER).glob("agent*.json")):
        agent, _, rest = path.stem.removeprefix("agent").partition("-")
        measure = rest.rpartition("-")[0].replace("-", " ")
        if measure in examples.SHOWN:
            yield {
                "file": f"{examples.FOLDER}/{path.name}",
                "agent": agent,
                "shows": examples.SHOWN[measure],
                "rank": rest.rpartition("-")[2],
            }


def sweep(folder: Path) -> dict[str, Any]:
    """Return the table of a sweep."""
    rows = list(csv.reader(read_text(folder / "sweep.csv").splitlines()))
    return {"columns": rows[0], "rows": rows[1:MOST]}


def training(folder: Path) -> dict[str, Any]:
    """Return the record of a training run: its rows, and the latest shares of the win."""
    rows = list(metrics.rows(folder))
    return {"rows": rows, "last": rows[-1] if rows else None}


READ = {"arena": arena, "balance": balance, "sweep": sweep, "training": training}


def facts(root: Path, run: Run) -> dict[str, Any]:
    """Return what a run says so far; a ValueError if its files are damaged."""
    try:
        return READ[run.kind](inside(root, run.name))
    except (*DAMAGE, RecursionError) as error:
        raise ValueError(f"{run.name}: its files cannot be read ({type(error).__name__}: {error})") from None


def report(root: Path, name: str) -> bytes:
    """Return the report of a balance study, a page of HTML."""
    return read_within(inside(root, name) / REPORT, 1 << 26)
