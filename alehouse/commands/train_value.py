"""`alehouse train --what value`: teach a value by games between agents, and measure what it explains and how a search plays with it."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numba

from alehouse import players
from alehouse.commands import show
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.training.progress import clock

if TYPE_CHECKING:
    from alehouse.training.value import Job

VALUE = "value.safetensors"
GAMES = 100_000


def mix(named: list[Variant], others: list[Variant]) -> tuple[str, ...]:
    """Return the variants to learn from, as often as they come: those named get half of the games."""
    first = [v for v in named if v.seats > 1]
    rest = [v for v in others if v.seats > 1 and v not in first]
    if not first + rest:
        raise ValueError("--what value: a value shares the win among seats; name a variant for two players or more")
    return tuple(map(str, first * max(1, math.ceil(len(rest) / max(1, len(first)))) + rest))


def train_value(spec: Game, job: "Job", folder: Path, threads: int | None, json: bool) -> int:
    """Teach a value up to a number of games, write its file, and print how well it explains results."""
    from alehouse.commands.train import command, explained, stopped
    from alehouse.training.value import Trainer

    with explained(folder):
        threads = threads or int(numba.config.NUMBA_NUM_THREADS)
        run = Trainer(job, folder, threads, [players.player(text, spec, threads) for text in job.opponents])
        if show.follow(run.run(), f"{spec.name} (value)"):
            stopped(folder)
            return show.status(True)
        table, played = run.quality(), run.played()
        size = run.export(folder / VALUE, command(), table, played)
    if json:
        facts = {"game": spec.name, "file": str(folder / VALUE), "bytes": size, "games": run.games, "seconds": round(run.seconds, 1)}
        show.write_json({**facts, "quality": table, "played": played})
        return 0
    columns = ("variant", "rounds over", "positions", "log loss", "of the estimate", "explained", "by the estimate")
    show.write_table(columns, [
        (row["variant"], "all" if row["round"] is None else row["round"], row["positions"], f"{row['value']['log_loss']:.3f}",
         f"{row['estimate']['log_loss']:.3f}", f"{row['value']['explained']:.1%}", f"{row['estimate']['explained']:.1%}")
        for row in table
    ])  # fmt: skip
    for row in played:
        print(f"{row['agent']} among heuristics in {row['variant']}: {row['won']:.1%} ± {row['half']:.1%} of {row['games']} games")
    print(f"{run.games:,} games in {clock(run.seconds)}; the value: {folder / VALUE}, {size:,} bytes")
    return 0
