"""Asking an agent for its moves: whoever fails, be it late, by an error or by an illegal action, fails in that game alone."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba.core import event

from alehouse.agents import Agent, OneByOne, Policy, ask
from alehouse.agents.agent import each
from alehouse.agents.process import Late, Process
from alehouse.envs.core.run.tables import Tables

STRIKES = 3  # answers in a row that did not come, after which an agent is not asked again in a span of games
GRACE = 2.0  # seconds an agent may take over its limit before its process is ended from outside
LONGEST = 200  # characters of a reason

Watch = Callable[[int, float], None]  # (agent, or -1 for none; seconds it may take)


class Alarm(BaseException):
    """Time is up; no `except Exception` of an agent swallows it."""


class Compiler(event.Listener):  # type: ignore[misc]
    """How long numba has compiled in this process, which is no agent's time."""

    def __init__(self) -> None:
        self.depth, self.start, self.spent = 0, 0, 0

    def on_start(self, event: Any) -> None:
        """The compiler begins, maybe inside another compilation."""
        if self.depth == 0:
            self.start = time.perf_counter_ns()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """The compiler is done."""
        self.depth -= 1
        if self.depth == 0:
            self.spent += time.perf_counter_ns() - self.start


COMPILER = Compiler()
event.register("numba:compiler_lock", COMPILER)


class Asked:
    """An agent in play: how long it may take and how long it took."""

    def __init__(self, place: int, agent: Agent, limit: float | None, watch: Watch | None = None) -> None:
        self.place, self.agent, self.limit, self.watch = place, agent, limit, watch
        self.first: tuple[int, int, int] | None = None  # of the first answer, which may load things
        self.missed = 0
        self.reset()

    def reset(self) -> None:
        """Begin another span of games."""
        self.missed = 0
        self.clock = np.zeros(3, np.int64)  # nanoseconds, decisions, simulator steps

    def decide(self, tables: Tables, which: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], dict[int, str]]:
        """An action for each table listed, and why it has none at some of them, by their place in the list."""
        actions = np.full(which.size, -1, np.int64)
        failed: dict[int, str] = {}
        todo = [np.arange(which.size)]
        if isinstance(self.agent, OneByOne | Process):
            todo = [part[None] for part in reversed(todo[0])]
        while todo:
            part = todo.pop()
            if self.missed >= STRIKES:
                failed |= {int(row): f"not asked after {STRIKES} answers in a row that did not come" for row in part}
                continue
            answer = self._answer(tables, which[part])
            if not isinstance(answer, Exception):
                actions[part], self.missed = answer, 0
            elif part.size > 1:
                todo += [part[part.size // 2 :], part[: part.size // 2]]
            else:
                self.missed += isinstance(answer, Late)
                failed[int(part[0])] = reason(answer)
        known = (actions >= 0) & (actions < tables.mask.shape[1])
        legal = known & (tables.mask[which, np.where(known, actions, 0)] == 1)
        for row in np.flatnonzero(~legal).tolist():
            failed.setdefault(row, illegal(tables, int(which[row]), int(actions[row])))
        return actions, failed

    def _answer(self, tables: Tables, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | Exception:
        """What it answers, or how it fails; our own agents do not fail, they are at fault."""
        if self.limit is None:
            return self._timed(tables, which, None)
        try:
            if self.first is None and isinstance(self.agent, Policy):
                compiled(self.agent, tables)
            return self._timed(tables, which, self.limit)
        except Alarm:
            return Late(f"no answer within {self.limit:g} s")
        except (Exception, SystemExit) as error:
            return error if isinstance(error, Exception) else RuntimeError(f"it wants to exit: {error}")

    def _timed(self, tables: Tables, which: npt.NDArray[np.int64], limit: float | None) -> npt.NDArray[np.int64]:
        steps, start = getattr(self.agent, "steps", -1), time.perf_counter_ns() - COMPILER.spent
        outside = isinstance(self.agent, Process)  # keeps its own time, the start of the command aside
        try:
            if self.watch is not None and limit is not None and not outside:
                self.watch(self.place, limit + GRACE)
            with within(None if outside else limit):
                answer = ask(self.agent, tables, which)
        finally:
            if self.watch is not None:
                self.watch(-1, 0.0)
        taken = time.perf_counter_ns() - COMPILER.spent - start, which.size, getattr(self.agent, "steps", -1) - steps if steps >= 0 else -1
        if self.first is None:
            self.first = taken
        else:
            self.clock += taken
        return answer

    def times(self) -> npt.NDArray[np.int64]:
        """Nanoseconds, decisions and simulator steps of this span; the steps are negative where it does not tell them."""
        return self.clock if self.clock[1] or self.first is None else np.array(self.first, np.int64)


def compiled(policy: Policy, tables: Tables) -> None:
    """Compile a jitted policy, which takes no time from its first answer."""
    if not numba.config.DISABLE_JIT:
        rows = tables.obs[:0], tables.mask[:0], tables.seeds[:0], np.zeros(0, np.int64)
        each(policy.policy)(*rows)


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Raise Alarm when Python code takes longer; only the main thread can be interrupted."""
    if seconds is None or threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def ring(number: int, frame: FrameType | None) -> None:
    """Time is up."""
    raise Alarm


def reason(error: Exception) -> str:
    """Why an agent failed, in one line."""
    text = " ".join(str(error).split())
    return (text if isinstance(error, ValueError) else f"{type(error).__name__}: {text}".rstrip(": "))[:LONGEST]


def illegal(tables: Tables, table: int, action: int) -> str:
    """Why an action is refused."""
    names: Any = tables.game.ACTIONS.names
    name = names[action] if 0 <= action < len(names) else "no such action"
    return f"{name!r} (action {action}) is not legal: {tables.why_illegal(table, action)}"[:LONGEST]
