"""Makes printing safe when standard output or standard error is closed or full, or when nobody reads it any more."""

import io
import os
import sys
from typing import Any, NoReturn

from alehouse.commands import interrupt


class Stream(io.FileIO):
    """A standard stream that drops what cannot be written, so that the command still ends with its own exit code."""

    fault: OSError | None = None

    def write(self, data: Any) -> int:
        """Write some bytes, or drop them and remember why they could not be written."""
        try:
            return super().write(data) or 0
        except OSError as error:
            self.fault = error
            return len(data)


def prepare() -> None:
    """Replace the standard streams by ones that never fail; a closed stream is replaced by one that writes nowhere."""
    for name in ("stdout", "stderr"):
        usual = getattr(sys, name)
        if usual is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open to the end
            continue
        usual.flush()
        bytes_out = io.BufferedWriter(Stream(usual.fileno(), "w", closefd=False))
        setattr(sys, name, io.TextIOWrapper(bytes_out, usual.encoding, usual.errors, line_buffering=usual.line_buffering))


def fault(stream: Any) -> OSError | None:
    """Return why a standard stream can no longer be written, or None if it can."""
    found: OSError | None = getattr(getattr(getattr(stream, "buffer", None), "raw", None), "fault", None)
    return found


def left() -> bool:
    """Return whether nobody reads standard output any more."""
    return isinstance(fault(sys.stdout), BrokenPipeError)


def finished(status: int) -> int:
    """Write what is still buffered and return the exit code: 2 if standard output could not take it, else that of the command."""
    sys.stdout.flush()
    error = fault(sys.stdout)
    if error is None or isinstance(error, BrokenPipeError):
        return status
    print(f"alehouse: standard output: {error.strerror}", file=sys.stderr)
    return 2


def run_to_end(app: Any, name: str) -> NoReturn:
    """Run a command line, and end the process with its exit code."""
    try:
        app(prog_name=name)
    except SystemExit as end:
        interrupt.settle()
        sys.exit(finished(end.code if isinstance(end.code, int) else 0))
    sys.exit(finished(0))
