"""Games of a study that are worth a look: those that stand out most in some measures, each with its replay."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.agent import Agent
from alehouse.benchmarks.balance.measures import NAMES
from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.context import ask
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import Tables

SHOWN = {"spread": "Most lopsided", "lead changes": "Most changes of the lead", "length": "Longest"}  # by measure
EACH = 3  # number of games shown for each measure
FOLDER = "replays"  # below the folder of the study


class Example(NamedTuple):
    """A game that stands out in a measure."""

    measure: str
    value: float
    cell: int
    block: int
    file: str  # where its replay is, from the folder of the study


def examples(values: npt.NDArray[np.float64], number: int) -> tuple[Example, ...]:
    """Return the games that stand out; `values` has axes block, cell and measure, `number` is that of the agent."""
    found = []
    for measure in SHOWN:
        column = values[:, :, NAMES.index(measure)]
        for k, at in enumerate(np.argsort(-column, axis=None, kind="stable")[:EACH], 1):
            block, cell = divmod(int(at), column.shape[1])
            file = f"{FOLDER}/agent{number}-{measure.replace(' ', '-')}-{k}.json"
            found.append(Example(measure, float(column[block, cell]), cell, block, file))
    return tuple(found)


def replay_of(v: Variant, agent: Agent, seed: int) -> Replay:
    """Return the replay of a game with the agent in every seat."""
    tables = Tables(v, n=1, autoreset=False)
    tables.reset(seeds=[seed])
    while not tables.over[0]:
        tables.step(ask(agent, tables))
    return tables.replay(0)
