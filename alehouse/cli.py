"""The command line: one function for each command, each in a file of its own under commands/."""

import functools
from collections.abc import Callable
from typing import Annotated, Any

import typer

import alehouse
from alehouse.commands import interrupt, show
from alehouse.commands.arena import arena
from alehouse.commands.balance import balance
from alehouse.commands.bench import bench
from alehouse.commands.cards import cards
from alehouse.commands.check import check
from alehouse.commands.doctor import doctor
from alehouse.commands.games import games
from alehouse.commands.mcp import mcp
from alehouse.commands.new_game import new_game
from alehouse.commands.play import play
from alehouse.commands.puzzle import puzzle
from alehouse.commands.replay import replay
from alehouse.commands.review import review
from alehouse.commands.serve import serve
from alehouse.commands.signature import signature
from alehouse.commands.soak import soak
from alehouse.commands.sweep import sweep
from alehouse.commands.train import train
from alehouse.commands.tune import tune
from alehouse.commands.warmup import warmup
from alehouse.commands.watch import watch

TO_TRY = (
    ("alehouse games", "list the games with their modules and variants"),
    ("alehouse play bloody_inn", "play against agents; --level 1 to 6, --teach comments your answers"),
    ("alehouse arena bloody_inn --agents heuristic,uniform", "let agents play each other: who wins, and how sure that is"),
    ("alehouse balance tavern_battle", "see in a minute what each module does to a game"),
    ("alehouse train bloody_inn --minutes 10", "train a network that plays"),
)
BAD_INPUT = (ValueError, OSError)  # a full disk and a folder that cannot be written are errors of the system


def application(**settings: Any) -> typer.Typer:
    """Return a command line with `-h` for help, which wraps at every width, and with plain tracebacks for faults of our own."""
    names = {"help_option_names": ["-h", "--help"]}
    return typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None, context_settings=names, **settings)


def guarded(command: Callable[..., int]) -> Callable[..., None]:
    """Make a command end with its exit code, and turn bad input into one line on stderr."""

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> None:
        with interrupt.remembered():
            try:
                status = command(*args, **options)
            except KeyboardInterrupt:
                status = interrupt.STATUS
            except Exception as error:
                if interrupt.pressed():
                    status = interrupt.STATUS
                elif isinstance(error, BAD_INPUT) and not isinstance(error, ConnectionError):
                    status = show.bad_input(error)
                else:
                    raise
        raise typer.Exit(status)

    return run


app = application(
    name="alehouse",
    help="Tavern board games as very fast environments for agents.",
    epilog="Exit codes: 0 well, 1 a check failed or a game was forfeited, 2 bad input, 130 Ctrl-C.",
)


def version(wanted: bool) -> None:
    """Print the version and end, if the option `--version` is given."""
    if wanted:
        print(f"alehouse {alehouse.__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")]


@app.callback(invoke_without_command=True)
def start(context: typer.Context, version: Version = False) -> None:
    """Print some commands to try first, if no command is given."""
    if context.invoked_subcommand is None:
        show.write_table(("try", "to"), TO_TRY)
        print("alehouse -h lists all commands; alehouse COMMAND -h explains one.")


COMMANDS = (
    games,
    cards,
    check,
    signature,
    replay,
    review,
    puzzle,
    warmup,
    doctor,
    bench,
    play,
    watch,
    serve,
    mcp,
    arena,
    balance,
    sweep,
    train,
    tune,
    new_game,
    soak,
)
for command in COMMANDS:
    app.command(short_help=(command.__doc__ or "").partition(". ")[0].rstrip("."))(guarded(command))
