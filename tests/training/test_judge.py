"""The judge finds the weights of a made-up game, and estimates real games better than their points do."""

import numpy as np
import pytest

pytest.importorskip("torch")

from alehouse.agents.heuristic import heuristic_of
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game
from alehouse.training import judge
from alehouse.training.lean import softened

pytestmark = pytest.mark.slow
KNOWN = heuristic_of(game("tavern_battle"))


def paid(utility, points, seats):
    """Return the reward of a win that is shared by points."""
    return (softened(points / 3, seats) * seats[:, None] - 1) / (seats[:, None] - 1)


def test_it_finds_known_weights():
    """Where wins are shared by known weights of the stock, it finds them, each stage by itself."""
    rng = np.random.default_rng(0)
    stock, when = rng.integers(0, 6, (40_000, 3, 4)).astype(np.int16), rng.integers(0, 2, 40_000)
    weights = np.array([[0.5, 0, -0.3, 0], [0, 0.2, 0, 0.1]])
    share = softened((stock * weights[when][:, None]).sum(axis=2), np.full(len(when), 3)).astype(np.float32)
    assert judge.learnt(stock, when, share, 2) == pytest.approx(weights, abs=0.02)


@pytest.mark.parametrize("v", ["tavern_battle-4p", "tavern_battle-2p-casse_tout+tous_sur_un+tete_dure"])
def test_it_estimates_games_it_has_not_seen(v):
    """It explains more of the variance of wins than the present points do, and more at later stages; shares add up to 1."""
    tables = Tables(v, n=1)
    weights = judge.judge_of(tables, paid, 1, games=3000)[0]
    stock, when, share = judge.seen(tables.game, tables.rules[:1], paid, 2, 1, 1000)
    seats = share.shape[1]
    found = np.zeros((len(when), seats))
    for k, row in enumerate(found):
        judge.weigh(weights[when[k]], stock[k], seats, row)
    assert found.sum(axis=1) == pytest.approx(0, abs=1e-5)
    estimate = (found * (seats - 1) + 1) / seats
    points = softened(stock[:, :, KNOWN.stock.index("points")] / 3, np.full(len(when), seats))
    for early, late in ((2, 4), (6, 8)):
        here = (when >= early) & (when < late + 1)
        rest = [((x - share)[here] ** 2).mean() / ((1 / seats - share)[here] ** 2).mean() for x in (estimate, points)]
        assert rest[0] < rest[1]
    assert rest[0] < 0.7


def test_two_threads_see_the_same_games():
    tables = Tables("tavern_battle-3p", n=1)
    one, two = (judge.seen(tables.game, tables.rules[:1], paid, 3, threads, 200) for threads in (1, 2))
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    assert (np.diff(one[1]) > 0).mean() > 0.5  # stages of one game follow each other
    assert one[1].max() < KNOWN.stages


def test_a_game_that_takes_no_stock_is_refused():
    with pytest.raises(ValueError, match="ahead: connect_four has no heuristic that takes stock"):
        judge.judge_of(Tables("connect_four", n=1), paid, 0)
