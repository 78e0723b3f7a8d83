"""Learning at many tables with Stable-Baselines3: a vectorised environment where the learner has one seat at each table, or all."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvStepReturn

from alehouse.agents import UNIFORM, Agent
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.faces import SeatVectorEnv
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.learner_kernels import LEARNER
from alehouse.envs.core.run.learner_tables import listed
from alehouse.training.advice import Adviser

MOST = 4096  # the most tables of one environment
SHAPED = ("rank", "win")  # the rewards that can be shaped


class SeatVecEnv(VecEnv):
    """A vectorised environment of Stable-Baselines3 over n tables, with `action_masks`: SeatVectorEnv as that library wants it.

    A step takes the learner's actions and plays on to its next decision with a choice. Each game draws its variant, the learner's seat and
    its opponent, and keeps them to the end, when the reward is paid.

    v: a variant, or several of one game to draw from.
    opponents: an agent or the name of one, or several; one of them plays all seats but the learner's. By default they take random legal
      actions.
    seat: the learner's seat, or None to draw it for each game.
    reward: what a game is worth at its end: "rank", "win" or "score".
    every_seat: the learner decides for every seat of every table. `moved`, `over` and `utility` of `tables` then say for which seat it
      decided last and what a game was worth to each: one stream for each table and seat, see `training.sb3_policy.Rollouts`.
    dtype: the numbers of observations, "uint8" (the default) or "float32".
    scaled: whether to divide each number by the largest that it can be; the observations are then float32 from 0 to 1.
    ratings: whether observations are a dict of the `observation` and of the heuristic's `ratings`: for each action how far it is below the
      best one, in units of the heuristic's weight `temper`, and 0 for an illegal action.
    shaping: "value", or the file of a value, adds to each reward how the learner's share of the win has changed since its last decision, by
      that value in tables redealt for its seat, and takes all of it back when the game ends. With a discount of 1 every policy's expected
      sum of rewards changes by the same amount, so the best play stays the same. It needs reward "rank" or "win".
    """

    render_mode: str | None = None

    def __init__(
        self,
        v: Variant | str | Sequence[Variant | str],
        n: int = 1024,
        opponents: Agent | str | Sequence[Agent | str] | None = None,
        seat: int | None = None,
        seed: int = 0,
        reward: str = "rank",
        threads: int = 1,
        every_seat: bool = False,
        dtype: Any = None,
        scaled: bool = False,
        ratings: bool = False,
        shaping: str | None = None,
    ) -> None:
        check_whole("n", n, 1, MOST)
        check_whole("seed", seed, 0, 2**64 - 1)
        if every_seat and (opponents is not None or seat is not None):
            raise ValueError("every_seat=True: the learner has all seats; give neither opponents nor seat")
        if shaping is not None and (every_seat or reward not in SHAPED):
            raise ValueError(f"shaping={shaping!r}: for one seat at each table (every_seat=False), with reward {' or '.join(SHAPED)}")
        given = [] if every_seat else [UNIFORM] if opponents is None else listed(opponents)
        if not given and not every_seat:
            raise ValueError("opponents: at least one agent")
        self.every_seat, line_ups = every_seat, [[LEARNER]] if every_seat else [[k] for k in range(len(given))]
        self.vector = SeatVectorEnv(
            n, v, opponents=given, line_ups=line_ups, seat=seat, on_illegal="raise", reward=reward, dtype=dtype, scaled=scaled,
            autoreset_mode=AutoresetMode.SAME_STEP, threads=threads, skip_forced=True,
        )  # fmt: skip
        self.tables = self.vector.tables
        self.opponents, self.variants, self.game = self.tables.opponents, self.tables.distinct, self.tables.game
        self.adviser, self.rated, self.shaped = Adviser(self.tables, shaping), bool(ratings), shaping is not None
        self.worth = np.zeros(n, np.float32)  # for each table, what the reward has been shaped by so far
        self._clock = time.monotonic()
        space: spaces.Space[Any] = self.vector.single_observation_space
        if ratings:
            space = spaces.Dict(observation=space, ratings=spaces.Box(-np.inf, 0, (len(self.game.ACTIONS),), np.float32))
        super().__init__(n, space, self.vector.single_action_space)
        self.seed(seed)

    # The methods that Stable-Baselines3 demands of an environment

    def reset(self) -> Any:
        """Begin new games at all tables: the first games of the seed that `seed` has set, or else the next ones."""
        seed = self._seeds[0]
        self._reset_seeds()
        self._reset_options()
        self.vector.reset(seed=seed)
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.look()

    def look(self) -> Any:
        """Return the present observations, and begin to shape rewards from these positions on; call it after `tables.restore`."""
        self.worth = self._worth()
        return self._shown(self.vector.form.numbers(self.tables.obs))

    def _shown(self, seen: Any) -> Any:
        """Return observations, with the ratings if they are wanted."""
        return {"observation": seen, "ratings": self.adviser.ratings()} if self.rated else seen

    def _worth(self) -> npt.NDArray[np.float32]:
        """Return what each position is worth to the learner, on the scale of the reward; zeros without shaping."""
        if not self.shaped:
            return self.worth
        shares, t = self.adviser.shares(), self.tables
        seats = t.rules["seats"][t.rule]
        return shares if t.reward == "win" else np.where(seats > 1, (shares * seats - 1) / np.maximum(seats - 1, 1), 0).astype(np.float32)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Keep the learner's actions for `step_wait`."""
        if self.tables.seat.min() < 0:
            raise ValueError("no game is in progress: call reset() first")
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Take the learner's actions, if all are legal, and play on to its next decisions."""
        t = self.tables
        length, line_up, seats = np.maximum(t.decided, 0) + 1, t.line_up.copy(), t.rules["seats"][t.rule]
        seen, rewards, over, _, facts = self.vector.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        seconds, at = round(time.monotonic() - self._clock, 6), np.flatnonzero(over)
        if at.size:
            plain = rewards[at], length[at], t.won[at, t.moved[at]], 1 / seats[at], line_up[at]
            final = facts["final_obs"][at], *(facts["final_info"][name][at] for name in ("points", "ranks", "winner"))
            blank = np.zeros(t.mask.shape[1], np.float32)
            for i, reward, steps, won, parity, opponent, last, points, ranks, winner in zip(
                at.tolist(), *(column.tolist() for column in plain), *final, strict=True
            ):
                infos[i] = {
                    "terminal_observation": {"observation": last, "ratings": blank} if self.rated else last,
                    "episode": {"r": reward, "l": steps, "t": seconds},
                    "won": won,
                    "parity": parity,
                    "opponent": opponent,
                    "TimeLimit.truncated": False,
                    "points": points,
                    "ranks": ranks,
                    "winner": winner,
                }
        before, self.worth = self.worth, self._worth()
        return self._shown(seen), (rewards - before + np.where(over, 0, self.worth)).astype(np.float32), over, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the learner's legal actions at each table."""
        return self.tables.mask.view(np.bool_).copy()

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **options: Any) -> Any:
        """Return `action_masks`, with a row for each table listed; single environments with other methods do not exist."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name!r}: SeatVecEnv is one environment of {self.num_envs} tables; it has action_masks alone")
        return self.action_masks()[list(self._get_indices(indices))] if indices is not None else self.action_masks()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute once for each table listed; it is the same for all."""
        count = self.tables.n if indices is None else len(list(self._get_indices(indices)))
        return [getattr(self, attr_name)] * count

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all tables."""
        if indices is not None:
            raise ValueError(f"{attr_name!r}: SeatVecEnv is one environment; attributes are set for all tables (indices=None)")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return False for each table: a single environment with a wrapper does not exist."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: no resource is held open."""
