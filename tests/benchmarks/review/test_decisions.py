"""What decisions cost: by plays on the same luck, without the optimism of choosing the best of uncertain values."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from alehouse.agents import heuristic
from alehouse.agents.ladder import uniform
from alehouse.benchmarks.review.decisions import CLEAR, Course, accuracy, decisions, fork, losses, mistakes
from alehouse.benchmarks.review.luck import ALL, lucks, streams_told
from alehouse.envs.core.run.luck import redrawn
from alehouse.envs.core.run.replay import Replay
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.games import game, variant

FOUR = game("connect_four")
MISSED = (0, 1, 0, 1, 0, 1, 6, 1)  # player_0 could win in column a and drops in column g; player_1 wins in column b


@pytest.fixture(scope="module")
def missed() -> Course:
    """The game in which player_0 misses a win."""
    return Course.of(Replay.of("connect_four", 0, MISSED))


def test_a_missed_win_is_the_costliest_decision(missed: Course) -> None:
    found = list(decisions(missed, heuristic(FOUR), 40))
    seventh, eighth = found[6:]
    assert (seventh.action, seventh.best, seventh.loss) == (6, 0, 1.0)
    assert (eighth.action, eighth.best, eighth.loss) == (1, 1, 0.0)
    assert eighth.shares == (0.0, 1.0)
    assert mistakes(found)[0] == seventh
    assert eighth not in mistakes(found)
    assert missed.won is not None
    assert missed.won.tolist() == [0, 1]


def test_of_many_decisions_one_must_stand_out_further(missed: Course) -> None:
    [one] = [d for d in decisions(missed, heuristic(FOUR), 40) if d.move == 7]
    doubtful = replace(one, loss=0.25, error=0.1)  # 2.5 standard errors
    assert mistakes([doubtful]) == [doubtful]
    assert mistakes([doubtful] * 20) == []
    assert mistakes([replace(one, loss=0.01, error=0.001)]) == []


def test_accuracy_adds_up_the_losses(missed: Course) -> None:
    found = list(decisions(missed, heuristic(FOUR), 40))
    one, two = accuracy(found, 2)
    assert (one.decisions, two.decisions) == (4, 4)
    assert one.total == pytest.approx(sum(d.loss for d in found[::2]))
    assert one.loss == pytest.approx(one.total / 4)
    assert one.loss > two.loss
    assert one.mistakes >= 1


def test_the_best_answer_costs_nothing_on_average_though_another_often_looks_better() -> None:
    course = Course.of(Replay.of("connect_four", 0, (3,)))  # the middle is best when all drop at random
    found = [next(decisions(course, uniform(FOUR), 16, seed)) for seed in range(300)]
    losses = np.array([one.loss for one in found])
    assert (losses != 0).mean() > 0.2
    assert losses.mean() < 2 * losses.std() / np.sqrt(len(losses))
    naive = np.array([max(a.value for a in one.answers) - next(a.value for a in one.answers if a.action == 3) for one in found])
    assert naive.mean() > CLEAR


class Always:
    """An agent that drops into the first of some columns that is open."""

    def __init__(self, *columns: int) -> None:
        self.name, self.columns = "always", columns

    def act(self, obs: Any, mask: Any, ctx: Any) -> Any:
        return np.array([next(c for c in self.columns if row[c]) for row in mask])


def test_agents_are_compared_at_the_same_decisions(missed: Course) -> None:
    found = losses(missed, [Always(0, 1), Always(6, 1), Always(0, 1)], heuristic(FOUR), 40)
    assert found.shape == (8, 3)
    assert found[6].tolist() == [0.0, 1.0, 0.0]  # column a wins, column g lets the other seat win
    assert (found[:, 0] == found[:, 2]).all()
    assert 0 < found[7, 0] < 1  # column b wins at once, column a only keeps player_0 from winning


def test_a_fork_tells_a_wrong_move_from_bad_luck(missed: Course) -> None:
    found = fork(missed, 6, heuristic(FOUR), 40)
    assert (found.action, found.best, found.gain) == (6, 0, 1.0)
    assert found.gain > found.gain_half
    assert found.tried[0].action == 0
    assert found.tried[0].more == 1.0
    assert found.luck == 0.0  # nothing is drawn in this game


def test_the_card_that_could_not_be_seen_is_luck() -> None:
    tables = Tables("kuhn_poker", n=200)
    cards = tables.states["card"].tolist()
    middle = sorted({card for pair in cards for card in pair})[1]
    at = next(k for k, pair in enumerate(cards) if pair[0] == middle and pair[1] > middle)  # the other seat has the highest card
    v = variant("kuhn_poker")
    course = Course.of(Replay.of(v, int(tables.seeds[at]), [v.action("pass")]))
    found = fork(course, 0, uniform(v.spec), 400)
    assert found.luck < -found.luck_half
    assert course.won is None


def test_luck_of_a_seed_by_streams() -> None:
    tables = Tables("kuhn_poker", n=200)
    best = max(card for pair in tables.states["card"].tolist() for card in pair)
    at = next(k for k, pair in enumerate(tables.states["card"].tolist()) if pair[0] == best)
    v = variant("kuhn_poker")
    base, found = lucks(v, uniform(v.spec), int(tables.seeds[at]), 255)
    assert [one.source for one in found] == [ALL, *v.spec.streams]
    for one in found:
        assert one.brought[0] > one.half[0] > 0
        assert one.brought[0] == pytest.approx(-one.brought[1])
    assert base.sum() == pytest.approx(1)


def test_a_seed_that_redraws_a_stream_tells_that_stream_alone() -> None:
    assert streams_told(5, 3) == [0, 1, 2]
    assert streams_told(int(redrawn(5, 1, 3)), 3) == [1]
    assert streams_told(int(redrawn(5, 7, 3)), 3) == [0, 1, 2]
