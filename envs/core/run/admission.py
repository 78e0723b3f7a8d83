"""Whether records that come from a file may reach kernels, which take their numbers for indexes and sets without looking.

What is allowed stands in the declarations: the range of each field, the questions and their arguments, and the audit of the game.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.record import out_of_range
from alehouse.envs.core.run.batch_kernels import batch_kernels

Fault = tuple[int, str]  # the place of a record, and what is wrong with it


def admit(game: Game, distinct: Sequence[Variant], rules: Any, rule: npt.NDArray[np.int64], states: Any) -> None:
    """Raise a ValueError that names the first fault of the records of some tables; `rule` says by which variant each plays."""
    for faults in (ranges, stacks, audits, words):
        for i, fault in faults(game, distinct, rules, rule, states):
            raise ValueError(f"a state is not one of {distinct[rule[i]]}: {fault}")


def ranges(game: Game, distinct: Sequence[Variant], rules: Any, rule: npt.NDArray[np.int64], states: Any) -> Iterator[Fault]:
    """Yield numbers outside the ranges of their fields, turns of seats that nobody sits in, and more decisions than a game can have."""
    yield from out_of_range(states)
    seats, most = np.array([v.seats for v in distinct])[rule], np.array([v.bound for v in distinct])[rule]
    yield from ((int(i), f"turn is {states['turn'][i]}, and {seats[i]} seats play") for i in np.flatnonzero(states["turn"] >= seats))
    yield from ((int(i), f"asked is {states['asked'][i]}, more than {most[i]}") for i in np.flatnonzero(states["asked"] > most))


def stacks(game: Game, distinct: Sequence[Variant], rules: Any, rule: npt.NDArray[np.int64], states: Any) -> Iterator[Fault]:
    """Yield entries of the stack that no question or task of the variant allows, and a top that is not the question asked."""
    if game.questions is None:
        return
    rows = (*game.questions.rows, *game.questions.tasks)
    played = np.array([[getattr(row, "module", "") in ("", *v.modules) for row in rows] for v in distinct])
    limits = np.array([[arg or (0, -1) for arg in args] for _, args in game.questions.arguments()])  # without a range nothing is allowed
    seats, n, turn = np.array([v.seats for v in distinct])[rule], states["stack"]["n"], states["turn"]
    for depth in range(states["stack"]["entry"].shape[1]):
        entry, used = states["stack"]["entry"][:, depth], depth < n
        what = np.where(used & (entry["what"] < len(rows)), entry["what"], 0)
        low, high = limits[what, :, 0], limits[what, :, 1]
        given = np.stack([entry["a"], entry["b"]], axis=1)
        fine = (entry["what"] == what) & (entry["seat"] < seats) & played[rule, what] & ((low <= given) & (given <= high)).all(axis=1)
        asked = (depth == n - 1) & (turn >= 0)
        fine &= ~asked | ((entry["seat"] == turn) & (what < len(game.questions)))
        yield from ((int(i), f"entry {depth} of the stack of questions is {entry[i]}") for i in np.flatnonzero(used & ~fine))
    yield from ((int(i), "a seat is to move, and it is asked nothing") for i in np.flatnonzero((turn >= 0) & (n < 1)))


def audits(game: Game, distinct: Sequence[Variant], rules: Any, rule: npt.NDArray[np.int64], states: Any) -> Iterator[Fault]:
    """Yield what the game's audit finds."""
    for i in range(len(states)):
        yield from ((i, fault) for fault in game.audit(states[i], rules[rule[i]]))


def words(game: Game, distinct: Sequence[Variant], rules: Any, rule: npt.NDArray[np.int64], states: Any) -> Iterator[Fault]:
    """Yield tables whose legal actions are not those the rules give; a seat that is to move has one at least."""
    found = np.zeros(game.ACTIONS.words, np.uint64)
    for i in range(len(states)):
        batch_kernels(game).relegal(states, rules, rule, i, found)
        if (found != states["can"][i]).any() or (states["turn"][i] >= 0 and not found.any()):
            yield i, "its legal actions are not those the rules give"
