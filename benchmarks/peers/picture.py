"""Draws the speeds of simulators on logarithmic scales: first the ratios of connect four, then all games."""

import math
from collections.abc import Iterator, Sequence

from alehouse.benchmarks.peers.contest import BARE, OURS, Speed, times
from alehouse.envs.core.show.svg import FONT, escape
from alehouse.envs.core.show.theme import STYLE, colour

WIDTH, LEFT, RIGHT, ROW = 900, 340, 130, 22


class Scale:
    """A logarithmic axis that holds all given numbers, in whole powers of ten."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self.low, self.high = math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers)))
        self.high = max(self.high, self.low + 1)

    def x(self, number: float) -> float:
        """Return where a number lies."""
        return LEFT + (math.log10(number) - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)

    def grid(self, top: float, bottom: float) -> Iterator[str]:
        """Yield a line and a number for each power of ten."""
        for power in range(self.low, self.high + 1):
            x = self.x(10.0**power)
            yield f'<path d="M{x:.1f} {top}V{bottom}" stroke="{colour("line")}"/>'
            yield text(x, bottom + 16, short(10.0**power), "soft", "middle")


def short(number: float) -> str:
    """Return a power of ten in few letters."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:g} {letter}"
    return f"{number:g}"


def text(x: float, y: float, words: str, paint: str = "ink", anchor: str = "start", size: int = 13, weight: int = 400) -> str:
    """Return a line of text."""
    how = f'font-size="{size}" font-weight="{weight}" fill="{colour(paint)}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {how}>{escape(words)}</text>'


def span(scale: Scale, y: float, low: float, middle: float, high: float, paint: str, square: bool) -> str:
    """Return the interval of a figure as a line with its middle as a mark, a square for one side and a disc for the other."""
    a, x, b = scale.x(low), scale.x(middle), scale.x(high)
    mark = f'<rect x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"' if square else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5"'
    line = f'<path d="M{a:.1f} {y:.1f}H{b:.1f}" stroke="{colour(paint)}" stroke-width="4" stroke-linecap="round"/>'
    return f'{line}{mark} fill="{colour(paint)}"/>'


def ratios(rows: Sequence[Speed], top: float) -> tuple[list[str], float]:
    """Return the panel of ratios, and where it ends."""
    ends = [(row, row.ratio, row.ratio_low, row.ratio_high) for row in rows]
    found = sorted(((row, a, b, c) for row, a, b, c in ends if a and b and c), key=lambda one: -one[1])
    if not found:
        return [], top
    scale = Scale([1.0, *(end for _, _, low, high in found for end in (low, high))])
    parts = [text(12, top, "Connect four: how many times as fast Alehouse is, one core", size=15, weight=700)]
    bottom = top + 14 + ROW * len(found)
    parts += scale.grid(top + 10, bottom)
    parts.append(f'<path d="M{scale.x(1):.1f} {top + 10}V{bottom}" stroke="{colour("ink")}" stroke-width="2"/>')
    for k, (row, middle, low, high) in enumerate(found):
        y, wins = top + 24 + ROW * k, middle > 1
        parts.append(text(LEFT - 14, y + 4, f"{row.how} ({row.writes})", anchor="end"))
        parts.append(span(scale, y, low, middle, high, "c0" if wins else "c1", wins))
        said = times(middle) if wins else f"{times(1 / middle)} times slower"
        sure = (low, high) if wins else (1 / high, 1 / low)
        parts.append(text(scale.x(high) + 12, y + 4, f"{said} ({times(sure[0])} to {times(sure[1])})", weight=700, size=12))
    return parts, bottom + 50


def absolute(rows: Sequence[Speed], top: float) -> tuple[list[str], float]:
    """Return the panel of decisions per second of all games, and where it ends."""
    found = sorted(rows, key=lambda row: -row.decisions_per_s)
    scale = Scale([end for row in found for end in (row.lowest, row.highest)])
    parts = [text(12, top, "Decisions per second on one core; squares are Alehouse", size=15, weight=700)]
    bottom = top + 14 + ROW * len(found)
    parts += scale.grid(top + 10, bottom)
    for k, row in enumerate(found):
        y, own = top + 24 + ROW * k, row.simulator == OURS
        parts.append(
            text(
                LEFT - 14,
                y + 4,
                f"{row.game.replace('_', ' ')}: {row.how}{' *' if row.writes == BARE else ''}",
                anchor="end",
                size=12,
            )
        )
        parts.append(span(scale, y, row.lowest, row.decisions_per_s, row.highest, "c0" if own else "c1", own))
        parts.append(text(scale.x(row.highest) + 12, y + 4, f"{row.decisions_per_s:,.0f}", size=12))
    parts.append(
        text(
            12,
            bottom + 40,
            "* rules only; all others write an observation and a mask at each decision. Lines: lowest to highest round.",
            "soft",
            size=12,
        )
    )
    return parts, bottom + 54


def picture(rows: Sequence[Speed]) -> str:
    """Return both panels as SVG, in the light or the dark colours of the page it stands on."""
    if not rows:
        return ""
    first, y = ratios(rows, 30)
    second, height = absolute(rows, y)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="alehouse" viewBox="0 0 {WIDTH} {height:.0f}" font-family="{FONT}" role="img">'
    back = f'<rect width="{WIDTH}" height="{height:.0f}" rx="10" fill="{colour("paper")}"/>'
    return f"{head}<title>Speed of simulators</title><style>{STYLE}</style>{back}{''.join([*first, *second])}</svg>\n"
