"""The command line: one function for each command, each in a file of its own under commands/."""

import functools
import sys
from collections.abc import Callable
from typing import Any

import typer

from alehouse.commands import interrupt
from alehouse.commands.arena import arena
from alehouse.commands.balance import balance
from alehouse.commands.bench import bench
from alehouse.commands.cards import cards
from alehouse.commands.check import check
from alehouse.commands.doctor import doctor
from alehouse.commands.games import games
from alehouse.commands.new_game import new_game
from alehouse.commands.replay import replay
from alehouse.commands.signature import signature
from alehouse.commands.sweep import sweep
from alehouse.commands.train import train
from alehouse.commands.tune import tune_weights
from alehouse.commands.warmup import warmup

BAD_INPUT = (ValueError, FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError)


def application(**settings: Any) -> typer.Typer:
    """Return a command line with `-h` for help, and with plain tracebacks for faults of our own."""
    names = {"help_option_names": ["-h", "--help"]}
    return typer.Typer(add_completion=False, pretty_exceptions_enable=False, context_settings=names, **settings)


def guarded(command: Callable[..., int]) -> Callable[..., None]:
    """Make a command end with its exit code, and turn bad input into one line on stderr."""

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> None:
        with interrupt.remembered():
            try:
                status = command(*args, **options)
            except KeyboardInterrupt:
                status = 130
            except Exception as error:
                if interrupt.pressed():
                    status = 130
                elif isinstance(error, BAD_INPUT):
                    print(f"alehouse: {said(error)}", file=sys.stderr)
                    status = 2
                else:
                    raise
        raise typer.Exit(status)

    return run


def said(error: Exception) -> str:
    """Return an error's message in one line."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


app = application(
    name="alehouse",
    help="Tavern board games as exact and very fast environments for agents.",
    epilog="Exit codes: 0 well, 1 a check failed or a game was forfeited, 2 bad input, 130 Ctrl-C.",
    no_args_is_help=True,
)
for command in (games, cards, check, signature, replay, warmup, doctor, bench, arena, balance, sweep, train, new_game):
    app.command()(guarded(command))
app.command("tune")(guarded(tune_weights))
