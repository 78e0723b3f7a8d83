"""What all searching agents share: redealt tables, and roll-outs by the heuristic up to the end of a round, where they are judged.

A leaf, the position at which a roll-out ends, is judged by the learned value of `agents.value` or by the heuristic's estimate.
"""

import functools
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alehouse.agents.heuristic import heuristic_of
from alehouse.agents.instant import SEATS, instant_kernels
from alehouse.agents.network import for_play
from alehouse.agents.network_file import SHIPPED as NETS
from alehouse.agents.network_file import read_net
from alehouse.agents.value import Value, guides, read_value, shipped, value_kernels
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run import bits
from alehouse.envs.core.run.batch_kernels import batch_kernels
from alehouse.envs.core.run.inputs import check_whole
from alehouse.envs.core.run.jit import jit
from alehouse.envs.core.run.luck import AGENTS, REDEALS, draw
from alehouse.envs.core.run.scratch import bare
from alehouse.envs.core.run.standings import REWARDS

CHOICE = 3  # the index of luck for choices within a roll-out
ESTIMATE, VALUE = "estimate", "value"  # what judges leaves; anything else is the path of a value's file
HEURISTIC, NET = "heuristic", "net"  # who rates answers before roll-outs; anything else is the path of a network's file
PLAYS_ON = {HEURISTIC: 0, "both": 1, NET: 2}  # who plays on in roll-outs, as in how many of every two the network does
# the options of a search, in the order of the array in which kernels receive them
ITERATIONS, ROUNDS, REWARD, LEARNED, CANDIDATES, EXPLORE, PRIOR, PLAYERS = range(8)
EACH = 8  # a search with many roll-outs tries one answer for each of this number
MANY = 200  # with fewer roll-outs the heuristic alone plays on in them, whatever a game's data say
MILLE = 1000.0  # numbers that are not whole come to kernels in thousandths
# the options of a search with estimates
BY_ESTIMATE: dict[str, Any] = {"candidates": 0, "explore": 1.0, "prior": 0.0, "policy": HEURISTIC, "players": HEURISTIC}
DATA = Path(__file__).with_name("search.toml")


class Results(NamedTuple):
    """Working memory for judging a table."""

    places: Any
    points: Any
    utility: Any
    reading: Any


class Tally(NamedTuple):
    """What a search has seen of each answer to its question."""

    visits: Any  # how often the answer was tried
    shares: Any  # for each answer and seat, the utility, summed
    square: Any  # for each answer, the searching seat's utility, squared and summed


@jit
def forget(tally):
    """Begin a tally again."""
    tally.visits[:] = 0
    tally.shares[:] = 0.0
    tally.square[:] = 0.0


@jit
def note(tally, a, seat, utility):
    """Add a result of an answer to a tally."""
    tally.visits[a] += 1
    for p in range(utility.size):
        tally.shares[a, p] += utility[p]
    tally.square[a] += utility[seat] * utility[seat]


@functools.cache
def tuned() -> dict[str, Any]:
    """Return for each game the options that its searches play best by."""
    with open(DATA, "rb") as file:
        return tomllib.load(file)


def plan(
    game: Game, searcher: str, leaf: str | None, reward: str | None, likely: float, **given: float | str | None
) -> tuple[list[int], npt.NDArray[Any]]:
    """Return the options and the guides of a search; what is not given comes from the game's data.

    With `leaf` "estimate" a search is that of version 0.1: its result is the utility by rank, and it tries every answer. `likely` is how
    many roll-outs it will have; with many it tries more answers than the data say, and only then does the network play on in them.
    """
    path = shipped(game)
    leaf = (VALUE if path else ESTIMATE) if leaf is None else leaf
    if leaf == VALUE and path is None:
        raise ValueError(f"leaf=value: no value comes with the package for {game.name}; train one, then leaf=FILE")
    learned = leaf != ESTIMATE
    usual = {**BY_ESTIMATE, "rounds": game.horizon, **(tuned().get(game.name, {}).get(searcher, {}) if learned else {})}
    if usual["candidates"]:
        usual["candidates"] = min(game.choices, max(int(usual["candidates"]), int(likely) // EACH))
    chosen: dict[str, Any] = {name: usual[name] if given.get(name) is None else given[name] for name in usual}
    network = policy_of(game, chosen["policy"])
    if given.get("players") is None and (likely < MANY or network is None):
        chosen["players"] = HEURISTIC
    reward = ("win" if learned else "rank") if reward is None else reward
    check_whole("rounds", chosen["rounds"], 1, 1000)
    check_whole("candidates", chosen["candidates"], 0, 1000)
    if reward not in REWARDS:
        raise ValueError(f"reward {reward!r}: one of {', '.join(REWARDS)}")
    if chosen["players"] not in PLAYS_ON or (network is None and chosen["players"] != HEURISTIC):
        raise ValueError(f"players={chosen['players']}: one of {', '.join(PLAYS_ON)}; all but heuristic need a network as policy")
    found = [0] * (PLAYERS + 1)
    found[ROUNDS], found[REWARD], found[LEARNED], found[CANDIDATES] = chosen["rounds"], REWARDS[reward], int(learned), chosen["candidates"]
    found[EXPLORE], found[PRIOR] = round(MILLE * chosen["explore"]), round(MILLE * chosen["prior"])
    found[PLAYERS] = PLAYS_ON[chosen["players"]]
    return found, guides(game, value_of(game, leaf), network)


def policy_of(game: Game, policy: str) -> npt.NDArray[Any] | None:
    """Return the network that rates answers before roll-outs, as an array of one record; None if the heuristic does."""
    path = NETS / f"{game.name}.safetensors" if policy == NET else Path(policy)
    if policy == HEURISTIC or (policy == NET and not path.is_file()):
        return None
    if not path.is_file():
        raise ValueError(f"policy={policy}: there is no such file; policy is net, heuristic, or the file of a network")
    return for_play(game, read_net(path, game)[0])


def value_of(game: Game, leaf: str) -> Value | None:
    """Return the value that judges leaves; None if the heuristic's estimate does."""
    if leaf == ESTIMATE:
        return None
    path = shipped(game) if leaf == VALUE else Path(leaf)
    if path is None or not path.is_file():
        raise ValueError(f"leaf={leaf}: there is no such file; leaf is value, estimate, or a file that `alehouse train --what value` wrote")
    return read_value(path, game)[0]


@functools.cache
def search(game: Game) -> SimpleNamespace:
    """Make the kernels of a game that look ahead."""
    size = len(game.ACTIONS)
    step, determinize, shares, reading = game.step, game.determinize, value_kernels(game).shares, value_kernels(game).prepare
    best, finish = instant_kernels(game).best, batch_kernels(game).finish
    known = heuristic_of(game)

    if known is None:

        @jit
        def clock(s):
            """Return 0 always, so that no roll-out is cut short."""
            return 0

        @jit
        def expect(s, R, W, utility):
            """Write zeros as estimates for a game in progress."""
            utility[:] = 0.0

        @jit
        def advise(s, R, W, key, prior):
            """Write 0 for each legal answer, because the game has no heuristic."""
            prior[: bits.count(s.can)] = 0.0

    else:
        clock, expect, think, rate = game.clock, known.evaluate, known.think, known.rate

        @jit
        def advise(s, R, W, key, prior):
            """Write for each legal answer the heuristic's rating: 0 for the best, less for others, in units of its weight `temper`."""
            mind, n, most = think(s, R, W, key), bits.count(s.can), -np.inf
            for k in range(n):
                prior[k] = rate(s, R, W, bare(mind), bits.nth(s.can, k))
                most = max(most, prior[k])
            for k in range(n):
                prior[k] = (prior[k] - most) / W.temper

    @jit
    def deal(s, R, seat, key, k, dealt):
        """Make the first table of `dealt` the k-th redeal of s for a seat, and return it."""
        dealt[0] = s
        t = dealt[0]
        determinize(t, R, seat, draw(key, REDEALS, 0, 0, k))
        return t

    @jit
    def luck(key, t):
        """Return the random bits for one decision within a roll-out."""
        return draw(key, AGENTS, t.asked, t.turn, CHOICE)

    @jit
    def roll(t, R, W, until, key, steps):
        """Play on by the heuristic until the game's clock shows `until`, or to the end."""
        while t.turn >= 0 and clock(t) < until:
            step(t, R, best(t, R, W, luck(key, t)))
            steps[0] += 1

    @jit
    def tally():
        """Return an empty tally."""
        return Tally(np.zeros(size, np.int64), np.zeros((size, SEATS)), np.zeros(size))

    @jit
    def results():
        """Return working memory for judging."""
        return Results(np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64), np.zeros(SEATS), reading())

    @jit
    def judge(t, R, G, how, found):
        """Write the utility of each seat: the true one at the end of the game, the learned value or the heuristic's estimate before that.

        A seat that plays alone is always judged by the estimate.
        """
        if t.turn < 0:
            finish(t, R, how[REWARD], found.places, found.points, found.utility)
        elif how[LEARNED] and R.seats > 1:
            shares(t, R, G, found.reading, found.utility)
        else:
            expect(t, R, G.heuristic, found.utility)

    return SimpleNamespace(
        clock=clock, expect=expect, advise=advise, deal=deal, luck=luck, roll=roll, tally=tally, results=results, judge=judge
    )
