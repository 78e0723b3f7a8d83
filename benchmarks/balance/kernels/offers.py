"""Which games have items that can be exchanged, and the hooks of each.

FAMILIES: what is compared, each family within itself, in two ways.

    On offer: an item that lies there, or in the hand, is swapped with one nobody has seen.
        offered(s, family, key) -> where            one of those the seat to move is offered, or -1 where it is asked something else
        lying(s, family, where) -> item             what lies there
        exchange(s, R, family, where, key) -> item  another item put there, the old one where that came from; -1 where there is none
        takes(s, family, where, a) -> bool          whether an action takes what lies there, or begins to
    Chosen: of two that are open to the seat to move at a question, one is taken, or the other, each at its own cost. That needs no hooks.
"""

import functools
import importlib
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import REDEALS, below
from alehouse.envs.core.run.question_stack import top

WITH_OFFERS = ("bloody_inn", "taverns_dragons", "tavern_battle", "tiefenthal")
WHERE, OTHER = 1, 2  # rounds of this luck
ON_OFFER = -1  # instead of a question
kernel = functools.partial(jit, home=Path(__file__).parent)


class Family(NamedTuple):
    """Items that are compared with each other."""

    title: str
    items: tuple[str, ...]
    price: str = ""  # the number that an item costs or brings, {} for its name; "" where there is none
    segment: str = ""  # of the actions that choose them
    question: int = ON_OFFER  # at which they are chosen

    @property
    def names(self) -> list[str]:
        """The items as they are reported."""
        return [f"{self.segment}:{item}" if self.segment else item for item in self.items]


def offers(game: Game) -> ModuleType | None:
    """The hooks of a game, if it has any."""
    return importlib.import_module(f"{__name__}_{game.name}") if game.name in WITH_OFFERS else None


@kernel
def chosen(s, question, start, size, key):
    """One of the actions from `start` on, each as likely, where the question is asked and two at least are open; else -1."""
    if top(s).what != question:
        return -1
    return any_open(s.can, start, size, -1, below_open(s.can, start, size, -1, 1, key, WHERE))


@kernel
def instead(s, start, size, a, key):
    """Another of those actions."""
    return any_open(s.can, start, size, a, below_open(s.can, start, size, a, 0, key, OTHER))


@kernel
def below_open(can, start, size, but, more, key, round):
    """A number below that of the open actions, or -1 where there are no more than `more`."""
    n = 0
    for a in range(start, start + size):
        n += int(a != but and bits.has(can, a))
    return below(key, REDEALS, round, 0, 0, n) if n > more else -1


@kernel
def any_open(can, start, size, but, k):
    """The k-th of the open actions, -1 for none."""
    for a in range(start, start + size):
        if k >= 0 and a != but and bits.has(can, a):
            if k == 0:
                return a
            k -= 1
    return -1


@kernel
def any_of(counts, but, key, round):
    """One of the cards counted by kind, each as likely: its kind, not `but`; -1 where there is none."""
    n = 0
    for kind in range(counts.size):
        n += int(counts[kind]) if kind != but else 0
    if n == 0:
        return -1
    k = below(key, REDEALS, round, 0, 0, n)
    for kind in range(counts.size):
        if kind != but:
            if k < counts[kind]:
                return kind
            k -= int(counts[kind])
    return -1


@kernel
def any_member(members, key, round):
    """One of a small set, each as likely, or -1."""
    n = bits.popcount(members)
    return bits.member(members, below(key, REDEALS, round, 0, 0, n)) if n > 0 else -1
