"""What looks like a gap in the rules: games that run to their bound, long stretches without a choice, wins shared, decks that run out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.benchmarks.balance.kernels import watched_games as watch
from alehouse.benchmarks.balance.play import Played
from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.standings import win_shares


@dataclass(frozen=True)
class Gap:
    """Something met in a cell."""

    variant: str
    longest: int  # decisions of the longest game
    bound: int  # decisions a game can have at most
    forced: int  # decisions in a row without a choice, at most
    shared: float  # part of the games with more than one winner
    ran_out: str  # in how many games, by supply


def gaps(played: Played, cells: Sequence[Variant]) -> list[Gap]:
    """What was met in each cell."""
    found = []
    for c, v in enumerate(cells):
        seen = played.seen[:, c]
        shared = (win_shares(played.utility[:, c, : v.seats]) > 0).sum(axis=1) > 1
        longest, forced = int(seen[:, watch.DECISIONS].max()), int(seen[:, watch.FORCED].max())
        found.append(Gap(str(v), longest, v.bound, forced, float(np.mean(shared)), told(ran_out(seen, v.spec))))
    return found


def ran_out(seen: npt.NDArray[Any], game: Game) -> dict[str, float]:
    """In what part of some games each supply ran out, those that never did aside."""
    parts = {name: float(np.mean((seen[..., watch.RAN_OUT] >> k) & 1)) for k, name in enumerate(game.supplies.names)}
    return {name: part for name, part in parts.items() if part > 0}


def told(parts: dict[str, float]) -> str:
    """Supplies in words, those that run out most often first."""
    return ", ".join(f"{name} {part:.1%}" for name, part in sorted(parts.items(), key=lambda item: -item[1]))


def unmet(tallies: Sequence[npt.NDArray[np.float64]], cells: Sequence[Variant]) -> list[str]:
    """Actions that name something and were never open, those of modules that were in no cell aside."""
    game = cells[0].spec
    present = {name for v in cells for name in v.modules}
    of = [{kind for m in game.modules if (m.name in present) == there for kind in m.actions} for there in (True, False)]
    absent = of[1] - of[0]
    met = np.sum([tally[watch.OFFERED] for tally in tallies], axis=0) > 0
    return [
        name
        for a, name in enumerate(game.ACTIONS.names)
        if ":" in name and not met[a] and name not in absent and game.ACTIONS.segment(a)[0] not in absent
    ]
