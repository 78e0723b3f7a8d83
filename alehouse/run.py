"""`make run`, the main job: random games, an arena of the levels of play and a balance report of each game, and one page that shows all."""

import contextlib
import io
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numba
import typer

from alehouse import levels
from alehouse.cli import application, guarded
from alehouse.commands import config, past_games, show, streams
from alehouse.commands.arena import arena
from alehouse.commands.balance import balance
from alehouse.commands.replay import paged
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.random_games import play
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.intervals import half_width
from alehouse.envs.games import GAMES, REFERENCE, variant
from alehouse.run_page import page

FOLDER = Path("runs")
CHOSEN = (1, 2, 3, 4)  # the levels that meet in the arena; where seats are fewer, the last of them

Games = Annotated[int, typer.Option(min=2, help="The number of random games of each variant.")]
Ids = Annotated[
    list[str] | None, typer.Option("--variant", metavar="ID", help="What to play: a game or variant, may be repeated; default: every game.")
]
Blocks = Annotated[
    int, typer.Option(min=0, help="The number of blocks of each arena; a block is one seed with all rotations of the seats.")
]
Minutes = Annotated[float, typer.Option(min=0, help="Minutes for the balance report of each game; 0 for no report and no arena.")]
Processes = Annotated[int | None, typer.Option(min=1, help="Number of processes (default: one per core).")]


class Step(NamedTuple):
    """A part of the job: one thing that is done with one variant."""

    what: str  # a key of STEPS
    variant: str
    seed: int
    much: float  # how many games or blocks to play, or for how many minutes


class Done(NamedTuple):
    """What a step found, as plain data, and the seconds it took."""

    step: Step
    found: dict[str, Any]
    seconds: float


def run(
    games: Games = 100_000,
    names: Ids = None,
    blocks: Blocks = 50,
    minutes: Minutes = 0.4,
    seed: show.Seed = 0,
    processes: Processes = None,
    settings: config.Config = None,
) -> int:
    """Play random games, let the levels of play meet, and write a balance report of each game; all is shown on the page runs/index.html."""
    given = locals()
    FOLDER.mkdir(exist_ok=True)
    config.write(FOLDER / config.FILE, run, given)
    played = [variant(name) for name in names or GAMES]
    steps = [Step("random", str(v), seed, games) for v in played]
    if minutes > 0:
        steps += [Step("arena", str(v), seed, blocks) for v in played if blocks and v.seats > 1]
        studied = dict.fromkeys(v.game for v in played if v.game not in REFERENCE)
        steps += [Step("balance", name, seed, minutes) for name in studied]
    count = min(processes or int(numba.config.NUMBA_NUM_THREADS), len(steps))
    print(
        f"alehouse: {len(steps)} steps, {count} at a time. At first each game is compiled, which takes a core up to half a minute.",
        file=sys.stderr,
    )
    done, cut = list[Done](), False
    try:
        with steps_done(steps, count) as coming:
            for one in coming:
                done.append(one)
                tell(one, len(done), len(steps))
    except KeyboardInterrupt:
        cut = True
    if done:
        write_atomically(FOLDER / "index.html", page(done, seed).encode())
        print(f"What happened, on one page: {(FOLDER / 'index.html').resolve().as_uri()}")
    return show.status(cut, any("failed" in one.found for one in done))


@contextlib.contextmanager
def steps_done(steps: Sequence[Step], count: int) -> Iterator[Iterator[Done]]:
    """Yield what steps find, as soon as each is done, by this process or by several."""
    if count == 1:
        yield map(do, steps)
        return
    with multiprocessing.get_context("spawn").Pool(count, prepare) as pool:  # leaving it ends the processes
        yield pool.imap_unordered(do, steps)


def prepare() -> None:
    """Leave Ctrl-C to the process that started this one, and let no progress bar be drawn."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["TERM"] = "dumb"


def do(step: Step) -> Done:
    """Do a step; where it cannot be done, say why."""
    start = time.perf_counter()
    try:
        found = STEPS[step.what](step)
    except ValueError as error:
        found = {"failed": str(error)}
    return Done(step, found, time.perf_counter() - start)


def random_games(step: Step) -> dict[str, Any]:
    """Play many random games on one thread; return their results with 95 % intervals, and a table in the middle of a game as a picture."""
    v = variant(step.variant)
    play(v, 1, step.seed)
    start = time.perf_counter()
    found = play(v, int(step.much), step.seed)
    seconds = time.perf_counter() - start
    return {
        "games": len(found.decisions),
        "games_per_s": len(found.decisions) / seconds,
        "decisions": (float(found.decisions.mean()), float(half_width(found.decisions))),
        "scores": [(float(some.mean()), float(half_width(some))) for some in found.scores.T],
        "picture": picture(v, step.seed, int(found.decisions.mean() / 2)),
    }


def picture(v: Variant, seed: int, moves: int) -> str:
    """Return a picture of a table of random play after some moves."""
    tables = Tables(v, n=1, seed=seed)
    for _ in range(moves):
        tables.step(tables.sample())
    return tables.svg(0, int(tables.seat[0]))


def arena_of_levels(step: Step) -> dict[str, Any]:
    """Let agents of several levels play each other; return what the arena says, and write the first game as a page."""
    v = variant(step.variant)
    names = ",".join(f"level:{level}" for level in CHOSEN[-v.seats :])
    found = answer(arena, str(v), names, blocks=int(step.much), seed=step.seed, threads=1)
    folder = Path(found["folder"])
    game = folder / "game.html"
    with contextlib.redirect_stdout(io.StringIO()):
        paged(past_games.replay_of(folder, 0, 0), game, None, 0, "heuristic", 1, 0)
    agents = {f"level:{one.number}": one.agent for one in levels.levels(v.spec)}
    return found | {"game_page": str(game), "levels": agents}


def report(step: Step) -> dict[str, Any]:
    """Write a balance report for the usual number of players; return what it says."""
    seats = str(variant(step.variant).seats)
    return answer(balance, step.variant, seats=seats, minutes=step.much, seed=step.seed, threads=1)


def answer(command: Callable[..., int], *words: Any, **options: Any) -> dict[str, Any]:
    """Return what a command prints as JSON."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        command(*words, **options, json=True)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


STEPS: dict[str, Callable[[Step], dict[str, Any]]] = {"random": random_games, "arena": arena_of_levels, "balance": report}


def tell(one: Done, number: int, count: int) -> None:
    """Print what a step found."""
    step, found = one.step, one.found
    print(f"alehouse: step {number} of {count}, {step.what} {step.variant}: {one.seconds:.0f} s", file=sys.stderr)
    if "failed" in found:
        print(f"alehouse: {step.what} {step.variant}: {found['failed']}", file=sys.stderr)
    elif step.what == "random":
        rows = [
            ("games", f"{found['games']:,} (seed {step.seed})"),
            ("games/s", f"{found['games_per_s']:,.0f} on one thread"),
            ("decisions/game", "{:.1f} ± {:.1f}".format(*found["decisions"])),
            *((f"score of player_{p}", "{:.2f} ± {:.2f}".format(*score)) for p, score in enumerate(found["scores"])),
        ]
        show.write_table((step.variant, "uniform agents, 95 % intervals"), rows)
    elif step.what == "arena":
        agents = [
            (f"{row['name']} {found['levels'][row['name']]}", f"{row['share']:.1%}", f"{row['low']:.1%} to {row['high']:.1%}")
            for row in found["agents"]
        ]
        show.write_table((step.variant, "share of the win", "95 %"), agents)
    else:
        print("\n".join([*found["sentences"], f"The report: {found['report']}"]))


if __name__ == "__main__":
    streams.prepare()
    app = application()
    app.command()(guarded(run))
    streams.run_to_end(app, "python -m alehouse.run")
