"""Learning at many tables at once with Stable-Baselines3: a vectorised environment of one learner's seat a table, or of all."""

import time
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvStepReturn

from alehouse.agents import UNIFORM, Agent, ask, ladder
from alehouse.agents.kernel_agent import announced
from alehouse.agents.seated import LEARNER, Room, seated
from alehouse.agents.whole_games import as_instant
from alehouse.envs.core.declare.game import Variant, as_variant
from alehouse.envs.core.faces.settings import observation_space
from alehouse.envs.core.run.batch_kernels import SMALL, batch_kernels
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.standings import REWARDS
from alehouse.envs.core.run.tables import Tables

MOST = 4096  # tables
SAVED = ("rule", "games", "sits", "own", "length", "moved")
Arrays = dict[str, npt.NDArray[Any]]


class SeatVecEnv(VecEnv):
    """A vectorised environment of Stable-Baselines3 over n tables, with `action_masks`.

    A step plays the learner's actions and all others' up to the learner's next decision that leaves it a choice. Each game
    draws its variant, the learner's seat and its opponent, and keeps them to its end, when the reward is paid.

    v: a variant, or several of one game to draw from.
    opponents: an agent, or several; one of them has all seats but the learner's. Uniform play if none is given.
    seat: which seat the learner has; None draws it.
    reward: what a game is worth at its end; "rank", "win" or "score".
    every_seat: the learner decides for every seat of every table. `moved`, `done` and `utility` of `room` then say for whom it
        decided last and what a game was worth to each: one stream a table and seat, see `training.sb3.Rollouts`.
    """

    render_mode: str | None = None

    def __init__(
        self,
        v: Variant | str | Sequence[Variant | str],
        n: int = 1024,
        opponents: Agent | Sequence[Agent] | None = None,
        seat: int | None = None,
        seed: int = 0,
        reward: str = "rank",
        threads: int = 1,
        every_seat: bool = False,
    ) -> None:
        check_whole("n", n, 1, MOST)
        given = list(v) if isinstance(v, Sequence) and not isinstance(v, str) else [v]
        self.variants = list(dict.fromkeys(as_variant(w) for w in given))
        if not self.variants:
            raise ValueError("v: at least one variant")
        if seat is not None:
            check_whole("seat", seat, 0, min(w.seats for w in self.variants) - 1)
        if every_seat and (opponents is not None or seat is not None):
            raise ValueError("every_seat=True: the learner has all seats; give neither opponents nor seat")
        places = np.arange(n) % len(self.variants)
        self._tables = Tables([self.variants[k] for k in places], None, seed, False, threads, reward)
        self.game, self.seed_of_series, self.threads, self.reward, self.every_seat = (
            self._tables.game,
            int(seed),
            threads,
            reward,
            every_seat,
        )
        self._seat = LEARNER if seat is None else int(seat)
        line = [UNIFORM] if opponents is None else list(opponents) if isinstance(opponents, Sequence) else [opponents]
        self._line_up([] if every_seat else line)
        self.room = self._room(n)
        self._places = np.zeros(n, np.int64)
        self._clock = time.monotonic()
        super().__init__(n, observation_space(self.game, "flat"), spaces.Discrete(len(self.game.ACTIONS)))
        with announced(self.game, "seats"):
            seated(self.game).run(*self._arguments(self._places), 0, 0)

    def _line_up(self, given: Sequence[Agent]) -> None:
        """The agents one may meet; those that play inside numba come first."""
        for agent in given:
            if not callable(getattr(agent, "act", None)):
                raise ValueError(f"opponents: {agent!r} is no agent, it has no act(obs, mask, ctx)")
        if not given and not self.every_seat:
            raise ValueError("opponents: at least one agent")
        inside = [(agent, found) for agent in given if (found := as_instant(agent, self.game)) is not None]
        self._outside = [agent for agent in given if as_instant(agent, self.game) is None]
        self.opponents: list[Agent] = [agent for agent, _ in inside] + self._outside
        line = [found for _, found in inside] or [ladder.uniform(self.game)]
        self._inside = len(inside)
        self._weights = np.concatenate([agent.weights for agent in line])
        self._hows = np.stack([agent.options for agent in line])

    def _room(self, n: int) -> Room:
        """The arrays of all tables, before the first game."""
        t, seats = self._tables, max(w.seats for w in self.variants)
        t.distinct, t.rules = self.variants, np.zeros(len(self.variants), self.game.RULES)
        for k, w in enumerate(self.variants):
            t.rules[k] = w.rules_record()[0]
        t.states["turn"] = t.seat[:] = -1
        return Room(
            states=t.states,
            rules=t.rules,
            rule=t.rule,
            games=np.arange(n) - n,
            sits=np.full((n, seats), LEARNER, np.int8),
            own=np.full(n, LEARNER, np.int8),
            length=np.zeros(n, np.int64),
            moved=np.zeros(n, np.int8),
            seat=t.seat,
            mask=t.mask,
            obs=t.obs,
            done=np.zeros(n, np.bool_),
            utility=np.zeros((n, seats), np.float32),
            won=np.zeros(n, np.float32),
            last=np.zeros_like(t.obs),
            decisions=np.zeros(n, np.int64),
            faced=np.zeros(n, np.int8),
        )

    # What Stable-Baselines3 asks of an environment

    def reset(self) -> npt.NDArray[np.uint8]:
        """Deal anew everywhere; from the first game of a seed if one was set by `seed`."""
        if self._seeds[0] is not None:
            check_whole("seed", self._seeds[0], 0, 2**64 - 1)
            self.seed_of_series = self._seeds[0]
            self.room.games[:] = np.arange(self.num_envs) - self.num_envs
        self._reset_seeds()
        self._reset_options()
        self._tables.states["turn"] = -1
        self.room.length[:] = 0
        self._play(np.full(self.num_envs, -1))
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._seen()

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the learner's actions; a ValueError unless all are legal."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions: {self.num_envs} whole numbers are wanted, got shape {chosen.shape} of {chosen.dtype}")
        if self.room.seat.min() < 0:
            raise ValueError("no game is under way: call reset() first")
        self._actions = chosen.astype(np.int64)
        self._refuse(np.arange(self.num_envs), self._actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Play up to the learner's next decisions."""
        room = self.room
        room.done[:] = False
        self._play(self._actions)
        rewards = np.zeros(self.num_envs, np.float32)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(room.done)
        rewards[ended] = room.utility[ended, room.moved[ended]]
        seconds = round(time.monotonic() - self._clock, 6)
        for i, r, length, won in zip(ended.tolist(), rewards[ended].tolist(), room.decisions[ended].tolist(), room.won[ended], strict=True):
            infos[i] = {
                "terminal_observation": room.last[i].copy(),
                "episode": {"r": r, "l": length, "t": seconds},
                "won": float(won),
                "TimeLimit.truncated": False,
            }
        return self._seen(), rewards, room.done.copy(), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learner's legal actions at each table."""
        legal: npt.NDArray[np.bool_] = self.room.mask.astype(np.bool_)
        return legal

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **options: Any) -> Any:
        """`action_masks`, a row for each table asked for; there are no single environments with other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name!r}: SeatVecEnv is one environment of {self.num_envs} tables; it has action_masks alone")
        return self.action_masks()[list(self._get_indices(indices))] if indices is not None else self.action_masks()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for each table asked for."""
        count = self.room.seat.size if indices is None else len(list(self._get_indices(indices)))
        return [getattr(self, attr_name)] * count

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all tables."""
        if indices is not None:
            raise ValueError(f"{attr_name!r}: SeatVecEnv is one environment; attributes are set for all tables (indices=None)")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Never: it is one environment."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing is held open."""

    # How it goes on

    def _seen(self) -> npt.NDArray[np.uint8]:
        """What the learner sees, in an array of its own."""
        seen: npt.NDArray[np.uint8] = self.room.obs.copy()
        return seen

    def _play(self, actions: npt.NDArray[np.int64]) -> None:
        """Play actions at the tables that have one (-1: none), then all others' until the learner is to decide everywhere."""
        self._run(actions)
        while self._outside and (waiting := self._deciding() >= self._inside).any():
            deciding, answers = self._deciding(), np.full(self.num_envs, -1)
            for k, agent in enumerate(self._outside, self._inside):
                asked = np.flatnonzero(deciding == k)
                if asked.size:
                    answers[asked] = ask(agent, self._tables, asked)
            self._refuse(np.flatnonzero(waiting), answers)
            self._run(answers)

    def _deciding(self) -> npt.NDArray[np.int8]:
        """Who is to decide at each table: the number of an agent, or LEARNER."""
        return np.asarray(np.take_along_axis(self.room.sits, self.room.seat[:, None], 1)[:, 0])

    def _run(self, actions: npt.NDArray[np.int64]) -> None:
        """Let the kernel play on."""
        if self.threads > 1 and len(actions) >= SMALL:
            numba.set_num_threads(self.threads)
            stuck = seated(self.game).run_all(*self._arguments(actions), self.threads)
        else:
            stuck = seated(self.game).run(*self._arguments(actions), 0, len(actions))
        if stuck >= 0:
            raise ValueError(f"{self.variants[self.room.rule[stuck]]}: the learner's seat never has a choice; give another seat")

    def _arguments(self, actions: npt.NDArray[np.int64]) -> tuple[Any, ...]:
        """What the kernel is called with, the tables aside."""
        series, agents = np.uint64(self.seed_of_series), len(self.opponents)
        return self.room, self._weights, self._hows, self._inside, actions, series, self._seat, agents, REWARDS[self.reward]

    def _refuse(self, which: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        """IllegalAction where one of the tables listed has an illegal action."""
        bad = batch_kernels(self.game).refuse_some(self.room.states, actions, which)
        if bad >= 0:
            raise self._tables._illegal(bad, int(actions[bad]))

    # Keeping and going on

    def saved(self) -> Arrays:
        """All tables as numbers, to go on from."""
        states = self.room.states.view(np.uint8).reshape(self.num_envs, -1)
        series = np.array([self.seed_of_series], np.uint64)
        return {"states": states.copy(), "series": series} | {name: getattr(self.room, name).copy() for name in SAVED}

    def restore(self, saved: Arrays) -> npt.NDArray[np.uint8]:
        """Go on from what `saved` gave for the same settings; what the learner sees there."""
        now = self.saved()
        for name, kept in now.items():
            if name not in saved or saved[name].shape != kept.shape or saved[name].dtype != kept.dtype:
                raise ValueError(f"saved tables: {name} is missing, or not of {kept.shape} {kept.dtype}")
        self.room.states.view(np.uint8).reshape(self.num_envs, -1)[:] = saved["states"]
        self.seed_of_series = int(saved["series"][0])
        for name in SAVED:
            getattr(self.room, name)[:] = saved[name]
        t = self._tables
        batch_kernels(self.game).show(tuple(t.batch._replace(rules=t.rules)))
        return self._seen()
