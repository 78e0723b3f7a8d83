"""The pages of puzzles: a position in which one answer is clearly best, to be found by a click."""

import functools
from itertools import groupby
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from alehouse.benchmarks.review.puzzles import Puzzle, files
from alehouse.envs.core.show.draw import draw
from alehouse.envs.core.verify.intervals import Z95
from alehouse.envs.games import REFERENCE, game, playable
from alehouse.web import runs
from alehouse.web.guard import Refused
from alehouse.web.jobs import Job, Jobs
from alehouse.web.run_pages import picture_of
from alehouse.web.site import BORN, Fields, number_of, page, route, seen


def routes(root: Path) -> list[Route]:
    """Return the ways to these pages."""
    one = functools.partial(puzzle, root, Jobs())
    return [
        route("/puzzles", functools.partial(listing, root)),
        route("/puzzle/{game}/{name}", one),
        route("/puzzle/{game}/{name}", one, "POST"),
    ]


def known(root: Path, name: str) -> dict[str, Path]:
    """Return the files of a game's puzzles: those of the package, and those that were found on this computer."""
    return files(name, root / "puzzles" / name)


def listing(root: Path, request: Request, fields: Fields) -> Response:
    """Show the games with their puzzles."""
    games = [
        {"name": spec.name, "title": spec.title, "puzzles": list(known(root, spec.name))} for spec in map(game, (*playable(), *REFERENCE))
    ]
    return page(request, "puzzles.html", games=[one for one in games if one["puzzles"]])


def puzzle(root: Path, jobs: Jobs, request: Request, fields: Fields) -> Response:
    """Show a puzzle; with an answer, whether it is the best one, and the proof."""
    game_name, name = request.path_params["game"], request.path_params["name"]
    there = known(root, game_name) if game_name in (*playable(), *REFERENCE) else {}
    if name not in there:
        raise Refused(404, "There is no such puzzle.")
    path = there[name]
    job = jobs.get((path, runs.changed(path)), functools.partial(laid, path))
    stamp = f"{BORN}.{job.stamp}"
    if not fields and seen(request, stamp):
        return Response(status_code=204)
    names = list(there)
    facts: dict[str, Any] = {
        "here": f"/puzzle/{game_name}/{name}",
        "number": names.index(name) + 1,
        "count": len(names),
        "next": names[(names.index(name) + 1) % len(names)],
        "game": game_name,
    }
    solution = solved(job.result, number_of(fields, "action")) if fields and job.result else None
    return page(request, "puzzle.html", "position.html", **facts, job=job, stamp=stamp, solution=solution)


def laid(path: Path, job: Job) -> dict[str, Any]:
    """Return the position of a puzzle as its page shows it."""
    found = Puzzle.load(path)
    tables = found.tables()
    view = tables.view(0, int(tables.seat[0]))
    groups = [one.group for one in view.options]
    options = sorted(view.options, key=lambda option: groups.index(option.group))
    return {
        "puzzle": found,
        "seat": int(tables.seat[0]),
        "prompt": view.asked.prompt if view.asked is not None else "answer",
        "title": tables.game.title,
        "picture": picture_of(draw(view)),
        "options": options,
        "groups": [(group, list(some)) for group, some in groupby(options, key=lambda option: option.group)],
    }


def solved(position: dict[str, Any], action: int) -> dict[str, Any]:
    """Return whether an answer is the best one, and what each is worth."""
    found, told = position["puzzle"], {one.name: one for one in position["options"]}
    given = next((one for one in position["options"] if one.action == action), None)
    if given is None:
        raise Refused(400, "That is not one of the answers.")
    ranked = sorted(found.answers.items(), key=lambda item: -item[1][0])
    rows = [
        {
            "words": told[name].words,
            "worth": f"{value:.1%} ± {100 * Z95 * error:.1f}",
            "given": name == given.name,
            "best": name == found.best,
        }
        for name, (value, error) in ranked
    ]
    return {"right": given.name == found.best, "rows": rows, "best": told[found.best].action}
