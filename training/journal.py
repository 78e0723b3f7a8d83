"""A journal lets a stopped command go on: its first line says what is being computed, each further line holds one finished part as JSON."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from alehouse.envs.core.run.files import check_format, write_atomically

EARLIER = "alehouse-tune-1"  # the only format whose journals did not name it
Line = dict[str, Any]


def lines_of(journal: Path, head: Mapping[str, Any], names: Sequence[str]) -> list[Line]:
    """Read the lines after the first line of a journal, each of which must hold some names; begin a new journal if there is none.

    `head` describes what is being computed; its "format" is the form of the journal. If the journal describes something else, a ValueError
    names what differs.
    """
    head = json.loads(json.dumps(head))
    if not journal.exists():
        journal.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(journal, (json.dumps(head) + "\n").encode())
        return []
    whole = journal.read_text(encoding="utf-8").split("\n")[:-1]  # a part whose line was cut short is computed again
    try:
        first, *lines = [json.loads(line) for line in whole]
        check_format(first.get("format", EARLIER), head["format"])
        if not all(line.keys() >= set(names) for line in lines):
            raise ValueError(f"each line behind the first must hold {', '.join(names)}")
    except (AttributeError, ValueError) as error:
        raise ValueError(f"{journal}: not a journal of this work: {error}; remove it to begin again") from None
    differing = [name for name in {**first, **head} if first.get(name) != head.get(name)]
    if differing:
        raise ValueError(f"{journal}: of other work ({', '.join(differing)} differ); remove it to begin again")
    write_atomically(journal, ("\n".join(whole) + "\n").encode())
    return lines


def add_line(journal: Path, line: Mapping[str, Any]) -> None:
    """Add a finished part to a journal."""
    with open(journal, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
