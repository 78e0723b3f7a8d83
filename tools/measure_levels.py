"""Measure how strong each level of a game is, and write the ratings into alehouse/levels.toml.

    python tools/measure_levels.py tiefenthal bloody_inn --blocks 200

Each level plays in one seat against heuristics in all others, by `alehouse arena`, whose runs can be stopped and go on.
"""

import argparse
import contextlib
import io
import json
import tomllib
from typing import Any

from alehouse.commands.arena import arena
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.games import game
from alehouse.levels import FILE, level, levels

YARDSTICK = "heuristic"


def measure(name: str, number: int, blocks: int, seed: int) -> dict[str, Any]:
    """Return the row of a level with its rating."""
    agent, said = level(str(number), game(name)).agent, io.StringIO()
    if agent == YARDSTICK:
        return {"agent": agent, "rating": 0}
    with contextlib.redirect_stdout(said):
        if arena(name, f"{agent},{YARDSTICK}", blocks=blocks, seed=seed, json=True):
            raise SystemExit(f"level {number} of {name}: the arena was stopped; the same command goes on")
    rated, other = json.loads(said.getvalue())["ratings"]["agents"]
    ahead = {key: rated[key] - other[end] for key, end in (("rating", "rating"), ("low", "high"), ("high", "low"))}
    return {"agent": agent} | {key: round(points) for key, points in ahead.items()}


def text_of(sections: dict[str, Any]) -> str:
    """Return the text of levels.toml, with the comment above its first section as it stands."""
    lines = [FILE.read_text(encoding="utf-8").partition("\n[")[0].rstrip()]
    for name, section in sections.items():
        lines += ["", f"[{name}]" + ("  # games without a section of their own" if name == "default" else "")]
        lines += [f"measured = {json.dumps(section['measured'])}"] if "measured" in section else []
        lines += ["levels = ["]
        lines += ["  {" + ", ".join(f"{key} = {json.dumps(value)}" for key, value in row.items()) + "}," for row in section["levels"]]
        lines += ["]"]
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure the levels of the games that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--blocks", type=int, default=200, help="blocks of the arena for each level (default: 200)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for name in given.games:
        rows = [measure(name, one.number, given.blocks, given.seed) for one in levels(game(name))]
        sections = tomllib.loads(FILE.read_text(encoding="utf-8"))
        how = f"one seat among heuristics, {game(name).variant()}, {given.blocks} blocks, seed {given.seed}"
        sections[name] = {"measured": how, "levels": rows}
        write_atomically(FILE, text_of(sections).encode())


if __name__ == "__main__":
    main()
