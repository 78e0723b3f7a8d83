"""Playing by a network: the kernels that compute its output, which need no more than NumPy and numba.

A network reads the bytes of the observation. It has two hidden layers of the same width with ReLU; its output is a number for each action
and one for the seat's own utility. The logit of an action is its number plus `trust` times the heuristic's rating of it. In this rating
the best action has 0 and others less, at least minus `reach`, in units of the heuristic's weight `temper`. Two more layers, the
same for all answers, add a number to each logit: they read which action it is, the position (the second hidden layer), and the answer's
aspects, by which a heuristic describes it.
"""

import functools
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.instant import BEST, SAMPLE
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.network_file import ANSWER, DEEP, SHIPPED, aspects_of, net_record, read_net
from alehouse.agents.rows import add_all, add_listed, add_picked, dot
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, draw
from alehouse.envs.core.run.scratch import bare

CHANCE = 3  # the round of an agent's luck that samples an action
S11 = np.uint64(11)
UNIT = 2.0**-53
SLACK = 8  # entries that are listed at a time


class Workspace(NamedTuple):
    """Arrays that one thread works with, for one decision after another."""

    inputs: Any  # the indices of the observation's bytes that are not zero
    indices: Any  # the indices of the numbers that are not zero in a layer or among aspects
    first: Any
    second: Any
    answer: Any  # the first layer for answers: a row for each legal action; the last row is what the position adds to all of them
    deep: Any  # the second layer for answers
    actions: Any  # the legal actions
    logits: Any
    chances: Any


class Desk(NamedTuple):
    """What one thread plays with. It is passed on faster than many arrays."""

    room: Any  # one record with the fields of a workspace, and with `obs`, `prior` and `aspects`
    steps: Any  # counts steps of the simulator (a network takes none)


@jit
def new_workspace(inputs, outputs, width, aspects):
    """Make the workspace for networks of one layout: the numbers of inputs, outputs and aspects, and the width of the hidden layers."""
    layer, row = np.zeros((2, width), np.float32), np.zeros((2, outputs), np.float32)
    return Workspace(
        np.zeros(inputs + SLACK, np.int64), np.zeros(max(width, aspects, ANSWER) + SLACK, np.int64),
        layer[0], layer[1], np.zeros((outputs + 1, ANSWER), np.float32), np.zeros((outputs, DEEP), np.float32),
        np.zeros(outputs, np.int64), row[0], row[1],
    )  # fmt: skip


def room(game: Game, width: int) -> np.dtype[Any]:
    """Return the record at which networks of one width play a game."""
    inputs, outputs, aspects = game.FEATURES.size, len(game.ACTIONS), len(aspects_of(game))
    numbers = {"inputs": inputs + SLACK, "indices": max(width, aspects, ANSWER) + SLACK, "actions": outputs}
    rows = {"first": width, "second": width, "answer": (outputs + 1, ANSWER), "deep": (outputs, DEEP), "logits": outputs}
    rows |= {"chances": outputs, "prior": outputs, "aspects": (outputs, aspects)}
    fields = [(name, form, size) for form, sizes in (("i8", numbers), ("f4", rows)) for name, size in sizes.items()]
    return np.dtype((np.record, [*fields, ("obs", "u1", inputs)]))


@jit
def copy_row(out, row):
    """Copy a row; numba's own assignment takes ten times as long."""
    for k in range(row.size):
        out[k] = row[k]


@jit
def nonzero(numbers, indices):
    """List the indices of the numbers that are not zero, and return how many there are; the list has SLACK places more than that.

    SLACK of them are listed at a time, wanted or not, because the processor would predict too many single steps wrongly.
    """
    n, size = 0, numbers.size
    if size < bits.SPAN:
        for k in range(size):
            indices[n] = k
            n += int(numbers[k] != 0)
        return n
    for at in range(0, size, bits.SPAN):
        from_here = min(at, size - bits.SPAN)  # the last numbers are looked at together with some before them
        here = bits.filled(numbers, from_here) >> (at - from_here)
        found = bits.popcount(here)
        for k in range(n, n + found, SLACK):
            for j in range(SLACK):
                indices[k + j] = at + bits.lowest(here)
                here &= here - 1
        n += found
    return n


@jit
def add_rows(rows, numbers, indices, out):
    """Add all rows, each times its number, skipping those whose number is zero. List the rows used, and return how many there are."""
    n = nonzero(numbers, indices)
    add_listed(rows, numbers, indices, n, out)
    return n


@jit
def rectify(layer):
    """Replace each number below zero by zero."""
    for k in range(layer.size):
        layer[k] = max(layer[k], np.float32(0))


@jit
def hidden_layers(W, obs, work):
    """Compute both hidden layers of a network; return how many inputs are not zero (`work.inputs` lists them)."""
    first, second = work.first, work.second
    copy_row(first, W.first_bias)
    n = add_rows(W.first, obs, work.inputs, first)
    rectify(first)
    copy_row(second, W.second_bias)
    add_rows(W.second, first, work.indices, second)
    rectify(second)
    return n


@functools.cache
def adviser(game: Game) -> Callable[..., None]:
    """Make the kernel that writes the heuristic's rating of each legal action: 0 for the best, down to -reach for others.

    Ratings are in units of the heuristic's weight `temper`.
    """
    known = heuristic_of(game)

    if known is None:

        @jit
        def advise(s, R, H, key, reach, prior):
            """Leave the ratings at 0, because the game has no heuristic."""

    else:
        think, worth = known.think, known.rate

        @jit
        def advise(s, R, H, key, reach, prior):
            """Write the heuristic's rating of each legal action."""
            mind = think(s, R, H, key)
            n, most = 0, -np.inf
            for w in range(s.can.size):
                word = s.can[w]
                while word != 0:
                    a = (w << 6) + bits.lowest(word)
                    word &= word - np.uint64(1)
                    prior[n] = worth(s, R, H, bare(mind), a)
                    most = max(most, prior[n])
                    n += 1
            for k in range(n):
                prior[k] = max(-reach, (prior[k] - most) / H.temper)

    compiled: Callable[..., None] = advise
    return compiled


@functools.cache
def student(game: Game) -> Callable[..., None]:
    """Make the kernel that writes the aspects of each legal action."""
    known = heuristic_of(game)
    described = int(known is not None)

    @jit
    def rated(s, R, W, prior, out):
        """Write the heuristic's rating of each legal action, if the game has a heuristic."""
        for n in range(described * bits.count(s.can)):
            out[n, 0] = prior[n]

    return known.study if known and known.study else rated


@jit
def of_answer(W, aspects, n, work):
    """Return what the layers for answers add to the logit of the n-th legal action."""
    answer, deep = work.answer[n], work.deep[n]
    copy_row(answer, work.answer[work.answer.shape[0] - 1])
    add_picked(W.answer_actions, work.actions[n:], 1, answer)
    add_rows(W.answer_aspects, aspects, work.indices, answer)
    rectify(answer)
    copy_row(deep, W.answer_second_bias)
    add_all(W.answer_second, answer, deep)
    rectify(deep)
    return dot(deep, W.answer)


@jit
def rate(W, can, prior, aspects, work):
    """List the legal actions with their logits in the workspace, and return how many there are; the hidden layers stay there too."""
    second, context = work.second, work.answer[work.answer.shape[0] - 1]
    copy_row(context, W.answer_bias)
    add_rows(W.answer_context, second, work.indices, context)
    n = 0
    for w in range(can.size):
        word = can[w]
        while word != 0:
            a = (w << 6) + bits.lowest(word)
            word &= word - np.uint64(1)
            work.actions[n] = a
            work.logits[n] = W.policy_bias[a] + dot(second, W.policy[a]) + W.trust[0] * prior[n] + of_answer(W, aspects[n], n, work)
            n += 1
    return n


@jit
def soften(logits, n, chances):
    """Turn the first n logits into logarithms of probabilities, and write the probabilities beside them."""
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
    """Return a random number from 0 to 1 that follows from a key; `use` is the round of the agent's luck."""
    return np.float64(draw(key, AGENTS, use, 0, 0) >> S11) * UNIT


@jit
def sampled(chances, n, key):
    """Return one of the first n indices at random, each with its own probability."""
    left = portion(key, CHANCE)
    for k in range(n - 1):
        left -= chances[k]
        if left < 0:
            return k
    return n - 1


@jit
def highest(numbers, n):
    """Return the index of the highest of the first n numbers; if several are equal, the first of them."""
    best = 0
    for k in range(1, n):
        if numbers[k] > numbers[best]:
            best = k
    return best


@functools.cache
def net_kernels(game: Game, width: int) -> SimpleNamespace:
    """Make the kernels by which networks of one width play a game."""
    observe, advise, study, form = game.observe, adviser(game), student(game), room(game, width)

    @jit
    def prepare(options):
        """Make what one thread plays with."""
        return Desk(np.zeros(1, form), np.zeros(1, np.int64))

    @jit
    def think(s, R, W, seat, key, work):
        """List the legal actions with their logits in the workspace, and return how many there are."""
        work.obs[:] = 0
        observe(s, R, seat, work.obs)
        hidden_layers(W, work.obs, work)
        if W.trust[0] != 0:
            advise(s, R, W.heuristic, key, W.reach[0], work.prior)
        study(s, R, W.heuristic, work.prior, work.aspects)
        return rate(W, s.can, work.prior, work.aspects, work)

    @jit
    def decide(s, R, W, seat, key, options, desk):
        """Return the action with the highest logit or, if options[0] says so, one sampled by the probabilities."""
        if bits.count(s.can) == 1:
            return bits.nth(s.can, 0)
        work = bare(desk).room[0]
        n = think(s, R, W, seat, key, work)
        if options[0] == SAMPLE:
            soften(work.logits, n, work.chances)
            return work.actions[sampled(work.chances, n, key)]
        return work.actions[highest(work.logits, n)]

    return SimpleNamespace(prepare=prepare, think=think, decide=decide)


def for_play(game: Game, weights: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a network with its tables in float16, which are read twice as fast; those of a file hold no more than that."""
    found = np.zeros(1, net_record(game, weights["first_bias"].shape[1], "u2"))
    for name in weights.dtype.names or ():
        words = found.dtype[name].base == np.uint16
        found[name] = weights[name].astype(np.float16).view(np.uint16) if words else weights[name]
    return found


def of_record(game: Game, weights: npt.NDArray[Any], name: str = "net", sample: bool = False, threads: int = 1) -> Kernel:
    """Return the agent that plays by a network, given as an array of one record."""
    k = net_kernels(game, weights["first_bias"].shape[1])
    recipe = of_record, (game, weights, name, sample, threads)
    return Kernel(name, game, k.decide, k.prepare, for_play(game, weights), [SAMPLE if sample else BEST], recipe, threads)


def net(game: Game, path: str | Path | None = None, sample: bool = False, threads: int = 1, carry: bool = False) -> Kernel:
    """Return an agent that plays by a network's file, by default the one that comes with the package.

    It takes the action with the highest logit, or samples one by the probabilities. `carry`: also accept a file with features, actions or
    weights that the game no longer has.
    """
    if path is None and not (SHIPPED / f"{game.name}.safetensors").is_file():
        raise ValueError(f"net: none comes with the package for {game.name}; train one, then net:path=FILE")
    file = SHIPPED / f"{game.name}.safetensors" if path is None else Path(path)
    if not file.is_file():
        raise ValueError(f"net: there is no file {file}")
    weights, _ = read_net(file, game, carry)
    return of_record(game, weights, "net" if path is None else f"net:{file.name}", sample, threads)
