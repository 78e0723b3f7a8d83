"""Kegs: bid high for kegs that are worth much to oneself, low for the others."""

from pathlib import Path

import numpy as np

from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.jit import jit
from alehouse.skeleton.kegs.layout import A_BID, CARDS, KINDS, SEATS
from alehouse.skeleton.kegs.play import score

WEIGHTS = Weights.load(Path(__file__).with_suffix(".toml"))


@jit
def worth(R, me, kind):
    """Return the points of a keg to a seat."""
    return int(R.value[kind]) + int(R.favourite) * int(me.favourite == kind)


@jit
def think(s, R, W, key):
    """Return which card of the hand this keg deserves, as its index from the lowest card."""
    me = s.seat[s.turn]
    left = below = 0.0
    for kind in range(KINDS):
        n = int(s.deck[kind])
        left += n
        below += n * (1.0 if worth(R, me, kind) < worth(R, me, s.keg) else 0.5 * (worth(R, me, kind) == worth(R, me, s.keg)))
    rank = (below + 0.5) / (left + 1.0)
    return rank * (int(R.rounds) - int(s.played)) + W.boldness


@jit
def rate(s, R, W, wanted, a):
    """Rate a card by how close its index in the hand is to the wanted one."""
    place = 0.5
    for card in range(CARDS):
        place += (int(s.seat[s.turn].hand) >> card) & int(card < a - A_BID) & 1
    return -abs(place - wanted)


@jit
def evaluate(s, R, W, out):
    """Write the utility that each seat may expect, by its lead over the others."""
    points = np.zeros(SEATS, np.int64)
    score(s, R, points)
    out[:] = 0.0
    for p in range(R.seats):
        for q in range(R.seats):
            lead = (points[p] - points[q]) / W.doubt
            out[p] += lead / np.sqrt(1.0 + lead * lead) / (int(R.seats) - 1)
