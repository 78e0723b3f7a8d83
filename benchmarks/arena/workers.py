"""The spans of a job on several processes. A process that dies or hangs costs the game it was playing and no other."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from alehouse.benchmarks.arena.games import NOBODY, Games, Job, Span, play

Played = Iterator[tuple[Span, Games]]

TICK = 0.2  # seconds between two looks at the clock
AGENT, DEADLINE, GAME = range(3)  # what a worker tells while it plays


def here(job: Job, spans: Iterable[Span], threads: int) -> Played:
    """Play the spans in this process, the kernels on so many threads."""
    seated = job.seated()
    for span in spans:
        yield span, play(job, seated, span, threads)


def processes(job: Job, spans: Iterable[Span], workers: int) -> Played:
    """Play the spans on worker processes, started as they are needed; the order is that in which they are done."""
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
    """A span to play, and what is known of games that a worker did not survive."""

    span: Span
    one_by_one: bool = False
    lost: dict[int, tuple[int, str]] = field(default_factory=dict)


class Worker:
    """A process that plays spans, as seen from outside."""

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
        """Let it play a span."""
        self.task = task
        self.status[:] = [NOBODY, 0.0, NOBODY]
        self.pipe.send((task.span, task.one_by_one, task.lost))

    def done(self) -> Played:
        """The span it has played, if it has; if it did not survive, another process plays it again without that game."""
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
            self.replace("no answer, and nothing interrupts it: compiled code that does not end?")

    def replace(self, why: str) -> None:
        """Go on with a new process: game by game, and without the game the old one was lost in."""
        assert self.task is not None
        place, game = int(self.status[AGENT]), int(self.status[GAME])
        if place == NOBODY:
            raise RuntimeError(f"a worker process is gone while no agent was asked: {why}")
        if self.task.one_by_one:
            self.task.lost[game] = (place, why)
        self.task.one_by_one = True
        self.end()
        self.start()
        self.give(self.task)

    def end(self) -> None:
        """End the process, whatever it does."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


def serve(job: Job, pipe: Connection, status: Any, parent: int) -> None:
    """What a worker process does: play what it is given until nobody gives any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    os.dup2(2, 1)  # and so is stdout: what agents print goes to stderr
    threading.Thread(target=follow, args=(parent,), daemon=True).start()

    def watch(place: int, seconds: float) -> None:
        status[DEADLINE] = 0.0
        status[AGENT] = place
        status[DEADLINE] = time.monotonic() + seconds if place != NOBODY else 0.0

    def told(game: int) -> None:
        status[GAME] = game

    try:
        seated = job.seated(watch)
        while True:
            span, one_by_one, lost = pipe.recv()
            pipe.send(play(job, seated, span, told=told if one_by_one else None, lost=lost))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")


def follow(parent: int) -> None:
    """End this process soon after its parent has ended."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
