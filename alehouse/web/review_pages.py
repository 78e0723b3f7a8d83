"""The page that reviews a replay: what each player's decisions cost, the costliest ones, and how much was luck."""

import functools
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from alehouse.benchmarks.review.decisions import Course, Decision, accuracy, decisions, mistakes
from alehouse.benchmarks.review.luck import MOST, lucks
from alehouse.commands.playing_on import quick_agent
from alehouse.commands.review import costs
from alehouse.web import runs
from alehouse.web.guard import Refused
from alehouse.web.jobs import Job, Jobs
from alehouse.web.run_pages import loaded, run_at
from alehouse.web.site import BORN, Fields, page, route, seen

PLAYS = 64  # how often the best and the given answer of a decision are played on
TOLD = 10  # how many costly decisions are listed


def routes(root: Path) -> list[Route]:
    """Return the way to this page."""
    return [route("/review/{name:path}", functools.partial(review, root, Jobs()))]


def review(root: Path, jobs: Jobs, request: Request, fields: Fields) -> Response:
    """Show the review of a game, or how far it has come."""
    run = run_at(root, request)
    if run.kind != "replay":
        raise Refused(404, f"{run.name}: only replays can be reviewed.")
    path = runs.inside(root, run.name)
    job = jobs.get((path, run.changed), functools.partial(reviewed, path, run.changed))
    stamp = f"{BORN}.{job.stamp}"
    if seen(request, stamp):
        return Response(status_code=204)
    return page(request, "review.html", "reviewed.html", name=run.name, job=job, stamp=stamp)


def reviewed(path: Path, changed: float, job: Job) -> dict[str, Any]:
    """Return what the page says about a game."""
    saved = loaded(path, changed)
    if not saved.actions:
        raise ValueError("nobody has decided anything yet")
    course, found = Course.of(saved), list[Decision]()
    agent = quick_agent("", course.variant)
    job.steps = len(saved.actions)
    for one in decisions(course, agent, PLAYS):
        found.append(one)
        job.done += 1
    base, brought = lucks(course.variant, agent, saved.seed, MOST)
    return {
        "title": course.variant.spec.title,
        "won": None if course.won is None else course.won.tolist(),
        "players": accuracy(found, course.variant.seats),
        "costly": [{"before": one.move - 1, "seat": one.seat, "told": costs(saved, one)} for one in mistakes(found)[:TOLD]],
        "base": base.tolist(),
        "luck": brought,
        "by": agent.name,
        "plays": PLAYS,
    }
