"""Ctrl-C, remembered: inside the compiler Python can lose it, or another error comes up in its place."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_heard: list[int] = []


def pressed() -> bool:
    """Whether Ctrl-C was pressed during this command."""
    return bool(_heard)


@contextmanager
def remembered() -> Iterator[None]:
    """Ctrl-C interrupts as usual, and is remembered."""
    _heard.clear()
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual:
        signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def press(number: int, frame: FrameType | None) -> None:
    """Remember, then interrupt."""
    _heard.append(number)
    signal.default_int_handler(number, frame)
