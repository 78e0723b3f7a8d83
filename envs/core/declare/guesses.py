"""Draws whole rule sets that the printed game may have: each guess gets one of its plausible values."""

import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Variant, filled_with
from alehouse.envs.core.declare.numbers import Entry, Numbers, Value
from alehouse.envs.core.declare.plausible import ALIKE, ORDER
from alehouse.envs.core.declare.sheets import located
from alehouse.envs.core.run.inputs import MOST, check_whole

Values = npt.NDArray[np.int64]
Overrides = tuple[tuple[str, Value], ...]
AGAIN = 100  # how often a rule set that the game refuses is drawn again
SAMPLE = 4  # in how many rule sets a number is tried out, to see whether it matters


class PlausibleRules(NamedTuple):
    """Rule sets that the printed game may have."""

    keys: tuple[str, ...]  # the guesses that differ between rule sets and matter in the variant
    values: Values  # for each rule set a row with their values; a word is its index among the allowed ones
    rules: npt.NDArray[Any]  # a RULES record for each rule set


def plausible_rules(v: Variant, count: int, seed: int, known: Collection[str] = ()) -> PlausibleRules:
    """Draw rule sets of a variant, in which every guess has one of its plausible values.

    Rule set k is the same whatever `count`, and gives each number the same value in every variant of a game, as long as games refuse
    none. The variant's overrides stay as they are. So do the numbers of the keys `known`; and what is drawn agrees with these: it is in
    order with them, for example. An override alone asks only what would be if this one number were another.
    """
    guesses = v.spec.numbers.guesses()
    values, rules = shared_rules([v], count, seed, known)
    chosen = that_matter(v, guesses, known)
    return PlausibleRules(tuple(guesses[k].key for k in chosen), values[v.overrides][:, chosen], rules[:, 0])


def shared_rules(
    variants: Sequence[Variant], count: int, seed: int, known: Collection[str] = ()
) -> tuple[dict[Overrides, Values], npt.NDArray[Any]]:
    """Draw rule sets with the same numbers for several variants of a game. A rule set that any of them refuses is drawn again for all.

    Return the values of all guesses for each set of overrides that a variant has, and a record for each rule set and variant.
    """
    check_whole("count", count, 1, MOST)
    check_whole("seed", seed, 0, 2**64 - 1)
    guesses = variants[0].spec.numbers.guesses()
    different = {v.overrides: v for v in variants}
    values = {given: np.zeros((count, len(guesses)), np.int64) for given in different}
    rules, due = np.zeros((count, len(variants)), variants[0].spec.RULES), np.arange(count)
    for again in range(AGAIN):
        for given, v in different.items():
            values[given][due] = draw(v, guesses, known, count, [seed, again] if again else [seed])[due]
        refused = np.zeros(count, bool)
        for k, v in enumerate(variants):
            rules[due, k], bad = fill(v, guesses, values[v.overrides][due])
            refused[due] |= bad
        due = np.flatnonzero(refused)
        if not due.size:
            break
    for v in variants if due.size else ():
        with located(f"plausible rules, drawn {AGAIN} times"):
            filled_with(v, v.numbers.drawn(by_key(v, guesses, values[v.overrides][due])), due.size)
    return values, rules


def draw(v: Variant, guesses: Sequence[Entry], known: Collection[str], count: int, seed: list[int]) -> Values:
    """Return plausible values of all guesses of a game, a row for each rule set. What is known, and what the variant gives, is fixed."""
    numbers, given = v.spec.numbers, v.numbers
    fixed = {key: given.number(key) for key in known}
    luck = np.random.default_rng(seed).random((count, len(guesses)))
    place = {one.key: k for k, one in enumerate(guesses)}
    values = np.zeros((count, len(guesses)), np.int64)
    for k, one in enumerate(guesses):
        values[:, k] = fixed[one.key] if one.key in fixed else among(possible(one), luck[:, k])
    for tie in numbers.ties:
        if tie.kind == ORDER:
            in_order(numbers, tie.groups, fixed, place, luck, values)
        elif tie.kind == ALIKE:
            for group in tie.groups:
                alike = [place[key] for key in group if key not in fixed]
                values[:, alike] = values[:, alike[:1]]
        else:
            free = [group for group in tie.groups if not any(key in fixed for key in group)]
            for key in itertools.chain(*tie.groups):
                values[:, place[key]] = fixed.get(key, numbers.number(key))
            order = np.argsort(luck[:, [place[group[0]] for group in free]], axis=1)
            for column in zip(*free, strict=True):
                values[:, [place[key] for key in column]] = np.array([numbers.number(key) for key in column])[order]
    for key, _ in v.overrides:
        if key in place:
            values[:, place[key]] = given.number(key)
    return values


def possible(one: Entry) -> list[int]:
    """Return the plausible values of a guess; a word as its index among the allowed ones."""
    if isinstance(one.value, str):
        return [one.allowed.index(word) for word in one.plausible]
    low, high = one.plausible
    return list(range(int(low), int(high) + 1))


def among(values: Sequence[int], luck: npt.NDArray[np.float64]) -> Values:
    """Return one of the values for each number from 0 to 1."""
    return np.array(values, np.int64)[(luck * len(values)).astype(np.int64)]


def in_order(
    numbers: Numbers,
    groups: Sequence[Sequence[str]],
    fixed: Mapping[str, int],
    place: Mapping[str, int],
    luck: npt.NDArray[np.float64],
    values: Values,
) -> None:
    """Write values that do not fall from group to group. Where neighbours narrow the range of a group, it is drawn from what is left.

    Sorting keeps each value in its range, because the lower and upper ends do not fall either.
    """
    free = [[key for key in group if key in place and key not in fixed] for group in groups]
    known = [fixed.get(group[0], numbers.number(group[0])) for group in groups]
    spans = [numbers[keys[0]].plausible if keys else (value, value) for keys, value in zip(free, known, strict=True)]
    low = np.maximum.accumulate([int(span[0]) for span in spans])
    high = np.minimum.accumulate([int(span[1]) for span in spans][::-1])[::-1]
    for keys, span, least, most in zip(free, spans, low, high, strict=True):
        if keys and least > most:
            raise ValueError(
                f"{keys[0].partition('.')[0]}.csv, {keys[0]}: plausible are {span[0]} to {span[1]}, but by known numbers of this column"
                f" it is {least} or more and {most} or less; correct or confirm it there too"
            )
    drawn = [low[k] + (luck[:, place[keys[0]]] * (high[k] - low[k] + 1)).astype(np.int64) if keys else np.full(len(luck), low[k])
             for k, keys in enumerate(free)]  # fmt: skip
    for keys, column in zip(free, np.sort(np.stack(drawn, 1), axis=1).T, strict=True):
        for key in keys:
            values[:, place[key]] = column


def fill(v: Variant, guesses: Sequence[Entry], values: Values) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Return a RULES record for each row of values, and which of them the game refuses."""
    try:
        return filled_with(v, v.numbers.drawn(by_key(v, guesses, values)), len(values)), np.zeros(len(values), bool)
    except ValueError:
        if len(values) == 1:
            return np.zeros(1, v.spec.RULES), np.ones(1, bool)
    (a, b), (c, d) = (fill(v, guesses, half) for half in np.array_split(values, 2))
    return np.concatenate([a, c]), np.concatenate([b, d])


def by_key(v: Variant, guesses: Sequence[Entry], values: Values) -> dict[str, Values]:
    """Return the values of the guesses that vary, by key; numbers of modules that are not played stay as they are."""
    return {one.key: values[:, k] for k, one in enumerate(guesses) if len({*one.plausible}) > 1 and not v.lacks(one.key)}


def that_matter(v: Variant, guesses: Sequence[Entry], known: Collection[str]) -> list[int]:
    """Return which guesses change the rules of a variant: each is tried out in a few rule sets, where only it changes."""
    given = {*dict(v.overrides), *known}
    varied = [k for k, one in enumerate(guesses) if len({*one.plausible}) > 1 and one.key not in given and not v.lacks(one.key)]
    base = draw(v, guesses, known, SAMPLE, [0])
    changed = np.tile(base, (len(varied), 1, 1))
    for row, k in zip(changed, varied, strict=True):
        others = possible(guesses[k])
        row[:, k] = [others[(others.index(x) + 1) % len(others)] for x in row[:, k]]
    before, _ = fill(v, guesses, base)
    if not varied:
        return []
    after, refused = fill(v, guesses, changed.reshape(-1, len(guesses)))
    size = v.spec.RULES.itemsize
    differs = (after.view("u1").reshape(len(varied), SAMPLE, size) != before.view("u1").reshape(SAMPLE, size)).any(axis=2)
    return [k for k, some in zip(varied, differs | refused.reshape(len(varied), SAMPLE), strict=True) if some.any()]
