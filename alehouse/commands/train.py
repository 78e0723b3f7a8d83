"""`alehouse train`: a network that plays, learnt by MaskablePPO or by the lean trainer."""

import contextlib
import errno
import importlib.util
import math
import shlex
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from alehouse import players
from alehouse.commands import interrupt, show
from alehouse.commands.balance import lengths_of, listed, modules_of
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.games import game, variant
from alehouse.training.progress import Latest, clock, followed
from alehouse.training.settings import Row, Training, changed
from alehouse.training.settings import train as train_up_to

RUNS = Path("runs/train")
LIBRARIES = {"torch": "torch", "stable_baselines3": "stable-baselines3", "sb3_contrib": "sb3-contrib", "tensorboard": "tensorboard",
             "safetensors": "safetensors", "matplotlib": "matplotlib"}  # fmt: skip
TRAINERS = ("lean", "sb3")
MINUTES = 10.0
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

Kind = Annotated[
    str, typer.Option("--trainer", metavar="lean|sb3", help="The lean trainer of this package, or MaskablePPO of sb3-contrib.")
]
Chosen = Annotated[list[str] | None, typer.Option("--variant", metavar="ID", help="What is played; may be repeated.")]
Modules = Annotated[str, typer.Option(metavar="all|none|A,B", help="Modules that are put in and left out, in all combinations.")]
Seats = Annotated[str, typer.Option(metavar="all|2,4", help="Numbers of players; the game's own number unless told.")]
Lengths = Annotated[str, typer.Option("--length", metavar="all|A,B", help="Lengths of the game, where it has several.")]
Minutes = Annotated[float | None, typer.Option(help=f"How long to train, all runs of the command together; {MINUTES:g} unless told.")]
Samples = Annotated[int | None, typer.Option(min=1, help="How many decisions to learn from instead.")]
Opponents = Annotated[str, typer.Option(metavar="A,B", help="Agents to learn against: all that sb3 meets, the anchors of lean.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help=f"The folder of the run; by default one in {RUNS}.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads; measured at the start unless told.")]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting of the trainer; may be repeated.")]
Start = Annotated[
    Path | None, typer.Option(metavar="FILE", help="First weights: a network's file for lean, for sb3 a zip of Stable-Baselines3.")
]
Trust = Annotated[bool, typer.Option("--trust", help="Load a zip of --start although that runs the code in it.")]


def train(
    name: show.GameName,
    trainer: Kind = "lean",
    chosen: Chosen = None,
    modules: Modules = "none",
    seats: Seats = "",
    lengths: Lengths = "",
    minutes: Minutes = None,
    samples: Samples = None,
    opponents: Opponents = "heuristic,uniform",
    out: Out = None,
    seed: show.Seed = 0,
    threads: Threads = None,
    changes: Set = None,
    start: Start = None,
    trust: Trust = False,
    json: show.Json = False,
) -> int:
    """Train a network. Stopped, the same command goes on from the last checkpoint."""
    have_libraries()
    spec = game(name)
    played = variants_of(spec, chosen or [], modules, seats, lengths)
    most, longest = limits(minutes, samples)
    asked = Asked(trainer, tuple(map(str, played)), players.names(opponents), seed, tuple(changes or ()), trusted(trainer, start, trust))
    folder = out or RUNS / f"{name}-{trainer}"
    show.compiled([played[0]])
    with explained(folder):
        try:
            run, keep = made(asked, spec, folder, threads)
        except KeyboardInterrupt:
            stopped(folder)
            raise
        latest = Latest()
        cut = watched(followed(train_up_to(run, most, longest, keep), latest, f"{name} ({trainer})", most, longest))
        if cut:
            if not stopped(folder):
                return show.status(cut)
            run, _ = made(asked, spec, folder, threads)
        report(run, spec, folder, latest, json)
    return show.status(cut)


class Asked(NamedTuple):
    """What is to be trained, and how."""

    trainer: str
    variants: tuple[str, ...]
    opponents: tuple[str, ...]
    seed: int
    changes: tuple[str, ...]
    start: Path | None


def trusted(trainer: str, start: Path | None, trust: bool) -> Path | None:
    """The file of --start, if one may load it."""
    if start is not None and trainer == "sb3" and not trust:
        raise ValueError(f"--start {start}: loading a model of Stable-Baselines3 runs the code in it; add --trust if you trust its maker")
    return start


def stopped(folder: Path) -> bool:
    """Say how it goes on; whether there is a checkpoint."""
    from alehouse.training import checkpoint

    kept = (folder / checkpoint.LATEST).exists()
    goes_on = "goes on from the last checkpoint" if kept else "begins anew"
    print(f"alehouse: stopped; the same command {goes_on} in {folder}", file=sys.stderr)
    return kept


def watched(rows: Iterable[Row]) -> bool:
    """Go through the rows; whether Ctrl-C cut them."""
    try:
        for _ in rows:
            if interrupt.pressed():
                return True
    except KeyboardInterrupt:
        return True
    return False


def have_libraries() -> None:
    """A ValueError unless the libraries of the extra are there."""
    missing = [package for module, package in LIBRARIES.items() if importlib.util.find_spec(module) is None]
    if missing:
        raise ValueError(f"training needs {', '.join(missing)}: pip install 'alehouse[train]'")


def variants_of(spec: Game, chosen: list[str], modules: str, seats: str, lengths: str) -> list[Variant]:
    """What is played: the variants named, or all there are of some modules, seats and lengths; of both, each half of the tables."""
    named = [variant(text) for text in chosen]
    for v in named:
        if v.spec is not spec:
            raise ValueError(f"--variant {v}: not a variant of {spec.name}")
    if named and modules == "none" and not seats and not lengths:
        return named
    put_in, numbers = set(modules_of(spec, modules)), seats_of(spec, seats)
    long = lengths_of(spec, lengths) if lengths else [spec.lengths[0]]
    others = [v for v in spec.variants() if v.seats in numbers and v.length in long and put_in.issuperset(v.modules) and v not in named]
    return others + named * math.ceil(len(others) / len(named) if others else 1) if named else others


def seats_of(spec: Game, text: str) -> list[int]:
    """The numbers of players; all from two on, or those told, or the game's own."""
    if text == "all":
        return [n for n in spec.seats if n > 1]
    for word in listed(text):
        if word not in map(str, spec.seats):
            raise ValueError(f"--seats {text}: all, or numbers from {', '.join(map(str, spec.seats))}, joined by commas")
    return [int(word) for word in listed(text)] or [spec.default_seats]


def limits(minutes: float | None, samples: int | None) -> tuple[float, float]:
    """The most samples, and the most seconds."""
    if minutes is not None and samples is not None:
        raise ValueError("--minutes, --samples: give one of them")
    if minutes is not None and (not math.isfinite(minutes) or minutes <= 0):
        raise ValueError(f"--minutes {minutes:g}: more than 0")
    if samples is not None:
        return samples, math.inf
    return math.inf, 60 * (MINUTES if minutes is None else minutes)


def made(asked: Asked, spec: Game, folder: Path, threads: int | None) -> tuple[Training, float]:
    """The trainer asked for, as far as it has come, and how many seconds lie between its checkpoints."""
    line = [players.player(text, spec) for text in asked.opponents]
    if asked.trainer == "sb3":
        from alehouse.training import sb3

        settings = changed(sb3.Settings(), asked.changes)
        question = sb3.Question(asked.variants, asked.opponents, asked.seed, settings, str(asked.start or ""))
        return sb3.Trainer(question, folder, line, threads, asked.start), settings.keep
    if asked.trainer == "lean":
        from alehouse.training import checkpoint, judge, lean

        chosen = changed(lean.Settings(), asked.changes)
        asks = lean.Question(asked.variants, asked.opponents, asked.seed, chosen, str(asked.start or ""))
        if chosen.ahead and not (folder / checkpoint.LATEST).exists():
            print(f"alehouse: a judge watches {judge.GAMES:,} games of each variant, {len(set(asked.variants))} in all", file=sys.stderr)
        return lean.Trainer(asks, folder, line, threads), chosen.keep
    raise ValueError(f"--trainer {asked.trainer!r}: one of {', '.join(TRAINERS)}")


@contextlib.contextmanager
def explained(folder: Path) -> Iterator[None]:
    """What the disk refuses, in one line."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise ValueError(f"{error.filename or folder}: {error.strerror}; the last checkpoint is kept, the same command goes on") from None


def command() -> str:
    """The command given, without the folders of whoever gave it."""
    before = ["", *sys.argv[1:]]
    kept = [word for word, last in zip(sys.argv[1:], before, strict=False) if "--out" not in (last, word.partition("=")[0])]
    return shlex.join(["alehouse", *kept])


def report(run: Training, spec: Game, folder: Path, latest: Latest, json: bool) -> None:
    """Write the network, and how it stands."""
    from alehouse.training.curve import draw

    standings = latest.standings()
    results = {name: one._asdict() for name, one in standings.items()}
    facts = {"samples": run.samples, "seconds": round(run.seconds, 1), "weights": run.weights()}
    file = folder / "net.safetensors"
    run.export(file, command(), {**facts, "against": results})
    draw(folder / "logs", folder / "curve.svg", spec.title)
    if json:
        show.write_json({"game": spec.name, "folder": str(folder), "file": str(file), **facts, "against": results})
        return
    rows = [(name, one.games, f"{one.won:.1%}", f"{one.low:.1%} to {one.high:.1%}", f"{one.parity:.1%}") for name, one in standings.items()]
    if rows:
        show.write_table(("against", "latest games", "win share", "95 %", "even play"), rows)
    print(f"{run.samples:,} samples in {clock(run.seconds)}; the network: {file}")
