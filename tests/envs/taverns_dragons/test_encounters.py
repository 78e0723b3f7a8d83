"""The module encounters (sections 1.12 and 4.4 of the rules)."""

from collections import Counter

import pytest
from alehouse.envs.core.run.luck import below

from tests.envs.scene import rule
from tests.envs.taverns_dragons import page
from tests.envs.taverns_dragons.scene import L, Scene


def beside(zone: str = "road", minion: str = "plain", bag: tuple[str, ...] = (), wounds: int = 0, energy: int = 1, gold: int = 0) -> Scene:
    """Return a scene in which a minion has come to the zone of the encounter token, with a rune in reserve."""
    sc = Scene(3, ("encounters",)).energy(energy).gold(gold).runes(1).minion(0, minion, bag=bag, wounds=wounds)
    sc.s.encounter = L.ZONE_NAMES.index(zone)
    return sc.stand(minion, zone)


def meet(card: str, sc: Scene) -> Scene:
    """Have the encounter of this card."""
    sc.s.meetings = 1 << L.ENCOUNTER_NAMES.index(card)
    return sc.act("encounter")


def test_every_encounter_has_a_test() -> None:
    assert [name for name in L.ENCOUNTER_NAMES if f"test_{name}" not in globals()] == []


def test_the_token_takes_the_place_of_a_plant() -> None:
    sc = Scene(2, ("encounters",), blank=False)
    tokens = Counter(kind for zone in page.ZONES for kind in sc.tokens_in(zone))
    assert tokens == {"plant": 3, "mushroom": 3, "spice": 2, "egg": 1}
    zone = int(sc.s.encounter)
    assert [len(sc.tokens_in(name)) + (k == zone) for k, name in enumerate(page.ZONES)] == list(page.SPACES)


def test_the_token_moves_when_fresh_ingredients_come() -> None:
    found = set()
    for seed in range(12):
        sc = Scene(2, ("encounters",))
        sc.s.seed = seed
        sc = sc.in_round(3).last_turn().act("bank_blank:4").end()
        zone = int(sc.s.encounter)
        assert [len(sc.tokens_in(name)) + (k == zone) for k, name in enumerate(page.ZONES)] == list(page.SPACES)
        assert sum(sc.tokens_in(name).count("plant") for name in page.ZONES) == 3
        found.add(zone)
    assert len(found) > 1


def test_an_encounter_costs_one_energy_and_comes_once_a_turn() -> None:
    sc = meet("minstrel", beside(energy=3))
    assert (sc.energy_of(0), sc.turn, sc.legal("encounter")) == (2, 0, False)
    assert not beside(energy=0).legal("encounter")
    assert int(sc.s.encounter) == L.ZONE_NAMES.index("road")


def test_another_encounter_in_another_turn() -> None:
    sc = meet("minstrel", beside(energy=3)).end().skip().skip()
    assert meet("minstrel", sc.stand("sturdy", "road")).score_of(0) == 4


def test_only_where_the_token_lies_and_only_for_the_minion_moved() -> None:
    sc = beside()
    sc.s.encounter = L.ZONE_NAMES.index("caves")
    assert not sc.refresh().legal("encounter")
    sc = Scene(2, ("encounters",)).energy(2).minion(0, "plain", "road")
    sc.s.encounter = L.ZONE_NAMES.index("road")
    assert not sc.refresh().legal("encounter")


def test_the_token_cannot_be_collected() -> None:
    assert beside().options("collect") == []


def test_one_encounter_a_turn_after_a_campfire_too() -> None:
    sc = beside("caves", energy=5).places(D="campfire", C="caravan")
    meet("minstrel", sc).dice_luck(1)
    sc.s.encounter = L.ZONE_NAMES.index("road")
    sc.act("visit:D")
    assert (sc.zone_of(0, "plain"), sc.turn, sc.legal("encounter")) == ("road", 0, False)


def test_cards_are_shuffled_when_none_is_left() -> None:
    sc = beside()
    sc.s.meetings = 0
    sc.act("encounter")
    assert int(sc.s.meetings).bit_count() == 9


def test_a_card_is_discarded() -> None:
    sc = beside().act("encounter")
    assert int(sc.s.meetings).bit_count() == 9


def test_lost_merchant() -> None:
    assert meet("lost_merchant", beside()).gold_of(0) == 2


def test_dryad() -> None:
    sc = meet("dryad", beside(bag=("mushroom", "egg")))
    assert sc.options() == ["kind:mushroom", "kind:egg"]
    sc.act("kind:egg")
    assert (sc.pantry_of(0), sc.bag_of(0, "plain")) == (["egg"], ["mushroom"])
    assert meet("dryad", beside()).pantry_of(0) == ["plant"]


def test_bandit() -> None:
    sc = meet("bandit", beside(gold=2))
    assert sc.options() == ["accept", "decline"]
    sc.act("accept")
    assert (sc.gold_of(0), sc.wounds_of(0, "plain")) == (1, 0)
    sc = meet("bandit", beside(gold=2)).act("decline")
    assert (sc.gold_of(0), sc.wounds_of(0, "plain")) == (2, 1)
    sc = meet("bandit", beside(gold=0))
    assert (sc.gold_of(0), sc.wounds_of(0, "plain")) == (0, 1)


def test_healer() -> None:
    sc = meet("healer", beside(minion="sturdy", wounds=2, energy=2))
    assert (sc.wounds_of(0, "sturdy"), sc.energy_of(0)) == (0, 1)
    sc = meet("healer", beside(energy=2))
    assert sc.energy_of(0) == 2


@pytest.mark.parametrize(("symbol", "prestige", "wounds"), [("sword", 2, 0), ("bow", 2, 0), ("claw", 0, 1), ("flame", 0, 0)])
def test_the_bear(symbol: str, prestige: int, wounds: int) -> None:
    sc = meet("bear", beside().hunting_luck(symbol)).answer("bear", "done")
    assert (sc.score_of(0), sc.wounds_of(0, "plain")) == (prestige, wounds)


def test_bear() -> None:
    """A claw on a full minion costs an ingredient of its owner's choice."""
    sc = meet("bear", beside(bag=("plant", "egg")).hunting_luck("claw")).act("done", "kind:plant")
    assert (sc.bag_of(0, "plain"), sc.wounds_of(0, "plain")) == (["egg"], 1)


@rule("TD-T35", "TD-A38")
def test_the_bears_die_rolled_again() -> None:
    sc = meet("bear", beside().hunting_luck("flame", "bow"))
    assert sc.options() == ["done", "reroll_hunting:flame"]
    sc.act("reroll_hunting:flame")
    assert (sc.question, sc.runes_of(0), sc.score_of(0), sc.wounds_of(0, "plain")) == ("turn", 0, 2, 0)
    sc = meet("bear", beside().runes(2).hunting_luck("bow", "claw", "flame")).act("reroll_hunting:bow")
    assert sc.options() == ["done", "reroll_hunting:claw"]
    sc.act("reroll_hunting:claw")
    assert (sc.runes_of(0), sc.score_of(0), sc.wounds_of(0, "plain")) == (0, 0, 0)
    sc = meet("bear", beside(gold=1).runes(0).hunting_luck("claw"))
    assert (sc.question, sc.wounds_of(0, "plain")) == ("turn", 1)


def test_old_sage() -> None:
    assert meet("old_sage", beside()).runes_of(0) == 2


def test_suspicious_chest() -> None:
    found = Counter()
    for seed in range(60):
        sc = beside()
        sc.s.seed = seed
        meet("suspicious_chest", sc)
        assert sc.options() == ["accept", "decline"]
        sc.act("accept")
        found[sc.gold_of(0), sc.wounds_of(0, "plain")] += 1
    assert found.keys() == {(3, 0), (0, 1)}
    assert min(found.values()) >= 15
    sc = meet("suspicious_chest", beside()).act("decline")
    assert (sc.gold_of(0), sc.wounds_of(0, "plain")) == (0, 0)


def test_smuggler() -> None:
    sc = meet("smuggler", beside(gold=1))
    assert sc.options() == ["accept", "decline"]
    sc.act("accept")
    assert (sc.gold_of(0), sc.bag_of(0, "plain")) == (0, ["spice"])
    sc = meet("smuggler", beside(gold=1)).act("decline")
    assert (sc.gold_of(0), sc.bag_of(0, "plain")) == (1, [])
    sc = meet("smuggler", beside(gold=1, bag=("egg", "egg")))
    assert (sc.question, sc.gold_of(0)) == ("turn", 1)
    sc = meet("smuggler", beside(gold=0))
    assert (sc.question, sc.bag_of(0, "plain")) == ("turn", [])


def test_minstrel() -> None:
    assert meet("minstrel", beside()).score_of(0) == 2


def test_fairy_ring() -> None:
    def ring(steps: int) -> Scene:
        sc = beside("canyon").tokens(canyon=["egg"], road=["spice"]).act("collect:egg")
        meet("fairy_ring", sc)
        assert sc.options() == ["steps:0", "steps:1", "steps:2", "steps:3"]
        return sc.act(f"steps:{steps}")

    for steps, zone in enumerate(("canyon", "caves", "road", "city")):
        sc = ring(steps)
        assert (sc.zone_of(0, "plain"), sc.options("collect")) == (zone, [])
    sc = meet("fairy_ring", beside("wood")).act("steps:2", "go:pass")
    assert (sc.zone_of(0, "plain"), sc.runes_of(0)) == ("maple", 2)
    assert not ring(2).legal("encounter")


def test_half_of_the_chests_hold_gold() -> None:
    """Gold and a wound are equally likely."""
    opened = [int(below(seed, L.CHEST, 0, 0, 1, 2)) for seed in range(2000)]
    assert abs(sum(opened) - 1000) < 150
