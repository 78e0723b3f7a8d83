"""Tables in words: dice, the last sale, and what follows an action without a choice."""

from alehouse.envs.core.verify.narration import narrated

from tests.envs.tavern_battle.editing import D
from tests.envs.tavern_battle.scene import HARD, Scene
from tests.envs.tavern_battle.test_trade import posting, sold, trade


def brawl(*modules: str) -> Scene:
    """Return a scene in which the Dwarf can strike the Gnome with a table leg."""
    return Scene(2, modules, heroes=("dwarf", "elf", "gnome", "amazon")).hand(0, "table_leg")


def test_dice_are_shown() -> None:
    sc = brawl()
    assert "roll" not in sc.t.text(0)
    sc.dice(lambda scene: scene.do("dwarf", "strike:table_leg", "gnome"), 6, 4, 2)
    for seat in (None, 0, 1):
        assert "last roll: 6, 4, 2" in sc.t.text(0, seat).split("\n")
    sc = brawl(*HARD)
    sc.lucky(lambda scene: scene.do("dwarf", "strike:table_leg", "gnome"), lambda scene: (scene.rolled, int(scene.s.parry)) == ([5], 3))
    assert "last roll: 5 against 3" in sc.t.text(0).split("\n")


def test_the_last_sale_is_shown_until_it_is_taken_back() -> None:
    sc = sold("enchanted_lute")
    sale = "last sale: ruby of player_0, for enchanted lute of player_1"
    assert sale in sc.t.text(0, 2).split("\n")
    assert "last sale" not in sc.act("post:disapproval").t.text(0, 2)


def test_dice_and_answers_without_a_choice_are_narrated() -> None:
    """Nobody can support, so the dice are rolled at once; then only the Amazon is upright. The table itself does not move."""
    sc = brawl().activate("dwarf").act("strike:table_leg")
    sc.s.seed = sc.clone().dice(lambda scene: scene.act("character:gnome"), 6, 6, 2).s.seed
    before = sc.t.states.tobytes()
    followed = ["player_0 roll (no choice)", "dwarf rolls 6, 6, 2", "player_1 character:amazon (no choice)"]
    assert narrated(sc.t, 0, sc.v.action("character:gnome")) == followed
    assert sc.t.states.tobytes() == before
    sc.act("character:gnome")
    assert (sc.question, sc.turn, sc.position("gnome")) == ("action", 1, D)
    assert narrated(sc.t, 0, sc.v.action("pass")) == ["player_0 character:elf (no choice)"]


def test_a_forced_sale_is_narrated() -> None:
    """The only treasure of the seller goes to the only other player; the buyer is asked in the next window."""
    sc = posting(trade(2).agitation(0, "refusal").agitation(1, "refusal").treasures(0, "ruby"), 0)
    assert narrated(sc.t, 0, sc.v.action("pass")) == []
    sc.act("pass")
    assert narrated(sc.t, 0, sc.v.action("pass")) == ["player_0 treasure:ruby (no choice)", "player_0 seat:left1 (no choice)"]
    sc.act("pass")
    assert (sc.question, sc.turn, sc.treasures_of(1)) == ("post", 1, ["ruby"])


def test_one_thing_is_not_several() -> None:
    sc = trade(3).agitation(1, "refusal").treasures(1, "ruby").agitation(0, "refusal").treasures(0, "wand", "crown")
    assert "  1 treasure; among them -" in posting(sc, 0).t.text(0, 0).split("\n")
    assert "  1 agitation card" in sc.t.text(0, 0).split("\n")
    assert "  1 object" in brawl().t.text(0, 1).split("\n")
    assert "1 arrival;" in brawl().join(0, "monk").t.text(0)
