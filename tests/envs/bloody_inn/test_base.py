"""Set-up, the welcome and the actions of the base game (sections 2, 3.3, 3.4 of the rules)."""

import pytest

from tests.envs.scene import rule
from tests.envs.bloody_inn.scene import Scene, names


def play_round(sc: Scene) -> None:
    """Lodge all travelers anywhere and pass until the next round, or the end."""
    now = int(sc.s["rounds"])
    while sc.question != "over" and sc.s["rounds"] == now:
        sc.act("pass" if sc.question == "action" else sc.options()[0])


@rule("BI-T1")
def test_two_players_short() -> None:
    sc = Scene(2, phase="welcome", blank=False)
    assert sc.open_rooms == ["home0", "home1", "white1", "white2", "white3"]
    assert sc.s.entrance == 35
    assert sc.bistro_n == 0
    for seat in (0, 1):
        assert (sc.cash_of(seat), sc.checks_of(seat), sc.hand_of(seat)) == (5, 1, ["peasant", "peasant"])
        assert sc.annexes_of(seat) == ["barn"]
        assert sc.tokens_of(seat) == 7
    while sc.s.season == 0:
        play_round(sc)
    assert sc.s["rounds"] == 7


@rule("BI-T2")
def test_season_ends_inside_a_welcome() -> None:
    sc = Scene(4, ("carnies", "notables"), "long", phase="welcome", blank=False)
    assert len(names(sc.s.unseen)) + 1 == 84
    assert not {"baron", "viscount", "count", "duke", "marquis", "prince"} & set(names(sc.R.copies))
    assert (sc.s.entrance, len(sc.open_rooms)) == (78, 8)
    for _ in range(9):
        play_round(sc)
    assert (sc.s.entrance, sc.s.season, sc.question) == (6, 0, "lodge")
    for _ in range(6):
        sc.act(sc.options()[0])
    assert (sc.s.entrance, sc.s.season, sc.exit_cards) == (72, 1, [])
    while sc.question == "lodge":
        sc.act(sc.options()[0])
    assert all(sc.guest(place) for place in sc.open_rooms)
    assert sc.s.entrance == 70


@pytest.mark.parametrize(("seats", "rooms", "short", "long"), [(1, 4, 36, 44), (2, 5, 35, 45), (3, 6, 42, 54), (4, 8, 48, 64)])
@pytest.mark.parametrize("carnies", [False, True])
def test_rooms_and_stacks(seats: int, rooms: int, short: int, long: int, carnies: bool) -> None:
    for length, size in (("short", short), ("long", long)):
        sc = Scene(seats, ("carnies",) if carnies else (), length, phase="welcome", blank=False)
        assert len(sc.open_rooms) == rooms
        assert sc.s.entrance == size + 14 * carnies


def test_bistro_of_a_game_alone_holds_two_peasants() -> None:
    sc = Scene(1, phase="welcome", blank=False)
    assert (sc.bistro_n, sc.hand_of(0), sc.cash_of(0), sc.checks_of(0)) == (2, ["peasant", "peasant"], 5, 1)


@rule("BI-R40")
def test_doors_are_not_chosen() -> None:
    sc = Scene(3, phase="welcome", blank=False)
    assert sc.question == "lodge"
    assert sc.s.asked == 0


def test_first_player_lodges_where_he_likes_until_all_rooms_are_full() -> None:
    sc = Scene(2, phase="welcome", first=1)
    assert sc.turn == 1
    assert sc.options() == ["lodge:home_me", "lodge:home_left1", "lodge:white1", "lodge:white2", "lodge:white3"]
    sc.top("monk").act("lodge:home_left1")
    assert sc.guest("home0") == "monk"
    assert "lodge:home_left1" not in sc.options()
    for place in ("white1", "white2", "white3"):
        sc.act(f"lodge:{place}")
    assert sc.question == "action"
    assert all(sc.guest(place) for place in sc.open_rooms)


def test_two_actions_each_then_the_first_player_passes_left() -> None:
    sc = Scene(3, first=1)
    order = []
    while sc.question == "action":
        order.append(sc.turn)
        sc.act("pass")
    assert order == [1, 2, 0, 1, 2, 0]
    assert (sc.question, sc.turn) == ("lodge", 2)


@rule("BI-T5")
def test_bribe_with_cards() -> None:
    sc = Scene().guests(white1="distiller").hand(0, "peasant", "monk").bribe("white1")
    assert (sc.hand_of(0), sc.bistro_n, sc.exit_cards) == (["distiller"], 1, ["monk"])
    assert sc.guest("white1") is None
    sc = Scene().guests(white1="distiller").hand(0, "newsboy", "monk").bribe("white1")
    assert (sc.hand_of(0), sc.bistro_n, sc.exit_cards) == (["distiller", "newsboy"], 0, ["monk"])


@rule("BI-T6")
def test_bribe_of_rank_0_takes_no_card() -> None:
    sc = Scene().guests(home1="baron").hand(0, "peasant").bribe("home_left1")
    assert (sc.hand_of(0), sc.bistro_n) == (["baron", "peasant"], 0)


@rule("BI-T7")
def test_peasants_of_the_bistro() -> None:
    sc = Scene().bistro(3)
    assert sc.options("hire") == ["hire:1", "hire:2"]
    sc.act("hire:2")
    assert (sc.hand_of(0), sc.bistro_n) == (["peasant", "peasant"], 1)
    assert Scene().annex(0, "brewery").bistro(3).options("hire") == ["hire:1", "hire:2", "hire:3"]
    assert Scene().bistro(1).options("hire") == ["hire:1"]
    assert Scene().options("hire") == []


@rule("BI-T8")
def test_kill_with_police() -> None:
    sc = Scene().guests(white2="mechanic").hand(0, "brigadier").kill("white2")
    assert (sc.hand_of(0), sc.corpses_of(0), sc.cash_of(0)) == (["brigadier"], ["mechanic"], 5)
    assert sc.guest("white2") is None


@rule("BI-T9")
def test_bury_under_the_own_barn() -> None:
    sc = Scene().corpses(0, "count").hand(0, "peasant", "peasant").bury("count", "me:barn")
    assert (sc.cash_of(0), sc.free_under(0, "barn"), sc.bistro_n) == (23, 0, 2)
    assert (sc.under(0, "barn"), sc.corpses_of(0)) == (["count"], [])


@rule("BI-T10")
def test_bury_under_another_barn() -> None:
    sc = Scene().cash(10, 10).corpses(0, "count").hand(0, "peasant", "peasant").bury("count", "left1:barn")
    assert (sc.cash_of(0), sc.cash_of(1), sc.under(1, "barn")) == (19, 19, ["count"])


@rule("BI-T12")
def test_workshop_spares_a_card_but_not_its_own() -> None:
    sc = Scene().annex(0, "workshop").hand(0, "viscount").build("viscount")
    assert (sc.cash_of(0), sc.annexes_of(0)) == (11, ["barn", "king_size_bed", "workshop"])
    assert not Scene().hand(0, "mechanic").legal("build:mechanic")
    sc = Scene().hand(0, "mechanic", "peasant").build("mechanic")
    assert (sc.hand_of(0), sc.bistro_n, sc.annexes_of(0)) == ([], 1, ["barn", "workshop"])


@rule("BI-T15")
def test_passing_turns_money_into_checks() -> None:
    sc = Scene().cash(25)
    assert not sc.legal("to_checks:3")
    sc.act("to_checks:2")
    assert (sc.cash_of(0), sc.checks_of(0)) == (5, 3)
    sc = Scene().cash(5).checks(3).act("to_cash:2")
    assert (sc.cash_of(0), sc.checks_of(0)) == (25, 1)
    sc = Scene().act("pass")
    assert (sc.cash_of(0), sc.checks_of(0), sc.turn) == (5, 1, 1)


@rule("BI-T16")
def test_no_burial_without_a_place() -> None:
    sc = Scene().corpses(0, "novice").annex(0, "kiosk").full_barns(0, 1)
    assert not sc.legal("bury:novice")
    sc = Scene().corpses(0, "novice").annex(0, "kiosk").annex(0, "gardens").full_barns(0).act("bury:novice")
    assert sc.options() == ["under_me:gardens", "under_left1:barn"]


def test_police_and_peasants_have_no_annex() -> None:
    sc = Scene().hand(0, "peacekeeper", "peasant", "novice")
    assert sc.options("build") == ["build:novice"]


def test_kill_a_peasant_of_the_bistro() -> None:
    sc = Scene().bistro(2).act("kill_peasant")
    assert (sc.corpses_of(0), sc.bistro_n) == (["peasant"], 1)
    assert not Scene().legal("kill_peasant")


@pytest.mark.parametrize("verb", ["bribe", "kill"])
def test_any_room_but_only_what_the_hand_can_pay(verb: str) -> None:
    sc = Scene().guests(home0="baron", home1="monk", white1="count", white2="prince").hand(0, "peasant", "novice")
    assert sc.options(verb) == [f"{verb}:home_me", f"{verb}:home_left1", f"{verb}:white1"]


@pytest.mark.parametrize(
    ("helper", "other"), [("newsboy", "novice"), ("cultivator", "novice"), ("peacekeeper", "novice"), ("novice", "newsboy")]
)
def test_the_right_aptitude_returns_and_no_other(helper: str, other: str) -> None:
    """Each kind of action is paid with a card of its aptitude and a card of another family."""
    table = Scene().guests(white1="count").hand(0, helper, other)
    played = {
        "newsboy": lambda: table.bribe("white1"),
        "peacekeeper": lambda: table.kill("white1"),
        "novice": lambda: table.corpses(0, "abbot").bury("abbot", "me:barn"),
        "cultivator": lambda: table.hand(0, helper, other, "distiller").build("distiller"),
    }
    sc = played[helper]()
    assert helper in sc.hand_of(0)
    assert sc.exit_cards == [other]


@rule("BI-R7")
def test_a_dead_peasant_is_a_corpse_as_any() -> None:
    sc = Scene().corpses(0, "peasant").bury("peasant", "me:barn")
    assert (sc.cash_of(0), sc.free_under(0, "barn"), sc.under(0, "barn")) == (9, 0, ["peasant"])


@rule("BI-R8")
def test_each_gain_stops_at_the_limit_on_its_own() -> None:
    sc = Scene().cash(35, 33).corpses(0, "count").hand(0, "peasant", "peasant").bury("count", "left1:barn")
    assert (sc.cash_of(0), sc.cash_of(1)) == (40, 40)
    sc = Scene().cash(20, 39).corpses(0, "count").hand(0, "peasant", "peasant").bury("count", "left1:barn")
    assert (sc.cash_of(0), sc.cash_of(1)) == (29, 40)


@rule("BI-R9")
def test_no_card_pays_for_itself_or_twice() -> None:
    assert not Scene().guests(white1="representative").legal("bribe:white1")
    assert not Scene().hand(0, "distiller", "peasant").legal("build:distiller")
    sc = Scene().annex(0, "store").guests(white1="monk", white2="mechanic").hand(0, "newsboy").bribe("white1")
    assert (sc.hand_of(0), sc.guest("white2"), sc.turn) == (["newsboy", "monk"], "mechanic", 1)


@rule("BI-R6")
def test_keys_and_service_share_eight_tokens() -> None:
    sc = Scene().hand(0, "monk", "peasant").build("monk").answer("key", "at:white2")
    assert (sc.tokens_of(0), sc.owner("white2")) == (6, 0)
    sc = Scene().hand(0, "concierge", "peasant", "novice").build("concierge").answer("service", "at:white1")
    assert (sc.tokens_of(0), sc.s.service[4]) == (6, 0)
    sc = Scene().tokens(0, 0).hand(0, "monk", "peasant").build("monk")
    assert (sc.annexes_of(0), sc.turn, sc.owner("white1")) == (["barn", "room"], 1, "white")
    sc = Scene().tokens(0, 0).hand(0, "concierge", "peasant", "novice").build("concierge")
    assert (sc.annexes_of(0), sc.turn, sc.tokens_of(0)) == (["barn", "room_service"], 1, 0)
    sc = Scene(modules=("carnies",)).tokens(0, 0).hand(0, "clown", "juggler", "peasant", "novice")
    assert not sc.legal("build:clown")
    assert not sc.legal("build:juggler")


@rule("BI-R38")
def test_cards_are_named_in_rising_order_and_never_into_a_dead_end() -> None:
    sc = Scene().guests(white1="count").hand(0, "newsboy", "monk", "peasant").act("bribe:white1")
    assert sc.options() == ["card:newsboy", "card:monk"]
    sc.act("card:monk")
    assert (sc.hand_of(0), sc.bistro_n, sc.exit_cards) == (["newsboy", "count"], 1, ["monk"])
    sc = Scene().annex(0, "store").guests(white1="baron", white2="baron", white3="novice").act("bribe:white2")
    assert sc.options() == ["done", "bribe:white3"]


@rule("BI-R39")
def test_annexes_of_one_kind_are_one_choice() -> None:
    sc = Scene().annex(0, "dining_room").annex(0, "dining_room", "monk").corpses(0, "novice").act("bury:novice")
    assert sc.options() == ["under_me:barn", "under_me:dining_room", "under_left1:barn"]
    sc.act("under_me:dining_room")
    rows = sorted(int(built.free) for built, name in sc._built(0) if name == "dining_room")
    assert rows == [0, 2]


@rule("BI-R32")
def test_checks_never_run_out() -> None:
    sc = Scene().cash(40, 40).checks(60, 60).act("to_checks:4").act("to_checks:4")
    assert (sc.checks_of(0), sc.checks_of(1)) == (64, 64)


@rule("BI-R33")
def test_checks_become_cash_only_up_to_the_limit() -> None:
    sc = Scene().cash(25).checks(5)
    assert sc.options("to_cash") == ["to_cash:1"]
    assert Scene().cash(31).checks(5).options("to_cash") == []
    assert Scene().cash(0).checks(5).options("to_cash") == [f"to_cash:{n}" for n in (1, 2, 3, 4)]
    assert Scene().cash(0).checks(2).options("to_cash") == ["to_cash:1", "to_cash:2"]
