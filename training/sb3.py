"""MaskablePPO of sb3-contrib at many tables at once: settings for a fast simulator, checkpoints, exact resume.

A step of the simulator takes far less time than one of the network, so rollouts are wide and short, minibatches large and epochs few.
"""

import hashlib
import io
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from alehouse.agents import Agent
from alehouse.agents.network_file import STEP
from alehouse.agents.value import shipped
from alehouse.envs.core.declare.game import as_variant
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.inputs import check_whole
from alehouse.training import checkpoint
from alehouse.training.metrics import Row, Share
from alehouse.training.sb3_policy import REACH, TRUST, Arrays, Policy, RatedRollouts, Rollouts, export, record_of, scale_of, weights_of
from alehouse.training.seat_vec_env import SeatVecEnv
from alehouse.training.settings import Ranged, TrainingJob, setting

TRIAL = 0.05  # seconds that each number of threads is timed for


@dataclass(frozen=True)
class Settings(Ranged):
    """The settings of MaskablePPO; `--set NAME=VALUE` changes each of them."""

    tables: int = setting(1024, 1, 4096, "tables played at once")
    steps: int = setting(32, 1, 4096, "decisions at each table between two updates")
    minibatch: int = setting(1024, 2, 2**20, "decisions in each step of the optimizer")
    epochs: int = setting(1, 1, 100, "how often each decision is used")
    width: int = setting(64, 8, 1024, "width of the two layers that policy and value share, a multiple of 4")
    learning_rate: float = setting(1e-3, 1e-8, 1.0, "learning rate of Adam")
    entropy: float = setting(0.0, 0.0, 10.0, "weight of the normalised entropy")
    clip: float = setting(0.2, 0.001, 10.0, "how far the ratio of PPO may move from 1 before it is clipped")
    discount: float = setting(1.0, 0.0, 1.0, "discount from one decision to the next")
    smoothing: float = setting(0.9, 0.0, 1.0, "lambda of the advantages (GAE)")
    trust: float = setting(TRUST, 0.0, 100.0, "weight of the heuristic's ratings; 0: they do not count")
    reach: float = setting(REACH, 0.0, 1e6, "ratings count as at most this far below the best, in units of the heuristic's temper")
    shaping: int = setting(1, 0, 1, "1: shape rewards by the learned value that comes with the package, if there is one")
    every_seat: int = setting(0, 0, 1, "1: learn from every seat by self-play, without opponents")
    keep: float = setting(30.0, 0.0, 86400.0, "seconds between two checkpoints")


@dataclass(frozen=True)
class Job(TrainingJob):
    """What one run of MaskablePPO trains, and with which settings."""

    trainer = "sb3"
    settings: Settings = field(default_factory=Settings)


class Tally(BaseCallback):
    """Counts the games that end and the learner's share of their wins, for each opponent."""

    def __init__(self, env: SeatVecEnv) -> None:
        super().__init__()
        self.env = env
        self.counts = np.zeros((max(1, len(env.opponents)), 3))

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "won" in info:
                self.counts[info["opponent"]] += 1, info["won"], info["parity"]
        return True

    def shares(self, names: Sequence[str]) -> dict[str, Share]:
        """Return the results against each opponent since the last call."""
        found = {
            name: Share(int(n), float(won / n), float(even / n)) for name, (n, won, even) in zip(names, self.counts, strict=False) if n
        }
        self.counts[:] = 0
        return found


class Trainer:
    """One run of training, in a folder that holds its settings and checkpoints."""

    def __init__(self, job: Job, folder: Path, opponents: Sequence[Agent], threads: int | None = None, start: Path | None = None) -> None:
        """Begin a run, or go on with the one in the folder.

        `start`: a zip file of Stable-Baselines3 with the first weights; loading it runs the code in it.
        """
        chosen = job.settings
        check_sizes(chosen)
        most = numba.config.NUMBA_NUM_THREADS
        check_whole("threads", most if threads is None else threads, 1, most)
        torch.set_num_threads(1)  # with more threads the first weights would differ in their last bits
        several = bool(chosen.every_seat)
        self.folder = folder
        known = shipped(as_variant(job.variants[0]).spec) if chosen.shaping and not several else None
        self.env = SeatVecEnv(
            job.variants, chosen.tables, None if several else opponents, seed=job.seed, every_seat=several, ratings=chosen.trust > 0,
            shaping="value" if known else None,
        )  # fmt: skip
        self.names = [agent.name for agent in self.env.opponents]
        self.model = MaskablePPO(
            Policy, self.env, learning_rate=chosen.learning_rate, n_steps=chosen.steps, batch_size=chosen.minibatch,
            n_epochs=chosen.epochs, gamma=chosen.discount, gae_lambda=chosen.smoothing, clip_range=chosen.clip, ent_coef=chosen.entropy,
            rollout_buffer_class=RatedRollouts if chosen.trust else Rollouts, rollout_buffer_kwargs={"env": self.env},
            seed=job.seed % 2**32, device="auto",
            policy_kwargs={
                "width": chosen.width, "scale": scale_of(self.env.variants, job.seed), "trust": chosen.trust, "reach": chosen.reach,
            },
        )  # fmt: skip
        self.model.rollout_buffer_class, self.model.rollout_buffer_kwargs = None, {}  # these hold the tables, which need not be saved
        self.env.seed(job.seed)
        self.tally = Tally(self.env)
        self.seconds = 0.0
        kept = checkpoint.load(folder)
        if start is not None and not kept:
            self.begin_with(start)
        checkpoint.begin(folder, job.facts())
        self.model.set_logger(Logger(None, []))  # what it gathers goes into the rows
        self.threads: int = threads or (kept[1]["threads"] if kept else fastest(self.model, most))
        torch.set_num_threads(self.threads)
        if kept:
            self.restore(*kept)

    def begin_with(self, start: Path) -> None:
        """Take over the weights of a model saved by Stable-Baselines3."""
        try:
            found = MaskablePPO.load(start, device="cpu").policy.state_dict()
            self.model.policy.load_state_dict(found)
        except FileNotFoundError:
            raise
        except Exception as error:  # the file may hold anything, so any error may come
            raise ValueError(f"{start}: not a model of this game and width: {type(error).__name__}: {error}") from None

    @property
    def samples(self) -> int:
        """Return the number of decisions learnt from since the run began."""
        return int(self.model.num_timesteps)

    def iterate(self) -> Row:
        """Play one rollout and learn from it."""
        start, before = time.perf_counter(), self.samples
        self.model.learn(1, self.tally, log_interval=sys.maxsize, reset_num_timesteps=False)
        took = time.perf_counter() - start
        self.seconds += took
        buffer = self.model.rollout_buffer
        entropy = float(np.mean(-buffer.log_probs.ravel() / np.log(buffer.action_masks.sum(-1).ravel())))
        figures = {name: float(value) for name, value in self.model.logger.name_to_value.items()}
        self.model.logger.dump()
        kl = figures.pop("train/approx_kl")
        return Row(self.samples, self.seconds, (self.samples - before) / took, entropy, kl, self.tally.shares(self.names), figures)

    def weights(self) -> str:
        """Return a digest of the network's weights."""
        found = hashlib.sha256()
        for value in weights_of(self.model.policy).values():
            found.update(value.tobytes())
        return found.hexdigest()[:16]

    def record(self) -> npt.NDArray[Any]:
        """Return the network in the form that `agents.network` plays."""
        return record_of(self.model.policy, self.env.game)

    def export(self, path: Path, command: str, results: dict[str, Any] | None = None) -> int:
        """Write the network to a file that agents can play from, and return its size in bytes; also save the model as
        Stable-Baselines3.
        """
        buffer = io.BytesIO()
        self.model.save(buffer)
        write_atomically(path.with_suffix(".zip"), buffer.getvalue())
        return export(self.model, path, command, results)

    def save(self) -> None:
        """Write a checkpoint with everything that decides how training goes on."""
        model = self.model
        _, keys, at, cached, spare = np.random.get_state(legacy=True)  # noqa: NPY002
        arrays: Arrays = {f"policy.{name}": value for name, value in weights_of(model.policy).items()}
        for k, state in model.policy.optimizer.state_dict()["state"].items():
            arrays |= {f"optimizer.{k}.{name}": value.cpu().numpy() for name, value in state.items()}
        arrays |= {f"tables.{name}": value for name, value in self.env.tables.kept().items()}
        arrays |= {"torch": torch.get_rng_state().numpy(), "numpy": np.asarray(keys, np.uint32)}
        assert model._last_episode_starts is not None
        arrays["starts"] = np.asarray(model._last_episode_starts)
        facts = {"samples": self.samples, "seconds": self.seconds, "updates": model._n_updates, "threads": self.threads,
                 "numpy": [int(at), int(cached), float(spare)]}  # fmt: skip
        checkpoint.save(self.folder, arrays, facts)

    def restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        model = self.model
        parts: dict[str, Any] = {"policy": {}, "optimizer": {}, "tables": {}}
        for name, value in arrays.items():
            part, _, rest = name.partition(".")
            if rest:
                parts[part][rest] = value
        model.policy.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in parts["policy"].items()})
        state: dict[int, dict[str, torch.Tensor]] = {}
        for name, value in parts["optimizer"].items():
            k, _, rest = name.partition(".")
            state.setdefault(int(k), {})[rest] = torch.from_numpy(value.copy())
        groups = model.policy.optimizer.state_dict()["param_groups"]
        model.policy.optimizer.load_state_dict({"state": state, "param_groups": groups})
        self.env._reset_seeds()
        self.env.tables.restore(parts["tables"])
        model._last_obs = self.env.look()
        model._last_episode_starts = arrays["starts"].astype(np.bool_)
        model.num_timesteps, model._n_updates, self.seconds = facts["samples"], facts["updates"], facts["seconds"]
        torch.set_rng_state(torch.from_numpy(arrays["torch"].copy()))
        np.random.set_state(("MT19937", arrays["numpy"], *facts["numpy"]))  # noqa: NPY002


def check_sizes(chosen: Settings) -> None:
    """Raise a ValueError unless agents can play a network of this size, and every minibatch has at least two decisions."""
    if chosen.width % STEP:
        raise ValueError(f"width={chosen.width}: a multiple of {STEP}")
    size = chosen.tables * chosen.steps
    if size % min(size, chosen.minibatch) == 1 or size == 1:
        sizes = f"tables={chosen.tables}, steps={chosen.steps}, minibatch={chosen.minibatch}"
        raise ValueError(f"{sizes}: a step of the optimizer with one decision would be left; make minibatch a divisor of {size}, above 1")


def fastest(model: MaskablePPO, most: int) -> int:
    """Return the number of threads with which an update is fastest, by a short trial of each."""
    size = min(model.batch_size or 1, model.n_steps * model.n_envs)
    spaces_seen = model.observation_space.spaces if isinstance(model.observation_space, spaces.Dict) else {"": model.observation_space}
    blank = {name: torch.zeros((size, *(space.shape or ())), device=model.device) for name, space in spaces_seen.items()}
    obs: Any = blank.get("", blank)
    actions = torch.zeros(size, dtype=torch.long, device=model.device)
    masks = torch.ones((size, int(model.action_space.n)), dtype=torch.bool, device=model.device)  # type: ignore[attr-defined]
    speeds = {}
    for threads in (1, *(2**k for k in range(1, most.bit_length()) if 2**k <= most)):
        torch.set_num_threads(threads)
        done, start = -1, time.perf_counter()  # the first trial only warms up
        while (took := time.perf_counter() - start) < TRIAL or done < 1:
            values, logs, _ = model.policy.evaluate_actions(obs, actions, masks)
            (values.mean() + logs.mean()).backward()  # type: ignore[no-untyped-call]
            done += 1
            if done == 0:
                start = time.perf_counter()
        speeds[threads] = done / took
    model.policy.optimizer.zero_grad()
    best: int = max(speeds, key=lambda threads: speeds[threads])
    return best
