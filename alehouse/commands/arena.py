"""`alehouse arena`: let agents play each other, and show how certain the result is."""

import contextlib
import dataclasses
import functools
import importlib.util
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import numba
import typer

from alehouse import players
from alehouse.benchmarks.arena import league
from alehouse.benchmarks.arena.figures import Figure
from alehouse.benchmarks.arena.lineup import check_line_up
from alehouse.benchmarks.arena.on_ray import on_ray
from alehouse.benchmarks.arena.play import Job, Span, all_quick, blocks_a_span
from alehouse.benchmarks.arena.ratings import Ratings
from alehouse.benchmarks.arena.run import Arena, Report, Row
from alehouse.benchmarks.arena.stopping import rule_of
from alehouse.benchmarks.arena.store import Store, description, folder_of
from alehouse.benchmarks.arena.workers import Played, in_this_process, on_processes
from alehouse.commands import config, past_games, show, variants
from alehouse.envs.core.declare.game import Variant

RUNS = Path("runs/arena")
LIBRARIES = ("scipy", "choix", "openskill", "polars")  # libraries that the extra "study" installs
PLACES = ("threads", "processes", "ray")
HEADINGS = ("agent", "share", "95 %", "utility", "95 %", "score", "95 %", "paired", "us/decision", "steps/decision", "forfeits")

Agents = Annotated[str | None, typer.Option("--agents", metavar="A,B,C", help="Agents as names, FILE.py:NAME or process:COMMAND.")]
Count = Annotated[
    int | None, typer.Option("--blocks", min=1, help="Play this many blocks; a block is one seed with the agents in all seat rotations.")
]
Width = Annotated[
    str | None,
    typer.Option("--until", metavar="1pp", help="Play until each share of the win is known within this many percentage points (default)."),
]
Test = Annotated[
    str | None,
    typer.Option(
        "--sprt", metavar="25:27", help="Play until the first agent's share is surely above the first of these, or below the second."
    ),
]
Where = Annotated[
    str | None,
    typer.Option("--on", metavar="|".join(PLACES), help="Where to play (default: threads for built-in agents)."),
]
Threads = Annotated[int | None, typer.Option(min=1, help="Number of threads or processes (default: one per core).")]
Batch = Annotated[int, typer.Option(min=1, help="Games played side by side, for agents written in Python.")]
Limit = Annotated[float, typer.Option(min=0.001, help="Seconds that an agent from outside the package has for a decision.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help=f"The folder of the run; by default one in {RUNS}.")]
Again = Annotated[
    str | None,
    typer.Option("--replay", metavar="BLOCK,ROTATION", help="Write a game of a run as a replay file; GAME is the folder of the run then."),
]
League = Annotated[Path | None, typer.Option("--league", metavar="FILE", help="Add the games to the long-term league in this file.")]


def arena(
    what: variants.What,
    agents: Agents = None,
    seats: variants.Seats = None,
    modules: variants.Modules = None,
    length: variants.Length = None,
    changes: variants.Set = None,
    rules: variants.Rules = None,
    blocks: Count = None,
    until: Width = None,
    sprt: Test = None,
    seed: show.Seed = 0,
    on: Where = None,
    threads: Threads = None,
    batch: Batch = 64,
    limit: Limit = players.LIMIT,
    out: Out = None,
    league_file: League = None,
    again: Again = None,
    settings: config.Config = None,
    json: show.Json = False,
) -> int:
    """Let agents play each other; print shares of the win, utilities, scores and ratings. The same command continues a stopped run."""
    given = locals()
    have_libraries()
    if again is not None:
        return write_replay(Path(what), again, out)
    if agents is None:
        raise ValueError("--agents: say which agents play")
    v = variants.variant_of(what, seats, modules, length, changes, rules)
    rule = rule_of(blocks, until, sprt)
    names = players.names(agents)
    check_line_up(len(names), v.seats)
    if sprt is not None and 2 < len(names) < v.seats:
        raise ValueError(f"--sprt {sprt}: give two agents, or one for each of the {v.seats} seats")
    if league_file is not None:
        league.read(league_file, str(v))
    with contextlib.redirect_stdout(sys.stderr):  # agents may print; stdout is for results only
        job, run_on, size = prepared(v, names, seed, on, threads, batch, limit)
        described = description(job, [players.fingerprint(name) for name in names])
        store = Store(out or folder_of(described, RUNS), described)
        config.write(store.folder / config.FILE, arena, given)
        job = dataclasses.replace(job, secret=store.secret)
        run = Arena(job, rule, store, size)
        show.compiled([v])
        cut = show.follow(run.play(functools.partial(run_on, job)), f"{v}: {' against '.join(names)}")
    if not run.parts:
        print(f"alehouse: nothing is done yet; the same command goes on in {store.folder}", file=sys.stderr)
        return show.status(cut)
    report = run.report()
    rated = run.rated(report)
    run.write(report, rated)
    standings = enter(league_file, store, job, report) if league_file is not None else None
    if json:
        show.write_json(answer(v, report, rated, standings, store.folder))
    else:
        write(v, report, rated, standings, store.folder)
    for name, lost, block, why in report.forfeits:
        print(
            f"alehouse: agent {name!r} forfeited {lost} of {len(report.games.block)} games, first in block {block}: {why}", file=sys.stderr
        )
    return show.status(cut, bool(report.forfeits))


def write_replay(run: Path, text: str, out: Path | None) -> int:
    """Write the replay of a game of a run, into the run's folder by default."""
    block, _, rotation = text.partition(",")
    if not block.isdecimal() or not rotation.isdecimal():
        raise ValueError(f"--replay {text}: BLOCK,ROTATION as two whole numbers, such as 3,0")
    replay = past_games.replay_of(run, int(block), int(rotation))
    path = out or run / f"replay-{int(block)}-{int(rotation)}.json"
    replay.save(path)
    print(f"{path}: {len(replay.actions)} moves of {replay.variant}")
    return 0


def have_libraries() -> None:
    """Raise a ValueError that names missing libraries, if the figures need any."""
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        raise ValueError(f"the arena needs {', '.join(missing)}: pip install 'alehouse[study]'")


def prepared(
    v: Variant, names: tuple[str, ...], seed: int, on: str | None, threads: int | None, batch: int, limit: float
) -> tuple[Job, Callable[[Job, Iterable[Span]], Played], int]:
    """Return the description of the run, the function that plays its spans of blocks, and the number of blocks in a span."""
    most = int(numba.config.NUMBA_NUM_THREADS)
    count = min(threads, most) if threads else most
    own = all(players.trusted(name) for name in names)
    place = on or ("threads" if own else "processes")
    if place not in PLACES:
        raise ValueError(f"--on {place}: one of {', '.join(PLACES)}")
    inside = count if place == "threads" else 1
    limits = tuple(None if players.trusted(name) else limit for name in names)
    make = functools.partial(players.line_up, names, str(v), inside, limit)
    job = Job(str(v), names, make, limits, seed, batch)
    size = blocks_a_span(job, all_quick(v, make()))
    where: dict[str, Callable[[Job, Iterable[Span]], Played]] = {
        "threads": lambda job, spans: in_this_process(job, spans, count),
        "processes": lambda job, spans: on_processes(job, spans, count),
        "ray": on_ray,
    }
    return job, where[place], size


def enter(path: Path, store: Store, job: Job, report: Report) -> dict[str, Any]:
    """Add the games of this run to a league, and write its file."""
    standings = league.entered(league.read(path, job.variant), store.folder.name, report.games, job.names)
    league.write(path, standings)
    return standings


def answer(v: Variant, report: Report, rated: Ratings | None, standings: dict[str, Any] | None, folder: Path) -> dict[str, Any]:
    """Return the result in the form that `--json` prints."""
    agents = [
        {
            "name": row.name,
            "share": row.share.mean,
            "low": row.share.low,
            "high": row.share.high,
            "utility": row.utility.mean,
            "utility_low": row.utility.low,
            "utility_high": row.utility.high,
            "score": row.score.mean,
            "score_low": row.score.low,
            "score_high": row.score.high,
            "paired": row.variance_saved,
            "us_per_decision": row.us_per_decision,
            "steps_per_decision": row.steps_per_decision,
            "forfeits": row.forfeits,
        }
        for row in report.rows
    ]
    return {
        "game": v.game,
        "variant": str(v),
        "games": len(report.games.block),
        "agents": agents,
        "blocks": report.blocks,
        "parity": 1 / v.seats,
        "verdict": report.verdict,
        "ratings": rated and {"anchor": rated.anchor, "agents": [one._asdict() for one in rated.agents]},
        "league": standings and standings["ratings"],
        "forfeits": [dict(zip(("agent", "games", "block", "why"), one, strict=True)) for one in report.forfeits],
        "folder": str(folder),
    }


def write(v: Variant, report: Report, rated: Ratings | None, standings: dict[str, Any] | None, folder: Path) -> None:
    """Print the tables: agents, their ratings, the league."""
    show.write_table(HEADINGS, [cells(row) for row in report.rows])
    print(f"{len(report.games.block):,} games of {v} in {report.blocks:,} blocks; parity {1 / v.seats:.2%}.")
    print("Intervals: block bootstrap. Paired: the part of the share's variance that rotating seats in blocks saved.")
    if report.verdict:
        print(f"Sequential test: {report.verdict}.")
    if rated is not None:
        rows = [(row.name, *one) for row, one in zip(report.rows, rated.agents, strict=True)]
        zero = "0 is their mean" if rated.anchor == "mean" else f"{rated.anchor} is 0"
        show.write_table(("agent", f"Plackett-Luce rating ({zero}, 400 is ten to one)", "low", "high"), rows)
    if standings is not None:
        table = sorted(standings["ratings"].items(), key=lambda item: 3 * item[1]["sigma"] - item[1]["mu"])
        show.write_table(("league", "mu", "sigma", "games"), [(name, one["mu"], one["sigma"], one["games"]) for name, one in table])
    print(f"Every game and the payoff table: {folder}")


def cells(row: Row) -> tuple[Any, ...]:
    """Return an agent's row for the table of agents."""
    measures = (*interval(row.share, ".2%"), *interval(row.utility, "+.3f"), *interval(row.score, ".2f"))
    paired = None if row.variance_saved is None else f"{row.variance_saved:.0%}"
    return row.name, *measures, paired, row.us_per_decision, row.steps_per_decision, row.forfeits


def interval(one: Figure, digits: str) -> tuple[str, str]:
    """Return a mean and its interval as text."""
    if one.mean is None:
        return "", ""
    ends = "" if one.low is None or one.high is None else f"{one.low:{digits}} to {one.high:{digits}}"
    return f"{one.mean:{digits}}", ends
