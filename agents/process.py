"""An agent that runs as a process of its own, in any language: it reads one JSON object per line on stdin and answers on stdout."""

import contextlib
import hashlib
import json
import os
import re
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from alehouse.agents.agent import Masks, Moves, Observations
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.context import Context
from alehouse.envs.core.show.telling import explained, tellings

PROTOCOL = 1
START = 30.0  # seconds that the greeting may take at least, for interpreters to load and networks to be read
PARTING = 0.5  # seconds that a process gets to end by itself after its stdin is closed
LONGEST = 1 << 20  # the most bytes an answer may have
HEARD = 1 << 12  # the last bytes of stderr that are kept; the rest is thrown away
KEY_BITS = 53  # every JSON reader keeps whole numbers of this many bits exactly
ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\].*?(\x07|\x1b\\)|.)")  # what terminals take for commands
GUARD = ("/bin/sh", "-c", "while read -r line; do :; done; kill -s KILL 0")  # at the end of its stdin it kills its process group


class Late(ValueError):
    """Raised when no answer came in time."""


class Process:
    """An agent that sends its decisions to a command; the command starts with the first one, and again after it had to be ended.

    A command that does not answer the greeting is not started again: all its further decisions fail at once, for the same reason.

    limit: how many seconds a decision may take.
    secret: what the random numbers given to the command depend on besides the game's seed; without it nobody can compute them.
    """

    def __init__(self, command: str, game: Game, limit: float = 10.0, secret: bytes | None = None) -> None:
        self.name, self.game, self.limit = f"process:{command}", game, limit
        self.secret = os.urandom(32) if secret is None else secret
        self.silent: ValueError | None = None  # why the command is not started again
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"agent {self.name!r}: {error}") from None
        if not self.words:
            raise ValueError(f"agent {self.name!r}: a command is wanted")
        self._child: Child | None = None
        self._asked = 0

    def act(self, obs: Observations, mask: Masks, ctx: Context) -> Moves:
        """Return the command's action for each row; the command has the time limit for each of them."""
        rows = zip(obs, mask, ctx.seats, ctx.keys, ctx.variants, strict=True)
        words = tellings(ctx)
        return np.array([self._one(words, *row) for row in rows], np.int64)

    def _one(self, words: Iterator[dict[str, Any]], obs: Any, mask: Any, seat: Any, key: Any, variant: Any) -> int:
        self._asked += 1
        question: dict[str, Any] = {
            "type": "decide",
            "id": self._asked,
            "variant": str(variant),
            "seat": int(seat),
            "obs": obs.tolist(),
            "legal": np.flatnonzero(mask).tolist(),
            "key": self._key(int(key)),
        }
        try:
            child, start = self._ready(), time.monotonic()
            if child.reads:
                question["text"] = next(words)
            answer = child.ask(question, self.limit)
            if child.reads and answer.get("rules") is True:
                told = {"type": "rules", "id": self._asked, "text": explained(self.game, question["text"]["question"])}
                answer = child.ask(told, self.limit - (time.monotonic() - start))
        except BaseException:
            self.close()  # otherwise a late line could be taken for the next answer
            raise
        return self._action(answer)

    def _key(self, key: int) -> int:
        """Return the random number of a decision that the command is given: nobody can find the game's seed from it without the secret."""
        found = hashlib.blake2b(key.to_bytes(8, "little"), digest_size=8, key=self.secret).digest()
        return int.from_bytes(found, "little") >> (64 - KEY_BITS)

    def _action(self, answer: dict[str, Any]) -> int:
        action = answer.get("action")
        if isinstance(action, str):
            return self.game.ACTIONS.index(action)
        if type(action) is not int or not 0 <= action < len(self.game.ACTIONS):
            raise ValueError(f"it answered {json.dumps(answer)[:100]}; {{'id': ..., 'action': a number or a name}} is wanted")
        return action

    def _ready(self) -> "Child":
        if self.silent is not None:
            raise type(self.silent)(*self.silent.args)
        if self._child is None:
            features = [list(row) for row in self.game.FEATURES.rows]
            hello = {"type": "hello", "id": 0, "protocol": PROTOCOL, "game": self.game.name, "actions": list(self.game.ACTIONS.names)}
            try:
                self._child = Child(self.words)
                greeting = self._child.ask({**hello, "features": features}, max(self.limit, START))
                self._child.reads = greeting.get("text") is True
            except ValueError as error:
                self.silent = error
                raise
        return self._child

    def close(self) -> None:
        """End the command; the next decision starts it again."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_child": None}

    def __del__(self) -> None:
        if getattr(self, "_child", None) is not None:
            self.close()


class Child:
    """A running command, and the lines that go to it and come from it.

    It belongs to the process group of a guard, which outlives this process if that is killed, and then kills the whole group.
    """

    def __init__(self, words: list[str]) -> None:
        self.rest = self.said = b""
        self.reads = False  # whether the command asked for text
        self.process: subprocess.Popen[bytes] | None = None
        self.guard = subprocess.Popen(GUARD, stdin=subprocess.PIPE, process_group=0)
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, process_group=self.guard.pid)
        except OSError as error:
            self.close()
            raise ValueError(f"it cannot be started: {words[0]}: {error.strerror}") from None
        self.write, self.read, self.stderr = (handle.fileno() for handle in self.pipes())
        for number in (self.write, self.read, self.stderr):
            os.set_blocking(number, False)

    def pipes(self) -> list[IO[bytes]]:
        """Return the pipes to the command: stdin, stdout, stderr."""
        ends = (self.process.stdin, self.process.stdout, self.process.stderr) if self.process else ()
        return [end for end in ends if end is not None]

    def ask(self, question: dict[str, Any], limit: float) -> dict[str, Any]:
        """Send a message and return the answer with the same number."""
        end = time.monotonic() + limit
        self._send((json.dumps(question) + "\n").encode(), end, limit)
        line = self._line(end, limit)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or answer.get("id") != question["id"]:
            raise ValueError(f"it answered {line[:100].decode(errors='replace')!r}; a JSON object with 'id': {question['id']} is wanted")
        return answer

    def _send(self, data: bytes, end: float, limit: float) -> None:
        while data:
            self._wait(self.write, selectors.EVENT_WRITE, end, limit)
            try:
                data = data[os.write(self.write, data) :]
            except BrokenPipeError:
                raise ValueError(self._ended()) from None

    def _line(self, end: float, limit: float) -> bytes:
        while b"\n" not in self.rest:
            self._wait(self.read, selectors.EVENT_READ, end, limit)
            more = os.read(self.read, 65536)
            if not more:
                raise ValueError(self._ended())
            self.rest += more
            if len(self.rest) > LONGEST:
                raise ValueError(f"it answered more than {LONGEST} bytes in one line")
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    def _wait(self, pipe: int, event: int, end: float, limit: float) -> None:
        """Wait until a pipe is ready, and listen to stderr meanwhile."""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, event)
            selector.register(self.stderr, selectors.EVENT_READ)
            while pipe not in (ready := [key.fd for key, _ in selector.select(max(0.0, end - time.monotonic()))]):
                if not ready or time.monotonic() >= end:
                    raise Late(f"no answer within {limit:g} s")
                if not self._listen():
                    selector.unregister(self.stderr)

    def _listen(self) -> bool:
        """Read some of stderr and keep its end; return whether more may come."""
        try:
            more = os.read(self.stderr, 65536)
        except BlockingIOError:
            return True
        self.said = (self.said + more)[-HEARD:]
        return bool(more)

    def _ended(self) -> str:
        """Return why the command cannot answer: its exit code and the last thing it wrote to stderr."""
        assert self.process is not None
        end = time.monotonic() + PARTING
        while (code := self.process.poll()) is None and time.monotonic() < end:
            self._listen()
            time.sleep(0.01)
        for _ in range(16):  # pipes hold no more
            self._listen()
        lines = [printable(line) for line in self.said.decode(errors="replace").splitlines()]
        said = [line for line in lines if line]
        what = "it closed its stdin or stdout" if code is None else f"it ended with exit code {code}"
        return f"{what}: {said[-1]}" if said else what

    def close(self) -> None:
        """Close the command's stdin, give it a moment to end by itself, then kill it and all that it started."""
        for end in self.pipes():
            end.close()
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(PARTING)
        os.killpg(self.guard.pid, signal.SIGKILL)
        for process in (self.process, self.guard):
            if process is not None:
                process.wait()
        if self.guard.stdin is not None:
            self.guard.stdin.close()


def printable(text: str) -> str:
    """Return a line of a program without what would command a terminal."""
    return "".join(letter for letter in ESCAPES.sub("", text) if letter.isprintable()).strip()
