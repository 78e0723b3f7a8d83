"""What the commands of the balance lab share: agents, studies in folders, and playing behind a progress bar."""

import contextlib
import hashlib
import importlib.util
import json as json_of
import math
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from alehouse import players
from alehouse.agents import Agent
from alehouse.agents.timed import Timed
from alehouse.commands import show
from alehouse.commands.interrupt import pressed
from alehouse.envs.core.declare.game import Game

if TYPE_CHECKING:
    from alehouse.benchmarks.balance.design import Design
    from alehouse.benchmarks.balance.study import PlayChunks, Study

RUNS = Path("runs/balance")
LIBRARIES = ("scipy", "polars", "matplotlib")  # libraries that the extra "study" installs
PLACES = ("threads", "ray")


def have_libraries() -> None:
    """Raise a ValueError that names missing libraries, if the lab needs any."""
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        raise ValueError(f"the balance lab needs {', '.join(missing)}: pip install 'alehouse[study]'")


def check_minutes(minutes: float) -> None:
    """Raise a ValueError if there is no time to play."""
    if not math.isfinite(minutes) or minutes <= 0:
        raise ValueError(f"--minutes {minutes:g}: more than 0")


def thread_count(threads: int | None) -> int:
    """Return how many threads to use."""
    most = int(numba.config.NUMBA_NUM_THREADS)
    return min(threads, most) if threads else most


def team_of(text: str, spec: Game, threads: int) -> list[Agent]:
    """Return the agents of these names; raise a ValueError for one that might play differently when repeated."""
    names = players.names(text)
    for name in names:
        if not players.trusted(name):
            raise ValueError(f"agent {name!r}: the balance lab plays {', '.join(players.LADDER)}, net")
    team = [players.player(name, spec, threads) for name in names]
    for k, agent in enumerate(team):
        if isinstance(agent, Timed):
            raise ValueError(f"agent {agent.name!r}: a limit in milliseconds gives different games every time; give it iterations")
        if agent.name in [other.name for other in team[:k]]:
            raise ValueError(f"--agents {text}: {agent.name!r} twice")
    return team


def chunk_player(on: str, blocks: int | None, threads: int) -> "PlayChunks":
    """Return the function that plays chunks of the experiment."""
    from alehouse.benchmarks.balance.on_ray import on_ray
    from alehouse.benchmarks.balance.study import on_this_machine

    if on not in PLACES:
        raise ValueError(f"--on {on}: one of {', '.join(PLACES)}")
    if on == "ray" and blocks is None:
        raise ValueError("--on ray: the time is measured on this machine alone; give --blocks")
    return on_ray if on == "ray" else on_this_machine(threads)


def known_numbers(design: "Design", asked: bool, confirmed: Collection[str] = ()) -> tuple[str, ...] | None:
    """Return the guesses that cells fix or an owner confirmed, which are not drawn; None if no other guess matters in the cells."""
    from alehouse.benchmarks.balance.rule_sets import unknown_numbers

    known = tuple(sorted({*confirmed, *(key for v in design.cells for key, _ in v.overrides)}))
    if unknown_numbers(design.cells, known):
        return known
    if asked:
        raise ValueError(f"--unknown: no number of {design.spec.name} that matters here is a guess")
    return None


def studies_of(
    design: "Design",
    names: Sequence[str],
    team: Sequence[Agent],
    seed: int,
    where: "PlayChunks",
    out: Path | None,
    title: str,
    known: tuple[str, ...] | None = None,
    blocks: int | None = None,
) -> "list[Study]":
    """Return the studies of a design, one for each agent, in one folder, after checking the number of blocks if one was asked for.

    They draw rule sets unless `known` is None.
    """
    from alehouse.benchmarks.balance import rule_sets
    from alehouse.benchmarks.balance.store import Store, description
    from alehouse.benchmarks.balance.study import Job, Study, check_blocks, chunk_size

    drawn = [None if known is None else rule_sets.of_study(design.cells, agent, known) for agent in team]
    jobs = [Job(design.cells, agent, seed, one) for agent, one in zip(team, drawn, strict=True)]
    if blocks is not None:
        for job in jobs:
            check_blocks(job, blocks)
    described = description(design.cells, names, seed, [chunk_size(job) for job in jobs], drawn)
    store = Store(out or RUNS / f"{title}-{digest(described)}", described)
    return [Study(design, job, store, where, k) for k, job in enumerate(jobs)]


def digest(described: dict[str, Any]) -> str:
    """Return a short digest of a description, for the name of a folder."""
    return hashlib.sha256(json_of.dumps(described, sort_keys=True).encode()).hexdigest()[:12]


def play_all(studies: "Sequence[Study]", blocks: int | None, minutes: float) -> bool:
    """Play the studies of a run one after another; return whether Ctrl-C stopped them early."""
    show.compiled([studies[0].design.cells[0]])
    due = [announce(study, study.whole(blocks or study.plan(minutes / len(studies)))) for study in studies]
    cut = False
    for study, most in zip(studies, due, strict=True):
        cut = cut or follow(study, most, f"{study.design.spec.name}, {study.job.agent.name}")
    return cut


def announce(study: "Study", due: int) -> int:
    """Say what will be played and what that can show, judging by the first chunk; return the number of blocks."""
    if study.blocks == 0:
        next(study.play(due), None)
    cells, smallest = len(study.design.cells), study.smallest(due)
    drawn = f" of {due // study.each:,} rule sets" if study.job.rule_sets else ""
    print(f"{study.job.agent.name}: {cells} cells, {due:,} blocks{drawn}, {due * cells:,} games.", file=sys.stderr)
    if smallest is not None:
        from alehouse.benchmarks.balance.measures import MEASURES

        seen = ", ".join(f"{m.name} {size:.2g} {m.unit}" for m, size in zip(MEASURES, smallest, strict=True))
        print(f"Smallest main effects that will probably (80 %) be found: {seen}.", file=sys.stderr)
    return due


def follow(study: "Study", due: int, title: str) -> bool:
    """Play behind a progress bar that shows how the interval shrinks; return whether Ctrl-C stopped it early."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
        contextlib.suppress(KeyboardInterrupt),
        contextlib.closing(study.play(due)) as steps,
    ):
        task = bar.add_task(title, total=due, completed=study.blocks)
        for step, (done, _) in enumerate(steps):
            if console.is_terminal and (step < 10 or step % 10 == 0) and not math.isnan(study.width()):
                bar.update(task, description=f"{title} ± {study.width():.2f} points of share")
            bar.update(task, completed=done)
            if pressed():
                break
    return pressed()
