"""Plays the spans of a job on several processes. If a process dies or hangs, only the game it was playing is lost."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from alehouse.benchmarks.arena.play import NOBODY, Games, Job, Span, play

Played = Iterator[tuple[Span, Games]]

TICK = 0.2  # seconds between two looks at the clock
# fields of the status that a worker reports while it plays: which agent decides, until when, in which game
AGENT, DEADLINE, GAME = range(3)


def in_this_process(job: Job, spans: Iterable[Span], threads: int) -> Played:
    """Play the spans in this process; kernels use several threads."""
    seated = job.seated()
    for span in spans:
        yield span, play(job, seated, span, threads)


def on_processes(job: Job, spans: Iterable[Span], workers: int) -> Played:
    """Play the spans on worker processes, which are started when needed; yield each span when it is done."""
    todo = (Task(span) for span in spans)
    team: list[Worker] = []
    try:
        while True:
            for worker in team:
                if worker.task is None and (task := next(todo, None)) is not None:
                    worker.give(task)
            while len(team) < workers and (task := next(todo, None)) is not None:
                team.append(Worker(job))
                team[-1].give(task)
            busy = [worker for worker in team if worker.task is not None]
            if not busy:
                return
            wait([worker.pipe for worker in busy], TICK)
            for worker in busy:
                yield from worker.done()
    finally:
        for worker in team:
            worker.end()


@dataclass
class Task:
    """A span to play, and the games in it during which a worker died."""

    span: Span
    one_by_one: bool = False
    lost: dict[int, tuple[int, str]] = field(default_factory=dict)


class Worker:
    """A process that plays spans, as the main process sees it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.task: Task | None = None
        self.start()

    def start(self) -> None:
        """Start the process."""
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.status = context.Array("d", [NOBODY, 0.0, NOBODY], lock=False)
        self.process = context.Process(target=serve, args=(self.job, theirs, self.status, os.getpid()), daemon=True)
        self.process.start()
        theirs.close()

    def give(self, task: Task) -> None:
        """Send the process a span to play."""
        self.task = task
        self.status[:] = [NOBODY, 0.0, NOBODY]
        self.pipe.send((task.span, task.one_by_one, task.lost))

    def done(self) -> Played:
        """Yield the span if it is played. If the process died, another one plays the span again without that game."""
        assert self.task is not None
        late = 0.0 < self.status[DEADLINE] < time.monotonic()
        if self.pipe.poll():
            try:
                found = self.pipe.recv()
            except (EOFError, OSError):
                self.process.join()
                self.replace(f"its process ended with exit code {self.process.exitcode}")
                return
            if isinstance(found, str):
                raise RuntimeError(f"a worker process failed: {found}")
            span, self.task = self.task.span, None
            yield span, found
        elif late:
            self.replace("no answer, and it cannot be interrupted; compiled code that does not end?")

    def replace(self, why: str) -> None:
        """Continue with a new process, game by game, without the game in which the old one died."""
        assert self.task is not None
        number, game = int(self.status[AGENT]), int(self.status[GAME])
        if number == NOBODY:
            raise RuntimeError(f"a worker process is gone while no agent was asked: {why}")
        if self.task.one_by_one:
            self.task.lost[game] = (number, why)
        self.task.one_by_one = True
        self.end()
        self.start()
        self.give(self.task)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


def serve(job: Job, pipe: Connection, status: Any, parent: int) -> None:
    """Play the spans that come through a pipe until there are no more: the main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C
    os.dup2(2, 1)  # agents may print, so stdout goes to stderr
    threading.Thread(target=end_with, args=(parent,), daemon=True).start()

    def watch(number: int, seconds: float) -> None:
        status[DEADLINE] = 0.0
        status[AGENT] = number
        status[DEADLINE] = time.monotonic() + seconds if number != NOBODY else 0.0

    def announce(game: int) -> None:
        status[GAME] = game

    try:
        seated = job.seated(watch)
        while True:
            span, one_by_one, lost = pipe.recv()
            pipe.send(play(job, seated, span, announce=announce if one_by_one else None, lost=lost))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")


def end_with(parent: int) -> None:
    """End this process soon after its parent has ended."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
