"""Items that can be compared by experiment, and supplies that can run out: what a balance study asks of a game."""

from collections.abc import Callable
from typing import Any, NamedTuple

from alehouse.envs.core.run.jit import jit


class Family(NamedTuple):
    """Items of one kind, which are compared with each other where one question is asked.

    Items with a `segment` are chosen: of two that are open, one game takes the first and another game the second. Items without a
    segment are swapped where they lie, by the kernels of `Offers`.
    """

    title: str
    items: tuple[str, ...]
    question: str
    price: str = ""  # key of the number that an item costs or brings, {} standing for the item; "" where there is none
    segment: str = ""  # of the actions that choose an item

    @property
    def names(self) -> list[str]:
        """The items as reports and commands name them."""
        return [f"{self.segment}:{item}" if self.segment else item for item in self.items]


@jit
def nowhere(s, family, *more):
    """Return -1: there is no item to swap."""
    return -1


class Offers(NamedTuple):
    """The families of a game, and four kernels for those whose items are swapped; `family` is the number of one of them.

    offered(s, family, key) -> where            a random item that the seat asked may take or use: the place where it lies, or -1
    lying(s, family, where) -> item             the item that lies at a place
    exchange(s, R, family, where, key) -> item  put a random item nobody has seen there, and the old one where that came from; -1 for none
    takes(s, family, where, a) -> bool          whether an action takes or uses what lies at the place, or begins to
    """

    families: tuple[Family, ...] = ()
    offered: Callable[..., int] = nowhere
    lying: Callable[..., int] = nowhere
    exchange: Callable[..., int] = nowhere
    takes: Callable[..., bool] = nowhere


@jit
def empty(s):
    """Return the empty set."""
    return 0


class Supplies(NamedTuple):
    """Decks and stocks that can run out."""

    names: tuple[str, ...] = ()
    held: Callable[[Any], int] = empty  # kernel (s): the set of those that hold something


NO_OFFERS, NO_SUPPLIES = Offers(), Supplies()
