"""State and rules as records: an annotated class becomes one packed NumPy dtype."""

from collections.abc import Iterator, Mapping, Sized
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np

i1 = Annotated[int, "i1"]
i2 = Annotated[int, "i2"]
i4 = Annotated[int, "i4"]
i8 = Annotated[int, "i8"]
u8 = Annotated[int, "u8"]
Array = np.ndarray[Any, np.dtype[Any]]


class Range(NamedTuple):
    """The numbers that a field of a state may hold: kernels take them for indexes, counts and sets without looking."""

    low: int
    high: int


class Follows:
    """Marks a number of the rules that follows from others, so that digests of the rules leave it out."""


FOLLOWS = Follows()


def between(low: int, high: int) -> Range:
    """Allow the numbers from one to another."""
    return Range(low, high)


def upto(most: int) -> Range:
    """Allow a count: 0 to `most`."""
    return Range(0, most)


def one_of(things: int | Sized) -> Range:
    """Allow the number of one of these things, or of this many things."""
    return Range(0, (things if isinstance(things, int) else len(things)) - 1)


def none_or(things: int | Sized) -> Range:
    """Allow the number of one of these things, or -1 for none of them."""
    return Range(-1, one_of(things).high)


def subset(things: int | Sized) -> Range:
    """Allow a set of these things, as the bits of a number."""
    return Range(0, (2 << one_of(things).high) - 1)


flag = Annotated[int, "i1", upto(1)]
few = Annotated[int, "i1", upto(127)]  # a count
many = Annotated[int, "i2", upto(32_767)]  # a larger count
NUMBERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")  # the number types that a record or an array may hold


def record(declaration: type) -> np.dtype[Any]:
    """Return the packed dtype of an annotated class, base classes first.

    `gold: many` is a number, `hand: Annotated[Array, "i1", CARDS]` an array, and `seat: Annotated[list[Seat], Seat, SEATS]` nests another
    class. Numbers are signed: in compiled code the difference of two unsigned numbers would wrap around, and a mix of unsigned and signed
    would become a float. The neutral value of a number of the rules is the one that leaves games as they were before the rules had that
    number. It is 0 unless the class gives another: `hand_limit: i1 = 7`. A number that follows from others, and is there only so that
    nothing computes it twice, is marked FOLLOWS.

    Every number of a state has a range: `leader: Annotated[i1, one_of(SEATS)]`, `hand: Annotated[Array, "i1", CARDS, upto(9)]`. States
    from files are checked against the ranges. Only `u8`, for seeds and for words of legal actions, needs none.
    """
    fields: list[Any] = []
    neutral: dict[str, Any] = {}
    ranges: dict[str, Range] = {}
    follow: set[str] = set()
    inherited = {name: base.__name__ for base in declaration.__mro__[1:] for name in getattr(base, "__annotations__", ())}
    for name, hint in get_type_hints(declaration, include_extras=True).items():
        fault = f"{declaration.__name__}.{name}:"
        if len(get_args(hint)) < 2:
            raise TypeError(f"{fault} annotate it with i1, i2, i4, i8 or u8, or as an Annotated array or list")
        if hasattr(np.record, name):
            raise TypeError(f"{fault} NumPy records have a method of that name; choose another")
        if name in inherited and name in declaration.__annotations__:
            raise TypeError(f"{fault} {inherited[name]} has a field of that name; choose another")
        _, kind, *more = get_args(hint)
        shape = [part for part in more if not isinstance(part, (Range, Follows))]
        if not isinstance(kind, type) and str(kind).lstrip("<>") not in NUMBERS:
            raise TypeError(f"{fault} {kind!r} is neither a class nor one of {', '.join(NUMBERS)}")
        if any(not isinstance(size, (int, np.integer)) or size < 1 for size in np.ravel(np.array(shape, object))):
            raise TypeError(f"{fault} its shape is {shape[0]!r}; sizes are whole numbers from 1")
        fields.append((name, record(kind) if isinstance(kind, type) else kind, *shape))
        follow |= {name for part in more if isinstance(part, Follows)}
        for part in more:
            if isinstance(part, Range):
                ranges[name] = part
                if not fits(part, np.dtype(kind)):
                    raise TypeError(f"{fault} {kind} does not hold every number from {part.low} to {part.high}")
        if hasattr(declaration, name):
            neutral[name] = getattr(declaration, name)
    if not fields:
        raise TypeError(f"{declaration.__name__}: it has no fields")
    return np.dtype((np.record, fields), metadata={"neutral": neutral, "ranges": ranges, "follow": dict.fromkeys(follow)})


def fits(allowed: Range, kind: np.dtype[Any]) -> bool:
    """Return whether a kind of number holds every number of a range."""
    return kind.kind == "i" and np.iinfo(kind).min <= allowed.low <= allowed.high <= np.iinfo(kind).max


def declared(kind: np.dtype[Any], what: str) -> Mapping[str, Any]:
    """Return what the class of a record declares of its fields, "neutral" values, "ranges" or which "follow", by name."""
    words: Mapping[str, Any] = kind.metadata or {}
    found: Mapping[str, Any] = words.get(what, {})
    return found


def without_range(kind: np.dtype[Any], before: str = "") -> Iterator[str]:
    """Yield the name of each signed number of a record that has no range."""
    for name in kind.names or ():
        part = kind[name].base
        if part.names:
            yield from without_range(part, f"{before}{name}.")
        elif part.kind != "u" and name not in declared(kind, "ranges"):
            yield before + name


def out_of_range(records: Array, before: str = "") -> Iterator[tuple[int, str]]:
    """Yield for each field of an array of records the first record that holds a number outside the field's range, and what it is."""
    ranges: Mapping[str, Range] = declared(records.dtype, "ranges")
    for name in records.dtype.names or ():
        part = records[name]
        if part.dtype.names:
            yield from out_of_range(part, f"{before}{name}.")
        elif name in ranges and (wrong := np.argwhere((part < ranges[name].low) | (part > ranges[name].high))).size:
            low, high = ranges[name]
            yield int(wrong[0][0]), f"{before}{name} is {part[tuple(wrong[0])]}, which is not in {low} to {high}"


def numbers_of(records: Array, before: str = "") -> Iterator[str]:
    """Yield `name[index]=value` for each number in an array of records that follows from no others and is not at its neutral value."""
    neutral: Mapping[str, Any] = declared(records.dtype, "neutral")
    follow = declared(records.dtype, "follow")
    for name in [name for name in records.dtype.names or () if name not in follow]:
        part = records[name]
        if part.dtype.names:
            yield from numbers_of(part, f"{before}{name}.")
        else:
            yield from (f"{before}{name}{place.tolist()}={part[tuple(place)]}" for place in np.argwhere(part != neutral.get(name, 0)))


def picked(records: Array, which: Array) -> Array:
    """Copy some records, each as one block: NumPy's own indexing copies field by field, which takes 30 times as long."""
    whole: Array = records.view(np.dtype((np.void, records.dtype.itemsize)))[which]
    return whole.view(records.dtype)


class Header:
    """The fields that every state record begins with; a game's State inherits them."""

    seed: u8  # the number that decides all luck of this game
    asked: Annotated[i4, upto(2**31 - 1)]  # how many decisions have been taken
    turn: Annotated[i1, none_or(128)]  # the seat that must decide, or -1 once the game is over


class RulesHeader:
    """The fields that every rules record begins with; a game's Rules inherits them."""

    seats: i1
