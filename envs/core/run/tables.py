"""Many tables of one game at once: one step moves all of them, and methods answer whatever one wants to know of them."""

import itertools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import numba
import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.declare.record import picked
from alehouse.envs.core.run import tables_file
from alehouse.envs.core.run.admission import admit
from alehouse.envs.core.run.arrays import Buffers, adopted, aligned, copied
from alehouse.envs.core.run.batch_kernels import WAITS, Batch, new_batch
from alehouse.envs.core.run.compiling import kernels
from alehouse.envs.core.run.files import DAMAGE, read_within, write_atomically
from alehouse.envs.core.run.inputs import MOST, as_seeds, check_whole, table_numbers
from alehouse.envs.core.run.luck import REDEALS, draw_each, game_seeds
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.standings import REWARDS
from alehouse.envs.core.show.view import View, look

TRACED = ("states", "rule", "seeds", "log")  # arrays from which a game is played again
KEPT = ("states", "over", "scores", "utility", "seeds", "games", "log", "ended_seeds", "rule",
        "players", "line_up", "own", "moved", "decided")  # the arrays that decide how games go on  # fmt: skip
SHOWN = ("states", "rules", "rule", "seat", "mask", "obs", "over", "scores", "utility", "seeds",
         "players", "line_up", "own", "moved", "decided", "last", "won", "stood")  # the arrays that callers see  # fmt: skip
BUFFERS = ("seat", "mask", "obs", "over", "scores", "utility")  # the arrays that callers may keep in memory of their own
KNOWN = np.iinfo(np.int64).min  # no game has this number; it says that the first moves of every game are known


class IllegalAction(ValueError):
    """An action that the rules forbid was given; nothing has changed."""

    def __init__(self, table: int, seat: int, action: int, name: str, why: str) -> None:
        super().__init__(f"table {table}, player_{seat}: {name!r} (action {action}) is not legal: {why}")
        self.table, self.seat, self.action, self.name, self.why = table, seat, action, name, why

    def __reduce__(self) -> Any:
        return IllegalAction, (self.table, self.seat, self.action, self.name, self.why)


class Tables:
    """A batch of tables of one game.

    The arrays are the same objects for the life of the batch and are overwritten by `step`: copy to keep. With `autoreset` a table whose
    game ends begins its next one in the same step; `over`, `scores` and `utility` then describe the game that ended.

    v: a variant, or a list with one for each table.
    n: the number of tables.
    seed: the seed of the series of games; table i plays games i, i + n, i + 2n, ... of it.
    reward: how `utility` values a finished game: "rank", "win" or "score".
    buffers: memory for the arrays named in BUFFERS, such as shared memory or tensors of torch: arrays by name, or a function
      (name, shape, dtype) that returns an array or None. By default all arrays begin at multiples of 64 bytes. Copies have memory of
      their own.
    """

    states: npt.NDArray[Any]  # one state record for each table
    rules: npt.NDArray[Any]  # one rules record for each distinct variant
    rule: npt.NDArray[np.int64]  # for each table, its index in `rules`
    seat: npt.NDArray[np.int8]  # for each table, the seat to move, or -1 once the game is over
    mask: npt.NDArray[np.int8]  # for each table and action, 1 if the action is legal
    obs: npt.NDArray[np.uint8]  # for each table, what the seat to move may know
    over: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.int32]  # for each table and seat, the points
    utility: npt.NDArray[np.float32]  # for each table and seat, what the finished game is worth
    seeds: npt.NDArray[np.uint64]  # the seeds of the games in progress

    batch: Batch
    _parts: tuple[Any, ...]  # the batch, and further named tuples of arrays
    _arrays: tuple[Any, ...]  # those of the batch, for kernels
    _orders: tuple[Any, ...]
    _job: tuple[Any, ...]

    def __init__(
        self,
        v: Variant | str | Sequence[Variant | str],
        n: int | None = None,
        seed: int = 0,
        autoreset: bool = True,
        threads: int = 1,
        reward: str = "rank",
        buffers: Buffers | None = None,
    ) -> None:
        at_tables = variants_at(v, n)
        distinct = list(dict.fromkeys(at_tables))
        rows = {w: k for k, w in enumerate(distinct)}
        self._begin(distinct, np.array([rows[w] for w in at_tables], np.int64), seed, autoreset, threads, reward, buffers)
        self.reset()

    def _begin(
        self,
        distinct: list[Variant],
        rule: npt.NDArray[np.int64],
        seed: int,
        autoreset: bool,
        threads: int,
        reward: str,
        buffers: Buffers | None,
    ) -> None:
        """Make the arrays of a batch; no game is in progress yet."""
        if reward not in REWARDS:
            raise ValueError(f"reward {reward!r}: one of {', '.join(REWARDS)}")
        check_whole("seed", seed, 0, 2**64 - 1)
        check_whole("threads", threads, 1, numba.config.NUMBA_NUM_THREADS)
        self.distinct, self.game = distinct, distinct[0].spec
        self.n, self.seed, self.autoreset, self.reward, self.threads = rule.size, int(seed), bool(autoreset), reward, threads
        rules = aligned(len(distinct), self.game.RULES)  # of exactly this dtype: numba compares any other one field by field
        for k, w in enumerate(distinct):
            rules[k] = w.rules_record()[0]
        self._redealt = np.full(self.n, KNOWN)  # for each table, the number of the game whose first moves are not known
        self._longest = 0  # upper bound of the decisions so far in any game in progress
        self._k = self._kernels()
        batch = new_batch(self.game, rules, rule, self.seed, self.autoreset, reward)
        self._hold(batch._replace(**adopted(buffers, {name: getattr(batch, name) for name in BUFFERS})))

    def _kernels(self) -> SimpleNamespace:
        """Return the kernels that run this batch."""
        return kernels(self.game, self.threads)

    def _hold(self, batch: Batch, *more: Any) -> None:
        """Make these arrays those of the batch. `more` holds named tuples of further arrays.

        All are exchanged in one step, so that Ctrl-C cannot leave some old and some new.
        """
        shown = {name: getattr(part, name) for part in (batch, *more) for name in SHOWN if name in part._fields}
        job = tuple(batch) + tuple(itertools.chain(*more))
        orders = batch.states, batch.actions
        vars(self).update(shown, batch=batch, _parts=(batch, *more), _arrays=tuple(batch), _orders=orders, _job=job)

    def _replace(self, **changed: Any) -> None:
        """Replace the arrays or numbers of these names in the batch."""
        self._hold(self.batch._replace(**changed), *self._parts[1:])

    @property
    def variants(self) -> list[Variant]:
        """The variant that is played at each table."""
        return [self.distinct[k] for k in self.rule]

    def reset(self, which: Any = None, seeds: Any = None) -> None:
        """Begin new games at the listed tables, by default at all: the next ones of the series, or games of the given seeds."""
        index = table_numbers(which, self.n)
        self._assign(index, seeds)
        self._open(index)

    def _assign(self, index: npt.NDArray[np.int64], seeds: Any = None) -> None:
        """Give the listed tables the seeds of the games that they begin next."""
        if seeds is None:
            self.batch.games[index] += self.n
            fresh = game_seeds(self.batch.seed, self.batch.games[index])
        else:
            fresh = as_seeds(seeds)
            if fresh.shape not in ((), index.shape):
                raise ValueError(f"seeds: shape {fresh.shape}; {index.size} tables are reset")
        self.seeds[index] = fresh
        self.over[index] = False
        self._redealt[index] = KNOWN

    def _open(self, index: npt.NDArray[np.int64]) -> None:
        """Begin games at the listed tables with the seeds set for them."""
        self._k.open_tables(self._arrays, index)

    def restart(self, seed: int) -> None:
        """Begin the first games of another series at all tables, by the seed of that series."""
        check_whole("seed", seed, 0, 2**64 - 1)
        self.seed = int(seed)
        self._replace(seed=np.uint64(seed))
        self.batch.games[:] = np.arange(self.n) - self.n
        self.reset()

    def step(self, actions: Any, which: Any = None) -> None:
        """Take one action at every table, or at the listed tables; all actions are checked before anything changes."""
        self._order(actions, which)
        self._k.advance(self._job, self.n, self.threads)

    def _order(self, actions: Any, which: Any) -> None:
        """Write the actions of all tables, or of the listed ones, into the batch after checking every one."""
        index = None if which is None else table_numbers(which, self.n)
        chosen, size = np.asarray(actions), self.n if index is None else index.size
        if chosen.shape != (size,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions: {size} whole numbers are wanted, got shape {chosen.shape} of {chosen.dtype}")
        ordered = self.batch.actions
        if index is None:
            np.copyto(ordered, chosen, casting="unsafe")
            bad = self._k.refuse(self._orders, self.n, self.threads)
        else:
            ordered[:] = WAITS
            ordered[index] = chosen
            bad = self._k.refuse_some(self.states, ordered, index)
        if bad >= 0:
            raise self._illegal(bad, int(ordered[bad]))
        self._longest += 1
        if self._longest > self.batch.log.shape[1]:
            self._widen_log()

    def _widen_log(self) -> None:
        """Make room in the log for the longest game in progress."""
        self._longest, width = int(self.states["asked"].max()) + 1, self.batch.log.shape[1]
        if self._longest > width:
            more = max(self._longest - width, width // 8 + 32)
            self._replace(log=copied(np.pad(self.batch.log, ((0, 0), (0, more)))))

    def sample(self, lively: bool = False) -> npt.NDArray[np.int64]:
        """Return a random legal action for every table: all equally likely, or chosen by the game's lively player."""
        actions = np.empty(self.n, np.int64)
        self._k.choose((self.states, actions, lively), self.n, self.threads)
        return actions

    def mixed(self) -> npt.NDArray[np.int64]:
        """Return a random legal action for every table, chosen by the uniform and the lively player in turn."""
        return self.sample() if self.game.lively is None else np.where(np.arange(self.n) % 2, self.sample(True), self.sample())

    def observe(self, i: int, seat: int) -> npt.NDArray[np.uint8]:
        """Return the observation of a seat at table i."""
        self._check_seat(i, seat)
        out = np.zeros(self.game.FEATURES.size, np.uint8)
        self._k.look(self.states, self.rules, self.rule, i, seat, out)
        return out

    def observe_all(self, i: int) -> npt.NDArray[np.uint8]:
        """Return the observations of all seats at table i, one row for each seat."""
        self._check_seat(i, None)
        out = np.zeros((self.distinct[self.rule[i]].seats, self.game.FEATURES.size), np.uint8)
        self._k.look_all(self.states, self.rules, self.rule, i, out)
        return out

    def standing(self, i: int) -> npt.NDArray[np.int64]:
        """Return how the seats of table i stand now: the best stands highest, tied seats stand equally."""
        self._check_seat(i, None)
        out = np.zeros(self.scores.shape[1], np.int64)
        self._k.stand(self.states, self.rules, self.rule, i, out)
        return out

    def _check_seat(self, i: int, seat: int | None) -> None:
        """Raise a ValueError if there is no such table, or no such seat at it."""
        if not 0 <= i < self.n:
            raise ValueError(f"table {i}: 0 to {self.n - 1}")
        v = self.distinct[self.rule[i]]
        if seat is not None and not 0 <= seat < v.seats:
            raise ValueError(f"seat {seat}: 0 to {v.seats - 1} in {v}")

    def clone(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin._redealt = self._redealt.copy()
        twin._hold(*(type(part)(*map(copied, part)) for part in self._parts))
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: Any) -> Self:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_k", "_job", "_arrays", "_orders")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._k = self._kernels()
        self._hold(*(type(part)(*map(copied, part)) for part in self._parts))
        self._replace(states=self.states.view(self.game.STATE), rules=self.rules.view(self.game.RULES))

    def determinize(self, seats: Any, key: int) -> Self:
        """Return a copy in which everything that each table's given seat cannot know is dealt again, including future luck.

        Nothing in the copy leads back to the true game: neither its seed nor its moves, and the games that follow are others.
        """
        check_whole("key", key, 0, 2**64 - 1)
        views = np.broadcast_to(np.asarray(seats, np.int64), (self.n,)).copy()
        for i, seat in enumerate(views):
            self._check_seat(i, int(seat))
        twin = self.clone()
        twin.seed = int(key)
        twin._replace(seed=np.uint64(key), log=np.zeros_like(self.batch.log), ended_seeds=np.zeros_like(self.batch.ended_seeds))
        twin.redeal(None, views, draw_each(np.full(self.n, key, np.uint64), REDEALS, np.arange(self.n)))
        return twin

    def redealt(self, which: Any, seats: Any, keys: Any) -> "Tables":
        """Return new tables, one for each listed table, that the given seat cannot tell from it; each is redealt by its own key."""
        index = table_numbers(which, self.n)
        twin = Tables([self.distinct[k] for k in self.rule[index]], autoreset=False, reward=self.reward)
        for name in ("states", "over", "scores", "utility"):
            np.copyto(getattr(twin, name), getattr(self, name)[index])
        twin.redeal(None, seats, keys)
        return twin

    def redeal(self, which: Any, seats: Any, keys: Any) -> None:
        """Redeal the listed tables: each becomes one that its given seat cannot tell from it; its key decides the new luck."""
        index = table_numbers(which, self.n)
        self._redealt[index] = self.batch.games[index]
        self._k.redeal(self._arrays, index, np.asarray(seats, np.int64), np.asarray(keys, np.uint64))

    def why_illegal(self, i: int, action: int) -> str:
        """Return in words the rule that forbids an action at table i, or "" if the action is legal."""
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
        """Return table i as text: all of it, or only what a seat may know."""
        self._check_seat(i, seat)
        return self.game.describe(self.states[i], self.rules[self.rule[i]], seat)

    def view(self, i: int, seat: int | None = None) -> View:
        """Return table i as plain data, with the answers to its question in words: all of it, or what a seat may know."""
        self._check_seat(i, seat)
        return look(self.distinct[self.rule[i]], self.states[i], self.rules[self.rule[i]], seat)

    def svg(self, i: int, seat: int | None = None) -> str:
        """Return a picture of table i as SVG: of all of it, or of what a seat may know."""
        from alehouse.envs.core.show.draw import draw

        return draw(self.view(i, seat))

    def _repr_svg_(self) -> str:
        return self.svg(0)

    def replay(self, i: int) -> Replay:
        """Return the replay of the game at table i; right after a game's end, of the game that ended."""
        self._check_seat(i, None)
        b, ended = self.batch, self.over[i] and self.autoreset
        if ended:
            return self._replayed(i, b.games[i] - self.n, b.ended_seeds[i], None)
        return self._replayed(i, b.games[i], b.seeds[i], self.states[i].asked)

    def _replayed(self, i: int, number: int, seed: int, asked: int | None) -> Replay:
        """Return the replay of the logged game with this number: its first `asked` decisions, or all of them. A ValueError if they do not
        lead to what stands at the table."""
        log, v = self.batch.log[i], self.distinct[self.rule[i]]
        if number == self._redealt[i] or (asked or 0) > log.size:
            raise ValueError(f"table {i}: no replay; the first moves of a redealt table are not known")
        replay = Replay.of_log(v, int(seed), log, asked)
        last = replay.tables()
        if not np.array_equal(last.scores[0], self.scores[i, : v.seats]) if asked is None else last.states[0] != self.states[i]:
            raise ValueError(f"table {i}: no replay; its moves do not lead to its state, which was edited or left half-way through a step")
        return replay

    def _retraced(self, b: Batch) -> npt.NDArray[np.bool_]:
        """Return whether the logged moves of each table of a batch lead to its state."""
        again, whole = np.zeros(self.n, self.game.STATE), np.zeros(self.n, np.bool_)
        self._k.retrace(tuple(b), again, whole)
        return np.asarray(whole & (bytes_of(again) == bytes_of(b.states)).all(axis=1), np.bool_)

    def _kept(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays that `kept` copies."""
        found = {name: getattr(part, name) for part in self._parts for name in part._fields if name in KEPT}
        fields = tables_file.fields_of(self.game)
        return found | {"states": bytes_of(self.states), "seed": np.array([self.batch.seed]), "redealt": self._redealt, "fields": fields}

    def kept(self) -> dict[str, npt.NDArray[Any]]:
        """Return as arrays all that decides how the games go on; `restore` takes these arrays.

        A game whose logged moves do not lead to its state, because the state was edited, counts as redealt.
        """
        redealt = np.where(self._retraced(self.batch), self._redealt, self.batch.games)
        return {name: array.copy() for name, array in self._kept().items()} | {"redealt": redealt}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from the arrays that `kept` returned; the batch must have the same settings.

        No state is trusted: either its logged moves lead to it again, or the table counts as redealt and `admit` accepts its state.
        """
        self._check_saved(arrays)
        states = np.array(arrays["states"]).reshape(-1).view(self.game.STATE)
        saved = {name: np.array(array) for name, array in arrays.items()} | {"states": states}
        led = self._retraced(self.batch._replace(**{name: saved[name] for name in TRACED}))
        for i in np.flatnonzero(~led & (saved["redealt"] != saved["games"])):
            raise ValueError(f"saved tables: table {i}: its moves do not lead to its state")
        if not led.all():
            admit(self.game, self.distinct, self.rules, saved["rule"][~led], picked(states, ~led))
        self.seed = int(saved["seed"][0])
        self._replace(seed=np.uint64(self.seed), log=saved["log"])
        self._redealt[:] = saved["redealt"]
        for part in self._parts:
            for name in set(KEPT).intersection(part._fields):
                getattr(part, name)[:] = saved[name]
        self._longest = self.batch.log.shape[1]  # the next step counts it again
        self.show()

    def _check_saved(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Raise a ValueError unless these are the arrays of a batch with these settings, with numbers within their limits."""
        own, limits = self._kept(), self._limits()
        if "fields" in arrays and not np.array_equal(arrays["fields"], own["fields"]):
            raise ValueError("the states of saved tables hold other fields")
        if "log" in arrays and arrays["log"].ndim == 2:
            own["log"] = np.broadcast_to(own["log"][:1, :1], arrays["log"].shape[:2])
        for name, array in own.items():
            if name not in arrays:
                raise ValueError(f"saved tables: {name} is missing")
            found = arrays[name].shape, arrays[name].dtype
            if found != (array.shape, array.dtype):
                raise ValueError(f"saved tables: {name} has shape {found[0]} of {found[1]}, not {array.shape} of {array.dtype}")
            given = arrays[name].view(np.uint8) if array.dtype == np.bool_ else arrays[name]
            low, high = limits.get(name, (-np.inf, np.inf))
            if array.dtype.kind != "u" and not (np.isfinite(given) & (low <= given) & (given <= high)).all():
                raise ValueError(f"saved tables: {name} holds numbers outside {low} to {high}")

    def _limits(self) -> dict[str, tuple[int, int]]:
        """Return the least and the largest number of those arrays that have limits."""
        return {"rule": (0, len(self.distinct) - 1), "games": (-self.n, 2**62), "over": (0, 1)}

    def show(self) -> None:
        """Compute seat, mask and observation of every table again, after records were edited."""
        self._k.show(self._arrays)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the batch to a file (numbers only, no code); it is renamed into place only when complete."""
        write_atomically(Path(path), tables_file.packed(self))

    @staticmethod
    def load(path: str | os.PathLike[str]) -> "Tables":
        """Read a saved batch; a ValueError says what is wrong with the file."""
        try:
            size = Path(path).stat().st_size  # 0 for a device, whose bytes may never end
            return tables_file.unpacked(read_within(Path(path), min(size, tables_file.LARGEST)))
        except FileNotFoundError:
            raise
        except DAMAGE as error:
            raise ValueError(f"{path}: not a batch this version can load: {error}") from None


def bytes_of(records: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Return records as rows of bytes."""
    return records.view(np.uint8).reshape(records.size, records.dtype.itemsize)


def variants_at(v: Variant | str | Sequence[Variant | str], n: int | None) -> list[Variant]:
    """Return the variant of each table; a ValueError says which variants do not fit together."""
    if n is not None:
        check_whole("n", n, 1, MOST)
    given = list(v) if isinstance(v, Sequence) and not isinstance(v, str) else [v] * (n or 1)
    if not given or n not in (None, len(given)):
        raise ValueError(f"n={len(given) if n is None else n}: at least 1, and as many as variants given ({len(given)})")
    return parsed(given)


def parsed(given: Sequence[Variant | str]) -> list[Variant]:
    """Return variants, some of which may be given by their ids; raise a ValueError if they are not all of one game."""
    known = {w: as_variant(w) for w in dict.fromkeys(given)}
    if len({w.spec for w in known.values()}) > 1:
        raise ValueError(f"variants of one game only; these are of {', '.join(sorted({w.game for w in known.values()}))}")
    return [known[w] for w in given]
