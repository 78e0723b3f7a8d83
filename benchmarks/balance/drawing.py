"""The charts of a report as SVG; equal data give equal bytes."""

import io
from collections.abc import Sequence
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from alehouse.benchmarks.balance.design import MAIN
from alehouse.benchmarks.balance.effects import EffectEstimate
from alehouse.benchmarks.balance.measures import MEASURES
from alehouse.benchmarks.balance.seats import Seat

DRAWING: Any = {"svg.hashsalt": "alehouse", "svg.fonttype": "none", "font.size": 8}


def drawn(figure: Figure) -> str:
    """Return a chart as SVG."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None}, bbox_inches="tight")
    text = buffer.getvalue()
    return text[text.index("<svg") :]


@matplotlib.rc_context(DRAWING)
def effects_drawn(found: Sequence[EffectEstimate]) -> str:
    """Draw the main effects, with a panel for each measure."""
    main = [row for row in found if row.kind == MAIN]
    names = list(dict.fromkeys(row.effect for row in main))
    if not names:
        return ""
    figure = Figure(figsize=(9, 1.5 + 0.5 * len(names) * 3 / 2))
    axes = figure.subplots(3, 3, sharey=True).ravel()
    for axis, measure in zip(axes, MEASURES, strict=True):
        some = [row for row in main if row.measure == measure.name]
        wide = [[row.estimate - row.low for row in some], [row.high - row.estimate for row in some]]
        axis.errorbar([row.estimate for row in some], range(len(some)), xerr=wide, fmt="o", ms=3, lw=1)
        axis.axvline(0, lw=0.5, color="black")
        axis.set_yticks(range(len(names)), names)
        axis.set_title(f"{measure.name} ({measure.unit})", fontsize=8)
        axis.locator_params(axis="x", nbins=5)
    axes[0].invert_yaxis()
    figure.tight_layout()
    return drawn(figure)


@matplotlib.rc_context(DRAWING)
def seats_drawn(found: Sequence[Seat]) -> str:
    """Draw the shares of the win by place in the order of play."""
    counts = sorted({row.seats for row in found})
    figure = Figure(figsize=(2 + 1.6 * len(counts), 2.4))
    for k, count in enumerate(counts):
        axis = figure.add_subplot(1, len(counts), k + 1)
        some = [row for row in found if row.seats == count]
        half = [100 * (row.high - row.share) for row in some]
        axis.errorbar([row.place for row in some], [100 * row.share for row in some], yerr=half, fmt="o", ms=3, lw=1)
        axis.axhline(100 / count, lw=0.5, color="black")
        axis.set_title(f"{count} seats: % of wins", fontsize=8)
        axis.set_xticks([row.place for row in some])
    figure.tight_layout()
    return drawn(figure)
