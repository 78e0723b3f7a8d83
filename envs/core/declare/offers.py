"""What a balance study needs to know of a game: items whose worth can be measured by experiment, and supplies that can run out."""

from collections.abc import Callable
from typing import Any, NamedTuple

from alehouse.envs.core.run.jit import jit


class Family(NamedTuple):
    """Items of one kind, such as cards of one deck, that a balance study compares with each other.

    An item with a `segment` is chosen by an action of that segment: where two items are legal, one game takes the first and another game
    the second. Items without a segment are swapped for one another where they lie, by the kernels of `Offers`.
    """

    title: str
    items: tuple[str, ...]
    question: str
    price: str = ""  # key of the number that an item costs or brings, with {} for the item's name; "" if it has no price
    segment: str = ""  # the segment of the actions that choose an item; "" for items that are swapped

    @property
    def names(self) -> list[str]:
        """The names of the items in reports and commands."""
        return [f"{self.segment}:{item}" if self.segment else item for item in self.items]


@jit
def nowhere(s, family, *more):
    """Return -1: there is no item to swap."""
    return -1


class Offers(NamedTuple):
    """The families of items of a game, and four kernels that swap items; their argument `family` is the index of a family.

    offered(s, family, key) -> where            choose at random an item that the seat to move may take or use; return its place, or -1
    lying(s, family, where) -> item             return the item that lies at a place
    exchange(s, R, family, where, key) -> item  swap the item at a place for a random item that nobody has seen, and return that; or -1
    takes(s, family, where, a) -> bool          return whether action a takes or uses the item at a place, or begins to
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
    """Decks and stocks that can run out: their names, and a kernel that tells which are not empty."""

    names: tuple[str, ...] = ()
    held: Callable[[Any], int] = empty  # kernel (s): the set of supplies that are not empty


NO_OFFERS, NO_SUPPLIES = Offers(), Supplies()
