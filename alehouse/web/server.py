"""Puts the pages together, and serves them on this computer only."""

import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from alehouse.envs.core.declare.game import Variant
from alehouse.web import puzzle_pages, review_pages, run_pages
from alehouse.web.guard import Guard, Keys, Refused
from alehouse.web.play_pages import Pages
from alehouse.web.rooms import Rooms
from alehouse.web.site import HERE, fault, refusal, route, theme

HOST = "127.0.0.1"
AT_ONCE = 100  # connections that are answered at the same time; others are turned away


def application(root: Path, keys: Keys, port: int, usual: Variant | None = None) -> ASGIApp:
    """Return all pages over a folder of runs, behind the guard; `usual` is offered first for its game."""
    pages = Pages(Rooms(root / "play"), keys, f"http://{HOST}:{port}", usual)
    static = Mount("/static", StaticFiles(directory=HERE / "static"))
    routes = [
        *pages.routes(),
        *run_pages.routes(root),
        *review_pages.routes(root),
        *puzzle_pages.routes(root),
        route("/static/theme.css", theme),
        static,
    ]
    handlers = dict.fromkeys((Refused, HTTPException, ValueError, OSError), refusal)
    handlers[Exception] = fault
    found = Starlette(routes=routes, exception_handlers=handlers)
    found.router.redirect_slashes = False
    return Guard(found, keys, port)


def listening(port: int) -> socket.socket:
    """Return a socket that only this computer can reach; port 0 takes a free one."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen()
    except OSError as error:
        found.close()
        raise ValueError(f"--port {port}: {error.strerror}") from None
    return found


def serve(pages: ASGIApp, at: socket.socket) -> None:
    """Answer browsers until Ctrl-C."""
    settings = uvicorn.Config(
        pages,
        http="h11",
        ws="none",
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=AT_ONCE,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(settings).run([at])
