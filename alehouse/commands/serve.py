"""`alehouse serve`: play in a browser, and look at runs."""

import importlib.util
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from alehouse.commands import variants

LIBRARIES = ("starlette", "uvicorn", "jinja2")  # libraries that the extra "web" installs

Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; 0 takes a free one.")]
Folder = Annotated[Path, typer.Option("--runs", metavar="DIR", help="The folder of runs; matches are kept in its folder play.")]
Open = Annotated[bool, typer.Option("--open", help="Open the address in the browser.")]


def serve(
    what: variants.Usual = "",
    changes: variants.Set = None,
    rules: variants.Rules = None,
    port: Port = 0,
    folder: Folder = Path("runs"),
    browser: Open = False,
) -> int:
    """Play in a browser, against agents or other people, and look at the folder of runs while it grows. Only this computer can reach it."""
    have_libraries()
    usual = variants.usual(what, changes, rules)
    from alehouse.web import server
    from alehouse.web.guard import Keys

    keys, at = Keys(), server.listening(port)
    here = f"http://{server.HOST}:{at.getsockname()[1]}/?token={keys.host}"
    pages = server.application(folder, keys, at.getsockname()[1], usual)
    print(
        f"{here}\nOpen this address in a browser on this computer; Ctrl-C ends the server. Matches are kept in {folder / 'play'}.",
        flush=True,
    )
    if browser:
        webbrowser.open(here)
    server.serve(pages, at)
    return 0


def have_libraries() -> None:
    """Raise a ValueError that names missing libraries, if any is missing."""
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        raise ValueError(f"serve needs {', '.join(missing)}: pip install 'alehouse[web]'")
