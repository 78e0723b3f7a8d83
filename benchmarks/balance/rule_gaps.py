"""Signs of a gap in the rules: endless games, long stretches without a choice, shared wins, supplies that run out."""

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
    """The signs that were seen in one cell."""

    variant: str
    longest: int  # number of decisions in the longest game
    bound: int  # the most decisions that a game can have
    forced: int  # the most decisions in a row without a choice
    shared: float  # share of the games with more than one winner
    ran_out: str  # supplies that ran out, each with its share of the games


def gaps(played: Played, cells: Sequence[Variant]) -> list[Gap]:
    """Return the signs seen in each cell."""
    found = []
    for c, v in enumerate(cells):
        seen = played.seen[:, c]
        shared = (win_shares(played.utility[:, c, : v.seats]) > 0).sum(axis=1) > 1
        longest, forced = int(seen[:, watch.DECISIONS].max()), int(seen[:, watch.FORCED].max())
        found.append(Gap(str(v), longest, v.bound, forced, float(np.mean(shared)), in_words(ran_out(seen, v.spec))))
    return found


def ran_out(seen: npt.NDArray[Any], game: Game) -> dict[str, float]:
    """Return for each supply that ever ran out the share of games in which it did."""
    parts = {name: float(np.mean((seen[..., watch.RAN_OUT] >> k) & 1)) for k, name in enumerate(game.supplies.names)}
    return {name: part for name, part in parts.items() if part > 0}


def in_words(parts: dict[str, float]) -> str:
    """Return the supplies as a list in words, the most frequent first."""
    return ", ".join(f"{name} {part:.1%}" for name, part in sorted(parts.items(), key=lambda item: -item[1]))


def never_open(tallies: Sequence[npt.NDArray[np.float64]], cells: Sequence[Variant]) -> list[str]:
    """Return the named actions that no seat could ever take, leaving out those of modules that no cell has."""
    game = cells[0].spec
    present = {name for v in cells for name in v.modules}
    kinds = [{kind for m in game.modules if (m.name in present) == there for kind in m.actions} for there in (True, False)]
    absent = kinds[1] - kinds[0]
    met = np.sum([tally[watch.OFFERED] for tally in tallies], axis=0) > 0
    return [
        name
        for a, name in enumerate(game.ACTIONS.names)
        if ":" in name and not met[a] and name not in absent and game.ACTIONS.segment(a)[0] not in absent
    ]
