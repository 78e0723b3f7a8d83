"""Draws the learning curve of a run as SVG from its logs; the same logs give the same bytes."""

import io
import logging
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from alehouse.envs.core.run.files import write_atomically

DRAWING: Any = {"svg.hashsalt": "alehouse", "svg.fonttype": "none", "font.size": 8}
POINTS = 40  # a curve has at most this many points, each the mean of equally many iterations
SHARE, EVEN = "share/", "even/"  # the logs name figures with these prefixes: the share of games won, and that of even play


def draw(logs: Path, file: Path, title: str) -> None:
    """Draw the share of games won against each opponent, over the number of samples learnt from; dashed lines show even play."""
    logging.getLogger("tensorboard").setLevel(logging.ERROR)  # otherwise it warns about every run that was stopped and went on
    kept = EventAccumulator(str(logs), size_guidance={"scalars": 0}).Reload()
    with matplotlib.rc_context(DRAWING):
        figure = Figure(figsize=(4.2, 2.4))
        axis = figure.add_subplot()
        for k, tag in enumerate(tag for tag in kept.Tags()["scalars"] if tag.startswith(SHARE)):
            name, color = tag.removeprefix(SHARE), f"C{k}"
            for which, style in ((SHARE, "-"), (EVEN, "--")):
                rows = kept.Scalars(which + name)
                parts = np.array_split([(row.step / 1e6, 100 * row.value) for row in rows], min(POINTS, len(rows)))
                points = np.array([part.mean(axis=0) for part in parts])
                axis.plot(*points.T, style, color=color, lw=1, label=f"against {name}" if which == SHARE else None)
        axis.set_xlabel("million samples")
        axis.set_ylabel("% of games won")
        axis.set_title(title, fontsize=8)
        if axis.lines:
            axis.legend(frameon=False)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None}, bbox_inches="tight")
    write_atomically(file, text.getvalue().encode())
