"""The weights of a heuristic: named numbers in a data file, read as a record for kernels and as a vector for tuning.

The section `[weights]` holds single numbers; any other section holds an array with a label for each entry. An entry has a value, a
range, and a note where the name does not say enough. `fixed = true` marks a weight that tuning leaves alone because quick play does not
use it.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

SINGLE = "weights"


@dataclass(frozen=True)
class Weight:
    """One number of a heuristic."""

    section: str
    name: str
    value: float
    low: float
    high: float
    note: str = ""
    fixed: bool = False

    @property
    def key(self) -> str:
        """Return the name by which users write this weight: the plain name in `weights`, else `section.name`."""
        return self.name if self.section == SINGLE else f"{self.section}.{self.name}"


class Weights:
    """All weights of a heuristic, in the order of the file."""

    def __init__(self, entries: Sequence[Weight], source: Path, made: str = "") -> None:
        self.entries, self.source, self.made = tuple(entries), source, made
        self._place = {w.key: k for k, w in enumerate(self.entries)}
        fields: list[Any] = []
        for section in dict.fromkeys(w.section for w in self.entries):
            names = [w.name for w in self.entries if w.section == section]
            fields += [(name, "f8") for name in names] if section == SINGLE else [(section, "f8", len(names))]
        self.dtype = np.dtype((np.record, fields or [(SINGLE, "f8")]))

    @classmethod
    def load(cls, path: Path, **labels: Sequence[str]) -> "Weights":
        """Read a file of weights; `labels` are the names that each array must have, in order."""
        with open(path, "rb") as file:
            sections = tomllib.load(file)
        made = sections.pop("made", "")
        entries = []
        for section, rows in sections.items():
            if section != SINGLE and list(rows) != list(labels.get(section, ())):
                raise ValueError(f"{path}: [{section}] must name {', '.join(labels.get(section, ())) or 'nothing'}, in this order")
            for name, row in rows.items():
                low, high = map(float, row["range"])
                entries.append(Weight(section, name, float(row["value"]), low, high, row.get("note", ""), row.get("fixed", False)))
                if not entries[-1].low <= entries[-1].value <= entries[-1].high:
                    raise ValueError(f"{path}: {entries[-1].key} = {row['value']}: from {row['range'][0]} to {row['range'][1]}")
        return cls(entries, path, made)

    def chosen(self, only: Sequence[str] = ()) -> npt.NDArray[np.int64]:
        """Return the indices of the weights to tune: those of the listed sections or keys, or all that are not fixed."""
        for name in only:
            if name not in self._place and name not in {w.section for w in self.entries}:
                raise ValueError(f"weight {name!r}: no such weight or section in {self.source.name}")
        wanted = [w.key in only or (not w.fixed and (not only or w.section in only)) for w in self.entries]
        return np.flatnonzero(wanted)

    @property
    def ranges(self) -> npt.NDArray[np.float64]:
        """Return the lowest and the highest value of each weight, one row for each weight."""
        return np.array([(w.low, w.high) for w in self.entries]).reshape(-1, 2)

    def changed(self, path: Path) -> dict[str, float]:
        """Return the values of another file of the same weights, by key."""
        with open(path, "rb") as file:
            sections = tomllib.load(file)
        sections.pop("made", None)
        try:
            found = {Weight(s, n, 0, 0, 0).key: float(row["value"]) for s, rows in sections.items() for n, row in rows.items()}
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ValueError(f"{path}: not a file of weights") from None
        self.record(found)
        return found

    def vector(self) -> npt.NDArray[np.float64]:
        """Return the values of all weights, in order."""
        return np.array([w.value for w in self.entries])

    def record(self, changed: Mapping[str, float] | None = None) -> npt.NDArray[Any]:
        """Return all values as an array of one record, after changing some of them."""
        values = self.vector()
        for key, value in (changed or {}).items():
            if key not in self._place:
                raise ValueError(f"weight {key!r}: no such weight in {self.source.name}")
            values[self._place[key]] = float(value)
        return self.packed(values)

    def packed(self, values: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
        """Return a vector as an array of one record."""
        return np.ascontiguousarray(values if values.size else np.zeros(1)).view(self.dtype)

    def text(self, values: npt.NDArray[np.float64], made: str) -> str:
        """Return the text of a weights file with these values, headed by the command that found them."""
        lines = [f'made = "{made}"']
        section = ""
        for w, value in zip(self.entries, values, strict=True):
            if w.section != section:
                section = w.section
                lines += ["", f"[{section}]"]
            note = (f', note = "{w.note}"' if w.note else "") + (", fixed = true" if w.fixed else "")
            lines.append(f"{w.name} = {{ value = {float(value):.4g}, range = [{w.low:g}, {w.high:g}]{note} }}")
        return "\n".join(lines) + "\n"
