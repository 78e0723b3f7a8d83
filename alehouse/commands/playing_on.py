"""The options of commands that play games on to compare answers: by which agent, how often, on which luck."""

from typing import Annotated

import numba
import typer

from alehouse import players
from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.whole_games import as_instant
from alehouse.commands import show
from alehouse.envs.core.declare.game import Variant

Plays = Annotated[int, typer.Option(min=4, help="How often the best and the given answer of a decision are played on.")]
By = Annotated[
    str, typer.Option("--by", metavar="AGENT", help="Who plays games on: uniform, greedy or heuristic (default, if there is one).")
]
Threads = Annotated[int | None, typer.Option(min=1, help="Number of threads (default: one per core).")]


def agent_of(name: str, v: Variant) -> Kernel:
    """Return the agent that plays games on, after compiling the game."""
    found = quick_agent(name, v)
    show.compiled([v])
    return found


def quick_agent(name: str, v: Variant) -> Kernel:
    """Return the agent that plays games on; by default the heuristic, if the game has one."""
    found = as_instant(players.player(name or ("heuristic" if heuristic_of(v.spec) else "uniform"), v.spec), v.spec)
    if found is None:
        raise ValueError(f"--by {name}: games are played on by uniform, greedy or heuristic")
    return found


def threads_of(wanted: int | None) -> int:
    """Return how many threads to use."""
    most = int(numba.config.NUMBA_NUM_THREADS)
    return min(wanted, most) if wanted else most


def percent(share: float) -> str:
    """Return a difference in shares of the win as points of the share."""
    return f"{100 * share:+.1f}"
