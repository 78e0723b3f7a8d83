"""Questions for players who read: the table in words, the answers as sentences, and the rules behind a question."""

import importlib
from collections.abc import Iterator
from typing import Any

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.context import Context, true_records
from alehouse.envs.core.show.view import look

SHORT = "## The rules in short\n"  # the part of a game's rules.md that tells the rules


def telling(v: Variant, s: Any, R: Any, seat: int) -> dict[str, Any]:
    """Return what a seat may know of a table in words, and the question if the seat is asked, as plain data."""
    view = look(v, s, R, seat)
    told: dict[str, Any] = {"table": v.spec.describe(s, R, seat), "question": "", "asked": None, "options": []}
    if view.asked is not None and view.asked.seat == seat:
        told["question"], told["asked"] = view.asked.question, f"player_{seat}, {view.asked.prompt}."
        told["options"] = [{"action": one.action, "name": one.name, "words": one.words} for one in view.options]
    return told


def tellings(ctx: Context) -> Iterator[dict[str, Any]]:
    """Yield for each decision what its seat is told. Tests prove that no word depends on what the seat cannot know."""
    states, rules, rule = true_records(ctx)
    for k, v in enumerate(ctx.variants):
        yield telling(v, states[k], rules[rule[k]], int(ctx.seats[k]))


def explained(game: Game, question: str) -> str:
    """Return the rules behind a question: what may be answered, what an answer does, and the rules of the whole game in short."""
    rows = game.questions.rows if game.questions else ()
    lines = [
        f"Asked: {row.prompt}. Rule {row.rule}{f' (module {row.module})' if row.module else ''}.\n"
        f"The answers: {summary(row.legal).removeprefix('List ')}\nWhat an answer does: {summary(row.apply)}\n"
        for row in rows
        if row.name == question
    ]
    return "\n".join([*lines, rules_of(game)]).strip()


def summary(kernel: Any) -> str:
    """Return the first paragraph of a kernel's docstring as one line."""
    text = getattr(kernel, "py_func", kernel).__doc__ or ""
    return " ".join(text.strip().partition("\n\n")[0].split())


def rules_of(game: Game) -> str:
    """Return the rules of a game in short; without a page of rules, what its module says about it."""
    page = game.folder / "rules.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    if SHORT in text:
        return text.partition(SHORT)[2].partition("\n## ")[0].strip()
    return (importlib.import_module(game.module).__doc__ or "").strip()
