"""Gradients of the PPO loss by hand: most inputs are zero and few actions legal, so this does a small part of the work of
dense layers. It comes to what torch's own gradients of `ppo.loss` are."""

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import prange

from alehouse.agents.network import dot, layers, nonzero, rate, soften, spread
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import bare
from alehouse.envs.core.run.jit import jit
from alehouse.training.streams import Floats, Which

FIGURES = ("policy", "value", "entropy", "kl", "clipped")


class Samples(NamedTuple):
    """What gradients are made from: a row for each sample, of `aspects` one for each of its answers."""

    obs: npt.NDArray[np.uint8]
    can: npt.NDArray[np.uint64]
    prior: Floats
    aspects: Floats
    row: Which
    effect: Floats
    action: npt.NDArray[np.int16]
    log: Floats
    advantage: Floats
    target: Floats


class Turned(NamedTuple):
    """Transposed: the second layer, and what it says to answers."""

    second: Floats
    context: Floats


@jit
def slopes(log, old, advantage, clip, weight):
    """What the loss loses for the chosen action's log-probability; the ratio of the policies."""
    ratio = np.exp(log - old)
    held = ratio > 1 + clip if advantage > 0 else ratio < 1 - clip
    return np.float32(0) if held else np.float32(-weight * advantage * ratio), ratio


@jit
def through_policy(W, G, aspects, answer, choice, logits, chances, pull, n, entropy, bonus, second, turned, places, back, here):
    """The gradient of the logits, `pull` and that of the entropy, into the policy's weights and, through them, into the second layer."""
    share = np.float32(bonus / np.log(np.float32(n)))
    here[:] = 0
    for k in range(n):
        d = pull[k] + share * chances[k] * (logits[k] + entropy)
        a = choice[k]
        G.policy_bias[a] += d
        row, grow = W.policy[a], G.policy[a]
        for j in range(second.size):
            back[j] += d * row[j]
        for j in range(second.size):
            grow[j] += d * second[j]
        through_answer(W, G, aspects[k], answer[k], d, places, here)
    for h in range(here.size):
        G.answer_bias[h] += here[h]
    spread(turned, here, places, back)
    outer(second, here, places, G.answer_context)


@jit
def through_answer(W, G, aspects, answer, d, places, here):
    """The gradient of one logit, into the layer for what its answer is about; what comes to that is added up in `here`."""
    for h in range(answer.size):
        G.answer[h] += d * answer[h]
    for h in range(answer.size):
        answer[h] = d * W.answer[h] if answer[h] > 0 else np.float32(0)
        here[h] += answer[h]
    outer(aspects, answer, places, G.answer_aspects)


@jit
def outer(numbers, row, places, out):
    """Add a row, each number times, to the row of that number; what is zero is skipped."""
    for k in range(nonzero(numbers, places)):
        x, to = numbers[places[k]], out[places[k]]
        for j in range(row.size):
            to[j] += x * row[j]


@jit
def through_layers(G, obs, places, inputs, scale, turned, first, second, back, deep):
    """The gradient of the second layer, into all weights before it."""
    rest = places[inputs:]
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
        f = places[i]
        x, grow = np.float32(obs[f]) * scale[f], G.first[f]
        for k in range(first.size):
            grow[k] += x * deep[k]


@jit
def descend(samples, which, nets, scale, turned, grads, figures, terms, c, low, high):
    """Add up, in `grads[c]` and `figures[c]`, gradients and figures of some samples."""
    obs, can, prior, aspects, effect = (
        bare(samples.obs), bare(samples.can), bare(samples.prior), bare(samples.aspects), bare(samples.effect))  # fmt: skip
    nets, grads, second_turned, context_turned = bare(nets), bare(grads), bare(turned.second), bare(turned.context)
    W, G, out = nets[0], grads[c], figures[c]
    width, outputs = W.value.size, W.policy_bias.size
    first, second = np.zeros(width, np.float32), np.zeros(width, np.float32)
    places = np.zeros(obs.shape[1] + width + aspects.shape[1], np.int64)
    back, deep = np.zeros(width, np.float32), np.zeros(width, np.float32)
    answer, here = np.zeros((outputs + 1, W.answer.size), np.float32), np.zeros(W.answer.size, np.float32)
    choice, logits, chances = np.zeros(outputs, np.int64), np.zeros(outputs, np.float32), np.zeros(outputs, np.float32)
    pull, policy = np.zeros(outputs, np.float32), terms.policy
    for i in range(low, high):
        k = which[i]
        old, advantage = samples.log[k], samples.advantage[k]
        inputs = layers(W, obs[k], places, first, second)
        about = aspects[samples.row[k] :]
        n = rate(W, second, can[k], prior[k], about, places[inputs:], answer, choice, logits)
        soften(logits, n, chances)
        chosen = bits.rank(can[k], samples.action[k])
        entropy = -dot_of(chances, logits, n)
        slope, ratio = slopes(logits[chosen], old, advantage, terms.clip, policy)
        mean = dot_of(chances, effect[k], n)
        for j in range(n):
            pull[j] = -policy * chances[j] * (effect[k, j] - mean) if terms.every else slope * (np.float32(j == chosen) - chances[j])
        miss = W.value_bias[0] + dot(second, W.value) - samples.target[k]
        dv = np.float32(terms.value * miss)
        G.value_bias[0] += dv
        for j in range(width):
            G.value[j] += dv * second[j]
        for j in range(width):
            back[j] = dv * W.value[j]
        through_policy(W, G, about, answer, choice, logits, chances, pull, n, entropy, np.float32(terms.entropy), second, context_turned,
                       places[inputs:], back, here)  # fmt: skip
        through_layers(G, obs[k], places, inputs, scale, second_turned, first, second, back, deep)
        out[0] -= mean if terms.every else min(ratio * advantage, min(max(ratio, 1 - terms.clip), 1 + terms.clip) * advantage)
        out[1] += 0.5 * miss * miss
        out[2] += entropy / np.log(n)
        out[3] += ratio - 1 - (logits[chosen] - old)
        out[4] += abs(ratio - 1) > terms.clip


@jit
def dot_of(a, b, n):
    """The scalar product of the first n."""
    total = np.float32(0)
    for k in range(n):
        total += a[k] * b[k]
    return total


@functools.partial(jit, parallel=True)
def descend_all(samples, which, nets, scale, turned, grads, figures, terms, threads):
    """The same on several threads, a part and a place for the sums for each."""
    size = (which.size + threads - 1) // threads
    for c in prange(threads):
        descend(samples, which, nets, scale, turned, grads, figures, terms, c, c * size, min(which.size, (c + 1) * size))
