"""Work that takes long, done beside the pages: a worker does one job after another, and pages show how far each has come."""

import queue
import sys
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from alehouse.web.guard import Refused, in_a_line

KEPT = 64  # jobs whose results are kept
WAITING = 8  # jobs that may wait or run at the same time


class Worker:
    """A thread that does one job after another, so that no page waits for them."""

    def __init__(self) -> None:
        self.jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        threading.Thread(target=self.work, daemon=True).start()

    def work(self) -> None:
        """Do jobs for ever; one that fails is told in a line."""
        while True:
            job = self.jobs.get()
            try:
                job()
            except Exception as error:
                print(f"alehouse: {in_a_line(error)}", file=sys.stderr)


@dataclass
class Job:
    """A job with its progress and, in the end, its result. A worker writes it, and pages read it."""

    done: int = 0  # steps
    steps: int = 0  # in all; 0 before that is known
    result: Any = None
    problem: str = ""  # why there is no result

    @property
    def over(self) -> bool:
        """Return whether the job has ended, well or not."""
        return self.result is not None or bool(self.problem)

    @property
    def stamp(self) -> str:
        """Return a text that changes whenever there is something new to see."""
        return f"{self.done}.{self.steps}.{self.over}"


class Jobs:
    """The jobs that pages have asked for, by what each is about, and the worker that does them."""

    def __init__(self) -> None:
        self.worker, self.lock, self.known = Worker(), threading.Lock(), dict[Hashable, Job]()

    def get(self, about: Hashable, work: Callable[[Job], Any]) -> Job:
        """Return the job about something; the first time it is put to the worker, and `work` returns its result."""
        with self.lock:
            if about in self.known:
                return self.known[about]
            if sum(not job.over for job in self.known.values()) >= WAITING:
                raise Refused(429, f"{WAITING} jobs of this kind are under way; try again when one of them has ended.")
            for old in [key for key, job in self.known.items() if job.over][: max(0, len(self.known) + 1 - KEPT)]:
                del self.known[old]
            job = self.known[about] = Job()
            self.worker.jobs.put(lambda: carry_out(job, work))
            return job


def carry_out(job: Job, work: Callable[[Job], Any]) -> None:
    """Do a job, and keep its result, or in one line what went wrong."""
    try:
        job.result = work(job)
    except Exception as error:
        job.problem = in_a_line(error)
        raise
