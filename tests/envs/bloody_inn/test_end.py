"""The end of the game: when it comes and what it pays (sections 3.8 and 5 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.bloody_inn.scene import Scene


def ended(sc: Scene) -> Scene:
    """Pass for all seats until the last round is over."""
    sc.last_round().passing()
    assert sc.question == "over"
    return sc


@rule("BI-T20")
def test_bonus_stops_at_the_limit() -> None:
    def table(cap: str) -> Scene:
        sc = Scene(overrides={"switch.endgame_cap40": cap}).cash(38).checks(0)
        return sc.annex(0, "park").exit("mechanic", "mechanic", "gardener", "monk")

    assert ended(table("yes")).scores[0] == 40
    assert ended(table("no")).scores[0] == 50


@rule("BI-T21")
def test_ties_go_to_more_corpses_under_own_annexes() -> None:
    sc = Scene().annex(0, "crypt", "monk").annex(1, "dining_room", "novice", "abbot")
    sc = ended(sc.annex(0, "cellar", "abbot", "novice", by=1))
    assert sc.scores == [15, 15]
    assert sc.utility == [1, -1]


def test_a_tie_to_the_last_is_shared() -> None:
    sc = ended(Scene().barn(0, "monk").barn(1, "abbot"))
    assert (sc.scores, sc.utility) == ([15, 15], [0, 0])


def test_dwarf_counts_one_and_twins_two_in_a_tie() -> None:
    sc = ended(Scene(modules=("carnies",)).annex(0, "crypt", "twins").barn(1, "monk"))
    assert sc.utility == [1, -1]
    sc = ended(Scene(modules=("carnies",)).barn(0, "dwarf", "monk").barn(1, "abbot"))
    assert sc.utility == [1, -1]
    sc = ended(Scene(modules=("carnies",)).annex(0, "crypt", "twins").barn(1, "dwarf", "monk"))
    assert sc.utility == [0, 0]


def test_score_is_cash_and_checks() -> None:
    sc = ended(Scene(3).cash(7, 0, 39).checks(2, 4, 0))
    assert sc.scores == [27, 40, 39]
    assert sc.utility == [-1, 1, 0]


@rule("BI-R34")
def test_gravedigger_comes_before_the_bonuses() -> None:
    sc = Scene().cash(5).checks(0).corpses(0, "monk").annex(0, "park").exit("mechanic", "mechanic", "cultivator")
    assert ended(sc).scores[0] == 12


def test_corpses_left_are_paid_for_at_the_end() -> None:
    sc = ended(Scene().cash(15, 25).checks(0, 0).corpses(0, "monk").corpses(1, "count", "abbot"))
    assert (sc.scores, sc.box_cards) == ([5, 5], ["monk", "abbot", "count"])


def test_payer_chooses_the_mix_at_the_end_too() -> None:
    sc = Scene().cash(15).checks(1).corpses(0, "monk").last_round().passing()
    assert sc.options() == ["cash:0", "cash:10"]
    assert sc.act("cash:0").scores[0] == 15


@rule("BI-R35")
def test_carnies_and_notables_have_no_colour() -> None:
    sc = Scene(3, ("carnies", "notables")).annex(0, "park").annex(1, "grocery").annex(2, "bishopric")
    assert ended(sc.exit("clown", "twins", "surgeon", "banker", "winemaker")).scores == [15, 15, 15]
    sc = Scene(modules=("carnies",)).annex(0, "stables").exit("clown", "bear_tamer")
    assert ended(sc).scores == [15, 15]


@rule("BI-T22")
def test_alone_an_investigation_with_a_corpse_loses() -> None:
    sc = Scene(1).guests(white1="major").corpses(0, "monk").passing()
    assert (sc.question, sc.scores, sc.utility) == ("over", [0], [-1])


@rule("BI-R43")
@pytest.mark.parametrize(("length", "title"), [("short", 80), ("long", 110)])
def test_alone_one_wants_a_title(length: str, title: int) -> None:
    for points, utility in ((title, 1), (title - 1, 0)):
        sc = ended(Scene(1, length=length).cash(points % 10).checks(points // 10))
        assert (sc.scores, sc.utility) == ([points], [utility])
    sc = ended(Scene(1, length=length).cash(40).checks(20).corpses(0, "monk"))
    assert (sc.scores, sc.utility) == ([0], [-1])
    sc = ended(Scene(1, length=length, overrides={f"solo.title_{length}": 30}).cash(0).checks(3))
    assert sc.utility == [1]


def test_alone_police_without_corpses_harm_nobody() -> None:
    sc = Scene(1).guests(white1="major").passing()
    assert sc.question == "lodge"


@rule("BI-T60")
def test_the_last_round_is_played_with_an_inn_not_full() -> None:
    """Poison comes after the count of travelers: two guests for three players are enough then."""
    sc = Scene(3, ("objects",), phase="welcome").objects(0, "poison").stack(3, season=2)
    for place in ("home_me", "white1", "white2"):
        sc.act(f"lodge:{place}")
    assert sc.question == "evening"
    sc.act("object:poison").act("at:white1")
    assert (len(sc.corpses_of(0)), sc.guest("white1")) == (1, None)
    sc.skip("evening")
    assert (sc.question, sc.turn) == ("action", 0)
    actions = 0
    while sc.question in ("action", "well"):
        actions += sc.question == "action"
        sc.act("pass" if sc.question == "action" else "done")
    assert actions == 6
    while sc.question == "dig":
        sc.act(sc.options()[0])
    assert sc.question == "over"


@rule("BI-R31")
def test_too_few_travelers_end_the_game_at_once() -> None:
    """The guests go to the exit stack and count there; no window opens, and the event is discarded."""
    sc = Scene(3, ("carnies", "events", "objects"), phase="welcome").objects(0, "poison", "letter").corpses(1, "monk")
    sc.annex(0, "park").hand(2, "peasant").stack(2, "clown", season=2).act("lodge:home_me")
    assert sc.event_name is not None
    sc.top("mechanic").act("lodge:white1")
    while sc.question == "dig":
        assert sc.phase == "reckon"
        sc.act("cash:0")
    assert (sc.question, sc.exit_cards, sc.event_name) == ("over", ["mechanic", "clown"], None)
    assert sc.scores == [15 + 4, 5, 15]


def test_as_many_travelers_as_players_are_a_last_round() -> None:
    sc = Scene(2, phase="welcome").stack(2, season=2).act("lodge:white1").act("lodge:white2")
    assert sc.question == "action"
    sc.passing()
    assert sc.question == "over"


def test_second_emptying_with_the_last_room_is_the_last_round_too() -> None:
    sc = Scene(2, phase="welcome").stack(5, season=2)
    while sc.question == "lodge":
        sc.act(sc.options()[0])
    assert sc.question == "action"
    assert sc.passing().question == "over"


def test_an_empty_exit_stack_counts_as_the_second_emptying() -> None:
    sc = Scene(2, phase="welcome").stack(2).act("lodge:white1").act("lodge:white2")
    assert sc.question == "action"
    assert sc.passing().question == "over"


def test_first_emptying_goes_on_with_the_exit_stack() -> None:
    sc = Scene(2, phase="welcome").exit("monk", "monk", "monk", "abbot").stack(2).act("lodge:white1").act("lodge:white2")
    assert (sc.question, sc.s.season, sc.s.entrance, sc.exit_cards) == ("lodge", 1, 4, [])
    while sc.question == "lodge":
        sc.act(sc.options()[0])
    assert all(sc.guest(place) in ("monk", "abbot") for place in ("home0", "home1", "white3"))
