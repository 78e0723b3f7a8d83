"""A journal lets a stopped command go on: its first line says what is being computed, each further line holds one finished part as JSON.

Every line carries a digest. Parts whose line was damaged or cut short, and those behind them, are computed again.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from alehouse.envs.core.run.files import DAMAGE, append, check_format, digest, read_within, write_atomically

EARLIER = "alehouse-tune-1"  # the only format whose journals did not name it
LARGEST = 1 << 28  # the most bytes a journal may have
Line = dict[str, Any]


def lines_of(journal: Path, head: Mapping[str, Any], names: Sequence[str]) -> list[Line]:
    """Read the lines after the first line of a journal, each of which must hold some names; begin a new journal if there is none.

    `head` describes what is being computed; its "format" is the form of the journal. If the journal describes something else, a ValueError
    names what differs.
    """
    head = json.loads(json.dumps(head))
    if not journal.exists():
        journal.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(journal, sealed(head))
        return []
    lines = list[Line]()
    try:
        first, *rest = read_within(journal, LARGEST).split(b"\n")
        check_format(json.loads(first).get("format", EARLIER), head["format"])
        known = unsealed(first)
        for line in rest:
            try:
                lines.append(unsealed(line))
            except DAMAGE:
                break
        if not all(line.keys() >= set(names) for line in lines):
            raise ValueError(f"each line behind the first must hold {', '.join(names)}")
    except DAMAGE as error:
        raise ValueError(f"{journal}: not a journal of this work: {error}; remove it to begin again") from None
    differing = [name for name in {**known, **head} if known.get(name) != head.get(name)]
    if differing:
        raise ValueError(f"{journal}: of other work ({', '.join(differing)} differ); remove it to begin again")
    write_atomically(journal, b"".join(map(sealed, (known, *lines))))
    return lines


def add_line(journal: Path, line: Mapping[str, Any]) -> None:
    """Add a finished part to a journal."""
    append(journal, sealed(line))


def sealed(line: Mapping[str, Any]) -> bytes:
    """Return a line as JSON with its digest."""
    line = json.loads(json.dumps(line))
    return (json.dumps({**line, "digest": digest({}, line)}) + "\n").encode()


def unsealed(text: bytes) -> Line:
    """Return a line; a ValueError if it is damaged."""
    line: Line = json.loads(text)
    if line.pop("digest", None) != digest({}, line):
        raise ValueError("a line is damaged, or was written by an earlier version without a digest")
    return line
