"""Safe reading and writing of files: none is half-written, none takes more memory than allowed, another version's is refused by name."""

import contextlib
import hashlib
import json
import math
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

# older formats, with the version that reads them
EARLIER = {f"alehouse-{kind}-1": "0.1" for kind in ("replay", "tables", "net", "checkpoint", "run", "tune")}
DAMAGE = (OSError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, EOFError, RuntimeError, MemoryError,
          struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error)  # the errors that damaged files cause  # fmt: skip
TEXT = 1 << 24  # the most bytes a text file may have


def check_format(found: Any, wanted: str) -> None:
    """Raise a ValueError unless a file has the wanted format; for an older format the error names the version that can read it."""
    if isinstance(found, str) and found in EARLIER:
        raise ValueError(f"format {found}, which Alehouse {EARLIER[found]} reads; this version reads {wanted}")
    if found != wanted:
        raise ValueError(f"not a file of format {wanted}")


def digest(arrays: Mapping[str, npt.NDArray[Any]], facts: Any) -> str:
    """Return a digest of arrays and facts; a file that carries it shows whether it was damaged."""
    found = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        found.update(f"{name} {array.dtype.str} {array.shape}".encode())
        found.update(array.reshape(-1).view(np.uint8).data)
    return found.hexdigest()


def read_within(path: Path, most: int) -> bytes:
    """Read a file; a ValueError if it is larger than `most` bytes."""
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it is larger than {most:,} bytes")
    return data


def parsed(text: str | bytes) -> Any:
    """Read JSON whose numbers are all finite."""
    return json.loads(text, parse_float=finite, parse_constant=finite)


def finite(text: str) -> float:
    """Read a number; a ValueError unless it is finite."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is not a finite number")
    return number


def read_text(path: Path) -> str:
    """Read a text file of ordinary size."""
    return read_within(path, TEXT).decode("utf-8")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that it never appears half written: write it under a temporary name and to the disk, then rename it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with named(path):
        try:
            with open(temporary, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            settle(path.parent)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise


def append(path: Path, data: bytes) -> None:
    """Add to the end of a file; if that fails, the file stays as it was."""
    with named(path), open(path, "ab", buffering=0) as file:  # a buffer would write its rest when the file is closed
        size = file.seek(0, os.SEEK_END)
        try:
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())
        except BaseException:
            with contextlib.suppress(OSError):
                os.truncate(path, size)
            raise


def settle(folder: Path) -> None:
    """Have the names in a folder written to the disk, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Make errors of the system name this file: some name none, others a temporary one."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from None
