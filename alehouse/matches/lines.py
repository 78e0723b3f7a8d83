"""A match in lines of text: numbers in, sentences out. It needs no colours and no terminal, so it also works through a pipe."""

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from alehouse.agents import Ratings
from alehouse.commands.interrupt import pressed
from alehouse.commands.moves import news
from alehouse.envs.core.declare.game import zero
from alehouse.envs.core.run.tables import IllegalAction
from alehouse.envs.core.show.view import Option
from alehouse.envs.core.words import amount
from alehouse.matches import words
from alehouse.matches.match import HUMAN, Match

COMMANDS = (
    ("NUMBER", "give that answer; the name of an action does as well"),
    ("?", "explain the question and list these commands"),
    ("why NAME", "say why an action is not possible now"),
    ("hint", "say what the best answers are worth"),
    ("undo", "take back your last answer, if nothing new was seen since"),
    ("view", "show the whole table as you see it"),
    ("log [N]", "show the last N moves"),
    ("seat P NAME", "let an agent, or human, play seat P from now on"),
    ("save [FILE]", "write the game so far as a replay"),
    ("quit", "leave; the match can go on later"),
)
CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # clears a terminal and what can be scrolled back to
NEWS = 12  # at most this many changed lines of the table are shown
LOGGED = 10  # by default, moves that `log` shows
GAP = 3


class Leave(Exception):
    """The player wants to leave the match."""


class Lines:
    """A match that is played in lines of text."""

    def __init__(self, match: Match, teach: bool = False, read: Callable[[str], str] = input) -> None:
        self.match, self.teach, self.read = match, teach, read
        self.width = max(40, shutil.get_terminal_size().columns)
        self.looking: int | None = None  # the seat of the person at the screen
        self.shown = dict[int, tuple[int, str]]()  # for each seat, how many moves it has been shown, and its table as it last saw it

    def play(self) -> None:
        """Play until the game is over. Leave or EOFError if the player goes first."""
        while not self.match.over:
            if self.match.waiting:
                self.take_turn()
            else:
                for _ in self.match.play_on():
                    if pressed():  # Python can lose a Ctrl-C inside compiled code
                        raise KeyboardInterrupt
        self.end()

    def say(self, text: str, margin: str = "") -> None:
        """Print a text, wrapped between words, behind a margin."""
        for line in text.splitlines() or [""]:
            own = line[: len(line) - len(line.lstrip())]
            for part in textwrap.wrap(line, self.width - 1 - len(margin), subsequent_indent=own + "    ", break_long_words=False) or [""]:
                print((margin + part).rstrip())

    def line(self, prompt: str) -> str:
        """Return the next line of the person at the screen."""
        text = self.read(prompt)
        if not sys.stdin.isatty():
            print()  # a pipe does not show the line that ends the prompt
        return text

    def take_turn(self) -> None:
        """Tell the person who is asked what happened, put the question, and take lines until one of them is an answer."""
        seat = self.match.seat
        if len(self.match.humans) > 1 and seat != self.looking:
            self.hand_over(seat)
        self.looking = seat
        self.catch_up(seat)
        self.ask()
        version = self.match.version
        while self.match.version == version:
            self.obey(self.line("> ").strip())
        sys.stdout.flush()

    def hand_over(self, seat: int) -> None:
        """Let nobody but the next player see what the screen shows."""
        if sys.stdout.isatty():
            print(CLEAR, end="")
        self.line(f"player_{seat} is asked. Press Enter when nobody else can see the screen. ")

    def catch_up(self, seat: int) -> None:
        """Tell a seat the moves since it last looked, and what they changed on the table."""
        moves, before = self.shown.get(seat, (0, ""))
        moves, now = min(moves, len(self.match.actions)), self.match.text(seat)
        told = self.match.log(seat, moves)
        for one in told:
            if one.seat != seat or not before:
                self.say(words.sentence(one, self.match.players, seat))
            for line in one.then:
                self.say(line, "    ")
        if not before or (told and self.match.tables.game.clock is zero):
            self.say(now)
        elif told:
            changed = [line for line in news(before, now, "") if not line.startswith(f"player_{seat} is asked to")]
            for line in changed[:NEWS]:
                self.say(line, "  | ")
            if len(changed) > NEWS:
                self.say(f"and {amount(len(changed) - NEWS, 'line')} more: view shows the table", "  | ")
        self.shown[seat] = len(self.match.actions), now

    def ask(self) -> None:
        """Put the open question with its numbered answers."""
        view = self.match.view(self.match.seat)
        assert view.asked is not None
        rule = f" (rule {view.asked.rule})" if view.asked.rule else ""
        print()
        self.say(f"You are player_{self.match.seat}: {view.asked.prompt}{rule}. ? explains.")
        for line in columns([f"{k:3} {one.words}" for k, one in enumerate(view.options, 1)], self.width - 1):
            print(line)

    def obey(self, text: str) -> None:
        """Do what a line says: a command, or an answer."""
        name, _, rest = text.partition(" ")
        match = self.match
        view = match.view(match.seat)
        answer = words.found_by(view, text)
        try:
            if answer is not None:
                self.answer(answer, view.options)
            elif text in ("?", "help", "h"):
                self.help()
            elif name == "why":
                self.say(self.why(rest.strip()))
            elif text == "hint":
                for line in words.hinted(match.hint(), view.options):
                    self.say(line)
            elif text == "undo":
                self.say(f"{amount(match.undo(), 'move')} taken back")
                self.shown.pop(match.seat, None)
            elif text == "view":
                self.say(match.text(match.seat))
                self.ask()
            elif name == "log":
                self.log(rest.strip())
            elif name == "seat":
                self.take_over(rest.split())
            elif name == "save":
                self.save(rest.strip())
            elif text in ("quit", "exit", "q"):
                raise Leave
            elif text:
                self.say(
                    words.refused(match, text)
                    or f"{text[:40]!r} is neither an answer from 1 to {len(view.options)} nor a command; ? lists them"
                )
        except IllegalAction as error:
            self.say(f"not possible: {error.why}")
        except ValueError as error:
            self.say(" ".join(str(error).split()))
        except OSError as error:
            self.say(f"{error.filename}: {error.strerror}")

    def answer(self, option: Option, options: Sequence[Option]) -> None:
        """Give an answer; a teacher says what it cost."""
        seat = self.match.seat
        rated: Ratings | None = self.match.hint() if self.teach and len(options) > 1 else None
        self.match.act(option.action)
        self.say(f"you: {option.words}" + (f" - {words.cost(rated, options, option.action)}" if rated else ""))
        self.looking = seat

    def help(self) -> None:
        """Explain the question and list the commands."""
        for line in words.explained(self.match.tables):
            self.say(line)
        for name, meaning in COMMANDS:
            self.say(f"{name:12} {meaning}", "  ")

    def why(self, text: str) -> str:
        """Return why an action is not possible, or that it is."""
        found = words.found_by(self.match.view(self.match.seat), text)
        if found is not None:
            return f"{found.name} is possible: {found.words}"
        near = [name for name in self.match.variant.action_names if text and text in name]
        return words.refused(self.match, text) or (
            f"no action is called {text[:40]!r}" + (f"; some are {', '.join(near[:6])}" if near else "; names look like " + self.names())
        )

    def names(self) -> str:
        """Return the names of some answers."""
        return ", ".join(one.name for one in self.match.view(self.match.seat).options[:3])

    def log(self, text: str) -> None:
        """Show the last moves."""
        many = int(text) if text.isdecimal() and len(text) < 5 else LOGGED
        for one in self.match.log(self.match.seat)[-many:] if many else ():
            self.say(f"{one.move:3}. {words.sentence(one, self.match.players, self.match.seat)}")

    def take_over(self, given: Sequence[str]) -> None:
        """Let somebody else play a seat."""
        if len(given) != 2 or not given[0].isdecimal() or len(given[0]) > 2:
            raise ValueError(f"seat P NAME, such as: seat 1 heuristic, or: seat 1 {HUMAN}")
        self.match.take_over(int(given[0]), given[1])
        self.say(f"{given[1]} plays player_{int(given[0])} from now on")

    def save(self, text: str) -> None:
        """Write the game so far as a replay."""
        path = Path(text) if text else self.match.path.with_suffix(".json")
        self.match.replay().save(path)
        self.say(f"{path}: {len(self.match.actions)} moves; alehouse replay {path} shows them")

    def end(self) -> None:
        """Tell how the game ended, and how the points came about."""
        seat = self.match.humans[0] if len(self.match.humans) == 1 else None
        for one in self.match.log(seat, self.shown.get(seat, (0, ""))[0] if seat is not None else 0)[-LOGGED:]:
            if one.seat != seat:
                self.say(words.sentence(one, self.match.players, seat))
        print()
        self.say(self.match.text(None))
        print()
        for line in self.story():
            print(line)
        for line in words.result(self.match):
            self.say(line)

    def story(self) -> Iterator[str]:
        """Yield a table of the points after each round."""
        rows, seats = words.growth(self.match), range(self.match.variant.seats)
        if len(rows) > 1:
            yield "points after round" + "".join(f"{f'player_{p}':>10}" for p in seats)
            for number, points in rows:
                yield f"{number:18}" + "".join(f"{points[p]:10}" for p in seats)


def columns(cells: Sequence[str], width: int) -> list[str]:
    """Return texts in columns, filled from top to bottom, as many as fit beside each other; texts that are too long wrap."""
    widest = max(map(len, cells))
    many = max(1, (width + GAP) // (widest + GAP))
    if many == 1 or len(cells) <= 6:
        return [
            line
            for cell in cells
            for line in textwrap.wrap(cell, width, subsequent_indent=" " * 6, drop_whitespace=True, initial_indent="")
        ]
    rows = -(-len(cells) // many)
    return ["".join(cell.ljust(widest + GAP) for cell in cells[row::rows]).rstrip() for row in range(rows)]
