"""The network in torch, for learning, and its export to a file that plays without torch."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors.numpy import save
from torch import nn

from alehouse.agents.network_file import ANSWER, STEP, WIDEST, header, names_of, packed, sealed, shapes
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.files import write_atomically
from alehouse.envs.core.run.inputs import check_whole

LARGEST = 2_000_000  # the most bytes a network that comes with the package may have


class Net(nn.Module):
    """The network of `agents.network` in torch; its inputs are the bytes of an observation, each times its scale."""

    scale: torch.Tensor
    trust: torch.Tensor
    reach: torch.Tensor
    first: nn.Parameter
    first_bias: nn.Parameter
    second: nn.Parameter
    second_bias: nn.Parameter
    policy: nn.Parameter
    policy_bias: nn.Parameter
    value: nn.Parameter
    value_bias: nn.Parameter
    answer_context: nn.Parameter
    answer_actions: nn.Parameter
    answer_aspects: nn.Parameter
    answer_bias: nn.Parameter
    answer_second: nn.Parameter
    answer_second_bias: nn.Parameter
    answer: nn.Parameter

    def __init__(
        self, game: Game, width: int, scale: npt.NDArray[np.float32], active: float, seed: int, trust: float = 0.0, reach: float = 0.0
    ) -> None:
        """Draw the first weights so that each layer keeps the size of its inputs.

        `active` is the mean sum of squares of a scaled observation. `trust` and `reach` say how the heuristic's rating counts; they are not
        learnt.
        """
        super().__init__()
        check_whole("width", width, STEP, WIDEST)
        if width % STEP:
            raise ValueError(f"width={width}: a multiple of {STEP}")
        self.game, self.width = game, width
        generator = torch.Generator().manual_seed(seed)
        spread = {"first": math.sqrt(2 / active), "second": math.sqrt(2 / width), "policy": 0.01, "answer_context": math.sqrt(1 / width),
                  "answer_actions": 0.3, "answer_aspects": 0.5, "answer_second": math.sqrt(2 / ANSWER)}  # fmt: skip
        fixed = {"scale": scale, "trust": [trust], "reach": [reach]}
        for name, value in fixed.items():
            self.register_buffer(name, torch.tensor(value, dtype=torch.float32))
        for name, shape in shapes(names_of(game), width).items():
            if name not in fixed:
                self.register_parameter(name, nn.Parameter(torch.randn(shape, generator=generator) * spread.get(name, 0)))

    def forward(
        self, obs: torch.Tensor, prior: torch.Tensor | float = 0.0, aspects: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values for a batch of observations, with the heuristic's ratings and the aspects of each action."""
        first = torch.relu((obs.to(self.scale.dtype) * self.scale) @ self.first + self.first_bias)
        second = torch.relu(first @ self.second + self.second_bias)
        logits = second @ self.policy.T + self.policy_bias + self.trust * prior
        answer = (second @ self.answer_context + self.answer_bias)[:, None] + self.answer_actions
        if aspects is not None and aspects.shape[2]:
            answer = answer + aspects @ self.answer_aspects
        deep = torch.relu(torch.relu(answer) @ self.answer_second + self.answer_second_bias)
        logits = logits + deep @ self.answer
        return logits, second @ self.value + self.value_bias

    def begin_with(self, record: npt.NDArray[Any]) -> None:
        """Take over the weights of a network, given as an array of one record, and its trust and reach.

        Layers for answers that have learnt nothing yet, because they are zero, stay as drawn here.
        """
        if len(record["first_bias"][0]) != self.width:
            raise ValueError(
                f"--start: the network is {len(record['first_bias'][0])} wide, here it is {self.width}; change it by --set width"
            )
        with torch.no_grad():
            for name, tensor in self.state_dict().items():
                if name != "scale" and (record["answer_second"].any() or not name.startswith("answer")):
                    tensor.copy_(torch.from_numpy(record[name][0].copy()))
            self.first.div_(self.scale[:, None])

    def record(self) -> npt.NDArray[Any]:
        """Return the network as an array of one record; the scale is multiplied into the first weights."""
        tensors = {name: tensor.numpy() for name, tensor in self.state_dict().items()}
        return packed(self.game, tensors | {"first": tensors["first"] * tensors["scale"][:, None]})


def measured(game: Game, obs: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.float32], float]:
    """Return the scale of each input, and the mean sum of squares of the scaled observations.

    A scale is 1 over the root mean square of the input's values that are not zero. An input that is always zero in the sample gets the
    scale
    of its segment; a segment that is always zero gets 1 over its largest value.
    """
    squares, counts = (obs.astype(np.float64) ** 2).sum(axis=0), (obs > 0).sum(axis=0)
    size = np.ones(game.FEATURES.size)
    for _, start, length, most in game.FEATURES.rows:
        part = slice(start, start + length)
        seen = counts[part].sum()
        usual = squares[part].sum() / seen if seen else most**2
        size[part] = np.where(counts[part] > 0, squares[part] / np.maximum(counts[part], 1), usual)
    scale = (1 / np.sqrt(np.maximum(size, 1))).astype(np.float32)
    return scale, float(((obs * scale) ** 2).sum(axis=1).mean())


def file_of(game: Game, tensors: Mapping[str, npt.NDArray[Any]], command: str, results: Mapping[str, Any]) -> bytes:
    """Return the bytes of a network's file: tensors in float16 and the header."""
    halves = {name: np.ascontiguousarray(tensors[name], np.float16) for name in shapes(names_of(game), len(tensors["first_bias"]))}
    words = header(game) | {"command": command, "results": json.dumps(dict(results))}
    written: bytes = save(halves, sealed(words, halves))
    return written


def write_net(path: Path, game: Game, record: npt.NDArray[Any], command: str = "", results: Mapping[str, Any] | None = None) -> int:
    """Write a network's file and return its size in bytes."""
    data = file_of(game, {name: record[name][0] for name in record.dtype.names or ()}, command, results or {})
    write_atomically(path, data)
    return len(data)
