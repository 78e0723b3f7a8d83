"""What a seat knows: a redeal keeps it and deals everything else again (section 6 and TB-R29 of the rules)."""

from collections import Counter

import alehouse
import numpy as np
import pytest
from alehouse.envs.tavern_battle import layout as L

from tests.envs.scene import guesses, members
from tests.envs.tavern_battle.editing import KO, D
from tests.envs.tavern_battle.scene import Scene, names
from tests.envs.tavern_battle.test_trade import selling, window

KEYS = range(25)


def hands(sc: Scene, viewer: int, seat: int) -> set[frozenset[str]]:
    """Return the treasures that redeals for one seat give another."""
    return {frozenset(members(sc.t.determinize(viewer, key).states[0].seat[seat].treasures, L.TREASURE_NAMES)) for key in KEYS}


def sale() -> Scene:
    """Return a scene in which seat 0 has sold the Ruby to seat 2 for Spyglass and Wand; seat 1 had offered the Crown."""
    sc = selling("ruby", "grimoire").treasures(1, "crown", "dark_ale", "saints_bone").treasures(2, "spyglass", "wand", "elven_bow")
    sc.act("treasure:ruby").act("treasure:crown").act("confirm").act("treasure:spyglass").act("treasure:wand").act("confirm")
    return sc.act("seat:left2")


def test_a_sale_is_seen_by_all() -> None:
    sc = sale()
    assert sc.treasures_of(0) == ["spyglass", "grimoire", "wand"]
    for hand in hands(sc, 1, 0):
        assert hand > {"spyglass", "wand"}
        assert len(hand) == 3
    for hand in hands(sc, 1, 2):
        assert "ruby" in hand
        assert len(hand) == 2
    for viewer in (0, 2):
        assert all("crown" in hand for hand in hands(sc, viewer, 1)), "offers refused were seen as well"
    assert len(hands(sc, 1, 0)) > 5, "the Grimoire is not known"


def test_own_cards_are_kept() -> None:
    sc = sale()
    for seat in range(3):
        assert hands(sc, seat, seat) == {frozenset(sc.treasures_of(seat))}


def test_a_theft_is_known_to_the_two_it_concerns() -> None:
    """The third seat had seen what seat 2 bought and offered; now each of these treasures may be gone or not."""
    sc = theft(sale(), "elven_bow")
    assert sc.treasures_of(2) == ["ruby"]
    assert all("elven_bow" in hand for hand in hands(sc, 2, 0))
    assert all("ruby" in hand for hand in hands(sc, 0, 2))
    assert {"ruby" in hand for hand in hands(sc, 1, 2)} == {True, False}
    assert {"ruby" in hand for hand in hands(sc, 1, 0)} == {True, False}
    assert all(hand > {"spyglass", "wand"} for hand in hands(sc, 1, 0))


def theft(sc: Scene, wanted: str) -> Scene:
    """Let seat 0 steal this treasure from seat 2; memories stay as they are."""
    sc.s.phase, sc.s.cursor, sc.s.seller = L.P_WINDOW, 1, 0
    sc.s.seat[0].agitation[L.FINGERS] = sc.s.seat[0].cards = 1
    sc._ask("post", 0)
    sc.show()
    return sc.lucky(lambda scene: scene.act("post:light_fingers").act("seat:left2"), lambda scene: wanted in scene.treasures_of(0))


def test_a_round_on_the_house_is_known_to_giver_and_taker() -> None:
    sc = (
        window("round_on_the_house", seats=3)
        .treasures(0, "ruby", "wand")
        .treasures(1, "crown", "grimoire")
        .treasures(2, "spyglass", "dark_ale")
    )
    sc.act("post:round_on_the_house").act("treasure:ruby").act("treasure:crown").act("treasure:spyglass")
    assert all("ruby" in hand for hand in hands(sc, 0, 1))
    assert all("crown" in hand for hand in hands(sc, 1, 2))
    assert len(hands(sc, 2, 1)) > 10


def test_a_round_on_the_house_passes_every_treasure_one_hand_on() -> None:
    """Seat 3 knows that seat 0 held Ruby and Crown: now one of them, it cannot tell which, is in the hand of seat 1."""
    sc = window("round_on_the_house", seats=4).treasures(0, "ruby", "crown").treasures(1, "wand", "grimoire")
    sc.treasures(2, "spyglass", "dark_ale").treasures(3, "elven_bow", "saints_bone")
    known, may = int(sc.s.seat[0].treasures), sc.s.seat[3].may
    may[:] = [known if place == L.HAND else int(there) & ~known for place, there in enumerate(may)]
    sc.act("post:round_on_the_house").act("treasure:ruby").act("treasure:grimoire").act("treasure:spyglass").act("treasure:elven_bow")
    kept = set()
    for key in KEYS:
        twin = sc.t.determinize(3, key).states[0]
        left, right, across, own = ({*members(twin.seat[q].treasures, L.TREASURE_NAMES)} for q in (1, 0, 2, 3))
        assert {"ruby", "crown"} < left | right
        assert not {"ruby", "crown"} & (across | own)
        assert "elven_bow" in right
        assert "spyglass" in own
        kept |= right
    assert kept == {"ruby", "crown", "elven_bow"}


def test_all_see_that_a_round_on_the_house_empties_a_hand() -> None:
    sc = window("round_on_the_house", seats=3).treasures(0, "ruby").treasures(1, "wand")
    sc.act("post:round_on_the_house")  # who has one treasure only is not asked
    assert (sc.treasures_of(0), sc.treasures_of(1), sc.treasures_of(2)) == ([], ["ruby"], ["wand"])
    assert sc.s.seat[2].may[L.HAND] == 0


def test_a_drawn_weapon_that_is_taken_leaves_its_bearer_before_all_eyes() -> None:
    """A KO hero's player gives the attacker a treasure from hand (3.5 (8)): here the sword that the Gnome has drawn."""
    sc = Scene(3, heroes=("barbarian", "elf", "paladin", "gnome", "dwarf", "amazon")).hand(0, "table_leg")
    sc.treasures(0, "ruby", "wand").treasures(1, "crown", "grimoire").drawn("gnome", "demonic_sword").put(D, "paladin")
    strike = lambda scene: scene.do("barbarian", "strike:table_leg", "paladin")  # noqa: E731
    sc = sc.lucky(strike, lambda scene: "demonic_sword" in scene.treasures_of(0))
    assert (sc.position("paladin"), len(sc.treasures_of(1)), sc.drawn_by("gnome")) == (KO, 2, [])
    assert all("demonic_sword" in hand for hand in hands(sc, 2, 0))
    assert len(hands(sc, 2, 0)) > 5


def test_a_picked_up_treasure_is_seen() -> None:
    sc = Scene(3, heroes=("dwarf", "elf")).treasures(1, "wand").treasures(0, "crown").drop("ruby", "grimoire")
    sc.activate("dwarf").act("pick_up").act("treasure:ruby")
    assert all("ruby" in hand for hand in hands(sc, 1, 0))
    assert len(hands(sc, 1, 0)) > 5


def test_what_is_put_safe_is_not_seen() -> None:
    sc = Scene(3, heroes=("gnome", "elf")).treasures(0, "crown", "ruby", "wand").treasures(1, "grimoire")
    sc.dice(lambda scene: scene.do("gnome", "window"), 6, 6, 1).act("treasure:crown").act("treasure:ruby")
    assert {int(sc.t.determinize(0, key).states[0].seat[0].safe) for key in KEYS} == {int(sc.s.seat[0].safe)}
    assert len({int(sc.t.determinize(1, key).states[0].seat[0].safe) for key in KEYS}) > 10


def test_a_shown_treasure_put_safe_may_be_either() -> None:
    """Seat 1 has seen Ruby and Crown among three treasures: two of the three are safe, and it cannot tell which."""
    sc = Scene(3, heroes=("gnome", "elf")).drop("crown", "ruby").treasures(0, "wand")
    sc.activate("elf").act("pick_up").act("treasure:ruby").until("activate", seat=0)
    sc.activate("gnome").act("pick_up").answer("pick", "treasure:crown").next_round().until("activate", seat=0)
    sc.dice(lambda scene: scene.do("gnome", "window"), 6, 6, 1).act("treasure:wand").act("treasure:ruby")
    left = Counter("ruby" in hand for hand in hands(sc, 1, 0))
    assert set(left) == {True, False}
    assert all(hand <= {"ruby", "crown"} or len(hand) == 1 for hand in hands(sc, 1, 0))


def test_an_offer_that_is_still_secret_is_dealt_again() -> None:
    """Seat 1 has offered one of three treasures: others know only that it offers any of the treasures that it may hold."""
    sc = selling("ruby", "grimoire").treasures(1, "crown", "dark_ale", "saints_bone").treasures(2, "spyglass", "wand", "elven_bow")
    sc.act("treasure:ruby").act("treasure:crown").act("confirm")
    assert (sc.question, sc.turn) == ("offer", 2)
    others = [sc.t.determinize(2, key).states[0].seat[1] for key in KEYS]
    assert all(int(one.offer) & ~int(one.treasures) == 0 for one in others)
    assert {int(one.offer).bit_count() for one in others} == {0, 1, 2, 3}
    assert {int(sc.t.determinize(1, key).states[0].seat[1].offer) for key in KEYS} == {int(sc.s.seat[1].offer)}


def test_hidden_hands_and_luck_are_dealt_again() -> None:
    sc = Scene(3, phase="window", blank=False)
    t = sc.t
    twins = [t.determinize(0, key).states[0] for key in KEYS]
    assert all((twin.seat[0].agitation == sc.s.seat[0].agitation).all() for twin in twins)
    assert len({twin.seat[1].agitation.tobytes() for twin in twins}) == 3, "two refusals, two disapprovals, or one of each"
    assert all(twin.seat[1].agitation.sum() == 2 for twin in twins)
    assert len({int(twin.seed) for twin in twins}) == len(KEYS)
    sc = Scene(2).hand(0, "plate", "stool").hand(1, "bottle", "bottle", "chair").discarded("tankard", "tankard")
    twins = [sc.t.determinize(0, key).states[0] for key in KEYS]
    assert {tuple(names(twin.seat[0].objects)) for twin in twins} == {("stool", "plate")}
    found = [names(twin.seat[1].objects) for twin in twins]
    assert len({tuple(hand) for hand in found}) > 18
    assert all(len(hand) == 3 and "tankard" not in hand for hand in found)


def test_what_was_shuffled_into_the_deck_is_known() -> None:
    """Seat 1 keeps a chair while the deck is made again from four plates: the deck and the rest of his hand are plates."""
    sc = Scene(2, overrides={"brawl.draw": 1})
    rest = Counter(names(sc.R.copies)) - Counter(plate=4, chair=1)
    sc.wrecked(*rest.elements()).discarded("plate", "plate", "plate", "plate").hand(1, "chair")
    sc.until("keep").act("keep:chair")
    assert (int(sc.s.left), sc.discard, sc.hand_of(0), sc.hand_of(1)) == (2, [], ["plate"], ["plate", "chair"])
    for key in KEYS:
        twin = sc.t.determinize(0, key).states[0]
        assert (names(twin.deck), names(twin.seat[1].objects)) == (["plate", "plate"], ["plate", "chair"])


def test_redeals_are_uniform() -> None:
    """Seat 1 holds any 6 of the 30 treasures that seat 0 does not hold; a treasure sold to it is there for sure."""
    v = alehouse.variant("tavern_battle", seats=2, overrides=guesses("tavern_battle"))
    t = alehouse.Tables(v, n=1000, autoreset=False)
    t.reset(seeds=[1] * t.n)
    held = t.determinize(0, 5).states["seat"]["treasures"][:, 1]
    mine = int(t.states[0].seat[0].treasures)
    for k in range(L.TREASURES):
        share = float((held >> k & 1).mean())
        assert share == 0 if mine >> k & 1 else abs(share - 0.2) < 0.05
    pairs = np.array([(held >> a & held >> b & 1).mean() for a in range(36) for b in range(a) if not (mine >> a | mine >> b) & 1])
    assert abs(pairs - 6 * 5 / (30 * 29)).max() < 0.03


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_pictures_show_a_seat_its_own_cards_only(seat: int) -> None:
    sc = Scene(3, phase="window", blank=False)
    text = sc.t.text(0, seat)
    for other in range(3):
        for name in sc.treasures_of(other):
            assert (name.replace("_", " ") in text.lower()) == (other == seat)
    assert all(name.replace("_", " ") in sc.t.text(0).lower() for other in range(3) for name in sc.treasures_of(other))
