"""The learning curve of a run, from its logs, as SVG: the same bytes every time."""

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
POINTS = 40  # at most; each is the mean of as many iterations
SHARE, EVEN = "share/", "even/"  # what the logs call a share of games won, and that of even play


def draw(logs: Path, file: Path, title: str) -> None:
    """Write the shares of games won against each opponent, by samples learnt from; dashed: what even play would win."""
    logging.getLogger("tensorboard").setLevel(logging.ERROR)  # it warns of every run that was stopped and goes on
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
