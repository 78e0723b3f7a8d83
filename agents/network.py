"""Networks that play: the kernels that ask one. They need no more than NumPy and numba.

A network takes in the bytes of the observation, has two hidden layers of one width with ReLU, and gives a number for each action and
one for the seat's own utility. The logit of an action is its number plus `trust` times the heuristic's rating of it: 0 for the best,
less for others, at least minus `reach`, in the heuristic's tempers. Where a game gives aspects of each answer, a small layer, the same
for all answers, takes in those and the position and adds a number to the logit.
"""

import functools
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.network_file import ANSWER, SHIPPED, STEP, aspects_of, read_net
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, draw

CHANCE = 3  # the round of an agent's luck that samples an action
BEST, SAMPLE = 0, 1
S11 = np.uint64(11)
UNIT = 2.0**-53


@jit
def put(out, row):
    """Copy a row; numba's own assignment takes ten times as long."""
    for k in range(row.size):
        out[k] = row[k]


@jit
def nonzero(numbers, places):
    """Where numbers are not zero, and how many such places there are; without branches, which would be guessed wrong too often."""
    n = 0
    for k in range(numbers.size):
        places[n] = k
        n += int(numbers[k] != 0)
    return n


@jit
def weighted(rows, numbers, places, n, out):
    """Add some rows, each times its number; four at a time, so that sums are fetched and stored as seldom."""
    for k in range(0, n & ~3, 4):
        f, g, h, i = places[k], places[k + 1], places[k + 2], places[k + 3]
        a, b, c, d = np.float32(numbers[f]), np.float32(numbers[g]), np.float32(numbers[h]), np.float32(numbers[i])
        p, q, r, s = rows[f], rows[g], rows[h], rows[i]
        for j in range(out.size):
            out[j] += (a * p[j] + b * q[j]) + (c * r[j] + d * s[j])
    for k in range(n & ~3, n):
        a, p = np.float32(numbers[places[k]]), rows[places[k]]
        for j in range(out.size):
            out[j] += a * p[j]


@jit
def spread(rows, numbers, places, out):
    """Add all rows, each times its number; what is zero is skipped. How many are not: `places` says which."""
    n = nonzero(numbers, places)
    weighted(rows, numbers, places, n, out)
    return n


@jit
def rectify(layer):
    """What is below zero becomes zero."""
    for k in range(layer.size):
        layer[k] = max(layer[k], np.float32(0))


@jit
def layers(W, obs, places, first, second):
    """Both hidden layers of a network for an observation; what is zero is skipped. How many inputs are not zero: `places` says which."""
    put(first, W.first_bias)
    n = spread(W.first, obs, places, first)
    rectify(first)
    put(second, W.second_bias)
    spread(W.second, first, places[n:], second)
    rectify(second)
    return n


@jit
def dot(a, b):
    """A scalar product, as STEP sums in a fixed order so that every machine comes to the same."""
    s, t, u, v = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    for j in range(0, a.size, STEP):
        s += a[j] * b[j]
        t += a[j + 1] * b[j + 1]
        u += a[j + 2] * b[j + 2]
        v += a[j + 3] * b[j + 3]
    return (s + t) + (u + v)


@functools.cache
def adviser(game: Game) -> Callable[..., None]:
    """The kernel that says what a game's heuristic thinks of each legal action, in its tempers: 0 of the best, down to -reach of others."""
    known = heuristic_of(game)

    if known is None:

        @jit
        def advise(s, R, H, key, reach, prior):
            """Nothing is known of the game."""

    else:
        think, worth = known.think, known.rate

        @jit
        def advise(s, R, H, key, reach, prior):
            mind = think(s, R, H, key)
            n, most = 0, -np.inf
            for w in range(s.can.size):
                word = s.can[w]
                while word != 0:
                    a = (w << 6) + bits.lowest(word)
                    word &= word - np.uint64(1)
                    prior[n] = worth(s, R, H, mind, a)
                    most = max(most, prior[n])
                    n += 1
            for k in range(n):
                prior[k] = max(-reach, (prior[k] - most) / H.temper)

    compiled: Callable[..., None] = advise
    return compiled


@functools.cache
def student(game: Game) -> Callable[..., None]:
    """The kernel that says what each legal action is about."""
    known = heuristic_of(game)

    @jit
    def nothing(s, R, W, prior, out):
        """There is nothing to say."""

    return known.study if known and known.study else nothing


@jit
def about(W, context, aspects, places, answer):
    """What a network adds for what an answer is about; its layer for that is left in `answer`."""
    put(answer, context)
    spread(W.answer_aspects, aspects, places, answer)
    rectify(answer)
    return dot(answer, W.answer)


@jit
def rate(W, second, can, prior, aspects, places, answer, actions, logits):
    """The legal actions and what the network gives each; how many there are. `places` is room to work in.

    `answer` keeps the layer for what each is about and, in its last row, what the position adds to it.
    """
    context = answer[answer.shape[0] - 1]
    put(context, W.answer_bias)
    if context.size > 0:
        spread(W.answer_context, second, places, context)
    n = 0
    for w in range(can.size):
        word = can[w]
        while word != 0:
            a = (w << 6) + bits.lowest(word)
            word &= word - np.uint64(1)
            actions[n] = a
            logits[n] = W.policy_bias[a] + dot(second, W.policy[a]) + W.trust[0] * prior[n]
            logits[n] += about(W, context, aspects[n], places, answer[n])
            n += 1
    return n


@jit
def soften(logits, n, chances):
    """Logits become logarithms of chances; the chances beside them."""
    most = logits[0]
    for k in range(1, n):
        most = max(most, logits[k])
    total = np.float32(0)
    for k in range(n):
        logits[k] -= most
        chances[k] = np.exp(logits[k])
        total += chances[k]
    log = np.log(total)
    for k in range(n):
        logits[k] -= log
        chances[k] /= total


@jit
def portion(key, use):
    """A number from 0 to 1, each as likely; `use` is the round of an agent's luck."""
    return np.float64(draw(key, AGENTS, use, 0, 0) >> S11) * UNIT


@jit
def sampled(chances, n, key):
    """One of n, each with its chance."""
    left = portion(key, CHANCE)
    for k in range(n - 1):
        left -= chances[k]
        if left < 0:
            return k
    return n - 1


@jit
def highest(numbers, n):
    """The place of the highest of n numbers, the first if several are."""
    best = 0
    for k in range(1, n):
        if numbers[k] > numbers[best]:
            best = k
    return best


class Desk(NamedTuple):
    """Room to think in; steps of the simulator taken (none)."""

    obs: Any
    places: Any
    first: Any
    second: Any
    prior: Any
    aspects: Any
    answer: Any
    actions: Any
    logits: Any
    chances: Any
    steps: Any


@functools.cache
def net_kernels(game: Game, width: int) -> SimpleNamespace:
    """The kernels by which networks of a width play a game."""
    observe, advise, study = game.observe, adviser(game), student(game)
    inputs, outputs, aspects = game.FEATURES.size, len(game.ACTIONS), len(aspects_of(game))
    answer = ANSWER if aspects else 0

    @jit
    def prepare(how):
        """The desk of one thread."""
        layer, row = np.zeros((2, width), np.float32), np.zeros((3, outputs), np.float32)
        return Desk(np.zeros(inputs, np.uint8), np.zeros(inputs + width, np.int64), layer[0], layer[1], row[0],
                    np.zeros((outputs, aspects), np.float32), np.zeros((outputs + 1, answer), np.float32),
                    np.zeros(outputs, np.int64), row[1], row[2], np.zeros(1, np.int64))  # fmt: skip

    @jit
    def decide(s, R, W, seat, key, how, desk):
        """The action a network likes best, or one by its chances; how[0] says which."""
        if bits.count(s.can) == 1:
            return bits.nth(s.can, 0)
        desk.obs[:] = 0
        observe(s, R, seat, desk.obs)
        layers(W, desk.obs, desk.places, desk.first, desk.second)
        if W.trust[0] != 0:
            advise(s, R, W.heuristic, key, W.reach[0], desk.prior)
        study(s, R, W.heuristic, desk.prior, desk.aspects)
        n = rate(W, desk.second, s.can, desk.prior, desk.aspects, desk.places, desk.answer, desk.actions, desk.logits)
        if how[0] == SAMPLE:
            soften(desk.logits, n, desk.chances)
            return desk.actions[sampled(desk.chances, n, key)]
        return desk.actions[highest(desk.logits, n)]

    return SimpleNamespace(prepare=prepare, decide=decide)


def of_record(game: Game, weights: npt.NDArray[Any], name: str = "net", sample: bool = False, threads: int = 1) -> Kernel:
    """The agent of a network."""
    k = net_kernels(game, weights["first_bias"].shape[1])
    recipe = of_record, (game, weights, name, sample, threads)
    return Kernel(name, game, k.decide, k.prepare, weights, [SAMPLE if sample else BEST], recipe, threads)


def net(game: Game, path: str | Path | None = None, sample: bool = False, threads: int = 1, carry: bool = False) -> Kernel:
    """Return the agent of a network's file, by default of the one that comes with the package.

    It takes the action with the highest logit, or samples one by their chances. `carry`: also read a file that knows features, actions
    or weights which the game no longer has.
    """
    if path is None and not (SHIPPED / f"{game.name}.safetensors").is_file():
        raise ValueError(f"net: none comes with the package for {game.name}; train one, then net:path=FILE")
    file = SHIPPED / f"{game.name}.safetensors" if path is None else Path(path)
    if not file.is_file():
        raise ValueError(f"net: there is no file {file}")
    weights, _ = read_net(file, game, carry)
    return of_record(game, weights, "net" if path is None else f"net:{file.name}", sample, threads)
