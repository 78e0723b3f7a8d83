"""The parts of what a decision costs add up, and draws are counted."""

import pytest

from alehouse.benchmarks import cost
from alehouse.benchmarks.throughput import under_way
from alehouse.envs.games import game

FOUR = game("connect_four").variant()


@pytest.mark.slow
def test_the_parts_add_up_to_the_whole() -> None:
    [found] = cost.costs(FOUR, [64], 0.0, 0.001, 3)
    parts = sum(getattr(found, name) for name in ("call", "choice", "refusal", "log", "mask", "observation", "legality", "luck", "rules"))
    assert found.whole == pytest.approx(parts)
    assert found.whole > 0
    assert found.bytes == 2 * FOUR.spec.STATE.itemsize + 84 + 7


@pytest.mark.slow
def test_the_kernel_in_parts_plays_as_the_batch_does() -> None:
    tables, twin = under_way(FOUR, 1, 0, 64), under_way(FOUR, 1, 0, 64).clone()
    full = cost.loops(twin)["full"]
    for _ in range(50):
        tables.step(tables.sample())
        full()
    assert (tables.states == twin.states).all()
    assert (tables.obs == twin.obs).all()
    assert (tables.mask == twin.mask).all()


@pytest.mark.slow
def test_draws_are_counted_without_those_of_the_player() -> None:
    assert cost.draws_of(FOUR) == 0.0
    assert cost.draws_of(game("kuhn_poker").variant()) > 0.0


def test_unknown_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cost.main(["ludo"]) == 2
    assert "GAME is one of bloody_inn" in capsys.readouterr().err
