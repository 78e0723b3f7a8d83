"""Sentences about a match, the same in every skin: the question explained, hints, what an answer cost, and how the points came about."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from alehouse.agents import Ratings
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.show.telling import summary
from alehouse.envs.core.show.view import Option, View
from alehouse.envs.core.words import amount
from alehouse.matches.knowledge import Told
from alehouse.matches.match import Match

BEST = 3  # a hint names this many answers
SURE = 2.0  # an answer is called worse if it is worse by this many standard errors


def explained(tables: Tables) -> list[str]:
    """Return what the question at the only table of a batch is about: what may be answered, what an answer does, and where it is ruled."""
    known = tables.game.questions
    if known is None:
        return [f"Choose one of the legal actions of {tables.game.title}."]
    row = known.asked(tables.states[0])
    where = f" (module {row.module})" if row.module else ""
    listed = summary(row.legal).removeprefix("List ").removesuffix(".")
    return [
        f"You are asked to {row.prompt}. Rule {row.rule}{where}, see docs/{tables.game.name}.md.",
        f"You may choose among: {listed}.",
        f"An answer does this: {summary(row.apply)}",
    ]


def sentence(one: Told, players: Sequence[str], you: int | None) -> str:
    """Return a move as one line, as the seat `you` reads it."""
    who = "you" if one.seat == you else f"player_{one.seat}"
    if not one.words:
        return f"{who} ({players[one.seat]}): an answer that stays hidden ({one.asked})"
    return f"{who}: {one.words}" if one.seat == you else f"{who} ({players[one.seat]}): {one.words}"


def hinted(found: Ratings, options: Sequence[Option]) -> Iterator[str]:
    """Yield the best answers with their shares of the win, and what is known of the rest."""
    value, loss, doubt = found.value[0], found.loss[0], found.loss_error[0]
    ranked = sorted(enumerate(options, 1), key=lambda item: -value[item[1].action])
    for number, one in ranked[:BEST]:
        close = "" if loss[one.action] > SURE * doubt[one.action] or one is ranked[0][1] else ", not surely worse"
        yield f"{number:3}  {one.words}: wins {value[one.action]:.0%} (± {SURE * found.error[0, one.action]:.0%}){close}"
    if len(ranked) > BEST:
        yield f"     the other {len(ranked) - BEST}: {value[ranked[-1][1].action]:.0%} to {value[ranked[BEST][1].action]:.0%}"


def rows_of(found: Ratings, options: Sequence[Option]) -> list[dict[str, Any]]:
    """Return what each answer is worth as plain data, the best first; what a searcher did not find out is None."""

    def known(number: float) -> float | None:
        return None if np.isnan(number) else round(float(number), 4)

    columns = {"value": found.value[0], "error": found.error[0]}
    rows = [
        {"name": one.name, "words": one.words, **{name: known(column[one.action]) for name, column in columns.items()},
         "visits": int(found.visits[0, one.action])}
        for one in options
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -1.0 if row["value"] is None else row["value"], reverse=True)


def cost(found: Ratings, options: Sequence[Option], action: int) -> str:
    """Return in words what an answer cost against the best one."""
    loss, doubt = found.loss[0, action], found.loss_error[0, action]
    best = next(one.words for one in options if one.action == found.best[0])
    if len(options) == 1:
        return "the only answer"
    if action == found.best[0]:
        return "the best answer by this measure"
    if loss <= SURE * doubt:
        return f"as good as the best by this measure (cost {loss:.1%} ± {SURE * doubt:.1%} of the win)"
    return f"it cost {loss:.1%} (± {SURE * doubt:.1%}) of the win; better: {best}"


def found_by(view: View, text: str) -> Option | None:
    """Return the answer that a player means by its number in the list or by its name."""
    if text.isdecimal() and len(text) < 5 and 1 <= int(text) <= len(view.options):
        return view.options[int(text) - 1]
    return next((one for one in view.options if one.name == text), None)


def refused(match: Match, text: str) -> str:
    """Return why an answer that a player names is not possible, or "" if the text names no answer at all."""
    names = match.variant.action_names
    if text in names:
        return f"{text} is not possible: {match.tables.why_illegal(0, names.index(text))}"
    return ""


def result(match: Match) -> Iterator[str]:
    """Yield the places of a finished game with their points."""
    tables = match.tables
    order = sorted(range(match.variant.seats), key=lambda p: (-tables.utility[0, p], p))
    for p in order:
        place = 1 + sum(tables.utility[0, q] > tables.utility[0, p] for q in range(match.variant.seats))
        yield f"{place}. player_{p} ({match.players[p]}): {amount(int(tables.scores[0, p]), 'point')}"


def growth(match: Match) -> list[tuple[int, tuple[int, ...]]]:
    """Return the points as they stood when each round had ended, and at the end of the game."""
    found, rounds, tables = list[tuple[int, tuple[int, ...]]](), 0, match.at(0)
    for action in match.actions:
        before = points(tables)
        tables.step([action])
        now = int(tables.game.clock(tables.states[0]))
        if now != rounds or tables.over[0]:
            found.append((rounds + 1, points(tables) if tables.over[0] else before))
            rounds = now
    return found


def points(tables: Tables) -> tuple[int, ...]:
    """Return the points of each seat as the table stands, counted in plain Python."""
    return tuple(int(n) for n in np.asarray(tables.game.score_again(tables.states[0], tables.rules[tables.rule[0]])))
