"""Actions and observations as named segments: offsets are derived, every action has a name that parses back."""

import difflib
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Segment(NamedTuple):
    """Actions of one kind: `pay` with the labels of all cards gives `pay:monk`, `pay:abbot` ..."""

    name: str
    labels: Sequence[str] = ("",)


class Actions:
    """The flat action space of a game, built of segments in the order given."""

    def __init__(self, *segments: Segment) -> None:
        self.segments = segments
        self._start: dict[str, int] = {}
        names: list[str] = []
        for segment in segments:
            if segment.name in self._start:
                raise ValueError(f"action segment {segment.name!r} is there twice")
            self._start[segment.name] = len(names)
            names += [f"{segment.name}:{label}" if label else segment.name for label in segment.labels]
        self.names = tuple(names)
        self._index = {name: a for a, name in enumerate(names)}
        if len(self._index) != len(names):
            raise ValueError("action names are not unique")

    def __len__(self) -> int:
        return len(self.names)

    @property
    def words(self) -> int:
        """64-bit words that hold one bit per action."""
        return (len(self.names) + 63) // 64

    def start(self, segment: str) -> int:
        """The first action of a segment."""
        return self._start[segment]

    def index(self, name: str) -> int:
        """The action of a name."""
        if name not in self._index:
            near = difflib.get_close_matches(name, self.names, 3)
            raise ValueError(f"action {name!r}: no such action" + (f"; near it: {', '.join(near)}" if near else ""))
        return self._index[name]

    def segment(self, action: int) -> tuple[str, str]:
        """The segment and the label of an action."""
        name, _, label = self.names[action].partition(":")
        return name, label


class Feature(NamedTuple):
    """One segment of the observation."""

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
            rows.append(Feature(name, at, length, most))
            self.labels[name] = [str(k) for k in range(labels)] if isinstance(labels, int) else labels
            at += length
        self.rows = tuple(rows)
        self.size = at
        self._start = {row.name: row.start for row in rows}
        if len(self._start) != len(rows):
            raise ValueError("feature names are not unique")

    def start(self, name: str) -> int:
        """Where a segment begins."""
        return self._start[name]

    def text(self, observation: Sequence[int]) -> str:
        """An observation in words: every segment with its labels, what is zero left out."""
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
