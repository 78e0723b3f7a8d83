"""The line-up at each training table: it is drawn when a game begins, and fixed until it ends.

There are four kinds of games. The current network plays in every seat; or in one seat, with a snapshot of itself in all others; or in
one seat, with an anchor (an agent that never changes) in all others; or in every seat but one, which is played by an exploiter, a
network that learns only to beat the current one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.agents import Agent
from alehouse.envs.core.run.tables import Tables
from alehouse.training.metrics import Share
from alehouse.training.samples import NOBODY

MAIN, EXPLOITER = 0, 1  # the two networks that learn, as indices in the array of networks; snapshots follow them
FIRST = 2
SNAPSHOTS = 8  # at most this many snapshots are kept; a new one replaces the oldest
CURRENT, SNAPSHOT, ANCHOR, EXPLOITED = range(4)  # the kinds of games
MEMORY = 0.99  # the share of games won against an opponent is a running average; each game keeps this much of the old value
EASY = 1.1  # above 1, so that an opponent that is always beaten still comes up now and then
ARRAYS = ("player", "who", "kind", "hero", "foe", "whole", "won", "tally")


class Opponents:
    """Draws and keeps the line-ups at a batch of tables."""

    def __init__(self, tables: Tables, shares: Sequence[float], anchors: Sequence[Agent], nets: npt.NDArray[Any], seed: int) -> None:
        """Begin without snapshots. `shares`: of games with the current network alone, with snapshots, and with anchors; the rest have
        the exploiter.
        """
        if sum(shares) > 1 + 1e-9:
            raise ValueError(f"current + snapshots + anchors: {sum(shares):g}; at most 1, the rest is played with the exploiter")
        n, seats = tables.utility.shape
        self.seats = np.array([v.seats for v in tables.variants], np.int64)
        self.shares, self.anchors = np.cumsum(shares), list(anchors)
        self.nets = np.repeat(nets, FIRST + SNAPSHOTS)
        self.taken = 0  # number of snapshots taken so far
        self.rng = np.random.default_rng([seed, 1])
        self.player = np.zeros((n, seats), np.int8)  # for each table and seat, the index of its network, or -1, -2 ... for the anchors
        self.who = np.full((n, seats), NOBODY, np.int8)  # for each table and seat, the learner that learns from it, or NOBODY
        self.kind, self.hero, self.foe = np.zeros((3, n), np.int8)
        self.whole = np.ones(n, np.bool_)  # for each table, whether the game began at its start; only these games are counted
        self.won = np.full(SNAPSHOTS + len(self.anchors), 0.5)  # for each snapshot and anchor, the recent share of games won against it
        self.tally = np.zeros((max(1, len(self.anchors)), 3))  # for each anchor: games, games won, and games that even play would win

    @property
    def snapshots(self) -> int:
        """Return how many snapshots there are."""
        return min(self.taken, SNAPSHOTS)

    def keep(self, net: npt.NDArray[Any]) -> None:
        """Keep a network as a snapshot; it replaces the oldest if there are too many."""
        place = self.taken % SNAPSHOTS
        self.nets[FIRST + place], self.won[place] = net[0], 0.5
        self.taken += 1

    def draw(self, which: npt.NDArray[np.int64]) -> None:
        """Draw new line-ups at the listed tables."""
        size = which.size
        kind = np.searchsorted(self.shares, self.rng.random(size), side="right")
        kind[(kind == SNAPSHOT) & (self.snapshots == 0)] = CURRENT
        kind[(kind == ANCHOR) & (not self.anchors)] = CURRENT
        hero = self.rng.integers(self.seats[which])
        met = self._met(self.won[SNAPSHOTS:], size), self._met(self.won[: self.snapshots], size)
        foe = np.where(kind == ANCHOR, *met)
        others = np.choose(kind, [np.full(size, MAIN), FIRST + foe, -1 - foe, np.full(size, MAIN)])
        learns = np.where((kind == CURRENT) | (kind == EXPLOITED), MAIN, NOBODY)
        self.player[which], self.who[which] = others[:, None], learns[:, None]
        self.player[which, hero] = self.who[which, hero] = np.where(kind == EXPLOITED, EXPLOITER, MAIN)
        self.kind[which], self.hero[which], self.foe[which], self.whole[which] = kind, hero, foe, True

    def _met(self, won: npt.NDArray[np.float64], size: int) -> npt.NDArray[np.int64]:
        """Draw opponents for some games; opponents that are rarely beaten come more often."""
        if not won.size:
            return np.zeros(size, np.int64)
        weights = (EASY - won) ** 2
        return self.rng.choice(won.size, size, p=weights / weights.sum())

    def ended(self, which: npt.NDArray[np.int64], won: npt.NDArray[np.float64]) -> None:
        """Count games that have ended: `won[k, p]` is the share of the win of seat p in the k-th of them."""
        kind, foe, mine = self.kind[which], self.foe[which], won[np.arange(which.size), self.hero[which]]
        anchored = (kind == ANCHOR) & self.whole[which]
        np.add.at(self.tally, foe[anchored], np.stack([np.ones(mine.size), mine, 1 / self.seats[which]], axis=1)[anchored])
        met = np.where(kind == ANCHOR, SNAPSHOTS + foe, foe)
        counted = self.whole[which] & ((kind == ANCHOR) | (kind == SNAPSHOT))
        for k in np.unique(met[counted]):
            share = mine[counted & (met == k)]
            kept = MEMORY**share.size
            self.won[k] = kept * self.won[k] + (1 - kept) * share.mean()

    def figures(self) -> dict[str, Share]:
        """Return the results against each anchor since the last call."""
        found = {
            a.name: Share(int(n), won / n, even / n) for a, (n, won, even) in zip(self.anchors, self.tally.tolist(), strict=False) if n
        }
        self.tally[:] = 0
        return found

    def saved(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Return everything as arrays and JSON facts."""
        arrays = {name: getattr(self, name) for name in ARRAYS} | {"nets": self.nets.view(np.float32).reshape(self.nets.size, -1)}
        return arrays, {"taken": self.taken, "luck": self.rng.bit_generator.state}

    def restore(self, arrays: dict[str, npt.NDArray[Any]], facts: dict[str, Any]) -> None:
        """Go on from what `saved` returned."""
        for name in ARRAYS:
            getattr(self, name)[:] = arrays[name]
        self.nets.view(np.float32).reshape(self.nets.size, -1)[:] = arrays["nets"]
        self.taken, self.rng.bit_generator.state = facts["taken"], facts["luck"]
