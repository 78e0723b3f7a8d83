"""The lookup trainer: at each of its decisions the network learns what every answer is worth.

The network plays in one seat among heuristics. At each of its decisions that leaves a choice, answers are looked up: from a copy of the
table the answer is played, the heuristic goes on for all seats to the end of a round or two, and there the learned value
(`agents.value`) gives the seat's share of the win. All answers of a decision meet the same luck. A part of such samples is learnt from a
few times, then forgotten, and the next part comes from the positions that the network now plays into.
"""

import hashlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy as np
import torch

from alehouse.agents import Agent
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.network_file import read_net
from alehouse.agents.search import ESTIMATE, VALUE, tuned, value_of
from alehouse.agents.value import guides, shipped
from alehouse.envs.core.declare.game import Game, as_variant
from alehouse.envs.core.run.inputs import check_whole
from alehouse.training import checkpoint
from alehouse.training.lean import sample_of
from alehouse.training.lookup_kernels import GAIN, LEAST, Lookups, looking
from alehouse.training.metrics import Row, Share
from alehouse.training.network import Net, measured, write_net
from alehouse.training.ppo import Learner, Terms
from alehouse.training.samples import Samples
from alehouse.training.settings import Ranged, TrainingJob, setting
from alehouse.training.ship import opponent

LOWEST = 0.1  # what share of the learning rate is left at the end of its schedule
KEPT = ("states", "games", "seat", "copies", "skip")  # what a checkpoint keeps of the tables


@dataclass(frozen=True)
class Settings(Ranged):
    """The settings of the lookup trainer; `--set NAME=VALUE` changes each of them."""

    tables: int = setting(2048, 1, 65536, "tables played at once")
    part: int = setting(262144, 1, 2**24, "samples that are collected, learnt from and forgotten together")
    epochs: int = setting(3, 1, 100, "how often each sample is learnt from")
    minibatch: int = setting(1024, 2, 2**24, "samples in each step of the optimizer")
    width: int = setting(96, 4, 1024, "width of the layers, a multiple of 4")
    learning_rate: float = setting(1e-3, 1e-8, 1.0, "learning rate of Adam at the start")
    horizon: float = setting(5e6, 1.0, 1e12, "samples after which the learning rate has fallen to a tenth")
    entropy: float = setting(0.01, 0.0, 10.0, "weight of the normalised entropy; answers rarely chosen are still learnt from")
    answers: int = setting(8, LEAST, 4096, "answers looked up at a decision: those with the highest logits, the heuristic's, and one drawn")
    rounds: int = setting(0, 0, 1000, "rounds that the heuristic plays before the value judges; 0: as many as in the game's roll-outs")
    copies: float = setting(0.1, 0.0, 1.0, "share of games in which copies of the network, not heuristics, have the other seats")
    trust: float = setting(3.0, 0.0, 100.0, "weight of the heuristic's ratings; 0: they do not count")
    reach: float = setting(2.0, 0.0, 1000.0, "ratings count as at most this far below the best, in units of the heuristic's temper")
    keep: float = setting(30.0, 0.0, 86400.0, "seconds between two checkpoints")


@dataclass(frozen=True)
class Job(TrainingJob):
    """What one run of the lookup trainer trains, and with which settings."""

    trainer = "lookup"
    settings: Settings = field(default_factory=Settings)


class Trainer:
    """One run of training, in a folder that holds its settings and checkpoints."""

    def __init__(self, job: Job, folder: Path, opponents: Sequence[Agent], threads: int | None = None, carry: bool = False) -> None:
        """Begin a run, or go on with the one in the folder.

        `carry`: the file of the first weights may have features and actions that the game no longer has.
        """
        most = int(numba.config.NUMBA_NUM_THREADS)
        check_whole("threads", most if threads is None else threads, 1, most)
        self.folder, self.settings = folder, job.settings
        variants = [as_variant(text) for text in job.variants]
        self.game, chosen = variants[0].spec, job.settings
        self.other = opponent(self.game)
        if [one.name for one in opponents] != [self.other.name]:
            raise ValueError(f"--opponents {','.join(one.name for one in opponents)}: lookup trains against {self.other.name} alone")
        if any(v.seats == 1 for v in variants):
            raise ValueError("--seats 1: lookup trains for games of two and more players, because a seat alone has no share of the win")
        torch.set_num_threads(1)  # kernels and torch must not share the cores
        kept = checkpoint.load(folder)
        self.threads: int = kept[1]["threads"] if kept else threads or most
        scale, active = measured(self.game, sample_of(variants, job.seed))
        trust = chosen.trust if heuristic_of(self.game) else 0.0
        net = Net(self.game, chosen.width, scale, active, job.seed % 2**63, trust, chosen.reach)
        if job.start and not kept:
            net.begin_with(read_net(Path(job.start), self.game, carry)[0])
        self.learner = Learner(net, "sparse", self.threads)
        self.rng = np.random.default_rng([job.seed, 0])
        self.samples, self.seconds = 0, 0.0
        self.job, self.room = self._job(variants, job.seed)
        checkpoint.begin(folder, job.facts())
        if kept:
            self._restore(*kept)

    def _job(self, variants: Sequence[Any], seed: int) -> tuple[Lookups, Samples]:
        """Return the tables, each with the variant that it keeps, and room for the samples of a part."""
        game, chosen, distinct = self.game, self.settings, list(dict.fromkeys(variants))
        n, answers, learned = max(chosen.tables, len(variants)), min(chosen.answers, game.choices), shipped(game) is not None
        each = math.ceil(chosen.part / n)
        samples = Samples.room(game, n * each, answers, n * each * answers)
        samples.row[:] = np.arange(n * each) * answers
        job = Lookups(
            states=np.zeros(n, game.STATE), rules=np.concatenate([v.rules_record() for v in distinct]),
            rule=np.array([distinct.index(variants[i % len(variants)]) for i in range(n)]), games=np.arange(n) - n,
            seat=np.zeros(n, np.int64), copies=np.zeros(n, np.bool_), skip=self.rng.integers(each, size=n), tally=np.zeros((n, GAIN + 1)),
            nets=self.learner.net.record(), guides=guides(game, value_of(game, VALUE if learned else ESTIMATE)),
            obs=samples.obs, can=samples.can, prior=samples.prior, effect=samples.effect, aspects=samples.aspects,
            seed=np.uint64(seed), each=each, answers=answers, rounds=(chosen.rounds or usual_rounds(game)) if learned else 0,
            mixed=round(100 * chosen.copies),
        )  # fmt: skip
        job.states["turn"] = -1
        return job, samples

    def iterate(self) -> Row:
        """Collect a part of samples and learn from it."""
        start, chosen, (job, samples) = time.perf_counter(), self.settings, (self.job, self.room)
        job.tally[:] = 0
        looking(self.game, chosen.width)(job._replace(nets=self.learner.net.record()), job.rule.size, self.threads)
        which = np.arange(len(samples.obs))
        rate = chosen.learning_rate * max(LOWEST, 1 - (1 - LOWEST) * self.samples / chosen.horizon)
        terms = Terms(value=0.0, entropy=chosen.entropy, policy=1 / samples.usual_effect(which), every=True)
        figures = self.learner.learn(samples, which, terms, self.rng, rate, chosen.epochs, chosen.minibatch)
        self.samples += which.size
        took = time.perf_counter() - start
        self.seconds += took
        games, won, even, gain = job.tally.sum(axis=0).tolist()
        shares = {self.other.name: Share(round(games), won / games, even / games)} if games else {}
        return Row(
            self.samples,
            self.seconds,
            which.size / took,
            figures.entropy if figures else 0.0,
            0.0,
            shares,
            {"train/gain": gain / which.size},
        )

    def weights(self) -> str:
        """Return a digest of the network's weights."""
        return hashlib.sha256(self.learner.net.record().tobytes()).hexdigest()[:16]

    def export(self, path: Path, command: str, results: dict[str, Any] | None = None) -> int:
        """Write the network to a file that agents can play from, and return its size in bytes."""
        return write_net(path, self.game, self.learner.net.record(), command, results)

    def save(self) -> None:
        """Write a checkpoint with everything that decides how training goes on."""
        arrays = {f"learner/{name}": array for name, array in self.learner.saved().items()}
        arrays |= {f"tables/{name}": getattr(self.job, name).view(np.uint8) for name in KEPT}
        facts = {"samples": self.samples, "seconds": self.seconds, "threads": self.threads, "luck": self.rng.bit_generator.state}
        checkpoint.save(self.folder, arrays, facts)

    def _restore(self, arrays: checkpoint.Arrays, facts: checkpoint.Facts) -> None:
        """Go on from a checkpoint."""
        self.learner.restore({name.removeprefix("learner/"): array for name, array in arrays.items() if name.startswith("learner/")})
        for name in KEPT:
            getattr(self.job, name).view(np.uint8)[:] = arrays[f"tables/{name}"]
        self.samples, self.seconds = facts["samples"], facts["seconds"]
        self.rng.bit_generator.state = facts["luck"]


def usual_rounds(game: Game) -> int:
    """Return for how many rounds the roll-outs of a game's searches go on."""
    return int(tuned().get(game.name, {}).get("rollout", {}).get("rounds", game.horizon))
