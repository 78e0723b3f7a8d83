"""The balance lab on games with a planted fault, and on games without one."""

import dataclasses
from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

from alehouse.agents import heuristic
from alehouse.agents.ladder import uniform
from alehouse.benchmarks.balance import effects, seats, sentences
from alehouse.benchmarks.balance.design import MAIN, Design, factorial
from alehouse.benchmarks.balance.effects import LEVEL, EffectEstimate
from alehouse.benchmarks.balance.kernels import watched_games as watch
from alehouse.benchmarks.balance.measures import MEASURES, measured
from alehouse.benchmarks.balance.play import Played, block_seeds, instant_agents, play
from alehouse.envs.core.declare.game import Game
from alehouse.envs.core.run.jit import jit
from alehouse.envs.games import game
from tests import toy

INN, DRAGONS = game("bloody_inn"), game("taverns_dragons")
STUDIES = 100
MOST = int(stats.binom.isf(1e-4, STUDIES, LEVEL))  # more alarms than this, once in ten thousand times


def by_heuristic(design: Design, blocks: int) -> list[EffectEstimate]:
    """The effects of a design, played by the heuristic."""
    [agent] = instant_agents([heuristic(design.spec)], design.spec)
    return effects.estimated(measured(play(design.cells, agent, block_seeds(0, 0, blocks)), design.cells), design.effects())


# A card made absurdly strong


@pytest.mark.slow
def test_a_card_made_absurdly_strong_is_an_effect() -> None:
    rules = [("", {}), ("rich concierges", {"cards.concierge.money": 60})]
    found = {row.measure: row for row in by_heuristic(factorial(INN, [], [2], ["short"], rules), 400)}
    assert found["score"].sure
    assert found["score"].low > 0


# A module made worthless


def missions(changes: Mapping[str, int]) -> list[EffectEstimate]:
    """The effect of missions in Taverns & Dragons, with some numbers changed throughout."""
    return by_heuristic(factorial(DRAGONS, ["missions"], [2], [""], [("", changes)]), 500)


@pytest.mark.slow
def test_a_module_made_worthless_shows_no_effect_and_is_named() -> None:
    assert "score" in {row.measure for row in missions({}) if row.sure}  # as printed, they bring prestige
    none = {key: 0 for key in DRAGONS.numbers if key.startswith("missions.") and key.endswith(".prestige")}
    found = missions(none)
    assert not any(row.sure for row in found)
    assert all(row.low < 0 < row.high for row in found if row.low < row.high)
    [said] = sentences.effects(found, "heuristic", ())
    assert said.startswith("No main effect was found beyond chance with heuristic: +missions (score within ±")


@pytest.mark.slow
def test_what_does_nothing_is_named_beside_what_does_something() -> None:
    rows = [
        EffectEstimate("+missions", MAIN, "score", "points", 0.1, -0.4, 0.6, 0.3, 0.9),
        EffectEstimate("+missions", MAIN, "first player", "points of share", 0.2, -1.5, 1.9, 1.0, 0.9),
        EffectEstimate("+events", MAIN, "score", "points", 4.0, 3.0, 5.0, 0.5, 0.001),
        EffectEstimate("+events", MAIN, "first player", "points of share", -3.0, -5.0, -1.0, 1.0, 0.01),
    ]
    assert sentences.effects(rows, "heuristic", {"+missions", "+events"}) == [
        "With heuristic, the game is moved by +events (score +4 points, 3 to 5).",
        "Who wins is moved by +events (first player -3 points of share, -5 to -1).",
        "No effect at all was found of +missions (score within ±0.6 points, first player ±1.9 points of share).",
    ]


# A seat favoured

BONUS = 3


@jit
def favouring(s, R, out):
    """The first seat has coins nobody took."""
    for p in range(R.seats):
        out[p] = s.seat[p].coins + BONUS * (p == 0)


def toy_seats(spec: Game) -> list[seats.Seat]:
    """The places of the toy at two seats, by uniform agents."""
    cells = [spec.variant(2, [], "long")]
    return seats.seats(play(cells, instant_agents([uniform(spec)], spec)[0], block_seeds(0, 0, 3000)), cells)


@pytest.mark.slow
def test_a_favoured_seat_shows_with_the_handicap_that_levels_it() -> None:
    fair, unfair = toy_seats(toy.GAME), toy_seats(dataclasses.replace(toy.GAME, scores=favouring, standing=favouring))
    assert unfair[0].p < 0.001
    assert unfair[0].low > fair[0].high
    assert unfair[1].high < fair[1].low
    for before, after, bonus in ((fair[0], unfair[0], BONUS), (fair[1], unfair[1], -BONUS)):
        assert before.handicap is not None
        assert after.handicap is not None
        assert after.handicap == pytest.approx(before.handicap - bonus)


# Nothing planted


@pytest.mark.slow
def test_no_more_false_alarms_than_stated_when_games_are_alike() -> None:
    """Two cells of one rule set on different seeds: whatever is found there is a false alarm."""
    v, blocks = INN.variant(2, [], "short"), 60
    [agent] = instant_agents([heuristic(INN)], INN)
    played = measured(play([v], agent, block_seeds(5, 0, 2 * blocks * STUDIES)), [v])[:, 0]
    both = played.reshape(STUDIES, 2, blocks, len(MEASURES)).swapaxes(1, 2)
    effect = factorial(INN, [], [2], ["short"], [("", {}), ("the same", {"game.corpse": 20})]).effects()
    alarms = sum(any(row.sure for row in effects.estimated(values, effect)) for values in both)
    assert alarms <= MOST


def test_no_more_seats_are_favoured_than_stated() -> None:
    luck_of, v, n = np.random.default_rng(9), INN.variant(4), 300
    alarms = 0
    for _ in range(STUDIES):
        scores = luck_of.integers(0, 60, (n, 1, 4)).astype(np.int16)
        seen = np.zeros((n, 1, len(watch.SEEN)), np.int16)
        seen[:, 0, watch.FIRST] = luck_of.integers(0, 4, n)
        played = Played(scores, scores.astype(np.float32), seen, np.zeros((len(watch.TALLY), 1)))
        alarms += any(row.p < LEVEL for row in seats.seats(played, [v]))
    assert alarms <= MOST
