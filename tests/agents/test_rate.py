"""Ratings of answers: known positions, what they may know, and that they follow from their seed alone."""

import numba
import numpy as np
import pytest

from alehouse.agents import UNIFORM, OneByOne, Ratings, ask, greedy, heuristic, ismcts, rate, rollout
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from tests.slow import slow

FOUR, KUHN = game("connect_four"), game("kuhn_poker")
PASS, BET = 0, 1
JACK, QUEEN, KING = range(3)


class First:
    """The legal action with the lowest number, decided in plain Python."""

    def act(self, obs, mask):
        return int(np.flatnonzero(mask)[0])


def column(letter):
    return "abcdefg".index(letter)


def dropped(letters, n=1):
    """Connect four after some discs."""
    tables = Tables("connect_four", n=n, autoreset=False)
    for letter in letters:
        tables.step(np.full(n, column(letter)))
    return tables


def facing_a_bet(card):
    """Kuhn poker: player_1 holds a card and player_0 has bet."""
    tables = Tables("kuhn_poker", n=40, seed=1, autoreset=False)
    tables.step(np.full(40, BET))
    return tables, np.flatnonzero(tables.states["card"][:, 1] == card)


@pytest.mark.lanes
@pytest.mark.parametrize("agent", [UNIFORM, heuristic(FOUR), greedy(FOUR), rollout(FOUR, 8), ismcts(FOUR, 8), OneByOne(First())])
def test_a_win_in_one_is_worth_a_win(agent):
    found = rate(agent, dropped("dadada"), plays=8)
    win = column("d")
    assert (found.value[0, win], found.error[0, win], found.loss[0, win], found.value[0, found.best[0]]) == (1.0, 0.0, 0.0, 1.0)
    assert (found.shares[0, win] == [1.0, 0.0]).all()


def test_a_full_column_and_an_ended_game_have_no_ratings():
    tables = dropped("aaaaaa", 2)
    while not tables.over[1]:
        tables.step(ask(heuristic(FOUR), tables, [1]), [1])
    found = rate(UNIFORM, tables, plays=4)
    assert found.visits.tolist() == [[0, 4, 4, 4, 4, 4, 4], [0] * 7]
    assert np.isnan(found.value[0, 0])
    assert np.isnan(np.concatenate([part[1].ravel() for part in found if part is not found.visits])).all()
    assert found.best[0] > 0
    assert found.best[1] == -1


@pytest.mark.parametrize(("card", "worth"), [(JACK, 0.0), (QUEEN, 0.5), (KING, 1.0)])
def test_a_call_in_kuhn_poker_wins_against_the_lower_cards(card, worth):
    tables, which = facing_a_bet(card)
    found = rate(UNIFORM, tables, plays=2000, which=which)
    assert (found.value[:, PASS] == 0.0).all()
    assert abs(found.value[:, BET] - worth).max() <= 4 * 0.5 / np.sqrt(2000)
    assert found.error[:, BET].max() == pytest.approx(np.sqrt(worth * (1 - worth) / 2000), rel=0.02)
    assert (found.loss[:, PASS] == found.value[:, BET]).all()


def test_the_agent_that_plays_on_decides_the_value():
    """Three upright of the other: the heuristic makes the fourth unless it is stopped, a uniform agent often does not."""
    tables, elsewhere = dropped("dadad"), column("b")
    assert rate(UNIFORM, tables, by=heuristic(FOUR)).value[0, elsewhere] == 0.0
    assert rate(UNIFORM, tables).value[0, elsewhere] > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("search", [rollout, ismcts])
def test_searchers_tell_what_they_saw_when_they_decided(search):
    """Three upright of the other: who does not stop the fourth loses."""
    tables, stop = dropped("dadad", 2), column("d")
    agent = search(FOUR, 100, reward="win")
    found = rate(agent, tables)
    assert (found.best == stop).all()
    assert (found.best == ask(agent, tables)).all()
    assert (found.value[:, stop] > 0.0).all()
    assert np.nanmax(np.delete(found.value, stop, axis=1)) == 0.0
    assert (found.loss[:, stop] == 0.0).all()
    for other in (found, rate(search(FOUR, ms=1, reward="win"), tables)):
        assert np.allclose(other.shares.sum(axis=2)[other.visits > 0], 1.0)
        assert np.isnan(other.value[other.visits == 0]).all()
        assert other.visits.any(axis=1).all()


def test_a_tree_stops_early_or_at_its_iterations():
    found = rate(ismcts(FOUR, 50, reward="win"), dropped("dd"))
    assert 25 < found.visits.sum() <= 50
    several = found.visits[0] > 1
    value, variance = found.value[0, several], found.error[0, several] ** 2 * (found.visits[0, several] - 1)
    assert (variance <= value * (1 - value) + 1e-9).all()  # results are shares of a win
    assert variance.max() > 0.1


def test_searchers_that_count_ranks_are_rated_by_their_quick_agent():
    tables = dropped("dd")
    wanted = rate(heuristic(FOUR), tables, plays=32)
    for agent in (rollout(FOUR, 8), ismcts(FOUR, 8), ismcts(FOUR, ms=1)):
        assert (rate(agent, tables, plays=32).value == wanted.value).all()


def test_an_agent_may_give_its_own_ratings():
    class Sure:
        name = "sure"

        def act(self, obs, mask, ctx):
            return mask.argmax(axis=1)

        def rate(self, obs, mask, ctx, plays, seed):
            value = np.where(mask, 0.5, np.nan)
            return Ratings(value, value, mask * plays, value[..., None], value, value)

    tables = Tables("kuhn_poker", n=3)
    assert (rate(Sure(), tables, plays=7, which=[2, 0]).visits == 7).all()
    assert rate(Sure(), tables, plays=7, by=UNIFORM).value.max() <= 1.0


def test_equal_seeds_rate_equally_wherever_the_table_stands():
    tables = Tables("connect_four", n=6, seed=4, autoreset=False)
    for _ in range(9):
        tables.step(tables.sample())
    agent = UNIFORM
    found = rate(agent, tables, plays=20, seed=3)
    assert (rate(agent, tables, plays=20, seed=3, which=[5, 1]).value == found.value[[5, 1]]).all()
    assert (rate(agent, tables, plays=20, seed=4).value != found.value).any()
    if numba.config.NUMBA_NUM_THREADS > 1:
        assert (rate(agent, tables, plays=20, seed=3, threads=2).value == found.value).all()


@pytest.mark.parametrize(("name", "steps"), [("kuhn_poker", 1), slow("bloody_inn-4p-carnies+events+notables-long", 60)])
def test_hidden_facts_change_no_rating(name, steps):
    """Where redeals of two tables that look alike to a seat are the same, so are its ratings."""
    tables = Tables(name, n=4, seed=8, autoreset=False)
    for _ in range(steps):
        tables.step(tables.sample())
    twin = tables.determinize(tables.seat, 5)
    assert (twin.states != tables.states).any()
    agent = heuristic(tables.game)
    mine, other = (rate(agent, some, plays=8) for some in (tables, twin))
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(mine, other, strict=True))
    assert np.nanmax(mine.value) > np.nanmin(mine.value)


@pytest.mark.parametrize(("wrong", "said"), [({"plays": 1}, "plays=1"), ({"seed": -1}, "seed=-1"), ({"which": [9]}, "which")])
def test_bad_arguments(wrong, said):
    with pytest.raises(ValueError, match=said):
        rate(UNIFORM, Tables("kuhn_poker"), **wrong)


def test_an_agent_of_another_game_is_refused():
    with pytest.raises(ValueError, match="it plays connect_four"):
        rate(heuristic(FOUR), Tables("kuhn_poker"))
