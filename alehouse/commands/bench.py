"""`alehouse bench`: measure how fast the games are on this machine, beside other simulators if wanted."""

import functools
import importlib.util
import tempfile
import time
from collections.abc import Iterator, Sequence
from json import dumps as json_text
from pathlib import Path
from typing import Annotated, Any

import numba
import typer

from alehouse import players
from alehouse.agents import heuristic
from alehouse.benchmarks import kept_decisions
from alehouse.benchmarks.machine import machine
from alehouse.benchmarks.peers import contest
from alehouse.benchmarks.peers.picture import picture
from alehouse.benchmarks.throughput import Case, Row, Tally, cases, measure, summaries
from alehouse.commands import show
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.games import GAMES, game

YARDSTICK = "connect_four"  # every run measures this game too, for comparison
FIELDS = ("game", "variant", "mode", "threads", "n", "decisions_per_s", "games_per_s", "lowest", "highest")
ALL = ",".join(GAMES)
HEADINGS = ("variant", "mode", "threads", "n", "decisions/s", "lowest", "highest", "games/s", "to connect four")
PEER_FIELDS = ("game", "how", "writes", "decisions_per_s", "lowest", "highest", "games_per_s", "version")
BATCH = 65536  # samples between two updates of the trainer that is measured, as by default; with fewer it is slower

Names = Annotated[str, typer.Option("--games", metavar="A,B", help="The names of the games, joined by commas.")]
Seconds = Annotated[float, typer.Option(min=0.001, help="Seconds for each measurement.")]
Rounds = Annotated[int, typer.Option(min=1, help="How often each figure is measured; the median is shown.")]
Peers = Annotated[bool, typer.Option("--peers", help="Measure other simulators beside the games; `make peers` installs them.")]
Decisions = Annotated[
    str | None,
    typer.Option("--decisions", metavar="AGENTS", help="Measure no speed but what these agents' decisions lose at kept positions."),
]
Out = Annotated[Path | None, typer.Option(help="With --peers: the folder for peers.json and the picture peers.svg.")]


def bench(
    names: Names = ALL,
    seconds: Seconds = 0.15,
    rounds: Rounds = 7,
    peers: Peers = False,
    decisions: Decisions = None,
    out: Out = None,
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """Measure decisions and games per second: in the kernel, in batches, by heuristics, networks and search, in PettingZoo; also copies
    and training samples. Once everything is compiled the default run takes about three minutes, one with `--peers` about five, and
    `--decisions` less than one for each agent and game."""
    if peers and decisions:
        raise ValueError("--peers, --decisions: one of the two")
    if peers:
        return beside_peers(seconds, rounds, out, seed, json)
    if decisions:
        return at_kept_positions(names, decisions, json)
    if out:
        raise ValueError("--out: only a run with --peers writes a folder; --json prints the figures")
    specs = dict.fromkeys(game(name.strip()) for name in [*names.split(","), YARDSTICK])
    todo = [case for spec in specs for case in (*cases(spec), *training(spec))]
    show.compiled(case.variant for case in todo)
    measured, cut = show.collect(measure(todo, seed, seconds, rounds), len(todo) * (rounds + 1), "measuring")
    rows = summaries(measured)
    if json:
        show.write_json({"machine": machine(), "rows": [{name: getattr(row, name) for name in FIELDS} for row in rows]})
    else:
        show.write_table(HEADINGS, compared(rows))
        print(f"Medians of {rounds} measurements of {seconds} s; clone counts copies of a state, training counts samples learnt from.")
        print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in machine().items()))
    return show.status(cut)


def compared(rows: Sequence[Row]) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of each row, with its ratio to connect four."""
    scale = {(row.mode, row.threads): row.decisions_per_s for row in rows if row.game == YARDSTICK}
    for row in rows:
        yardstick = scale.get((row.mode, row.threads))
        ratio = row.decisions_per_s / yardstick if yardstick else None
        yield row.variant, row.mode, row.threads, row.n, row.decisions_per_s, row.lowest, row.highest, row.games_per_s, ratio


def training(spec: Game) -> Iterator[Case]:
    """Yield the case of the lean trainer, where torch is installed, for a game without modules."""
    if importlib.util.find_spec("torch") and spec.name in GAMES:
        threads = min(2, numba.config.NUMBA_NUM_THREADS)
        yield Case(spec.variant(length=spec.lengths[-1]), "training", threads, BATCH, samples)


def samples(v: Variant, threads: int, seed: int, seconds: float) -> Tally:
    """Train a network by its default settings, and count the samples it learns from."""
    trainer = trainer_of(v, threads, seed)
    before, start = trainer.samples, time.perf_counter()
    while time.perf_counter() - start < seconds:
        trainer.iterate()
    return Tally(trainer.samples - before, None, time.perf_counter() - start)


@functools.cache
def trainer_of(v: Variant, threads: int, seed: int) -> Any:
    """Return a trainer, whose run goes on from one measurement to the next."""
    from alehouse.training import lean

    job = lean.Job((str(v),), ("heuristic",), seed, lean.Settings(batch=BATCH))
    with tempfile.TemporaryDirectory() as folder:
        return lean.Trainer(job, Path(folder), [heuristic(v.spec)], threads)


def at_kept_positions(names: str, agents: str, json: bool) -> int:
    """Ask each agent at every position that is kept of each game, and print what its answers lose."""
    todo = [(game(name.strip()), agent) for name in names.split(",") for agent in players.names(agents)]
    kept = {spec: kept_decisions.kept_of(spec) for spec, _ in todo}
    asked = [(spec, text, players.player(text, spec)) for spec, text in todo]
    first: dict[Game, Any] = {}

    def measured() -> Iterator[dict[str, Any]]:
        for spec, text, agent in asked:
            start, here = time.perf_counter(), kept[spec]
            chosen = kept_decisions.answers(here, agent)
            lost, gain = kept_decisions.loss(here, chosen), kept_decisions.gain(here, chosen, first.setdefault(spec, chosen))
            figures = {"lost": lost.mean, "half_width": lost.half_width, "gain": gain.mean, "gain_half_width": gain.half_width}
            facts = {"best": kept_decisions.best(here, chosen), "positions": len(here.actions), "redeals": here.redeals}
            by = {"by": here.by, "numbers": here.numbers[:8], "seconds": round(time.perf_counter() - start, 1)}
            yield {"game": spec.name, "agent": text, **{name: round(x, 5) for name, x in (figures | facts).items()}, **by}

    rows, cut = show.collect(measured(), len(asked), "deciding")
    if json:
        show.write_json({"rows": rows})
        return show.status(cut)
    headings = ("game", "agent", "lost, points", "gain, points", "best", "positions", "by")
    show.write_table(headings, [(*list(row.values())[:2], *words(row), row["positions"], f"{row['by']} {row['numbers']}") for row in rows])
    show.write_text(
        "lost: how much less of the win an answer is worth than the best one, where there is a choice; gain: how much more than the answer"
        " of the first agent; best: how often no answer is better. `by`, with a digest of its numbers, played on in all seats."
    )
    return show.status(cut)


def words(row: dict[str, Any]) -> tuple[str, str, str]:
    """Return what an agent loses, what it gains, and how often its answer is the best, in words."""
    pairs = (("lost", "half_width"), ("gain", "gain_half_width"))
    lost, gain = (f"{100 * row[value]:.2f} ± {100 * row[half]:.2f}" for value, half in pairs)
    return lost, gain, f"{row['best']:.0%}"


def beside_peers(seconds: float, rounds: int, out: Path | None, seed: int, json: bool) -> int:
    """Measure our games and those of other simulators in turn; print a table, and write it with a picture if a folder is given."""
    found = list(contest.peers())
    lacking, workers = [one for one in found if isinstance(one, str)], [one for one in found if not isinstance(one, str)]
    workers.insert(0, contest.ours())
    try:
        todo = [contest.Entry(worker, k) for worker in workers for k in range(len(worker.cases))]
        rows, cut = show.collect(contest.contest(todo, seconds, rounds, seed), len(todo) * (rounds + 1), "measuring")
    finally:
        for worker in workers:
            worker.close()
    lacking += [f"{entry.worker.name}, {entry.case['game']}: skipped: {fault}" for entry, fault in rows if isinstance(fault, str)]
    speeds = contest.speeds(rows)
    data = {"machine": machine(), "rounds": rounds, "seconds": seconds, "rows": [row._asdict() for row in speeds], "skipped": lacking}
    if out:
        out.mkdir(parents=True, exist_ok=True)
        write_atomically(out / "peers.json", json_text(data, indent=1).encode())
        write_atomically(out / "peers.svg", picture(speeds).encode())
    if json:
        show.write_json(data)
    else:
        for row in sorted((row for row in speeds if row.ratio), key=lambda row: -(row.ratio or 0)):
            print(f"Connect four, {row.writes}: {contest.verdict(row)}.")
        headings = [name.replace("_per_", "/") for name in PEER_FIELDS]
        show.write_table(headings, [tuple(getattr(row, name) for name in PEER_FIELDS) for row in speeds])
        print("\n".join(lacking))
        print(f"One core each; medians, lowest and highest of {rounds} rounds of {seconds} s, every simulator in turn.")
        print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in machine().items()))
    return show.status(cut)
