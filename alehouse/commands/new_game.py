"""`alehouse new-game`: write a package with a small, complete game, to be turned into a game of one's own."""

import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.games import GAMES, REFERENCE, installed
from alehouse.skeleton import project

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the new game: small letters and underscores.")]
Where = Annotated[Path | None, typer.Option("--dir", help="The folder to write (default: one called NAME).")]


def new_game(name: Name, where: Where = None) -> int:
    """Write a package with a small, complete game called NAME, which passes `alehouse check` and is yours to change."""
    if re.fullmatch(r"[a-z][a-z_]*[a-z]", name) is None:
        raise ValueError(f"game {name!r}: small letters and underscores, two at least, a letter first and last")
    if name in (*GAMES, *REFERENCE, *installed()):
        raise ValueError(f"game {name!r}: there is a game of this name already")
    target = where or Path(name)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileExistsError(f"{target}: there already; choose an empty folder with --dir")
    try:
        for path, text in project(name, name.replace("_", " ").capitalize()).items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(target / path, text.encode())
    except OSError:
        shutil.rmtree(target, ignore_errors=True)
        raise
    print(f"{target}: a complete game called {name}. Install it with `pip install -e {target}`, then try `alehouse check {name}`.")
    return 0
