"""Change numbers of saved states and play on: `python -m tests.fuzz_states GAME --trials 10000`.

Each trial must end in a refusal of one line or in play as usual. Run it with NUMBA_BOUNDSCHECK=1, so that kernels name an access beyond an
array, which is then counted as a failure. A trial that crashes or hangs ends the process; the line printed last names its number.
"""

import argparse
import faulthandler
import signal
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.record import declared
from alehouse.envs.core.run.files import DAMAGE
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game

SECONDS = 60  # that a trial may take
STEPS = 400  # decisions played after a change
Place = tuple[npt.NDArray[Any], tuple[int, ...], int, int]  # an array, an index in it, and the least and largest number allowed there


def saved(name: str, random: np.random.Generator, redealt: bool) -> tuple[Tables, dict[str, npt.NDArray[Any]]]:
    """Return a table in the middle of a game of a random variant, perhaps redealt, and what is saved of it."""
    found = list(game(name).variants())
    t = Tables(found[random.integers(len(found))], seed=int(random.integers(2**32)), autoreset=False)
    for _ in range(random.integers(t.variants[0].bound)):
        before = t.clone()
        t.step(t.sample(lively=t.game.lively is not None and bool(random.integers(2))))
        if t.over[0] and random.integers(8):
            t = before
            break
    if redealt:
        t = t.determinize(int(random.integers(t.variants[0].seats)), int(random.integers(2**32)))
    return t, t.kept()


def places(records: npt.NDArray[Any]) -> Iterator[Place]:
    """Yield every number of some records."""
    ranges = declared(records.dtype, "ranges")
    for name in records.dtype.names or ():
        part = records[name]
        if part.dtype.names:
            yield from places(part)
        else:
            limits = np.iinfo(part.dtype)
            low, high = ranges.get(name, (int(limits.min), int(limits.max)))
            yield from ((part, index, low, high) for index in np.ndindex(part.shape))


def change(place: Place, random: np.random.Generator) -> None:
    """Change a number: often to another in its range, sometimes by one, sometimes to anything."""
    part, index, low, high = place
    was, limits = int(part[index]), np.iinfo(part.dtype)
    way = random.integers(5)
    if way == 0:
        new = was + int(random.choice([-1, 1]))
    elif way == 1:
        new = was ^ 1 << int(random.integers(part.dtype.itemsize * 8 - 1))
    elif way == 2:
        new = int(random.choice([low, high, low - 1, high + 1, int(limits.min), int(limits.max)]))
    elif high - low < 1000:
        new = int(random.integers(low, high, endpoint=True))
    else:
        new = was ^ 1 << int(random.integers(high.bit_length()))
    part[index] = min(max(new, int(limits.min)), int(limits.max))


def trial(name: str, number: int, marked: bool = True) -> str:
    """Run a trial and return what came of it: "refused: ..." with the reason, "played", or "same" if nothing was changed.

    `marked`: the table counts as redealt, so that its moves do not tell its state; otherwise every change must be refused.
    """
    random = np.random.default_rng([number, *name.encode()])
    t, arrays = saved(name, random, marked and bool(random.integers(2)))
    before = arrays["states"].copy()
    states = arrays["states"].reshape(-1).view(t.game.STATE)
    every = [place for place in places(states) if place[0].base is not None]
    for _ in range(random.integers(1, 4)):
        change(every[random.integers(len(every))], random)
    if (before == arrays["states"]).all():
        return "same"
    if marked:
        arrays["redealt"] = arrays["games"].copy()
    fresh = Tables(t.variants, autoreset=False)
    try:
        fresh.restore(arrays)
    except DAMAGE as error:
        if "\n" in str(error) or not str(error):
            raise
        return f"refused: {error}"
    if not marked:
        raise AssertionError("a change went through")
    play(fresh, random)
    return "played"


def play(t: Tables, random: np.random.Generator) -> None:
    """Play on by random players, look at the table from every seat, and redeal it."""
    for step in range(STEPS):
        if t.over[0] or t.seat[0] < 0 or not t.mask.any():
            return
        t.observe_all(0)
        if step % 16 == 0:
            t.determinize(int(random.integers(t.variants[0].seats)), int(random.integers(2**32)))
        t.step(t.sample(lively=t.game.lively is not None and bool(random.integers(2))))


def main() -> None:
    """Run many trials of a game and print how they ended."""
    options = argparse.ArgumentParser()
    options.add_argument("game")
    options.add_argument("--trials", type=int, default=1000)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--unmarked", action="store_true", help="do not mark tables as redealt: all changes must be refused")
    given = options.parse_args()
    faulthandler.enable()
    ends: Counter[str] = Counter()
    for number in range(given.first, given.first + given.trials):
        print(f"\r{given.game} {number}", end="", flush=True)
        signal.alarm(SECONDS if number > given.first else 20 * SECONDS)  # the first one compiles
        try:
            found = trial(given.game, number, marked=not given.unmarked)
        except Exception as error:
            found = f"FAILED {number}: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
            print(f"\n{found}")
        ends[found.partition(":")[0].partition(" ")[0]] += 1
    print(f"\n{given.game}: {given.trials} trials, {dict(ends)}")


if __name__ == "__main__":
    main()
