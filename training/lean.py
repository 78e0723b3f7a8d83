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

from alehouse.agents import Agent, ask
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.network_file import read_net
from alehouse.envs.core.declare.game import Game, as_variant
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.learner_kernels import LEARNER
from alehouse.envs.core.run.learner_tables import LearnerTables
from alehouse.envs.core.run.standings import win_shares
from alehouse.envs.core.run.tables import Tables
from alehouse.training import checkpoint
from alehouse.training.counterfactuals import Counterfactuals, SteadyHeuristic, is_heuristic
from alehouse.training.decisions import OUTSIDE, Decided, Deciding, Floats, deciders
from alehouse.training.judge import judge_of
from alehouse.training.metrics import Row
from alehouse.training.mid_game_starts import MidGameStarts
from alehouse.training.network import Net, measured, write_net
from alehouse.training.opponents import EXPLOITER, MAIN, Opponents
from alehouse.training.ppo import ENGINES, Figures, Learner, Terms, fastest
from alehouse.training.samples import NOBODY, Collector, Which
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
    most_kl: float = setting(0.05, 0.0, 100.0, "no more epochs once the KL divergence of the update exceeds this")
    discount: float = setting(1.0, 0.0, 1.0, "discount from one decision of a seat to its next")
    smoothing: float = setting(0.97, 0.0, 1.0, "lambda of the advantages (GAE)")
    win: float = setting(0.5, 0.0, 1.0, "share of the win in the reward; the rest is the rank")
    margin: float = setting(
        0.0, 0.0, 1e6, "shares the win by points: this many more multiply a share by e; 0: the seats with most points share it"
    )
    current: float = setting(0.1, 0.0, 1.0, "share of games that the current network plays alone")
    snapshots: float = setting(0.05, 0.0, 1.0, "share of games against snapshots of the current network")
    anchors: float = setting(0.8, 0.0, 1.0, "share of games against anchors; the rest is against an exploiter")
    renewal: int = setting(20, 1, 10**6, "batches between two snapshots")
    resets: float = setting(0.1, 0.0, 1.0, "share of games that begin in the middle")
    replays: float = setting(0.0, 0.0, 1.0, "share of stale counterfactual games that are played again at each step; 0: none are played")
    effects: int = setting(0, 0, 1, "1: learn from what every answer would change, and play the best answer; needs replays=1")
    own: int = setting(0, 0, 1, "1: networks, not the heuristic, continue counterfactual games at their seats; needs effects=1")
    ahead: int = setting(0, 0, 100, "stages after which a judge estimates the end of a counterfactual game; 0: it is played to the end")
    trust: float = setting(3.0, 0.0, 100.0, "weight of the heuristic's ratings; 0: they do not count")
    reach: float = setting(2.0, 0.0, 1000.0, "ratings count as at most this far below the best, in units of the heuristic's temper")
    warm: float = setting(5e5, 0.0, 1e12, "from this many samples at the start only the worth of positions is learnt")
    keep: float = setting(30.0, 0.0, 86400.0, "seconds between two checkpoints")

    def check(self, game: Game) -> None:
        """Raise a ValueError that names settings which do not go together, or which the game does not support."""
        if self.effects and heuristic_of(game) is None:
            raise ValueError(f"effects=1: counterfactual games are continued by a heuristic, {game.name} has none; --set effects=0")
        if self.effects and self.replays < 1:
            raise ValueError(f"effects=1: it needs the end of every counterfactual game, here replays={self.replays:g}; --set replays=1")
        if self.own and not self.effects:
            raise ValueError("own=1: networks continue games as they play only where they play their best answer; --set effects=1")
        if self.ahead and self.win < 1:
            raise ValueError(f"ahead={self.ahead}: the judge estimates nothing but wins, here win={self.win:g}; --set win=1")


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
        self.folder, self.settings, self.anchors = folder, job.settings, list(anchors)
        chosen = self.settings
        variants = [as_variant(text) for text in job.variants]
        self.game = variants[0].spec
        chosen.check(self.game)
        kept = checkpoint.load(folder)
        begun = read_net(Path(job.start), self.game, carry)[0] if job.start and not kept else None
        size = max(chosen.tables, len(variants))
        self.tables = LearnerTables(
            variants, size, [SteadyHeuristic()], skip_forced=True, seed=job.seed, autoreset=False, threads=threads or most
        )
        torch.set_num_threads(1)  # kernels and torch must not share the cores; if torch wins the timing it gets more
        scale, active = measured(self.game, sample_of(self.tables.variants, job.seed))
        trust = chosen.trust if heuristic_of(self.game) else 0.0
        nets = [Net(self.game, chosen.width, scale, active, job.seed % 2**63, trust, chosen.reach) for _ in (MAIN, EXPLOITER)]
        if begun is not None:
            for net in nets:
                net.begin_with(begun)
        shares = (chosen.current, chosen.snapshots, chosen.anchors)
        self.opponents = Opponents(self.tables, shares, self.anchors, nets[MAIN].record(), job.seed)
        self.starts = MidGameStarts(self.tables, chosen.resets, job.seed)
        self.collector = Collector(self.tables, chosen.batch)
        judge = judge_of(self.tables, self._paid, job.seed, threads or most) if chosen.ahead and not kept else None
        self.counterfactuals = Counterfactuals(self.tables, chosen.replays, self._paid, job.seed, chosen.ahead, judge,
                                               self.opponents if chosen.own else None)  # fmt: skip
        self.known = np.array([is_heuristic(agent, self.game) for agent in self.anchors], np.bool_)
        self.rng = np.random.default_rng([job.seed, 0])
        self.samples, self.batches, self.seconds = 0, 0, 0.0
        checkpoint.begin(folder, job.facts())
        self.engine: str = engine or (kept[1]["engine"] if kept else "")
        self.threads: int = kept[1]["threads"] if kept else threads or most
        self.learners = [Learner(net, self.engine or ENGINES[0], self.threads) for net in nets]
        if kept:
            self.restore(*kept)
        else:
            self._begin(np.arange(self.tables.n))

    def iterate(self) -> Row:
        """Play one batch of decisions and learn from it."""
        start, chosen, collector = time.perf_counter(), self.settings, self.collector
        decided = Decided.room(self.tables)
        while not collector.full:
            self._play(decided)
        collector.settle(chosen.discount, chosen.smoothing)
        mine = collector.learnt(MAIN)
        figures = self._learn(mine)
        self.samples += mine.size
        self.batches += 1
        collector.carry()
        took = time.perf_counter() - start
        self.seconds += took
        others = {"train/policy_loss": figures.policy, "train/value_loss": figures.value, "train/clip_fraction": figures.clipped}
        return Row(self.samples, self.seconds, mine.size / took, figures.entropy, figures.kl, self.opponents.figures(), others)

    def _play(self, decided: Decided) -> None:
        """Take one decision at every table, by a network or by an anchor written in Python."""
        tables, opponents, counterfactuals, action = self.tables, self.opponents, self.counterfactuals, decided.action
        self._decide(decided)
        deciding = opponents.who[np.arange(tables.n), tables.seat] != NOBODY
        if counterfactuals.share:
            counterfactuals.look_up(tables, deciding, self.threads)
        self.collector.note(tables, opponents.who, decided, counterfactuals.baseline)
        if self.settings.effects:
            self.collector.weigh(tables, *counterfactuals.effects(tables, deciding, decided.each_differs, self.threads))
        counterfactuals.moved(decided.differs)
        tables.step(action)
        ended = np.flatnonzero(tables.over)
        if ended.size:
            self.collector.close(ended, self._paid(tables.utility[ended], tables.scores[ended], opponents.seats[ended]))
            opponents.ended(ended, win_shares(tables.utility[ended], opponents.seats[ended]))
            self._begin(ended)
            opponents.whole[self.starts.start(tables, ended)] = False
            counterfactuals.began(ended)
        self.starts.keep(tables)

    def _begin(self, which: Which) -> None:
        """Draw line-ups for the listed tables and begin their next games. Anchors that are the heuristic play inside numba."""
        self.opponents.draw(which)
        inside = np.isin(self.opponents.player[which], -1 - np.flatnonzero(self.known))
        self.tables.players[which] = np.where(inside, 0, LEARNER)
        self.tables.reset(which)

    def _decide(self, decided: Decided) -> None:
        """Let networks decide in kernels, and call anchors other than the heuristic."""
        tables, opponents, action = self.tables, self.opponents, decided.action
        job = Deciding(tables.states, tables.rules, tables.rule, tables.obs, opponents.nets, opponents.player,
                       bool(self.settings.effects), bool(self.settings.own), *decided)  # fmt: skip
        deciders(self.game)(job, tables.n, self.threads)
        waiting = np.flatnonzero(action == OUTSIDE)
        seated = opponents.player[waiting, tables.seat[waiting]]
        for k, agent in enumerate(self.anchors):
            which = waiting[seated == -1 - k]
            if which.size:
                action[which] = ask(agent, tables, which)
                decided.differs[which] = True

    def _paid(self, utility: Floats, points: npt.NDArray[Any], seats: npt.NDArray[np.int64]) -> Floats:
        """Return rewards from utilities by rank, points and numbers of seats."""
        margin = self.settings.margin
        won = softened(points / margin, seats) if margin else win_shares(utility, seats)
        return mixed(utility, won, seats, self.settings.win)

    def _learn(self, mine: Which) -> Figures:
        """Update the current network and the exploiter from their samples; take a snapshot and restart the exploiter when it is time."""
        chosen, collector = self.settings, self.collector
        samples = collector.samples
        rate = chosen.learning_rate * max(LOWEST, 1 - (1 - LOWEST) * self.samples / chosen.horizon)
        policy = float(chosen.effects or self.samples >= chosen.warm)
        terms = Terms(chosen.clip, entropy=policy * chosen.entropy, policy=policy)
        found = []
        for who, which in ((MAIN, mine), (EXPLOITER, collector.learnt(EXPLOITER))):
            if chosen.effects:
                terms = terms._replace(value=0.0, policy=policy / samples.usual_effect(which), every=True)
            normalise(samples.advantage, which)
            if not self.engine:
                self.engine, self.threads = fastest(self.learners[MAIN].net, samples, which[: chosen.minibatch], self.threads)
                for learner in self.learners:
                    learner.engine, learner.threads = self.engine, self.threads
            learner = self.learners[who]
            found.append(learner.learn(samples, which, terms, self.rng, rate, chosen.epochs, chosen.minibatch, chosen.most_kl))
            self.opponents.nets[who] = learner.net.record()[0]
        if chosen.own:
            self.counterfactuals.moved(np.ones(self.tables.n, np.bool_))
        if (self.batches + 1) % chosen.renewal == 0:
            self._renew()
        return found[MAIN] or Figures(0, 0, 0, 0, 0)

    def _renew(self) -> None:
        """Keep a snapshot of the current network, and restart the exploiter from it."""
        main, opponents = self.learners[MAIN], self.opponents
        opponents.keep(opponents.nets[MAIN : MAIN + 1])
        self.learners[EXPLOITER].restore(main.saved())
        opponents.nets[EXPLOITER] = opponents.nets[MAIN]

    def weights(self) -> str:
        """Return a digest of the network's weights."""
        return hashlib.sha256(self.learners[MAIN].net.record().tobytes()).hexdigest()[:16]

    def export(self, path: Path, command: str, results: dict[str, Any] | None = None) -> int:
        """Write the network to a file that agents can play from, and return its size in bytes."""
        return write_net(path, self.game, self.learners[MAIN].net.record(), command, results)

    def save(self) -> None:
        """Write a checkpoint with everything that decides how training goes on."""
        arrays: checkpoint.Arrays = {}
        facts = {"samples": self.samples, "batches": self.batches, "seconds": self.seconds, "engine": self.engine, "threads": self.threads,
                 "luck": self.rng.bit_generator.state}  # fmt: skip
        parts: dict[str, checkpoint.Arrays] = {"main": self.learners[MAIN].saved(), "exploiter": self.learners[EXPLOITER].saved()}
        parts |= {"collector": self.collector.saved(), "tables": self.tables.kept()}
        for name in ("opponents", "starts", "counterfactuals"):
            parts[name], facts[name] = getattr(self, name).saved()
        for part, found in parts.items():
            arrays |= {f"{part}/{name}": array for name, array in found.items()}
        checkpoint.save(self.folder, arrays, facts)

    def restore(self, arrays: checkpoint.Arrays, facts: checkpoint.Facts) -> None:
        """Go on from a checkpoint."""
        parts: dict[str, checkpoint.Arrays] = {}
        for name, array in arrays.items():
            part, _, rest = name.partition("/")
            parts.setdefault(part, {})[rest] = array
        self.learners[MAIN].restore(parts["main"])
        self.learners[EXPLOITER].restore(parts["exploiter"])
        for name in ("opponents", "starts", "counterfactuals"):
            getattr(self, name).restore(parts[name], facts[name])
        self.collector.restore(parts["collector"])
        self.tables.restore(parts["tables"])
        self.samples, self.batches, self.seconds = facts["samples"], facts["batches"], facts["seconds"]
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


def softened(points: npt.NDArray[np.float64], seats: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return each seat's share if the win were shared by points: one point more multiplies a seat's share by e."""
    present = np.arange(points.shape[1]) < seats[:, None]
    above = np.exp(np.where(present, points, -np.inf) - np.where(present, points, -np.inf).max(axis=1, keepdims=True))
    found: npt.NDArray[np.float64] = above / above.sum(axis=1, keepdims=True)
    return found


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
