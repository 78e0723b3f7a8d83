"""`alehouse train`: train a network with one of three trainers, or a value, and measure a network for shipping."""

import contextlib
import errno
import importlib.util
import inspect
import math
import shlex
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numba
import typer

from alehouse import players
from alehouse.agents.heuristic import heuristic_of
from alehouse.commands import config, interrupt, show, train_value, variants
from alehouse.commands.balance import lengths_of, modules_of, split_list
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.games import game
from alehouse.training.metrics import Row, rows, tensorboard
from alehouse.training.progress import Latest, clock, followed
from alehouse.training.settings import Training, changed
from alehouse.training.settings import train as train_up_to

RUNS = Path("runs/train")
LIBRARIES = {"torch": "torch", "stable_baselines3": "stable-baselines3", "sb3_contrib": "sb3-contrib", "tensorboard": "tensorboard",
             "safetensors": "safetensors", "matplotlib": "matplotlib"}  # fmt: skip
TRAINERS = ("lookup", "lean", "sb3")
MINUTES = 10.0
SHIP_SEED = 2026  # the seed of the measurement, which training does not use
NETWORK = "net.safetensors"
NOT_FOR_VALUES = ("trainer", "minutes", "samples", "engine", "changes", "carry", "trust", "ship", "sinks", "settings")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

What = Annotated[
    str,
    typer.Option(
        "--what", metavar="network|value", help="What to train: a network that plays, or a value that judges positions for a search."
    ),
]
Games = Annotated[int | None, typer.Option(min=1, help="With --what value: number of games to learn from; 100,000 by default.")]
Kind = Annotated[
    str,
    typer.Option(
        "--trainer",
        metavar="lean|lookup|sb3",
        help="How to train: lean (PPO by self-play), lookup (by the learned value of the game) or sb3 (MaskablePPO of sb3-contrib).",
    ),
]
Chosen = Annotated[list[str] | None, typer.Option("--variant", metavar="ID", help="A variant to train on; may be repeated.")]
Modules = Annotated[
    str,
    typer.Option(metavar="all|none|A,B", help="Modules to train with and without, in all combinations (default: none; with --ship: all)."),
]
Seats = Annotated[str, typer.Option(metavar="all|2,4", help="Numbers of players (default: the usual number; with --ship: all).")]
Lengths = Annotated[str, typer.Option("--length", metavar="all|A,B", help="Lengths of the game (default: the first; with --ship: all).")]
Minutes = Annotated[float | None, typer.Option(help=f"How long to train, stopped runs included; {MINUTES:g} by default.")]
Samples = Annotated[int | None, typer.Option(min=1, help="Train until this many decisions have been learnt from, however long it takes.")]
Opponents = Annotated[
    str,
    typer.Option(
        metavar="A,B",
        help="Agents to train against (default: heuristic,uniform, or uniform if the game has no heuristic); for a value, those that play.",
    ),
]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help=f"The folder of the run; by default one in {RUNS}.")]
Seed = Annotated[int | None, typer.Option(min=0, max=2**64 - 1, help=f"The seed of all luck; 0 by default, {SHIP_SEED} with --ship.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Number of threads (default: the fastest in a short trial).")]
Engine = Annotated[
    str,
    typer.Option(metavar="sparse|float32|bfloat16", help="With lean: how gradients are computed (default: the fastest in a short trial)."),
]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting of the trainer as NAME=VALUE; may be repeated.")
]
Start = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Begin with the weights in this file: a network for lean, a zip of Stable-Baselines3 for sb3, a value for a value.",
    ),
]
Carry = Annotated[bool, typer.Option("--carry", help="Leave out parts of the --start network that the game no longer has.")]
Trust = Annotated[bool, typer.Option("--trust", help="Load the zip file of --start, although that runs the code in it.")]
Ship = Annotated[
    bool,
    typer.Option("--ship", help="Do not train: measure the network of the run (or of --start) and write the figures into its file."),
]
Seeds = Annotated[int, typer.Option(min=2, help="With --ship: number of seeds to play in each variant, from every seat in turn.")]

Sinks = Annotated[
    list[str] | None,
    typer.Option("--sink", metavar="FILE.py:NAME", help="Give the figures of each iteration to a function of yours; may be repeated."),
]


def train(
    name: show.GameName,
    what: What = "network",
    trainer: Kind = "lean",
    chosen: Chosen = None,
    rules: variants.Rules = None,
    modules: Modules = "",
    seats: Seats = "",
    lengths: Lengths = "",
    minutes: Minutes = None,
    samples: Samples = None,
    games: Games = None,
    opponents: Opponents = "",
    out: Out = None,
    seed: Seed = None,
    threads: Threads = None,
    engine: Engine = "",
    changes: Set = None,
    start: Start = None,
    carry: Carry = False,
    trust: Trust = False,
    ship: Ship = False,
    seeds: Seeds = 1000,
    sinks: Sinks = None,
    settings: config.Config = None,
    json: show.Json = False,
) -> int:
    """Train a network or a value, or measure a network for shipping. A stopped command goes on when it is given again."""
    given = locals()
    have_libraries()
    from alehouse.training import checkpoint
    from alehouse.training.value import Job

    spec = game(name)
    trained = trainer if what == "network" else what
    folder = out or RUNS / f"{name}-{trained}"
    if what == "value":
        refuse_others(given)
        others = variants_of(spec, [], modules, seats, lengths, everything=True)
        named = variants.named(spec, chosen or []) or [spec.variant()]
        mix = train_value.mix(variants.by_rules(named, rules), variants.by_rules(others, rules))
        agents = players.names(opponents) if opponents else ()
        job = Job(mix, games or train_value.GAMES, seed or 0, agents, str(start or ""))
        return train_value.train_value(spec, job, folder, threads, json)
    if what != "network" or games is not None:
        raise ValueError(f"--what {what!r}: network or value" if what != "network" else "--games: only with --what value")
    if ship:
        played = variants.by_rules(variants_of(spec, chosen or [], modules, seats, lengths, everything=True), rules)
        return shipped(spec, start or folder / NETWORK, played, seeds, SHIP_SEED if seed is None else seed, folder, threads, json)
    played = variants.by_rules(variants_of(spec, chosen or [], modules, seats, lengths), rules)
    most, longest = limits(minutes, samples)
    start = trusted(trained, start, trust)
    usual = ("heuristic" if trained in ("lookup", "sb3") else "heuristic,uniform") if heuristic_of(spec) else "uniform"
    names = players.names(opponents or usual)
    wanted = Wanted(trained, tuple(map(str, played)), names, seed or 0, tuple(changes or ()), start, carry, engine)
    makers = [(text, players.loaded(f"--sink {text}", text)) for text in sinks or ()]
    show.compiled([played[0]])
    with explained(folder):
        try:
            run, keep = made(wanted, spec, folder, threads)
        except KeyboardInterrupt:
            stopped(folder)
            raise
        config.write(folder / config.FILE, train, given)
        latest = Latest()
        kept = checkpoint.settings_of(folder)
        into = [sink_of(text, make, folder, kept) for text, make in makers]
        with tensorboard(folder, run.samples) as logs:
            cut = watched(followed(train_up_to(run, most, longest, keep, [logs, *into]), latest, f"{name} ({trained})", most, longest))
        if cut:
            if not stopped(folder):
                return show.status(cut)
            run, _ = made(wanted, spec, folder, threads)
        report(run, spec, folder, latest, json)
    return show.status(cut)


def refuse_others(given: dict[str, Any]) -> None:
    """Raise a ValueError that names the options given which mean nothing for a value."""
    usual = {p.name: p.default for p in inspect.signature(train).parameters.values()}
    others = [name for name in NOT_FOR_VALUES if given[name] != usual[name]]
    if others:
        raise ValueError(f"--what value: no --{', no --'.join(others)}")


class Wanted(NamedTuple):
    """The user's description of what to train, and how."""

    trainer: str
    variants: tuple[str, ...]
    opponents: tuple[str, ...]
    seed: int
    changes: tuple[str, ...]
    start: Path | None
    carry: bool
    engine: str


def sink_of(text: str, make: Any, folder: Path, settings: Any) -> Any:
    """Return what a user's function makes of the folder and the settings of a run; a ValueError unless rows can be given to it."""
    found = make(folder, settings) if callable(make) else None
    if not callable(found):
        raise ValueError(f"--sink {text}: it must be a function of (folder, settings) that returns a function of a row")
    return found


def trusted(trainer: str, start: Path | None, trust: bool) -> Path | None:
    """Return the file of --start; raise a ValueError if loading it would run code and the user has not allowed that."""
    if start is not None and trainer == "sb3" and not trust:
        raise ValueError(f"--start {start}: loading a model of Stable-Baselines3 runs the code in it; add --trust if you trust its maker")
    return start


def stopped(folder: Path) -> bool:
    """Say on stderr how to go on with a stopped run, and return whether it has a checkpoint."""
    from alehouse.training import checkpoint

    kept = (folder / checkpoint.LATEST).exists()
    goes_on = "goes on from the last checkpoint" if kept else "begins again"
    print(f"alehouse: stopped; the same command {goes_on} in {folder}", file=sys.stderr)
    return kept


def watched(rows: Iterable[Row]) -> bool:
    """Run through the iterations, and return whether Ctrl-C stopped the run early."""
    try:
        for _ in rows:
            if interrupt.pressed():
                return True
    except KeyboardInterrupt:
        return True
    return False


def have_libraries() -> None:
    """Raise a ValueError unless the libraries of the extra `train` are installed."""
    missing = [package for module, package in LIBRARIES.items() if importlib.util.find_spec(module) is None]
    if missing:
        without_graphics = "on a computer without a graphics card run first: pip install uv, then uv pip install torch --torch-backend cpu"
        raise ValueError(f"training needs {', '.join(missing)}: pip install 'alehouse[train]'; {without_graphics}")


def variants_of(spec: Game, chosen: list[str], modules: str, seats: str, lengths: str, everything: bool = False) -> list[Variant]:
    """Return the variants to train on: those named, or all combinations of some modules, seats and lengths.

    If both are given, the variants named get half of the tables. `everything`: where modules, seats or lengths are not given, take all of
    them instead of the usual ones.
    """
    named = variants.named(spec, chosen)
    if named and modules in ("", "none") and not seats and not lengths:
        return named
    usual = ("all", "all", "all") if everything else ("none", str(spec.default_seats), spec.lengths[0])
    modules, seats, lengths = (given or default for given, default in zip((modules, seats, lengths), usual, strict=True))
    put_in, numbers, long = set(modules_of(spec, modules)), seats_of(spec, seats), lengths_of(spec, lengths) if lengths else [""]
    others = [v for v in spec.variants() if v.seats in numbers and v.length in long and put_in.issuperset(v.modules) and v not in named]
    return others + named * math.ceil(len(others) / len(named) if others else 1) if named else others


def seats_of(spec: Game, text: str) -> list[int]:
    """Return the numbers of players in a list; for "all", every number from two on."""
    if text == "all":
        return [n for n in spec.seats if n > 1]
    for word in split_list(text):
        if word not in map(str, spec.seats):
            raise ValueError(f"--seats {text}: all, or numbers from {', '.join(map(str, spec.seats))}, joined by commas")
    return [int(word) for word in split_list(text)]


def limits(minutes: float | None, samples: int | None) -> tuple[float, float]:
    """Return the largest number of samples and of seconds of a run."""
    if minutes is not None and samples is not None:
        raise ValueError("--minutes, --samples: give one of them")
    if minutes is not None and (not math.isfinite(minutes) or minutes <= 0):
        raise ValueError(f"--minutes {minutes:g}: more than 0")
    if samples is not None:
        return samples, math.inf
    return math.inf, 60 * (MINUTES if minutes is None else minutes)


def made(wanted: Wanted, spec: Game, folder: Path, threads: int | None) -> tuple[Training, float]:
    """Return the trainer, after loading what its run has done so far, and the seconds between its checkpoints."""
    line = [players.player(text, spec) for text in wanted.opponents]
    if wanted.engine and wanted.trainer != "lean":
        raise ValueError(f"--engine {wanted.engine}: only with --trainer lean")
    if wanted.trainer == "sb3":
        from alehouse.training import sb3

        settings = changed(sb3.Settings(), wanted.changes)
        by_sb3 = sb3.Job(wanted.variants, wanted.opponents, wanted.seed, settings, str(wanted.start or ""))
        return sb3.Trainer(by_sb3, folder, line, threads, wanted.start), settings.keep
    if wanted.trainer == "lean":
        from alehouse.training import lean

        chosen = changed(lean.Settings(), wanted.changes)
        job = lean.Job(wanted.variants, wanted.opponents, wanted.seed, chosen, str(wanted.start or ""))
        return lean.Trainer(job, folder, line, threads, wanted.engine, wanted.carry), chosen.keep
    if wanted.trainer == "lookup":
        from alehouse.training import lookup

        options = changed(lookup.Settings(), wanted.changes)
        by_lookups = lookup.Job(wanted.variants, wanted.opponents, wanted.seed, options, str(wanted.start or ""))
        return lookup.Trainer(by_lookups, folder, line, threads, carry=wanted.carry), options.keep
    raise ValueError(f"--trainer {wanted.trainer!r}: one of {', '.join(TRAINERS)}")


@contextlib.contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turn the error of a full disk into one line that says how to go on with the run."""
    told = threading.excepthook

    def tell(lost: threading.ExceptHookArgs) -> None:
        if not isinstance(lost.exc_value, OSError):  # TensorBoard's thread also hands its errors to this one
            told(lost)

    threading.excepthook = tell
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise ValueError(f"{error.filename or folder}: {error.strerror}; the last checkpoint is kept, the same command goes on") from None
    finally:
        threading.excepthook = told


def command() -> str:
    """Return the command as it was typed, without the folder of the run."""
    before = ["", *sys.argv[1:]]
    kept = [word for word, last in zip(sys.argv[1:], before, strict=False) if "--out" not in (last, word.partition("=")[0])]
    return shlex.join(["alehouse", *kept])


def report(run: Training, spec: Game, folder: Path, latest: Latest, json: bool) -> None:
    """Write the network and its learning curve, and print its results against each opponent."""
    from alehouse.training.curve import draw

    standings = latest.standings()
    results = {name: one._asdict() for name, one in standings.items()}
    facts = {"samples": run.samples, "seconds": round(run.seconds, 1), "weights": run.weights()}
    file = folder / NETWORK
    run.export(file, command(), {**facts, "against": results})
    draw(rows(folder), folder / "curve.svg", spec.title)
    if json:
        show.write_json({"game": spec.name, "folder": str(folder), "file": str(file), **facts, "against": results})
        return
    cells = [
        (name, one.games, f"{one.won:.1%}", f"{one.low:.1%} to {one.high:.1%}", f"{one.parity:.1%}") for name, one in standings.items()
    ]
    if cells:
        show.write_table(("against", "latest games", "win share", "95 %", "even play"), cells)
    print(f"{run.samples:,} samples in {clock(run.seconds)}; the network: {file}")


def shipped(spec: Game, file: Path, played: list[Variant], seeds: int, seed: int, folder: Path, threads: int | None, json: bool) -> int:
    """Measure a network in some variants, write the figures into its file and print them."""
    from alehouse.training.ship import Job, add_figures, figures

    if not file.is_file():
        raise ValueError(f"--ship: there is no network {file}; train one, or name its file by --start")
    most = int(numba.config.NUMBA_NUM_THREADS)
    job = Job(file, [v for v in played if v.seats > 1], seeds, seed)
    show.compiled([played[0]])
    measured, cut = show.collect(figures(job, folder, min(threads or most, most)), len(job.variants), f"measuring {spec.name}")
    if cut:
        print(f"alehouse: stopped with {len(measured)} of {len(job.variants)} variants; the same command goes on", file=sys.stderr)
        return show.status(cut)
    found = dict(measured)
    add_figures(file, found, command())
    if json:
        show.write_json({"game": spec.name, "file": str(file), "seeds": seeds, "seed": seed, "figures": found})
        return 0
    rows = [(text, one["games"], f"{one['won']:.1%}", f"± {one['half']:.1%}") for text, one in found.items()]
    show.write_table(("variant", "games", "win share", "95 %"), rows)
    print(f"the figures stand in the header of {file}")
    return 0
