"""The events of module 1 (sections 1.6, 4.2 and 4.5 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.bloody_inn.scene import Scene

EVENTS = ("carnies", "events")


def inn(event: str, seats: int = 2, modules: tuple[str, ...] = (), **more: object) -> Scene:
    """Return a table with this event revealed and the acrobat, who revealed it, in the last white room."""
    order = ("carnies", "events", "notables", "objects")
    wanted = tuple(m for m in order if m in (*EVENTS, *modules))
    return Scene(seats, wanted, **more).event(event).guests(white3="acrobat")  # type: ignore[arg-type]


@rule("BI-T32")
def test_the_first_carny_of_a_welcome_reveals_an_event() -> None:
    sc = Scene(2, EVENTS, phase="welcome").top("monk").act("lodge:white1")
    assert sc.event_name is None
    sc.top("clown").act("lodge:home_me")
    event = sc.event_name
    assert event is not None
    sc.top("juggler").act("lodge:white2")
    assert (sc.event_name, bin(sc.s.event_deck).count("1")) == (event, 7)
    sc = Scene(2, EVENTS).event("extortion").guests(home0="clown").act("bribe:home_me").passing()
    assert (sc.event_name, sc.cash_of(0), sc.hand_of(0)) == (None, 4, ["clown"])


def test_a_carny_in_a_caravan_reveals_and_keeps_an_event() -> None:
    sc = Scene(2, EVENTS, phase="welcome").caravan(0, "juggler").top("clown").act("lodge:caravan1")
    assert sc.event_name is not None
    sc = Scene(2, EVENTS).event("high_season").caravan(0, "juggler", "clown").guests(home1="monk").passing()
    assert (sc.cash_of(0), sc.cash_of(1)) == (7, 7)


def test_events_come_again_when_all_have_been_seen() -> None:
    sc = Scene(2, EVENTS, phase="welcome")
    sc.s.event_deck = 0
    sc.top("clown").act("lodge:white1")
    assert sc.event_name is not None
    assert bin(sc.s.event_deck).count("1") == 7


def test_without_the_module_carnies_reveal_nothing() -> None:
    sc = Scene(2, ("carnies",), phase="welcome").top("clown").act("lodge:white1")
    assert sc.event_name is None


@rule("BI-R14")
@pytest.mark.parametrize("verb", ["bribe", "kill"])
def test_an_event_needs_a_carny_when_the_morning_begins(verb: str) -> None:
    def table() -> Scene:
        return Scene(2, EVENTS).event("high_season").guests(home0="clown", home1="baron")

    assert table().passing().cash_of(1) == 7
    sc = table().act(f"{verb}:home_me").passing()
    assert (sc.cash_of(1), sc.event_name) == (6, None)


def test_cirrhosis() -> None:
    sc = inn("cirrhosis").bistro(3)
    box = int(sc.s.box[28])
    sc.passing()
    assert (sc.bistro_n, int(sc.s.box[28])) == (2, box + 1)


@rule("BI-T34")
def test_cirrhosis_with_an_empty_bistro() -> None:
    sc = inn("cirrhosis")
    box = int(sc.s.box[28])
    sc.passing()
    assert (sc.bistro_n, int(sc.s.box[28]), sc.question) == (0, box, "lodge")


def test_cirrhosis_comes_after_the_wages() -> None:
    """The peasant who is not paid is in the bistro by then."""
    sc = inn("cirrhosis").cash(0).checks(0).hand(0, "peasant").passing()
    assert (sc.hand_of(0), sc.bistro_n) == ([], 0)


@pytest.mark.parametrize(("before", "after"), [(7, 3), (2, 1), (1, 0), (0, 0)])
def test_broken_safe(before: int, after: int) -> None:
    sc = inn("broken_safe").checks(before, 4).passing()
    assert (sc.checks_of(0), sc.checks_of(1), sc.cash_of(0)) == (after, 2, 5)


def test_broken_safe_comes_after_the_gravedigger() -> None:
    sc = inn("broken_safe").guests(white1="major").cash(0).checks(4).corpses(0, "monk").passing()
    assert sc.checks_of(0) == 1


def test_fiasco() -> None:
    sc = inn("fiasco").hand(0, "peasant", "abbot").hand(1, "peasant", "peasant").passing()
    assert (sc.hand_of(0), sc.hand_of(1), sc.bistro_n) == ([], [], 3)
    assert sc.exit_cards == ["abbot", "acrobat"]


@rule("BI-T35")
def test_fiasco_leaves_no_wages_and_nothing_for_a_pharmacy() -> None:
    sc = inn("fiasco", modules=("notables",)).annex(1, "pharmacy").hand(0, "monk", "abbot", "peasant").passing()
    assert (sc.hand_of(0), sc.bistro_n, sc.exit_cards) == ([], 1, ["monk", "abbot", "acrobat"])
    assert (sc.cash_of(0), sc.cash_of(1)) == (5, 5)


@rule("BI-T37")
def test_red_herring() -> None:
    sc = inn("red_herring").guests(white1="major").cash(15, 25).checks(0, 0).corpses(0, "monk").corpses(1, "abbot", "count").passing()
    assert (sc.cash_of(0), sc.cash_of(1), sc.corpses_of(0), sc.corpses_of(1)) == (15, 25, ["monk"], ["abbot", "count"])
    sc = inn("red_herring", modules=("objects",), phase="evening").objects(0, "letter").guests(white1="major")
    sc.cash(15, 25).checks(0, 0).corpses(0, "monk").corpses(1, "abbot", "count").act("object:letter").passing()
    assert (sc.cash_of(0), sc.cash_of(1), sc.corpses_of(0), sc.corpses_of(1)) == (5, 5, [], [])


def test_high_season() -> None:
    sc = inn("high_season").key(0, "white1").guests(home0="monk", white1="abbot", white2="count").passing()
    assert (sc.cash_of(0), sc.cash_of(1)) == (9, 5)


def test_blackmail() -> None:
    sc = inn("blackmail").cash(15, 25).checks(0, 0).corpses(0, "monk").corpses(1, "abbot", "count").passing()
    assert (sc.cash_of(0), sc.cash_of(1), sc.box_cards) == (5, 5, ["monk", "abbot", "count"])


@rule("BI-R15")
def test_police_letter_and_blackmail_are_one_call() -> None:
    sc = inn("blackmail", modules=("objects",), phase="evening").objects(0, "letter").guests(white1="major")
    sc.cash(5, 35).checks(0, 0).corpses(1, "monk").act("object:letter").passing()
    assert (sc.cash_of(1), sc.corpses_of(1)) == (25, [])


@pytest.mark.parametrize(("before", "after"), [(5, 2), (6, 3), (1, 0), (0, 0), (40, 20)])
def test_pickpockets(before: int, after: int) -> None:
    sc = inn("pickpockets").cash(before, 10).passing()
    assert (sc.cash_of(0), sc.cash_of(1), sc.checks_of(0)) == (after, 5, 1)


def test_pickpockets_come_after_all_income_and_before_wages() -> None:
    """5F and 1F rent, 2F gardens, 3F laboratory, 2F pharmacy are 13F; 7F are lost, 1F goes for wages."""
    sc = inn("pickpockets", modules=("notables",)).guests(home0="monk").annex(0, "gardens").annex(0, "laboratory")
    sc.annex(0, "pharmacy").hand(0, "peasant").hand(1, "novice", "novice", "novice").corpses(1, "monk").passing()
    assert sc.cash_of(0) == 5


def test_pickpockets_come_before_the_confessional() -> None:
    sc = inn("pickpockets", modules=("objects",)).objects(0, "confessional").barn(1, "monk").cash(0, 10).passing()
    sc.act("object:confessional")
    assert (sc.cash_of(0), sc.cash_of(1)) == (5, 0)


def test_extortion() -> None:
    sc = inn("extortion").cash(10, 10).hand(0, "monk", "abbot").hand(1, "count", "novice", "peasant").annex(1, "distillery").passing()
    assert (sc.cash_of(0), sc.cash_of(1)) == (6, 6)


def test_extortion_pays_whole_accomplices() -> None:
    sc = inn("extortion").cash(5).hand(0, "monk", "monk", "monk").passing()
    assert (sc.cash_of(0), sc.hand_of(0)) == (1, ["monk", "monk"])
