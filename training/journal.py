"""A journal: a file with a line that says what is worked on, then a line of JSON for each part that is done.

A stopped command reads its journal and goes on behind the last whole line.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from alehouse.envs.core.run.files import check_format, write_atomically

EARLIER = "alehouse-tune-1"  # the only journals without a format
Line = dict[str, Any]


def lines_of(journal: Path, head: Mapping[str, Any], names: Sequence[str]) -> list[Line]:
    """Read the lines behind the head of a journal, each of which holds some names; a new journal is begun if there is none.

    `head` says what is worked on, and its "format" in which form. A ValueError names what differs if the journal is of other work.
    """
    head = json.loads(json.dumps(head))
    if not journal.exists():
        journal.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(journal, (json.dumps(head) + "\n").encode())
        return []
    whole = journal.read_text(encoding="utf-8").split("\n")[:-1]  # a line cut short is done again
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
    """Add a line to a journal."""
    with open(journal, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
