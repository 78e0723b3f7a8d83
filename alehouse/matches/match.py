"""A match: a game of people and agents, with a journal on disk from which it goes on after a crash.

The first line of a journal says what is played and by whom. Each further line is a change: a move, moves taken back, or another player at a
seat. A change is on the disk before anybody sees what it leads to. A last line that was cut short is ignored.
"""

import contextlib
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from alehouse.agents import Agent, Ratings, ask, rate
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.rate import PLAYS
from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.run.files import DAMAGE, append, check_format, parsed, read_within, write_atomically
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.show.view import View
from alehouse.matches.knowledge import Told, learnt, told
from alehouse.players import player
from alehouse.training.journal import LARGEST, Line, sealed, unsealed

FORMAT = "alehouse-match-1"
HUMAN = "human"
FOLDER = Path("runs/play")
SEEDS = 48  # random bits of a new match's seed


class Stale(ValueError):
    """An answer came too late: the match has changed since the question was shown."""


class Match:
    """A game at one table, some of whose seats people play, and its journal. `new`, `of` and `open` make one."""

    def __init__(self, path: Path, head: Line) -> None:
        """Set the table as the first line of a journal says."""
        self.path, self.head, self.variant, self.seed = path, head, as_variant(head["variant"]), int(head["seed"])
        self.players = seated(head["players"], self.variant)  # "human" or an agent's name for each seat
        self.version = 0  # how many changes the journal holds
        self.actions = tuple(int(action) for action in head["actions"])  # all moves so far
        self.by_hand = (False,) * len(self.actions)  # for each move, whether a person made it
        self.tables = self.at(len(self.actions))  # one table, to be read and never stepped; each change replaces it
        self._agents = dict[str, Agent]()
        self._told = dict[int | None, list[Told]]()

    @classmethod
    def new(cls, v: Variant | str, players: Sequence[str], seed: int | None = None, path: str | Path | None = None) -> Self:
        """Begin a match. `players` has "human" or an agent's name for each seat."""
        return cls._begun(Replay.of(v, secrets.randbits(SEEDS) if seed is None else seed, ()), players, path)

    @classmethod
    def of(cls, replay: Replay, players: Sequence[str], path: str | Path | None = None) -> Self:
        """Begin a match that goes on where a replay ends. The moves of the replay cannot be taken back."""
        return cls._begun(replay, players, path)

    @classmethod
    def _begun(cls, replay: Replay, players: Sequence[str], path: str | Path | None) -> Self:
        """Begin a match after the moves of a replay, and write the first line of its journal."""
        v = as_variant(replay.variant)
        head = {"format": FORMAT, "variant": str(v), "rules": replay.rules, "seed": replay.seed, "players": list(players)}
        found = cls(Path(path) if path else fresh_path(v), {**head, "actions": list(replay.actions)})
        for name in {*found.players} - {HUMAN}:
            found.agent(name)
        if found.path.exists():
            raise ValueError(f"{found.path}: there is such a file already; a new match needs a new one")
        found.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(found.path, sealed(found.head))
        return found

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Go on with a match from its journal; a ValueError says what is wrong with the file."""
        path = Path(path)
        try:
            first, *rest = read_within(path, LARGEST).split(b"\n")
            known: Any = parsed(first)
            check_format(known.get("format") if isinstance(known, dict) else None, FORMAT)
            found = cls(path, unsealed(first))
            if (now := found.variant.rules_digest) != found.head["rules"]:
                raise ValueError(f"the rules of {found.variant} have changed since it began: digest {found.head['rules']}, now {now}")
            torn = rest.pop() if rest else first
            for number, text in enumerate(rest, 2):
                found._repeat(text, number)
        except FileNotFoundError:
            raise ValueError(f"{path}: there is no such file") from None
        except DAMAGE as error:
            raise ValueError(f"{path}: not a match that can go on: {error}") from None
        if torn:
            write_atomically(path, b"".join(line + b"\n" for line in (first, *rest)))
        return found

    def _repeat(self, text: bytes, number: int) -> None:
        """Carry out a line of the journal again."""
        try:
            line = unsealed(text)
            if line.pop("change") != self.version + 1:
                raise ValueError("it does not follow the line before; two programs have played this match at once")
            if "action" in line and (line["seat"], line["name"]) != (self.seat, self.variant.action_names[line["action"]]):
                raise ValueError(f"the game goes differently now; player_{line['seat']} cannot answer {line['name']!r}")
            self._change(line)
        except DAMAGE as error:
            raise ValueError(f"line {number}: {error}") from None

    def _change(self, line: Line) -> None:
        """Carry out a change, which the journal holds."""
        if "keep" in line:
            if not len(self.head["actions"]) <= line["keep"] < len(self.actions):
                raise ValueError(f"moves cannot be taken back to move {line['keep']}")
            self.actions, self.by_hand = self.actions[: line["keep"]], self.by_hand[: line["keep"]]
            self.tables = self.at(len(self.actions))
            for known in self._told.values():
                del known[line["keep"] :]
        elif "player" in line:
            self.players = seated([*self.players[: line["seat"]], line["player"], *self.players[line["seat"] + 1 :]], self.variant)
        else:
            after = self.tables.clone()
            after.step([line["action"]])
            self.by_hand += (self.waiting,)
            self.actions += (line["action"],)
            self.tables = after
        self.version += 1

    def _write(self, line: Line) -> None:
        """Write a change into the journal, and carry it out."""
        append(self.path, sealed({"change": self.version + 1, **line}))
        self._change(line)

    def _move(self, action: int) -> None:
        """Take an action of the seat that is asked; IllegalAction if the rules forbid it."""
        self.tables.clone().step([action])
        self._write({"seat": self.seat, "action": int(action), "name": self.variant.action_names[action]})

    # What is on the table

    @property
    def seat(self) -> int:
        """The seat that is asked, or -1 once the game is over."""
        return int(self.tables.seat[0])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.tables.over[0])

    @property
    def waiting(self) -> bool:
        """Whether a person is asked."""
        return not self.over and self.players[self.seat] == HUMAN

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats that people play."""
        return tuple(p for p, name in enumerate(self.players) if name == HUMAN)

    @property
    def scores(self) -> list[int]:
        """The points of each seat once the game is over; 0 before."""
        return [int(points) for points in self.tables.scores[0]]

    def view(self, seat: int | None) -> View:
        """Return what a seat may know, as plain data; without a seat, everything."""
        return self.tables.view(0, seat)

    def svg(self, seat: int | None) -> str:
        """Return a picture of what a seat may know; without a seat, of everything."""
        return self.tables.svg(0, seat)

    def text(self, seat: int | None) -> str:
        """Return what a seat may know, in words; without a seat, everything."""
        return self.tables.text(0, seat)

    def at(self, moves: int) -> Tables:
        """Return the table after the first moves, to look back."""
        if not 0 <= moves <= len(self.actions):
            raise ValueError(f"move {moves}: 0 to {len(self.actions)}")
        found = Tables(self.variant, n=1, autoreset=False)
        found.reset(seeds=[self.seed])
        for action in self.actions[:moves]:
            found.step([action])
        return found

    def log(self, seat: int | None, first: int = 0) -> list[Told]:
        """Return the moves from number `first` on (counted from 0) as a seat may know them; without a seat, all of them."""
        known = self._told.setdefault(seat, [])
        if len(known) < len(self.actions):
            tables = self.at(len(known))
            for action in self.actions[len(known) :]:
                known.append(told(tables, action, len(known) + 1, seat))
                tables.step([action])
        return known[first : len(self.actions)]

    def replay(self) -> Replay:
        """Return the game so far as a replay."""
        return Replay.of(self.variant, self.seed, self.actions)

    # What people and agents do

    def act(self, action: int, version: int | None = None) -> None:
        """Take the answer of the person who is asked. An illegal answer raises IllegalAction and changes nothing.

        With a version, the answer is refused as Stale if the match has changed since it had that version.
        """
        if version not in (None, self.version):
            raise Stale(f"the match has changed since version {version}; it has version {self.version}")
        if self.over:
            raise ValueError("the game is over")
        if not self.waiting:
            raise ValueError(f"player_{self.seat} is asked, and {self.players[self.seat]} plays there")
        self._move(action)

    def play_on(self) -> Iterator[int]:
        """Let agents answer until a person is asked or the game is over. Yield the number of moves so far after each answer."""
        while not self.over and not self.waiting:
            name = self.players[self.seat]
            try:
                with contextlib.redirect_stdout(sys.stderr):  # agents may print; stdout is for the game only
                    [action] = ask(self.agent(name), self.tables)
            except Exception as error:
                raise ValueError(f"agent {name!r}: {type(error).__name__}: {error}") from error
            self._move(int(action))
            yield len(self.actions)

    def agent(self, name: str) -> Agent:
        """Return the agent of a name, which is made once."""
        if name not in self._agents:
            self._agents[name] = player(name, self.variant.spec)
        return self._agents[name]

    def take_over(self, seat: int, name: str) -> None:
        """Let a person ("human") or an agent play a seat from now on."""
        if not 0 <= seat < self.variant.seats:
            raise ValueError(f"seat {seat}: 0 to {self.variant.seats - 1} in {self.variant}")
        if name != HUMAN:
            self.agent(name)
        self._write({"seat": int(seat), "player": name})

    def hint(self, by: str = "", plays: int = PLAYS) -> Ratings:
        """Return what each answer to the open question is worth, as an agent sees it; by default the heuristic, if the game has one."""
        name = by or ("heuristic" if heuristic_of(self.variant.spec) else "uniform")
        return rate(self.agent(name), self.tables, plays)

    def undo(self) -> int:
        """Take back the last answer of a person and all that followed it; return how many moves that were.

        A ValueError says why it cannot be taken back; see `no_undo`.
        """
        if why := self.no_undo():
            raise ValueError(why)
        before, last = len(self.actions), self._last_by_hand()
        self._write({"keep": last})
        return before - last

    def no_undo(self) -> str:
        """Return in words why the last answer of a person cannot be taken back, or "" if it can.

        It can as long as nobody has learnt anything from it, or from the moves behind it, except what others decided. A person has learnt
        something if a move was not legal, or would have led to another sight, at some table that he or she could not tell from the true one
        when it was made: a die was rolled, a card was turned up, or an agent has shown one.
        """
        last = self._last_by_hand()
        if last < 0:
            return "there is no answer to take back"
        tables = self.at(last)
        for action in self.actions[last:]:
            for seat in self.humans:
                if learnt(tables, action, seat):
                    return f"player_{seat} has seen something new since then: dice, a card, or another secret"
            tables.step([action])
        return ""

    def _last_by_hand(self) -> int:
        """Return the index of the last move that a person made, or -1."""
        return max((k for k, hand in enumerate(self.by_hand) if hand), default=-1)


def seated(players: Sequence[str], v: Variant) -> tuple[str, ...]:
    """Return the players; a ValueError unless there is a name for each seat."""
    if len(players) != v.seats or not all(isinstance(name, str) and name for name in players):
        raise ValueError(f"players {', '.join(map(str, players))}: {v} has {v.seats} seats, each with {HUMAN!r} or an agent's name")
    return tuple(players)


def fresh_path(v: Variant) -> Path:
    """Return the path of a new journal, named by the game and the time."""
    return FOLDER / f"{v.game}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}.jsonl"
