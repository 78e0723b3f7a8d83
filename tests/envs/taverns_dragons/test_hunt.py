"""The hunt, wounds and the four dragons (sections 1.6, 1.7 and 3.3 of the rules)."""

import pytest

from tests.envs.taverns_dragons import page
from tests.envs.scene import rule
from tests.envs.taverns_dragons.scene import L, Scene

LAIRS = {"emberwing": "wood", "mossback": "maple", "bogmaw": "canyon", "stormcrest": "road"}  # zones where each can be hunted


def before(dragon: str, energy: int = 5, minion: str = "plain", bag: tuple[str, ...] = (), **more: object) -> Scene:
    """Return a scene in which a minion has come beside a fresh dragon."""
    sc = Scene(3, **more).dragon(dragon).energy(energy).minion(0, minion, bag=bag)  # type: ignore[arg-type]
    return sc.stand(minion, LAIRS[dragon])


def test_every_dragon_has_a_test() -> None:
    assert [name for name in page.DRAGONS if f"test_{name}" not in globals()] == []


@rule("TD-T13")
def test_a_hunt_with_three_dice() -> None:
    sc = Scene(3).dragon("emberwing").energy(3).minion(0, "plain", bag=["egg"]).stand("plain", "pass").hunt("sword", "bow", "claw")
    sc.attack(1, 1)
    assert sc.free_boxes == [(0, 0), (2, 0), (0, 2), (2, 1)]
    assert (sc.gold_of(0), sc.energy_of(0)) == (2, 0)
    assert (sc.wounds_of(0, "plain"), sc.bag_of(0, "plain")) == (1, ["egg"])


@rule("TD-T15")
def test_several_flames_are_one_special_attack() -> None:
    sc = before("bogmaw", energy=4).hunt("flame", "flame", "sword").attack(1)
    assert (sc.gold_of(0), sc.energy_of(0), sc.wounds_of(0, "plain")) == (1, 0, 0)
    assert before("bogmaw", energy=5).hunt("flame", "flame").attack().energy_of(0) == 1


@rule("TD-T16")
def test_the_last_box() -> None:
    sc = Scene(3).dragon("stormcrest", [(0, 0), (0, 0), (0, 0), (1, 1)]).energy(4).places(C="caravan", D="enchanted_runes")
    sc.minion(0, "plain", bag=["plant"]).stand("plain", "caves")
    assert not sc.legal("visit:D")
    sc.hunt("bow", "sword").attack()
    assert (sc.score_of(0), sc.dragon_name, sc.s.seat[0].trophies) == (5, None, 1)
    assert sc.legal("visit:D")
    assert [int(sc.s.seat[seat].trophies) for seat in (1, 2)] == [0, 0]
    sc.end()
    views = []
    for trophy in (0, 5):
        sc.s.seat[0].spoils, sc.s.pool = 1 << trophy, 0b111111 & ~(1 << trophy)
        views.append([sc.t.observe(0, seat).tolist() for seat in range(3)])
    assert views[0][1:] == views[1][1:]
    assert views[0][0] != views[1][0]


def test_hunting_only_beside_the_dragon() -> None:
    for zone, name in enumerate(page.ZONES):
        for dragon, (slot, _) in page.DRAGONS.items():
            sc = Scene().dragon(dragon).energy(5).runes(1).stand("plain", name)
            assert (sc.options("hunt") != []) == (zone in page.SLOTS[slot.lower()])


def test_one_to_three_energy_and_once_a_turn() -> None:
    assert before("stormcrest", 5).options("hunt") == ["hunt:1", "hunt:2", "hunt:3"]
    assert before("stormcrest", 2).options("hunt") == ["hunt:1", "hunt:2"]
    sc = before("stormcrest", 5)
    sc.runes(2).hunt("sword")
    assert (sc.energy_of(0), sc.hunting) == (4, ["sword"])
    sc.attack(1)
    assert (sc.turn, sc.options("hunt")) == (0, [])
    assert Scene().energy(5).runes(1).stand("plain", "road").options("hunt") == []


def test_a_die_is_rolled_again_for_a_rune() -> None:
    sc = before("stormcrest", 2)
    sc.runes(1).hunting_luck("claw", "flame", "sword").act("hunt:2")
    assert sc.options("reroll_hunting") == ["reroll_hunting:claw", "reroll_hunting:flame"]
    sc.act("reroll_hunting:flame").attack(1)
    assert (sc.runes_of(0), sc.free_boxes[0], sc.wounds_of(0, "plain")) == (0, (1, 0), 1)


@rule("TD-A8")
def test_who_completes_a_line_takes_its_reward() -> None:
    sc = before("stormcrest", 1).hunt("sword").attack(1).end()
    assert sc.gold_of(0) == 0
    sc.energy(0, 1).stand("plain", "road").hunt("sword").attack(1)
    assert (sc.gold_of(0), sc.gold_of(1)) == (0, 2)


@rule("TD-A10")
def test_two_lines_at_once() -> None:
    sc = Scene(3).dragon("stormcrest", [(1, 0), (0, 2), (0, 1), (1, 2)]).energy(2).stand("plain", "road").hunt("sword", "bow").attack(1, 3)
    assert (sc.gold_of(0), sc.energy_of(0)) == (2, 2)


def test_energy_of_a_line_stops_at_five() -> None:
    sc = Scene(3).dragon("stormcrest", [(2, 0), (0, 2), (1, 0), (1, 2)]).energy(5).stand("plain", "road").hunt("sword").attack(3)
    assert sc.energy_of(0) == 5


def test_damage_without_a_box_is_lost() -> None:
    sc = Scene(3).dragon("stormcrest", [(0, 0), (0, 2), (0, 1), (1, 2)]).energy(3).runes(1).stand("plain", "road")
    sc.hunt("sword", "sword", "sword").attack()
    assert sc.free_boxes == [(0, 0), (0, 2), (0, 1), (0, 2)]


def test_no_question_when_every_box_of_a_symbol_is_marked() -> None:
    sc = Scene(3).dragon("stormcrest", [(1, 0), (0, 2), (1, 0), (0, 1)]).energy(2).stand("plain", "road").hunt("sword", "sword")
    sc.answer("hunt", "attack")
    assert (sc.free_boxes, sc.gold_of(0), sc.energy_of(0)) == ([(0, 0), (0, 2), (0, 0), (0, 1)], 2, 2)


@rule("TD-A9")
def test_meat_needs_a_free_slot() -> None:
    def table(bag: list[str]) -> Scene:
        sc = Scene(3).dragon("stormcrest", [(2, 0), (0, 1), (1, 1), (1, 2)]).energy(1).minion(0, "plain", bag=bag)
        return sc.stand("plain", "road").hunt("bow").attack(2)

    assert table(["plant"]).bag_of(0, "plain") == ["plant", "meat"]
    assert table(["plant", "egg"]).bag_of(0, "plain") == ["plant", "egg"]


def test_a_wound_makes_room_by_an_ingredient_of_ones_choice() -> None:
    sc = before("stormcrest", 1, bag=("plant", "egg")).hunt("claw").attack()
    assert (sc.question, sc.options()) == ("lose", ["kind:plant", "kind:egg"])
    sc.act("kind:plant")
    assert (sc.bag_of(0, "plain"), sc.wounds_of(0, "plain")) == (["egg"], 1)


def test_wounds_come_before_rewards() -> None:
    """The claw takes the last slot, and the meat of line 2 is lost; the special attack takes energy before line 1 pays it."""
    sc = Scene(3).dragon("stormcrest", [(2, 0), (0, 1), (1, 1), (1, 2)]).energy(2).minion(0, "plain", bag=["egg"])
    sc.stand("plain", "road").hunt("bow", "claw").attack(2)
    assert (sc.bag_of(0, "plain"), sc.wounds_of(0, "plain")) == (["egg"], 1)
    overrides = {"dragons.bogmaw.reward1": "energy", "dragons.bogmaw.amount1": 2}
    sc = Scene(3, overrides=overrides).dragon("bogmaw").energy(3).stand("plain", "canyon").hunt("sword", "flame").attack(1)
    assert sc.energy_of(0) == 2


@rule("TD-A22")
def test_a_wound_too_many_is_ignored() -> None:
    sc = before("stormcrest", 3, bag=("egg",)).hunt("claw", "claw", "claw").attack()
    assert (sc.bag_of(0, "plain"), sc.wounds_of(0, "plain")) == ([], 2)


@rule("TD-A26")
def test_hunting_dice_up_to_five() -> None:
    sc = Scene(3).dragon("stormcrest").energy(3).runes(1).heroes(0, "huntress")
    sc.s.seat[0].forge = 1 << L.NUMBERS.rows("forge").index("horn")
    sc.stand("plain", "road").act("ability:huntress").answer("turn", "hunt:3")
    assert len(sc.hunting) == 5
    sc = Scene(3, overrides={"hunt.dice": 4}).dragon("stormcrest").energy(3).runes(1).heroes(0, "huntress")
    sc.s.seat[0].forge = 1 << L.NUMBERS.rows("forge").index("horn")
    sc.stand("plain", "road").act("ability:huntress").answer("turn", "hunt:3")
    assert len(sc.hunting) == 4


def awaken(dragon: str, sc: Scene) -> Scene:
    """Play the last die of round 1, so that this dragon appears."""
    return sc.asleep(dragon).in_round(1).last_turn().act("bank_blank:4").end()


@pytest.mark.parametrize(("dragon", "line"), [(dragon, line) for dragon in page.DRAGONS for line in range(4)])
def test_each_line(dragon: str, line: int) -> None:
    """Every other line is full, and the last marker is placed on this one."""
    swords, _, reward, amount = page.DRAGONS[dragon][1][line]
    boxes = [(0, 0)] * 4
    boxes[line] = (1, 0) if swords else (0, 1)
    sc = Scene(3).dragon(dragon, boxes).energy(1).stand("plain", LAIRS[dragon]).hunt("sword" if swords else "bow").attack()
    got = {"gold": sc.gold_of(0), "energy": sc.energy_of(0), "meat": sc.bag_of(0, "plain").count("meat"), "prestige": sc.score_of(0)}
    assert got == {"gold": 0, "energy": 0, "meat": 0, "prestige": 0} | {reward: amount}
    assert (sc.dragon_name, sc.s.seat[0].trophies) == (None, 1)


def test_emberwing() -> None:
    table = Scene(3).minion(1, "plain", "meadow").minion(1, "sturdy", "pass").minion(2, "booted", "wood").minion(2, "plain", "maple")
    sc = awaken("emberwing", table.minion(0, "plain", "road"))
    assert (sc.dragon_name, sc.free_boxes) == ("emberwing", [(1, 1), (2, 0), (0, 2), (2, 1)])
    wounds = {(seat, minion): sc.wounds_of(seat, minion) for seat in range(3) for minion in page.MINIONS}
    assert {key for key, n in wounds.items() if n} == {(1, "plain"), (1, "sturdy"), (2, "booted")}
    assert set(wounds.values()) == {0, 1}
    sc = before("emberwing", 1, bag=("plant", "egg")).hunt("flame").attack()
    assert (sc.question, sc.options()) == ("lose", ["kind:plant", "kind:egg"])
    sc.act("kind:egg")
    assert (sc.bag_of(0, "plain"), sc.wounds_of(0, "plain")) == (["plant"], 0)


def test_mossback() -> None:
    tokens = {zone: ["egg"] for zone in ("wood", "pass", "maple", "marsh", "canyon")}
    sc = Scene(3).tokens(**tokens).in_round(4).asleep("mossback").last_turn().act("bank_blank:4").end()
    assert sc.dragon_name == "mossback"
    assert [zone for zone in page.ZONES if sc.tokens_in(zone)] == ["wood", "canyon"]
    sc = before("mossback", 2, minion="sturdy").hunt("claw", "flame").attack()
    assert sc.wounds_of(0, "sturdy") == 2
    sc = before("mossback", 2, minion="sturdy").hunt("flame", "flame").attack()
    assert sc.wounds_of(0, "sturdy") == 1


def test_bogmaw() -> None:
    sc = awaken("bogmaw", Scene(3).energy(2, 1, 0))
    assert (sc.dragon_name, [sc.energy_of(seat) for seat in range(3)]) == ("bogmaw", [1, 0, 0])
    assert before("bogmaw", energy=5).hunt("flame").attack().energy_of(0) == 2


def test_stormcrest() -> None:
    sc = awaken("stormcrest", Scene(3).gold(2, 1, 0).dice(0, 4))
    low = [int(sum(sc.dice_of(seat)) < 10) for seat in range(3)]
    assert sc.dragon_name == "stormcrest"
    assert [sc.gold_of(seat) - low[seat] for seat in range(3)] == [2 + 2 - 1, 0, 0]
    sc = before("stormcrest", 1).heroes(0, "bard", "druid", tired=["thief"]).hunt("flame").attack()
    assert (sc.question, sc.options()) == ("exhaust", ["hero:bard", "hero:druid"])
    sc.act("hero:druid")
    assert (sc.ready_of(0), sc.tired_of(0)) == (["bard"], ["druid", "thief"])
    assert before("stormcrest", 1).hunt("flame").attack().turn == 1


@rule("TD-A21")
def test_appearing_goes_round_from_the_old_first_player() -> None:
    sc = Scene(3)
    for seat in range(3):
        sc.minion(seat, "plain", "wood", ["plant", "egg"])
    sc.asleep("emberwing").last_turn().act("bank_blank:4").end()
    order = []
    while sc.question == "lose":
        order.append(sc.turn)
        sc.act("kind:plant")
    assert order == [1, 2, 0]
    assert [sc.bag_of(seat, "plain") for seat in range(3)] == [["egg"]] * 3


@rule("TD-A11")
def test_a_dragon_finds_its_place_empty() -> None:
    sc = Scene(3).paid(A=2, B=1, D=2)
    sc = awaken("stormcrest", sc)
    assert list(sc.s.paid) == [0, 0, 0, 0]


def test_two_of_the_four_dragons_are_seen() -> None:
    sc = Scene(2)
    seen = []
    while sc.question != "over":
        if sc.dragon_name not in (None, *seen):
            seen.append(sc.dragon_name)
        sc.finish_round()
        while sc.question not in ("turn", "over"):
            sc.act(sc.options()[0])
    assert len(seen) == 2


@pytest.mark.parametrize("trophy", range(6))
def test_each_trophy(trophy: int) -> None:
    sc = Scene(2).in_round(7).dragon("bogmaw", [(1, 0), (0, 0), (0, 0), (0, 0)]).energy(1).last_turn(1)
    sc.s.pool = 1 << trophy
    sc.stand("plain", "canyon").hunt("sword").attack()
    sc.end()
    assert (sc.question, sc.scores) == ("over", [page.TROPHIES[trophy], 0])
