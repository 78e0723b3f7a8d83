"""One table as PettingZoo sees it; the AEC and the Parallel environment both build on it."""

import copy
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from alehouse.envs.core.declare.game import Game, Variant
from alehouse.envs.core.declare.numbers import Value
from alehouse.envs.core.faces.form import Form
from alehouse.envs.core.faces.settings import PATIENCE, RENDER_MODES, check_settings, chosen, fresh_seed, shown
from alehouse.envs.core.run.standings import outcomes
from alehouse.envs.core.run.tables import IllegalAction, Tables


class Table:
    """One table and how it is shown.

    variant, or seats, modules, length and overrides: what is played.
    render_mode: "ansi" returns the table in words, "rgb_array" as pixels; "human" shows it after every move.
    on_illegal: "terminate" ends the game (the offender gets -1, the others 0); "penalize" gives -1, changes nothing, and truncates the
      game after 100 in a row; "raise" raises IllegalAction and changes nothing.
    reward: what a game is worth at its end: "rank", "win" or "score".
    obs: "dict" for the observation with the action mask, "flat" for the observation alone. The masks are also in the infos.
    dtype: the numbers of observations, "uint8" (the default) or "float32".
    scaled: whether to divide each number by the largest that it can be; the observations are then float32 from 0 to 1.
    idle: the mask of a seat that is not asked: "none" allows no action, "any" allows all, for libraries that choose one for every seat.

    When a game has ended by its rules, the infos hold the `points` and the `ranks` of all seats and the `winner`, -1 if there is not
    exactly one.
    """

    def __init__(
        self,
        variant: Variant | str | None = None,
        *,
        seats: int | None = None,
        modules: Sequence[str] = (),
        length: str | None = None,
        overrides: Mapping[str, Value] | None = None,
        render_mode: str | None = None,
        on_illegal: str = "terminate",
        reward: str = "rank",
        obs: str = "dict",
        dtype: Any = None,
        scaled: bool = False,
        idle: str = "none",
        game: Game | str | None = None,
    ) -> None:
        self.variant = chosen(game, variant, seats, modules, length, overrides)
        check_settings(render_mode, on_illegal, idle)
        self.render_mode, self.on_illegal, self.obs, self.idle = render_mode, on_illegal, obs, idle
        self.form = Form(self.variant.spec, obs, dtype, scaled)
        self.tables = Tables(self.variant, seed=fresh_seed(), autoreset=False, reward=reward)
        from alehouse.envs.games import newest

        spec = self.variant.spec
        self.metadata = {"name": f"{spec.name}_v{newest(spec.name)}", "render_modes": RENDER_MODES, "is_parallelizable": False}
        self.possible_agents = [f"player_{p}" for p in range(self.variant.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.form.space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(len(spec.ACTIONS)) for agent in self.possible_agents}
        self.state_space = self.form.box(self.variant.seats)
        self._places = {agent: p for p, agent in enumerate(self.possible_agents)}
        self._size = self.variant.n_actions
        self._idle_masks = np.full((self.variant.seats, self._size), idle == "any", np.int8)  # the masks of seats that are not asked
        self._idle_mask = self._idle_masks[0]
        self._action = np.zeros(1, np.int64)
        self._refused = 0  # counts illegal actions in a row

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def state(self) -> npt.NDArray[Any]:
        """Return what all seats know together: their observations, one after the other."""
        return self.form.numbers(self.tables.observe_all(0)).ravel()

    def render(self) -> Any:
        """Return or show the whole table, as the render mode says."""
        return shown(self.tables, 0, None, self.render_mode)

    def _repr_svg_(self) -> str:
        return self.tables.svg(0)

    def close(self) -> None:
        """Do nothing: no resource is held open."""

    def clone(self) -> Self:
        """Return an independent copy in the same position."""
        return copy.deepcopy(self)

    def _seat(self, agent: str) -> int:
        if agent not in self._places:
            raise ValueError(f"agent {agent!r}: one of {', '.join(self.possible_agents)}, once reset() was called")
        return self._places[agent]

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _open(self, seed: int | None) -> None:
        """Start the first game of this seed or, without a seed, the next game of the series."""
        if seed is None:
            self.tables.reset()
        else:
            self.tables.restart(seed)
        self.agents = self.possible_agents[:]
        self._refused = 0

    def _check_open(self) -> None:
        if not self.agents:
            raise ValueError("no game is in progress: call reset() first")

    def _move(self, action: Any) -> IllegalAction | None:
        """Play an action; if it is illegal, change nothing and return the error."""
        try:
            self._action[0] = index(action)
            self.tables.step(self._action)
        except IllegalAction as fault:
            if self.on_illegal == "raise":
                raise
            self._refused += 1
            return fault
        except (TypeError, OverflowError):
            raise ValueError(f"action {action!r}: a whole number from 0 to {self.variant.n_actions - 1} is wanted") from None
        self._refused = 0
        return None

    def _verdict(self, fault: IllegalAction | None) -> tuple[bool, bool, list[float]]:
        """Return, after a move, whether the game is terminated, whether it is truncated, and each seat's reward."""
        rewards = [0.0] * self.variant.seats
        if fault is None:
            over = bool(self.tables.over[0])
            return over, False, self.tables.utility[0].tolist() if over else rewards
        rewards[fault.seat] = -1.0
        return self.on_illegal == "terminate", self._refused >= PATIENCE, rewards

    def _outcome(self) -> dict[str, Any]:
        """Return, for the infos, how the game has ended."""
        found = outcomes(self.tables.scores, self.tables.standing(0)[None], np.array([self.variant.seats]))
        return {"points": found["points"][0], "ranks": found["ranks"][0], "winner": int(found["winner"][0])}
