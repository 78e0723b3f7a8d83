"""The folder of a long run: it holds one question, and its answers part by part, each a file that is there whole or not at all."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.tables_file import DAMAGE


class Folder:
    """The folder of one question."""

    def __init__(self, folder: Path, asked: dict[str, Any]) -> None:
        self.folder, note = folder, folder / "question.json"
        folder.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            write_atomically(note, (json.dumps(asked, indent=2) + "\n").encode())
        try:
            known = json.loads(note.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{note}: {error}; give another --out") from None
        if known != asked:
            changed = [key for key in asked if not isinstance(known, dict) or known.get(key) != asked[key]]
            raise ValueError(f"{folder}: holds games of another question ({', '.join(changed)} changed); give another --out")

    def read(self, name: str, kind: Any) -> Any:
        """A part, as a named tuple of arrays; None if it is not there, or damaged and to be played again."""
        try:
            with np.load(self.folder / name, allow_pickle=False) as found:
                return kind(*(found[field] for field in kind._fields))
        except DAMAGE:
            return None

    def write(self, name: str, part: Any) -> None:
        """Keep a part."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **part._asdict())
        write_atomically(self.folder / name, buffer.getvalue())
