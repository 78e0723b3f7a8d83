"""Draws the curves of a training run: the share of the win against each opponent over the samples learnt from."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

from alehouse.envs.core.show.svg import escape
from alehouse.training.metrics import Row

WIDTH, HEIGHT, LEFT, LOW = 640, 260, 44, 34  # of the picture; the space left of the curves, and below them
POINTS = 60  # points of a curve at most; each is the mean of equally many iterations
DASHES = ("", "7 3", "2 3", "9 3 2 3")  # curves are told apart without colours too


def curves(rows: Sequence[Row]) -> str:
    """Return the curves as SVG: a line for each opponent, and a thin one for its even play."""
    most = max((row.samples for row in rows), default=0)
    if not most:
        return ""
    parts = list(axes(most))
    for k, name in enumerate(dict.fromkeys(name for row in rows for name in row.shares)):
        shares = [(row.samples / most, row.shares[name]) for row in rows if name in row.shares]
        even = path((x, share.parity) for x, share in shares[:: max(1, len(shares) - 1)])
        won = path(means([(x, share.won) for x, share in shares]))
        paint = f'fill="none" stroke="var(--c{k % 8})"'
        parts.append(f'<path d="{even}" {paint} stroke-opacity=".5"/>')
        parts.append(f'<path d="{won}" {paint} stroke-width="2.5" stroke-dasharray="{DASHES[k % len(DASHES)]}"/>')
        x = LEFT + 8 + 150 * (k % 4)
        parts.append(f'<path d="M{x} {14 + 16 * (k // 4)}h26" {paint} stroke-width="2.5" stroke-dasharray="{DASHES[k % len(DASHES)]}"/>')
        parts.append(text(x + 32, 18 + 16 * (k // 4), f"against {name}", "start"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="curves" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
    return head + "<title>share of the win</title>" + "".join(parts) + "</svg>"


def means(points: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the means of equal parts of many points."""
    size = -(-len(points) // POINTS)
    for first in range(0, len(points), size):
        part = points[first : first + size]
        yield fmean(x for x, _ in part), fmean(y for _, y in part)


def place(x: float, y: float) -> tuple[float, float]:
    """Return where a point lies in the picture; both numbers are shares of the whole."""
    return LEFT + x * (WIDTH - LEFT - 12), 34 + (1 - y) * (HEIGHT - 34 - LOW)


def path(points: Iterable[tuple[float, float]]) -> str:
    """Return points as the path of a line."""
    return "M" + "L".join("{:.1f} {:.1f}".format(*place(x, y)) for x, y in points)


def text(x: float, y: float, words: str, anchor: str) -> str:
    """Return a line of text."""
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="12" fill="var(--ink)" text-anchor="{anchor}">{escape(words)}</text>'


def axes(most: int) -> Iterator[str]:
    """Yield the grid with its numbers."""
    for percent in (0, 25, 50, 75, 100):
        x, y = place(0, percent / 100)
        yield f'<path d="M{x:.0f} {y:.0f}H{WIDTH - 12}" stroke="var(--line)"/>' + text(x - 6, y + 4, f"{percent} %", "end")
    for share in (0, 0.5, 1):
        x, y = place(share, 0)
        yield text(x, y + 18, f"{share * most:,.0f}", "end" if share == 1 else "middle")
    yield text(WIDTH / 2, HEIGHT - 2, "samples learnt from", "middle")
