"""Gradients of the PPO loss by hand: most inputs are zero and few actions legal, so this does a small part of the work of
dense layers. It comes to what torch's own gradients of `ppo.loss` are."""

import functools

import numpy as np
from numba import prange

from alehouse.agents.net import dot, layers, rate, soften, weighted
from alehouse.envs.core import bits
from alehouse.envs.core.drive import bare
from alehouse.envs.core.jit import jit

FIGURES = ("policy", "value", "entropy", "kl", "clipped")


@jit
def slopes(log, old, advantage, clip, weight):
    """What the loss loses for the chosen action's log-probability; the ratio of the policies."""
    ratio = np.exp(log - old)
    held = ratio > 1 + clip if advantage > 0 else ratio < 1 - clip
    return np.float32(0) if held else np.float32(-weight * advantage * ratio), ratio


@jit
def through_policy(W, G, aspects, answer, choice, logits, chances, pull, n, entropy, bonus, second, back, aside):
    """The gradient of the logits, `pull` and that of the entropy, into the policy's weights and, through them, into the second layer."""
    share = np.float32(bonus / np.log(np.float32(n)))
    aside[:] = 0
    for k in range(n):
        d = pull[k] + share * chances[k] * (logits[k] + entropy)
        a = choice[k]
        G.policy_bias[a] += d
        row, grow = W.policy[a], G.policy[a]
        for j in range(second.size):
            back[j] += d * row[j]
            grow[j] += d * second[j]
        through_answer(W, G, aspects[k], answer[k], d, aside[0], aside[1])
    for h in range(aside.shape[1]):
        G.answer_bias[h] += aside[0, h]
    for j in range(second.size):
        back[j] += dot(aside[0], W.answer_context[j])
    outer(second, aside[0], G.answer_context)


@jit
def through_answer(W, G, aspects, answer, d, back, here):
    """The gradient of one logit, into the layer for what its answer is about and what comes to that from the position."""
    for h in range(answer.size):
        G.answer[h] += d * answer[h]
        here[h] = d * W.answer[h] if answer[h] > 0 else np.float32(0)
        back[h] += here[h]
    outer(aspects, here, G.answer_aspects)


@jit
def outer(numbers, row, out):
    """Add a row times each number to the row of that number."""
    for k in range(numbers.size):
        x, to = numbers[k], out[k]
        if x != 0:
            for j in range(row.size):
                to[j] += x * row[j]


@jit
def through_layers(G, obs, places, inputs, scale, turned, first, second, back, deep):
    """The gradient of the second layer, into all weights before it."""
    for j in range(second.size):
        if second[j] <= 0:
            back[j] = 0
        G.second_bias[j] += back[j]
    deep[:] = 0
    rest = places[inputs:]
    living = 0
    for j in range(second.size):
        if back[j] != 0:
            rest[living] = j
            living += 1
    weighted(turned, back, rest, living, deep)
    for k in range(first.size):
        if first[k] > 0:
            x, grow = first[k], G.second[k]
            for j in range(second.size):
                grow[j] += x * back[j]
        else:
            deep[k] = 0
        G.first_bias[k] += deep[k]
    for i in range(inputs):
        f = places[i]
        x, grow = np.float32(obs[f]) * scale[f], G.first[f]
        for k in range(first.size):
            grow[k] += x * deep[k]


@jit
def descend(
    obs, can, prior, aspects, row, effect, action, old, advantage, target, which, nets, scale, turned, grads, figures, clip, weight, bonus,
    policy, every, c, low, high,
):  # fmt: skip
    """Add up, in `grads[c]` and `figures[c]`, gradients and figures of some samples; `turned` is the second layer transposed."""
    obs, can, prior, nets, grads, turned = bare(obs), bare(can), bare(prior), bare(nets), bare(grads), bare(turned)
    aspects, effect = bare(aspects), bare(effect)
    W, G, out = nets[0], grads[c], figures[c]
    width, outputs = turned.shape[0], W.policy_bias.size
    first, second = np.zeros(width, np.float32), np.zeros(width, np.float32)
    places = np.zeros(obs.shape[1] + width + aspects.shape[1], np.int64)
    back, deep = np.zeros(width, np.float32), np.zeros(width, np.float32)
    answer, aside = np.zeros((outputs + 1, W.answer.size), np.float32), np.zeros((2, W.answer.size), np.float32)
    choice, logits, chances = np.zeros(outputs, np.int64), np.zeros(outputs, np.float32), np.zeros(outputs, np.float32)
    pull = np.zeros(outputs, np.float32)
    for i in range(low, high):
        k = which[i]
        inputs = layers(W, obs[k], places, first, second)
        about = aspects[row[k] :]
        n = rate(W, second, can[k], prior[k], about, places[inputs:], answer, choice, logits)
        soften(logits, n, chances)
        chosen = bits.rank(can[k], action[k])
        entropy = -dot_of(chances, logits, n)
        slope, ratio = slopes(logits[chosen], old[k], advantage[k], clip, policy)
        mean = dot_of(chances, effect[k], n)
        for j in range(n):
            pull[j] = -policy * chances[j] * (effect[k, j] - mean) if every else slope * (np.float32(j == chosen) - chances[j])
        miss = W.value_bias[0] + dot(second, W.value) - target[k]
        dv = np.float32(weight * miss)
        G.value_bias[0] += dv
        for j in range(width):
            G.value[j] += dv * second[j]
            back[j] = dv * W.value[j]
        through_policy(W, G, about, answer, choice, logits, chances, pull, n, entropy, np.float32(bonus), second, back, aside)
        through_layers(G, obs[k], places, inputs, scale, turned, first, second, back, deep)
        out[0] -= mean if every else min(ratio * advantage[k], min(max(ratio, 1 - clip), 1 + clip) * advantage[k])
        out[1] += 0.5 * miss * miss
        out[2] += entropy / np.log(n)
        out[3] += ratio - 1 - (logits[chosen] - old[k])
        out[4] += abs(ratio - 1) > clip


@jit
def dot_of(a, b, n):
    """The scalar product of the first n."""
    total = np.float32(0)
    for k in range(n):
        total += a[k] * b[k]
    return total


@functools.partial(jit, parallel=True)
def descend_all(
    obs, can, prior, aspects, row, effect, action, old, advantage, target, which, nets, scale, turned, grads, figures, clip, weight, bonus,
    policy, every, threads,
):  # fmt: skip
    """The same on several threads, a part and a place for the sums for each."""
    size = (which.size + threads - 1) // threads
    for c in prange(threads):
        descend(obs, can, prior, aspects, row, effect, action, old, advantage, target, which, nets, scale, turned, grads, figures, clip,
                weight, bonus, policy, every, c, c * size, min(which.size, (c + 1) * size))  # fmt: skip
