"""The agents that every game has, from random play to tree search."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.agents.heuristic import heuristic_of, weights_of
from alehouse.agents.instant import GREEDY, HEURISTIC, UNIFORM, instant_kernels
from alehouse.agents.ismcts import Timed, ismcts_kernels
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.rollout import rollout_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.standings import REWARDS

Changed = Mapping[str, float] | str | Path | None
ITERATIONS = 1000


def instant_agent(name: str, game: Game, kind: int, weights: npt.NDArray[Any], threads: int, recipe: Any) -> Kernel:
    """Return an instant agent: one that decides without looking ahead."""
    k = instant_kernels(game)
    return Kernel(name, game, k.decide, k.prepare, weights, [kind], recipe, threads)


def uniform(game: Game, threads: int = 1) -> Kernel:
    """Return an agent that chooses among all legal actions with equal chance."""
    return instant_agent("uniform", game, UNIFORM, weights_of(game).record(), threads, (uniform, (game, threads)))


def greedy(game: Game, threads: int = 1) -> Kernel:
    """Return an agent that takes the action with the highest own score right after it."""
    return instant_agent("greedy", game, GREEDY, weights_of(game).record(), threads, (greedy, (game, threads)))


def heuristic(game: Game, weights: Changed = None, threads: int = 1, name: str = "heuristic") -> Kernel:
    """Return an agent that takes the action its game's heuristic rates highest. Weights may be changed by name or read from a file."""
    if heuristic_of(game) is None:
        raise ValueError(f"heuristic: there is none for {game.name}")
    if isinstance(weights, str | Path):
        weights = weights_of(game).changed(Path(weights))
    recipe = heuristic, (game, weights, threads, name)
    return instant_agent(name, game, HEURISTIC, weights_of(game).record(weights), threads, recipe)


def horizon(game: Game, rounds: int | None, reward: str) -> tuple[int, int]:
    """Return how many rounds a search looks ahead, and by which reward it values the end of a game: by rank if it cuts games short."""
    rounds = game.horizon if rounds is None else rounds
    check_whole("rounds", rounds, 1, 1000)
    if reward not in REWARDS:
        raise ValueError(f"reward {reward!r}: one of {', '.join(REWARDS)}")
    return rounds, REWARDS[reward]


def searching(agent: Kernel) -> Kernel:
    """Return a searching agent, in whose ratings its game's heuristic plays on."""
    agent.quick = heuristic(agent.game) if heuristic_of(agent.game) else uniform(agent.game)
    return agent


def rollout(game: Game, iterations: int = ITERATIONS, rounds: int | None = None, reward: str = "rank", threads: int = 1) -> Kernel:
    """Return an agent that compares actions by roll-outs of the heuristic on redealt tables, dropping the worse half again and again."""
    check_whole("iterations", iterations, 1, 10**7)
    k, options = rollout_kernels(game), [iterations, *horizon(game, rounds, reward)]
    recipe = rollout, (game, iterations, rounds, reward, threads)
    return searching(Kernel(f"rollout:{iterations}", game, k.decide, k.prepare, weights_of(game).record(), options, recipe, threads))


def ismcts(
    game: Game, iterations: int | None = None, ms: float | None = None, rounds: int | None = None, reward: str = "rank", threads: int = 1
) -> Kernel:
    """Return an agent that searches a tree over redealt tables, with a number of iterations or of milliseconds for each decision."""
    k, weights, ahead = ismcts_kernels(game), weights_of(game).record(), horizon(game, rounds, reward)
    recipe = ismcts, (game, iterations, ms, rounds, reward, threads)
    if ms is not None:
        if iterations is not None or not np.isfinite(ms) or ms <= 0:
            raise ValueError(f"ms={ms!r}: milliseconds above 0, without iterations")
        return searching(Timed(k, ms, f"ismcts:{ms:g}ms", game, k.decide, k.prepare, weights, [0, *ahead], recipe, threads))
    iterations = ITERATIONS if iterations is None else iterations
    check_whole("iterations", iterations, 1, 10**7)
    return searching(Kernel(f"ismcts:{iterations}", game, k.decide, k.prepare, weights, [iterations, *ahead], recipe, threads))
