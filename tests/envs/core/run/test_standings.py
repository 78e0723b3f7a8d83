"""The share of the win, and the utility by rank."""

import numpy as np
import pytest

from alehouse.envs.core.run.standings import RANK, SCORE, WIN, utilities, win_shares


@pytest.mark.parametrize(
    ("standing", "win", "rank"),
    [
        ([7, 9, 8, 1], [0, 1, 0, 0], [-1 / 3, 1, 1 / 3, -1]),
        ([5, 9, 9, 9], [0, 1 / 3, 1 / 3, 1 / 3], [-1, 1 / 3, 1 / 3, 1 / 3]),
        ([-4, -4], [0.5, 0.5], [0, 0]),
        ([1], [1], [1]),
        ([0], [0], [0]),
        ([-1], [0], [-1]),
    ],
)
def test_what_a_standing_is_worth(standing: list[int], win: list[float], rank: list[float]) -> None:
    out, seats = np.full(5, 9.0, np.float32), len(standing)
    places = np.array([*standing, *[99] * (5 - seats)])  # absent seats do not count
    for reward, worth in ((RANK, rank), (SCORE, range(seats))):
        utilities(np.arange(5), places, seats, reward, out)
        assert out == pytest.approx([*worth, *[0] * (5 - seats)])
    utilities(np.arange(5), places, seats, WIN, out)
    assert out == pytest.approx([*(win if seats > 1 else standing), *[0] * (5 - seats)])
    assert win_shares(places, np.array([seats])) == pytest.approx([*win, *[0] * (5 - seats)])


def test_many_games_at_once() -> None:
    utility = np.array([[[1, 0, -1], [0.5, 0.5, -1]], [[0, 0, 0], [-1, 0, 1]]], np.float32)
    expected = np.array([[[1, 0, 0], [0.5, 0.5, 0]], [[1 / 3] * 3, [0, 0, 1]]])
    assert win_shares(utility) == pytest.approx(expected)
    assert win_shares(utility[0], np.array([3, 2])) == pytest.approx(expected[0])
    assert win_shares(utility[1], np.array([2, 1])) == pytest.approx(np.array([[0.5, 0.5, 0], [0, 0, 0]]))
    assert win_shares(utility[:0]).shape == (0, 2, 3)
