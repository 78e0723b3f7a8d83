"""Many tables of one game at once: the state of a batch, one step for all, and everything one may ask about it."""

import io
import json
import os
import sys
import time
import zipfile
import zlib
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Game, Variant, as_variant
from alehouse.envs.core.run import batch_kernels as drive
from alehouse.envs.core.run.files import check_format, write_atomically
from alehouse.envs.core.run.jit import CORE, cache_folder, prune
from alehouse.envs.core.run.luck import REDEALS, draw_each, game_seed
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.standings import REWARDS

FORMAT = "alehouse-tables-2"
SMALL = 64  # tables below which one thread is faster than two
SAVED = ("states", "over", "scores", "utility", "seeds", "_games", "_log", "_begun", "_ended", "_ended_seeds")
MOST = 2**31 - 1  # tables of a batch
DAMAGE = (OSError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, EOFError, RuntimeError,
          zipfile.BadZipFile, zlib.error)  # fmt: skip
UNKNOWN = -1  # where the log does not hold the first moves of a game


class IllegalAction(ValueError):
    """An action the rules forbid; nothing has changed."""

    def __init__(self, table: int, seat: int, action: int, name: str, why: str) -> None:
        super().__init__(f"table {table}, player_{seat}: {name!r} (action {action}) is not legal: {why}")
        self.table, self.seat, self.action, self.name, self.why = table, seat, action, name, why

    def __reduce__(self) -> Any:
        return IllegalAction, (self.table, self.seat, self.action, self.name, self.why)


class Tables:
    """A batch of tables. The arrays are the same objects for life and overwritten by `step`: copy to keep."""

    def __init__(
        self,
        v: Variant | str | Sequence[Variant | str],
        n: int | None = None,
        seed: int = 0,
        autoreset: bool = True,
        threads: int = 1,
        reward: str = "rank",
    ) -> None:
        if n is not None:
            check_whole("n", n, 1, MOST)
        given = list(v) if isinstance(v, Sequence) and not isinstance(v, str) else [v] * (n or 1)
        n = len(given) if n is None else n
        if n < 1 or len(given) != n:
            raise ValueError(f"n={n}: at least 1, and as many as variants given ({len(given)})")
        parsed = {w: as_variant(w) for w in dict.fromkeys(given)}
        self.variants = [parsed[w] for w in given]
        if reward not in REWARDS:
            raise ValueError(f"reward {reward!r}: one of {', '.join(REWARDS)}")
        check_whole("seed", seed, 0, 2**64 - 1)
        check_whole("threads", threads, 1, numba.config.NUMBA_NUM_THREADS)
        self.game: Game = self.variants[0].spec
        if any(w.spec is not self.game for w in self.variants):
            raise ValueError(f"variants of one game only; these are of {', '.join(sorted({w.game for w in self.variants}))}")
        self.n, self.seed, self.autoreset, self.reward, self.threads = n, int(seed), bool(autoreset), reward, threads
        distinct = list(dict.fromkeys(self.variants))
        self.rules = np.zeros(len(distinct), self.game.RULES)  # of this very dtype: numba compares another one field by field
        for k, w in enumerate(distinct):
            self.rules[k] = w.rules_record()[0]
        places = {w: k for k, w in enumerate(distinct)}
        self.rule = np.array([places[w] for w in self.variants], np.int64)
        game, seats = self.game, max(w.seats for w in distinct)
        self.states = np.zeros(n, game.STATE)
        self.seat = np.zeros(n, np.int8)
        self.mask = np.zeros((n, len(game.ACTIONS)), np.int8)
        self.obs = np.zeros((n, game.FEATURES.size), np.uint8)
        self.over = np.zeros(n, np.bool_)
        self.scores = np.zeros((n, seats), np.int32)
        self.utility = np.zeros((n, seats), np.float32)
        self.seeds = np.zeros(n, np.uint64)
        self._games = np.arange(n, dtype=np.int64) - n
        self._actions = np.zeros(n, np.int64)
        self._waited = 255 if game.choices < 255 else 65535  # logged for a table that does not move
        self._log = np.zeros((64, n), np.min_scalar_type(self._waited))  # a ring: each action by its place among the legal
        self._places = np.zeros(n, self._log.dtype)  # of the actions under way
        self._steps = 0
        self._begun = np.zeros(n, np.int64)  # the step each table's game began at, or UNKNOWN
        self._ended = np.zeros(n, np.int64)  # the step the game before it began at
        self._ended_seeds = np.zeros(n, np.uint64)
        self._oldest = 0  # no game begun before this step is under way
        self._k = kernels(game, threads)
        self.reset()

    def reset(self, which: Any = None, seeds: Any = None) -> None:
        """Start the next game at the tables listed (all of them unless told), or the games of the seeds given."""
        index = self._which(which)
        if seeds is None:
            self._games[index] += self.n
            fresh = np.array([game_seed(np.uint64(self.seed), int(k)) for k in self._games[index]], np.uint64)
        else:
            fresh = as_seeds(seeds)
            if fresh.shape not in ((), index.shape):
                raise ValueError(f"seeds: shape {fresh.shape}; {index.size} tables are reset")
        self.seeds[index] = fresh
        self.over[index] = False
        self._begun[index] = self._steps
        self._k.open_tables(self.states, self.rules, self.rule, self.seat, self.mask, self.obs, self.seeds, index)

    def _which(self, which: Any) -> npt.NDArray[np.int64]:
        if which is None:
            return np.arange(self.n)
        chosen = np.atleast_1d(np.asarray(which))
        if chosen.dtype == np.bool_ and chosen.shape == (self.n,):
            return np.flatnonzero(chosen)
        if chosen.size == 0:
            return np.zeros(0, np.int64)
        if chosen.dtype.kind not in "iu" or chosen.ndim != 1 or chosen.min() < 0 or chosen.max() >= self.n:
            raise ValueError(f"which: table numbers from 0 to {self.n - 1}, or a mask of {self.n} booleans")
        if np.unique(chosen).size != chosen.size:
            raise ValueError("which: a table is listed twice")
        return chosen.astype(np.int64)

    def restart(self, seed: int) -> None:
        """Start the first games of another seed at all tables."""
        check_whole("seed", seed, 0, 2**64 - 1)
        self.seed = int(seed)
        self._games[:] = np.arange(self.n) - self.n
        self.reset()

    def step(self, actions: Any, which: Any = None) -> None:
        """One action at every table, or at the tables listed; all are checked before anything changes."""
        index = None if which is None else self._which(which)
        chosen, size = np.asarray(actions), self.n if index is None else index.size
        if chosen.shape != (size,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions: {size} whole numbers are wanted, got shape {chosen.shape} of {chosen.dtype}")
        self._places[:] = self._waited
        if index is None:
            np.copyto(self._actions, chosen, casting="unsafe")
            bad = self._run("refuse", self.states, self._actions, self._places)
        else:
            self._actions[:] = -1
            self._actions[index] = chosen
            bad = self._k.refuse_some(self.states, self._actions, self._places, index)
        if bad >= 0:
            raise self._illegal(bad, int(self._actions[bad]))
        self._log_row()[:] = self._places
        self._steps += 1
        args = (self.states, self.rules, self.rule, self._actions, self.seat, self.mask, self.obs, self.over, self.scores, self.utility,
                self.seeds, self._games, np.uint64(self.seed), self.n, self.autoreset, REWARDS[self.reward],
                self._steps, self._begun, self._ended, self._ended_seeds)  # fmt: skip
        if index is not None:
            self._k.advance_some(*args)
        else:
            self._run("advance", *args)

    def _run(self, kernel: str, *args: Any) -> Any:
        """Run a kernel over all tables. Each thread keeps to its own tables: one that only reads those of another slows both down."""
        if self.threads > 1 and self.n >= SMALL:
            numba.set_num_threads(self.threads)
            return getattr(self._k, f"{kernel}_all")(*args, self.threads)
        return getattr(self._k, kernel)(*args, 0, self.n)

    def _log_row(self) -> npt.NDArray[Any]:
        """The row of the ring for this step; the ring grows to hold the longest game under way."""
        rows = len(self._log)
        if self._oldest <= self._steps - rows:
            most = max(v.bound for v in dict.fromkeys(self.variants))
            self._begun[self._begun <= self._steps - most] = UNKNOWN  # over long ago, and not reset since
            known = np.concatenate([self._begun[self._begun != UNKNOWN], self._ended[self.over & self.autoreset]])
            self._oldest = int(known.min()) if known.size else self._steps
            if self._oldest <= self._steps - rows:
                log = np.full((rows + rows // 8 + 32, self.n), self._waited, self._log.dtype)
                for step in range(self._steps - rows, self._steps):
                    log[step % len(log)] = self._log[step % rows]
                self._log = log
        row: npt.NDArray[Any] = self._log[self._steps % len(self._log)]
        return row

    def sample(self, lively: bool = False) -> npt.NDArray[np.int64]:
        """A random legal action for every table: each as likely, or as the game's lively player chooses."""
        actions = np.empty(self.n, np.int64)
        self._run("choose", self.states, actions, lively)
        return actions

    def mixed(self) -> npt.NDArray[np.int64]:
        """A random legal action for every table, by uniform and lively players in turn."""
        return self.sample() if self.game.lively is None else np.where(np.arange(self.n) % 2, self.sample(True), self.sample())

    def observe(self, i: int, seat: int) -> npt.NDArray[np.uint8]:
        """What a seat may know of table i."""
        self._check_seat(i, seat)
        out = np.zeros(self.game.FEATURES.size, np.uint8)
        self._k.look(self.states, self.rules, self.rule, i, seat, out)
        return out

    def observe_all(self, i: int) -> npt.NDArray[np.uint8]:
        """What each seat may know of table i, a row a seat."""
        self._check_seat(i, None)
        out = np.zeros((self.variants[i].seats, self.game.FEATURES.size), np.uint8)
        self._k.look_all(self.states, self.rules, self.rule, i, out)
        return out

    def _check_seat(self, i: int, seat: int | None) -> None:
        if not 0 <= i < self.n:
            raise ValueError(f"table {i}: 0 to {self.n - 1}")
        if seat is not None and not 0 <= seat < self.variants[i].seats:
            raise ValueError(f"seat {seat}: 0 to {self.variants[i].seats - 1} in {self.variants[i]}")

    def clone(self) -> "Tables":
        """An independent copy."""
        twin = object.__new__(Tables)
        for name, value in vars(self).items():
            setattr(twin, name, value.copy() if isinstance(value, np.ndarray) else value)
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: Any) -> "Tables":
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_k"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.states, self.rules = self.states.view(self.game.STATE), self.rules.view(self.game.RULES)
        self._k = kernels(self.game, self.threads)

    def determinize(self, seats: Any, key: int) -> "Tables":
        """A copy in which everything each table's given seat can not know is dealt anew, future luck included."""
        check_whole("key", key, 0, 2**64 - 1)
        views = np.broadcast_to(np.asarray(seats, np.int64), (self.n,)).copy()
        for i, seat in enumerate(views):
            self._check_seat(i, int(seat))
        twin = self.clone()
        twin._deal_anew(views, draw_each(np.full(self.n, key, np.uint64), REDEALS, np.arange(self.n)))
        return twin

    def redealt(self, which: Any, seats: Any, keys: Any) -> "Tables":
        """New tables, one for each table listed, that its seat can not tell from it; each dealt anew by its own key."""
        index = self._which(which)
        twin = Tables([self.variants[i] for i in index], autoreset=False, reward=self.reward)
        for name in ("states", "over", "scores", "utility"):
            np.copyto(getattr(twin, name), getattr(self, name)[index])
        twin._deal_anew(np.asarray(seats, np.int64), np.asarray(keys, np.uint64))
        return twin

    def _deal_anew(self, seats: npt.NDArray[np.int64], keys: npt.NDArray[np.uint64]) -> None:
        self._begun[:] = UNKNOWN
        self._k.redeal(self.states, self.rules, self.rule, seats, keys, self.seat, self.mask, self.obs)
        self.seeds[:] = self.states["seed"]

    def why_illegal(self, i: int, action: int) -> str:
        """The rule that forbids an action at table i; empty if it is legal."""
        self._check_seat(i, None)
        if self.states[i].turn < 0:
            return "the game is over"
        if not 0 <= action < len(self.game.ACTIONS):
            return f"actions are 0 to {len(self.game.ACTIONS) - 1}"
        if self.mask[i, action]:
            return ""
        return self.game.why(self.states[i], self.rules[self.rule[i]], action)

    def _illegal(self, i: int, action: int) -> IllegalAction:
        known = 0 <= action < len(self.game.ACTIONS)
        name = self.game.ACTIONS.names[action] if known else "no such action"
        return IllegalAction(i, int(self.seat[i]), action, name, self.why_illegal(i, action))

    def text(self, i: int, seat: int | None = None) -> str:
        """Table i in words: all of it, or what a seat may know."""
        self._check_seat(i, seat)
        return self.game.describe(self.states[i], self.rules[self.rule[i]], seat)

    def replay(self, i: int) -> Replay:
        """The game at table i from its first action; right after its end, the game that ended."""
        self._check_seat(i, None)
        if self.over[i] and self.autoreset:
            seed, first, asked = self._ended_seeds[i], self._ended[i], None
        else:
            seed, first, asked = self.seeds[i], self._begun[i], self.states[i].asked
        if first == UNKNOWN or first < self._steps - len(self._log):
            raise ValueError(f"table {i}: no replay; the first moves of a redealt table, or of one over for long, are not known")
        logged = [int(self._log[k % len(self._log), i]) for k in range(first, self._steps)]
        table = Tables(self.variants[i], n=1, autoreset=False)
        table.reset(seeds=[seed])
        actions: list[int] = []
        for place in [place for place in logged if place != self._waited][:asked]:
            actions.append(int(np.flatnonzero(table.mask[0])[place]))
            table.step(actions[-1:])
        return Replay.of(self.variants[i], seed, actions)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the batch to a file (numbers only, no code), by a temporary name."""
        head = {
            "format": FORMAT,
            "version": version("alehouse"),
            "variants": [str(v) for v in self.variants],
            "rules": {str(v): v.rules_digest for v in dict.fromkeys(self.variants)},
            "state": repr(self.game.STATE.descr),
            "steps": self._steps,
            **{name: getattr(self, name) for name in ("seed", "autoreset", "threads", "reward")},
        }
        arrays = {name: getattr(self, name) for name in SAVED}
        arrays["states"] = self.states.view(np.uint8).reshape(self.n, -1)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, head=np.frombuffer(json.dumps(head).encode(), np.uint8), **arrays)
        write_atomically(Path(path), buffer.getvalue())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Tables":
        """Read a saved batch; a ValueError says what is wrong with the file."""
        try:
            with np.load(path, allow_pickle=False) as found:
                arrays = {name: found[name] for name in found.files}
            head = json.loads(arrays["head"].tobytes())
            check_format(head["format"], FORMAT)
            known = {text: as_variant(text) for text in head["rules"]}
            for text, v in known.items():
                if v.rules_digest != head["rules"][text]:
                    raise ValueError(f"{text} had rules {head['rules'][text]}, here they are {v.rules_digest}")
            threads = min(head["threads"], numba.config.NUMBA_NUM_THREADS)
            tables = cls([known[text] for text in head["variants"]], None, head["seed"], head["autoreset"], threads, head["reward"])
            if head["state"] != repr(tables.game.STATE.descr):
                raise ValueError(f"Alehouse {head['version']} wrote it, whose states hold other fields; that version reads it")
            arrays["states"] = np.ascontiguousarray(arrays["states"]).view(tables.game.STATE).reshape(-1)
            tables._log = np.zeros((len(arrays["_log"]), tables.n), tables._log.dtype)
            for name in SAVED:
                if arrays[name].shape != getattr(tables, name).shape:
                    raise ValueError(f"{name} has shape {arrays[name].shape}")
                np.copyto(getattr(tables, name), arrays[name], casting="equiv")
            tables._steps, tables._oldest = int(head["steps"]), 0
        except FileNotFoundError:
            raise
        except DAMAGE as error:
            raise ValueError(f"{path}: not a batch this version can load: {error}") from None
        tables._k.show(tables.states, tables.rules, tables.rule, tables.seat, tables.mask, tables.obs)
        return tables


def check_whole(name: str, value: Any, low: int, high: int) -> None:
    """A ValueError unless a value is a whole number in its range."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise ValueError(f"{name}={value!r}: a whole number from {low} to {high}")


def as_seeds(seeds: Any) -> npt.NDArray[np.uint64]:
    """Seeds as 64-bit numbers; a list may mix sizes for which NumPy knows no common whole type."""
    given = np.asarray(seeds) if isinstance(seeds, (np.ndarray, np.generic)) else np.asarray(seeds, object)
    if given.dtype.kind not in "iu":
        for x in given.ravel():
            check_whole("seed", x, 0, 2**64 - 1)
    elif given.size and int(given.min()) < 0:
        check_whole("seed", int(given.min()), 0, 2**64 - 1)
    return given.astype(np.uint64)


def ready_mark(game: Game, threads: int = 1) -> Path:
    """The file that says that what play needs of a game is compiled, for one thread or for several."""
    return cache_folder(game.folder) / f"{game.name}.{min(threads, 2)}.ready"


def kernels(game: Game, threads: int = 1) -> Any:
    """The drivers of a game, with a word to the user when they have to be compiled first."""
    for many in (1, 2)[:threads]:
        mark = ready_mark(game, many)
        if not numba.config.DISABLE_JIT and not mark.exists():
            what = game.name if many == 1 else f"{game.name} for several threads"
            print(f"alehouse: compiling {what}, once ...", end=" ", file=sys.stderr, flush=True)
            start = time.perf_counter()
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
            try:
                tables = Tables(game.variant(), n=1 if many == 1 else SMALL, threads=many)
                tables.step(tables.sample())
                play(game.variant(), 0, threads=many)
            except BaseException:
                mark.unlink(missing_ok=True)
                raise
            print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
            for home in (CORE, game.folder):
                prune(home)
    return drive.drivers(game)


class Results(NamedTuple):
    """Whole games: points and utilities by game and seat, decisions by game."""

    scores: npt.NDArray[np.int32]
    utility: npt.NDArray[np.float32]
    decisions: npt.NDArray[np.int64]


def play(
    v: Variant | str, games: int, seed: int = 0, first: int = 0, threads: int = 1, reward: str = "rank", lively: bool = False
) -> Results:
    """Games first, first + 1, ... of a seed by uniform (or lively) agents, without leaving the kernel."""
    v = as_variant(v)
    check_whole("games", games, 0, MOST)
    check_whole("seed", seed, 0, 2**64 - 1)
    check_whole("threads", threads, 1, numba.config.NUMBA_NUM_THREADS)
    k = kernels(v.spec, threads)
    out = Results(np.zeros((games, v.seats), np.int32), np.zeros((games, v.seats), np.float32), np.zeros(games, np.int64))
    args = (drive.tables_apart(v.spec, threads), v.rules_record(), 0, np.uint64(seed), first, *out, REWARDS[reward], lively)
    if threads > 1:
        numba.set_num_threads(threads)
        k.play_all(*args, threads)
    else:
        k.play(*args, 0, games)
    return out
