"""`alehouse tune`: find better weights for a heuristic by CMA-ES on paired seeds."""

import importlib.util
import shlex
from pathlib import Path
from typing import Annotated

import numba
import typer

from alehouse.agents.heuristic import heuristic_of
from alehouse.commands import config, show, variants
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.games import game
from alehouse.training.tune import Generation, Job, compared
from alehouse.training.tune import tune as generations_of

RUNS = Path("runs/tune")

Chosen = Annotated[list[str] | None, typer.Option("--variant", metavar="ID", help="A variant to tune for; may be repeated.")]
Only = Annotated[str, typer.Option(metavar="A,B", help="Tune only these weights, or whole sections of the file.")]
Generations = Annotated[int, typer.Option(min=1, help="Number of steps of the search (generations).")]
Population = Annotated[int, typer.Option(min=4, help="Number of candidates that play in each step.")]
Blocks = Annotated[int, typer.Option(min=1, help="Number of seeds of each variant that a candidate plays from every seat in turn.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Number of threads (default: one per core).")]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE", help=f"The file that the weights are written to; by default GAME.toml in {RUNS}.")
]


def tune(
    name: show.GameName,
    chosen: Chosen = None,
    rules: variants.Rules = None,
    only: Only = "",
    generations: Generations = 100,
    population: Population = 24,
    blocks: Blocks = 50,
    seed: show.Seed = 0,
    threads: Threads = None,
    out: Out = None,
    settings: config.Config = None,
    json: show.Json = False,
) -> int:
    """Tune a heuristic's weights, then compare them with the old ones. A stopped command goes on when it is given again."""
    given, spec = locals(), game(name)
    if heuristic_of(spec) is None:
        raise ValueError(f"tune {name!r}: the game has no heuristic")
    if importlib.util.find_spec("cmaes") is None:
        raise ValueError("tuning needs cmaes: pip install 'alehouse[study]'")
    played = variants.by_rules(variants.named(spec, chosen) if chosen else [spec.variant()], rules)
    parts = tuple(part for part in only.split(",") if part)
    job = Job(tuple(map(str, played)), parts, generations, population, blocks, seed)
    target = out or RUNS / f"{name}.toml"
    most = int(numba.config.NUMBA_NUM_THREADS)
    count = min(threads, most) if threads else most
    target.parent.mkdir(parents=True, exist_ok=True)
    config.write(target.with_suffix(f".{config.FILE}"), tune, given)
    show.compiled([spec.variant()])
    found, cut = show.collect(generations_of(job, target.with_suffix(".jsonl"), count), generations, f"tuning {name}")
    if found:
        report(spec, job, found, target, count, json)
    return show.status(cut)


def command(spec: Game, job: Job, done: int) -> str:
    """Return the command that finds the same weights again."""
    words = ["alehouse", "tune", spec.name]
    for v in job.variants:
        words += ["--variant", v]
    if job.only:
        words += ["--only", ",".join(job.only)]
    words += ["--generations", str(done), "--population", str(job.population), "--blocks", str(job.blocks)]
    return shlex.join([*words, "--seed", str(job.seed)])


def report(spec: Game, job: Job, found: list[Generation], target: Path, threads: int, json: bool) -> None:
    """Write the weights, and print how they play against the old ones."""
    last = found[-1]
    weights = heuristic_of(spec).weights  # type: ignore[union-attr]
    made = f"{weights.made}; {command(spec, job, last.number + 1)}"
    write_atomically(target, weights.text(last.values, made).encode())
    verdict = compared(job, last.values, threads)
    if json:
        figures = {"games": verdict.games, "utility": verdict.utility, "low": verdict.utility - verdict.half}
        show.write_json({"game": spec.name, "file": str(target), **figures, "high": verdict.utility + verdict.half})
        return
    pairs = zip(weights.entries, weights.vector(), last.values, strict=True)
    show.write_table(("weight", "was", "is"), [(w.key, float(was), float(now)) for w, was, now in pairs if was != now])
    print(f"{verdict.games:,} games against the old weights: utility {verdict.utility:.3f} ± {verdict.half:.3f} (0 is even)")
    print(f"written to {target}")
