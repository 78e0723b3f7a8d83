"""The plausible rule sets of a study: where numbers of a game are not known, each block is played by a rule set that is drawn for it."""

import functools
import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.agent import Agent
from alehouse.agents.whole_games import line_of
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.declare.guesses import Overrides, shared_rules, that_matter
from alehouse.envs.core.run.luck import game_seed

GAMES = 2000  # approximate number of games that each rule set plays
BLOCKS, SEARCHED = 32, 2  # it plays at most this many blocks; with searching agents always the second number, the least that shows luck
FEWEST = 6  # no conclusion is drawn from fewer rule sets
DRAWN = 64  # rule sets are drawn by this many at once
FIRST = 2**41  # no block has a number from here on, so these numbers are free for the seeds of rule sets


class RuleSets(NamedTuple):
    """How a study draws its rule sets."""

    known: tuple[str, ...]  # keys of guesses that the study fixes or that an owner of the game confirmed
    blocks: int  # number of blocks that each rule set plays


class DrawnNumbers(NamedTuple):
    """The unknown numbers as they were drawn, with a row for each rule set; a word is its index among the allowed words."""

    keys: tuple[str, ...]
    words: npt.NDArray[np.bool_]  # which of them are words, so that their order means nothing
    values: npt.NDArray[np.int64]


class DrawnRules(NamedTuple):
    """The rules of a chunk of blocks."""

    of_block: npt.NDArray[np.int64]  # for each block the index of its rule set
    rules: npt.NDArray[Any]  # for each rule set and cell a RULES record
    variants: Callable[[], list[Variant]]  # the same rules as variants, which agents outside numba need


class Batch(NamedTuple):
    """Rule sets that were drawn together; all guesses of the game are there, also those that are known."""

    values: dict[Overrides, npt.NDArray[np.int64]]  # by what a cell gives: for each rule set the value of each guess
    rules: npt.NDArray[Any]  # for each rule set and cell a RULES record


def of_study(cells: Sequence[Variant], agent: Agent, known: tuple[str, ...]) -> RuleSets:
    """Return how rule sets are drawn for a design that an agent plays."""
    quick = line_of([agent], cells[0].spec) is not None
    return RuleSets(known, min(BLOCKS, max(SEARCHED, GAMES // len(cells))) if quick else SEARCHED)


@functools.lru_cache(maxsize=4)
def batch(cells: tuple[Variant, ...], known: tuple[str, ...], seed: int, number: int) -> Batch:
    """Draw some rule sets, with the same numbers in every cell."""
    return Batch(*shared_rules(cells, DRAWN, int(game_seed(np.uint64(seed), FIRST + number)), known))


def batches(cells: tuple[Variant, ...], sets: RuleSets, seed: int, low: int, high: int) -> Iterator[tuple[Batch, slice]]:
    """Yield the batches that hold the rule sets from `low` up to `high`, each with the slice that they have in it."""
    for number in range(low // DRAWN, (high - 1) // DRAWN + 1):
        start = number * DRAWN
        yield batch(cells, sets.known, seed, number), slice(max(low - start, 0), min(high - start, DRAWN))


def drawn_rules(cells: tuple[Variant, ...], sets: RuleSets, seed: int, chunk: tuple[int, int]) -> DrawnRules:
    """Return the rule sets of the blocks of a chunk."""
    of_block = np.arange(*chunk) // sets.blocks
    parts = list(batches(cells, sets, seed, int(of_block[0]), int(of_block[-1]) + 1))

    def variants() -> list[Variant]:
        return [changed(v, found.values[v.overrides][k]) for found, which in parts for k in range(DRAWN)[which] for v in cells]

    return DrawnRules(of_block - of_block[0], np.concatenate([found.rules[which].ravel() for found, which in parts]), variants)


def variant_of(cells: tuple[Variant, ...], sets: RuleSets, seed: int, block: int, cell: int) -> Variant:
    """Return a cell as one block played it, with its drawn numbers."""
    [(found, which)] = batches(cells, sets, seed, block // sets.blocks, block // sets.blocks + 1)
    return changed(cells[cell], found.values[cells[cell].overrides][which.start])


def changed(v: Variant, values: npt.NDArray[np.int64]) -> Variant:
    """Return a variant with drawn values of all guesses; what the variant gives is among them."""
    drawn = {
        one.key: one.allowed[value] if isinstance(one.value, str) else int(value)
        for one, value in zip(v.spec.numbers.guesses(), values, strict=True)
    }
    return v.spec.variant(v.seats, v.modules, v.length, {**dict(v.overrides), **drawn})


def drawn_numbers(cells: tuple[Variant, ...], sets: RuleSets, seed: int, count: int) -> DrawnNumbers:
    """Return the numbers of the first rule sets, those that matter in any cell."""
    guesses, matter = cells[0].spec.numbers.guesses(), unknown_numbers(cells, sets.known)
    chosen = [k for k, one in enumerate(guesses) if one.key in matter]
    values = np.concatenate([found.values[cells[0].overrides][which][:, chosen] for found, which in batches(cells, sets, seed, 0, count)])
    words = np.array([isinstance(guesses[k].value, str) for k in chosen], bool)
    return DrawnNumbers(tuple(guesses[k].key for k in chosen), words, values)


@functools.lru_cache(maxsize=16)
def unknown_numbers(cells: tuple[Variant, ...], known: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the keys of the guesses that matter in any cell and that are not known."""
    guesses = cells[0].spec.numbers.guesses()
    found: set[str] = set()
    for v in sorted(cells, key=lambda v: -len(v.modules)):
        # what is found already need not be tried out again
        found |= {guesses[k].key for k in that_matter(v, guesses, (*known, *found))}
    return frozenset(found)


def digest(cells: tuple[Variant, ...], sets: RuleSets | None, seed: int) -> list[Any]:
    """Return what tells the rule sets of a study from those of others: how many blocks play each, and a digest of the first of them."""
    if sets is None:
        return []
    return [sets.blocks, hashlib.sha256(batch(cells, sets.known, seed, 0).rules.tobytes()).hexdigest()[:16]]
