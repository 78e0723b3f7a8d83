"""The module events (sections 1.11 and 4.2 of the rules)."""

from tests.envs.taverns_dragons.scene import L, Scene

PLUS, MINUS = 5, 3  # rounds after which the good and the bad half are resolved, with nothing but ingredients beside


def table(seats: int = 2) -> Scene:
    return Scene(seats, ("events",))


def happen(event: str, after: int, sc: Scene) -> Scene:
    """Play the last die of a round on the bank, which gives seat 0 2 gold, and reveal the event."""
    sc.s.events = 1 << L.EVENT_NAMES.index(event)
    return sc.in_round(after).last_turn().act("bank_blank:4").end()


def paid(sc: Scene, seat: int) -> int:
    """Return the gold of a seat without what a low sum of dice has just brought."""
    return sc.gold_of(seat) - int(sum(sc.dice_of(seat)) < 10)


def test_every_event_has_a_test() -> None:
    assert [name for name in L.EVENT_NAMES if f"test_{name}" not in globals()] == []


def test_one_event_each_after_rounds_2_3_5_and_6() -> None:
    for played in range(1, 7):
        sc = table().in_round(played).last_turn().act("bank_blank:4").end()
        assert 10 - int(sc.s.events).bit_count() == int(played in (2, 3, 5, 6))


def test_the_signs_of_the_events() -> None:
    """The half is positive after rounds 2 and 5, negative after 3 and 6."""
    for played, prestige in ((2, 5), (3, 1), (5, 5), (6, 1)):
        assert happen("rumours", played, table().score(3, 3)).score_of(1) == prestige


def test_events_go_round_from_the_first_player() -> None:
    sc = table(3)
    for seat in range(3):
        sc.minion(seat, "plain", "wood", wounds=1).minion(seat, "sturdy", "wood", wounds=1)
    sc = happen("hospital", PLUS, sc)
    order = []
    while sc.question == "minion":
        order.append(sc.turn)
        sc.act("minion:plain")
    assert order == [1, 2, 0]


def test_harvest() -> None:
    sc = happen("harvest", PLUS, table().pantry(1, "egg"))
    assert (sc.pantry_of(0), sc.pantry_of(1)) == (["plant"], ["plant", "egg"])
    sc = happen("harvest", MINUS, table().pantry(0, "spice", "egg").pantry(1, "plant", "mushroom", "egg"))
    assert (sc.question, sc.turn, sc.options()) == ("give", 1, ["kind:plant", "kind:mushroom"])
    sc.act("kind:mushroom")
    assert (sc.pantry_of(0), sc.pantry_of(1)) == (["spice", "egg"], ["plant", "egg"])


def test_taxes() -> None:
    sc = happen("taxes", PLUS, table().gold(0, 3))
    assert (paid(sc, 0), paid(sc, 1)) == (4, 5)
    sc = happen("taxes", MINUS, table(3).gold(1, 3, 1))
    assert [paid(sc, seat) for seat in range(3)] == [1, 1, 0]


def test_weather() -> None:
    sc = happen("weather", PLUS, table(3).energy(0, 3, 4))
    assert [sc.energy_of(seat) for seat in range(3)] == [2, 5, 5]
    sc = happen("weather", MINUS, table(3).energy(0, 1, 4))
    assert [sc.energy_of(seat) for seat in range(3)] == [0, 0, 2]


def test_rumours() -> None:
    sc = happen("rumours", PLUS, table().score(0, 7))
    assert (sc.score_of(0), sc.score_of(1)) == (2, 9)
    sc = happen("rumours", MINUS, table().score(1, 7))
    assert (sc.score_of(0), sc.score_of(1)) == (0, 5)


def test_magic() -> None:
    sc = happen("magic", PLUS, table().runes(0, 3))
    assert (sc.runes_of(0), sc.runes_of(1)) == (1, 3)
    sc = happen("magic", MINUS, table(3).runes(0, 2, 0).energy(3, 3, 0))
    assert [(sc.runes_of(seat), sc.energy_of(seat)) for seat in range(3)] == [(0, 2), (1, 3), (0, 0)]


def test_hospital() -> None:
    sc = table().minion(1, "plain", "wood", wounds=2).minion(1, "sturdy", "wood", wounds=1)
    sc = happen("hospital", PLUS, sc)
    assert (sc.question, sc.turn, sc.options()) == ("minion", 1, ["minion:plain", "minion:sturdy"])
    sc.act("minion:plain")
    assert (sc.wounds_of(1, "plain"), sc.wounds_of(1, "sturdy")) == (0, 1)
    sc = happen("hospital", MINUS, table().minion(1, "plain", "wood", ["plant", "egg"]))
    assert (sc.question, sc.turn, len(sc.options())) == ("minion", 1, 3)
    sc.act("minion:plain", "kind:egg")
    assert (sc.wounds_of(1, "plain"), sc.bag_of(1, "plain")) == (1, ["plant"])
    assert (sc.question, sc.turn) == ("minion", 0)
    sc.act("minion:booted")
    assert (sc.wounds_of(0, "booted"), sc.round) == (1, 4)


def test_heroes_day() -> None:
    sc = table(3).heroes(0, "bard").heroes(1, "thief", tired=["druid"]).heroes(2, "jester", "oracle", "runner")
    sc = happen("heroes_day", PLUS, sc)
    assert [sc.score_of(seat) for seat in range(3)] == [0, 3, 3]
    sc = table(3).gold(0, 2, 2).heroes(0, "bard").heroes(1, "thief", tired=["druid"])
    sc = happen("heroes_day", MINUS, sc)
    assert [paid(sc, seat) for seat in range(3)] == [1, 2, 1]


def test_winds() -> None:
    sc = happen("winds", PLUS, table().minion(1, "plain", "wood").minion(0, "plain", "road").tokens(maple=["egg"]))
    assert (sc.turn, sc.options()) == (1, ["done", "minion:plain", "minion:booted", "minion:sturdy"])
    sc.act("minion:plain")
    assert sc.options() == ["go:pass", "go:marsh"]
    sc.act("go:marsh")
    assert (sc.zone_of(1, "plain"), sc.turn) == ("marsh", 0)
    sc.act("done")
    assert (sc.zone_of(0, "plain"), sc.round) == ("road", 6)
    sc = happen("winds", PLUS, table().minion(1, "plain", "pass")).act("minion:plain")
    assert (sc.zone_of(1, "plain"), sc.runes_of(1)) == ("maple", 1)
    sc = happen("winds", MINUS, table().minion(1, "plain", "caves").minion(1, "sturdy", "meadow", ["egg"]))
    assert (sc.turn, sc.options()) == (1, ["minion:plain", "minion:sturdy"])
    sc.act("minion:plain")
    assert (sc.zone_of(1, "plain"), sc.zone_of(1, "sturdy"), sc.round) == ("canyon", "meadow", 4)
    sc = happen("winds", MINUS, table().minion(1, "plain", "marsh"))
    assert (sc.zone_of(1, "plain"), sc.runes_of(1)) == ("maple", 1)


def test_fair() -> None:
    sc = happen("fair", PLUS, table(3).gold(0, 1, 0))
    assert (sc.turn, sc.options()) == (1, ["done", "kind:plant", "kind:mushroom"])
    sc.act("kind:mushroom")
    assert (sc.turn, sc.pantry_of(1)) == (0, ["mushroom"])
    sc.act("done")
    assert ([paid(sc, seat) for seat in range(3)], sc.pantry_of(0), sc.pantry_of(2)) == ([2, 0, 0], [], [])
    sc = happen("fair", MINUS, table(3).gold(0, 4, 3))
    assert [paid(sc, seat) for seat in range(3)] == [2, 2, 3]


def test_feast() -> None:
    sc = happen("feast", PLUS, table().heroes(1, "bard", tired=["thief", "druid"]))
    assert (sc.question, sc.turn, sc.options()) == ("ready", 1, ["hero:druid", "hero:thief"])
    sc.act("hero:thief")
    assert (sc.ready_of(1), sc.tired_of(1)) == (["bard", "thief"], ["druid"])
    sc = happen("feast", MINUS, table().heroes(1, "bard", "jester", tired=["thief"]))
    assert (sc.question, sc.turn, sc.options()) == ("exhaust", 1, ["hero:bard", "hero:jester"])
    sc.act("hero:bard")
    assert (sc.ready_of(1), sc.tired_of(1)) == (["jester"], ["bard", "thief"])
