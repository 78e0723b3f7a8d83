"""What a seat may know of a table as plain data: the facts of the game, the question, and each answer in words."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from alehouse.envs.core.run.question_stack import top

if TYPE_CHECKING:
    from alehouse.envs.core.declare.game import Variant

RELATIVE = re.compile(r"(?<![a-z])(?:me|left(\d))(?![a-z])")  # a seat, in names of actions


@dataclass(frozen=True)
class Asked:
    """The question that is open, and the seat that has to answer it."""

    seat: int
    question: str
    prompt: str  # what the seat is asked to do, as the end of "player_0 is asked to ..."
    rule: str
    args: Mapping[str, int]


@dataclass(frozen=True)
class Option:
    """One legal answer."""

    action: int
    name: str
    words: str  # a sentence
    group: str  # what kind of answer it is; answers of one group differ in what they concern
    thing: str  # the id of the thing on the table that it concerns, where one would click; "" where there is none


@dataclass(frozen=True)
class View:
    """What a seat may know of a table; without a seat, all of it."""

    module: str  # where the game is declared
    variant: str
    seats: int
    seat: int | None
    asked: Asked | None  # None once the game is over
    options: tuple[Option, ...]  # for the seat that is asked, and where everything is seen
    scores: tuple[int, ...]  # the points of each seat once the game is over
    table: Any  # the facts, as the game's own dataclass; as words where the game has none


class Phrases(NamedTuple):
    """How answers are told: a sentence and the id of a thing for each segment of actions, or for `question/segment`.

    Both are filled with names in braces: {it} is the label of the action in words, {key} the label itself, {seat} the seat it names,
    {first} and {otherwise} what the prompt says before and after its last "or". `names(table, asked, fields)` adds those of the game.
    `sealed` names the questions whose answers are hidden from the other seats.
    """

    rows: Mapping[str, tuple[str, str]] = {}
    names: Callable[[Any, Asked, Mapping[str, Any]], Mapping[str, Any]] = lambda table, asked, fields: {}
    sealed: tuple[str, ...] = ()


NO_PHRASES = Phrases()


def title(word: str) -> str:
    """Return a key as it is read aloud."""
    return word.replace("_", " ")


def look(v: "Variant", s: Any, R: Any, seat: int | None) -> View:
    """Return what a seat may know of a table of a variant."""
    game, asked = v.spec, question(v, s)
    table = game.view(s, R, seat) if game.view else game.describe(s, R, seat)
    mine = asked is not None and seat in (None, asked.seat)
    legal = [64 * w + k for w, word in enumerate(s.can) for k in range(64) if int(word) >> k & 1] if mine else []
    scores = () if asked else tuple(int(points) for points in game.score_again(s, R)[: v.seats])
    return View(game.module, str(v), v.seats, seat, asked, tuple(option(v, table, asked, a) for a in legal if asked), scores, table)


def question(v: "Variant", s: Any) -> Asked | None:
    """Return the open question of a table."""
    if s.turn < 0:
        return None
    if v.spec.questions is None:
        return Asked(int(s.turn), "", "choose an action", "", {})
    row, entry = v.spec.questions.asked(s), top(s)
    args = dict(zip(row.args, (int(entry.a), int(entry.b)), strict=False))
    return Asked(int(s.turn), row.name, row.prompt, row.rule, args)


def option(v: "Variant", table: Any, asked: Asked, action: int) -> Option:
    """Return a legal answer in words."""
    rows, names, _ = v.spec.phrases
    segment, label = v.spec.ACTIONS.segment(action)
    words, thing = rows.get(f"{asked.question}/{segment}") or rows.get(segment) or (f"{title(segment)} {{it}}", "")
    seats = [(asked.seat + int(found or 0)) % v.seats for found in RELATIVE.findall(f"{segment} {label}")]
    spoken = RELATIVE.sub(lambda found: f"player {(asked.seat + int(found[1] or 0)) % v.seats}", label)
    fields = {"it": title(spoken), "key": label, "segment": segment, "seat": seats[0] if seats else asked.seat}
    fields["first"], _, fields["otherwise"] = asked.prompt.rpartition(" or ")
    fields |= names(table, asked, fields)
    sentence = re.sub(r"\ba (?=[aeiou])", "an ", words.format(**fields).strip(" ,"))
    return Option(action, v.action_names[action], sentence[:1].upper() + sentence[1:], title(segment), thing.format(**fields))
