"""`alehouse balance --fair-price ITEM`: find the price at which an item is worth as much as the others of its kind."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from alehouse.agents import Agent
from alehouse.commands import show
from alehouse.envs.core.declare.game import Variant

if TYPE_CHECKING:
    from alehouse.benchmarks.balance.fair_price import Fair

GAMES = 20_000  # by default, how many games are played for each value tried


def print_fair_price(
    v: Variant, team: Sequence[Agent], item: str, number: str | None, games: int | None, seed: int, threads: int, json: bool
) -> int:
    """Find the price in a variant that the first agent plays, and print it."""
    from alehouse.benchmarks.balance.fair_price import fair_price
    from alehouse.benchmarks.balance.item_worth import price_of
    from alehouse.benchmarks.balance.play import instant_agents

    key, each = number or price_of(v.spec, item), games or GAMES
    [agent] = instant_agents(team[:1], v.spec)
    print(f"{agent.name} in {v}: {each:,} games for each value of {key}.", file=sys.stderr)
    found = fair_price(v, item, key, agent, seed, each, threads)
    rows = {found.printed: found.worth_printed, found.value: found.worth}
    if json:
        worths = [{"value": value, "score": one.score, "low": one.score_low, "high": one.score_high} for value, one in rows.items()]
        fair = None if found.open else found.value
        show.write_json({"item": item, "number": key, "printed": found.printed, "fair": fair, "worths": worths})
        return 0
    print(f"{item} in {v}: {key} is {found.printed}{said(found)}.")
    headings = ("value", "worth beyond the others, points of score", "low", "high")
    show.write_table(headings, [(str(value), one.score, one.score_low, one.score_high) for value, one in rows.items()])
    return 0


def said(found: "Fair") -> str:
    """Say what follows from the worths."""
    if found.open:
        return ", and these games do not tell it from a fair one: the interval holds 0"
    even = found.worth.score_low <= 0 <= found.worth.score_high
    return f"; at {found.value} " + ("it is worth as much as the others" if even else "its worth is nearest to the others', but not equal")
