"""The lean trainer: one network for all variants of a game. It plays at many tables and learns from every seat it plays."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import torch

from alehouse.agents import Agent
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.network_file import read_net
from alehouse.envs.core.declare.game import as_variant
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.learner_kernels import LEARNER
from alehouse.envs.core.run.learner_tables import LearnerTables
from alehouse.envs.core.run.standings import win_shares
from alehouse.envs.core.run.tables import Tables
from alehouse.training import checkpoint
from alehouse.training.decisions import Decided, Deciding, deciders
from alehouse.training.metrics import Row
from alehouse.training.network import Net, measured, write_net
from alehouse.training.opponents import Opponents
from alehouse.training.ppo import ENGINES, Figures, Learner, Terms, fastest
from alehouse.training.samples import Collector, Which
from alehouse.training.settings import Ranged, TrainingJob, setting

SAMPLED = 4096  # the scales of inputs are measured on this many observations
LOWEST = 0.1  # what share of the learning rate is left at the end of its schedule


@dataclass(frozen=True)
class Settings(Ranged):
    """The settings of the lean trainer; `--set NAME=VALUE` changes each of them."""

    tables: int = setting(2048, 1, 65536, "tables played at once")
    batch: int = setting(65536, 16, 2**24, "samples between two updates")
    minibatch: int = setting(1024, 2, 2**24, "samples in each step of the optimizer")
    epochs: int = setting(1, 1, 100, "how often each sample is used")
    width: int = setting(80, 4, 1024, "width of the layers, a multiple of 4")
    learning_rate: float = setting(2e-3, 1e-8, 1.0, "learning rate of Adam at the start")
    horizon: float = setting(1e8, 1.0, 1e12, "samples after which the learning rate has fallen to a tenth")
    entropy: float = setting(0.003, 0.0, 10.0, "weight of the normalised entropy")
    clip: float = setting(0.2, 0.001, 10.0, "how far the ratio of PPO may move from 1 before it is clipped")
    smoothing: float = setting(0.97, 0.0, 1.0, "lambda of the advantages (GAE)")
    win: float = setting(0.5, 0.0, 1.0, "share of the win in the reward; the rest is the rank")
    current: float = setting(0.2, 0.0, 1.0, "share of games that the network plays in every seat; the rest is against anchors")
    trust: float = setting(3.0, 0.0, 100.0, "weight of the heuristic's ratings; 0: they do not count")
    reach: float = setting(2.0, 0.0, 1000.0, "ratings count as at most this far below the best, in units of the heuristic's temper")
    warm: float = setting(5e5, 0.0, 1e12, "from this many samples at the start only the worth of positions is learnt")
    keep: float = setting(30.0, 0.0, 86400.0, "seconds between two checkpoints")


@dataclass(frozen=True)
class Job(TrainingJob):
    """What one run of the lean trainer trains, and with which settings."""

    trainer = "lean"
    settings: Settings = field(default_factory=Settings)


class Trainer:
    """One run of training, in a folder that holds its settings and checkpoints."""

    def __init__(
        self, job: Job, folder: Path, anchors: Sequence[Agent], threads: int | None = None, engine: str = "", carry: bool = False
    ) -> None:
        """Begin a run, or go on with the one in the folder.

        At most `threads` threads are used, and `engine` computes the gradients. Without an engine, a short timing chooses both, and
        checkpoints keep the choice. `carry`: the file of the first weights may have features and actions that the game no longer has.
        """
        most = numba.config.NUMBA_NUM_THREADS
        check_whole("threads", most if threads is None else threads, 1, most)
        check_whole("seed", job.seed, 0, 2**64 - 1)
        if engine not in ("", *ENGINES):
            raise ValueError(f"engine {engine!r}: one of {', '.join(ENGINES)}")
        self.folder, self.settings = folder, job.settings
        chosen = self.settings
        variants = [as_variant(text) for text in job.variants]
        self.game = variants[0].spec
        kept = checkpoint.load(folder)
        begun = read_net(Path(job.start), self.game, carry)[0] if job.start and not kept else None
        size = max(chosen.tables, len(variants))
        self.tables = LearnerTables(
            variants, size, list(anchors), skip_forced=True, seed=job.seed, autoreset=False, threads=threads or most
        )
        torch.set_num_threads(1)  # kernels and torch must not share the cores; if torch wins the timing it gets more
        scale, active = measured(self.game, sample_of(self.tables.variants, job.seed))
        trust = chosen.trust if heuristic_of(self.game) else 0.0
        net = Net(self.game, chosen.width, scale, active, job.seed % 2**63, trust, chosen.reach)
        if begun is not None:
            net.begin_with(begun)
        self.opponents = Opponents(self.tables, chosen.current, anchors, job.seed)
        self.collector = Collector(self.tables, chosen.batch)
        self.rng = np.random.default_rng([job.seed, 0])
        self.samples, self.seconds = 0, 0.0
        checkpoint.begin(folder, job.facts())
        self.engine: str = engine or (kept[1]["engine"] if kept else "")
        self.threads: int = kept[1]["threads"] if kept else threads or most
        self.learner = Learner(net, self.engine or ENGINES[0], self.threads)
        if kept:
            self.restore(*kept)
        else:
            self._begin(np.arange(self.tables.n))

    def iterate(self) -> Row:
        """Play one batch of decisions and learn from it."""
        start, collector, decided, nets = time.perf_counter(), self.collector, Decided.room(self.tables), self.learner.net.record()
        while not collector.full:
            self._play(decided, nets)
        collector.settle(self.settings.smoothing)
        settled = collector.settled()
        figures = self._learn(settled)
        self.samples += settled.size
        collector.carry()
        took = time.perf_counter() - start
        self.seconds += took
        others = {"train/policy_loss": figures.policy, "train/value_loss": figures.value, "train/clip_fraction": figures.clipped}
        return Row(self.samples, self.seconds, settled.size / took, figures.entropy, figures.kl, self.opponents.figures(), others)

    def _play(self, decided: Decided, nets: Any) -> None:
        """Take one decision of the network at every table; its opponents play on until it must decide again or the game is over."""
        tables, opponents = self.tables, self.opponents
        deciders(self.game)(Deciding(tables.states, tables.rules, tables.rule, tables.obs, nets, *decided), tables.n, self.threads)
        self.collector.note(tables, tables.players == LEARNER, decided)
        tables.step(decided.action)
        ended = np.flatnonzero(tables.over)
        if ended.size:
            utility, seats = tables.utility[ended], opponents.seats[ended]
            won = win_shares(utility, seats)
            self.collector.close(ended, mixed(utility, won, seats, self.settings.win))
            opponents.ended(ended, won)
            self._begin(ended)

    def _begin(self, which: Which) -> None:
        """Draw line-ups for the listed tables and begin their next games."""
        self.opponents.draw(which)
        self.tables.reset(which)

    def _learn(self, which: Which) -> Figures:
        """Update the network from some samples; the first time, choose the fastest engine."""
        chosen, samples, learner = self.settings, self.collector.samples, self.learner
        rate = chosen.learning_rate * max(LOWEST, 1 - (1 - LOWEST) * self.samples / chosen.horizon)
        policy = float(self.samples >= chosen.warm)
        normalise(samples.advantage, which)
        if not self.engine:
            self.engine, self.threads = fastest(learner.net, samples, which[: chosen.minibatch], self.threads)
            learner.engine, learner.threads = self.engine, self.threads
        terms = Terms(chosen.clip, entropy=policy * chosen.entropy, policy=policy)
        return learner.learn(samples, which, terms, self.rng, rate, chosen.epochs, chosen.minibatch) or Figures(0, 0, 0, 0, 0)

    def weights(self) -> str:
        """Return a digest of the network's weights."""
        return hashlib.sha256(self.learner.net.record().tobytes()).hexdigest()[:16]

    def export(self, path: Path, command: str, results: dict[str, Any] | None = None) -> int:
        """Write the network to a file that agents can play from, and return its size in bytes."""
        return write_net(path, self.game, self.learner.net.record(), command, results)

    def save(self) -> None:
        """Write a checkpoint with everything that decides how training goes on."""
        facts: checkpoint.Facts = {"samples": self.samples, "seconds": self.seconds, "engine": self.engine, "threads": self.threads,
                                   "luck": self.rng.bit_generator.state}  # fmt: skip
        parts = {"learner": self.learner.saved(), "collector": self.collector.saved(), "tables": self.tables.kept()}
        parts["opponents"], facts["opponents"] = self.opponents.saved()
        checkpoint.save(self.folder, {f"{part}/{name}": array for part, found in parts.items() for name, array in found.items()}, facts)

    def restore(self, arrays: checkpoint.Arrays, facts: checkpoint.Facts) -> None:
        """Go on from a checkpoint."""
        parts: dict[str, checkpoint.Arrays] = {}
        for name, array in arrays.items():
            part, _, rest = name.partition("/")
            parts.setdefault(part, {})[rest] = array
        self.learner.restore(parts["learner"])
        self.opponents.restore(parts["opponents"], facts["opponents"])
        self.collector.restore(parts["collector"])
        self.tables.restore(parts["tables"])
        self.samples, self.seconds = facts["samples"], facts["seconds"]
        self.rng.bit_generator.state = facts["luck"]


def sample_of(variants: Sequence[Any], seed: int) -> npt.NDArray[np.uint8]:
    """Return observations from games of random players, in all variants and at all stages of the game."""
    tables = Tables([variants[i] for i in np.linspace(0, len(variants) - 1, 64).astype(int)], seed=seed)
    found = []
    for step in range(SAMPLED):
        tables.step(tables.mixed())
        if step % 64 == 0:
            found.append(tables.obs.copy())
    return np.concatenate(found)


def mixed(
    utility: npt.NDArray[np.float32], won: npt.NDArray[np.float64], seats: npt.NDArray[np.int64], win: float
) -> npt.NDArray[np.float32]:
    """Return the rewards of ended games: a mix of the utility by rank and of the win, which is 1 for the winner, -1/(P-1) for others."""
    others = np.maximum(seats - 1, 1)[:, None]
    present = np.arange(utility.shape[1]) < seats[:, None]
    share = np.where(seats > 1, win, 0.0)[:, None]
    reward = (1 - share) * utility + share * (won * seats[:, None] - 1) / others
    return np.where(present, reward, 0).astype(np.float32)


def normalise(advantage: npt.NDArray[np.float32], which: npt.NDArray[np.int64]) -> None:
    """Shift and scale advantages to mean 0 and standard deviation 1."""
    if which.size:
        some = advantage[which]
        advantage[which] = (some - some.mean()) / (some.std() + 1e-8)
