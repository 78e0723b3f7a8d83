"""Remember Ctrl-C, because inside the compiler Python can lose it or replace it by another error."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_heard: list[int] = []


def pressed() -> bool:
    """Return whether Ctrl-C was pressed while this command ran."""
    return bool(_heard)


@contextmanager
def remembered() -> Iterator[None]:
    """Let Ctrl-C interrupt as usual, and remember it."""
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
    """Handle Ctrl-C: remember it, then interrupt as usual."""
    _heard.append(number)
    signal.default_int_handler(number, frame)
