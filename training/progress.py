"""The live view of a training run in the terminal: speed, share of wins against each anchor, entropy, KL divergence, time left."""

import math
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.console import Console, Group
from rich.live import Live
from rich.table import Column, Table
from rich.text import Text

from alehouse.envs.core.verify.intervals import wilson
from alehouse.training.metrics import Row, Share

GAMES = 1000  # shares of wins are computed from this many latest games, rounded up to whole iterations
COLUMNS = 60  # width of the progress bar


class Standing(NamedTuple):
    """The share of wins against an anchor, its 95 % interval (Wilson), and the share that even play would win."""

    games: int
    won: float
    low: float
    high: float
    parity: float


def standing(shares: Iterable[Share]) -> Standing:
    """Return the share of wins over all these games together."""
    found = list(shares)
    games = sum(one.games for one in found)
    won = sum(one.games * one.won for one in found) / games
    parity = sum(one.games * one.parity for one in found) / games
    return Standing(games, won, *wilson(won, games), parity)


class Latest:
    """Keeps the latest games against each anchor."""

    def __init__(self) -> None:
        self.shares: dict[str, deque[Share]] = {}

    def add(self, row: Row) -> None:
        """Add the games of a row, and drop older games that are no longer needed."""
        for name, share in row.shares.items():
            kept = self.shares.setdefault(name, deque())
            kept.append(share)
            while sum(one.games for one in kept) - kept[0].games >= GAMES:
                kept.popleft()

    def standings(self) -> dict[str, Standing]:
        """Return the share of wins against each anchor."""
        return {name: standing(kept) for name, kept in self.shares.items()}


def followed(rows: Iterable[Row], latest: Latest, title: str, samples: float, seconds: float) -> Iterator[Row]:
    """Yield rows as they come, and show each one on the terminal, if there is one."""
    console = Console(stderr=True)
    if not console.is_terminal:
        for row in rows:
            latest.add(row)
            yield row
        return
    with Live(Text(f"{title}: the first games ..."), console=console, transient=True, auto_refresh=False) as live:
        for row in rows:
            latest.add(row)
            live.update(picture(row, latest, title, samples, seconds), refresh=True)
            yield row


def picture(row: Row, latest: Latest, title: str, samples: float, seconds: float) -> Group:
    """Return the live view, from a row and the latest games."""
    done = max(row.samples / samples, row.seconds / seconds)
    left = row.seconds * (1 / done - 1) if done else math.inf
    filled = round(COLUMNS * min(1.0, done))
    bar = Text("━" * filled, "green") + Text("━" * (COLUMNS - filled), "dim")
    head = f"{title}  {row.samples:,} samples  {row.rate:,.0f}/s  {clock(row.seconds)} done, {clock(left)} left"
    facts = f"entropy {row.entropy:.3f}  KL {row.kl:.4f}"
    table = Table(*(Column(heading, overflow="fold") for heading in ("against", "games", "win share", "95 %", "even")), box=None)
    for name, one in latest.standings().items():
        table.add_row(name, f"{one.games:,}", f"{one.won:.1%}", f"{one.low:.1%} to {one.high:.1%}", f"{one.parity:.1%}")
    return Group(Text(head), bar, Text(facts), table)


def clock(seconds: float) -> str:
    """Return seconds as hours, minutes and seconds, such as 1:02:03."""
    if not math.isfinite(seconds):
        return "?"
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
