"""Module 3: the draft, the windows, every object (sections 1.7, 2.3 and 4.4 of the rules)."""

import itertools
from collections import Counter

import alehouse
from alehouse.envs.bloody_inn.layout import NUMBERS, OBJECT_NAMES

from tests.envs.scene import bits, rule
from tests.envs.bloody_inn.scene import PLACES, Scene

COST = {row["key"]: int(row["cost"]) for row in NUMBERS.tables["objects"]}


def night(seats: int = 2, *modules: str, **more: object) -> Scene:
    """Return a table at the first action."""
    return Scene(seats, (*modules, "objects"), **more)  # type: ignore[arg-type]


def evening(seats: int = 2, *modules: str) -> Scene:
    """Return a table in the first window, where the first player is asked."""
    return night(seats, *modules, phase="evening")


def test_every_object_has_a_test() -> None:
    assert [name for name in OBJECT_NAMES if f"test_{name}" not in globals()] == []


# The draft


def drafted(*costs: int) -> Scene:
    """Return a table of two where the first seat has kept objects of these costs."""
    variant = alehouse.variant("bloody_inn", seats=2, modules=("objects",))
    for seed in range(5000):
        wanted = list(costs)
        sc = Scene(2, ("objects",), phase="draft", blank=False)
        sc.t.reset(seeds=[seed])
        while sc.phase == "draft":
            offered = [name.removeprefix("object:") for name in sc.options()]
            if sc.turn == 0:
                fitting = [name for name in offered if COST[name] in wanted]
                if not fitting:
                    break
                wanted.remove(COST[fitting[0]])
                sc.act(f"object:{fitting[0]}")
            else:
                sc.act("object:" + min(offered, key=lambda name: COST[name] in wanted))
        else:
            return sc
    raise AssertionError(f"no seed of {variant} offers {costs}")


@rule("BI-T3")
def test_objects_are_paid_out_of_ten_francs() -> None:
    for costs, cash in (((0, 2, 3), 5), ((3, 3, 3), 1)):
        sc = drafted(*costs)
        assert sorted(COST[name] for name in sc.objects_of(0)) == sorted(costs)
        assert (sc.cash_of(0), sc.checks_of(0)) == (cash, 1)


def test_draft_passes_to_the_left() -> None:
    sc = Scene(3, ("objects",), phase="draft", blank=False)
    hands: list[set[str]] = []
    for round in range(3):
        kept = []
        for seat in range(3):
            offered = set(sc.options())
            assert (sc.turn, len(offered)) == (seat, 4 - round)
            if round == 0:
                hands.append(offered)
            else:
                assert offered == hands[(seat - 1) % 3]
            kept.append(min(offered))
            sc.act(kept[-1])
        hands = [hand - {keep} for hand, keep in zip((hands if round == 0 else [hands[-1], *hands[:-1]]), kept, strict=True)]
        assert not set.intersection(*hands)
    assert [len(sc.objects_of(seat)) for seat in range(3)] == [3, 3, 3]


def test_draft_alone_keeps_three_of_four() -> None:
    sc = Scene(1, ("objects",), phase="draft", blank=False)
    first = set(sc.options())
    while sc.phase == "draft":
        sc.act(sc.options()[0])
    assert len(first) == 4
    assert len(sc.objects_of(0)) == 3
    assert {f"object:{name}" for name in sc.objects_of(0)} < first


@rule("BI-R37")
def test_redeals_agree_with_prices_and_with_what_was_seen() -> None:
    """Seat 0 of two saw the hand it passed and the one it got. So it knows one object of seat 1 and which two another may be; of the
    first object that seat 1 kept it knows only what all three cost."""
    sc = Scene(2, ("objects",), phase="draft", blank=False)
    first = set(sc.options())
    views, kept = {0: [first], 1: []}, {0: [], 1: []}
    while sc.phase == "draft":
        seat, offered = sc.turn, set(sc.options())
        if not views[seat] or offered != views[seat][-1]:
            views[seat].append(offered)
        kept[seat].append(min(offered))
        sc.act(kept[seat][-1])
    known = (views[0][0] - {kept[0][0]}) - views[0][2]
    assert known == {kept[1][1]}
    either = views[0][1] - {kept[0][1]}
    unseen = {f"object:{name}" for name in OBJECT_NAMES} - views[0][0] - views[0][1]
    spent = 10 - sc.cash_of(1)

    def cost(names: tuple[str, ...]) -> int:
        return sum(COST[name.removeprefix("object:")] for name in names)

    deals = [frozenset((a, b, *known)) for a, b in itertools.product(unseen, either) if cost((a, b, *known)) == spent]
    assert len(deals) > 1
    t = alehouse.Tables(sc.v, n=4000, autoreset=False)
    t.reset(seeds=[int(sc.s.seed)] * t.n)
    while t.seat[0] >= 0 and t.states[0].phase == 0:
        keep = kept[int(t.seat[0])].pop(0)
        t.step([sc.v.action(keep)] * t.n)
    found = t.determinize(0, key=7)
    assert (found.states["seat"]["objects"][:, 0] == sc.s.seat[0].objects).all()
    counts = Counter(
        frozenset(f"object:{name}" for k, name in enumerate(OBJECT_NAMES) if int(objects) >> k & 1)
        for objects in found.states["seat"]["objects"][:, 1]
    )
    assert set(counts) == set(deals)
    expected = t.n / len(deals)
    assert all(abs(n - expected) < 5 * expected**0.5 for n in counts.values())


# The windows


@rule("BI-R36")
def test_who_is_asked_is_public() -> None:
    """The bible fits none of these windows: its owner is asked all the same, and a seat without objects is not."""
    sc = evening(3).objects(0, "bible").objects(2, "bible").act("done")
    assert (sc.question, sc.turn, sc.options()) == ("evening", 2, ["done"])
    sc.act("done")
    assert sc.question == "action"
    sc.corpses(0, "monk").corpses(1, "monk").guests(white1="major").barn(1, "abbot")
    sc.act("pass")
    assert (sc.question, sc.turn, sc.options()) == ("well", 0, ["done"])
    sc.act("done").act("pass")
    assert (sc.question, sc.turn) == ("action", 2)
    sc.act("pass")
    assert (sc.question, sc.turn) == ("action", 0)
    asked = []
    sc.passing()
    while sc.question in ("snow", "tomb", "confess", "dig"):
        asked.append((sc.question, sc.turn))
        sc.act("done" if sc.question != "dig" else sc.options()[0])
    assert [pair for pair in asked if pair[0] != "dig"] == [("snow", 0), ("tomb", 0), ("tomb", 2), ("confess", 0), ("confess", 2)]


def windows(*played: str) -> list[tuple[str, int]]:
    """Return who is asked about objects in the night and the morning, after these have been played; seats 0 and 2 hold a bible each."""
    sc = night(3).objects(0, "bible").objects(2, "bible").corpses(0, "monk").corpses(1, "monk").guests(white1="major").barn(1, "abbot")
    sc.s.used = bits(played, OBJECT_NAMES)
    found = []
    while sc.question not in ("lodge", "over"):
        found += [(sc.question, sc.turn)] if sc.question not in ("action", "dig") else []
        sc.act({"action": "pass", "dig": sc.options()[0]}.get(sc.question, "done"))
    return found


@rule("BI-R47")
def test_nobody_is_asked_about_an_object_that_is_gone() -> None:
    every = [("well", 0), ("well", 0), ("snow", 0), ("tomb", 0), ("tomb", 2), ("confess", 0), ("confess", 2)]
    assert windows() == windows("gold_teeth", "poison", "letter") == every
    for item, question in (("well", "well"), ("snow", "snow"), ("tomb", "tomb"), ("confessional", "confess")):
        assert windows(item) == [pair for pair in every if pair[0] != question]
    sc = night(3).objects(0, "bible").objects(2, "well").corpses(0, "monk").corpses(2, "monk")
    sc.act("pass")
    assert (sc.question, sc.turn) == ("well", 0)
    sc.act("done", "pass", "pass", "object:well", "pass")
    assert (sc.question, sc.turn) == ("action", 1)


@rule("BI-R47")
def test_the_evening_ends_with_the_last_of_its_five_objects() -> None:
    def table(*played: str) -> Scene:
        sc = evening(3).objects(0, "poison").objects(1, "bible").objects(2, "bible").guests(white1="monk", white2="monk")
        sc.s.used = bits(played, OBJECT_NAMES)
        return sc.act("object:poison").answer("place", "at:white1")

    assert table("letter", "rug", "coffee", "cake").question == "action"
    assert table("letter", "rug", "coffee", "tomb").question == "evening"


def test_windows_go_round_until_all_decline() -> None:
    sc = evening().objects(0, "letter", "coffee").objects(1, "poison", "cake").guests(white1="monk", white2="abbot")
    sc.act("done")
    assert sc.turn == 1
    sc.act("object:poison").act("at:white1")
    assert (sc.question, sc.turn) == ("evening", 0)
    sc.act("object:coffee")
    assert (sc.question, sc.turn, sc.cash_of(0)) == ("evening", 1, 7)
    sc.act("done").act("done")
    assert sc.question == "action"


def test_contested_objects_in_turn_order() -> None:
    """The poison comes first; the coffee may go to another guest or be kept."""
    sc = evening().objects(0, "poison").objects(1, "coffee").guests(white1="bishop", white2="monk")
    sc.act("object:poison").act("at:white1")
    assert (sc.turn, sc.options()) == (1, ["done", "object:coffee"])
    sc.act("done")
    assert sc.objects_of(1) == ["coffee"]


def test_objects_are_used_once() -> None:
    sc = night().objects(0, "wolf_trap").guests(white1="monk", white2="monk").hand(0, "peasant")
    sc.use("wolf_trap").kill("white1")
    assert (sc.objects_of(0), sc.hand_of(0)) == ([], ["peasant"])


@rule("BI-R42")
def test_objects_are_declared_before_the_targets() -> None:
    sc = night().objects(0, "gold_teeth", "bible", "quicklime").corpses(0, "count", "monk").barn(1, "abbot")
    sc.hand(0, "newsboy", "novice", "peasant")
    assert sc.options("object") == ["object:gold_teeth", "object:bible", "object:quicklime"]
    sc.act("object:bible")
    assert {name.split(":")[0] for name in sc.options()} == {"bury", "object"}
    sc.act("object:gold_teeth").act("object:quicklime").answer("lime", "under_left1:barn", by=0)
    assert not [name for name in sc.options() if not name.startswith("bury")]
    sc.act("bury:count")
    assert (sc.question, sc.options("object")) == ("pay", [])
    sc.pay("newsboy", "peasant")
    assert (sc.hand_of(0), sc.cash_of(0)) == (["newsboy", "novice", "peasant"], 5 + 9 + 4)


# Every object


@rule("BI-T45")
def test_gold_teeth() -> None:
    sc = night(2, "notables").objects(0, "gold_teeth").corpses(0, "surgeon").hand(0, "peasant", "peasant")
    assert sc.use("gold_teeth").bury("surgeon", "me:barn").cash_of(0) == 25


@rule("BI-R27")
def test_gold_teeth_are_not_shared_and_count_one_corpse() -> None:
    sc = night(2, "notables").objects(0, "gold_teeth").corpses(0, "surgeon").hand(0, "peasant", "peasant")
    sc.use("gold_teeth").bury("surgeon", "left1:barn")
    assert (sc.cash_of(0), sc.cash_of(1)) == (17, 13)
    sc = night(2, "notables").objects(0, "gold_teeth").annex(0, "crypt").corpses(0, "surgeon", "surgeon").cash(0)
    sc.hand(0, *["peasant"] * 4).act("object:gold_teeth").answer("action", "bury:surgeon", by=0).act("under_me:crypt")
    sc.answer("more", "bury:surgeon", by=0).act("under_me:crypt").pay(*["peasant"] * 4)
    assert sc.cash_of(0) == 16 + 4 + 16


@rule("BI-T46")
def test_cake() -> None:
    def served() -> Scene:
        sc = evening(2, "notables").objects(0, "cake").guests(white1="surgeon", white2="peacekeeper")
        return sc.act("object:cake").act("at:white1")

    assert served().passing().cash_of(0) == 7
    sc = served().hand(0, "brigadier").kill("white1").passing()
    assert (sc.cash_of(0), sc.objects_of(0), sc.s.cake) == (5 - 1, [], -1)
    sc = served().hand(1, "brigadier").act("pass").bribe("white1").passing()
    assert sc.cash_of(0) == 5


@rule("BI-R22")
def test_cake_and_coffee_on_rank_0() -> None:
    sc = evening().objects(0, "cake", "coffee").guests(white1="baron", white2="monk")
    sc.act("object:coffee").act("at:white1").act("object:cake").act("at:white1").passing()
    assert sc.cash_of(0) == 5


@rule("BI-T51")
def test_letter() -> None:
    sc = evening().objects(0, "letter").corpses(0, "monk").corpses(1, "abbot", "count").cash(15, 25).checks(0, 0)
    sc.act("object:letter").passing()
    assert (sc.cash_of(0), sc.cash_of(1), sc.box_cards) == (5, 5, ["monk", "abbot", "count"])


@rule("BI-T51")
def test_a_letter_counts_in_its_own_round_only() -> None:
    sc = evening().objects(0, "letter").act("object:letter").passing()
    while sc.question != "action":
        sc.act(sc.options()[0])
    sc.guests(**dict.fromkeys(place for place in PLACES if sc.guest(place)))
    sc.corpses(1, "abbot").passing()
    assert (sc.s["rounds"], sc.corpses_of(1)) == (2, ["abbot"])


def test_letter_alone_at_the_table_loses() -> None:
    sc = evening(1).objects(0, "letter").corpses(0, "monk").act("object:letter").passing()
    assert (sc.question, sc.utility) == ("over", [-1])


@rule("BI-T52")
def test_rug() -> None:
    sc = evening().objects(0, "rug").corpses(0, "count").hand(1, "peasant", "peasant").act("object:rug")
    assert (sc.corpses_of(0), sc.corpses_of(1)) == ([], ["count"])
    sc.act("pass").bury("count", "me:barn")
    assert (sc.cash_of(0), sc.cash_of(1)) == (5, 23)


@rule("BI-R23")
def test_rug_is_not_refused_and_takes_an_own_corpse() -> None:
    assert "object:rug" not in evening().objects(0, "rug").corpses(1, "monk").options()
    sc = evening(3).objects(0, "rug").corpses(0, "monk").corpses(1, "abbot").act("object:rug")
    assert sc.options() == ["seat:left1", "seat:left2"]
    sc.act("seat:left2")
    assert (sc.corpses_of(2), sc.corpses_of(0), sc.question, sc.turn) == (["monk"], [], "action", 0)


@rule("BI-T47")
def test_coffee() -> None:
    def served(*others: str) -> Scene:
        sc = evening(2, "notables").objects(0, "coffee").objects(1, *others).guests(white1="surgeon").hand(1, "peasant", "peasant")
        return sc.act("object:coffee").answer("place", "at:white1")

    sc = served("poison")
    assert (sc.cash_of(0), sc.turn, sc.options()) == (6, 1, ["done"])
    sc = served("wheelbarrow").skip("evening").act("pass")
    assert (sc.turn, sc.options("object")) == (1, [])
    assert sc.guests(white2="surgeon").options("object") == ["object:wheelbarrow"]


@rule("BI-R21")
def test_coffee_shields_police_who_will_investigate() -> None:
    sc = evening().objects(0, "coffee").guests(white1="peacekeeper").hand(0, "peasant").corpses(1, "monk").cash(5, 15).checks(1, 0)
    sc.act("object:coffee").answer("place", "at:white1").skip("evening")
    assert not sc.options("bribe") + sc.options("kill")
    assert sc.passing().cash_of(1) == 5


def test_coffee_ends_in_the_morning() -> None:
    sc = evening().objects(0, "coffee").guests(white1="baron").act("object:coffee").answer("place", "at:white1")
    assert not sc.legal("kill:white1")
    sc.passing().top("novice").act("lodge:white1")
    while sc.question == "lodge":
        sc.act(sc.options()[0])
    assert sc.legal("kill:white1")


def four(item: str) -> Scene:
    """Return a table with a distiller lodged, one dead and one in hand, and the two cards of the rulebook's examples."""
    return night().objects(0, item).hand(0, "peasant", "newsboy")


@rule("BI-T48")
def test_the_four_objects_that_bring_cards_back() -> None:
    sc = night().objects(0, "liquor").guests(white1="distiller").hand(0, "peasant", "monk").use("liquor").bribe("white1")
    assert (sc.hand_of(0), sc.bistro_n, sc.exit_cards) == (["distiller", "monk", "peasant"], 0, [])
    sc = night().objects(0, "hammer").hand(0, "distiller", "peasant", "newsboy").use("hammer").build("distiller")
    assert (sc.hand_of(0), sc.annexes_of(0)) == (["newsboy", "peasant"], ["barn", "distillery"])
    sc = four("bible").corpses(0, "distiller").use("bible").bury("distiller", "me:barn")
    assert (sc.hand_of(0), sc.cash_of(0)) == (["newsboy", "peasant"], 23)
    sc = four("wolf_trap").guests(white1="distiller").use("wolf_trap").kill("white1")
    assert (sc.hand_of(0), sc.corpses_of(0)) == (["newsboy", "peasant"], ["distiller"])


@rule("BI-R46")
def test_cards_that_return_are_not_optional() -> None:
    """By aptitude, alcove, chapel or hammer the cards are in hand again without a question, and the next player takes an action."""
    for sc, hand in (
        (night().hand(0, "newsboy").guests(white1="monk").bribe("white1"), ["newsboy", "monk"]),
        (night(2, "carnies").annex(0, "alcove").hand(0, "peasant").guests(white1="monk").bribe("white1"), ["monk", "peasant"]),
        (night().annex(0, "chapel").hand(0, "peasant").corpses(0, "monk").bury("monk", "me:barn"), ["peasant"]),
        (night().objects(0, "hammer").hand(0, "peasant", "viscount").use("hammer").build("viscount"), ["peasant"]),
    ):
        assert (sc.hand_of(0), sc.question, sc.turn) == (hand, "action", 1)
        assert (sc.bistro_n, sc.exit_cards) == (0, [])


def test_liquor() -> None:
    sc = night().objects(0, "liquor").guests(white1="count").hand(0, "peasant")
    assert not sc.options("object")
    sc = sc.hand(0, "peasant", "peasant").use("liquor").bribe("white1")
    assert (sc.hand_of(0), sc.bistro_n) == (["count", "peasant", "peasant"], 0)


def test_hammer() -> None:
    sc = night().objects(0, "hammer").hand(0, "count", "peasant", "monk")
    assert sc.use("hammer").build("count").hand_of(0) == ["monk", "peasant"]
    assert sc.cash_of(0) == 14


def test_bible() -> None:
    sc = night().objects(0, "bible").hand(0, "peasant").corpses(0, "monk").use("bible").bury("monk", "left1:barn")
    assert (sc.hand_of(0), sc.cash_of(0), sc.cash_of(1)) == (["peasant"], 11, 11)


def test_wolf_trap() -> None:
    sc = night().objects(0, "wolf_trap").guests(home1="major").hand(0, "novice", "peasant", "newsboy").use("wolf_trap")
    assert sc.kill("home_left1").hand_of(0) == ["newsboy", "novice", "peasant"]


def test_snow() -> None:
    """The corpse is hidden for a round, and visible again in the next."""
    sc = night().objects(0, "snow").guests(white1="major").corpses(0, "monk", "count").cash(25).checks(0).passing()
    assert (sc.question, sc.turn) == ("snow", 0)
    sc.act("object:snow").act("corpse:count")
    assert (sc.cash_of(0), sc.corpses_of(0), sc.box_cards) == (15, ["count"], ["monk"])
    sc.top("peacekeeper").act("lodge:white1")
    while sc.question == "lodge":
        sc.act(sc.options()[0])
    sc.passing()
    assert (sc.cash_of(0), sc.corpses_of(0)) == (6, [])


@rule("BI-R16")
def test_snow_hides_from_letter_blackmail_and_tomb() -> None:
    sc = evening().objects(0, "letter").objects(1, "snow").corpses(1, "monk").act("object:letter").skip("evening").passing()
    sc.act("object:snow")
    assert (sc.cash_of(1), sc.checks_of(1), sc.corpses_of(1)) == (5, 1, ["monk"])
    sc = night(2, "carnies", "events").event("blackmail").guests(white1="acrobat").objects(1, "snow").corpses(1, "monk").passing()
    sc.act("object:snow")
    assert (sc.cash_of(1), sc.checks_of(1), sc.corpses_of(1)) == (5, 1, ["monk"])
    sc = night().guests(white1="major").objects(0, "tomb").objects(1, "snow").corpses(1, "monk", "count").passing()
    sc.act("object:snow").act("corpse:monk").act("object:tomb")
    assert (sc.cash_of(0), sc.corpses_of(1), sc.cash_of(1), sc.checks_of(1)) == (23, ["monk"], 5, 1)


@rule("BI-T55")
def test_confessional() -> None:
    sc = night().objects(0, "confessional").barn(0, "monk").annex(1, "crypt", "abbot", "count", "novice").cash(5, 4).passing()
    sc.act("object:confessional")
    assert (sc.cash_of(0), sc.cash_of(1), sc.checks_of(1)) == (9, 0, 1)
    sc = night().objects(0, "confessional").annex(0, "gardens", "monk", "monk", "monk").annex(1, "crypt", "abbot", "count", "novice")
    assert sc.passing().question == "lodge"
    sc = night(2, "carnies").objects(0, "confessional").barn(0, "monk").annex(1, "crypt", "twins").cash(5, 20).passing()
    sc.act("object:confessional")
    assert (sc.cash_of(0), sc.cash_of(1)) == (11, 14)
    sc = night(2, "carnies").objects(0, "confessional").barn(0, "monk").barn(1, "dwarf").passing()
    assert sc.question == "lodge"


@rule("BI-R18")
def test_confessional_with_several_leaders() -> None:
    sc = night(3).objects(0, "confessional").barn(1, "monk").barn(2, "abbot").cash(37, 20, 20).passing().act("object:confessional")
    assert (sc.question, sc.options()) == ("donor", ["seat:left1", "seat:left2"])
    sc.act("seat:left2")
    assert [sc.cash_of(seat) for seat in range(3)] == [40, 20, 14]
    sc = night().objects(0, "confessional").annex(1, "dining_room", "monk", "abbot", by=0).cash(5, 9).passing()
    sc.act("object:confessional")
    assert (sc.cash_of(0), sc.cash_of(1)) == (11, 3)


def test_confessional_takes_from_the_leader_only() -> None:
    sc = night(3).objects(0, "confessional").annex(1, "dining_room", "monk", "abbot").barn(2, "monk").cash(5, 20, 20).passing()
    sc.act("object:confessional")
    assert [sc.cash_of(seat) for seat in range(3)] == [11, 14, 20]


def test_confessional_comes_before_the_wages() -> None:
    sc = night().objects(0, "confessional").barn(1, "monk").cash(0, 20).hand(0, "peasant", "peasant").passing().act("object:confessional")
    assert (sc.cash_of(0), len(sc.hand_of(0))) == (4, 2)


@rule("BI-T54")
def test_tomb() -> None:
    sc = night().objects(0, "tomb").guests(white1="peacekeeper").corpses(1, "prince").passing()
    assert (sc.question, sc.turn) == ("tomb", 0)
    sc.act("object:tomb")
    assert (sc.cash_of(0), sc.cash_of(1), sc.checks_of(1), sc.box_cards) == (31, 5, 1, ["prince"])


def test_tomb_for_ones_own_corpse() -> None:
    sc = night().objects(0, "tomb").guests(white1="peacekeeper").corpses(0, "prince", "monk").corpses(1, "abbot").cash(5, 5)
    sc.passing().skip("snow").act("object:tomb")
    assert sc.options() == ["seat:me", "seat:left1"]
    sc.act("seat:me").act("corpse:prince")
    assert sc.question == "dig"
    sc.act("cash:10")
    assert (sc.cash_of(0), sc.checks_of(0), sc.corpses_of(0)) == (5 + 26 - 10, 1, [])


@rule("BI-R17")
def test_tomb_frees_one_corpse_only() -> None:
    sc = night().objects(0, "tomb").guests(white1="peacekeeper").corpses(1, "prince", "monk").cash(5, 15).checks(1, 0).passing()
    sc.act("object:tomb").act("corpse:prince")
    assert (sc.cash_of(0), sc.cash_of(1), sc.corpses_of(1)) == (31, 5, [])


@rule("BI-R45")
def test_tomb_and_shuffle_stand_as_written() -> None:
    """One tomb takes one corpse, from one player; season 2 is shuffled lazily unless the switch says otherwise."""
    sc = night(3).objects(0, "tomb").guests(white1="peacekeeper").corpses(1, "monk").corpses(2, "monk", "abbot").cash(5, 15, 25)
    sc.checks(1, 0, 0).passing().act("object:tomb").act("seat:left2").act("corpse:abbot")
    assert [sc.cash_of(seat) for seat in range(3)] == [23, 5, 15]
    sc = Scene(phase="welcome").exit("monk").stack(5)
    while sc.question == "lodge":
        sc.act(sc.options()[0])
    assert (sc.s.season, sc.exit_cards) == (0, ["monk"])


@rule("BI-T50")
def test_wheelbarrow() -> None:
    def table(*modules: str) -> Scene:
        return night(2, *modules).objects(0, "wheelbarrow").hand(0, "peasant", "peasant")

    for sc, place in ((table().guests(white1="concierge"), "white1"), (table("carnies").caravan(1, "clown", "concierge"), "caravan1")):
        sc.act("object:wheelbarrow").answer("barrow", f"at:{place}", by=0).pay("peasant", "peasant")
        assert (sc.guest(place), sc.bistro_n, sc.annexes_of(0)) == (None, 2, ["barn", "room_service"])
        assert sc.question == "service"
    assert not table().guests(white1="concierge").hand(0, "peasant").options("object")
    sc = evening().objects(0, "wheelbarrow", "coffee").hand(0, "peasant", "peasant").guests(white1="concierge")
    sc.act("object:coffee").answer("place", "at:white1", by=0).skip("evening")
    assert (sc.question, sc.options("object")) == ("action", [])


@rule("BI-R25")
def test_wheelbarrow_pays_the_lower_rank_in_any_room() -> None:
    sc = night(2, "notables").objects(0, "wheelbarrow").hand(0, "peasant").guests(home1="notary").act("object:wheelbarrow")
    sc.answer("barrow", "at:home_left1", by=0)
    assert (sc.annexes_of(0), sc.guest("home1"), sc.bistro_n) == (["barn", "study"], None, 1)


def test_wheelbarrow_with_a_hammer() -> None:
    sc = night().objects(0, "wheelbarrow", "hammer").hand(0, "peasant").guests(white1="viscount", white2="viscount")
    sc.act("object:wheelbarrow").act("object:hammer").answer("barrow", "at:white1", by=0)
    assert (sc.annexes_of(0), sc.hand_of(0), sc.cash_of(0)) == (["barn", "king_size_bed"], ["peasant"], 11)


@rule("BI-T56")
def test_quicklime() -> None:
    sc = night(2, "carnies").objects(0, "quicklime").barn(1, "monk").corpses(0, "bearded_lady").hand(0, "peasant")
    assert not sc.legal("bury:bearded_lady")
    sc.act("object:quicklime").answer("lime", "under_left1:barn", by=0).answer("action", "bury:bearded_lady", by=0)
    assert (sc.under(1, "barn"), sc.box_cards, sc.cash_of(0), sc.cash_of(1)) == (["bearded_lady"], ["monk"], 17, 17)


@rule("BI-R41")
def test_quicklime_takes_both_coffins_and_no_dwarf() -> None:
    sc = night(2, "carnies").objects(0, "quicklime").full_barns(0).annex(1, "dining_room", "twins").annex(1, "kiosk", "dwarf")
    sc.barn(1, "abbot").corpses(0, "monk").hand(0, "peasant").act("object:quicklime")
    assert sc.options() == ["under_me:barn", "under_left1:barn", "under_left1:dining_room"]
    sc.act("under_left1:dining_room").answer("action", "bury:monk", by=0)
    assert (sc.under(1, "dining_room"), sc.free_under(1, "dining_room"), sc.box_cards) == (["monk"], 1, ["twins"])
    assert (sc.cash_of(0), sc.cash_of(1), sc.under(1, "kiosk")) == (11, 11, ["dwarf"])
    assert sc.s.seat[1].buried == 3


@rule("BI-R11")
def test_quicklime_helps_twins_only_where_two_graves_are_free_then() -> None:
    def offered(*corpses: str) -> bool:
        sc = (
            night(2, "carnies")
            .objects(0, "quicklime")
            .full_barns(0, 1)
            .annex(0, "gardens", *corpses)
            .corpses(0, "twins")
            .hand(0, "peasant")
        )
        return "object:quicklime" in sc.options("object")

    assert offered("monk", "abbot")
    assert not offered("monk", "abbot", "count")


@rule("BI-R13")
def test_a_caravan_turned_annex_stays_one() -> None:
    sc = night(2, "carnies").objects(0, "quicklime").full_barns(1).annex(1, "trailer", "monk", "abbot").corpses(0, "bearded_lady")
    tokens = sc.tokens_of(1)
    sc.hand(0, "peasant").act("object:quicklime").answer("lime", "under_left1:trailer", by=0).answer("lime_corpse", "corpse:monk", by=0)
    sc.answer("action", "bury:bearded_lady", by=0)
    assert (sc.under(1, "trailer"), sc.annexes_of(1), sc.owner("caravan1")) == (["abbot", "bearded_lady"], ["barn", "trailer"], "closed")
    assert sc.tokens_of(1) == tokens
    assert not [name for name in sc.passing().options() if "caravan" in name]


@rule("BI-T58")
def test_poison() -> None:
    sc = evening().objects(0, "poison").guests(white1="peacekeeper", white2="monk").corpses(1, "abbot").act("object:poison")
    sc.act("at:white1")
    assert (sc.guest("white1"), sc.corpses_of(0)) == (None, ["peacekeeper"])
    sc.passing()
    assert (sc.corpses_of(0), sc.corpses_of(1), sc.cash_of(0), sc.checks_of(1)) == (["peacekeeper"], ["abbot"], 5, 1)


@rule("BI-R24")
def test_poisoned_corpse_belongs_to_the_poisoner() -> None:
    """Poison works in a caravan too, and in a last round with no guest to spare."""
    sc = evening(2, "carnies").caravan(1, "clown", "count").objects(0, "poison").last_round().act("object:poison")
    sc.answer("place", "at:caravan1")
    assert (sc.corpses_of(0), sc.guest("caravan1"), sc.question) == (["count"], None, "action")
    assert sc.passing().question in ("over", "dig")


def test_well() -> None:
    """The well also takes a corpse that this very action has killed."""
    sc = night().objects(0, "well").guests(white1="baron").kill("white1")
    assert (sc.question, sc.turn) == ("well", 0)
    sc.act("object:well")
    assert (sc.cash_of(0), sc.corpses_of(0), sc.box_cards, sc.bistro_n) == (13, [], ["baron"], 0)


@rule("BI-R26")
def test_well_and_tomb_bury_nobody() -> None:
    sc = night().objects(0, "well", "confessional").corpses(0, "monk").barn(1, "abbot").cash(5, 10)
    sc.act("pass").act("object:well").answer("corpse", "corpse:monk", by=0).passing().act("object:confessional")
    assert (sc.cash_of(0), sc.cash_of(1)) == (5 + 12 + 6, 4)
    sc = night().objects(0, "well").corpses(0, "monk").barn(1, "abbot").cash(5, 17).last_round().act("pass").act("object:well")
    sc.passing()
    assert (sc.scores, sc.utility) == ([27, 27], [-1, 1])
    sc = night().objects(0, "tomb").guests(white1="major").corpses(0, "monk").barn(1, "abbot").cash(5, 17).last_round().passing()
    sc.skip("snow").act("object:tomb")
    assert (sc.scores, sc.utility) == ([27, 27], [-1, 1])
