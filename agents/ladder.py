"""The agents that every game has, from random play to tree search."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from alehouse.agents.heuristic import heuristic_of, weights_of
from alehouse.agents.instant import GREEDY, HEURISTIC, UNIFORM, instant_kernels
from alehouse.agents.ismcts import ismcts_kernels
from alehouse.agents.kernel_agent import Kernel
from alehouse.agents.rollout import rollout_kernels
from alehouse.agents.search import ITERATIONS, NET, PLAYERS, PLAYS_ON, plan, tuned
from alehouse.agents.searcher import Searcher
from alehouse.agents.timed import Timed
from alehouse.agents.value import shipped
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.inputs import check_whole

Changed = Mapping[str, float] | str | Path | None
USUAL = 1000  # iterations of a search where neither they nor milliseconds are given
A_MS = 30  # roll-outs in a millisecond, about


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


def rollout(
    game: Game,
    iterations: int | None = None,
    ms: float | None = None,
    rounds: int | None = None,
    reward: str | None = None,
    threads: int = 1,
    leaf: str | None = None,
    candidates: int | None = None,
    prior: float | None = None,
    policy: str | None = None,
    players: str | None = None,
) -> Kernel:
    """Return an agent that compares actions by roll-outs of the heuristic on redealt tables, dropping the worse half again and again.

    It takes a number of roll-outs or of milliseconds for each decision. `leaf` says what judges the end of a roll-out: "value" (the learned
    value, the default where one comes with the package), "estimate" (the heuristic's), or the file of a value. `policy` says who rates
    answers before that: "net" (the network that comes with the package), "heuristic", or the file of a network. `players` says who plays on
    in roll-outs: "heuristic", "net" (the network that rates answers), or "both" in turn.
    """
    likely = A_MS * ms if ms else iterations or USUAL
    how, guides = plan(
        game, "rollout", leaf, reward, likely, rounds=rounds, candidates=candidates, prior=prior, policy=policy, players=players
    )
    recipe = rollout, (game, iterations, ms, rounds, reward, threads, leaf, candidates, prior, policy, players)
    width = guides["network"]["first_bias"].shape[1] if "network" in (guides.dtype.names or ()) else 0
    return searcher("rollout", game, rollout_kernels(game, width), (iterations, ms, leaf), how, guides, recipe, threads)


def exploit(game: Game, iterations: int | None = None, ms: float | None = None, threads: int = 1, policy: str = NET) -> Kernel:
    """Return the exploiter: a search that knows how the other seats play, so it shows how far their agent can be beaten.

    It searches as `rollout` does, but tries every answer, and `policy` plays on at all seats in its roll-outs: "net" (the network that
    comes with the package), "heuristic", or the file of a network. Hidden facts and luck are redealt as in any search: it knows who plays,
    not the table.
    """
    how, guides = plan(game, "rollout", None, None, 0, candidates=0, policy=policy)
    width = guides["network"]["first_bias"].shape[1] if "network" in (guides.dtype.names or ()) else 0
    if width:
        how[PLAYERS] = PLAYS_ON[NET]
    kernels, recipe = rollout_kernels(game, width), (exploit, (game, iterations, ms, threads, policy))
    found = searcher("exploit", game, kernels, (iterations, ms, None), how, guides, recipe, threads)
    found.name += f":policy={policy}"
    return found


def ismcts(
    game: Game,
    iterations: int | None = None,
    ms: float | None = None,
    rounds: int | None = None,
    reward: str | None = None,
    threads: int = 1,
    leaf: str | None = None,
    explore: float | None = None,
) -> Kernel:
    """Return an agent that searches a tree over redealt tables, with a number of iterations or of milliseconds for each decision.

    `leaf` is as for `rollout`; `explore` is the weight of exploring answers that were seldom tried.
    """
    how, guides = plan(game, "ismcts", leaf, reward, 0, rounds=rounds, explore=explore)
    recipe = ismcts, (game, iterations, ms, rounds, reward, threads, leaf, explore)
    return searcher("ismcts", game, ismcts_kernels(game), (iterations, ms, leaf), how, guides, recipe, threads)


def search(game: Game, iterations: int | None = None, ms: float | None = None, threads: int = 1) -> Kernel:
    """Return the best searcher of a game with its learned value."""
    best = tuned().get(game.name, {}).get("best")
    if best is None or shipped(game) is None:
        raise ValueError(f"search: no value comes with the package for {game.name}; take rollout or ismcts")
    found = (rollout if best == "rollout" else ismcts)(game, iterations, ms, threads=threads)
    found.name, found.recipe = f"search{found.name.removeprefix(best)}", (search, (game, iterations, ms, threads))
    return found


def searcher(
    kind: str,
    game: Game,
    kernels: SimpleNamespace,
    limits: tuple[int | None, float | None, str | None],
    how: list[int],
    guides: npt.NDArray[Any],
    recipe: Any,
    threads: int,
) -> Kernel:
    """Return a search of a kind with its limits (iterations, milliseconds) and its leaf; in its ratings the game's heuristic plays on."""
    iterations, ms, leaf = limits
    judged = "" if leaf is None else f":leaf={leaf}"
    k = kernels
    if ms is not None:
        if iterations is not None or not np.isfinite(ms) or ms <= 0:
            raise ValueError(f"ms={ms!r}: milliseconds above 0, without iterations")
        agent: Searcher = Timed(k, ms, f"{kind}:{ms:g}ms{judged}", game, k.decide, k.prepare, guides, how, recipe, threads)
    else:
        iterations = USUAL if iterations is None else iterations
        check_whole("iterations", iterations, 1, 10**7)
        how[ITERATIONS] = iterations
        agent = Searcher(k, f"{kind}:{iterations}{judged}", game, k.decide, k.prepare, guides, how, recipe, threads)
    agent.quick = heuristic(game) if heuristic_of(game) else uniform(game)
    return agent
