"""Games with corrected numbers: the owner of a box changes a number, and the game is played by it."""

import csv
from pathlib import Path

import alehouse
import pytest
from alehouse.envs.core.declare.numbers import export
from alehouse.envs.taverns_dragons import layout as L
from alehouse.envs.taverns_dragons.effects import CHAIN

from tests.envs.taverns_dragons.scene import Scene

# Backwards round the ring, with no shortcut, and the rune in the marsh.
MAP = {
    **{f"zones.{zone}.next": L.ZONE_NAMES[k - 1] for k, zone in enumerate(L.ZONE_NAMES)},
    "zones.wood.shortcut": "none",
    "zones.maple.shortcut": "none",
    "zones.maple.runes": 0,
    "zones.marsh.runes": 2,
    "zones.road.printed": "egg",
    "zones.road.d": 0,
    "zones.road.a": 1,
}


def play(v: alehouse.Variant) -> None:
    """Play some games to their end and audit them."""
    t = alehouse.Tables(v, n=8, autoreset=False)
    while not t.over.all():
        t.step(t.sample())
    for i in range(t.n):
        assert t.game.audit(t.states[i], t.rules[t.rule[i]]) == []
        assert t.game.score_again(t.states[i], t.rules[t.rule[i]]) == t.scores[i].tolist()


def test_another_map() -> None:
    sc = Scene(2, overrides=MAP).energy(5).places(A="enchanted_runes").runes(1).dice(0, 1, 2, 4).act("move:plain_1")
    assert (sc.zone_of(0, "plain"), sc.options("collect")) == ("road", ["collect:egg"])
    assert (sc.legal("visit:A"), sc.legal("visit:D")) == (True, False)
    sc = Scene(2, overrides=MAP).minion(0, "plain", "caves").act("move:plain_3")
    assert (sc.zone_of(0, "plain"), sc.runes_of(0)) == ("maple", 2)
    play(sc.v)


def test_another_price_of_a_hero() -> None:
    overrides = {"heroes.bard.price": 1, "heroes.bard.amount": 4, "heroes.bard.prestige": 7, "heroes.bard.bonus": "egg"}
    sc = Scene(2, overrides=overrides).gold(1).energy(1).market("bard").act("hire:bard")
    assert (sc.gold_of(0), sc.ready_of(0)) == (0, ["bard"])
    sc.act("ability:bard", "bonus:bard")
    assert (sc.gold_of(0), sc.pantry_of(0)) == (4, ["egg"])
    sc = Scene(2, overrides=overrides).in_round(7).heroes(1, "bard").last_turn().act("bank_blank:4").end()
    assert sc.scores == [0, 7]
    play(sc.v)


def test_other_recipes_and_dragons() -> None:
    overrides = {
        "recipes.herb_broth.plant": 0, "recipes.herb_broth.egg": 3, "recipes.herb_broth.points": 30,
        "dragons.bogmaw.place": "A", "dragons.bogmaw.sword1": 2, "dragons.bogmaw.reward1": "prestige", "dragons.bogmaw.amount1": 9,
        "bank.blank.gold": 5, "minions.plain.slots": 5,
    }  # fmt: skip
    sc = Scene(2, overrides=overrides).recipes("herb_broth").pantry(0, "egg", "egg", "egg").act("cook:1_with_1")
    assert (sc.score_of(0), sc.pantry_of(0)) == (31, [])
    sc = Scene(2, overrides=overrides).dragon("bogmaw").energy(2).stand("plain", "wood").hunt("sword", "sword").attack(1, 1)
    assert sc.score_of(0) == 9
    assert Scene(2, overrides=overrides).act("bank_blank:3").gold_of(0) == 5
    play(sc.v)


@pytest.mark.parametrize(
    ("key", "value", "action", "gold"),
    [("bank.four.gold", 9, "bank:4", 9), ("bank.one.gold", 0, "bank:1", 0), ("start.gold", 5, "bank:2", 2)],
)
def test_the_bank_pays_what_the_table_says(key: str, value: int, action: str, gold: int) -> None:
    assert Scene(2, overrides={key: value}).act(action).gold_of(0) == gold


def test_a_second_deck_of_heroes() -> None:
    def last_of_a_deck(copies: int) -> Scene:
        sc = Scene(2, overrides={"hero.copies": copies}).gold(9, 9).market("druid", "bard", "thief", "jester")
        sc.s.heroes = 0
        return sc.show().act("hire:druid")

    sc = last_of_a_deck(1)
    assert (sc.market_heroes, int(sc.s.heroes)) == (["bard", "thief", "jester"], 0)
    sc = last_of_a_deck(2)
    assert (len(sc.market_heroes), int(sc.s.heroes).bit_count()) == (4, 16)
    assert {"bard", "thief", "jester"} < {*sc.market_heroes}
    sc.s.market |= 1 << L.HERO_NAMES.index("druid")
    assert not sc.show().legal("hire:druid")
    assert sc.act("source:4").end().legal("hire:druid")
    play(alehouse.variant("taverns_dragons", seats=5, overrides={"hero.copies": 3, **{f"heroes.{hero}.price": 0 for hero in L.HERO_NAMES}}))


def test_limits_and_costs() -> None:
    assert Scene(2, overrides={"game.energy_cap": 8}).energy(5).act("source:4").energy_of(0) == 8
    assert Scene(2, overrides={"start.gold": 7, "game.low_gold": 0}, blank=False).gold_of(0) == 7
    assert Scene(2, overrides={"start.energy": 3}, blank=False).energy_of(0) == 3
    assert not Scene(2, overrides={"game.bonus_energy": 2}).energy(1).heroes(0, "thief").legal("bonus:thief")
    sc = Scene(2, overrides={"game.pantry_point": 3}).in_round(7).pantry(1, "egg", "plant").last_turn().act("bank_blank:4").end()
    assert sc.scores == [0, 6]
    assert Scene(2, overrides={"places.portal.energy": 3}).energy(2).runes(1).stand("plain", "maple").options("visit") == []


def test_amounts_of_heroes_and_places() -> None:
    def table(key: str, value: int) -> Scene:
        return Scene(2, overrides={key: value})

    assert table("heroes.guardian.amount", 2).heroes(0, "guardian").dice(0, 1, 3, 4).act("ability:guardian").dice_of(0) == [3, 4, 4]
    assert table("heroes.champion.amount", 2).heroes(0, "champion", "bard").act("ability:champion").energy_of(0) == 4
    assert table("heroes.druid.amount", 3).heroes(0, "druid").act("ability:druid").pantry_of(0) == ["plant"] * 3
    sc = table("heroes.thief.amount", 2).gold(0, 5).heroes(0, "thief").act("ability:thief").answer("victim", "rob:left1")
    assert (sc.gold_of(0), sc.gold_of(1)) == (4, 3)
    sc = table("heroes.thief.amount", 2).gold(0, 1).heroes(0, "thief").act("ability:thief").answer("victim", "rob:left1")
    assert (sc.gold_of(0), sc.gold_of(1)) == (3, 0)  # nobody loses more gold than there is
    sc = table("heroes.runner.amount", 2).heroes(0, "runner").minion(0, "plain", "marsh").act("ability:runner", "minion:plain")
    assert sc.zone_of(0, "plain") == "caves"
    sc = table("heroes.huntress.amount", 2).heroes(0, "huntress").dragon("stormcrest").energy(1).runes(1).stand("plain", "road")
    assert len(sc.act("ability:huntress").answer("turn", "hunt:1").hunting) == 3
    assert table("heroes.jester.amount", 4).heroes(0, "jester").act("ability:jester").score_of(0) == 4
    sc = table("places.library.amount", 4).places(C="library").runes(1).minion(0, "plain", bag=["spice"]).stand("plain", "canyon")
    assert sc.act("visit:C").gold_of(0) == 4
    sc = table("dragons.bogmaw.special_amount", 1).dragon("bogmaw").energy(3).stand("plain", "canyon").hunt("flame").attack()
    assert sc.energy_of(0) == 1


def test_a_special_attack_takes_as_many_ingredients_as_the_table_says() -> None:
    """Five lost at once are the most that the tables allow, and the most that the stack of questions must hold."""
    sc = Scene(2, overrides={"dragons.emberwing.special_amount": 5, "minions.plain.slots": 5}).dragon("emberwing").energy(1).runes(1)
    sc.minion(0, "plain", bag=L.INGREDIENTS).stand("plain", "wood").hunt("flame").act("attack")
    assert sc.s.stack.n == CHAIN
    for left in range(5, 1, -1):
        assert (sc.question, len(sc.options())) == ("lose", left)
        sc.act(sc.options()[0])
    assert (sc.question, sc.bag_of(0, "plain")) == ("turn", [])


def test_fewer_rounds() -> None:
    sc = Scene(2, overrides={"game.rounds": 2})
    sc.finish_round()
    while sc.question != "turn":
        sc.act(sc.options()[0])
    sc.finish_round()
    assert sc.question == "over"
    sc = Scene(2, overrides={"game.rounds": 2}).in_round(2).minion(0, "plain", bag=["egg"]).stand("plain", "canyon").end()
    assert sc.pantry_of(0) == ["egg"]


def test_a_corrected_folder_of_tables(tmp_path: Path) -> None:
    export(L.FOLDER, tmp_path / "mine")
    path = tmp_path / "mine" / "heroes.csv"
    rows = list(csv.DictReader(path.open(newline="", encoding="utf-8")))
    for row in rows:
        row["price"] = str(int(row["price"]) + (row["key"] == "thief"))
    with path.open("w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    v = alehouse.variant("taverns_dragons", rules=str(tmp_path / "mine"))
    assert dict(v.overrides) == {"heroes.thief.price": L.NUMBERS.number("heroes.thief.price") + 1}


@pytest.mark.parametrize(
    "overrides",
    [
        {"heroes.bard.price": 21},
        {"heroes.nobody.price": 1},
        {"switch.auto_city": "sometimes"},
        {"switch.initial_recipes": 0},
        {"zones.wood.next": "nowhere"},
        {"zones.wood.next": "maple"},
        {"zones.city.next": "city", "zones.road.next": "meadow"},
        {"ingredients.plant.tokens": 8},
    ],
)
def test_impossible_numbers_are_refused(overrides: dict[str, int | str]) -> None:
    words = "|".join([*overrides, "zones", "ingredients"])
    with pytest.raises(ValueError, match=words):
        alehouse.variant("taverns_dragons", overrides=overrides)
