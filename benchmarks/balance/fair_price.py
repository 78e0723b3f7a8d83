"""Finds the fair price of an item: the value of a number at which the item is worth as much as the others of its family."""

from collections.abc import Callable
from typing import NamedTuple

from alehouse.agents.kernel_agent import Kernel
from alehouse.benchmarks.balance.item_worth import Worth, compared, exchanges, family_of
from alehouse.envs.core.declare.game import Variant


class Fair(NamedTuple):
    """A fair price, and the worth of the item at the printed value and at the fair one."""

    item: str
    key: str
    printed: int
    value: int
    worth_printed: Worth
    worth: Worth

    @property
    def open(self) -> bool:
        """Return whether the interval at the printed value holds 0, so that nothing speaks for another price."""
        return self.worth_printed.score_low <= 0 <= self.worth_printed.score_high


def fair_price(v: Variant, item: str, key: str, agent: Kernel, seed: int, games: int, threads: int) -> Fair:
    """Find the fair price of an item by bisection, unless the printed price may be fair; every value is tried on the same seeds."""
    entry = v.spec.numbers.find(key)
    if any(isinstance(end, str) for end in entry.allowed):
        raise ValueError(f"{key}: a word, not a number")
    family = family_of(v.spec, item)[0]
    tried: dict[int, Worth] = {}

    def score(value: int) -> float | None:
        if value in tried:
            return tried[value].score
        changed = v.spec.variant(v.seats, v.modules, v.length, {**dict(v.overrides), key: value})
        rows = compared([v.spec.offers.families[family]], [exchanges(changed, agent, seed, games, threads, family)])
        found = next((row for row in rows if row.name == item), None)
        if found is None:
            return None
        tried[value] = found
        return found.score

    printed = int(dict(v.overrides).get(key, entry.value))
    if score(printed) is None:
        raise ValueError(f"item {item!r}: not met often enough in {games:,} games of {v}; ask for more --blocks")
    found = Fair(item, key, printed, printed, tried[printed], tried[printed])
    value = printed if found.open else level(score, printed, int(entry.allowed[0]), int(entry.allowed[-1]))
    assert value is not None  # as the worth at the printed value is known
    return found._replace(value=value, worth=tried[value])


def level(worth: Callable[[int], float | None], start: int, low: int, high: int) -> int | None:
    """Return the integer from low to high at which a rising or falling function is closest to 0; None if it is unknown at the start.

    Steps from the start double until the sign changes; then the interval is halved.
    """
    first = worth(start)
    if first is None:
        return None
    at = {start: first}
    for side in (1, -1):
        bracket = changing(worth, at, start, high if side > 0 else low, side)
        if bracket is not None:
            bisect(worth, at, *bracket)
            break
    return min(at, key=lambda value: abs(at[value]))


def changing(worth: Callable[[int], float | None], at: dict[int, float], start: int, end: int, side: int) -> tuple[int, int] | None:
    """Return two values on one side of the start between which the sign changes, if there are any."""
    near, step = start, 1
    while near != end:
        far = start + side * min(step, abs(end - start))
        found = worth(far)
        if found is None:
            return None
        at[far] = found
        if found * at[start] < 0:
            return near, far
        near, step = far, 2 * step
    return None


def bisect(worth: Callable[[int], float | None], at: dict[int, float], near: int, far: int) -> None:
    """Halve the interval between two values of different signs until no integer lies between them."""
    while abs(far - near) > 1:
        middle = (near + far) // 2
        found = worth(middle)
        if found is None:
            return
        at[middle] = found
        near, far = (middle, far) if found * at[near] > 0 else (near, middle)
