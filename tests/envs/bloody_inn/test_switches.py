"""Every switch of the rules in each of its settings (section 0.3 of the rules)."""

import pytest
from alehouse.envs.bloody_inn.layout import NUMBERS

from tests.envs.scene import rule
from tests.envs.bloody_inn.scene import Scene

APTITUDES = {
    "fire_eater": "kill", "con_artist": "bribe", "juggler": "build", "clown": "bury", "barker": "bribe", "bear_tamer": "kill",
    "companion": "bribe", "knife_thrower": "kill", "fortune_teller": "bury", "strongman": "build", "acrobat": "build",
    "dwarf": "bury", "bearded_lady": "bribe", "twins": "bury",
}  # fmt: skip


def with_switch(setting: str, seats: int = 2, modules: tuple[str, ...] = (), **more: object) -> Scene:
    """Return a table with a switch set, as in `barker_trigger=checkin`."""
    name, _, word = setting.partition("=")
    return Scene(seats, modules, overrides={f"switch.{name}": word}, **more)  # type: ignore[arg-type]


def test_every_switch_has_a_test() -> None:
    switches = {key.removeprefix("switch.") for key in NUMBERS if key.startswith("switch.")}
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert switches - tested == set()


def paid_with(sc: Scene, verb: str, card: str) -> Scene:
    """Take an action of a verb on a card of rank 1, paid with one card."""
    if verb == "build":
        return sc.hand(0, card, "viscount").build("viscount", card)
    sc.hand(0, card)
    return sc.corpses(0, "monk").bury("monk", "me:barn") if verb == "bury" else sc.guests(white1="monk").act(f"{verb}:white1")


@pytest.mark.parametrize("carny", APTITUDES)
def test_carny_aptitude(carny: str) -> None:
    for verb in ("bribe", "build", "kill", "bury"):
        sc = paid_with(with_switch("carny_aptitude=table", modules=("carnies",)), verb, carny)
        assert (carny in sc.hand_of(0)) == (verb == APTITUDES[carny])
        sc = paid_with(with_switch("carny_aptitude=none", modules=("carnies",)), verb, carny)
        assert carny not in sc.hand_of(0)
        assert carny in sc.exit_cards


def test_barker_trigger() -> None:
    def bribed(word: str) -> int:
        sc = with_switch(f"barker_trigger={word}", modules=("carnies",)).annex(0, "booth").guests(white1="clown")
        return sc.bribe("white1").cash_of(0)

    def lodged(word: str, card: str, place: str) -> int:
        sc = with_switch(f"barker_trigger={word}", modules=("carnies",), phase="welcome").annex(0, "booth").caravan(1, "juggler")
        return sc.top(card).act(f"lodge:{place}").cash_of(0)

    assert (bribed("bribe"), bribed("checkin")) == (8, 5)
    for place in ("home_me", "home_left1", "white1", "caravan1"):
        assert (lodged("bribe", "clown", place), lodged("checkin", "clown", place)) == (5, 8)
    assert lodged("checkin", "monk", "home_me") == 5


def test_twins_where() -> None:
    def table(word: str) -> Scene:
        sc = with_switch(f"twins_where={word}", modules=("carnies",)).annex(1, "dining_room")
        return sc.corpses(0, "twins").hand(0, "peasant")

    assert not table("own").legal("bury:twins")
    sc = table("any").bury("twins", "left1:dining_room")
    assert (sc.cash_of(0), sc.cash_of(1), sc.free_under(1, "dining_room")) == (17, 17, 0)
    sc = with_switch("twins_where=any", modules=("carnies",)).annex(1, "gardens", "monk", "monk").corpses(0, "twins").hand(0, "peasant")
    assert not sc.legal("bury:twins")


def test_dwarf_any_annex() -> None:
    def graves(word: str) -> list[str]:
        sc = with_switch(f"dwarf_any_annex={word}", modules=("carnies",)).full_barns(0).annex(0, "kiosk")
        return sc.corpses(0, "dwarf").hand(0, "peasant").act("bury:dwarf").options()

    assert graves("yes") == ["under_me:barn", "under_me:kiosk", "under_left1:barn"]
    assert graves("no") == ["under_me:barn", "under_left1:barn"]


def with_event(event: str, setting: str) -> Scene:
    return with_switch(setting, modules=("carnies", "events")).event(event).guests(white3="acrobat")


def test_ev_blackmail() -> None:
    sc = with_event("blackmail", "ev_blackmail=everybody").cash(15, 15).checks(0, 0).corpses(0, "monk").corpses(1, "monk").passing()
    assert (sc.cash_of(0), sc.cash_of(1), sc.box_cards) == (5, 5, ["monk", "monk"])


def test_ev_redherring() -> None:
    sc = with_event("red_herring", "ev_redherring=cancelled").guests(white1="major").corpses(0, "monk").passing()
    assert (sc.cash_of(0), sc.checks_of(0), sc.corpses_of(0)) == (5, 1, ["monk"])


def test_ev_fiasco() -> None:
    sc = with_event("fiasco", "ev_fiasco=all").hand(0, "monk", "monk").hand(1, "peasant").passing()
    assert (sc.hand_of(0), sc.hand_of(1), sc.bistro_n, sc.exit_cards) == ([], [], 1, ["monk", "monk", "acrobat"])


@pytest.mark.parametrize(("word", "before", "after"), [("half", 5, 2), ("half", 40, 20), ("two", 5, 3), ("two", 40, 38), ("two", 1, 0)])
def test_ev_pickpockets(word: str, before: int, after: int) -> None:
    assert with_event("pickpockets", f"ev_pickpockets={word}").cash(before).passing().cash_of(0) == after


@pytest.mark.parametrize(("word", "open_to"), [("all", []), ("poison_and_wheelbarrow", ["bribe:white1", "kill:white1"])])
def test_coffee_shield(word: str, open_to: list[str]) -> None:
    sc = with_switch(f"coffee_shield={word}", modules=("objects",), phase="evening").guests(white1="baron")
    sc.objects(0, "coffee").objects(1, "poison", "wheelbarrow").act("object:coffee").answer("place", "at:white1")
    assert (sc.turn, sc.options()) == (1, ["done"])
    sc.act("done")
    assert sc.options("bribe") + sc.options("kill") == open_to
    sc.act("pass")
    assert (sc.turn, sc.options("object")) == (1, [])


@pytest.mark.parametrize(("word", "places"), [("any", ["home_me", "home_left1", "white1", "caravan1"]), ("own", ["home_me", "caravan1"])])
def test_cake_room(word: str, places: list[str]) -> None:
    sc = with_switch(f"cake_room={word}", modules=("carnies", "objects"), phase="evening").objects(0, "cake")
    sc.caravan(0, "clown", "monk").guests(home0="monk", home1="abbot", white1="baron")
    assert sc.act("object:cake").options() == [f"at:{place}" for place in places]


def test_quicklime() -> None:
    """With `remove` a corpse makes room; with `ignore` the corpse lies beyond the last grave."""

    def table(word: str) -> Scene:
        sc = with_switch(f"quicklime={word}", modules=("carnies", "objects")).objects(0, "quicklime")
        return sc.barn(1, "monk").corpses(0, "bearded_lady").hand(0, "peasant").act("object:quicklime")

    sc = table("remove").answer("lime", "under_left1:barn", by=0).answer("action", "bury:bearded_lady", by=0)
    assert (sc.box_cards, sc.under(1, "barn"), sc.cash_of(0), sc.cash_of(1)) == (["monk"], ["bearded_lady"], 17, 17)
    sc = table("ignore").answer("action", "bury:bearded_lady", by=0).answer("under", "under_left1:barn", by=0)
    assert "monk" in sc.under(1, "barn")
    assert (sc.corpses_of(0), sc.s.seat[1].buried, sc.cash_of(0), sc.cash_of(1)) == ([], 2, 17, 17)


@pytest.mark.parametrize(("word", "cash"), [("yes", 17), ("no", 5)])
def test_well_pays(word: str, cash: int) -> None:
    sc = with_switch(f"well_pays={word}", modules=("objects",)).objects(0, "well").corpses(0, "monk").act("pass").act("object:well")
    assert (sc.cash_of(0), sc.corpses_of(0), sc.box_cards) == (cash, [], ["monk"])


@pytest.mark.parametrize(("word", "score"), [("yes", 40), ("no", 50)])
def test_endgame_cap40(word: str, score: int) -> None:
    sc = with_switch(f"endgame_cap40={word}").cash(38).checks(0).annex(0, "grocery").exit("newsboy", "newsboy", "newsboy").last_round()
    assert sc.passing().scores[0] == score


@rule("BI-R2")
def test_annexes_of_one_kind_add_up() -> None:
    sc = Scene().annex(0, "workshop").annex(0, "workshop").hand(0, "count", "viscount")
    assert sc.build("count").cash_of(0) == 14
    assert Scene().annex(0, "workshop").annex(0, "workshop").hand(0, "viscount").build("viscount").cash_of(0) == 11
    assert Scene().annex(0, "distillery").annex(0, "distillery").hand(0, "monk", "monk", "monk").passing().cash_of(0) == 4
    sc = Scene(overrides={"cards.gardener.copies": 2}).annex(0, "gardens").annex(0, "gardens").passing()
    assert sc.cash_of(0) == 9
    sc = Scene(modules=("carnies",), overrides={"cards.barker.copies": 2}).annex(0, "booth").annex(0, "booth").guests(white1="clown")
    assert sc.bribe("white1").cash_of(0) == 11


@rule("BI-R44")
def test_annex_stack() -> None:
    def table(modules: tuple[str, ...] = (), **overrides: int) -> Scene:
        numbers = {f"cards.{card}.copies": n for card, n in overrides.items()}
        return Scene(2, modules, overrides={"switch.annex_stack": "once", **numbers})

    assert not table().annex(0, "workshop").annex(0, "workshop").hand(0, "count").legal("build:count")
    assert table().annex(0, "workshop").annex(0, "workshop").hand(0, "viscount").legal("build:viscount")
    assert table().annex(0, "distillery").annex(0, "distillery").hand(0, "monk", "monk", "monk").passing().cash_of(0) == 3
    assert table(("notables",)).annex(0, "laboratory").annex(0, "laboratory").corpses(1, "monk").passing().cash_of(0) == 8
    sc = table(("carnies",), barker=2).annex(0, "booth").annex(0, "booth").guests(white1="clown").bribe("white1")
    assert sc.cash_of(0) == 8
    sc = table(gardener=2).annex(0, "gardens").annex(0, "gardens").passing()
    assert sc.cash_of(0) == 7
    sc = table(landscaper=2).annex(0, "park").annex(0, "park").exit("mechanic").last_round().passing()
    assert sc.scores[0] == 19
    sc = table().annex(0, "workshop").hand(0, "mechanic", "count").build("mechanic").act("pass")
    assert (sc.turn, sc.annexes_of(0), sc.hand_of(0)) == (0, ["barn", "workshop", "workshop"], ["count"])
    assert not sc.legal("build:count")


@rule("BI-R3")
def test_a_discount_counts_once_an_action() -> None:
    def table(*more: str) -> Scene:
        sc = Scene().annex(0, "store").guests(white1="monk", white2="mechanic").hand(0, "newsboy", *more)
        return sc.annex(0, "parlor").act("bribe:white1")

    sc = table().act("bribe:white2")
    assert sc.hand_of(0) == ["mechanic", "newsboy", "monk"]
    assert table("peasant").hand_of(0) == ["newsboy", "peasant"]
    assert table().guests(white3="abbot").options("bribe") == ["bribe:white2"]


def test_discount_optional() -> None:
    def table(word: str) -> Scene:
        return with_switch(f"discount_optional={word}").annex(0, "parlor").guests(white1="monk").hand(0, "peasant").act("bribe:white1")

    sc = table("yes")
    assert (sc.question, sc.options()) == ("pay", ["done", "card:peasant"])
    assert sc.act("card:peasant").hand_of(0) == ["monk"]
    assert table("yes").act("done").hand_of(0) == ["monk", "peasant"]
    sc = table("no")
    assert (sc.turn, sc.hand_of(0), sc.bistro_n) == (1, ["monk", "peasant"], 0)


@pytest.mark.parametrize(("word", "season"), [("lazy", 0), ("eager", 1)])
def test_reshuffle(word: str, season: int) -> None:
    sc = with_switch(f"reshuffle={word}", phase="welcome").exit("monk", "abbot").stack(5)
    while sc.question == "lodge":
        sc.act(sc.options()[0])
    assert (sc.s.season, sc.s.entrance) == (season, 2 * season)


def test_unlimited_wealth() -> None:
    """Above 40F the wealth track starts again and four checks are gained."""

    def built(word: str, cash: int) -> tuple[int, int]:
        sc = with_switch(f"unlimited_wealth={word}").cash(cash).hand(0, "baron").build("baron")
        return sc.cash_of(0), sc.checks_of(0)

    assert built("on", 38) == (2, 5)
    assert built("off", 38) == (40, 1)
    assert built("on", 36) == (40, 1)
    sc = with_switch("unlimited_wealth=on").cash(38).checks(0).annex(0, "park").exit("mechanic", "mechanic", "gardener").last_round()
    assert sc.passing().scores[0] == 50


def test_rooms_in_order() -> None:
    def lodged(word: str) -> Scene:
        return with_switch(f"rooms_in_order={word}").stack(3, season=2).passing()

    sc = lodged("on")
    assert sc.question == "action"
    assert [sc.guest(place) is not None for place in sc.open_rooms] == [True, True, True, False, False]
    assert lodged("off").question == "lodge"


def test_confession_count() -> None:
    """Seat 0 has buried a corpse under the barn of seat 1."""

    def asked(word: str) -> list[int]:
        sc = with_switch(f"confession_count={word}", modules=("objects",)).corpses(0, "novice")
        sc.objects(0, "confessional").objects(1, "confessional").bury("novice", "left1:barn").passing()
        seats = []
        while sc.question == "confess":
            seats.append(sc.turn)
            sc.act("done")
        return seats

    assert asked("lying") == [0]
    assert asked("buried") == [1]


@pytest.mark.parametrize(("length", "default"), [("short", 80), ("long", 110)])
def test_solo_title_from(length: str, default: int) -> None:
    for title in (default, 50):
        for points, utility in ((title, 1), (title - 10, 0)):
            sc = Scene(1, length=length, overrides={f"solo.title_{length}": title}).cash(0).checks(points // 10).last_round()
            assert sc.passing().utility == [utility]
