"""`alehouse mcp`: a server of the Model Context Protocol on stdin and stdout."""

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from alehouse.commands import variants

Folder = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The folder of the matches (default: runs/play).")]


def mcp(what: variants.Usual = "", changes: variants.Set = None, rules: variants.Rules = None, folder: Folder = None) -> int:
    """Let a language model play: serve the tools new_game, observe, options, act, why_illegal, rate and replay on stdin and stdout."""
    if importlib.util.find_spec("mcp") is None:
        raise ValueError("mcp needs mcp: pip install 'alehouse[mcp]'")
    usual = variants.usual(what, changes, rules)
    from alehouse import mcp_server
    from alehouse.matches.match import FOLDER

    desk = mcp_server.Desk(folder or FOLDER, usual)
    mcp_server.server(desk).run("stdio")
    return 0
