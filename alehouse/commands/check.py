"""`alehouse check`: play every variant of a game and report what breaks the contract."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from alehouse.commands import show, variants
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.jit import KernelError
from alehouse.envs.core.verify.check import check_game, undefined_names
from alehouse.envs.core.verify.watch import PATIENCE, WATCH
from alehouse.envs.games import game

MOST = 100_000  # the most games of a variant, which are all played side by side

Games = Annotated[int, typer.Option(min=1, max=MOST, help="Number of games to play of each variant.")]
Chosen = Annotated[list[str] | None, typer.Option("--variant", metavar="ID", help="Check only this variant; may be repeated.")]
Patience = Annotated[float, typer.Option(min=1, help="Seconds after which a kernel that has not returned is reported as endless.")]
Row = tuple[Variant, int, list[str]]


def check(
    name: show.GameName,
    games: Games = 20,
    chosen: Chosen = None,
    rules: variants.Rules = None,
    seed: show.Seed = 0,
    patience: Patience = PATIENCE,
    json: show.Json = False,
) -> int:
    """Play every variant of a game, and check masks, illegal actions, conservation, scores, luck, hidden facts and more."""
    spec = game(name)
    played = variants.by_rules(variants.named(spec, chosen) if chosen else list(spec.variants()), rules)
    faults, done, cut = undefined_names(spec), list[Row](), False

    def checked() -> Iterator[Row]:
        for row in check_game(spec, games, seed, played):
            done.append(row)
            yield row

    def stuck(place: str) -> None:
        write(name, played, [*done, (played[len(done)], games, [place])], [], json)

    with WATCH.guard(patience, stuck):
        try:
            if not faults:
                WATCH.begin(f"{spec.variant()}, seed 0, first use")
                WATCH.reach("the first position, or decision 0")
                show.compiled(played)
                _, cut = show.collect(checked(), len(played), f"checking {name}")
        except KernelError as error:
            faults = [str(error)]
    write(name, played, done, faults, json)
    return show.status(cut, bool(faults) or any(failures for _, _, failures in done))


def write(name: str, played: Sequence[Variant], done: Sequence[Row], faults: Sequence[str], json: bool) -> None:
    """Print the failures of every variant, and the faults because of which none could be played."""
    if json:
        rows = [{"variant": str(v), "games": n, "failures": failures} for v, n, failures in done]
        show.write_json({"game": name, "faults": [*faults], "variants": rows})
        return
    for fault in faults:
        print(f"{name}: {fault}")
    for v, n, failures in done:
        print(f"{v}: {n} games, {f'{len(failures)} failures' if failures else 'fine'}")
        for failure in failures:
            print(f"    {failure}")
    print(f"{len(done)} of {len(played)} variants checked, {sum(bool(f) for _, _, f in done)} failed")
