"""The payoff table: what each agent got in each seat of each line-up. Shares, ratings and all other figures follow from it."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from alehouse.benchmarks.arena.play import NOBODY, Games
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.standings import win_shares

if TYPE_CHECKING:
    import polars


def every_game(games: Games, names: Sequence[str]) -> "polars.DataFrame":
    """Return a row for each seat of each game."""
    import polars

    count, seats = games.seating.shape
    turn = np.arange(count) % games.rotations
    forfeited = games.offender[:, None] == np.arange(seats)
    return polars.DataFrame(
        {
            "block": np.repeat(games.block, seats),
            "rotation": np.repeat(turn, seats),
            "seed": np.repeat(games.seeds, seats),
            "seat": np.tile(np.arange(seats, dtype=np.int8), count),
            "place": games.seating.ravel(),
            "agent": [names[number] for number in games.seating.ravel().tolist()],
            "share": win_shares(games.utility).ravel(),
            "utility": games.utility.ravel(),
            "score": games.scores.ravel(),
            "decisions": games.decisions.ravel(),
            "forfeited": forfeited.ravel(),
            "finished": np.repeat(games.offender == NOBODY, seats),
        }
    )


def payoff(rows: "polars.DataFrame") -> "polars.DataFrame":
    """Return a row for each seat of each line-up, with means over its games; mean scores leave out forfeited games."""
    import polars

    game = ["block", "rotation"]
    lines = rows.sort("seat").group_by(game).agg(polars.col("agent").str.join(" | ").alias("line_up"), polars.col("place").alias("places"))
    keys = ["line_up", "places", "seat", "agent"]
    return (
        rows.join(lines, on=game)
        .group_by(keys)
        .agg(
            games=polars.len(),
            share=polars.col("share").mean(),
            utility=polars.col("utility").mean(),
            score=polars.col("score").filter(polars.col("finished")).mean(),
            forfeits=polars.col("forfeited").sum(),
        )
        .sort("places", "seat")
        .drop("places")
    )


def write(folder: Path, games: Games, names: Sequence[str]) -> list[dict[str, Any]]:
    """Write every game as Parquet, and the payoff table as Parquet and JSON; return its rows."""
    rows = every_game(games, names)
    table = payoff(rows)
    for name, frame in (("games", rows), ("payoff", table)):
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        write_atomically(folder / f"{name}.parquet", buffer.getvalue())
    found = table.to_dicts()
    write_atomically(folder / "payoff.json", (json.dumps(found, indent=2) + "\n").encode())
    return found
