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
from alehouse.envs.core.faces.settings import (
    PATIENCE,
    RENDER_MODES,
    check_options,
    check_settings,
    chosen,
    fresh_seed,
    observation_space,
    shown,
)
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.learner_tables import LearnerTables, RandomAgent


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """One seat at each of `num_envs` tables; the others are played by opponents.

    A step takes one action at each table, then plays those of the opponents up to one's next decision or the end of the game, when the
    reward is paid. A table whose game has ended begins a new one with the next step, which ignores its action (NEXT_STEP).

    variant, or seats, modules, length and overrides: what is played.
    opponents: an agent (an object with `act(obs, mask, ctx)`) for all other seats, or a list with one for each of them in order of play
      from one's own seat; by default they take random legal actions.
    seat: one's own seat, or None to draw it for each game.
    on_illegal: "terminate" ends the game with -1; "penalize" gives -1, changes nothing, and truncates the game after 100 in a row;
      "raise" raises IllegalAction and changes nothing at any table.
    reward: what a game is worth at its end: "rank", "win" or "score".
    obs: "flat" for the observation alone, "dict" for the observation with the action mask. The masks are also in the infos.
    """

    def __init__(
        self,
        num_envs: int = 1,
        variant: Variant | str | None = None,
        *,
        opponents: Any = None,
        seat: int | None = None,
        seats: int | None = None,
        modules: Sequence[str] = (),
        length: str | None = None,
        overrides: Mapping[str, Value] | None = None,
        render_mode: str | None = None,
        on_illegal: str = "terminate",
        reward: str = "rank",
        obs: str = "flat",
        game: Game | str | None = None,
    ) -> None:
        self.variant = chosen(game, variant, seats, modules, length, overrides)
        check_settings(render_mode, on_illegal, obs)
        if seat is not None:
            check_whole("seat", seat, 0, self.variant.seats - 1)
        agents, line_up = lined_up(opponents, self.variant.seats - 1)
        self.metadata = {"render_modes": RENDER_MODES, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.render_mode, self.on_illegal, self.obs = render_mode, on_illegal, obs
        self.tables = LearnerTables(self.variant, num_envs, agents, [line_up], seat=seat, seed=fresh_seed(), autoreset=False, reward=reward)
        self.num_envs = self.tables.n
        self.single_observation_space = observation_space(self.variant.spec, obs)
        self.single_action_space = spaces.Discrete(self.variant.n_actions)
        self.observation_space = batched(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._done = np.ones(self.num_envs, np.bool_)  # tables that begin a new game with the next step
        self._refused = np.zeros(self.num_envs, np.int64)  # for each table, how many illegal actions in a row it got

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
        self._refused[which] = 0
        if seed is not None:
            check_whole("seed", seed, 0, 2**64 - 1)
            super().reset(seed=seed)
            self.tables.restart(seed)
        else:
            self.tables.reset(which)
        self._done &= ~which
        return self._seen(), self._infos()

    def step(self, actions: Any) -> tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Take one action of one's own at each table, then let the opponents play up to one's next decision."""
        moves = np.asarray(actions)
        if moves.shape != (self.num_envs,) or moves.dtype.kind not in "iu":
            raise ValueError(f"actions: {self.num_envs} whole numbers are wanted, got shape {moves.shape} of {moves.dtype}")
        tables, live = self.tables, ~self._done
        bad = live & ~self._legal(moves)
        if self.on_illegal == "raise" and bad.any():
            tables.step(moves[live], live)  # this raises IllegalAction
        moving = live & ~bad
        self._done = np.ones_like(live)  # if an opponent raises an error below, these tables begin again
        tables.step(moves[moving], moving)
        if not live.all():
            tables.reset(~live)
        self._refused[bad] += 1
        self._refused[~bad] = 0
        ended = moving & tables.over
        rewards = np.where(ended, tables.utility[np.arange(self.num_envs), tables.own], 0.0).astype(np.float64)
        rewards[bad] = -1.0
        terminated = ended | bad if self.on_illegal == "terminate" else ended
        truncated = bad & ~terminated & (self._refused >= PATIENCE)
        self._done = terminated | truncated
        return self._seen(), rewards, terminated, truncated, self._infos()

    def render(self) -> tuple[Any, ...]:
        """Return or show each table as the render mode says, as far as one's own seat may know it."""
        return tuple(shown(self.tables, i, int(seat), self.render_mode) for i, seat in enumerate(self.tables.own))

    def close_extras(self, **kwargs: Any) -> None:
        """Do nothing: no resource is held open."""

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the mask of legal actions of one's own seat at each table; all zero where the game is over."""
        masks = self.tables.mask.copy()
        masks[self._done] = 0
        return masks

    def _legal(self, moves: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        known = (moves >= 0) & (moves < self.variant.n_actions)
        legal: npt.NDArray[np.bool_] = self.tables.mask[np.arange(self.num_envs), np.where(known, moves, 0)] == 1
        return known & legal

    def _seen(self) -> Any:
        """Return what one's own seats see at all tables, in new arrays."""
        seen = np.where(self.tables.over[:, None], self.tables.last, self.tables.obs)
        return seen if self.obs == "flat" else {"observation": seen, "action_mask": self.action_masks()}

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.tables.own.astype(np.int64)}


def batched(space: spaces.Space[Any], n: int) -> spaces.Space[Any]:
    """Return the space of n observations; gymnasium's own function sorts the keys of a Dict."""
    if isinstance(space, spaces.Dict):
        return spaces.Dict([(key, batch_space(part, n)) for key, part in space.spaces.items()])
    return batch_space(space, n)


def lined_up(opponents: Any, others: int) -> tuple[list[Any], list[int]]:
    """Return the distinct opponents, and for each other seat in order of play the index of its opponent."""
    line = [RandomAgent()] * others if opponents is None else opponents
    line = list(line) if isinstance(line, (list, tuple)) else [line] * others
    if len(line) != others:
        raise ValueError(f"opponents: {len(line)} given, there are {others} other seats")
    distinct = {id(agent): agent for agent in line}
    return list(distinct.values()), [list(distinct).index(id(agent)) for agent in line]
