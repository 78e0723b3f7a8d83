"""State and rules as records: an annotated class becomes one packed NumPy dtype."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, get_args, get_type_hints

import numpy as np

i1 = Annotated[int, "i1"]
i2 = Annotated[int, "i2"]
i4 = Annotated[int, "i4"]
i8 = Annotated[int, "i8"]
u8 = Annotated[int, "u8"]
Array = np.ndarray[Any, np.dtype[Any]]
NUMBERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")  # the number types that a record or an array may hold


def record(declaration: type) -> np.dtype[Any]:
    """Return the packed dtype of an annotated class, base classes first.

    `gold: i2` is a number, `hand: Annotated[Array, "i1", CARDS]` an array, and `seat: Annotated[list[Seat], Seat, SEATS]` nests another
    class. Numbers are signed: in compiled code the difference of two unsigned numbers would wrap around, and a mix of unsigned and signed
    would become a float. The neutral value of a number of the rules is the one that leaves games as they were before the rules had that
    number. It is 0 unless the class gives another: `hand_limit: i1 = 7`.
    """
    fields: list[Any] = []
    neutral: dict[str, Any] = {}
    inherited = {name: base.__name__ for base in declaration.__mro__[1:] for name in getattr(base, "__annotations__", ())}
    for name, hint in get_type_hints(declaration, include_extras=True).items():
        fault = f"{declaration.__name__}.{name}:"
        if len(get_args(hint)) < 2:
            raise TypeError(f"{fault} annotate it with i1, i2, i4, i8 or u8, or as an Annotated array or list")
        if hasattr(np.record, name):
            raise TypeError(f"{fault} NumPy records have a method of that name; choose another")
        if name in inherited and name in declaration.__annotations__:
            raise TypeError(f"{fault} {inherited[name]} has a field of that name; choose another")
        _, kind, *shape = get_args(hint)
        if not isinstance(kind, type) and str(kind).lstrip("<>") not in NUMBERS:
            raise TypeError(f"{fault} {kind!r} is neither a class nor one of {', '.join(NUMBERS)}")
        if any(not isinstance(size, (int, np.integer)) or size < 1 for size in np.ravel(np.array(shape, object))):
            raise TypeError(f"{fault} its shape is {shape[0]!r}; sizes are whole numbers from 1")
        fields.append((name, record(kind) if isinstance(kind, type) else kind, *shape))
        if hasattr(declaration, name):
            neutral[name] = getattr(declaration, name)
    if not fields:
        raise TypeError(f"{declaration.__name__}: it has no fields")
    return np.dtype((np.record, fields), metadata=neutral) if neutral else np.dtype((np.record, fields))


def numbers_of(records: Array, before: str = "") -> Iterator[str]:
    """Yield `name[index]=value` for each number in an array of records that is not at its neutral value."""
    neutral: Mapping[str, Any] = records.dtype.metadata or {}
    for name in records.dtype.names or ():
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
    asked: i4  # how many decisions have been taken
    turn: i1  # the seat that must decide, or -1 once the game is over


class RulesHeader:
    """The fields that every rules record begins with; a game's Rules inherits them."""

    seats: i1
