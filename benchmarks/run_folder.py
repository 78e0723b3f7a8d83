"""The folder of a long run: a description of the job, and its finished parts, each in a file that never appears half written."""

import json
import os
from pathlib import Path
from typing import Any

from alehouse.envs.core.run import array_file
from alehouse.envs.core.run.files import DAMAGE, parsed, read_text, read_within, write_atomically

SECRET = 32  # bytes of a secret
LARGEST = 1 << 28  # bytes of a part


class RunFolder:
    """The folder of one run."""

    def __init__(self, folder: Path, description: dict[str, Any]) -> None:
        self.folder, note = folder, folder / "job.json"
        folder.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            write_atomically(note, (json.dumps(description, indent=2) + "\n").encode())
        try:
            known = parsed(read_text(note))
        except (RecursionError, ValueError) as error:
            raise ValueError(f"{note}: {error}; give another --out") from None
        if known != description:
            changed = [key for key in description if not isinstance(known, dict) or known.get(key) != description[key]]
            raise ValueError(f"{folder}: holds games of another job ({', '.join(changed)} changed); give another --out")

    @property
    def secret(self) -> bytes:
        """The secret of the run, drawn once: without it nobody can compute the random numbers that programs are given."""
        path = self.folder / "secret"
        if not path.exists():
            write_atomically(path, os.urandom(SECRET))
            path.chmod(0o600)
        found = read_within(path, SECRET)
        if len(found) < SECRET:
            raise ValueError(f"{path}: it is damaged; remove it to go on with other random numbers for programs")
        return found

    def read(self, name: str, kind: Any) -> Any:
        """Return a part as a named tuple of arrays; None if the part is missing or damaged and must be played again."""
        try:
            found = array_file.undamaged(array_file.unpacked(read_within(self.folder / name, LARGEST), LARGEST))
            return kind(*(found[field] for field in kind._fields))
        except DAMAGE:
            return None

    def write(self, name: str, part: Any) -> None:
        """Write a finished part to its file."""
        write_atomically(self.folder / name, array_file.packed(part._asdict(), compressed=True))
