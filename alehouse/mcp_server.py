"""A server of the Model Context Protocol: language models play matches by tools, and read only what their seat may know."""

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from alehouse import players
from alehouse.agents.heuristic import heuristic_of
from alehouse.commands.variants import overrides_of
from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.declare.numbers import Value
from alehouse.envs.core.run.tables import IllegalAction
from alehouse.envs.core.show.telling import explained, telling
from alehouse.envs.games import GAMES, REFERENCE
from alehouse.matches.knowledge import Told
from alehouse.matches.match import FOLDER, HUMAN, Match, fresh_path
from alehouse.matches.words import rows_of

PLAYS = 64  # by default, each answer is rated by this many plays
MOST = 2000  # a model can ask for at most this many
HELD = 64  # a server holds at most this many matches; the oldest are let go, and stay on the disk
INSTRUCTIONS = """Play tavern board games against agents. Begin with new_game, which returns the number of a match. observe tells what
your seat may know: the table, what happened since you last looked, and the question if you are asked. options lists the answers; act gives
one of them by its name or its number. why_illegal explains why an answer is not possible, rate says what each answer is worth, and replay
saves the game when it is over."""


class Desk:
    """The matches that a model plays, and the tools by which it plays them. Every tool returns plain data, or raises a ValueError."""

    def __init__(self, folder: Path = FOLDER, usual: Variant | None = None) -> None:
        self.folder, self.lock = folder, threading.Lock()
        self.usual = usual  # what is played where the model asks for its game and says no more
        self.matches = dict[int, tuple[Match, int]]()  # the match and the model's seat, by number
        self.looked = dict[int, int]()  # how many moves of a match the model has been told
        self.count = 0

    def new_game(
        self, game: str, seats: int | None = None, modules: str = "", seat: int = 0, opponents: str = "", seed: int | None = None,
        changes: str = "",
    ) -> dict[str, Any]:  # fmt: skip
        """Begin a match and return its number and what your seat sees.

        game: the name of a game, or the id of a variant; a wrong name is answered with the known ones.
        seats: how many players sit at the table.
        modules: names of modules to play with, joined by commas.
        seat: your seat, from 0 on.
        opponents: the agent in all other seats, such as uniform, heuristic or level:3; by default heuristic.
        seed: decides all luck; by default nobody knows it.
        changes: numbers of the rules to change, as KEY=VALUE, joined by commas.
        """
        if game.partition("-")[0] not in (*GAMES, *REFERENCE):
            raise ValueError(f"game {game!r}: one of {', '.join((*GAMES, *REFERENCE))}")
        v = self.variant(game, seats, modules, changes)
        if not 0 <= seat < v.seats:
            raise ValueError(f"seat {seat}: 0 to {v.seats - 1} in {v}")
        if seed is not None and not 0 <= seed < 2**64:
            raise ValueError(f"seed {seed}: 0 to 2**64 - 1")
        other = trusted(opponents) or ("heuristic" if heuristic_of(v.spec) else "uniform")
        if other == HUMAN:
            raise ValueError("opponents: the name of an agent; people play with `alehouse play` or `alehouse serve`")
        match = Match.new(v, [HUMAN if p == seat else other for p in range(v.seats)], seed, self.folder / fresh_path(v).name)
        number = self.count = self.count + 1
        self.matches[number], self.looked[number] = (match, seat), 0
        for old in list(self.matches)[:-HELD]:
            del self.matches[old], self.looked[old]
        return self.observe(number)

    def variant(self, game: str, seats: int | None, modules: str, changes: str) -> Variant:
        """Return what a model wants to play."""
        first = as_variant(game)
        numbers: dict[str, Value] = {**overrides_of(pair.strip() for pair in changes.split(",") if pair.strip())}
        if self.usual is not None and self.usual.spec is first.spec:
            numbers = {**dict(self.usual.overrides), **dict(first.overrides), **numbers}
            first = self.usual if game == self.usual.game else first
        chosen = [name for name in modules.replace("+", ",").split(",") if name]
        return first.spec.variant(first.seats if seats is None else seats, chosen or first.modules, first.length, numbers)

    def observe(self, match: int) -> dict[str, Any]:
        """Return what your seat may know: the table, what happened since you last looked, and the question if you are asked."""
        played, seat = self.found(match)
        for _ in played.play_on():
            pass
        news = [line for one in played.log(seat, self.looked[match]) for line in told(one, seat)]
        self.looked[match] = len(played.actions)
        table = self.telling(match)
        return {
            "match": match, "variant": str(played.variant), "seat": seat, "news": news, "table": table["table"], "asked": table["asked"],
            "answers": len(table["options"]), "over": played.over, "scores": played.scores if played.over else None,
        }  # fmt: skip

    def options(self, match: int, rules: bool = False) -> dict[str, Any]:
        """Return the question that you are asked with all its answers; with rules, also the rules behind it."""
        played, _ = self.found(match)
        table = self.telling(match)
        known = {"rules": explained(played.variant.spec, table["question"])} if rules else {}
        return {"asked": table["asked"], "options": table["options"], **known}

    def act(self, match: int, answer: str | int) -> dict[str, Any]:
        """Give an answer by its name or its number, let the others play on, and return what you see then."""
        played, _ = self.found(match)
        try:
            played.act(self.action(played, answer))
        except IllegalAction as error:
            raise ValueError(f"{error.name} is not possible: {error.why}") from None
        return self.observe(match)

    def why_illegal(self, match: int, answer: str | int) -> str:
        """Return the rule that forbids an answer now, or that it is legal."""
        played, seat = self.found(match)
        action = self.action(played, answer)
        if not played.over and played.seat != seat:
            return f"player_{played.seat} is asked, not you"
        return played.tables.why_illegal(0, action) or "it is legal"

    def rate(self, match: int, by: str = "", plays: int = PLAYS) -> list[dict[str, Any]]:
        """Return what each answer to your question is worth: the share of the win that you may expect, best first.

        by: the agent that plays games on, by default the heuristic. plays: how often, for each answer.
        """
        played, seat = self.found(match)
        if played.over or played.seat != seat:
            raise ValueError("you are not asked anything")
        if not 2 <= plays <= MOST:
            raise ValueError(f"plays {plays}: 2 to {MOST}")
        found = played.hint(trusted(by), plays)
        return rows_of(found, played.view(seat).options)

    def replay(self, match: int) -> dict[str, Any]:
        """Save the finished game as a replay file, and return its path and the whole game in words."""
        played, _ = self.found(match)
        if not played.over:
            raise ValueError("the game is not over; a replay tells everything, hidden cards too")
        path = played.path.with_suffix(".replay.json")
        played.replay().save(path)
        return {"path": str(path), "moves": [line for one in played.log(None) for line in told(one, None)], "scores": played.scores}

    def found(self, match: int) -> tuple[Match, int]:
        """Return a match and the model's seat."""
        if match not in self.matches:
            known = ", ".join(map(str, self.matches))
            raise ValueError(f"match {match}: {f'one of {known}' if known else 'begin one with new_game'}")
        return self.matches[match]

    def telling(self, match: int) -> dict[str, Any]:
        """Return what the model's seat may know, in words."""
        played, seat = self.matches[match]
        tables = played.tables
        return telling(played.variant, tables.states[0], tables.rules[tables.rule[0]], seat)

    def action(self, match: Match, answer: str | int) -> int:
        """Return the number of an answer."""
        if isinstance(answer, str) and not answer.isdecimal():
            return match.variant.action(answer)
        if not 0 <= int(answer) < match.variant.n_actions:
            raise ValueError(f"answer {answer}: 0 to {match.variant.n_actions - 1}, or a name")
        return int(answer)


TOOLS = ("new_game", "observe", "options", "act", "why_illegal", "rate", "replay")


def trusted(name: str) -> str:
    """Return the name of an agent; a ValueError if it would run a program or a file, which a model must not start."""
    if name and name != HUMAN and not players.trusted(name):
        raise ValueError(f"agent {name!r:.80}: here only agents of this package play, such as uniform, heuristic or level:3")
    return name


def told(one: Told, seat: int | None) -> list[str]:
    """Return a move as lines of text."""
    who = "you" if one.seat == seat else f"player_{one.seat}"
    return [f"{one.move}. {who}: {one.words or f'a hidden answer ({one.asked})'}", *(f"   {line}" for line in one.then)]


def server(desk: Desk) -> Any:
    """Return a server of the desk's tools."""
    from mcp.server.mcpserver import MCPServer

    found = MCPServer("alehouse", instructions=INSTRUCTIONS)
    for name in TOOLS:
        found.add_tool(guarded(desk, getattr(desk, name)), name=name)
    return found


def guarded(desk: Desk, tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return a tool that runs alone, and whose errors reach the model as one line."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    def run(*args: Any, **options: Any) -> Any:
        with desk.lock:
            try:
                return tool(*args, **options)
            except (ValueError, OSError) as error:
                raise ToolError(" ".join(str(error).split())) from None

    return run
