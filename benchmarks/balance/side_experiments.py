"""Two experiments beside the factorial, both in one variant: redraw one source of luck, and exchange one item for another."""

from typing import NamedTuple

from alehouse.agents.kernel_agent import Kernel
from alehouse.benchmarks.balance.item_worth import Worth, worths
from alehouse.benchmarks.balance.luck_sources import GROUPS, Source, sources
from alehouse.envs.core.declare.game import Variant

GAMES_PER_SWAP, MOST_SWAPS = 4, 100_000  # one game with an exchange for this many games of the factorial, up to a maximum
GAMES_PER_REDRAW, MOST_REDRAWN = 100, 1_500  # one game with redrawn luck for this many games of the factorial, up to a maximum


class SideExperiments(NamedTuple):
    """The results of the two experiments. In games with redrawn luck each seat is played by `agent` or by `other`."""

    variant: str
    agent: str
    other: str
    redrawn: int
    luck: list[Source]
    swaps: int
    worths: list[Worth]


def side_experiments(v: Variant, agent: Kernel, other: Kernel, seed: int, games: int, threads: int) -> SideExperiments:
    """Play both experiments; their sizes follow from `games`, the size of the factorial."""
    redrawn, swaps = min(games // GAMES_PER_REDRAW, MOST_REDRAWN), min(games // GAMES_PER_SWAP, MOST_SWAPS)
    luck = sources(v, [agent, other], seed, redrawn, threads) if redrawn >= GROUPS else []
    return SideExperiments(str(v), agent.name, other.name, redrawn, luck, swaps, worths(v, agent, seed, swaps, threads))
