"""Gradients of the PPO loss computed by hand; they equal those that torch computes of `ppo.loss`.

Most inputs are zero and few actions are legal, so this takes a small part of the work of dense layers.
"""

from typing import Any, NamedTuple

import numpy as np

from alehouse.agents.network import add_rows, hidden_layers, new_workspace, nonzero, rate, soften
from alehouse.agents.rows import dot
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.threads import chunked

FIGURES = ("policy", "value", "entropy", "kl", "clipped")


class Descent(NamedTuple):
    """A job of samples to learn from: the network, the weights of its loss, and the sums of each thread."""

    obs: Any
    can: Any
    prior: Any
    effect: Any
    aspects: Any
    row: Any
    action: Any
    log: Any
    advantage: Any
    target: Any
    which: Any  # the indices of the samples
    nets: Any  # the network as an array of one record
    scale: Any  # the scale of each input
    second: Any  # the weights of the second layer, transposed
    context: Any  # the weights from the second layer to the first layer for answers, transposed
    grads: Any  # sums of gradients, a record for each thread
    figures: Any  # sums of the figures named in FIGURES, for each thread
    clip: Any  # this and the next ones are the fields of `ppo.Terms`
    value: Any
    entropy: Any
    policy: Any
    every: Any


SAMPLES = Descent._fields[: Descent._fields.index("which")]  # the fields that come from Samples


class Backward(NamedTuple):
    """Gradients of one sample's loss, computed layer by layer from the output back."""

    pull: Any  # gradient for the logit of each legal action
    back: Any  # gradient for the second layer's output
    deep: Any  # gradient for the first layer's output
    here: Any  # gradient for what the second layer gives to the first layer for answers


@jit
def slopes(log, old, advantage, clip, weight):
    """Return the derivative of the clipped loss by the logarithm of the chosen action's probability, and the ratio of the probabilities."""
    ratio = np.exp(log - old)
    held = ratio > 1 + clip if advantage > 0 else ratio < 1 - clip
    return np.float32(0) if held else np.float32(-weight * advantage * ratio), ratio


@jit
def through_policy(W, G, aspects, n, context, work, grad):
    """Add the gradients of the weights that give the first n logits, and write that of the second layer. `context` is transposed."""
    second, indices, back, here = work.second, work.indices, grad.back, grad.here
    here[:] = 0
    for k in range(n):
        d, a = grad.pull[k], work.actions[k]
        G.policy_bias[a] += d
        row, grow = W.policy[a], G.policy[a]
        for j in range(second.size):
            back[j] += d * row[j]
        for j in range(second.size):
            grow[j] += d * second[j]
        through_answer(W, G, aspects[k], k, work, grad)
    for h in range(here.size):
        G.answer_bias[h] += here[h]
    add_rows(context, here, indices, back)
    outer(second, here, indices, G.answer_context)


@jit
def through_answer(W, G, aspects, k, work, grad):
    """Add the gradients of the layers for answers that come from the k-th logit's gradient; `grad.here` sums up what flows further back."""
    answer, deep, grow, d = work.answer[k], work.deep[k], G.answer_actions[work.actions[k]], grad.pull[k]
    for h in range(deep.size):
        G.answer[h] += d * deep[h]
        deep[h] = d * W.answer[h] if deep[h] > 0 else np.float32(0)
        G.answer_second_bias[h] += deep[h]
    outer(answer, deep, work.indices, G.answer_second)
    for h in range(answer.size):
        answer[h] = dot(deep, W.answer_second[h]) if answer[h] > 0 else np.float32(0)
    for h in range(answer.size):
        grad.here[h] += answer[h]
        grow[h] += answer[h]
    outer(aspects, answer, work.indices, G.answer_aspects)


@jit
def outer(numbers, row, indices, out):
    """Add a row to each row of `out`, times the number for that row; numbers that are zero are skipped."""
    for k in range(nonzero(numbers, indices)):
        x, to = numbers[indices[k]], out[indices[k]]
        for j in range(row.size):
            to[j] += x * row[j]


@jit
def through_layers(G, obs, inputs, scale, transposed, work, grad):
    """Add the gradients of all weights before the second layer's output. `inputs` inputs are not zero; the second layer is `transposed`."""
    first, second, indices, back, deep = work.first, work.second, work.indices, grad.back, grad.deep
    for j in range(second.size):
        back[j] = back[j] if second[j] > 0 else np.float32(0)
    for j in range(second.size):
        G.second_bias[j] += back[j]
    outer(first, back, indices, G.second)
    deep[:] = 0
    add_rows(transposed, back, indices, deep)
    for k in range(first.size):
        deep[k] = deep[k] if first[k] > 0 else np.float32(0)
    for k in range(first.size):
        G.first_bias[k] += deep[k]
    for i in range(inputs):
        f = work.inputs[i]
        x, grow = np.float32(obs[f]) * scale[f], G.first[f]
        for k in range(first.size):
            grow[k] += x * deep[k]


@chunked
@jit
def descend(job, chunk, low, high):
    """Add up gradients and figures of a range of samples, in the sums of this thread."""
    d = Descent(*bare(job))
    W, G, out = d.nets[0], d.grads[chunk], d.figures[chunk]
    width, outputs = W.value.size, W.policy_bias.size
    room, layers = new_workspace(d.obs.shape[1], outputs, width, d.aspects.shape[1]), np.zeros((2, width), np.float32)
    gradients = Backward(np.zeros(outputs, np.float32), layers[0], layers[1], np.zeros(W.answer_bias.size, np.float32))
    for i in range(low, high):
        work, grad = bare(room), bare(gradients)  # in the loop, so that numba keeps their memory until it ends
        logits, chances, second, pull, back = work.logits, work.chances, work.second, grad.pull, grad.back
        k = d.which[i]
        advantage, about = d.advantage[k], d.aspects[d.row[k] :]
        inputs = hidden_layers(W, d.obs[k], work)
        n = rate(W, d.can[k], d.prior[k], about, work)
        soften(logits, n, chances)
        chosen = bits.rank(d.can[k], d.action[k])
        entropy = -dot_of(chances, logits, n)
        slope, ratio = slopes(logits[chosen], d.log[k], advantage, d.clip, d.policy)
        mean = dot_of(chances, d.effect[k], n)
        bonus = np.float32(np.float32(d.entropy) / np.log(np.float32(n)))
        for a in range(n):
            force = -d.policy * chances[a] * (d.effect[k, a] - mean) if d.every else slope * (np.float32(a == chosen) - chances[a])
            pull[a] = np.float32(force) + bonus * chances[a] * (logits[a] + entropy)
        miss = W.value_bias[0] + dot(second, W.value) - d.target[k]
        dv = np.float32(d.value * miss)
        G.value_bias[0] += dv
        for j in range(width):
            G.value[j] += dv * second[j]
        for j in range(width):
            back[j] = dv * W.value[j]
        through_policy(W, G, about, n, d.context, work, grad)
        through_layers(G, d.obs[k], inputs, d.scale, d.second, work, grad)
        out[0] -= mean if d.every else min(ratio * advantage, min(max(ratio, 1 - d.clip), 1 + d.clip) * advantage)
        out[1] += 0.5 * miss * miss
        out[2] += entropy / np.log(n)
        out[3] += ratio - 1 - (logits[chosen] - d.log[k])
        out[4] += abs(ratio - 1) > d.clip


@jit
def dot_of(a, b, n):
    """Return the scalar product of the first n numbers."""
    total = np.float32(0)
    for k in range(n):
        total += a[k] * b[k]
    return total
