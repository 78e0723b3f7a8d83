"""The records of Kegs: the state of one table, and the rules that it is played by."""

from typing import Annotated, Any

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.numbers import Numbers, first_fault
from alehouse.envs.core.declare.record import Array, Header, RulesHeader, few, i1, i2, none_or, one_of, record, subset, upto
from alehouse.envs.core.run.question_stack import Stack
from alehouse.skeleton.kegs.layout import ACTIONS, CARDS, KINDS, SEATS

NOTHING = -1


class Seat:
    """What one brewer holds."""

    hand: Annotated[i2, subset(CARDS)]  # the set of bid cards in hand; card k has the number k + 1
    bid: Annotated[i1, none_or(CARDS)]  # the card chosen in this round, or NOTHING
    favourite: Annotated[i1, one_of(KINDS)]  # the kind of keg that counts more for this seat; only the seat knows it
    tips: few
    kegs: Annotated[Array, "i1", KINDS, upto(127)]  # number of kegs won, for each kind


class State(Header):
    """The state of one table."""

    played: few  # number of rounds played
    cursor: few  # number of seats that have chosen in this round
    keg: Annotated[i1, none_or(KINDS)]  # the kind of keg that is turned up
    spilled: few
    deck: Annotated[Array, "i1", KINDS, upto(127)]  # number of kegs in the deck, for each kind; their order is not known
    stack: Annotated[Stack, Stack]
    seat: Annotated[list[Seat], Seat, SEATS]
    can: Annotated[Array, "u8", ACTIONS.words]


class Rules(RulesHeader):
    """Every number of the rules in a variant."""

    rounds: i1
    favourite: i1
    tips: i1  # 1 if the module tips is played, else 0
    tip: i1
    value: Annotated[Array, "i1", KINDS]
    copies: Annotated[Array, "i1", KINDS]


STATE, RULES = record(State), record(Rules)


def fill(R: Any, numbers: Numbers, v: Variant) -> None:
    """Write the rules of a variant into records, and check numbers that are wrong only in combination."""
    R.seats = v.seats
    R.rounds = numbers.number("game.rounds")
    R.favourite = numbers.number("game.favourite")
    R.tips = "tips" in v.modules
    R.tip = numbers.number("tips.amount") * R.tips
    R.value[:] = numbers.column("kegs", "value")
    R.copies[:] = numbers.column("kegs", "copies")
    kegs = R.copies.sum(axis=1)
    if (k := first_fault(kegs < R.rounds)) is not None:
        raise ValueError(f"variant '{v}': {kegs[k]} kegs for {R.rounds[k]} rounds; raise kegs.*.copies or lower game.rounds")
