"""The tables that people play at: each is a match, what every person sees of it, and the agents that answer between them."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from alehouse import players
from alehouse.agents import Ratings, rate
from alehouse.agents.heuristic import heuristic_of
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.files import parsed
from alehouse.envs.core.run.tables import IllegalAction
from alehouse.envs.core.show.draw import draw
from alehouse.envs.core.show.view import View
from alehouse.matches.knowledge import Told
from alehouse.matches.match import FORMAT, HUMAN, Match, Stale
from alehouse.matches.words import explained, growth
from alehouse.web.guard import Refused, in_a_line
from alehouse.web.jobs import Worker

OPEN = 16  # tables that are held in memory; others wait in their files
KEPT = 1000  # matches that the folder may hold
HEAD = 1 << 14  # bytes that the first line of a journal may have
ENDED = "The game is over, and everything has been seen"
SLICE = 0.3  # seconds for which agents answer before the table is shown again


def head_of(path: Path) -> dict[str, Any] | None:
    """Return the first line of the journal of a match: what is played, and by whom; None if the file is no such journal."""
    try:
        with open(path, "rb") as file:
            head = parsed(file.readline(HEAD))
    except (OSError, ValueError, RecursionError):
        return None
    return head if isinstance(head, dict) and head.get("format") == FORMAT else None


def size_of(path: Path) -> int:
    """Return the size of a file in bytes; 0 if it is gone."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def replay_of(journal: Path) -> Path:
    """Return the path of the replay that is kept beside a journal once the game is over."""
    return journal.with_suffix(".json")


class Shown(NamedTuple):
    """What one seat sees of its table at one moment."""

    version: int  # of the match; a browser sends it back with an answer
    view: View
    picture: str
    log: tuple[Told, ...]
    fresh: int  # how many entries of the log are older than the seat's last answer
    undo: str  # why nothing can be taken back; "" if it can
    question: list[str]  # what the open question is about, in sentences
    growth: list[tuple[int, tuple[int, ...]]]  # the points after each round, once the game is over


class Room:
    """A table: its match, and what every person at it sees. Pages read `shown`; only workers and answers touch the match."""

    def __init__(self, name: str, make: Callable[[], Match], dealer: Worker, rater: Worker) -> None:
        self.name, self.make, self.dealer, self.rater = name, make, dealer, rater
        self.lock, self.closed, self.problem = threading.Lock(), False, ""
        self.match: Match | None = None
        self.busy = True  # a worker has a job for this table
        self.size = 0  # bytes of the journal
        self.shown = dict[int, Shown]()
        self.rated, self.bars = dict[int, tuple[int, Ratings]](), dict[int, list[float]]()
        self.hinted = dict[int, int]()  # for each seat, the version at which it asked for a hint
        self.born, self.changes = secrets.token_hex(4), 0
        dealer.jobs.put(self.lay)

    @property
    def stamp(self) -> str:
        """Return a text that changes whenever somebody at this table has something new to see."""
        return f"{self.born}.{self.changes}"

    def left_behind(self) -> bool:
        """Return whether this table is not used any more: it was put away, or another program has gone on with the match."""
        if self.match is not None and self.lock.acquire(blocking=False):
            self.closed = self.closed or size_of(self.match.path) != self.size
            self.lock.release()
        return self.closed

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Hold the table for a job, and show what goes wrong in one line."""
        with self.lock:
            try:
                yield
            except Exception as error:
                self.problem, self.busy = in_a_line(error), False
                self.changes += 1

    def lay(self) -> None:
        """Begin the match, or read it from its file."""
        with self.trying():
            match = self.make()
            strange = [name for name in match.players if name != HUMAN and not players.trusted(name)]
            if strange:
                raise ValueError(f"agent {strange[0]!r} comes from outside Alehouse, and is not started for a page: see `alehouse play`")
            self.match = match
            self.settle(match)

    def deal(self) -> None:
        """Let agents answer for a moment."""
        with self.trying():
            if self.match is None or self.closed:
                return
            until = time.monotonic() + SLICE
            for _ in self.match.play_on():
                if time.monotonic() > until:
                    break
            self.settle(self.match)

    def settle(self, match: Match) -> None:
        """Show the table to everybody, and find work for the workers."""
        for seat in set(self.shown) - set(match.humans):
            del self.shown[seat]
        question, grown = ([], growth(match)) if match.over else (explained(match.tables), [])
        if match.over and not replay_of(match.path).exists():
            match.replay().save(replay_of(match.path))
        for seat in match.humans:
            eyes = None if match.over else seat  # in the end nothing is hidden any more
            known, view = match.log(eyes), match.view(eyes)
            own = [k for k, told in enumerate(known) if told.seat == seat]
            undo, fresh = ENDED if match.over else match.no_undo(), own[-1] if own else 0
            self.shown[seat] = Shown(match.version, view, draw(view), tuple(known), fresh, undo, question, grown)
        self.size = size_of(match.path)
        self.problem, self.busy = "", not (match.waiting or match.over)
        self.changes += 1
        if self.busy:
            self.dealer.jobs.put(self.deal)
        elif match.waiting:
            self.rater.jobs.put(self.rate)

    def rate(self) -> None:
        """Rate the answers to the open question, for the win bar and hints of the seat that is asked."""
        with self.lock:
            if self.match is None or not self.match.waiting:
                return
            match, version, seat, tables = self.match, self.match.version, self.match.seat, self.match.tables
            if seat in self.rated and self.rated[seat][0] == version:
                return
        game = match.variant.spec
        found = rate(players.player("heuristic" if heuristic_of(game) else "uniform", game), tables)
        with self.lock:
            if match.version == version:
                self.rated[seat] = version, found
                self.bars[seat] = [float(share) for share in found.shares[0, found.best[0]]]
                self.changes += 1

    def answered(self, seat: int, action: int, version: int) -> None:
        """Take the answer of a person."""
        with self.at(version) as match:
            if match.seat != seat:
                raise Refused(409, "You are not asked anything now.")
            try:
                match.act(action, version)
            except IllegalAction as error:
                raise Refused(400, f"That is not allowed: {error.why}.") from None

    def undone(self, seat: int, version: int) -> None:
        """Take back the last answer of a person."""
        with self.at(version) as match:
            if match.over:
                raise Refused(409, f"{ENDED}.")
            last = next((told.seat for told, hand in zip(match.log(seat)[::-1], match.by_hand[::-1], strict=True) if hand), seat)
            if last != seat:
                raise Refused(409, f"The last answer was that of player_{last}.")
            match.undo()

    def replaced(self, seat: int, player: str, version: int) -> None:
        """Give a seat to a person or to an agent."""
        with self.at(version) as match:
            match.take_over(seat, player)

    @contextmanager
    def at(self, version: int) -> Iterator[Match]:
        """Hold the match for a change if it still stands where the browser saw it, and show the table afterwards."""
        if self.match is None or self.match.version != version:
            raise Refused(409, "The table has changed meanwhile: look again.")
        with self.lock:
            if self.closed:
                raise Refused(409, "The table was put away for a moment: look again.")
            try:
                yield self.match
            except Stale:
                raise Refused(409, "The table has changed meanwhile: look again.") from None
            except ValueError as error:
                raise Refused(400, f"{error}.") from None
            self.settle(self.match)

    def hint(self, seat: int) -> None:
        """Show a seat how the answers to its question are rated, as soon as that is known."""
        with self.lock:
            if self.match is not None:
                self.hinted[seat] = self.match.version
                self.changes += 1


class Rooms:
    """All tables of the server: those in memory, and those in the folder of matches."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lock, self.open = folder, threading.Lock(), dict[str, Room]()
        self.dealer, self.rater = Worker(), Worker()

    def path(self, name: str) -> Path:
        """Return the file of a match."""
        return self.folder / f"{name}.jsonl"

    def names(self) -> list[str]:
        """Return the names of all matches, the latest first."""
        paths = [path for path in self.folder.glob("*.jsonl") if not path.name.startswith(".")]
        return [path.stem for path in sorted(paths, key=lambda path: -path.stat().st_mtime)]

    def get(self, name: str) -> Room:
        """Return the table of a match, after reading its file if it is not in memory."""
        with self.lock:
            if name in self.open and self.open[name].left_behind():
                del self.open[name]
            if name in self.open:
                self.open[name] = self.open.pop(name)  # the last of them is the one used last
                return self.open[name]
            if name not in self.names():
                raise Refused(404, "There is no such table.")
            return self.placed(name, lambda: Match.open(self.path(name)))

    def new(self, v: Variant, who: Sequence[str], seed: int | None) -> Room:
        """Begin a match."""
        with self.lock:
            if len(self.names()) >= KEPT:
                raise Refused(429, f"There are {KEPT:,} matches in {self.folder}; remove some of them first.")
            name = f"{v.game}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
            return self.placed(name, lambda: Match.new(v, who, seed, self.path(name)))

    def placed(self, name: str, make: Callable[[], Match]) -> Room:
        """Make room for a table: put away one at which nothing has happened for longest, if there are too many."""
        for other in list(self.open.values()) if len(self.open) >= OPEN else []:
            with other.lock:
                other.closed = not other.busy
            if other.closed:
                del self.open[other.name]
                break
        if len(self.open) >= OPEN:
            raise Refused(429, "The agents are busy at too many tables; try again when they have answered.")
        self.open[name] = Room(name, make, self.dealer, self.rater)
        return self.open[name]
