"""The state of one table of Kegs, and the rules it is played by, as records."""

from typing import Annotated, Any

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Numbers
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, i1, i2, record
from alehouse.envs.core.run.question_stack import Stack
from alehouse.skeleton.kegs.layout import ACTIONS, KINDS, SEATS

NOTHING = -1


class Seat:
    """One brewer."""

    hand: i2  # set of bid cards; card k has number k + 1
    bid: i1  # the card chosen in this round, NOTHING before that
    favourite: i1  # a kind of keg; the seat's secret
    tips: i1
    kegs: Annotated[Array, "i1", KINDS]  # kegs won, by kind


class State(Header):
    """A table."""

    played: i1  # rounds played
    cursor: i1  # seats that have chosen in this round
    keg: i1  # the kind turned up
    spilled: i1
    deck: Annotated[Array, "i1", KINDS]  # kegs in the deck, by kind; their order is unknown
    stack: Annotated[Stack, Stack]
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Every number of a variant."""

    rounds: i1
    favourite: i1
    tips: i1  # whether the module is played
    tip: i1
    value: Annotated[Array, "i1", KINDS]
    copies: Annotated[Array, "i1", KINDS]


STATE, RULES = record(State), record(Rules)


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the rules of a variant into a record, and check numbers that only fail together."""
    R.seats = v.seats
    R.rounds = numbers.number("game.rounds")
    R.favourite = numbers.number("game.favourite")
    R.tips = "tips" in v.modules
    R.tip = numbers.number("tips.amount") * R.tips
    R.value[:] = numbers.column("kegs", "value")
    R.copies[:] = numbers.column("kegs", "copies")
    if R.copies.sum() < R.rounds:
        raise ValueError(f"variant '{v}': {R.copies.sum()} kegs for {R.rounds} rounds; raise kegs.*.copies or lower game.rounds")
