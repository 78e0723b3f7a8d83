"""Every setting of every switch (rulings A3, A4, A31 and A32 of the rules)."""

import alehouse
import pytest
from alehouse.envs.taverns_dragons.layout import NUMBERS, PLACE_NAMES

from tests.envs.scene import rule
from tests.envs.taverns_dragons.scene import Scene


def test_every_switch_has_a_test() -> None:
    switches = {key.removeprefix("switch.") for key in NUMBERS if key.startswith("switch.")}
    assert [name for name in switches if f"test_{name}" not in globals()] == []


@rule("TD-A32")
def test_defaults() -> None:
    found = {key.removeprefix("switch."): NUMBERS[key].value for key in NUMBERS if key.startswith("switch.")}
    assert found == {
        "initial_recipes": 1,
        "collect_from_start": "off",
        "first_game_places": "off",
        "auto_city": "on",
        "choose_boards": "yes",
    }


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_initial_recipes(n: int) -> None:
    sc = Scene(2, overrides={"switch.initial_recipes": n}, blank=False)
    assert (len(sc.shown), len(set(sc.shown)), sc.thrown) == (n, n, [])


def test_collect_from_start() -> None:
    def table(word: str) -> Scene:
        sc = Scene(2, overrides={"switch.collect_from_start": word}).tokens(canyon=["egg"], caves=["spice"])
        return sc.runes(1).stand("plain", "caves")

    assert (table("off").options("collect"), table("off").options("collect_behind")) == (["collect:spice"], [])
    assert (table("on").options("collect"), table("on").options("collect_behind")) == (["collect:spice"], ["collect_behind:egg"])
    sc = table("on").act("collect_behind:egg")
    assert (sc.bag_of(0, "plain"), sc.tokens_in("canyon"), sc.tokens_in("caves")) == (["egg"], [], ["spice"])
    assert sc.options("collect") + sc.options("collect_behind") == []
    assert table("on").act("collect:spice").options("collect_behind") == []
    sc = table("on").places(C="portal").energy(1).act("visit:C", "go:canyon")
    assert (sc.options("collect"), sc.options("collect_behind")) == (["collect:egg"], [])


def test_first_game_places() -> None:
    def sets(word: str) -> set[frozenset[str]]:
        t = alehouse.Tables(alehouse.variant("taverns_dragons", seats=2, overrides={"switch.first_game_places": word}), n=60)
        return {frozenset(PLACE_NAMES[k] for k in row) for row in t.states["place"]}

    assert sets("on") == {frozenset({"caravan", "portal", "dungeon", "market"})}
    assert len(sets("off")) > 10


def test_choose_boards() -> None:
    for word, question in (("yes", "board"), ("no", "turn")):
        sc = Scene(4, ("asymmetric",), overrides={"switch.choose_boards": word}, blank=False)
        assert sc.question == question
        assert len({sc.board_of(seat) for seat in range(4)}) == (1 if word == "yes" else 4)


def test_auto_city() -> None:
    def table(word: str) -> Scene:
        sc = Scene(2, overrides={"switch.auto_city": word}).minion(0, "sturdy", bag=["plant"], wounds=1).runes(1)
        return sc.stand("sturdy", "city")

    sc = table("on")
    assert (sc.wounds_of(0, "sturdy"), sc.bag_of(0, "sturdy")) == (0, ["plant"])
    assert sc.end().pantry_of(0) == ["plant"]
    sc = table("off")
    assert (sc.wounds_of(0, "sturdy"), sc.options("heal")) == (1, ["heal:sturdy"])
    sc.end()
    assert (sc.wounds_of(0, "sturdy"), sc.bag_of(0, "sturdy"), sc.pantry_of(0)) == (1, ["plant"], [])
    sc = table("off").act("store:sturdy", "heal:sturdy")
    assert (sc.wounds_of(0, "sturdy"), sc.bag_of(0, "sturdy"), sc.pantry_of(0)) == (0, [], ["plant"])
