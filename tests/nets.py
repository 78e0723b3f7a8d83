"""Networks for tests."""

import numpy as np

from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.network import of_record
from alehouse.agents.network_file import names_of, packed, shapes
from alehouse.envs.core.declare.game import Game

WIDTH = 8


def drawn_net(spec: Game, sample: bool = False) -> Kernel:
    """Return an agent with a network of random weights, which also trusts the heuristic."""
    rng = np.random.default_rng(2)
    tensors = {name: rng.normal(0, 0.1, shape) for name, shape in shapes(names_of(spec), WIDTH).items()}
    return of_record(spec, packed(spec, tensors | {"trust": np.array([2.0])}), "drawn", sample)
