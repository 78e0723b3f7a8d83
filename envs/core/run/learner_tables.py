"""Tables for a learner: only the learner decides from outside, the opponents play in between."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.run.arrays import Buffers, aligned, copied
from alehouse.envs.core.run.batch_kernels import WAITS
from alehouse.envs.core.run.compiling import announced
from alehouse.envs.core.run.context import ask
from alehouse.envs.core.run.inputs import MOST, check_whole, table_numbers
from alehouse.envs.core.run.jit import cache_folder, home_of_kernel
from alehouse.envs.core.run.learner_kernels import BEGIN, LEARNER, PLAY_ON, Inside, Learning, learner_kernels, random_agent
from alehouse.envs.core.run.named_agents import as_agent
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import Tables, parsed


class LearnerTables(Tables):
    """Tables at which only a learner decides from outside.

    `step` takes the learner's actions, then plays the opponents' until the learner must decide again or the game is over. Opponents that
    decide inside numba play without leaving it; others are called once for all tables. A game in which the learner never decides is
    followed by the next one. No game is in progress before the first `reset`.

    v: a variant, or several of one game.
    opponents: agents, or names of agents such as "heuristic" and "level:3"; line-ups name them by their index.
    line_ups: each row holds the indices of the opponents in order of play from the learner's seat, with LEARNER where the learner plays
      too; a row of one index uses that opponent for all other seats. Each game draws its variant, a line-up and the learner's seat from its
      seed. Without line-ups tables keep their variants, and callers write `players` (who plays where) before they reset a table.
    seat: the learner's seat, or None to draw it for each game.
    skip_forced: whether to take decisions with one legal action without showing them, the learner's too.
    """

    players: npt.NDArray[np.int8]  # for each table and seat, the index of the opponent that plays there, or LEARNER
    line_up: npt.NDArray[np.int64]  # for each table, the index of its line-up
    own: npt.NDArray[np.int8]  # for each table, the learner's seat
    moved: npt.NDArray[np.int8]  # for each table, the seat that the learner decided for last
    decided: npt.NDArray[np.int64]  # for each table, how many decisions the learner took in this game; 0 or less before its first
    last: npt.NDArray[np.uint8]  # for each table, what seat `moved` saw at the end of the last finished game
    won: npt.NDArray[np.float32]  # for each table and seat, the share of the win in the last finished game
    stood: npt.NDArray[np.int64]  # for each table and seat, how it stood at the end of the last finished game; the best stands highest

    def __init__(
        self,
        v: Variant | str | Sequence[Variant | str],
        n: int,
        opponents: Any = (),
        line_ups: Sequence[Sequence[int]] = (),
        *,
        seat: int | None = None,
        skip_forced: bool = False,
        seed: int = 0,
        autoreset: bool = True,
        threads: int = 1,
        reward: str = "rank",
        buffers: Buffers | None = None,
    ) -> None:
        check_whole("n", n, 1, MOST)
        given = list(v) if isinstance(v, Sequence) and not isinstance(v, str) else [v]
        distinct = list(dict.fromkeys(parsed(given)))
        if not distinct:
            raise ValueError("v: at least one variant")
        if seat is not None:
            check_whole("seat", seat, 0, min(w.seats for w in distinct) - 1)
        self.opponents = [as_agent(one, distinct[0].spec, threads) for one in listed(opponents)]
        self._begin(distinct, np.arange(n) % len(distinct), seed, autoreset, threads, reward, buffers)
        seats, inside = self.scores.shape[1], agents_inside(self.opponents, self.game)
        known = [one or shared(inside, self.game) for one in inside or [None]]
        rows = [line_up_of(row, seats - 1, len(self.opponents)) for row in line_ups]
        learning = Learning(
            players=copied(np.full((n, seats), LEARNER, np.int8)),
            line_up=aligned(n, np.int64),
            own=aligned(n, np.int8),
            moved=aligned(n, np.int8),
            decided=aligned(n, np.int64),
            last=aligned(self.obs.shape, np.uint8),
            won=aligned((n, seats), np.float32),
            stood=aligned((n, seats), np.int64),
            line_ups=np.array(rows, np.int8).reshape(len(rows), seats - 1),
            inside=np.array([one is not None for one in inside], np.bool_),
            weights=np.concatenate([one.weights for one in known]),
            options=np.stack([one.options for one in known]),
            fixed_seat=LEARNER if seat is None else int(seat),
            skip_forced=bool(skip_forced),
        )
        self._hold(self.batch, learning)
        home = home_of_kernel(shared(inside, self.game).decide) or self.game.folder
        with announced(f"{self.game.name} with a learner", cache_folder(home) / f"{self.game.name}.learner.ready"):
            self._k.advance(self._job, 0)

    def _kernels(self) -> SimpleNamespace:
        one = shared(agents_inside(self.opponents, self.game), self.game)
        super()._kernels()
        return learner_kernels(self.game, one.decide, one.prepare)

    def _limits(self) -> dict[str, tuple[int, int]]:
        seats, line_ups = self.scores.shape[1], len(self._parts[1].line_ups)
        more = {"players": (LEARNER, len(self.opponents) - 1), "line_up": (0, max(0, line_ups - 1)), "decided": (-(2**31), 2**31)}
        return super()._limits() | more | dict.fromkeys(("own", "moved"), (0, seats - 1))

    def _open(self, index: npt.NDArray[np.int64]) -> None:
        self.batch.actions[:] = WAITS
        self.batch.actions[index] = BEGIN
        self._play_on(index)

    def step(self, actions: Any, which: Any = None, begin: Any = None) -> None:
        """Take the learner's action at every table, or at the listed ones, and play on until it must decide again or the game is over.

        The tables listed in `begin` begin the next games of the series; `which` must not list them.
        """
        self._order(actions, which)
        self.batch.actions[self.seat < 0] = WAITS
        index = table_numbers(which, self.n)
        if begin is not None:
            fresh = table_numbers(begin, self.n)
            self._assign(fresh)
            self.batch.actions[fresh] = BEGIN
            index = np.concatenate([index, fresh])
        self._play_on(index)

    def _play_on(self, index: npt.NDArray[np.int64]) -> None:
        """Take the actions of the listed tables, and call agents outside numba until all these tables wait for the learner."""
        if not index.size:
            return
        self._advance()
        actions = self.batch.actions
        while (waiting := index[(self.seat[index] >= 0) & (self.players[index, self.seat[index]] >= 0)]).size:
            actions[:] = WAITS
            who = self.players[waiting, self.seat[waiting]]
            for k in np.unique(who):
                rows = waiting[who == k]
                actions[rows] = ask(self.opponents[k], self, rows)
            bad = self._k.refuse_some(self.states, actions, waiting)
            if bad >= 0:
                raise self._illegal(bad, int(actions[bad]))
            self._advance()

    def _advance(self) -> None:
        """Run the kernel; run it again after widening the log wherever a game has filled it."""
        while True:
            stuck = self._k.advance(self._job, self.n, self.threads)
            if stuck >= 0:
                raise ValueError(f"{self.distinct[self.rule[stuck]]}: the learner is never asked; give another seat")
            if self.states["asked"].max() < self.batch.log.shape[1]:
                return
            self._widen_log()
            self.batch.actions[:] = np.where(self.seat < 0, WAITS, PLAY_ON)

    def redeal(self, which: Any, seats: Any, keys: Any) -> None:
        """Redeal the listed tables (see Tables), and play on there until the learner must decide."""
        super().redeal(which, seats, keys)
        index = table_numbers(which, self.n)
        self.batch.actions[:] = WAITS
        self.batch.actions[index] = np.where(self.seat[index] < 0, WAITS, PLAY_ON)
        self._play_on(index)

    def replay(self, i: int) -> Replay:
        """Return the replay of the game at table i: of the one in progress or, without autoreset, of the one that has ended."""
        self._check_seat(i, None)
        return self._replayed(i, self.batch.games[i], self.seeds[i], self.states[i].asked)


class RandomAgent:
    """An agent for these tables that chooses among all legal actions with equal chance."""

    name = "random"

    def inside(self, game: Game) -> Inside:
        """Return this agent in the form that decides inside numba."""
        return random_agent(game)


def listed(opponents: Any) -> list[Any]:
    """Return opponents as a list: several stand in a list or a tuple, one stands alone."""
    return list(opponents) if isinstance(opponents, (list, tuple)) else [opponents]


def line_up_of(row: Sequence[int], others: int, opponents: int) -> list[int]:
    """Return which opponent sits in each of the other seats; a ValueError says what is wrong with a line-up."""
    if len(row) not in (1, others):
        raise ValueError(f"line_ups: a row of {len(row)} numbers, there are {others} other seats")
    for k in row:
        check_whole("line_ups: opponent", k, LEARNER, opponents - 1)
    return list(row) if len(row) == others else list(row) * others


def agents_inside(opponents: Sequence[Any], game: Game) -> list[Inside | None]:
    """Return for each opponent its form inside numba, or None if it decides outside; those inside must share their kernels."""
    found = [agent.inside(game) if hasattr(agent, "inside") else None for agent in opponents]
    decide = next((one.decide for one in found if one is not None), None)
    inside = [one if one is not None and one.decide is decide else None for one in found]
    for agent, one in zip(opponents, inside, strict=True):
        if one is None and not callable(getattr(agent, "act", None)):
            raise ValueError(f"opponents: {agent!r} is no agent, it has no act(obs, mask, ctx)")
    return inside


def shared(inside: Sequence[Inside | None], game: Game) -> Inside:
    """Return the first agent that decides inside numba, or a random agent if there is none."""
    return next((one for one in inside if one is not None), random_agent(game))
