"""One variant under check: the same games of uniform play again and again, and kernels that look at whole batches."""

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, SupportsInt

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.tables import Tables

STALE, BEYOND = 1, 2  # what `fresh` finds
QUESTION = ("turn", "asked", "can", "stack")  # fields of a record that say who is asked what


@functools.cache
def lookers(game: Game) -> SimpleNamespace:
    """Kernels that look at every table of a batch."""
    legal, observe = game.legal, game.observe
    size = len(game.ACTIONS)
    kernel = functools.partial(jit, home=game.folder)

    @kernel
    def fresh(states, rules, rule, words, found):
        """Work out the legal actions afresh and compare."""
        for i in range(states.size):
            words[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
            legal(states[i], rules[rule[i]], words)
            found[i] = 0
            for w in range(words.size):
                if words[w] != states[i].can[w]:
                    found[i] |= STALE
            for a in range(size, 64 * words.size):
                if bits.has(words, a):
                    found[i] |= BEYOND

    @kernel
    def views(states, rules, rule, out):
        """What every seat sees at every table; what an observation leaves unwritten stays as it was."""
        for i in range(states.size):
            for p in range(rules[rule[i]].seats):
                observe(states[i], rules[rule[i]], p, out[i, p])

    return SimpleNamespace(fresh=fresh, views=views)


def fresh(t: Tables) -> npt.NDArray[np.uint8]:
    """For every table whether its legal actions are STALE, or some lie BEYOND the action space."""
    found = np.zeros(t.n, np.uint8)
    words = np.zeros(t.game.ACTIONS.words, np.uint64)
    lookers(t.game).fresh(t.states, t.rules, t.rule, words, found)
    return found


def views(t: Tables, ground: int = 0) -> npt.NDArray[np.uint8]:
    """What every seat sees at every table, written on a ground of equal bytes."""
    out = np.full((t.n, t.scores.shape[1], t.game.FEATURES.size), ground, np.uint8)
    lookers(t.game).views(t.states, t.rules, t.rule, out)
    return out


def questions(t: Tables) -> npt.NDArray[np.int64]:
    """Who is asked what at every table, question by question; the seat to move alone where a game has no stack of questions."""
    if "stack" not in (t.states.dtype.names or ()):
        return t.seat[:, None].astype(np.int64)
    stack = t.states["stack"]
    unused = np.arange(stack["entry"].shape[1]) >= stack["n"][:, None]
    parts = (np.where(unused, -1, stack["entry"][field].astype(np.int64)) for field in ("what", "seat"))
    return np.concatenate([t.seat[:, None], stack["n"][:, None], *parts], axis=1)


def snapshot(t: Tables) -> dict[str, Any]:
    """Everything a batch consists of, by name; not how it goes about it."""
    kept = {name: value for name, value in vars(t).items() if name not in ("_k", "_actions", "_places", "_oldest")}
    return {name: value.tobytes() if isinstance(value, np.ndarray) else value for name, value in kept.items()}


def changed(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The names of what differs between two snapshots."""
    return ", ".join(name for name in before | after if before.get(name) != after.get(name))


def bytewise(rows: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """An array as one row of bytes for each entry of its first axis."""
    return np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), rows.nbytes // max(1, len(rows)))


def unlike(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Where the entries along the first axis differ."""
    return np.asarray((bytewise(a) != bytewise(b)).any(axis=1), np.bool_)


def rows_unlike(a: Tables, b: Tables, at: npt.NDArray[np.int64]) -> Iterator[tuple[int, str]]:
    """Tables of a that differ from those of b at the places given, each with what differs."""
    for name in ("states", "seat", "mask", "obs", "over"):
        yield from ((int(i), name) for i in np.flatnonzero(unlike(getattr(a, name), getattr(b, name)[at])))
    for name in ("scores", "utility"):
        mine, theirs = getattr(a, name), getattr(b, name)[at]
        width = mine.shape[1]
        yield from ((int(i), name) for i in np.flatnonzero(unlike(mine, theirs[:, :width]) | theirs[:, width:].any(axis=1)))


@functools.cache
def all_variants(game: Game) -> tuple[Variant, ...]:
    """Every variant of a game, kept for as long as the program runs."""
    return tuple(game.variants())


@dataclass(frozen=True)
class Case:
    """A variant, and the games it is checked with: games 0, 1, ... of a seed, uniform and lively ones in turn."""

    v: Variant
    games: int
    seed: int

    def tables(self, v: Variant | None = None) -> Tables:
        """The games at their beginning, one a table."""
        return Tables(v or self.v, n=self.games, seed=self.seed, autoreset=False)

    def walk(self) -> Iterator[tuple[int, Tables]]:
        """The batch before each decision, and once at the end."""
        t = self.tables()
        for step in range(self.v.bound + 1):
            yield step, t
            if t.over.all():
                return
            t.step(t.mixed())

    @functools.cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Decisions of each game."""
        for _, t in self.walk():
            last = t
        return np.asarray(last.states["asked"], np.int64)

    def moments(self, count: int) -> set[int]:
        """Decisions to look at, from the first to the last."""
        return {int(x) for x in np.linspace(0, max(0, int(self.lengths.max()) - 1), count)}

    def at_some(self, count: int) -> Iterator[tuple[int, Tables]]:
        """The batch at a number of moments, and at the end."""
        moments = self.moments(count)
        yield from ((step, t) for step, t in self.walk() if step in moments or t.over.all())

    def visits(self, count: int) -> Iterator[tuple[int, Tables, npt.NDArray[np.int64]]]:
        """The batch at a number of moments, with the tables still playing."""
        for step, t in self.at_some(count):
            if not t.over.all():
                yield step, t, np.flatnonzero(~t.over)

    @functools.cached_property
    def random(self) -> np.random.Generator:
        """Choices of the checks themselves."""
        return np.random.default_rng([self.seed, *str(self.v).encode()])

    def neighbour(self) -> Variant:
        """Another variant of the game, a different one for each."""
        known = all_variants(self.v.spec)
        here = known.index(self.v) if self.v in known else 0
        return known[(here + len(known) // 2) % len(known)]

    def columns(self, names: Iterable[str]) -> list[int]:
        """The actions of segments, or of single action names."""
        wanted = set(names)
        return [a for a, name in enumerate(self.v.action_names) if name in wanted or name.partition(":")[0] in wanted]


def where(step: int, i: SupportsInt) -> str:
    """A place in the games of a case, for people."""
    return f"game {i}, decision {step}"
