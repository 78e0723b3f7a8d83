"""Measure how strong each level of a game is, and write the ratings into alehouse/levels.toml.

    python tools/measure_levels.py tiefenthal bloody_inn --blocks 50 --seats 2,4 --levels 1,2,3,4

Each level plays in one seat against heuristics in all others, by `alehouse arena`, whose runs can be stopped and go on. Ratings of other
levels and numbers of players stay as they are in the file, as long as the agent of the level does.
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
from alehouse.levels import FILE, LEVELS, levels

YARDSTICK = "heuristic"


def measure(variant: str, agent: str, blocks: int, seed: int) -> list[int]:
    """Return the rating of an agent, and the ends of its interval."""
    said = io.StringIO()
    if agent == YARDSTICK:
        return [0, 0, 0]
    with contextlib.redirect_stdout(said):
        if arena(variant, f"{agent},{YARDSTICK}", blocks=blocks, seed=seed, json=True):
            raise SystemExit(f"{agent} in {variant}: the arena was stopped; the same command goes on")
    rated, other = json.loads(said.getvalue())["ratings"]["agents"]
    return [round(rated[key] - other[end]) for key, end in (("rating", "rating"), ("low", "high"), ("high", "low"))]


def text_of(sections: dict[str, Any]) -> str:
    """Return the text of levels.toml, with the comment above its first section as it stands."""
    lines = [FILE.read_text(encoding="utf-8").partition("\n[")[0].rstrip()]
    for name, section in sections.items():
        lines += ["", f"[{name}]" + ("  # games without a section of their own" if name == "default" else "")]
        lines += [f"measured = {json.dumps(section['measured'])}"] if "measured" in section else []
        lines += ["levels = ["]
        lines += ["  {" + ", ".join(f"{key} = {inline(value)}" for key, value in row.items()) + "}," for row in section["levels"]]
        lines += ["]"]
    return "\n".join([*lines, ""])


def inline(value: Any) -> str:
    """Return a value as TOML within one line."""
    return "{" + ", ".join(f"{key} = {json.dumps(x)}" for key, x in value.items()) + "}" if isinstance(value, dict) else json.dumps(value)


def main() -> None:
    """Measure the levels of the games that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--blocks", type=int, default=50, help="blocks of the arena for each level and number of players (default: 50)")
    parser.add_argument("--seats", help="numbers of players, joined by commas (default: the usual number)")
    parser.add_argument("--levels", default=",".join(map(str, range(1, LEVELS + 1))), help="numbers of levels (default: all)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for name in given.games:
        spec = game(name)
        for seats in (given.seats or str(spec.default_seats)).split(","):
            for number in map(int, given.levels.split(",")):
                rating = measure(str(spec.variant(seats=int(seats))), levels(spec)[number - 1].agent, given.blocks, given.seed)
                sections = tomllib.loads(FILE.read_text(encoding="utf-8"))
                row = sections[name]["levels"][number - 1]
                row["ratings"] = dict(sorted((row.get("ratings", {}) | {seats: rating}).items()))
                sections[name]["measured"] = "one seat among heuristics, without modules"
                write_atomically(FILE, text_of(sections).encode())


if __name__ == "__main__":
    main()
