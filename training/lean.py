"""The lean trainer: one network for every seat, module and number of players, learning from all seats it plays at many tables."""

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
from torch.utils.tensorboard import SummaryWriter

from alehouse.agents import Agent, ask
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.network_file import read_net
from alehouse.envs.core.declare.game import as_variant
from alehouse.envs.core.run import tables_file
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.standings import win_shares
from alehouse.envs.core.run.tables import Tables
from alehouse.training import checkpoint
from alehouse.training.counterfactuals import Replays, is_heuristic
from alehouse.training.judge import judge_of
from alehouse.training.mid_game_starts import Bank
from alehouse.training.network import Net, measured, write_net
from alehouse.training.opponents import EXPLOITER, MAIN, Pool
from alehouse.training.ppo import ENGINES, Figures, Learner, Terms, fastest
from alehouse.training.settings import Ranged, Row, Task, setting
from alehouse.training.streams import ASKED, NOBODY, Decided, Deciding, Floats, Streams, deciders

SAMPLED = 4096  # observations that scales are measured on
LOWEST = 0.1  # of the learning rate, once its horizon is reached


@dataclass(frozen=True)
class Settings(Ranged):
    """What may be set with --set."""

    tables: int = setting(2048, 1, 65536, "tables played at once")
    batch: int = setting(65536, 16, 2**24, "samples between updates")
    minibatch: int = setting(1024, 2, 2**24, "samples of a step of the optimizer")
    epochs: int = setting(1, 1, 100, "times each sample is learnt from")
    width: int = setting(80, 4, 1024, "width of the layers, a multiple of 4")
    learning_rate: float = setting(2e-3, 1e-8, 1.0, "of Adam, at the start")
    horizon: float = setting(1e8, 1.0, 1e12, "samples by which the learning rate has fallen to a tenth")
    entropy: float = setting(0.003, 0.0, 10.0, "weight of the normalised entropy")
    clip: float = setting(0.2, 0.001, 10.0, "range of the ratio")
    most_kl: float = setting(0.05, 0.0, 100.0, "no further epoch once the policy has moved so far")
    discount: float = setting(1.0, 0.0, 1.0, "a decision later")
    smoothing: float = setting(0.97, 0.0, 1.0, "lambda of the advantages")
    win: float = setting(0.5, 0.0, 1.0, "how much of the reward is the win; the rest is the rank")
    margin: float = setting(0.0, 0.0, 1e6, "points ahead that make a win e times as sure; 0: who has most has all of it")
    current: float = setting(0.1, 0.0, 1.0, "share of games with the current network alone")
    snapshots: float = setting(0.05, 0.0, 1.0, "share of games against snapshots of it")
    anchors: float = setting(0.8, 0.0, 1.0, "share of games against anchors; the rest is against an exploiter")
    renewal: int = setting(20, 1, 10**6, "batches between snapshots")
    resets: float = setting(0.1, 0.0, 1.0, "share of games that begin in the middle")
    replays: float = setting(0.0, 0.0, 1.0, "how often it is looked up how a game would end if the heuristic went on; 0: never")
    effects: int = setting(0, 0, 1, "1: learn from what every answer would change, and play the best; with replays=1")
    own: int = setting(0, 0, 1, "1: in replays networks go on at their seats, not the heuristic; with effects=1")
    ahead: int = setting(0, 0, 100, "stages after which a replay is judged by what seats have; 0: when the game has ended")
    trust: float = setting(3.0, 0.0, 100.0, "weight of the heuristic's ratings; 0: without them")
    reach: float = setting(2.0, 0.0, 1000.0, "how far below its best a rating counts, in the heuristic's tempers")
    warm: float = setting(5e5, 0.0, 1e12, "samples at the start that teach only what positions are worth")
    keep: float = setting(30.0, 0.0, 86400.0, "seconds between checkpoints")


@dataclass(frozen=True)
class Question(Task):
    """What the lean trainer is asked for."""

    trainer = "lean"
    settings: Settings = field(default_factory=Settings)


class Trainer:
    """One run of training, in a folder that holds its question and its checkpoints."""

    def __init__(
        self, question: Question, folder: Path, anchors: Sequence[Agent], threads: int | None = None, engine: str = "", carry: bool = False
    ) -> None:
        """Begin a run, or go on with the one in the folder.

        `threads` are used at most, and `engine` makes the gradients; by default both are measured. `carry`: the network's file that the
        question starts from may know features and actions that the game no longer has.
        """
        most = numba.config.NUMBA_NUM_THREADS
        check_whole("threads", most if threads is None else threads, 1, most)
        check_whole("seed", question.seed, 0, 2**64 - 1)
        self.folder, self.settings, self.anchors = folder, question.settings, list(anchors)
        chosen = self.settings
        variants = [as_variant(text) for text in question.variants]
        self.game = variants[0].spec
        if chosen.effects and (chosen.replays < 1 or not heuristic_of(self.game)):
            raise ValueError(f"effects=1: a heuristic tells them in replays, here replays={chosen.replays:g}; --set replays=1")
        if chosen.own and not chosen.effects:
            raise ValueError("own=1: networks go on as they play only where they play their best; --set effects=1")
        if chosen.ahead and chosen.win < 1:
            raise ValueError(f"ahead={chosen.ahead}: the judge knows of wins alone, win={chosen.win:g}; --set win=1")
        kept = checkpoint.load(folder)
        begun = read_net(Path(question.start), self.game, carry)[0] if question.start and not kept else None
        at_tables = [variants[i % len(variants)] for i in range(max(chosen.tables, len(variants)))]
        self.tables = Tables(at_tables, seed=question.seed, threads=threads or most)
        torch.set_num_threads(1)  # kernels and torch never share the cores; the engine that wins may ask for more
        scale, active = measured(self.game, sample_of(self.tables.variants, question.seed))
        trust = chosen.trust if heuristic_of(self.game) else 0.0
        nets = [Net(self.game, chosen.width, scale, active, question.seed % 2**63, trust, chosen.reach) for _ in (MAIN, EXPLOITER)]
        if begun is not None:
            for net in nets:
                net.begin_with(begun)
        shares = (chosen.current, chosen.snapshots, chosen.anchors)
        self.pool = Pool(self.tables, shares, self.anchors, nets[MAIN].record(), question.seed)
        self.bank = Bank(self.tables, chosen.resets, question.seed)
        self.streams = Streams(self.tables, chosen.batch)
        judge = judge_of(self.tables, self._paid, question.seed, threads or most) if chosen.ahead and not kept else None
        self.replays = Replays(self.tables, chosen.replays, self._paid, question.seed, chosen.ahead, judge,
                               self.pool if chosen.own else None)  # fmt: skip
        self.known = np.array([is_heuristic(agent, self.game) for agent in self.anchors], np.bool_)
        self.rng = np.random.default_rng([question.seed, 0])
        self.samples, self.batches, self.seconds = 0, 0, 0.0
        checkpoint.begin(folder, question.facts())
        self.engine: str = kept[1]["engine"] if kept else engine
        self.threads: int = kept[1]["threads"] if kept else threads or most
        self.learners = [Learner(net, self.engine or ENGINES[0], self.threads) for net in nets]
        self.pool.draw(np.arange(self.tables.n))
        if kept:
            self.restore(*kept)
        self.logs = SummaryWriter(str(folder / "logs"), purge_step=self.samples)

    def iterate(self) -> Row:
        """Play a batch, and learn from it."""
        start, chosen, streams = time.perf_counter(), self.settings, self.streams
        decided = Decided.room(self.tables)
        while not streams.full:
            self._play(decided)
        streams.settle(chosen.discount, chosen.smoothing)
        mine = streams.learnt(MAIN)
        figures = self._learn(mine)
        self.samples += mine.size
        self.batches += 1
        streams.carry()
        took = time.perf_counter() - start
        self.seconds += took
        row = Row(self.samples, self.seconds, mine.size / took, figures.entropy, figures.kl, self.pool.figures())
        self._log(row)
        return row

    def _log(self, row: Row) -> None:
        """An iteration for TensorBoard."""
        for name, value in row.scalars().items():
            self.logs.add_scalar(name, value, row.samples)
        self.logs.flush()

    def _play(self, decided: Decided) -> None:
        """One decision at every table."""
        tables, pool, action = self.tables, self.pool, decided.action
        job = Deciding(tables.states, tables.rules, tables.rule, tables.obs, pool.nets, pool.player, self.known, self.replays.weights,
                       bool(self.settings.effects), bool(self.settings.own), *decided)  # fmt: skip
        deciders(self.game)(job, tables.n, self.threads)
        asked = np.flatnonzero(action == ASKED)
        players = pool.player[asked, tables.seat[asked]]
        for k, agent in enumerate(self.anchors):
            which = asked[players == -1 - k]
            if which.size:
                action[which] = ask(agent, tables, which)
                decided.apart[which] = True
        learns = pool.who[np.arange(tables.n), tables.seat] != NOBODY
        deciding = learns & (tables.mask.sum(axis=1) > 1)
        if self.replays.share:
            self.replays.look(tables, deciding, self.threads)
        self.streams.note(tables, pool.who, decided, self.replays.anyway)
        if self.settings.effects:
            self.streams.weigh(tables, *self.replays.effects(tables, deciding, decided.others, self.threads))
        self.replays.moved(decided.apart)
        tables.step(action)
        ended = np.flatnonzero(tables.over)
        if ended.size:
            self.streams.close(ended, self._paid(tables.utility[ended], tables.scores[ended], pool.seats[ended]))
            pool.ended(ended, win_shares(tables.utility[ended], pool.seats[ended]))
            pool.draw(ended)
            pool.whole[self.bank.resume(tables, ended)] = False
            self.replays.began(ended)
        self.bank.keep(tables)

    def _paid(self, utility: Floats, points: npt.NDArray[Any], seats: npt.NDArray[np.int64]) -> Floats:
        """What utilities by rank and points of so many seats are worth to a learner."""
        margin = self.settings.margin
        won = softened(points / margin, seats) if margin else win_shares(utility, seats)
        return mixed(utility, won, seats, self.settings.win)

    def _learn(self, mine: npt.NDArray[np.int64]) -> Figures:
        """Update both learners from what they did, and renew snapshots and exploiter when it is time."""
        chosen, pool = self.settings, self.pool
        rate = chosen.learning_rate * max(LOWEST, 1 - (1 - LOWEST) * self.samples / chosen.horizon)
        policy = float(chosen.effects or self.samples >= chosen.warm)
        terms = Terms(chosen.clip, entropy=policy * chosen.entropy, policy=policy)
        found = []
        for who, which in ((MAIN, mine), (EXPLOITER, self.streams.learnt(EXPLOITER))):
            if chosen.effects:
                terms = terms._replace(value=0.0, policy=policy / self.streams.usual(which), every=True)
            normalise(self.streams.advantage, which)
            if not self.engine:
                self.engine, self.threads = fastest(self.learners[MAIN].net, self.streams, which[: chosen.minibatch], self.threads)
                for learner in self.learners:
                    learner.engine, learner.threads = self.engine, self.threads
            learner = self.learners[who]
            found.append(learner.learn(self.streams, which, terms, self.rng, rate, chosen.epochs, chosen.minibatch, chosen.most_kl))
            pool.nets[who] = learner.net.record()[0]
        if chosen.own:
            self.replays.moved(np.ones(self.tables.n, np.bool_))
        if (self.batches + 1) % chosen.renewal == 0:
            self._exploit()
        return found[MAIN] or Figures(0, 0, 0, 0, 0)

    def _exploit(self) -> None:
        """Keep a snapshot of the current network; the exploiter begins anew from it."""
        main = self.learners[MAIN]
        self.pool.keep(self.pool.nets[MAIN : MAIN + 1])
        self.learners[EXPLOITER].restore(main.saved())
        self.pool.nets[EXPLOITER] = self.pool.nets[MAIN]

    def weights(self) -> str:
        """A digest of the network."""
        return hashlib.sha256(self.learners[MAIN].net.record().tobytes()).hexdigest()[:16]

    def export(self, path: Path, command: str, results: dict[str, Any] | None = None) -> int:
        """Write the network as a file that plays; its size in bytes."""
        return write_net(path, self.game, self.learners[MAIN].net.record(), command, results)

    def save(self) -> None:
        """Keep everything that decides how training goes on."""
        pool, luck = self.pool.saved()
        bank, others = self.bank.saved()
        replays, more = self.replays.saved()
        tables = {"file": np.frombuffer(tables_file.packed(self.tables), np.uint8)}
        parts = {"main": self.learners[MAIN].saved(), "exploiter": self.learners[EXPLOITER].saved(), "pool": pool, "bank": bank,
                 "streams": self.streams.saved(), "replays": replays, "tables": tables}  # fmt: skip
        arrays = {f"{part}/{name}": array for part, found in parts.items() for name, array in found.items()}
        facts = {"samples": self.samples, "batches": self.batches, "seconds": self.seconds,
                 "engine": self.engine, "threads": self.threads, "pool": luck, "bank": others, "replays": more,
                 "luck": self.rng.bit_generator.state}  # fmt: skip
        checkpoint.save(self.folder, arrays, facts)

    def restore(self, arrays: checkpoint.Arrays, facts: checkpoint.Facts) -> None:
        """Go on from a checkpoint."""
        parts: dict[str, checkpoint.Arrays] = {}
        for name, array in arrays.items():
            part, _, rest = name.partition("/")
            parts.setdefault(part, {})[rest] = array
        self.learners[MAIN].restore(parts["main"])
        self.learners[EXPLOITER].restore(parts["exploiter"])
        self.pool.restore(parts["pool"], facts["pool"])
        self.bank.restore(parts["bank"], facts["bank"])
        self.streams.restore(parts["streams"])
        self.replays.restore(parts["replays"], facts["replays"])
        self.tables = tables_file.unpacked(parts["tables"]["file"].tobytes(), Tables)
        self.samples, self.batches, self.seconds = facts["samples"], facts["batches"], facts["seconds"]
        self.rng.bit_generator.state = facts["luck"]


def sample_of(variants: Sequence[Any], seed: int) -> npt.NDArray[np.uint8]:
    """Observations of random play by random players, of all variants and of all stages."""
    tables = Tables([variants[i] for i in np.linspace(0, len(variants) - 1, 64).astype(int)], seed=seed)
    found = []
    for step in range(SAMPLED):
        tables.step(tables.mixed())
        if step % 64 == 0:
            found.append(tables.obs.copy())
    return np.concatenate(found)


def softened(points: npt.NDArray[np.float64], seats: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Each seat's share of a win that goes to all of them, e times as much of it for each point more."""
    present = np.arange(points.shape[1]) < seats[:, None]
    above = np.exp(np.where(present, points, -np.inf) - np.where(present, points, -np.inf).max(axis=1, keepdims=True))
    found: npt.NDArray[np.float64] = above / above.sum(axis=1, keepdims=True)
    return found


def mixed(
    utility: npt.NDArray[np.float32], won: npt.NDArray[np.float64], seats: npt.NDArray[np.int64], win: float
) -> npt.NDArray[np.float32]:
    """The reward of ended games: rank utility mixed with the win, which is 1, and -1/(P-1) for those who did not."""
    others = np.maximum(seats - 1, 1)[:, None]
    present = np.arange(utility.shape[1]) < seats[:, None]
    share = np.where(seats > 1, win, 0.0)[:, None]
    reward = (1 - share) * utility + share * (won * seats[:, None] - 1) / others
    return np.where(present, reward, 0).astype(np.float32)


def normalise(advantage: npt.NDArray[np.float32], which: npt.NDArray[np.int64]) -> None:
    """Bring some advantages to mean 0 and spread 1."""
    if which.size:
        some = advantage[which]
        advantage[which] = (some - some.mean()) / (some.std() + 1e-8)
