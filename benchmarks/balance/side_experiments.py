"""Two experiments played beside the factorial, at one variant: one source of luck redrawn, and one item exchanged for another."""

from typing import NamedTuple

from alehouse.agents.kernel_agent import Kernel
from alehouse.benchmarks.balance.item_worth import Worth, worths
from alehouse.benchmarks.balance.luck_sources import GROUPS, Source, sources
from alehouse.envs.core.declare.game import Variant

GAMES_PER_SWAP, MOST_SWAPS = 4, 100_000  # games of the factorial for each game with an exchange, and the most of these
GAMES_PER_REDRAW, MOST_REDRAWN = 100, 1_500  # the same for games with redrawn luck


class SideExperiments(NamedTuple):
    """What the two experiments found. The seats of redrawn games are played by `agent` or by `other`."""

    variant: str
    agent: str
    other: str
    redrawn: int
    luck: list[Source]
    swaps: int
    worths: list[Worth]


def side_experiments(v: Variant, agent: Kernel, other: Kernel, seed: int, games: int, threads: int) -> SideExperiments:
    """Play both experiments; `games` is the size of the factorial, from which their sizes follow."""
    redrawn, swaps = min(games // GAMES_PER_REDRAW, MOST_REDRAWN), min(games // GAMES_PER_SWAP, MOST_SWAPS)
    luck = sources(v, [agent, other], seed, redrawn, threads) if redrawn >= GROUPS else []
    return SideExperiments(str(v), agent.name, other.name, redrawn, luck, swaps, worths(v, agent, seed, swaps, threads))
