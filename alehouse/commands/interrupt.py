"""Ctrl-C ends the command line without a traceback while it starts, and is remembered while a command runs.

It must be remembered because inside the compiler Python can lose it, or another error can take its place.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

STATUS = 130  # the exit code of a command that Ctrl-C stopped
_heard: list[int] = []


def pressed() -> bool:
    """Return whether Ctrl-C was pressed while this command ran."""
    return bool(_heard)


@contextmanager
def remembered() -> Iterator[None]:
    """Let Ctrl-C interrupt as usual, but also remember it. If Python loses it, nothing is printed about that."""

    def press(number: int, frame: FrameType | None) -> None:
        _heard.append(number)
        signal.default_int_handler(number, frame)

    def unraisable(lost: Any) -> None:
        if not isinstance(lost.exc_value, KeyboardInterrupt):
            hook(lost)

    _heard.clear()
    hook, sys.unraisablehook = sys.unraisablehook, unraisable
    try:
        with handled_by(press):
            yield
    finally:
        sys.unraisablehook = hook


@contextmanager
def at_once() -> Iterator[None]:
    """Let Ctrl-C end the process at once, as long as there is nothing to lose."""
    with handled_by(leave):
        yield


@contextmanager
def handled_by(handler: Any) -> Iterator[None]:
    """Let a function handle Ctrl-C, except in the background, where it is ignored."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):
        yield
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def settle() -> None:
    """Let the process end with its own exit code. After Ctrl-C inside code made from text, which numba runs, `python -m` would end it by
    the signal although the command has dealt with it; running any such code to its end clears that."""
    exec("")


def leave(number: int, frame: FrameType | None) -> None:
    """End the process without printing anything."""
    os._exit(STATUS)


def is_command_line() -> bool:
    """Return whether this process runs the command line: the script, `python -m alehouse`, or a process that one of these started."""
    start = Path(sys.argv[0] if sys.argv else "")
    # `python -m alehouse` is importing the package
    module = str(start) == "-m" and any(word.partition(".")[0] == "alehouse" for word in sys.orig_argv)
    return module or start.stem == "alehouse" or start.parent == Path(__file__).parents[1]


if is_command_line() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, leave)  # until numba and the other libraries are imported
