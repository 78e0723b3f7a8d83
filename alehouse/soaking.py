"""Runs long jobs under faults and damages files, to see whether anything is lost: the trials of `alehouse soak`.

A job runs as a command line in a process of its own (see `faults`), which is forked, so that it starts in milliseconds. It is killed, finds
a full disk, a torn file or a clock that jumps, and is started again until it is done. Its result must be that of the same job without
faults. A torn file may also be refused in one line; it is then put back.
"""

import contextlib
import hashlib
import importlib
import json
import random
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.network_file import SHIPPED, read_net
from alehouse.agents.value import SHIPPED as VALUES
from alehouse.agents.value import read_value
from alehouse.benchmarks import kept_decisions
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.random_games import play
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from alehouse.faults import PATIENCE, Ended, damaged, full_disk, jumping_clock, run, torn, unharmed
from alehouse.matches.match import Match

STARTS = 40  # after this many starts a job may finish undisturbed
CHUNK = 100_000  # games that are played at a time
AGAIN = 10  # one in this many chunks is played twice
DAMAGED = 200  # files damaged before time is looked at again
RECORDS = (".npz", ".parquet", ".csv")
STRIPPED = ("folder", "us_per_decision", "seconds", "minutes")  # what a result says of folders and clocks


class Tally:
    """Counts what was done, and lists what was lost."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.failures: list[str] = []

    def add(self, what: str, many: int = 1) -> None:
        """Count something."""
        self.counts[what] = self.counts.get(what, 0) + many

    def figures(self) -> dict[str, int]:
        """Return the counts by name."""
        return dict(sorted(self.counts.items()))


class Job(NamedTuple):
    """A command that can go on after it was stopped, and what its result is."""

    begin: tuple[str, ...]
    go_on: tuple[str, ...]
    started: str  # the command goes on once there is such a file in its folder
    lines: str  # what a person types
    result: Callable[[Path, Ended], Any]


def jobs(seed: int) -> dict[str, Job]:
    """Return the jobs, with OUT for the folder of a run."""
    tiny = ("tables=32", "batch=512", "minibatch=128", "width=16")
    arena = ("arena", "kuhn_poker", "--agents", "heuristic,uniform", "--blocks", "40000", "--threads", "1", "--json")
    balance = ("balance", "connect_four", "--agents", "greedy", "--blocks", "20000", "--threads", "1", "--json")
    train = (
        "train", "kuhn_poker", "--json", "--opponents", "uniform", "--samples", "6144", "--threads", "1", "--engine", "sparse",
        *(word for change in tiny for word in ("--set", change)),
    )  # fmt: skip
    match = ("play", "connect_four", "--vs", "heuristic")
    luck = ("--seed", str(seed))
    return {
        "arena": Job(*2 * ((*arena, *luck, "--out", "OUT"),), "", "", printed),
        "balance": Job(*2 * ((*balance, *luck, "--out", "OUT"),), "", "", recorded),
        "train": Job(*2 * ((*train, *luck, "--out", "OUT"),), "", "", trained),
        "play": Job((*match, *luck, "--out", "OUT/match"), ("play", "--continue", "OUT/match"), "match", "1\n" * 200, matched),
    }


def printed(folder: Path, ended: Ended) -> Any:
    """Return the JSON that a command printed, without clocks and folders."""

    def stripped(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: stripped(value) for key, value in part.items() if key not in STRIPPED}
        return [stripped(value) for value in part] if isinstance(part, list) else part

    return stripped(json.loads(ended.out))


def recorded(folder: Path, ended: Ended) -> Any:
    """Return digests of the tables that a study has recorded; its page is left out because it shows clocks."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.*") if path.suffix in RECORDS}


def trained(folder: Path, ended: Ended) -> Any:
    """Return the digest of the weights, and how many decisions they learnt from."""
    said = json.loads(ended.out)
    return said["weights"], said["samples"]


def matched(folder: Path, ended: Ended) -> Any:
    """Return the moves of a match, or nothing if it is not over: a person who cannot write it down leaves it."""
    match = Match.open(folder / "match")
    return match.actions if match.over else None


# Trials


def tried_job(name: str, tally: Tally, luck: random.Random) -> None:
    """Run a job without faults, then with faults until it is done, and compare the results."""
    job = jobs(luck.randrange(2**32))[name]
    with tempfile.TemporaryDirectory() as home:
        whole, cut = Path(home) / "whole", Path(home) / "cut"
        start = time.monotonic()
        ended = run(placed(job, whole), job.lines, unharmed, PATIENCE)
        took = time.monotonic() - start
        if ended.code:
            tally.failures.append(f"{name}: without faults it ended with {ended.code}: {last(ended.err)}")
            return
        wanted = job.result(whole, ended)
        for starts in range(STARTS + 1):
            if disturbed(name, job, cut, tally, luck, took if starts < STARTS else PATIENCE, wanted):
                break
        tally.add(f"{name}: jobs done")


def disturbed(name: str, job: Job, cut: Path, tally: Tally, luck: random.Random, took: float, wanted: Any) -> bool:
    """Start a job with a fault; return whether it came to its end."""
    kind = luck.choice((*["kill"] * 9, "full disk", "torn file", "clock")) if took < PATIENCE else "none"
    spoilt = torn(cut, luck) if kind == "torn file" and cut.exists() else None
    fault = {"full disk": full_disk(luck.choice((0, 100, 1000, 5000))), "clock": jumping_clock(luck)}.get(kind, unharmed)
    seconds = luck.uniform(0, 0.8 * took) if kind == "kill" else PATIENCE
    ended = run(placed(job, cut), job.lines, fault, seconds)
    tally.add(
        f"{name}: {'killed' if ended.code == -signal.SIGKILL else {'kill': 'not disturbed', 'none': 'not disturbed'}.get(kind, kind)}"
    )
    if kind != "kill" and ended.code == -signal.SIGKILL:
        tally.failures.append(f"{name}: hangs after {kind}")
    if ended.code == 2 and kind in ("full disk", "torn file") and len(ended.err.strip().splitlines()) >= 1 and "Traceback" not in ended.err:
        tally.add(f"{name}: {kind} told in one line")
        if spoilt is not None:
            spoilt[0].write_bytes(spoilt[1])
        return False
    if ended.code == -signal.SIGKILL:
        return False
    if ended.code:
        tally.failures.append(f"{name}: {kind}: it ended with {ended.code}: {last(ended.err)}")
        shutil.rmtree(cut, ignore_errors=True)
        return False
    found = job.result(cut, ended)
    if found is None:
        return False
    if found != wanted:
        tally.failures.append(f"{name}: {kind}: another result than without faults")
    return True


def placed(job: Job, folder: Path) -> list[str]:
    """Return the words of a command in its folder: those that begin it, or those that go on."""
    folder.mkdir(exist_ok=True)
    words = job.go_on if job.started and (folder / job.started).exists() else job.begin
    return [word.replace("OUT", str(folder)) for word in words]


def last(text: str) -> str:
    """Return the last line of a text."""
    return (text.strip().splitlines() or ["nothing"])[-1][:200]


class Kept(NamedTuple):
    """A file, and how to read it: what is read must be what was written, or a refusal."""

    name: str
    data: bytes
    read: Callable[[Path], Any]


def kept(folder: Path) -> list[Kept]:
    """Write a file of each kind, and return them."""
    t = Tables("connect_four", n=2, autoreset=False)
    for _ in range(6):
        t.step(t.sample())
    t.save(folder / "tables.npz")
    t.determinize(0, 1).save(folder / "redealt.npz")
    t.replay(0).save(folder / "replay.json")
    even = [[0.5] * 7]
    kept_decisions.write(kept_decisions.Kept("heuristic", "", 2, ("connect_four-2p",), [[3]], even, even), folder / "kept.npz")
    match = Match.new("kuhn_poker", ("uniform", "human"), 1, folder / "match.jsonl")
    for _ in match.play_on():
        pass
    match.act(match.tables.mask[0].argmax())
    tiefenthal = game("tiefenthal")

    def moves(path: Path) -> Any:
        found = Match.open(path).actions
        return found == match.actions[: len(found)]  # the end of a journal may be lost, and no more

    found = {
        "tables.npz": lambda path: Tables.load(path).states.tobytes(),
        "redealt.npz": lambda path: Tables.load(path).states.tobytes(),
        "replay.json": lambda path: Replay.load(path),
        "kept.npz": lambda path: kept_decisions.read(path),
        "match.jsonl": moves,
    }
    read: list[Kept] = [Kept(name, (folder / name).read_bytes(), one) for name, one in found.items()]
    read.append(
        Kept("net.safetensors", (SHIPPED / "tiefenthal.safetensors").read_bytes(), lambda path: read_net(path, tiefenthal)[0].tobytes())
    )
    value = (VALUES / "tiefenthal.safetensors").read_bytes()
    read.append(
        Kept("value.safetensors", value, lambda path: b"".join(np.asarray(part).tobytes() for part in read_value(path, tiefenthal)[0]))
    )
    return read


def damage_files(tally: Tally, luck: random.Random) -> None:
    """Damage files of each kind and read them: what is read must be whole, or refused by a ValueError."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        for one in kept(folder):
            path, wanted = folder / one.name, one.read(folder_file(folder, one))
            for _ in range(DAMAGED):
                path.write_bytes(damaged(one.data, luck))
                tally.add(f"files: {one.name} damaged")
                try:
                    found = one.read(path)
                except ValueError:
                    tally.add("files: refused")
                    continue
                except Exception as error:
                    tally.failures.append(f"{one.name}: {type(error).__name__}: {error}")
                    continue
                tally.add("files: read as they were")
                if found != wanted:
                    tally.failures.append(f"{one.name}: something else was read")


def folder_file(folder: Path, one: Kept) -> Path:
    """Write a file as it was, and return its path."""
    (folder / one.name).write_bytes(one.data)
    return folder / one.name


def play_on(variants: Sequence[Variant], tally: Tally, luck: random.Random) -> None:
    """Play many random games; now and then play them a second time, which must give the same results."""
    for v in variants:
        seed = luck.randrange(2**32)
        found = play(v, CHUNK, seed)
        tally.add("games", CHUNK)
        tally.add("decisions", int(found.decisions.sum()))
        if luck.randrange(AGAIN) == 0:
            half = [play(v, CHUNK // 2, seed, first) for first in (0, CHUNK // 2)]
            again = [np.concatenate([getattr(part, name) for part in half]) for name in found._fields]
            if not all(np.array_equal(getattr(found, name), one) for name, one in zip(found._fields, again, strict=True)):
                tally.failures.append(f"{v}: the games of seed {seed} went differently when they were played again")
            tally.add("decisions", int(again[2].sum()))


BEFORE = ("alehouse.training.lean", "torch.utils.tensorboard", "alehouse.benchmarks.balance.study", "choix", "openskill", "polars")
TRIALS = ("arena", "balance", "train", "play", "files", "decisions")


def soaked(
    names: Sequence[str], variants: Sequence[Variant], minutes: float, seed: int, tally: Tally
) -> Generator[tuple[int, int], None, None]:
    """Do the trials in turn until the time is over; yield the seconds so far and in all."""
    for module in BEFORE:  # so that forked processes need not import them
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    luck, start, size = random.Random(seed), time.monotonic(), memory()
    while (passed := time.monotonic() - start) < 60 * minutes:
        for name in names:
            if name == "files":
                damage_files(tally, luck)
            elif name == "decisions":
                play_on(variants, tally, luck)
            else:
                tried_job(name, tally, luck)
            yield int(passed), int(60 * minutes)
    tally.add("memory grown by kB", memory() - size)


def memory() -> int:
    """Return how many kB of memory this process has needed at most."""
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
