"""Files: written so that they are there whole or not at all, and of a format that this version reads."""

import os
from pathlib import Path
from typing import Any

EARLIER = {f"alehouse-{kind}-1": "0.1" for kind in ("replay", "tables", "net", "checkpoint", "run", "tune")}  # read by which version


def check_format(found: Any, wanted: str) -> None:
    """Raise a ValueError unless a file has the wanted format; for an earlier format it names the version that reads it."""
    if isinstance(found, str) and found in EARLIER:
        raise ValueError(f"format {found}, which Alehouse {EARLIER[found]} reads; this version reads {wanted}")
    if found != wanted:
        raise ValueError(f"not a file of format {wanted}")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file under a temporary name, then rename it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
