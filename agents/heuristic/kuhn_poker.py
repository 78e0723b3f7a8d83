"""Kuhn poker: how often to bet with each card. The weights in the file are an equilibrium (Kuhn 1950), worth -1/18 to seat 0."""

from pathlib import Path

import numpy as np

from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.jit import jit
from alehouse.envs.reference.kuhn_poker import CARDS, PASS

WEIGHTS = Weights.load(Path(__file__).with_suffix(".toml"), begin=CARDS, call=CARDS, follow=CARDS, answer=CARDS)
WHOLE = 2.0**64


@jit
def think(s, R, W, key):
    """Return how much better betting is than passing this time."""
    me = int(s.turn)
    card = s.card[me]
    raised = s.paid[1 - me] > s.paid[me]
    bet, call = (W.begin, W.call) if me == 0 else (W.follow, W.answer)
    return (call[card] if raised else bet[card]) - np.float64(key) / WHOLE


@jit
def rate(s, R, W, mind, a):
    """Rate betting; passing is worth nothing."""
    return 0.0 if a == PASS else mind


@jit
def evaluate(s, R, W, out):
    """Write zeros as estimates: roll-outs always go to the end."""
    out[:] = 0.0
