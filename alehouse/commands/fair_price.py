"""`alehouse balance --fair-price ITEM`: the value of a number at which an item is worth what the others of its kind are."""

import sys
from collections.abc import Sequence

from alehouse.agents import Agent
from alehouse.commands import show
from alehouse.envs.core.declare.game import Game, Variant

GAMES = 20_000  # for each value tried


def fair_price(
    spec: Game,
    cells: Sequence[Variant],
    team: Sequence[Agent],
    item: str,
    number: str | None,
    games: int | None,
    seed: int,
    threads: int,
    json: bool,
) -> int:
    """Find it for the first agent, in the cell with most modules at the game's own number of seats, and print it."""
    from alehouse.benchmarks.balance import swaps
    from alehouse.benchmarks.balance.play import quick_agents

    key = number or swaps.price_of(spec, item)
    some = [v for v in cells if v.seats == spec.default_seats] or cells
    v = max(some, key=lambda v: (len(v.modules), len(v.overrides)))
    each = games or GAMES
    print(f"{team[0].name} in {v}: {each:,} games for each value of {key}.", file=sys.stderr)
    found = swaps.fair_price(v, item, key, quick_agents(team[:1], spec)[0], seed, each, threads)
    rows = [(found.printed, found.worth_printed), (found.value, found.worth)]
    if json:
        worths = [{"value": value, "score": one.score, "low": one.score_low, "high": one.score_high} for value, one in rows]
        show.write_json({"item": item, "number": key, "printed": found.printed, "fair": found.value, "worths": worths})
        return 0
    even = found.worth.score_low <= 0 <= found.worth.score_high
    nearest = "it is worth what the others are" if even else "it comes nearest to what the others are worth, and not to it"
    print(f"{item}: {key} is {found.printed}; at {found.value} {nearest}.")
    headings = ("value", "worth beyond the others, points of score", "low", "high")
    show.write_table(headings, [(str(value), one.score, one.score_low, one.score_high) for value, one in dict(rows).items()])
    return 0
