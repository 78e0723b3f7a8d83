"""`alehouse mcp`: a server of the Model Context Protocol on stdin and stdout."""

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

Folder = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The folder of the matches (default: runs/play).")]


def mcp(folder: Folder = None) -> int:
    """Let a language model play: serve the tools new_game, observe, options, act, why_illegal, rate and replay on stdin and stdout."""
    if importlib.util.find_spec("mcp") is None:
        raise ValueError("mcp needs mcp: pip install 'alehouse[mcp]'")
    from alehouse import mcp_server

    desk = mcp_server.Desk(folder) if folder is not None else mcp_server.Desk()
    mcp_server.server(desk).run("stdio")
    return 0
