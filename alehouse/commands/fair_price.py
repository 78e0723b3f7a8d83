"""`alehouse balance --fair-price ITEM`: find the price at which an item is worth as much as the others of its kind."""

import sys
from collections.abc import Sequence

from alehouse.agents import Agent
from alehouse.commands import show
from alehouse.envs.core.declare.game import Game, Variant

GAMES = 20_000  # by default, how many games are played for each value tried


def print_fair_price(
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
    """Find and print the price, with the first agent, in the cell with most modules and the usual number of players."""
    from alehouse.benchmarks.balance.fair_price import fair_price
    from alehouse.benchmarks.balance.item_worth import price_of
    from alehouse.benchmarks.balance.play import instant_agents

    key = number or price_of(spec, item)
    some = [v for v in cells if v.seats == spec.default_seats] or cells
    v = max(some, key=lambda v: (len(v.modules), len(v.overrides)))
    each = games or GAMES
    print(f"{team[0].name} in {v}: {each:,} games for each value of {key}.", file=sys.stderr)
    found = fair_price(v, item, key, instant_agents(team[:1], spec)[0], seed, each, threads)
    rows = [(found.printed, found.worth_printed), (found.value, found.worth)]
    if json:
        worths = [{"value": value, "score": one.score, "low": one.score_low, "high": one.score_high} for value, one in rows]
        show.write_json({"item": item, "number": key, "printed": found.printed, "fair": found.value, "worths": worths})
        return 0
    even = found.worth.score_low <= 0 <= found.worth.score_high
    nearest = "it is worth as much as the others" if even else "its worth is nearest to the others', but not equal"
    print(f"{item}: {key} is {found.printed}; at {found.value} {nearest}.")
    headings = ("value", "worth beyond the others, points of score", "low", "high")
    show.write_table(headings, [(str(value), one.score, one.score_low, one.score_high) for value, one in dict(rows).items()])
    return 0
