"""Writes the tables of docs/agents.md from the headers of the files that come with the package: `make docs` runs it."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from alehouse.agents import network_file, value
from alehouse.agents.network_file import tensors_of
from alehouse.envs.core.declare.game import as_variant
from alehouse.envs.games import GAMES, game

NETWORKS = (
    "game",
    "file",
    "width",
    "trust, reach",
    "made in",
    "wins, 4 players, no modules",
    "variants measured",
    "of them above even play",
)
VALUES = ("game", "file", "learnt from", "log loss (estimate)", "explained (estimate)", "wins by it, 4 players, no modules")
Row = tuple[str, ...]


def header_of(path: Path) -> tuple[dict[str, str], Mapping[str, Any]]:
    """Return the entries of a file's header, and its tensors."""
    return tensors_of(path.read_bytes())


def networks() -> Iterator[Row]:
    """Return a row for each network that comes with the package."""
    for name in GAMES:
        path = network_file.SHIPPED / f"{name}.safetensors"
        if path.is_file():
            words, tensors = header_of(path)
            figures = {text: row for text, row in json.loads(words["results"]).items() if isinstance(row, dict) and "won" in row}
            usual = str(game(name).variant())
            above = sum(row["won"] - row["half"] > 1 / as_variant(text).seats for text, row in figures.items())
            weights = f"{float(tensors['trust'][0]):.2g}, {float(tensors['reach'][0]):.2g}"
            yield (
                game(name).title, size(path), str(len(tensors["first_bias"])), weights, effort(words["command"]),
                won(usual, figures[usual]) if usual in figures else "not measured", str(len(figures)), str(above),
            )  # fmt: skip


def values() -> Iterator[Row]:
    """Return a row for each value that comes with the package."""
    for name in GAMES:
        path = value.SHIPPED / f"{name}.safetensors"
        if path.is_file():
            words, _ = header_of(path)
            [whole] = [row for row in value.quality(words) if row["variant"] == str(game(name).variant()) and row["round"] is None]
            mine, other = whole["value"], whole["estimate"]
            played = "; ".join(f"`{row['agent']}` {won(row['variant'], row)}" for row in json.loads(words.get("played", "[]")))
            yield (
                game(name).title, size(path), f"{int(words['games']):,} games",
                f"{mine['log_loss']:.3f} ({other['log_loss']:.3f})", f"{mine['explained']:.1%} ({other['explained']:.1%})", played,
            )  # fmt: skip


def size(path: Path) -> str:
    """Return the size of a file."""
    return f"{path.stat().st_size / 1000:.0f} kB"


def effort(command: str) -> str:
    """Return how many commands made a file, and how many decisions or minutes of training they ask for."""
    parts, samples, minutes = command.split("; "), re.findall(r"--samples (\d+)", command), re.findall(r"--minutes ([\d.]+)", command)
    asked = f"{sum(map(int, samples)):,} decisions" if samples else f"{sum(map(float, minutes)):g} minutes" if minutes else ""
    return ", ".join(filter(None, (f"{len(parts)} command{'s' * (len(parts) > 1)}", asked)))


def won(variant: str, row: Mapping[str, Any]) -> str:
    """Return a share of wins with its interval, and say so if it was measured by other rules than those of now."""
    earlier = "" if row["rules"] == as_variant(variant).rules_digest else " (by earlier rules)"
    return f"{row['won']:.1%} ± {row['half']:.1%} of {row['games']:,}{earlier}"
