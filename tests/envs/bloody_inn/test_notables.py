"""Module 2: notables and their annexes (sections 1.5 and 4.3 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.bloody_inn.scene import Scene, names

NOTABLES = ("notables",)


def inn(seats: int = 2, modules: tuple[str, ...] = NOTABLES, **more: object) -> Scene:
    return Scene(seats, modules, **more)  # type: ignore[arg-type]


def test_notables_replace_nobles() -> None:
    pool = names(inn().R.copies)
    assert sum(card in ("winemaker", "sericulturist", "surgeon", "banker", "notary", "pharmacist") for card in pool) == 14
    assert not {"baron", "viscount", "count", "duke", "marquis", "prince"} & set(pool)


@rule("BI-T39")
def test_silk_farm_and_oak_barrel() -> None:
    sc = inn(modules=("carnies", "notables")).key(0, "white1").caravan(0, "clown", "monk")
    sc.guests(home0="monk", white1="abbot", white2="major").hand(0, "sericulturist", "peasant").build("sericulturist")
    assert sc.cash_of(0) == 11
    sc = inn().guests(home0="monk", white1="abbot", white3="major").hand(0, "winemaker").build("winemaker")
    assert sc.cash_of(0) == 11


@rule("BI-T40")
def test_laboratories() -> None:
    sc = inn().annex(0, "laboratory").annex(0, "laboratory").corpses(1, "monk", "abbot", "major").passing()
    assert sc.cash_of(0) == 11
    sc = inn(modules=("notables", "objects")).annex(0, "laboratory").objects(1, "snow").corpses(1, "monk").passing()
    sc.answer("snow", "object:snow").answer("corpse", "corpse:monk")
    assert (sc.cash_of(0), sc.corpses_of(1)) == (5, ["monk"])


def test_laboratory_comes_after_the_gravedigger() -> None:
    sc = inn().guests(white1="major").annex(0, "laboratory").cash(5, 20).checks(1, 0).corpses(1, "monk").passing()
    assert (sc.cash_of(0), sc.cash_of(1)) == (5, 10)


def test_ones_own_corpses_do_not_count_for_a_laboratory() -> None:
    assert inn().annex(0, "laboratory").corpses(0, "monk").passing().cash_of(0) == 5


@rule("BI-T42")
def test_surgeon_has_two_ranks() -> None:
    assert inn().guests(white1="surgeon").hand(0, "peasant").legal("kill:white1")
    assert not inn().guests(white1="surgeon").legal("kill:white1")
    assert inn().corpses(0, "surgeon").hand(0, "peasant", "peasant").legal("bury:surgeon")
    assert not inn().corpses(0, "surgeon").hand(0, "peasant").legal("bury:surgeon")


@rule("BI-T43")
def test_study_follows_a_laundering() -> None:
    sc = inn().annex(1, "study").cash(25, 12).act("to_checks:2")
    assert (sc.question, sc.turn) == ("study", 1)
    sc.act("to_checks:1")
    assert (sc.cash_of(1), sc.checks_of(1), sc.question, sc.turn) == (2, 2, "action", 1)
    sc = inn().annex(1, "study").cash(25, 12).act("to_checks:2").act("done")
    assert (sc.cash_of(1), sc.checks_of(1)) == (12, 1)


def test_study_follows_with_its_last_ten_francs() -> None:
    sc = inn().annex(1, "study").cash(25, 10).act("to_checks:1")
    assert (sc.question, sc.turn) == ("study", 1)
    sc.act("to_checks:1")
    assert (sc.cash_of(1), sc.checks_of(1)) == (0, 2)


@rule("BI-R20")
def test_study_follows_only_cash_into_checks_of_another() -> None:
    sc = Scene(3, NOTABLES, overrides={"cards.notary.copies": 2}).annex(1, "study").annex(2, "study").cash(30, 30, 30)
    sc.act("to_checks:3")
    asked = []
    while sc.question == "study":
        asked.append(sc.turn)
        sc.act("to_checks:1")
    assert asked == [1, 2]
    assert [sc.cash_of(seat) for seat in range(3)] == [0, 20, 20]
    assert inn().annex(1, "study").cash(5, 20).checks(2).act("to_cash:1").question == "action"
    assert inn().annex(0, "study").cash(25, 25).act("to_checks:1").question == "action"
    assert inn().annex(1, "study").cash(25, 9).act("to_checks:1").question == "action"
    assert inn().annex(1, "study").cash(25, 25).act("pass").question == "action"


@rule("BI-R19")
def test_safe_takes_what_others_can_not() -> None:
    sc = inn(modules=("carnies", "notables")).annex(1, "safe").cash(28, 5).corpses(0, "distiller").hand(0, "peasant", "peasant")
    sc.bury("distiller", "me:barn")
    assert (sc.cash_of(0), sc.cash_of(1)) == (40, 11)
    sc = inn().annex(1, "safe").cash(38, 5).checks(0, 0).annex(0, "park").exit("mechanic", "mechanic", "gardener")
    sc.last_round().passing()
    assert sc.scores == [40, 15]
    sc = Scene(3, ("notables", "objects")).annex(2, "safe").cash(38, 20, 5).barn(1, "monk").objects(0, "confessional").passing()
    assert sc.act("object:confessional").question == "lodge"
    assert [sc.cash_of(seat) for seat in range(3)] == [40, 14, 9]


def test_safe_keeps_nothing_beyond_its_own_limit() -> None:
    sc = inn().annex(1, "safe").cash(28, 38).corpses(0, "distiller").hand(0, "peasant", "peasant").bury("distiller", "me:barn")
    assert (sc.cash_of(0), sc.cash_of(1)) == (40, 40)
    sc = inn().annex(0, "safe").cash(28, 5).corpses(0, "distiller").hand(0, "peasant", "peasant").bury("distiller", "me:barn")
    assert (sc.cash_of(0), sc.cash_of(1)) == (40, 5)


def test_safe_takes_the_excess_of_a_share() -> None:
    sc = inn(3).annex(2, "safe").cash(0, 38, 0).corpses(0, "distiller").hand(0, "peasant", "peasant").bury("distiller", "left1:barn")
    assert [sc.cash_of(seat) for seat in range(3)] == [9, 40, 7]


@pytest.mark.parametrize(("held", "gain"), [(2, 0), (3, 2), (4, 2)])
def test_pharmacy_wants_three_accomplices_of_another(held: int, gain: int) -> None:
    sc = inn(3).annex(0, "pharmacy").cash(5, 20, 20).hand(1, *["novice"] * held).hand(2, *["peasant"] * held).passing()
    assert sc.cash_of(0) == 5 + gain


def test_ones_own_accomplices_do_not_count_for_a_pharmacy() -> None:
    assert inn().annex(0, "pharmacy").hand(0, "monk", "monk", "monk").passing().cash_of(0) == 2
