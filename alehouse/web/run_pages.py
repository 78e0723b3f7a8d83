"""The pages that show the folder of runs."""

import functools
import re
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.narration import narrated
from alehouse.web import runs
from alehouse.web.curves import curves
from alehouse.web.guard import REPORT_POLICY, Refused
from alehouse.web.site import BORN, Fields, page, route, seen

HEADINGS = {
    "replay": "Replays",
    "training": "Training",
    "arena": "Arenas",
    "balance": "Balance studies",
    "sweep": "Sweeps",
}


def picture_of(svg: str) -> Markup:
    """Return a picture as part of a page, whose colours it takes; its own styles would not be allowed there."""
    return Markup(re.sub(r"<style>.*?</style>", "", svg, flags=re.DOTALL))


def routes(root: Path) -> list[Route]:
    """Return the ways to these pages."""
    acts = {"/runs": listing, "/runs/{name:path}": one, "/report/{name:path}": report}
    return [route(path, functools.partial(act, root)) for path, act in acts.items()]


def listing(root: Path, request: Request, fields: Fields) -> Response:
    """Show what lies in the folder."""
    there = runs.found(root) if root.is_dir() else []
    stamp = f"{BORN}.{len(there)}.{max((run.changed for run in there), default=0)}.{sum(run.live for run in there)}"
    if seen(request, stamp):
        return Response(status_code=204)
    kinds = [(kind, [run for run in there if run.kind == kind]) for kind in runs.KINDS]
    shown = [(kind, some) for kind, some in kinds if some]
    return page(request, "runs.html", folder=str(root), kinds=shown, headings=HEADINGS, stamp=stamp)


def one(root: Path, request: Request, fields: Fields) -> Response:
    """Show one run."""
    run = run_at(root, request)
    if run.kind == "replay":
        return replay(root, run, request)
    stamp = f"{BORN}.{run.changed}.{run.live}"
    if seen(request, stamp):
        return Response(status_code=204)
    facts = runs.facts(root, run)
    if run.kind == "training":
        facts["curves"] = Markup(curves(facts["rows"]))
    return page(request, "run.html", run=run, headings=HEADINGS, stamp=stamp, **facts)


def run_at(root: Path, request: Request) -> runs.Run:
    """Return the run that an address names."""
    try:
        return runs.run_at(root, request.path_params["name"])
    except (OSError, ValueError) as error:
        raise Refused(404, f"{error}.") from None


def report(root: Path, request: Request, fields: Fields) -> Response:
    """Send the report of a balance study; whatever is in it cannot run scripts or reach the other pages."""
    run = run_at(root, request)
    if run.kind != "balance":
        raise Refused(404, f"{run.name}: there is no report.")
    return Response(runs.report(root, run.name), media_type="text/html", headers={"content-security-policy": REPORT_POLICY})


def replay(root: Path, run: runs.Run, request: Request) -> Response:
    """Show a finished game, one move at a time."""
    found = loaded(runs.inside(root, run.name), run.changed)
    asked = request.query_params.get("move", "")
    move = min(int(asked), len(found.actions)) if asked.isascii() and asked.isdigit() and len(asked) < 8 else len(found.actions)
    tables = found.tables(move)
    facts: dict[str, Any] = {"move": move, "told": told(found, move), "picture": picture_of(tables.svg(0))}
    about = {"name": run.name, "title": tables.game.title, "variant": found.variant, "seed": found.seed, "last": len(found.actions)}
    points = found.tables().view(0).scores
    return page(request, "replay.html", "frame.html", **facts, **about, points=points)


@functools.lru_cache(maxsize=8)
def loaded(path: Path, changed: float) -> Replay:
    """Return the replay in a file; `changed` keeps an older state of the file from being shown."""
    return Replay.load(path)


def told(found: Replay, move: int) -> dict[str, Any] | None:
    """Return a move in words, and what followed by itself."""
    if not move:
        return None
    before: Tables = found.tables(move - 1)
    action = found.actions[move - 1]
    words = next(option.words for option in before.view(0).options if option.action == action)
    return {"seat": int(before.seat[0]), "words": words, "then": narrated(before, 0, action)}
