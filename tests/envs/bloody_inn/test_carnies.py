"""Module 1: two ranks, caravans, special burials (section 4.1 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.bloody_inn.scene import Scene

CARNIES = ("carnies",)


def inn(seats: int = 2, **more: object) -> Scene:
    return Scene(seats, CARNIES, **more)  # type: ignore[arg-type]


@rule("BI-T23")
def test_bearded_lady_has_two_ranks() -> None:
    for verb in ("bribe", "kill"):
        assert not inn().guests(white1="bearded_lady").hand(0, "peasant").legal(f"{verb}:white1")
        sc = inn().guests(white1="bearded_lady").hand(0, "peasant", "peasant").act(f"{verb}:white1")
        assert sc.bistro_n == 2
    assert not inn().corpses(0, "bearded_lady").legal("bury:bearded_lady")
    sc = inn().corpses(0, "bearded_lady").hand(0, "peasant", "peasant").bury("bearded_lady", "left1:barn", "peasant")
    assert (sc.bistro_n, sc.hand_of(0)) == (1, ["peasant"])


@pytest.mark.parametrize(
    ("carny", "upper", "lower"),
    [("clown", 0, 2), ("barker", 1, 3), ("bear_tamer", 3, 1), ("companion", 3, 1), ("acrobat", 1, 0), ("dwarf", 2, 1), ("twins", 2, 1)],
)
def test_upper_rank_in_the_room_lower_rank_outside(carny: str, upper: int, lower: int) -> None:
    def with_hand(n: int) -> Scene:
        return inn().annex(0, "gardens").guests(white1=carny).hand(0, *["peasant"] * n)

    assert with_hand(upper).legal("bribe:white1")
    assert with_hand(upper).legal("kill:white1")
    corpse = inn().annex(0, "gardens").corpses(0, carny).hand(0, *["peasant"] * lower)
    assert corpse.legal(f"bury:{carny}")
    if upper:
        assert not with_hand(upper - 1).legal("bribe:white1")
    if lower:
        assert not corpse.hand(0, *["peasant"] * (lower - 1)).legal(f"bury:{carny}")


@rule("BI-T24")
def test_bearded_lady_lies_with_an_opponent_only() -> None:
    sc = inn().annex(0, "dining_room").full_barns(1).corpses(0, "bearded_lady").hand(0, "peasant")
    assert not sc.legal("bury:bearded_lady")
    sc = inn().annex(0, "dining_room").corpses(0, "bearded_lady").hand(0, "peasant").bury("bearded_lady", "left1:barn")
    assert (sc.cash_of(0), sc.cash_of(1), sc.under(1, "barn")) == (17, 17, ["bearded_lady"])


@rule("BI-R10")
def test_a_corpse_without_a_legal_place_stays_exposed() -> None:
    assert not Scene(1, CARNIES).annex(0, "gardens").corpses(0, "bearded_lady").hand(0, "peasant").legal("bury:bearded_lady")
    sc = inn().guests(white1="major").full_barns(1).corpses(0, "bearded_lady", "twins").hand(0, "peasant").cash(25).checks(0)
    assert not sc.legal("bury:bearded_lady")
    assert not sc.legal("bury:twins")
    assert sc.passing().box_cards == ["bearded_lady", "twins"]
    assert sc.cash_of(0) == 25 - 20 - 1


@rule("BI-T25")
def test_police_in_a_caravan_investigate() -> None:
    sc = inn().caravan(1, "clown", "peacekeeper").cash(15).checks(0).corpses(0, "monk").passing()
    assert (sc.cash_of(0), sc.corpses_of(0)) == (5, [])


@rule("BI-T27")
def test_a_guest_of_a_caravan_pays_its_owner() -> None:
    sc = inn().caravan(1, "clown", "monk").passing()
    assert (sc.cash_of(0), sc.cash_of(1), sc.exit_cards) == (5, 6, ["monk"])
    sc = Scene(2, ("carnies", "events")).caravan(1, "clown", "dwarf").event("high_season").passing()
    assert (sc.cash_of(0), sc.cash_of(1)) == (5, 7)


@rule("BI-T28")
def test_no_caravan_without_a_token() -> None:
    def table() -> Scene:
        return inn().hand(0, "clown", "peasant", "peasant")

    assert table().legal("build:clown")
    assert not table().tokens(0, 0).legal("build:clown")


def test_a_caravan_is_built_for_two_cards_and_filled_in_the_next_welcome() -> None:
    sc = inn().hand(0, "clown", "peasant", "peasant").build("clown")
    assert (sc.owner("caravan1"), sc.guest("caravan1"), sc.tokens_of(0), sc.bistro_n) == (0, None, 6, 2)
    assert sc.annexes_of(0) == ["barn"]
    sc.passing()
    assert "lodge:caravan1" in sc.options()
    sc.top("monk").act("lodge:caravan1")
    assert sc.guest("caravan1") == "monk"
    while sc.question == "lodge":
        sc.act(sc.options()[0])
    assert all(sc.guest(place) for place in [*sc.open_rooms, "caravan1"])


def test_an_empty_caravan_becomes_an_annex_with_its_first_corpse() -> None:
    sc = inn().caravan(1, "juggler").corpses(0, "count").hand(0, "peasant", "peasant")
    tokens = sc.tokens_of(1)
    sc.bury("count", "left1:caravan")
    assert (sc.cash_of(0), sc.cash_of(1)) == (14, 14)
    assert (sc.owner("caravan1"), sc.tokens_of(1), sc.annexes_of(1)) == ("closed", tokens + 1, ["barn", "trailer"])
    assert (sc.under(1, "trailer"), sc.free_under(1, "trailer")) == (["count"], 1)
    sc.passing()
    assert "lodge:caravan1" not in sc.options()


def test_a_caravan_with_a_guest_takes_no_corpse() -> None:
    sc = inn().caravan(0, "juggler", "monk").full_barns(0, 1).corpses(0, "novice")
    assert not sc.legal("bury:novice")
    assert sc.guests(caravan1=None).legal("bury:novice")


@pytest.mark.parametrize("verb", ["bribe", "kill"])
def test_a_guest_of_a_caravan_is_bribed_and_killed_as_in_a_room(verb: str) -> None:
    sc = inn().caravan(1, "juggler", "monk").hand(0, "peasant").act(f"{verb}:caravan1")
    assert (sc.guest("caravan1"), sc.bistro_n) == (None, 1)
    assert (sc.hand_of(0) if verb == "bribe" else sc.corpses_of(0)) == ["monk"]


def test_caravans_get_no_service_token() -> None:
    sc = inn().caravan(0, "juggler").hand(0, "concierge", "peasant", "novice").build("concierge")
    assert sc.question == "service"
    assert not [action for action in sc.options() if "caravan" in action]


@rule("BI-T29")
def test_dwarf_takes_no_place() -> None:
    sc = inn().annex(0, "dining_room").corpses(0, "dwarf", "novice", "baron").hand(0, "peasant").bury("dwarf", "me:dining_room")
    assert (sc.cash_of(0), sc.free_under(0, "dining_room")) == (21, 2)
    sc.act("pass").bury("novice", "me:dining_room").act("pass")
    sc = inn().annex(0, "dining_room", "dwarf").corpses(0, "novice", "baron").bury("novice", "me:dining_room").act("pass")
    sc.bury("baron", "me:dining_room")
    assert sc.under(0, "dining_room") == ["baron", "dwarf", "novice"]


@rule("BI-R12")
def test_dwarf_ignores_places() -> None:
    sc = inn().full_barns(0, 1).annex(0, "kiosk").corpses(0, "dwarf").hand(0, "peasant").act("bury:dwarf")
    assert sc.options() == ["under_me:barn", "under_me:kiosk", "under_left1:barn"]
    sc.act("under_me:kiosk")
    assert (sc.cash_of(0), sc.under(0, "kiosk")) == (21, ["dwarf"])


def test_dwarf_under_an_empty_caravan_turns_it_into_an_annex() -> None:
    sc = inn().caravan(0, "juggler").corpses(0, "dwarf").hand(0, "peasant").bury("dwarf", "me:caravan")
    assert (sc.owner("caravan1"), sc.free_under(0, "trailer"), sc.cash_of(0)) == ("closed", 2, 21)


@rule("BI-R11")
def test_twins_need_two_places_under_one_own_annex() -> None:
    def table() -> Scene:
        return inn().corpses(0, "twins").hand(0, "peasant")

    assert not table().legal("bury:twins")
    assert not table().annex(0, "workshop").annex(1, "gardens").legal("bury:twins")
    assert not table().annex(0, "dining_room", "monk").legal("bury:twins")
    sc = table().caravan(0, "juggler").bury("twins", "me:caravan")
    assert (sc.cash_of(0), sc.under(0, "trailer"), sc.free_under(0, "trailer")) == (29, ["coffin", "twins"], 0)
    assert sc.owner("caravan1") == "closed"
    sc = table().annex(0, "gardens").bury("twins", "me:gardens")
    assert (sc.cash_of(0), sc.free_under(0, "gardens"), sc.s.seat[0].buried) == (29, 1, 2)


def test_twins_unburied_are_one_corpse_for_the_gravedigger() -> None:
    sc = inn().guests(white1="major").cash(25).checks(0).corpses(0, "twins").passing()
    assert (sc.cash_of(0), sc.box_cards) == (15, ["twins"])


@rule("BI-R28")
def test_bearded_lady_under_an_opponents_empty_caravan() -> None:
    sc = inn().full_barns(1).caravan(1, "clown").caravan(0, "juggler").corpses(0, "bearded_lady").hand(0, "peasant")
    sc.bury("bearded_lady", "left1:caravan")
    assert (sc.cash_of(0), sc.cash_of(1)) == (17, 17)
    assert (sc.owner("caravan1"), sc.owner("caravan2"), sc.under(1, "trailer")) == ("closed", 0, ["bearded_lady"])


@rule("BI-T31")
def test_alcove_and_bears_cage() -> None:
    sc = inn().annex(0, "alcove").guests(white1="monk").hand(0, "peasant").bribe("white1")
    assert (sc.hand_of(0), sc.bistro_n) == (["monk", "peasant"], 0)
    for cards in (1, 2):
        sc = inn().annex(0, "bear_cage").guests(white1="count").hand(0, "peasant", "peasant")
        sc.kill("white1", *["peasant"] * cards)
        assert (sc.corpses_of(0), sc.bistro_n) == (["count"], cards)


@rule("BI-R30")
def test_cards_that_return_must_be_in_hand() -> None:
    assert not inn().annex(0, "alcove").guests(white1="monk").legal("bribe:white1")
    assert not inn().annex(0, "alcove").guests(white1="count").hand(0, "peasant").legal("bribe:white1")
    assert not Scene().annex(0, "chapel").corpses(0, "count").hand(0, "peasant").legal("bury:count")


@rule("BI-R29")
def test_booth_pays_for_each_carny_bribed() -> None:
    sc = inn().annex(0, "booth").annex(0, "store").guests(white1="clown", white2="juggler", white3="baron")
    sc.act("bribe:white1").answer("more", "bribe:white2").answer("more", "done")
    assert (sc.hand_of(0), sc.cash_of(0)) == (["juggler", "clown"], 11)
    assert inn().annex(0, "booth").guests(white1="clown").bribe("white1").cash_of(0) == 8
    assert inn().annex(0, "booth").guests(white1="baron").bribe("white1").cash_of(0) == 5
    assert inn().annex(0, "booth").bistro(2).act("hire:2").cash_of(0) == 5
    assert inn().annex(0, "booth").guests(white1="clown").kill("white1").cash_of(0) == 5
    assert inn().annex(0, "booth").guests(white1="clown").act("pass").bribe("white1").cash_of(0) == 5
    sc = inn().hand(0, "barker", "clown", "peasant", "peasant", "peasant").build("barker", "peasant", "peasant", "peasant")
    assert (sc.annexes_of(0), sc.cash_of(0)) == (["barn", "booth"], 5)


@pytest.mark.parametrize("carny", ["knife_thrower", "fortune_teller", "strongman", "acrobat", "dwarf", "bearded_lady", "twins"])
def test_carnies_without_an_annex(carny: str) -> None:
    assert not inn().hand(0, carny, "peasant", "peasant").options("build")


def test_caravans_count_as_rooms_at_the_end_of_the_game() -> None:
    """There are three travelers for three players, one of them in a caravan."""
    sc = Scene(3, CARNIES, phase="welcome").caravan(2, "clown").stack(3, season=2)
    sc.act("lodge:caravan1").act("lodge:white1").act("lodge:white2")
    assert sc.question == "action"
