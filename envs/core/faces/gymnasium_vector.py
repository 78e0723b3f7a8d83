"""The Gymnasium vector environment: one seat at each of many tables, against given opponents."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.numbers import Value
from alehouse.envs.core.faces.form import Form
from alehouse.envs.core.faces.settings import (
    PATIENCE,
    RENDER_MODES,
    check_options,
    check_settings,
    chosen,
    fresh_seed,
    shown,
)
from alehouse.envs.core.run.inputs import MOST, check_whole
from alehouse.envs.core.run.learner_kernels import LEARNER
from alehouse.envs.core.run.learner_tables import LearnerTables, RandomAgent
from alehouse.envs.core.run.standings import outcomes
from alehouse.envs.core.run.tables import IllegalAction

Bools = npt.NDArray[np.bool_]


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """One seat at each of `num_envs` tables; the others are played by opponents.

    A step takes one action at each table, then plays those of the opponents up to one's next decision or the end of the game, when the
    reward is paid.

    variant, or seats, modules, length and overrides: what is played. Of a list of variants each game draws one.
    opponents: an agent (an object with `act(obs, mask, ctx)`) or the name of one ("heuristic", "net", "level:3", "search:20ms") for all
      other seats, or a list with one for each of them in order of play from one's own seat; by default they take random legal actions.
    line_ups: each game draws one of these rows of indices into the list of opponents (see LearnerTables).
    seat: one's own seat, or None to draw it for each game.
    on_illegal: "terminate" ends the game with -1; "penalize" gives -1, changes nothing, and truncates the game after 100 in a row;
      "raise" raises IllegalAction and changes nothing at any table.
    reward: what a game is worth at its end: "rank", "win" or "score".
    obs: "flat" for the observation alone, "dict" for the observation with the action mask. The masks are also in the infos.
    dtype: the numbers of observations, "uint8" (the default) or "float32".
    scaled: whether to divide each number by the largest that it can be; the observations are then float32 from 0 to 1.
    autoreset_mode: when a table whose game has ended begins its next one: with the next step, which ignores its action ("NextStep"), in
      the same step ("SameStep"), or with `reset(options={"reset_mask": ...})` ("Disabled").
    max_episode_steps: truncate a game after this many of one's own steps.
    threads: the number of threads that play.
    skip_forced: whether to take decisions with one legal action without showing them.

    Where a game has ended by its rules, the infos hold the `points` and the `ranks` of all seats and the `winner`, -1 if there is not
    exactly one. With "SameStep" they stand in infos["final_info"], beside infos["final_obs"].
    """

    def __init__(
        self,
        num_envs: int = 1,
        variant: Variant | str | Sequence[Variant | str] | None = None,
        *,
        opponents: Any = None,
        line_ups: Sequence[Sequence[int]] | None = None,
        seat: int | None = None,
        seats: int | None = None,
        modules: Sequence[str] = (),
        length: str | None = None,
        overrides: Mapping[str, Value] | None = None,
        render_mode: str | None = None,
        on_illegal: str = "terminate",
        reward: str = "rank",
        obs: str = "flat",
        dtype: Any = None,
        scaled: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        threads: int = 1,
        skip_forced: bool = False,
        game: Game | str | None = None,
    ) -> None:
        several = list(variant) if isinstance(variant, Sequence) and not isinstance(variant, str) else [variant]
        self.variants = [chosen(game, one, seats, modules, length, overrides) for one in several]
        if not self.variants:
            raise ValueError("variant: at least one variant")
        self.variant, spec = self.variants[0], self.variants[0].spec
        self.form = Form(spec, obs, dtype, scaled)
        check_settings(render_mode, on_illegal)
        self.autoreset_mode = reset_mode(autoreset_mode)
        if max_episode_steps is not None:
            check_whole("max_episode_steps", max_episode_steps, 1, MOST)
        self.render_mode, self.on_illegal = render_mode, on_illegal
        if line_ups is None:
            opponents, line_ups = lined_up(opponents, max(v.seats for v in self.variants) - 1)
        self.tables = LearnerTables(
            self.variants, num_envs, opponents, line_ups, seat=seat, skip_forced=skip_forced, seed=fresh_seed(),
            autoreset=self.autoreset_mode is AutoresetMode.SAME_STEP, threads=threads, reward=reward,
        )  # fmt: skip
        self.metadata = {"render_modes": RENDER_MODES, "autoreset_mode": self.autoreset_mode}
        self.num_envs = self.tables.n
        self.single_observation_space = self.form.space()
        self.single_action_space = spaces.Discrete(len(spec.ACTIONS))
        self.observation_space = batched(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seats = np.array([v.seats for v in self.tables.distinct])
        self._most = MOST if max_episode_steps is None else max_episode_steps
        self._rows = np.arange(self.num_envs)
        self._done = np.zeros(self.num_envs, np.bool_)  # tables whose game is over, or cut off, and whose next one has not begun
        self._refused = np.zeros(self.num_envs, np.int64)  # for each table, how many illegal actions in a row it got
        self._taken = np.zeros(self.num_envs, np.int64)  # for each table, the steps so far in its game

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin new games at all tables, from the first game of a seed if one is given, or only at the tables in options["reset_mask"]."""
        check_options(options, ("reset_mask",))
        which = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            which = np.asarray(options["reset_mask"])
            if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
                raise ValueError(f"reset_mask: {self.num_envs} booleans, at least one of them true")
            if seed is not None:
                raise ValueError("reset_mask: a seed begins new games at all tables; give one or the other")
        self._done |= which  # if an opponent raises an error below, these tables begin again
        self._refused[which] = self._taken[which] = 0
        if seed is not None:
            check_whole("seed", seed, 0, 2**64 - 1)
            super().reset(seed=seed)
            self.tables.restart(seed)
        else:
            self.tables.reset(which)
        self._done &= ~which
        return self._seen(), self._infos()

    def step(self, actions: Any) -> tuple[Any, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Take one action of one's own at each table, then let the opponents play up to one's next decision."""
        moves = np.asarray(actions)
        if moves.shape != (self.num_envs,) or moves.dtype.kind not in "iu":
            raise ValueError(f"actions: {self.num_envs} whole numbers are wanted, got shape {moves.shape} of {moves.dtype}")
        t, live = self.tables, ~self._done & (self.tables.seat >= 0)
        if self.autoreset_mode is AutoresetMode.DISABLED and not live.all():
            raise ValueError(f"table {live.argmin()}: no game is in progress; reset(options={{'reset_mask': ...}}) begins one")
        bad = live & ~self._legal(moves) if self.on_illegal != "raise" else np.zeros_like(live)
        moving, own, seats = live & ~bad, t.own.astype(np.int64), self._seats[t.rule]
        self._advance(moves, moving, live)
        ended = moving & t.over
        at = np.flatnonzero(ended)
        rewards = np.zeros(self.num_envs)
        rewards[at] = t.utility[at, t.moved[at]]
        rewards[bad] = -1.0
        self._taken = np.where(live, self._taken + 1, 0)
        self._refused = np.where(bad, self._refused + 1, 0)
        terminated = ended | bad if self.on_illegal == "terminate" else ended
        truncated = ~terminated & ((self._refused >= PATIENCE) | (self._taken >= self._most))
        self._done = terminated | truncated
        outcome = self._outcomes(at, seats[at])
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            outcome = self._renewed(ended, own, outcome)
        return self._seen(), rewards, terminated, truncated, self._infos() | outcome

    def _advance(self, moves: npt.NDArray[Any], moving: Bools, live: Bools) -> None:
        """Take the actions of the tables that move, and begin new games where none is in progress."""
        begin = None if live.all() else ~live
        try:
            if moving.all():
                self.tables.step(moves)
            else:
                self.tables.step(moves[moving], moving, begin)
        except BaseException as error:
            own = isinstance(error, IllegalAction) and self.tables.players[error.table, error.seat] == LEARNER
            if not own:  # an opponent has failed half-way through the step, so all tables begin again
                self._done[:] = True
            raise

    def _outcomes(self, at: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]) -> dict[str, Any]:
        """Return, for the infos, how the games that have ended at these tables ended."""
        if not at.size:
            return {}
        t = self.tables
        return self._spread(outcomes(t.scores[at], t.stood[at], seats), at)

    def _spread(self, found: Mapping[str, npt.NDArray[Any]], at: npt.NDArray[np.int64]) -> dict[str, Any]:
        """Return arrays over all tables from arrays over some of them, and beside each the mask that says where it holds."""
        infos, mask = {}, np.zeros(self.num_envs, np.bool_)
        mask[at] = True
        for name, values in found.items():
            infos[name] = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            infos[name][at] = values
            infos[f"_{name}"] = mask
        return infos

    def _renewed(self, ended: Bools, own: npt.NDArray[np.int64], outcome: dict[str, Any]) -> dict[str, Any]:
        """Begin a new game wherever one was cut off, and return the last observations and infos of all games that are over."""
        at = np.flatnonzero(self._done)
        if not at.size:
            return {}
        t, over = self.tables, self._done
        seen = self.form.numbers(np.where(ended[at, None], t.last[at], t.obs[at]))
        last = np.full(self.num_envs, None, object)
        masks = None if self.form.obs == "flat" else np.zeros((at.size, self.form.n_actions), np.int8)
        for k, i in enumerate(at.tolist()):
            last[i] = seen[k] if masks is None else {"observation": seen[k], "action_mask": masks[k]}
        if (over & ~ended).any():
            t.reset(over & ~ended)
        self._done = np.zeros_like(over)
        self._taken[at] = self._refused[at] = 0
        final = outcome | self._spread({"seat": own[at]}, at)
        return {"final_obs": last, "_final_obs": over, "final_info": final, "_final_info": over.copy()}

    def render(self) -> tuple[Any, ...]:
        """Return or show each table as the render mode says, as far as one's own seat may know it."""
        return tuple(shown(self.tables, i, int(seat), self.render_mode) for i, seat in enumerate(self.tables.own))

    def close_extras(self, **kwargs: Any) -> None:
        """Do nothing: no resource is held open."""

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the mask of legal actions of one's own seat at each table; all zero where the game is over."""
        masks = self.tables.mask.copy()
        if self._done.any():
            masks[self._done] = 0
        return masks

    def _legal(self, moves: npt.NDArray[Any]) -> Bools:
        known = (moves >= 0) & (moves < self.form.n_actions)
        legal: Bools = self.tables.mask[self._rows, np.where(known, moves, 0)] == 1
        return known & legal

    def _seen(self) -> Any:
        """Return what one's own seats see at all tables, in new arrays."""
        t = self.tables
        numbers = self.form.numbers(t.obs)
        if not t.autoreset and t.over.any():
            numbers[t.over] = self.form.numbers(t.last[t.over])
        return numbers if self.form.obs == "flat" else {"observation": numbers, "action_mask": self.action_masks()}

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.tables.own.astype(np.int64)}


def batched(space: spaces.Space[Any], n: int) -> spaces.Space[Any]:
    """Return the space of n observations; gymnasium's own function sorts the keys of a Dict."""
    if isinstance(space, spaces.Dict):
        return spaces.Dict([(key, batch_space(part, n)) for key, part in space.spaces.items()])
    return batch_space(space, n)


def reset_mode(given: AutoresetMode | str) -> AutoresetMode:
    """Return the autoreset mode that a caller gave, as it is or by its name."""
    try:
        return AutoresetMode(given)
    except ValueError:
        raise ValueError(f"autoreset_mode={given!r}: one of {', '.join(repr(mode.value) for mode in AutoresetMode)}") from None


def lined_up(opponents: Any, others: int) -> tuple[list[Any], list[list[int]]]:
    """Return the distinct opponents, and one line-up: for each other seat in order of play the index of its opponent."""
    line = opponents if isinstance(opponents, (list, tuple)) else [RandomAgent() if opponents is None else opponents] * others
    if len(line) != others:
        raise ValueError(f"opponents: {len(line)} given, there are {others} other seats")
    distinct = {one if isinstance(one, str) else id(one): one for one in line}
    return list(distinct.values()), [[list(distinct).index(one if isinstance(one, str) else id(one)) for one in line]]
