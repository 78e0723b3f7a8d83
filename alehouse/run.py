"""`make run`, the main job: random games of every kind, games between simple agents, and a balance report for each game."""

import time
from collections.abc import Iterator
from typing import Annotated

import numba
import numpy as np
import typer
from rich.console import Console

from alehouse.cli import application, guarded
from alehouse.commands import show
from alehouse.commands.arena import arena
from alehouse.commands.balance import balance
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.random_games import Results, play
from alehouse.envs.core.verify.intervals import half_width
from alehouse.envs.games import GAMES, REFERENCE, variant

CHUNK = 500  # the clock and the keyboard are checked after this many games
BLOCKS = 500  # the heuristic plays uniform agents on this many seeds

Games = Annotated[int, typer.Option(min=2, help="The number of random games of each variant.")]
Ids = Annotated[
    list[str] | None, typer.Option("--variant", metavar="ID", help="What to play: a game or variant, may be repeated; default: every game.")
]

Minutes = Annotated[float, typer.Option(min=0, help="Minutes for the balance report of each game; 0 for no report.")]


def run(games: Games = 100_000, names: Ids = None, minutes: Minutes = 0.5, seed: show.Seed = 0) -> int:
    """Play many random games, let the heuristic play against uniform agents, and write a balance report of each game."""
    played = [variant(name) for name in names or GAMES]
    show.compiled(played)
    cut = False
    for v in played:
        cut = cut or meet(v, games, seed)
    for v in played:
        cut = cut or bool(arena(str(v), "heuristic,uniform", blocks=BLOCKS, seed=seed))
    for name in dict.fromkeys(v.game for v in played if minutes > 0 and v.game not in REFERENCE):
        cut = cut or bool(balance(name, minutes=minutes, seed=seed))
    return show.status(cut)


def meet(v: Variant, games: int, seed: int) -> bool:
    """Play many games of a variant and print their results; return whether Ctrl-C cut that short."""
    threads = int(numba.config.NUMBA_NUM_THREADS)
    with Console(stderr=True).status(f"{v.game} on {threads} threads, compiled once ..."):
        play(v, threads, seed, threads=threads)
    start = time.perf_counter()
    chunks, cut = show.collect(chunked(str(v), games, seed, threads), -(-games // CHUNK), f"playing {v}")
    seconds = time.perf_counter() - start
    if chunks:
        report(str(v), seed, threads, seconds, chunks)
    return cut


def chunked(name: str, games: int, seed: int, threads: int) -> Iterator[Results]:
    """Play the games in chunks; neither the chunks nor the number of threads change which games are played."""
    for first in range(0, games, CHUNK):
        yield play(name, min(CHUNK, games - first), seed, first, threads)


def report(name: str, seed: int, threads: int, seconds: float, chunks: list[Results]) -> None:
    """Print the results of all chunks together, with 95 % intervals."""
    points = np.concatenate([chunk.scores for chunk in chunks])
    decisions = np.concatenate([chunk.decisions for chunk in chunks])
    rows = [
        ("games", f"{len(points):,} (seed {seed})"),
        ("games/s", f"{len(points) / seconds:,.0f} on {threads} threads"),
        ("decisions/s", f"{decisions.sum() / seconds:,.0f}"),
        ("decisions/game", f"{decisions.mean():.1f} ± {half_width(decisions):.1f}"),
        *((f"score of player_{p}", f"{some.mean():.2f} ± {half_width(some):.2f}") for p, some in enumerate(points.T)),
    ]
    show.write_table((name, "uniform agents, 95 % intervals"), rows)


if __name__ == "__main__":
    app = application()
    app.command()(guarded(run))
    app()
