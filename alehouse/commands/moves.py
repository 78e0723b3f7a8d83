"""Takes the moves of a game one by one, and tells them in words."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.narration import narrated


class Move(NamedTuple):
    """An action of a seat, and the table at which it was taken."""

    move: int  # the number of the move, from 1 on
    seat: int
    asked: str  # the question, worded to follow "player_0 is asked to ..."; empty for a game that declares no questions
    action: int
    name: str
    words: str  # the answer in words
    only: bool  # whether no other action was legal
    then: tuple[str, ...]  # what followed by itself: answers that had no choice, and what the game tells of chance
    text: str  # the table before the move in words, if the caller wants it

    def as_json(self) -> dict[str, Any]:
        """Return the move in the form that `--json` prints."""
        found = self._asdict()
        return found if self.text else {name: value for name, value in found.items() if name != "text"}


def moves(tables: Tables, actions: Iterable[int], texts: bool) -> Iterator[Move]:
    """Take actions at a batch of one table, and yield each as a Move afterwards."""
    names = tables.variants[0].action_names
    for number, action in enumerate(actions, 1):
        words = {one.action: one.words for one in tables.view(0).options}
        text = tables.text(0) if texts else ""
        told, then = words.get(action, ""), tuple(narrated(tables, 0, action))
        move = Move(number, int(tables.seat[0]), question(tables), action, names[action], told, len(words) == 1, then, text)
        tables.step([action])
        yield move


def question(tables: Tables) -> str:
    """Return what the seat to move is asked to do, or "" for a game that declares no questions."""
    known = tables.game.questions
    return known.asked(tables.states[0]).prompt if known and not tables.over[0] else ""


def sentence(move: Move, player: str) -> str:
    """Return a move of a player as one line of text."""
    asked = f" is asked to {move.asked}" if move.asked else ""
    return f"{move.move}. {player}{asked}: {move.words} ({move.name}{'; nothing else is legal' if move.only else ''})"


def news(before: str, after: str, known: str) -> Iterator[str]:
    """Yield the lines of a table's text that a move has changed: dice, draws, and everything that was done without asking.

    An indented line comes together with the line above that it belongs to. The line `known` is left out.
    """
    old, parent, told = set(before.splitlines()), "", False
    for line in after.splitlines():
        if not line.startswith(" "):
            parent, told = line, False
        if line not in old and line != known:
            if line is not parent and not told and parent in old:
                yield parent
            told = True
            yield line
