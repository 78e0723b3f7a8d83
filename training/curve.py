"""The learning curve of a run as SVG, drawn from its record; the same record gives the same bytes."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from alehouse.envs.core.run.files import write_atomically
from alehouse.training.metrics import Row

DRAWING: Any = {"svg.hashsalt": "alehouse", "svg.fonttype": "none", "font.size": 8}
POINTS = 40  # points of a curve at most; each is the mean of equally many iterations


def draw(rows: Iterable[Row], file: Path, title: str) -> None:
    """Draw the share of games won against each opponent over the samples learnt from; dashed lines show even play."""
    against: dict[str, list[tuple[float, float, float]]] = {}
    for row in rows:
        for name, share in row.shares.items():
            against.setdefault(name, []).append((row.samples / 1e6, 100 * share.won, 100 * share.parity))
    with matplotlib.rc_context(DRAWING):
        figure = Figure(figsize=(4.2, 2.4))
        axis = figure.add_subplot()
        for k, (name, found) in enumerate(against.items()):
            points = np.array([part.mean(axis=0) for part in np.array_split(found, min(POINTS, len(found)))])
            samples, won, even = points.T
            axis.plot(samples, won, "-", color=f"C{k}", lw=1, label=f"against {name}")
            axis.plot(samples, even, "--", color=f"C{k}", lw=1)
        axis.set_xlabel("million samples")
        axis.set_ylabel("% of games won")
        axis.set_title(title, fontsize=8)
        if axis.lines:
            axis.legend(frameon=False)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None}, bbox_inches="tight")
    write_atomically(file, text.getvalue().encode())
