"""What is played beside the factorial, at one variant: games with one source of luck redrawn, and games with one offer swapped."""

from typing import NamedTuple

from alehouse.agents.kernel_agent import Kernel
from alehouse.benchmarks.balance import luck, swaps
from alehouse.benchmarks.balance.luck import Source
from alehouse.benchmarks.balance.swaps import Worth
from alehouse.envs.core.declare.game import Variant

PART_OF_SWAPS, MOST_SWAPS = 4, 100_000  # a swap for so many games of the factorial, and no more than this
PART_OF_LUCK, MOST_LUCK = 100, 1_500


class Extras(NamedTuple):
    """What they came to; `other` is the agent that luck is compared with."""

    variant: str
    agent: str
    other: str
    redrawn: int
    luck: list[Source]
    swaps: int
    worths: list[Worth]


def extras(v: Variant, agent: Kernel, other: Kernel, seed: int, games: int, threads: int) -> Extras:
    """Play them, as many as becomes a factorial of so many games."""
    redrawn, pairs = min(games // PART_OF_LUCK, MOST_LUCK), min(games // PART_OF_SWAPS, MOST_SWAPS)
    sources = luck.sources(v, [agent, other], seed, redrawn, threads) if redrawn >= luck.GROUPS else []
    return Extras(str(v), agent.name, other.name, redrawn, sources, pairs, swaps.worths(v, agent, seed, pairs, threads))
