"""The tables of the game: sources, totals, ranges, overrides (section 1 of the rules)."""

import alehouse
import pytest
from alehouse.envs.tavern_battle.layout import NUMBERS

from tests.envs.scene import guesses, worked
from tests.envs.tavern_battle.page import TAVERN
from tests.envs.tavern_battle.editing import T, U
from tests.envs.tavern_battle.scene import Scene, names

TAGS = {"seed", "seed*", "src", "mem", "guess", "rule"}


def test_every_entry_names_its_source() -> None:
    assert [entry.key for entry in NUMBERS.values() if entry.provenance.split(":")[0] not in TAGS] == []


def test_the_reconstruction_says_so() -> None:
    """What no source gives is marked as a guess, so that it can be listed and corrected."""
    guesses = {entry.key for entry in NUMBERS.guesses()}
    guessed = "heroes.dwarf.strength", "treasures.ruby.type1", "objects.stool.value", "arrivals.monk.affinity1", "agitation.elbow.copies"
    assert guesses.issuperset(guessed)
    assert "tavern.good.points" not in guesses


@pytest.mark.parametrize(
    ("table", "rows"), [("heroes", 12), ("treasures", 36), ("objects", 20), ("arrivals", 17), ("agitation", 8), ("tavern", 7)]
)
def test_rows_of_each_table(table: str, rows: int) -> None:
    assert len(NUMBERS.rows(table)) == rows


def test_twelve_agitation_cards() -> None:
    """Two kinds of six cards each; those with invented effects are six kinds of two cards each."""
    assert worked("tavern_battle").column("agitation", "copies").tolist() == [6, 6, *[2] * 6]


def test_tavern_table() -> None:
    assert tuple(zip(NUMBERS.column("tavern", "least"), NUMBERS.column("tavern", "points"), strict=True)) == TAVERN


@pytest.mark.parametrize(
    "overrides",
    [
        {"start.agitation": 3},
        {"heroes.dwarf.strength": 9},
        {"heroes.dwarf.affinity1": "gold"},
        {"switch.base_support": "maybe"},
        {"objects.stool.copies": 13},
        {"objects.wall_trophy.copies": 2},
        {"tavern.good.least": 31},
        {"agitation.refusal.copies": 13},
        {"heroes.troll.value3": 2},
        {"heroes.tavernkeeper.value1": 1},
    ],
)
def test_impossible_numbers_are_refused(overrides: dict[str, int | str]) -> None:
    with pytest.raises(ValueError, match="heroes|tavern|" + "|".join(overrides)):
        alehouse.variant("tavern_battle", seats=6, overrides=overrides)


def test_too_few_agitation_cards_are_refused() -> None:
    fewer = guesses("tavern_battle") | {"agitation.refusal.copies": "4"}
    alehouse.variant("tavern_battle", seats=5, overrides=fewer)
    with pytest.raises(ValueError, match="agitation"):
        alehouse.variant("tavern_battle", seats=6, overrides=fewer)


@pytest.mark.parametrize("modules", [("tete_dure",), ("casse_tout", "tete_dure")])
def test_tete_dure_needs_tous_sur_un(modules: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="tous_sur_un"):
        alehouse.variant("tavern_battle", modules=modules)


def test_thirty_variants() -> None:
    assert len(list(alehouse.variants("tavern_battle"))) == 30


# Numbers at work


def table(**overrides: int | str) -> Scene:
    numbers = {key.replace("__", "."): value for key, value in overrides.items()}
    return Scene(2, heroes=("dwarf", "elf", "gnome", "amazon"), overrides=numbers)


def test_scores_and_supports() -> None:
    sc = table(heroes__dwarf__strength=4, arrivals__monk__support_strength=2).join(0, "monk").hand(0, "stool")
    assert len(sc.do("dwarf", "strike:stool", "gnome", ["monk"]).rolled) == 6
    assert len(table(combat__bonus=3).drawn("dwarf", "demonic_sword").do("dwarf", "strike_drawn:demonic_sword", "gnome").rolled) == 6


def test_dice_that_hurt() -> None:
    sc = table(combat__hurts_hero=4).hand(0, "stool").dice(lambda scene: scene.do("dwarf", "strike:stool", "gnome"), 4, 3, 3)
    assert sc.position("gnome") == T
    sc = table(combat__hurts_arrival=6).join(1, "monk").hand(0, "stool")
    assert sc.dice(lambda scene: scene.do("dwarf", "strike:stool", "monk"), 5, 5, 3).position("monk") == U
    sc = table(combat__breaking_ones=1).hand(0, "stool").dice(lambda scene: scene.do("dwarf", "strike:stool", "gnome"), 1, 3, 3)
    assert (sc.broken, sc.tavern) == (["stool"], 29)


def test_tests_and_flight() -> None:
    sc = table(test__hide_from=4).hand(0, "curtain").dice(lambda scene: scene.do("elf", "hide:curtain"), 4, 1, 1)
    assert sc.den_of("elf") == "curtain"
    sc = table(test__window_from=5, flight__secured=1).treasures(0, "ruby", "wand")
    sc.dice(lambda scene: scene.do("elf", "window"), 5, 5, 1).act("treasure:ruby")
    assert (sc.position("elf"), sc.safe_of(0)) == ("fled", ["ruby"])
    sc = table(flight__secured=0).treasures(0, "ruby").dice(lambda scene: scene.do("elf", "window"), 6, 6, 6)
    assert (sc.position("elf"), sc.safe_of(0), sc.treasures_of(0)) == ("fled", [], ["ruby"])
    sc = table(test__window_dice=1).activate("dwarf")
    assert sc.legal("window")


def test_supports_decide_whether_a_test_can_be_tried() -> None:
    def troll(**overrides: int) -> Scene:
        numbers = {key.replace("__", "."): value for key, value in overrides.items()}
        return Scene(2, heroes=("troll", "dwarf", "gnome", "amazon"), overrides=numbers).join(0, "witch", "bard")

    assert troll(combat__supports=1).activate("troll").legal("window") is False
    assert troll().put(T, "bard").activate("troll").legal("window") is False
    strong = troll(arrivals__witch__support_cunning=2).put(T, "bard").activate("troll")
    assert strong.legal("window")
    assert len(strong.act("window").answer("support", "character:witch").answer("support", "roll").rolled) == 2


def test_objects_of_the_brawl() -> None:
    sc = table(brawl__draw=5, brawl__many=1).join(1, "monk").next_round()
    assert [len(sc.hand_of(seat)) for seat in (0, 1)] == [2, 3]
    sc = Scene(2, overrides={"start.objects": 5}, blank=False)
    assert len(sc.hand_of(0)) - int(sc.s.seat[0].cloaks) == 5
    sc = table(objects__stool__copies=5, objects__stool__value=4)
    assert names(sc.R.copies).count("stool") == 5
    assert sc.wrecked("stool").tavern == 26


def test_supplies_can_be_raised_until_they_do_not_run_out() -> None:
    """With 229 objects six seats never shuffle the discarded ones; more agitation cards can be dealt, too."""
    objects = {f"objects.{kind}.copies": 12 for kind in NUMBERS.rows("objects") if kind != "wall_trophy"}
    t = alehouse.Tables(alehouse.variant("tavern_battle", seats=6, overrides=objects), n=3, autoreset=False)
    assert t.states["left"].tolist() == [12 * 19 + 1] * 3
    least = 229
    while not t.over.all():
        t.step(t.sample())
        least = min(least, int(t.states["left"].min()))
    assert 0 < least < 229 - 6 * 3
    copies = {"agitation.refusal.copies": 12, "agitation.disapproval.copies": 12, "start.agitation": 4}
    sc = Scene(6, phase="window", blank=False, overrides=copies)
    assert [len(sc.cards_of(seat)) for seat in range(6)] == [4] * 6


def test_affinities_decide_score_and_claims() -> None:
    sc = table(heroes__dwarf__affinity1="holy", treasures__ruby__type2="holy").treasures(0, "ruby", "dark_ale").last_round().next_round()
    assert sc.scores[0] == 2
    sc = table(heroes__dwarf__affinity1="holy", arrivals__pilgrim__affinity2="beer")
    kin = int(sc.R.kin[list(NUMBERS.rows("arrivals")).index("pilgrim")])
    assert {name for k, name in enumerate(NUMBERS.rows("heroes")) if kin >> k & 1} == {
        "dwarf", "troll", "tavernkeeper", "barbarian", "paladin", "priestess",
    }  # fmt: skip


def test_arrivals_of_a_round_and_the_militia() -> None:
    sc = table(brawl__arrivals=1).next_round()
    assert (int(sc.s.drawn), sc.round) == (1, 2)
    sc = table(brawl__militia_among=0, brawl__arrivals=6)
    rounds = 0
    while sc.question != "over":
        sc.next_round()
        rounds += 1
    assert (rounds, int(sc.s.arrivals)) == (3, 0)


def test_trade_turns() -> None:
    sc = Scene(2, phase="window", blank=False, overrides={"trade.turns": 1})
    while sc.question != "over":
        options = sc.options()
        sc.act("pass" if "pass" in options else "confirm" if "confirm" in options else options[0])
    assert int(sc.s.turns) == 2


def test_variants_numbers() -> None:
    casse = {"casse_tout.breaks_from": 6, "casse_tout.draw": 1}
    sc = Scene(2, ("casse_tout",), heroes=("dwarf", "elf", "gnome", "amazon"), overrides=casse).hand(0, "stool")
    sc.dice(lambda scene: scene.do("dwarf", "strike:stool", "gnome"), 5, 5, 3)
    assert sc.broken == []
    assert len(sc.next_round().hand_of(0)) == 1
    hard = {"tete_dure.down": 4, "tete_dure.ko": 6}
    sc = Scene(2, ("tous_sur_un", "tete_dure"), heroes=("dwarf", "elf", "gnome", "amazon"), overrides=hard).hand(0, "stool")
    sc.lucky(lambda scene: scene.do("dwarf", "strike:stool", "gnome"), lambda scene: (scene.rolled, int(scene.s.parry)) == ([5], 4))
    assert sc.position("gnome") == T
    lends = {"heroes.elf.support_strength": 2}
    sc = Scene(2, ("tous_sur_un",), heroes=("dwarf", "elf", "gnome", "amazon"), overrides=lends).hand(0, "stool")
    assert len(sc.do("dwarf", "strike:stool", "gnome", ["elf"]).rolled) == 5
