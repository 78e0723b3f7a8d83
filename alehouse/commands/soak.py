"""`alehouse soak`: run long jobs while faults are injected, and count what is lost."""

from collections.abc import Sequence
from typing import Annotated

import typer

from alehouse.commands import show
from alehouse.envs.games import game

Minutes = Annotated[float, typer.Option(min=0.01, help="How long to go on.")]
Names = Annotated[str, typer.Option("--games", metavar="A,B", help="The games whose decisions are played over and over.")]
Only = Annotated[str, typer.Option(metavar="A,B", help="Which of arena, balance, train, play, files and decisions (default: all in turn).")]


def soak(
    minutes: Minutes = 1.0,
    names: Names = "connect_four,kuhn_poker",
    only: Only = "",
    seed: show.Seed = 0,
    json: show.Json = False,
) -> int:
    """Kill, starve and tear train, arena, balance and play, damage files, play on without end; whatever is lost is a failure."""
    from alehouse import soaking  # forks, which not every system has

    chosen = [name.strip() for name in only.split(",") if name.strip()] or list(soaking.TRIALS)
    for name in chosen:
        if name not in soaking.TRIALS:
            raise ValueError(f"--only {name}: one of {', '.join(soaking.TRIALS)}")
    tally = soaking.Tally()
    cut = show.follow(soaking.soaked(chosen, [game(name.strip()).variant() for name in names.split(",")], minutes, seed, tally), "soaking")
    if json:
        show.write_json(tally.figures() | {"failures": tally.failures})
    else:
        write(tally.figures(), tally.failures)
    return show.status(cut, bool(tally.failures))


def write(figures: dict[str, int], failures: Sequence[str]) -> None:
    """Print the counts, and what was lost."""
    show.write_table(("what", "how often"), list(figures.items()))
    for failure in failures:
        print(f"lost: {failure}")
    print(f"{len(failures)} things lost" if failures else "nothing lost")
