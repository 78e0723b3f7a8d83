"""The end of a round in the base game (sections 3.5 and 3.7 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.bloody_inn.scene import Scene


@rule("BI-T17")
def test_investigation_takes_ten_francs_a_corpse() -> None:
    sc = Scene().guests(white1="peacekeeper").cash(15).corpses(0, "monk", "count").passing()
    assert (sc.cash_of(0), sc.checks_of(0), sc.corpses_of(0), sc.box_cards) == (5, 0, [], ["monk", "count"])
    sc = Scene().guests(white1="peacekeeper").cash(3).checks(0).corpses(0, "monk").passing()
    assert (sc.cash_of(0), sc.checks_of(0), sc.corpses_of(0), sc.box_cards) == (0, 0, [], ["monk"])


def test_gravedigger_is_paid_in_any_mix() -> None:
    sc = Scene().guests(white1="major").cash(25).checks(2).corpses(0, "monk", "count").passing()
    assert (sc.question, sc.turn) == ("dig", 0)
    assert sc.options() == ["cash:0", "cash:10", "cash:20"]
    sc.act("cash:10")
    assert (sc.cash_of(0), sc.checks_of(0), sc.corpses_of(0)) == (15, 1, [])


def test_who_can_not_pay_all_pays_everything() -> None:
    sc = Scene().guests(white1="brigadier").cash(9).checks(1).corpses(0, "monk", "count").passing()
    assert (sc.cash_of(0), sc.checks_of(0), sc.corpses_of(0)) == (0, 0, [])


def test_no_police_no_investigation() -> None:
    sc = Scene().guests(white1="monk").corpses(0, "count").passing()
    assert (sc.cash_of(0), sc.checks_of(0), sc.corpses_of(0)) == (5, 1, ["count"])


def test_police_bribed_or_killed_do_not_investigate() -> None:
    for verb in ("bribe", "kill"):
        sc = Scene().guests(white1="peacekeeper").cash(30, 30).corpses(0, "count").act(f"{verb}:white1").passing()
        assert "count" in sc.corpses_of(0)


@rule("BI-T18")
def test_own_rooms_and_gardens_pay() -> None:
    def table() -> Scene:
        return Scene().key(0, "white1").annex(0, "gardens").guests(home0="baron", white1="novice", white2="monk")

    assert table().passing().cash_of(0) == 9
    assert table().act("kill:home_me").passing().cash_of(0) == 8
    sc = table().act("pass").bribe("home_left1").passing()
    assert sc.cash_of(0) == 8
    assert sc.cash_of(1) == 5 - 1


def test_travelers_leave_for_the_exit_stack_and_peasants_stay() -> None:
    sc = Scene().bistro(2).guests(home0="baron", home1="monk", white3="monk").passing()
    assert (sc.exit_cards, sc.bistro_n) == (["monk", "monk", "baron"], 2)
    assert [sc.guest(place) for place in sc.open_rooms] == [None] * 5
    assert (sc.cash_of(0), sc.cash_of(1)) == (6, 6)


@rule("BI-R4")
def test_wages_are_paid_as_far_as_cash_goes() -> None:
    sc = Scene().hand(0, "peasant", "monk", "abbot").passing()
    assert (sc.question, sc.cash_of(0), len(sc.hand_of(0))) == ("lodge", 2, 3)
    sc = Scene().cash(1).hand(0, "monk", "abbot", "peasant").passing()
    assert (sc.question, sc.turn, sc.cash_of(0), sc.checks_of(0)) == ("dismiss", 0, 0, 1)
    assert sc.options() == ["card:monk", "card:abbot"]
    sc.act("card:monk").answer("dismiss", "card:peasant")
    assert (sc.hand_of(0), sc.exit_cards, sc.bistro_n) == (["abbot"], ["monk"], 1)


def test_wages_come_after_rents() -> None:
    sc = Scene().cash(0).checks(0).guests(home0="count").hand(0, "peasant").passing()
    assert (sc.cash_of(0), sc.hand_of(0)) == (0, ["peasant"])


@rule("BI-R5")
def test_room_service_reads_the_upper_rank_once_a_room() -> None:
    sc = Scene(2, ("notables",), phase="welcome").service(1, "white1").top("notary").act("lodge:white1")
    assert (sc.cash_of(0), sc.cash_of(1)) == (5, 8)
    sc.top("major").act("lodge:white2")
    assert (sc.cash_of(0), sc.cash_of(1)) == (5, 8)
    sc = Scene().service(1, "white1").hand(0, "concierge", "peasant", "novice").build("concierge")
    assert sc.options() == ["at:home_me", "at:home_left1", "at:white2", "at:white3"]
    sc = Scene().service(1, "white1").hand(0, "monk", "peasant").build("monk").answer("key", "at:white1")
    assert (sc.owner("white1"), sc.s.service[4]) == (0, 1)
    sc.passing().top("major").act("lodge:white1")
    assert (sc.cash_of(0), sc.cash_of(1)) == (5, 8)


@pytest.mark.parametrize("reshuffle", ["lazy", "eager"])
@rule("BI-R1")
def test_when_season_two_is_shuffled(reshuffle: str) -> None:
    """The last card fills the last room; a lazy shuffle comes after that round, with its discards in the exit stack."""
    sc = Scene(phase="welcome", overrides={"switch.reshuffle": reshuffle}).exit("monk", "monk", "abbot", "count").stack(5)
    while sc.question == "lodge":
        sc.act(sc.options()[0])
    lazy = reshuffle == "lazy"
    assert (sc.s.entrance, sc.s.season, len(sc.exit_cards)) == ((0, 0, 4) if lazy else (4, 1, 0))
    sc.passing()
    assert (sc.s.entrance, sc.s.season, len(sc.exit_cards)) == ((9, 1, 0) if lazy else (4, 1, 5))
