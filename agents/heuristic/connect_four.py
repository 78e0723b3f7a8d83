"""Connect four: take a win, stop one, and do not make one possible; otherwise prefer the middle, with a little randomness."""

from pathlib import Path

from alehouse.agents.heuristic.weights import Weights
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, draw
from alehouse.envs.reference.connect_four import COLUMNS, HEIGHT, ROWS, four

WEIGHTS = Weights.load(Path(__file__).with_suffix(".toml"))
WHOLE = 2.0**64
WANDER = 2  # the round of an agent's luck that varies its play


@jit
def cell(taken, column):
    """Return the cell into which a disc falls, as a set; if the column is full, the cell above it."""
    bottom = 1 << (column * HEIGHT)
    return (taken + bottom) & ~taken & (((1 << (ROWS + 1)) - 1) << (column * HEIGHT))


@jit
def think(s, R, W, key):
    """Return random bits that vary play."""
    return key


@jit
def rate(s, R, W, mind, a):
    """Rate dropping a disc in a column."""
    mine, theirs = int(s.board[s.turn]), int(s.board[1 - s.turn])
    here = cell(mine | theirs, a)
    above = cell(mine | theirs | here, a)
    worth = W.wander * (draw(mind, AGENTS, WANDER, 0, a) / WHOLE) - W.middle * abs(a - COLUMNS // 2)
    if four(mine | here):
        worth += W.win
    if four(theirs | here):
        worth += W.stop
    if above < 1 << (a * HEIGHT + ROWS) and four(theirs | above):
        worth -= W.gift
    return worth


@jit
def evaluate(s, R, W, out):
    """Write zeros as estimates: roll-outs always go to the end."""
    out[:] = 0.0
