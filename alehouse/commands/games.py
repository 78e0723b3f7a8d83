"""`alehouse games`: list the games that can be played."""

from typing import Annotated, Any

import typer

from alehouse.commands import show
from alehouse.envs.games import REFERENCE, game, playable, variants


def games(
    reference: Annotated[bool, typer.Option("--reference", help="List the small reference games too.")] = False,
    json: show.Json = False,
) -> int:
    """List the games with their seats, modules, variants, actions and size of the observation."""
    found = [row(name) for name in (*playable(), *(REFERENCE if reference else ()))]
    if json:
        show.write_json({"games": found})
        return 0
    columns = ("game", "title", "seats", "modules", "variants", "actions", "observation")
    cells = [
        {**one, "seats": f"{one['seats'][0]}-{one['seats'][-1]}", "modules": ", ".join(m["name"] for m in one["modules"])} for one in found
    ]
    show.write_table(columns, [[one[column] for column in columns] for one in cells])
    return 0


def row(name: str) -> dict[str, Any]:
    """Return one row of the list: a game's seats, modules, variants, actions and size of the observation."""
    spec = game(name)
    return {
        "game": name,
        "title": spec.title,
        "seats": list(spec.seats),
        "modules": [{"name": m.name, "title": m.title, "requires": m.requires} for m in spec.modules],
        "lengths": [length for length in spec.lengths if length],
        "variants": len(variants(name)),
        "actions": len(spec.ACTIONS),
        "observation": spec.FEATURES.size,
    }
