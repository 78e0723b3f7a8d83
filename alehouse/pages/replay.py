"""The page of a replay: its pictures under a slider, its log in words, the win probability by move, and the decisions that cost most."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from alehouse.benchmarks.review.decisions import Course, Decision, mistakes
from alehouse.commands.moves import Move, moves
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.show.icons import ICONS, SEAT_SHAPES
from alehouse.envs.core.show.theme import STYLE

TEMPLATE = "replay.html"
SHOWN = 8  # the list of costly decisions has at most this many
WIDE, HIGH = 1000, 220  # the size of the chart
ENOUGH = 128  # a point of the chart rests on at least this many plays, where the game is long enough


@dataclass(frozen=True)
class Frames:
    """Pictures that share their lines: most of a picture is the same as in the one before."""

    lines: list[str]  # each different line once
    pictures: list[list[int]]  # for each picture, the numbers of its lines

    @classmethod
    def of(cls, pictures: Iterator[str]) -> "Frames":
        """Return pictures in this form."""
        known: dict[str, int] = {}
        told = [[known.setdefault(line, len(known)) for line in picture.splitlines()] for picture in pictures]
        return cls(list(known), told)


class Chart(NamedTuple):
    """The share of the win that each seat may expect after each move."""

    window: int  # how many neighbouring moves are averaged
    lines: list[str]  # for each seat, the points of its line


def need_jinja() -> Any:
    """Return the library that fills templates, or raise a ValueError that says how to get it."""
    try:
        import jinja2
    except ImportError:
        raise ValueError("pages of HTML need jinja2: pip install 'alehouse[study]'") from None
    return jinja2


def page(replay: Replay, course: Course, found: Sequence[Decision], frames: Frames, seat: int | None = None) -> str:
    """Return the page of a replay with its decisions compared, as HTML; `found` is empty if they were not."""
    jinja2 = need_jinja()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    tables = replay.tables(0)
    words = [{one.action: one.words for one in table.view(0).options} for table in itertools.islice(replay.played(), len(replay.actions))]
    told = list(moves(tables, replay.actions, texts=False))
    judged, costly = {one.move: one for one in found}, mistakes(found)
    log = [entry(move, judged.get(move.move), answers, judged.get(move.move) in costly) for move, answers in zip(told, words, strict=True)]
    text: str = environment.get_template(TEMPLATE).render(
        title=course.variant.spec.title,
        replay=replay,
        seats=range(course.variant.seats),
        seat=seat,
        won=course.won,
        points=tables.scores[0].tolist() if tables.over[0] else None,
        theme=STYLE,
        shapes=[ICONS[SEAT_SHAPES[p % 6]] for p in range(course.variant.seats)],
        chart=chart(found, course) if found else None,
        size=(WIDE, HIGH),
        costly=[log[one.move - 1] for one in costly[:SHOWN]],
        data={"lines": frames.lines, "pictures": frames.pictures, "log": log},
    )
    return text


def entry(move: Move, judged: Decision | None, words: dict[int, str], mistake: bool) -> dict[str, Any]:
    """Return a move in the form that the page shows; shares are in percent."""
    told = {
        "move": move.move,
        "seat": move.seat,
        "asked": move.asked,
        "words": move.words or move.name,
        "then": move.then,
        "only": move.only,
    }
    if judged is None or not judged.choice:
        return told
    answers = [
        {"words": words[one.action], "value": 100 * one.value, "error": 100 * one.error, "given": one.action == judged.action}
        for one in sorted(judged.answers, key=lambda one: -one.value)
    ]
    cost = {"loss": 100 * judged.loss, "half": 196 * judged.error, "mistake": mistake, "best": words[judged.best]}
    return {**told, **cost, "answers": answers}


def chart(found: Sequence[Decision], course: Course) -> Chart:
    """Return the chart of a game. Where each move was played on only a few times, neighbouring moves are averaged."""
    n, seats = len(found), course.variant.seats
    window = max(1, min(ENOUGH // found[0].plays, n // 20) | 1)
    shares = np.array([one.shares for one in found])
    smooth = np.array([shares[max(0, k - window // 2) : k + window // 2 + 1].mean(axis=0) for k in range(n)])
    if course.won is not None:
        smooth[-1] = course.won
    lines = [" ".join(f"{WIDE * k / n:.0f},{HIGH * (1 - row[p]):.0f}" for k, row in enumerate(smooth, 1)) for p in range(seats)]
    return Chart(window, lines)
