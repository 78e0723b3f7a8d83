"""Calls agents within a time limit. An agent that is late, raises an error or acts illegally forfeits that game and no other."""

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

STRIKES = 3  # an agent that fails to answer this many times in a row is not called again in a span
GRACE = 2.0  # an agent's process is ended from outside this many seconds after its time limit
LONGEST = 200  # a reason has at most this many characters

Watch = Callable[[int, float], None]  # called with the number of the agent that decides now (-1 for none) and its seconds


class Alarm(BaseException):
    """Raised when an agent's time is up; `except Exception` in an agent's code does not catch it."""


class Compiler(event.Listener):  # type: ignore[misc]
    """Measures how long numba compiles in this process, because that does not count as an agent's time."""

    def __init__(self) -> None:
        self.depth, self.start, self.spent = 0, 0, 0

    def on_start(self, event: Any) -> None:
        """Note that a compilation begins, perhaps inside another one."""
        if self.depth == 0:
            self.start = time.perf_counter_ns()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """Note that a compilation ends."""
        self.depth -= 1
        if self.depth == 0:
            self.spent += time.perf_counter_ns() - self.start


COMPILER = Compiler()
event.register("numba:compiler_lock", COMPILER)


class TimedAgent:
    """An agent in play, with the time it may take and the time it took."""

    def __init__(self, number: int, agent: Agent, limit: float | None, watch: Watch | None = None) -> None:
        self.number, self.agent, self.limit, self.watch = number, agent, limit, watch
        self.first: tuple[int, int, int] | None = None  # what the first call took, because an agent may load things then
        self.missed = 0
        self.reset()

    def reset(self) -> None:
        """Begin another span of games."""
        self.missed = 0
        self.spent = np.zeros(3, np.int64)  # nanoseconds, decisions, simulator steps

    def decide(self, tables: Tables, which: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], dict[int, str]]:
        """Return an action for each listed table, and the reason for each that has none, by its index in the list."""
        actions = np.full(which.size, -1, np.int64)
        failed: dict[int, str] = {}
        todo = [np.arange(which.size)]
        if isinstance(self.agent, OneByOne | Process):
            todo = [part[None] for part in reversed(todo[0])]
        while todo:
            part = todo.pop()
            if self.missed >= STRIKES:
                failed |= {int(row): f"not asked again after {STRIKES} answers in a row that did not come" for row in part}
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
        """Return the agent's actions, or the error by which it failed. Errors of our own agents are raised."""
        if self.limit is None:
            return self._timed(tables, which, None)
        try:
            if self.first is None and isinstance(self.agent, Policy):
                compile_policy(self.agent, tables)
            return self._timed(tables, which, self.limit)
        except Alarm:
            return Late(f"no answer within {self.limit:g} s")
        except (Exception, SystemExit) as error:
            return error if isinstance(error, Exception) else RuntimeError(f"it wants to exit: {error}")

    def _timed(self, tables: Tables, which: npt.NDArray[np.int64], limit: float | None) -> npt.NDArray[np.int64]:
        """Return the agent's actions, and add the time it took."""
        steps, start = getattr(self.agent, "steps", -1), time.perf_counter_ns() - COMPILER.spent
        outside = isinstance(self.agent, Process)  # such an agent measures its own time, without the start of the command
        try:
            if self.watch is not None and limit is not None and not outside:
                self.watch(self.number, limit + GRACE)
            with alarmed_after(None if outside else limit):
                answer = ask(self.agent, tables, which)
        finally:
            if self.watch is not None:
                self.watch(-1, 0.0)
        taken = time.perf_counter_ns() - COMPILER.spent - start, which.size, getattr(self.agent, "steps", -1) - steps if steps >= 0 else -1
        if self.first is None:
            self.first = taken
        else:
            self.spent += taken
        return answer

    def times(self) -> npt.NDArray[np.int64]:
        """Return nanoseconds, decisions and simulator steps in this span; steps are negative for agents that do not count them."""
        return self.spent if self.spent[1] or self.first is None else np.array(self.first, np.int64)


def compile_policy(policy: Policy, tables: Tables) -> None:
    """Compile a jitted policy now, so that its first decision does not pay for that."""
    if not numba.config.DISABLE_JIT:
        rows = tables.obs[:0], tables.mask[:0], tables.seeds[:0], np.zeros(0, np.int64)
        each(policy.policy)(*rows)


@contextmanager
def alarmed_after(seconds: float | None) -> Iterator[None]:
    """Raise Alarm when Python code takes longer than this; only the main thread can be interrupted."""
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
    """Raise Alarm."""
    raise Alarm


def reason(error: Exception) -> str:
    """Return in one line why an agent failed."""
    text = " ".join(str(error).split())
    return (text if isinstance(error, ValueError) else f"{type(error).__name__}: {text}".rstrip(": "))[:LONGEST]


def illegal(tables: Tables, table: int, action: int) -> str:
    """Return in one line why an action is refused."""
    names: Any = tables.game.ACTIONS.names
    name = names[action] if 0 <= action < len(names) else "no such action"
    return f"{name!r} (action {action}) is not legal: {tables.why_illegal(table, action)}"[:LONGEST]
