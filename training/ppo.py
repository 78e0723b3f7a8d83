"""PPO for one network: clipped ratio, normalised entropy, few epochs of large minibatches.

Gradients come from torch in float32 or bfloat16, or from the kernels of `sparse_gradients`; a short timing at the start chooses one.
Entropy is divided by the logarithm of the number of legal actions, so that its weight means the same at every decision.
"""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from alehouse.training.network import Net
from alehouse.training.samples import Samples, Which
from alehouse.training.sparse_gradients import FIGURES, SAMPLES, descend

ENGINES = ("sparse", "float32", "bfloat16")
TRIAL = 0.05  # seconds that each engine is timed for
FORBIDDEN = -1e9  # the logit given to an illegal action
STEEPEST = 0.5  # gradients with a larger norm are scaled down to this norm


class Terms(NamedTuple):
    """The weights of the parts of the loss."""

    clip: float = 0.2  # how far the ratio of new to old policy may move from 1
    value: float = 0.5  # weight of half the squared error of the value
    entropy: float = 0.01  # weight of the normalised entropy
    policy: float = 1.0  # weight of the part for actions: clipped advantages, or effects
    every: bool = False  # whether to learn from the effects of all answers, instead of the advantages of those played


class Figures(NamedTuple):
    """Mean figures over the samples of the last epoch."""

    policy: float
    value: float
    entropy: float
    kl: float
    clipped: float


class Batch(NamedTuple):
    """A minibatch of samples as torch tensors."""

    obs: torch.Tensor
    prior: torch.Tensor
    aspects: torch.Tensor
    legal: torch.Tensor
    action: torch.Tensor
    log: torch.Tensor
    advantage: torch.Tensor
    target: torch.Tensor
    effect: torch.Tensor


def batch_of(samples: Samples, which: Which, actions: int) -> Batch:
    """Return some samples as torch tensors."""
    legal = np.unpackbits(samples.can[which].view(np.uint8), axis=1, bitorder="little", count=actions)
    legal = legal.astype(np.bool_)
    prior, effect = np.zeros((2, *legal.shape), np.float32)
    aspects = np.zeros((*legal.shape, samples.aspects.shape[1]), np.float32)
    there = np.arange(samples.prior.shape[1]) < legal.sum(axis=1, keepdims=True)
    prior[legal], effect[legal] = samples.prior[which][there], samples.effect[which][there]
    if aspects.size:
        aspects[legal], _ = samples.aspects_at(which)
    arrays = (samples.obs[which], prior, aspects, legal, samples.action[which].astype(np.int64), samples.log[which])
    return Batch(*map(torch.from_numpy, (*arrays, samples.advantage[which], samples.target[which], effect)))


def loss(net: Net, batch: Batch, terms: Terms) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
    """Return the mean loss of some samples, and its figures."""
    logits, value = net(batch.obs, batch.prior, batch.aspects)
    logs = torch.log_softmax(logits.float().masked_fill(~batch.legal, FORBIDDEN), dim=1)
    log = logs.gather(1, batch.action[:, None])[:, 0]
    ratio = torch.exp(log - batch.log)
    held = ratio.clamp(1 - terms.clip, 1 + terms.clip)
    policy = -torch.minimum(ratio * batch.advantage, held * batch.advantage)
    if terms.every:
        policy = -(logs.exp() * batch.effect).sum(dim=1)
    entropy = -(logs.exp() * logs).sum(dim=1) / torch.log(batch.legal.sum(dim=1).float())
    miss = 0.5 * (value.float() - batch.target) ** 2
    with torch.no_grad():
        aside = ratio - 1 - (log - batch.log), (ratio - 1).abs() > terms.clip
    figures = tuple(x.float().mean() for x in (policy, miss, entropy, *aside))
    return terms.policy * figures[0] + terms.value * figures[1] - terms.entropy * figures[2], figures


class Learner:
    """A network with its optimizer and the engine that computes its gradients."""

    def __init__(self, net: Net, engine: str, threads: int) -> None:
        self.net, self.engine, self.threads = net, engine, threads
        self.adam = torch.optim.Adam(net.parameters(), eps=1e-5, fused=True)
        self.names = [name for name, _ in net.named_parameters()]

    def learn(
        self, samples: Samples, which: Which, terms: Terms, rng: np.random.Generator,
        rate: float, epochs: int, minibatch: int,
    ) -> Figures | None:  # fmt: skip
        """Learn from some samples in a few epochs, and return the figures of the last. Return None without samples."""
        if not which.size:
            return None
        for group in self.adam.param_groups:
            group["lr"] = rate
        parts = max(1, round(which.size / minibatch))
        for _ in range(epochs):
            found = [self.step(samples, np.sort(part), terms) for part in np.array_split(rng.permutation(which), parts)]
        return Figures(*np.mean(found, axis=0).tolist())

    def step(self, samples: Samples, which: Which, terms: Terms) -> Sequence[float]:
        """Take one step of the optimizer, and return its figures."""
        figures = self.gradients(samples, which, terms)
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), STEEPEST)
        self.adam.step()
        return figures

    def gradients(self, samples: Samples, which: Which, terms: Terms) -> Sequence[float]:
        """Set the gradients of the network's weights, and return the figures."""
        if self.engine == "sparse":
            return self._sparse(samples, which, terms)
        torch.set_num_threads(self.threads)
        self.net.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=self.engine == "bfloat16"):
            total, figures = loss(self.net, batch_of(samples, which, len(self.net.game.ACTIONS)), terms)
        total.backward()  # type: ignore[no-untyped-call]
        torch.set_num_threads(1)
        return [float(x.detach()) for x in figures]

    def _sparse(self, samples: Samples, which: Which, terms: Terms) -> Sequence[float]:
        nets, columns = self.net.record(), (getattr(samples, name) for name in SAMPLES)
        grads, figures = np.zeros(self.threads, nets.dtype), np.zeros((self.threads, len(FIGURES)))
        transposed = (np.ascontiguousarray(nets[name][0].T) for name in ("second", "answer_context"))
        descend((*columns, which, nets, self.net.scale.numpy(), *transposed, grads, figures, *terms), which.size, self.threads)
        for name, parameter in self.net.named_parameters():
            parameter.grad = torch.from_numpy(grads[name].sum(axis=0) / np.float32(which.size))
        mean: list[float] = (figures.sum(axis=0) / which.size).tolist()
        return mean

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Return the weights and the state of the optimizer as arrays."""
        arrays = {f"net.{name}": tensor.detach().numpy() for name, tensor in self.net.state_dict().items()}
        for k, state in self.adam.state_dict()["state"].items():
            arrays |= {f"adam.{self.names[k]}.{name}": tensor.numpy() for name, tensor in state.items()}
        return arrays

    def restore(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from the arrays that `saved` returned."""
        weights = {name[4:]: torch.from_numpy(array.copy()) for name, array in arrays.items() if name.startswith("net.")}
        self.net.load_state_dict(weights)
        state: dict[int, dict[str, torch.Tensor]] = {}
        for name, array in arrays.items():
            if name.startswith("adam."):
                _, weight, kind = name.split(".")
                state.setdefault(self.names.index(weight), {})[kind] = torch.from_numpy(array.copy())
        self.adam.load_state_dict({"state": state, "param_groups": self.adam.state_dict()["param_groups"]})


def fastest(net: Net, samples: Samples, which: Which, most: int) -> tuple[str, int]:
    """Time each engine for a moment, and return the fastest and its number of threads."""
    speeds = {}
    for engine in ENGINES:
        for threads in range(1, most + 1):
            learner = Learner(net, engine, threads)
            learner.gradients(samples, which, Terms())  # the first run compiles, so it is not timed
            done, start = 0, time.perf_counter()
            while (took := time.perf_counter() - start) < TRIAL or not done:
                learner.gradients(samples, which, Terms())
                done += 1
            speeds[engine, threads] = done / took
    net.zero_grad()
    return max(speeds, key=lambda pair: speeds[pair])
