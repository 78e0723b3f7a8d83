"""The folder of a long run: a description of the job, and its finished parts, each in a file that never appears half written."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.tables_file import DAMAGE


class RunFolder:
    """The folder of one run."""

    def __init__(self, folder: Path, description: dict[str, Any]) -> None:
        self.folder, note = folder, folder / "job.json"
        folder.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            write_atomically(note, (json.dumps(description, indent=2) + "\n").encode())
        try:
            known = json.loads(note.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{note}: {error}; give another --out") from None
        if known != description:
            changed = [key for key in description if not isinstance(known, dict) or known.get(key) != description[key]]
            raise ValueError(f"{folder}: holds games of another job ({', '.join(changed)} changed); give another --out")

    def read(self, name: str, kind: Any) -> Any:
        """Return a part as a named tuple of arrays; None if the part is missing or damaged and must be played again."""
        try:
            with np.load(self.folder / name, allow_pickle=False) as found:
                return kind(*(found[field] for field in kind._fields))
        except DAMAGE:
            return None

    def write(self, name: str, part: Any) -> None:
        """Write a finished part to its file."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **part._asdict())
        write_atomically(self.folder / name, buffer.getvalue())
