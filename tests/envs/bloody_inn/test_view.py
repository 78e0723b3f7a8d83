"""Tables in words."""

import pytest

from tests.envs.bloody_inn.scene import Scene


def test_one_thing_is_not_several() -> None:
    sc = Scene().checks(1, 2).tokens(0, 1).bistro(1)
    assert "player_0: 5F, 1 check, 1 token, 0 buried" in sc.t.text(0)
    assert "player_1: 5F, 2 checks, 7 tokens, 0 buried" in sc.t.text(0)
    assert "bistro 1 peasant;" in sc.t.text(0)
    assert "bistro 2 peasants;" in sc.bistro(2).t.text(0)
    assert "1 peasant in the bistro" in Scene().bistro(1).t.why_illegal(0, sc.v.action("hire:2"))


@pytest.mark.parametrize(
    ("length", "checks", "reached"),
    [
        ("short", 8, "an innkeeper"),
        ("long", 11, "a worrying innkeeper"),
        ("long", 15, "an evil innkeeper"),
        ("long", 17, "a demonic innkeeper"),
    ],
)
def test_the_rank_of_a_player_alone(length: str, checks: int, reached: str) -> None:
    sc = Scene(1, length=length).checks(checks).last_round().passing()
    assert sc.t.text(0).endswith(f"the game is over: {reached}")
