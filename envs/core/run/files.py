"""Safe reading and writing of files: no half-written file appears, and a file of another version is refused by name."""

import os
from pathlib import Path
from typing import Any

# older formats, with the version that reads them
EARLIER = {f"alehouse-{kind}-1": "0.1" for kind in ("replay", "tables", "net", "checkpoint", "run", "tune")}


def check_format(found: Any, wanted: str) -> None:
    """Raise a ValueError unless a file has the wanted format; for an older format the error names the version that can read it."""
    if isinstance(found, str) and found in EARLIER:
        raise ValueError(f"format {found}, which Alehouse {EARLIER[found]} reads; this version reads {wanted}")
    if found != wanted:
        raise ValueError(f"not a file of format {wanted}")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that it never appears half written: write it under a temporary name, then rename it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
