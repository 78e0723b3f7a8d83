"""A long-term league: ratings by openskill in a file, updated by each run."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from alehouse.benchmarks.arena.play import Games
from alehouse.envs.core.run.files import DAMAGE, parsed, read_text, write_atomically

FORMAT = "alehouse-league-1"


def read(path: Path, variant: str) -> dict[str, Any]:
    """Read the league of a variant from a file, or return a new league if there is no file."""
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")
    if not path.exists():
        return {"format": FORMAT, "variant": variant, "ratings": {}, "runs": {}}
    try:
        league = parsed(read_text(path))
        if league["format"] != FORMAT:
            raise ValueError(f"not a file of format {FORMAT}")
        for row in league["ratings"].values():
            if not all(map(math.isfinite, (row["mu"], row["sigma"], row["games"]))):
                raise ValueError("it holds numbers that are not finite")
        counted = {name: int(blocks) for name, blocks in league["runs"].items()}
    except DAMAGE as error:
        raise ValueError(f"{path}: not a league: {error}") from None
    if league["variant"] != variant:
        raise ValueError(f"{path}: a league of {league['variant']}, not of {variant}")
    return {**league, "runs": counted}


def entered(league: dict[str, Any], run: str, games: Games, names: Sequence[str]) -> dict[str, Any]:
    """Return the league after the games of a run; blocks that were entered before do not count again."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    table = {name: model.rating(mu=row["mu"], sigma=row["sigma"], name=name) for name, row in league["ratings"].items()}
    played = {name: row["games"] for name, row in league["ratings"].items()}
    for name in names:
        table.setdefault(name, model.rating(name=name))
        played.setdefault(name, 0)
    for g in np.flatnonzero(games.block >= league["runs"].get(run, 0)):
        ranks = mean_ranks(games.seating[g], games.utility[g], names)
        if len(ranks) > 1:
            rated = model.rate([[table[name]] for name in ranks], ranks=list(ranks.values()))
            table |= {name: team[0] for name, team in zip(ranks, rated, strict=True)}
        played |= {name: played[name] + 1 for name in ranks}
    rows = {name: {"mu": one.mu, "sigma": one.sigma, "games": played[name]} for name, one in table.items()}
    blocks = max(league["runs"].get(run, 0), int(games.block[-1]) + 1)
    return {**league, "ratings": rows, "runs": {**league["runs"], run: blocks}}


def mean_ranks(seating: Any, utility: Any, names: Sequence[str]) -> dict[str, float]:
    """Return the rank of each name in a game, 0 being first; a name with several seats gets the mean of their ranks."""
    ranks: dict[str, list[float]] = {}
    for number, worth in zip(seating.tolist(), utility.tolist(), strict=True):
        above = float((utility > worth).sum())
        ranks.setdefault(names[number], []).append(above + (float((utility == worth).sum()) - 1) / 2)
    return {name: sum(found) / len(found) for name, found in ranks.items()}


def write(path: Path, league: dict[str, Any]) -> None:
    """Write a league to its file."""
    write_atomically(path, (json.dumps(league, indent=2) + "\n").encode())
