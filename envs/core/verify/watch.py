"""Watches over checks that may meet a kernel that never returns: it knows which step of a check is running, and for how long."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from numba.core import event

PATIENCE = 60.0  # how many seconds one step of a check may take


@dataclass
class Watch(event.Listener):  # type: ignore[misc]
    """The step in progress, its start, and the things that may take longer than a step."""

    check: str = ""
    step: str = ""
    since: float = 0.0
    waits: int = 0  # compilations in progress, plus other processes that are waited for
    children: list["subprocess.Popen[str]"] = field(default_factory=list)  # processes that must end when this one ends

    def begin(self, check: str) -> None:
        """Note that a check begins."""
        self.check = check
        self.reach("")

    def reach(self, step: str) -> None:
        """Note that a check has reached its next step."""
        self.step, self.since = step, time.monotonic()

    def on_start(self, event: object = None) -> None:
        """Note that something begins that may take longer than a step: a compilation, or another process."""
        self.waits += 1

    def on_end(self, event: object = None) -> None:
        """Note that such a thing has ended."""
        self.waits, self.since = self.waits - 1, time.monotonic()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Allow any length of time while this context lasts."""
        self.on_start()
        try:
            yield
        finally:
            self.on_end()

    @contextmanager
    def guard(self, patience: float, stuck: Callable[[str], None]) -> Iterator[None]:
        """Report where the checks are, and end the process with code 1, once a step takes longer than `patience` seconds.

        Kernels run without Python's lock, so another thread can do this while a kernel runs forever; only the end of its process can stop
        such
        a kernel.
        """
        done = threading.Event()

        def look() -> None:
            while not done.wait(min(1.0, patience / 4)):
                if not self.waits and time.monotonic() - self.since > patience:
                    try:
                        for child in self.children:
                            child.kill()
                            child.wait()
                        place = f"{self.check}: {self.step}" if self.step else self.check
                        stuck(f"{place}: a kernel has not returned for {patience:g} s")
                        sys.stdout.flush()
                    finally:
                        os._exit(1)

        self.begin("before the first check")
        watcher = threading.Thread(target=look, daemon=True)
        with event.install_listener("numba:compile", self):
            watcher.start()
            try:
                yield
            finally:
                done.set()
                watcher.join()


WATCH = Watch()
