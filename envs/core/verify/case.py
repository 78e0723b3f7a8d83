"""A variant being checked: the games it is checked with, and kernels that look at whole batches of tables."""

import functools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, SupportsInt

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.watch import WATCH

STALE, BEYOND = 1, 2  # the faults that `fresh` reports
PROGRESS = ("clock", "first", "deals")  # the kernels of a game that say how far it has come
CLOCK, FIRST, DEALS = range(len(PROGRESS))
QUESTION = ("turn", "asked", "can", "stack")  # the fields of a record that say which seat must answer which question


@functools.cache
def lookers(game: Game) -> SimpleNamespace:
    """Make the kernels that look at every table of a batch."""
    legal, observe, clock, first, deals = game.legal, game.observe, game.clock, game.first, game.deals
    size = len(game.ACTIONS)
    kernel = functools.partial(jit, home=game.folder)

    @kernel
    def fresh(states, rules, rule, words, found):
        """Compute the legal actions again and compare them with those in the record."""
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
        """Write what every seat sees at every table; bytes that an observer forgets to write keep their old value."""
        for i in range(states.size):
            for p in range(rules[rule[i]].seats):
                observe(states[i], rules[rule[i]], p, out[i, p])

    @kernel
    def seen(states, rules, rule, rows, seats, out):
        """Write what one seat sees at each listed table."""
        for k in range(rows.size):
            i = rows[k]
            observe(states[i], rules[rule[i]], seats[k], out[k])

    @kernel
    def chosen(states, rows, draws, out):
        """Turn a random number for each listed table into a legal action."""
        for k in range(rows.size):
            can = states[rows[k]].can
            out[k] = bits.nth(can, draws[k] % bits.count(can))

    @kernel
    def progress(states, out):
        """Write PROGRESS of every table."""
        for i in range(states.size):
            out[i, CLOCK], out[i, FIRST], out[i, DEALS] = clock(states[i]), first(states[i]), deals(states[i])

    return SimpleNamespace(fresh=fresh, views=views, seen=seen, chosen=chosen, progress=progress)


def fresh(t: Tables) -> npt.NDArray[np.uint8]:
    """Return for every table whether its legal actions are out of date (STALE), and whether any lies outside the action space (BEYOND)."""
    found = np.zeros(t.n, np.uint8)
    words = np.zeros(t.game.ACTIONS.words, np.uint64)
    lookers(t.game).fresh(t.states, t.rules, t.rule, words, found)
    return found


def views(t: Tables, ground: int = 0) -> npt.NDArray[np.uint8]:
    """Return what every seat sees at every table; `ground` is in each byte before, and stays where an observer forgets to write."""
    out = np.full((t.n, t.scores.shape[1], t.game.FEATURES.size), ground, np.uint8)
    lookers(t.game).views(t.states, t.rules, t.rule, out)
    return out


def seen(t: Tables, rows: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """Return what one seat sees at each listed table."""
    out = np.zeros((rows.size, t.game.FEATURES.size), np.uint8)
    lookers(t.game).seen(t.states, t.rules, t.rule, rows, seats, out)
    return out


def chosen(t: Tables, rows: npt.NDArray[np.int64], draws: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return a legal action for each listed table; the random number given for the table decides which."""
    out = np.zeros(rows.size, np.int64)
    lookers(t.game).chosen(t.states, rows, draws, out)
    return out


def progress(t: Tables) -> npt.NDArray[np.int64]:
    """Return PROGRESS of every table."""
    out = np.zeros((t.n, len(PROGRESS)), np.int64)
    lookers(t.game).progress(t.states, out)
    return out


def deals(t: Tables) -> npt.NDArray[np.int64]:
    """Return how many deals have begun at every table."""
    return progress(t)[:, DEALS]


def on_top(t: Tables) -> npt.NDArray[np.int64]:
    """Return the number of the question on top at every table, or -1 where the game has no stack."""
    if "stack" not in (t.states.dtype.names or ()):
        return np.full(t.n, -1)
    n, entry = t.states["stack"]["n"], t.states["stack"]["entry"]
    return np.where(n > 0, entry["what"][np.arange(t.n), np.maximum(n - 1, 0)], -1)


def questions(t: Tables) -> npt.NDArray[np.int64]:
    """Return a row for every table: the seat to move and, where the game has a stack, which seat must answer which question."""
    if "stack" not in (t.states.dtype.names or ()):
        return t.seat[:, None].astype(np.int64)
    stack = t.states["stack"]
    unused = np.arange(stack["entry"].shape[1]) >= stack["n"][:, None]
    parts = (np.where(unused, -1, stack["entry"][field].astype(np.int64)) for field in ("what", "seat"))
    return np.concatenate([t.seat[:, None], stack["n"][:, None], *parts], axis=1)


def snapshot(t: Tables) -> dict[str, Any]:
    """Return everything that decides how a batch goes on, as a dictionary of names."""
    parts = vars(t) | t.batch._asdict()
    left_out = ("_k", "_job", "_arrays", "_orders", "_parts", "_longest", "batch", "actions")
    kept = {name: value for name, value in parts.items() if name not in left_out}
    return {name: value.tobytes() if isinstance(value, np.ndarray) else value for name, value in kept.items()}


def changed(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return the names of what differs between two snapshots."""
    return ", ".join(name for name in before | after if before.get(name) != after.get(name))


def bytewise(rows: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Return an array as rows of bytes, one row for each entry along the first axis."""
    return np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), rows.nbytes // max(1, len(rows)))


def unlike(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return for each entry along the first axis whether the two arrays differ there."""
    return np.asarray((bytewise(a) != bytewise(b)).any(axis=1), np.bool_)


def rows_unlike(a: Tables, b: Tables, at: npt.NDArray[np.int64]) -> Iterator[tuple[int, str]]:
    """Yield each table of a that differs from the table of b listed for it, with the names of what differs."""
    for name in ("states", "seat", "mask", "obs", "over"):
        yield from ((int(i), name) for i in np.flatnonzero(unlike(getattr(a, name), getattr(b, name)[at])))
    for name in ("scores", "utility"):
        mine, theirs = getattr(a, name), getattr(b, name)[at]
        width = mine.shape[1]
        yield from ((int(i), name) for i in np.flatnonzero(unlike(mine, theirs[:, :width]) | theirs[:, width:].any(axis=1)))


@functools.cache
def all_variants(game: Game) -> tuple[Variant, ...]:
    """Return every variant of a game; they are made once."""
    return tuple(game.variants())


@dataclass(frozen=True)
class Case:
    """A variant and the games it is checked with: games 0, 1, ... of a seed, played by the uniform and the lively player in turn."""

    v: Variant
    games: int
    seed: int
    asked: Counter[int] = field(default_factory=Counter)  # how often each question (by its number) was decided

    def tables(self, v: Variant | None = None) -> Tables:
        """Return the games at their beginning, one at each table."""
        return Tables(v or self.v, n=self.games, seed=self.seed, autoreset=False)

    def walk(self) -> Iterator[tuple[int, Tables]]:
        """Yield the batch before each decision, and once more at the end."""
        t = self.tables()
        for step in range(self.v.bound + 1):
            WATCH.reach(f"decision {step}")
            yield step, t
            if t.over.all():
                return
            t.step(t.mixed())

    @functools.cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Return the number of decisions of each game."""
        for _, t in self.walk():
            last = t
        return np.asarray(last.states["asked"], np.int64)

    def moments(self, count: int) -> set[int]:
        """Return the numbers of some decisions to look at, spread from the first to the last."""
        return {int(x) for x in np.linspace(0, max(0, int(self.lengths.max()) - 1), count)}

    def at_some(self, count: int) -> Iterator[tuple[int, Tables]]:
        """Yield the batch at some of its decisions, and at the end."""
        moments = self.moments(count)
        yield from ((step, t) for step, t in self.walk() if step in moments or t.over.all())

    def visits(self, count: int) -> Iterator[tuple[int, Tables, npt.NDArray[np.int64]]]:
        """Yield the batch at some decisions, with the numbers of the tables still playing."""
        for step, t in self.at_some(count):
            if not t.over.all():
                yield step, t, np.flatnonzero(~t.over)

    @functools.cached_property
    def random(self) -> np.random.Generator:
        """A random generator for the choices that checks make."""
        return np.random.default_rng([self.seed, *str(self.v).encode()])

    def neighbour(self) -> Variant:
        """Return another variant of the same game."""
        known = all_variants(self.v.spec)
        here = known.index(self.v) if self.v in known else 0
        return known[(here + len(known) // 2) % len(known)]

    def columns(self, names: Iterable[str]) -> list[int]:
        """Return the numbers of all actions of some segments, or of single action names."""
        wanted = set(names)
        return [a for a, name in enumerate(self.v.action_names) if name in wanted or name.partition(":")[0] in wanted]


def where(step: int, i: SupportsInt) -> str:
    """Return in words where a fault was found: which game, and which decision."""
    return f"game {i}, decision {step}"
