"""An agent that runs as a process of its own, in any language: it reads one JSON object per line on stdin and answers on stdout."""

import json
import os
import selectors
import shlex
import subprocess
import tempfile
import time
from typing import IO, Any

import numpy as np

from alehouse.agents.agent import Masks, Moves, Observations
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.context import Context

PROTOCOL = 1
START = 30.0  # seconds that the greeting may take at least, for interpreters to load and networks to be read
PARTING = 0.5  # seconds that a process gets to end by itself after its stdin is closed
LONGEST = 1 << 20  # the most bytes an answer may have
KEY_BITS = 53  # every JSON reader keeps whole numbers of this many bits exactly


class Late(ValueError):
    """Raised when no answer came in time."""


class Process:
    """An agent that sends its decisions to a command; the command starts with the first one, and again after it had to be ended."""

    def __init__(self, command: str, game: Game, limit: float = 10.0) -> None:
        self.name, self.game, self.limit = f"process:{command}", game, limit
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
        return np.array([self._one(*row) for row in rows], np.int64)

    def _one(self, obs: Any, mask: Any, seat: Any, key: Any, variant: Any) -> int:
        self._asked += 1
        question = {
            "type": "decide",
            "id": self._asked,
            "variant": str(variant),
            "seat": int(seat),
            "obs": obs.tolist(),
            "legal": np.flatnonzero(mask).tolist(),
            "key": int(key) >> (64 - KEY_BITS),
        }
        try:
            answer = self._ready().ask(question, self.limit)
        except ValueError:
            self.close()  # otherwise a late line could be taken for the next answer
            raise
        return self._action(answer)

    def _action(self, answer: dict[str, Any]) -> int:
        action = answer.get("action")
        if isinstance(action, str):
            return self.game.ACTIONS.index(action)
        if type(action) is not int or not 0 <= action < len(self.game.ACTIONS):
            raise ValueError(f"it answered {json.dumps(answer)[:100]}; {{'id': ..., 'action': a number or a name}} is wanted")
        return action

    def _ready(self) -> "Child":
        if self._child is None:
            self._child = Child(self.words)
            features = [list(row) for row in self.game.FEATURES.rows]
            hello = {"type": "hello", "id": 0, "protocol": PROTOCOL, "game": self.game.name, "actions": list(self.game.ACTIONS.names)}
            self._child.ask({**hello, "features": features}, max(self.limit, START))
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
    """A running command, and the lines that go to it and come from it."""

    def __init__(self, words: list[str]) -> None:
        self.stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        try:
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr, bufsize=0, start_new_session=True
            )
        except OSError as error:
            self.stderr.close()
            raise ValueError(f"it cannot be started: {words[0]}: {error.strerror}") from None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.write, self.read = self.process.stdin.fileno(), self.process.stdout.fileno()
        for pipe in (self.write, self.read):
            os.set_blocking(pipe, False)
        self.rest = b""

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
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, event)
            if not selector.select(max(0.0, end - time.monotonic())):
                raise Late(f"no answer within {limit:g} s")

    def _ended(self) -> str:
        """Return why the command cannot answer: its exit code and the last thing it wrote to stderr."""
        try:
            code = f"it ended with exit code {self.process.wait(PARTING)}"
        except subprocess.TimeoutExpired:
            code = "it closed its stdin or stdout"
        self.stderr.seek(0)
        said = self.stderr.read()[-1000:].decode(errors="replace").strip().splitlines()
        return f"{code}: {said[-1]}" if said else code

    def close(self) -> None:
        """Close the command's stdin, and kill it if it does not end by itself."""
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        try:
            self.process.wait(PARTING)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.stderr.close()
