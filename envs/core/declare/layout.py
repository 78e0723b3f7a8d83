"""The numbering of actions and observations, which are built from named segments.

No offset is ever typed, and the name of every action can be turned back into its number.
"""

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import NamedTuple


class Segment(NamedTuple):
    """Actions of one kind: the segment `pay` with the names of all cards as labels gives the actions `pay:monk`, `pay:abbot` ..."""

    name: str
    labels: Sequence[str] = ("",)


def refuse(what: str, fault: bool, why: str) -> None:
    """Raise a ValueError with this text, which says what is declared wrongly, if there is a fault."""
    if fault:
        raise ValueError(f"{what}: {why}")


def twice(names: Iterable[str]) -> str:
    """Return the names that appear more than once, joined by commas."""
    return ", ".join(repr(name) for name, count in Counter(names).items() if count > 1)


class Actions:
    """All actions of a game: its segments, numbered one after another."""

    def __init__(self, *segments: Segment) -> None:
        self.segments = segments
        self._start: dict[str, int] = {}
        names: list[str] = []
        for name, labels in segments:
            what = f"action segment {name!r}"
            refuse(what, not name or ":" in name, "a name is not empty and has no colon, which parts it from the label")
            refuse(what, name in self._start, "there are two of this name; an action's name must lead back to it")
            refuse(what, not labels, "it has no labels, so no actions; leave it out or give it labels")
            refuse(what, bool(twice(labels)), f"label {twice(labels)} is there more than once")
            self._start[name] = len(names)
            names += [f"{name}:{label}" if label else name for label in labels]
        self.names = tuple(names)
        self._index = {name: a for a, name in enumerate(names)}

    def __len__(self) -> int:
        return len(self.names)

    @property
    def words(self) -> int:
        """Return how many 64-bit words hold one bit for each action."""
        return (len(self.names) + 63) // 64

    def start(self, segment: str) -> int:
        """Return the number of a segment's first action."""
        return self._start[segment]

    def index(self, name: str) -> int:
        """Return the number of the action with this name; a ValueError suggests similar names."""
        if name not in self._index:
            near = difflib.get_close_matches(name, self.names, 3)
            raise ValueError(f"action {name!r}: no such action" + (f"; near it: {', '.join(near)}" if near else ""))
        return self._index[name]

    def segment(self, action: int) -> tuple[str, str]:
        """Return the segment that an action belongs to, and its label there."""
        name, _, label = self.names[action].partition(":")
        return name, label


class Feature(NamedTuple):
    """One segment of the observation: some bytes with a common name."""

    name: str
    start: int
    length: int
    max: int


class Features:
    """The observation of a game: named segments of bytes, each with its largest value and its labels."""

    def __init__(self, segments: Iterable[tuple[str, Sequence[str] | int, int]]) -> None:
        rows: list[Feature] = []
        self.labels: dict[str, Sequence[str]] = {}
        at = 0
        for name, labels, most in segments:
            length = labels if isinstance(labels, int) else len(labels)
            what = f"feature {name!r}"
            refuse(what, name in self.labels, "there are two of this name")
            refuse(what, length < 1, f"its length is {length}; give it at least one byte or leave it out")
            refuse(what, not 1 <= most <= 255, f"its largest value is {most}; a byte holds 1 to 255")
            rows.append(Feature(name, at, length, most))
            self.labels[name] = [str(k) for k in range(labels)] if isinstance(labels, int) else labels
            at += length
        self.rows = tuple(rows)
        self.size = at
        self._start = {row.name: row.start for row in rows}

    def start(self, name: str) -> int:
        """Return the index of a segment's first byte."""
        return self._start[name]

    @property
    def places(self) -> ModuleType:
        """Return an object F with the index of every byte by name.

        `F.pot.at` is the first byte of a segment, `F.counts.gold` its byte labelled "gold". F is made of Python modules, because kernels
        read a module's numbers as constants.
        """
        root = ModuleType("F", "Where each byte of an observation stands.")
        for name, start, *_ in self.rows:
            labels = [label for label in self.labels[name] if label.isidentifier()]
            if "at" in labels:
                raise ValueError(f"feature {name!r}: a byte cannot be called 'at', that is where the segment begins")
            segment = ModuleType(f"F.{name}")
            vars(segment).update({label: start + k for k, label in enumerate(self.labels[name]) if label in labels}, at=start)
            setattr(root, name, segment)
        return root

    def text(self, observation: Sequence[int]) -> str:
        """Return an observation as text: each segment with the labels of its bytes that are not zero."""
        lines = []
        for name, start, length, most in self.rows:
            values = [int(x) for x in observation[start : start + length]]
            labels = self.labels[name]
            if length == 1:
                lines.append(f"{name}: {values[0]}")
            elif any(values):
                shown = (f"{labels[k]}" if most == 1 else f"{labels[k]} {x}" for k, x in enumerate(values) if x)
                lines.append(f"{name}: {', '.join(shown)}")
        return "\n".join(lines)
