"""`alehouse check`: the contract of a game, on every variant."""

from typing import Annotated

import typer

from alehouse.commands import show
from alehouse.envs.core.verify.check import check_game
from alehouse.envs.games import game, variant, variants

Games = Annotated[int, typer.Option(min=1, help="Games of each variant.")]
Chosen = Annotated[list[str] | None, typer.Option("--variant", metavar="ID", help="Only this variant; may be repeated.")]


def check(
    name: show.GameName,
    games: Games = 20,
    chosen: Chosen = None,
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """Check masks, refusals, conservation, scores, luck, hidden facts and more on every variant of a game."""
    spec = game(name)
    played = [variant(text) for text in chosen] if chosen else variants(name)
    for v in played:
        if v.spec is not spec:
            raise ValueError(f"variant '{v}': not a variant of {name}")
    show.compiled(played)
    found, cut = show.collect(check_game(name, games, seed, played), len(played), f"checking {name}")
    failed = any(failures for _, _, failures in found)
    if json:
        rows = [{"variant": str(v), "games": n, "failures": failures} for v, n, failures in found]
        show.write_json({"game": name, "variants": rows})
    else:
        for v, n, failures in found:
            print(f"{v}: {n} games, {'fine' if not failures else f'{len(failures)} failures'}")
            for failure in failures:
                print(f"    {failure}")
        print(f"{len(found)} of {len(played)} variants checked, {sum(bool(f) for _, _, f in found)} failed")
    return show.status(cut, failed)
