"""Gradients of the PPO loss by hand, equal to torch's own gradients of `ppo.loss`.

Most inputs are zero and few actions legal, so that this does a small part of the work of dense layers.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.network import dot, layers, nonzero, rate, soften, spread
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import bare
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.threads import chunked
from alehouse.training.streams import Floats, Which

FIGURES = ("policy", "value", "entropy", "kl", "clipped")


class Gradients(NamedTuple):
    """Samples, of which some, `which`, are to be learnt from; the network as it is; and for each thread the sums to add up."""

    obs: npt.NDArray[np.uint8]
    can: npt.NDArray[np.uint64]
    prior: Floats
    aspects: Floats  # a row for each answer of each sample
    row: Which  # the first of these rows, by sample
    effect: Floats
    action: npt.NDArray[np.int16]
    log: Floats
    advantage: Floats
    target: Floats
    which: Which
    nets: npt.NDArray[Any]
    scale: Floats  # of the inputs
    second: Floats  # the network's second layer, transposed
    context: Floats  # what it says to answers, transposed
    sums: npt.NDArray[Any]
    figures: npt.NDArray[np.float64]
    clip: float
    value: float
    entropy: float
    policy: float
    every: bool


SAMPLES = Gradients._fields[: Gradients._fields.index("which")]


class Workspace(NamedTuple):
    """What one thread works with, for one sample after the other."""

    places: Any  # of what is not zero
    first: Any  # layers
    second: Any
    answer: Any  # the layer for what answers are about, and in the last row what the position says to it
    choice: Any  # the legal actions
    logits: Any
    chances: Any
    pull: Any  # gradients of the logits
    back: Any  # of the second layer
    deep: Any  # of the first layer
    here: Any  # of what the position says to answers


@jit
def slopes(log, old, advantage, clip, weight):
    """Return the loss's slope by the logarithm of the chosen action's chance, and the ratio of the policies."""
    ratio = np.exp(log - old)
    held = ratio > 1 + clip if advantage > 0 else ratio < 1 - clip
    return np.float32(0) if held else np.float32(-weight * advantage * ratio), ratio


@jit
def through_policy(W, G, aspects, context, w, inputs, n):
    """Carry the gradients of the n logits, `pull`, into the policy's weights and, through them, into the second layer."""
    second, back, here, places = w.second, w.back, w.here, w.places[inputs:]
    here[:] = 0
    for k in range(n):
        d, a = w.pull[k], w.choice[k]
        G.policy_bias[a] += d
        row, grow = W.policy[a], G.policy[a]
        for j in range(second.size):
            back[j] += d * row[j]
        for j in range(second.size):
            grow[j] += d * second[j]
        through_answer(W, G, aspects[k], w.answer[k], d, places, here)
    for h in range(here.size):
        G.answer_bias[h] += here[h]
    spread(context, here, places, back)
    outer(second, here, places, G.answer_context)


@jit
def through_answer(W, G, aspects, answer, d, places, here):
    """Carry the gradient of one logit, d, into the layer for what its answer is about; `here` adds up what comes to its context."""
    for h in range(answer.size):
        G.answer[h] += d * answer[h]
    for h in range(answer.size):
        answer[h] = d * W.answer[h] if answer[h] > 0 else np.float32(0)
        here[h] += answer[h]
    outer(aspects, answer, places, G.answer_aspects)


@jit
def outer(numbers, row, places, out):
    """Add each number times `row` to that number's row of `out`; numbers that are zero are skipped."""
    for k in range(nonzero(numbers, places)):
        x, to = numbers[places[k]], out[places[k]]
        for j in range(row.size):
            to[j] += x * row[j]


@jit
def through_layers(G, obs, scale, turned, w, inputs):
    """Carry the gradient of the second layer into all weights before it. `turned` is that layer's weights, transposed."""
    first, second, back, deep, rest = w.first, w.second, w.back, w.deep, w.places[inputs:]
    for j in range(second.size):
        back[j] = back[j] if second[j] > 0 else np.float32(0)
    for j in range(second.size):
        G.second_bias[j] += back[j]
    outer(first, back, rest, G.second)
    deep[:] = 0
    spread(turned, back, rest, deep)
    for k in range(first.size):
        deep[k] = deep[k] if first[k] > 0 else np.float32(0)
    for k in range(first.size):
        G.first_bias[k] += deep[k]
    for i in range(inputs):
        f = w.places[i]
        x, grow = np.float32(obs[f]) * scale[f], G.first[f]
        for k in range(first.size):
            grow[k] += x * deep[k]


@chunked
@jit
def descend(job, chunk, low, high):
    """Add up gradients and figures of some samples, in the sums of this chunk."""
    j = Gradients(*bare(job))
    W, G, out = j.nets[0], j.sums[chunk], j.figures[chunk]
    width, outputs = W.value.size, W.policy_bias.size
    layer, number = np.zeros((4, width), np.float32), np.zeros((4, outputs), np.float32)
    answer = np.zeros((outputs + 2, W.answer.size), np.float32)
    w = Workspace(np.zeros(j.obs.shape[1] + width + j.aspects.shape[1], np.int64), layer[0], layer[1], answer[: outputs + 1],
                  np.zeros(outputs, np.int64), number[0], number[1], number[2], layer[2], layer[3], answer[outputs + 1])  # fmt: skip
    back, second = w.back, w.second
    for i in range(low, high):
        k = j.which[i]
        advantage, about = j.advantage[k], j.aspects[j.row[k] :]
        inputs = layers(W, j.obs[k], w.places, w.first, second)
        n = rate(W, second, j.can[k], j.prior[k], about, w.places[inputs:], w.answer, w.choice, w.logits)
        soften(w.logits, n, w.chances)
        chosen = bits.rank(j.can[k], j.action[k])
        entropy = -dot_of(w.chances, w.logits, n)
        slope, ratio = slopes(w.logits[chosen], j.log[k], advantage, j.clip, j.policy)
        mean = dot_of(w.chances, j.effect[k], n)
        share = np.float32(np.float32(j.entropy) / np.log(np.float32(n)))
        for a in range(n):
            pull = -j.policy * w.chances[a] * (j.effect[k, a] - mean) if j.every else slope * (np.float32(a == chosen) - w.chances[a])
            w.pull[a] = np.float32(pull) + share * w.chances[a] * (w.logits[a] + entropy)
        miss = W.value_bias[0] + dot(second, W.value) - j.target[k]
        dv = np.float32(j.value * miss)
        G.value_bias[0] += dv
        for h in range(width):
            G.value[h] += dv * second[h]
        for h in range(width):
            back[h] = dv * W.value[h]
        through_policy(W, G, about, j.context, w, inputs, n)
        through_layers(G, j.obs[k], j.scale, j.second, w, inputs)
        out[0] -= mean if j.every else min(ratio * advantage, min(max(ratio, 1 - j.clip), 1 + j.clip) * advantage)
        out[1] += 0.5 * miss * miss
        out[2] += entropy / np.log(n)
        out[3] += ratio - 1 - (w.logits[chosen] - j.log[k])
        out[4] += abs(ratio - 1) > j.clip


@jit
def dot_of(a, b, n):
    """Return the scalar product of the first n numbers."""
    total = np.float32(0)
    for k in range(n):
        total += a[k] * b[k]
    return total
