"""`alehouse bench`: measure how fast the games are on this machine."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from alehouse.benchmarks.machine import machine
from alehouse.benchmarks.throughput import Row, cases, measure, summaries
from alehouse.commands import show
from alehouse.envs.games import GAMES, game

YARDSTICK = "connect_four"  # every run measures this game too, for comparison
FIELDS = ("game", "variant", "mode", "threads", "n", "decisions_per_s", "games_per_s")
ALL = ",".join(GAMES)
HEADINGS = ("variant", "mode", "threads", "n", "decisions/s", "lowest", "highest", "games/s", "to connect four")

Names = Annotated[str, typer.Option("--games", metavar="A,B", help="The names of the games, joined by commas.")]
Seconds = Annotated[float, typer.Option(min=0.001, help="Seconds for each measurement.")]
Rounds = Annotated[int, typer.Option(min=1, help="How often each figure is measured; the median is shown.")]


def bench(
    names: Names = ALL,
    seconds: Seconds = 0.3,
    rounds: Rounds = 5,
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """Measure decisions and games per second: in the kernel, in batches, by heuristics, networks and search, in PettingZoo; also copies."""
    specs = dict.fromkeys(game(name.strip()) for name in [*names.split(","), YARDSTICK])
    todo = [case for spec in specs for case in cases(spec)]
    show.compiled(case.variant for case in todo)
    measured, cut = show.collect(measure(todo, seed, seconds, rounds), len(todo) * (rounds + 1), "measuring")
    rows = summaries(measured)
    if json:
        show.write_json({"machine": machine(), "rows": [{name: getattr(row, name) for name in FIELDS} for row in rows]})
    else:
        show.write_table(HEADINGS, compared(rows))
        print(f"Medians of {rounds} measurements of {seconds} s; clone counts copies of a state.")
        print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in machine().items()))
    return show.status(cut)


def compared(rows: Sequence[Row]) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of each row, with its ratio to connect four."""
    scale = {(row.mode, row.threads): row.decisions_per_s for row in rows if row.game == YARDSTICK}
    for row in rows:
        yardstick = scale.get((row.mode, row.threads))
        ratio = row.decisions_per_s / yardstick if yardstick else None
        yield row.variant, row.mode, row.threads, row.n, row.decisions_per_s, row.lowest, row.highest, row.games_per_s, ratio
