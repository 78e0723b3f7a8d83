"""The module asymmetric boards (sections 1.13 and 4.3 of the rules)."""

import alehouse
import pytest
from alehouse.envs.core.show.view import look

from tests.envs.scene import rule
from tests.envs.taverns_dragons import page
from tests.envs.taverns_dragons.scene import Scene

# What a square gives at once: gold, energy, runes, prestige, pantry.
GIFTS = {
    ("raccoons_den", 1): (1, 0, 0, 0, []),
    ("raccoons_den", 2): (0, 0, 1, 0, []),
    ("raccoons_den", 3): (2, 0, 0, 0, []),
    ("raccoons_den", 4): (1, 0, 0, 0, []),
    ("boars_head", 1): (0, 1, 0, 0, []),
    ("boars_head", 3): (0, 2, 0, 0, []),
    ("boars_head", 4): (0, 0, 0, 3, []),
    ("mushroom_cellar", 1): (0, 1, 0, 0, []),
    ("mushroom_cellar", 2): (0, 0, 0, 0, ["mushroom"]),
    ("mushroom_cellar", 3): (2, 0, 0, 0, []),
    ("mushroom_cellar", 4): (0, 0, 0, 0, ["meat"]),
    ("dragons_tooth", 1): (1, 0, 0, 0, []),
    ("dragons_tooth", 3): (0, 2, 0, 0, []),
    ("wandering_inn", 1): (0, 0, 1, 0, []),
    ("wandering_inn", 3): (1, 1, 0, 0, []),
}
OTHERS = {("raccoons_den", 4), ("boars_head", 2), ("dragons_tooth", 2), ("dragons_tooth", 4), ("wandering_inn", 2), ("wandering_inn", 4)}


DEALT = {"switch.choose_boards": "no"}


def inn(tavern: str, marker: int = 4, seats: int = 2) -> Scene:
    """Return a scene whose first tavern has its marker on a square; seat 0 is first."""
    sc = Scene(seats, ("asymmetric",), overrides=DEALT)
    sc.s.seat[0].tavern, sc.s.seat[0].marker = page.TRACKS.index(tavern), marker
    return sc.refresh()


def test_every_square_has_a_test() -> None:
    assert {*GIFTS, *OTHERS} == {(tavern, square) for tavern in page.TRACKS for square in (1, 2, 3, 4)}
    assert [square for square in OTHERS if f"test_{square[0]}_{square[1]}" not in globals()] == []


@rule("TD-T34", "TD-A36")
def test_the_last_in_turn_order_chooses_its_board_first() -> None:
    sc = Scene(3, ("asymmetric",), blank=False)
    assert [sc.board_of(seat) for seat in range(3)] == [None, None, None]
    assert (sc.question, sc.turn, sc.options()) == ("board", 2, [f"board:{name}" for name in page.TRACKS])
    words = [option.words for option in look(sc.v, sc.s, sc.R, 2).options]
    assert words[0] == "Choose the raccoons den: 1 gold; 1 rune; 2 gold; Ready one hero and 1 gold"
    sc.act("board:boars_head")
    assert (sc.question, sc.turn, sc.legal("board:boars_head")) == ("board", 1, False)
    sc.act("board:raccoons_den")
    assert (sc.turn, sc.options()) == (0, ["board:mushroom_cellar", "board:dragons_tooth", "board:wandering_inn"])
    sc.act("board:wandering_inn")
    assert (sc.question, [sc.board_of(seat) for seat in range(3)]) == ("turn", ["wandering_inn", "raccoons_den", "boars_head"])


def test_no_seat_is_always_the_first_to_choose() -> None:
    for first, order in ((0, [2, 1, 0]), (1, [0, 2, 1]), (2, [1, 0, 2])):
        sc = Scene(3, ("asymmetric",), first=first, blank=False)
        asked = []
        while sc.question == "board":
            asked.append(sc.turn)
            sc.act(sc.options()[0])
        assert asked == order


def test_the_fifth_of_five_takes_the_last_board() -> None:
    sc = Scene(5, ("asymmetric",), blank=False)
    for board in page.TRACKS[:4]:
        sc.act(f"board:{board}")
    assert (sc.question, [sc.board_of(seat) for seat in range(5)]) == ("turn", [*page.TRACKS[::-1]])


def test_boards_are_chosen_before_missions_are_dealt() -> None:
    sc = Scene(2, ("missions", "asymmetric"), blank=False)
    hidden = [start + k for name, start, length, _ in sc.v.features if name.endswith("_mission") for k in range(length)]
    assert hidden
    assert not sc.t.obs[0, hidden].any()
    asked = []
    while sc.question != "turn":
        asked.append((sc.question, sc.turn))
        sc.act(sc.options()[0])
    assert asked == [("board", 1), ("board", 0), ("mission", 0), ("mission", 1)]


def test_everybody_has_another_tavern_and_starts_on_the_empty_square() -> None:
    t = alehouse.Tables(alehouse.variant("taverns_dragons", seats=5, modules=("asymmetric",), overrides=DEALT), n=50)
    assert (t.states["seat"]["marker"] == 0).all()
    assert all(sorted(row) == [0, 1, 2, 3, 4] for row in t.states["seat"]["tavern"])
    assert set(t.states["seat"]["tavern"][:, 0]) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("tavern", "square"), GIFTS)
def test_square(tavern: str, square: int) -> None:
    gold, energy, runes, prestige, pantry = GIFTS[tavern, square]
    sc = inn(tavern).act(f"track:{square}")
    assert (sc.gold_of(0), sc.energy_of(0), sc.runes_of(0), sc.score_of(0), sc.pantry_of(0)) == (gold, energy, runes, prestige, pantry)
    assert (sc.s.seat[0].marker, sc.turn, sc.options("track")) == (0, 0, [])


def test_raccoons_den_4() -> None:
    sc = inn("raccoons_den").heroes(0, tired=["bard", "thief"]).act("track:4")
    assert sc.options() == ["hero:bard", "hero:thief"]
    sc.act("hero:thief")
    assert (sc.ready_of(0), sc.tired_of(0), sc.gold_of(0)) == (["thief"], ["bard"], 1)


def test_boars_head_2() -> None:
    sc = inn("boars_head").minion(0, "plain", "wood", wounds=1).minion(0, "sturdy", "wood", wounds=2).act("track:2", "minion:sturdy")
    assert (sc.wounds_of(0, "plain"), sc.wounds_of(0, "sturdy"), sc.s.seat[0].marker) == (1, 0, 0)
    assert not inn("boars_head").legal("track:2")


def test_dragons_tooth_2() -> None:
    assert not inn("dragons_tooth").legal("track:2")
    sc = inn("dragons_tooth").dragon("stormcrest").energy(1).stand("plain", "road").hunt("claw").act("track:2")
    assert sc.options() == ["turn:claw_to_sword", "turn:claw_to_bow"]
    assert sc.act("turn:claw_to_bow").attack(2).free_boxes[1] == (0, 1)


def test_squares_that_heal_and_store_work_between_roll_and_attack() -> None:
    def hunting(tavern: str) -> Scene:
        sc = inn(tavern).dragon("bogmaw").energy(1).runes(1).minion(0, "sturdy", "wood", ["egg"], wounds=1)
        return sc.stand("plain", "canyon").hunt("sword")

    sc = hunting("boars_head").act("track:2")
    assert (sc.question, sc.wounds_of(0, "sturdy"), sc.s.seat[0].marker) == ("hunt", 0, 0)
    sc = hunting("dragons_tooth").act("track:4")
    assert (sc.question, sc.pantry_of(0), sc.bag_of(0, "sturdy"), sc.s.seat[0].marker) == ("hunt", ["egg"], [], 0)
    for square in (2, 4):
        assert not hunting("wandering_inn").legal(f"track:{square}")


def test_dragons_tooth_4() -> None:
    sc = inn("dragons_tooth").minion(0, "plain", "wood", ["egg"]).minion(0, "sturdy", "wood", ["plant", "spice"])
    sc.act("track:4", "minion:sturdy")
    assert (sc.pantry_of(0), sc.bag_of(0, "sturdy"), sc.bag_of(0, "plain")) == (["plant", "spice"], [], ["egg"])
    assert not inn("dragons_tooth").legal("track:4")


def test_wandering_inn_2() -> None:
    sc = inn("wandering_inn").minion(0, "sturdy", "maple").act("track:2", "minion:sturdy")
    assert sc.options() == ["go:marsh", "go:caves"]
    sc.act("go:caves")
    assert (sc.zone_of(0, "sturdy"), sc.runes_of(0)) == ("caves", 0)
    assert inn("wandering_inn").minion(0, "plain", "pass").act("track:2", "minion:plain").runes_of(0) == 1


def test_wandering_inn_4() -> None:
    sc = inn("wandering_inn").minion(0, "sturdy", "wood", ["egg"]).act("track:4", "minion:sturdy", "go:maple")
    assert (sc.zone_of(0, "sturdy"), sc.runes_of(0), sc.bag_of(0, "sturdy")) == ("maple", 0, ["egg"])


@pytest.mark.parametrize("action", ["bank:1", "bank_blank:1", "source:1", "move:plain_1", "cook:1_with_1"])
def test_a_die_of_1_moves_the_marker_on(action: str) -> None:
    sc = inn("boars_head", 0).pantry(0, "plant", "plant").recipes("herb_broth").act(action)
    assert sc.s.seat[0].marker == 1


@pytest.mark.parametrize("action", ["bank:2", "source:3", "move:plain_2", "cook:1_with_4"])
def test_other_dice_do_not(action: str) -> None:
    sc = inn("boars_head", 0).pantry(0, "plant", "plant").recipes("herb_broth").act(action)
    assert sc.s.seat[0].marker == 0


def test_the_marker_stops_on_the_last_square() -> None:
    assert inn("boars_head", 4).act("source:1").s.seat[0].marker == 4


def test_the_square_of_the_marker_or_an_earlier_one() -> None:
    assert inn("raccoons_den", 3).options("track") == ["track:1", "track:2", "track:3"]
    assert inn("raccoons_den", 0).options("track") == []


def test_a_die_counts_by_the_value_shown_when_placed() -> None:
    sc = inn("boars_head", 0).heroes(0, "guardian").dice(0, 1, 1, 3).act("ability:guardian", "source:2")
    assert sc.s.seat[0].marker == 0
    sc = inn("boars_head", 0).runes(1).dice(0, 4, 4).dice_luck(1).act("reroll:4", "source:1")
    assert sc.s.seat[0].marker == 1


def test_a_die_rolled_by_the_campfire_does_not_count() -> None:
    sc = inn("boars_head", 0, seats=3).places(C="campfire").energy(2).dice(0, 2, 4, 4).minion(0, "plain", "maple")
    sc.act("move:plain_2", "go:marsh").dice_luck(1).act("visit:C")
    assert (sc.die_of(0, "plain"), sc.s.seat[0].marker) == (1, 0)


def test_a_discarded_die_does_not_count() -> None:
    sc = inn("boars_head", 0).dice(0, 1, 1).banked(0).sourced(0)
    for minion in page.MINIONS:
        sc.minion(0, minion, die=2)
    sc.s.display[:] = -1
    assert sc.refresh().act("discard:1").s.seat[0].marker == 0
