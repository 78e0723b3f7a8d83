"""Set-up and the trade: agitation, the treasure for sale, offers, the buyer (sections 1.7, 2, 3.1 and 3.2 of the rules)."""

from collections import Counter

import alehouse
import pytest
from alehouse.envs.tavern_battle import layout as L
from alehouse.envs.tavern_battle.state import NOBODY

from tests.envs.tavern_battle.editing import T, U
from tests.envs.scene import guesses, rule
from tests.envs.tavern_battle.scene import Scene, names


INVENTED = {"switch.agitation_effects": "invented"}


def trade(seats: int = 3, **more: object) -> Scene:
    """Return a scene in the first trade turn, with seat 0 to sell; nobody holds anything yet."""
    return Scene(seats, phase="window", **more)  # type: ignore[arg-type]


def window(kind: str, seats: int = 3, effects: str = "") -> Scene:
    """Return the scene with seat 0 asked whether it posts a card of this kind; `effects` is a switch, by default that of the kind."""
    effects = effects or ("trade" if kind in ("refusal", "disapproval") else "invented")
    return posting(trade(seats, overrides={"switch.agitation_effects": effects}).agitation(0, kind), 0)


def posting(sc: Scene, seat: int) -> Scene:
    """Return the scene with a seat asked whether it posts a card, in the window of the present seller."""
    sc._ask("post", seat)
    sc.s.cursor = 1 + (seat - int(sc.s.seller)) % sc.seats
    return sc.show()


def selling(*treasures: str, seats: int = 3, **more: object) -> Scene:
    """Return the scene with seat 0 asked which of its treasures it sells."""
    sc = trade(seats, **more).treasures(0, *treasures)
    sc.s.phase, sc.s.cursor = L.P_REVEAL, 0
    sc._ask("reveal", 0)
    return sc.show()


# Set-up


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_set_up(seats: int) -> None:
    sc = Scene(seats, phase="window", blank=False)
    owned = [sc.group(seat) for seat in range(seats)]
    assert [len(group) for group in owned] == [2] * seats
    assert len({hero for group in owned for hero in group}) == 2 * seats
    assert {hero for group in owned for hero in group} <= set(L.HERO_NAMES)
    assert sc.positions(*owned[0]) == [U, U]
    held = [sc.treasures_of(seat) for seat in range(seats)]
    assert [len(hand) for hand in held] == [6] * seats
    assert len({t for hand in held for t in hand}) == 6 * seats
    assert [len(sc.cards_of(seat)) for seat in range(seats)] == [2] * seats
    assert max(Counter(card for seat in range(seats) for card in sc.cards_of(seat)).values()) <= 6
    assert [sc.hand_of(seat) for seat in range(seats)] == [[]] * seats
    assert (sc.question, sc.turn, sc.tavern) == ("post", 0, 30)


def test_deals_and_first_sellers_differ() -> None:
    t = alehouse.Tables(alehouse.variant("tavern_battle", seats=3, overrides=guesses("tavern_battle")), n=3000, autoreset=False)
    sellers = Counter(int(x) for x in t.states["seller"])
    assert all(abs(sellers[p] - 1000) < 150 for p in range(3))
    owners = t.states["owner"][:, : L.HEROES]
    assert all(abs(int((owners[:, h] == 0).sum()) - 500) < 120 for h in range(L.HEROES))
    holders = t.states["seat"]["treasures"][:, 0]
    assert all(abs(int((holders >> k & 1).sum()) - 500) < 120 for k in range(L.TREASURES))
    kinds = dict(zip(L.AGITATION_NAMES, t.states["seat"]["agitation"][:, 0].sum(axis=0).tolist(), strict=True))
    assert [kind for kind, n in kinds.items() if n] == ["refusal", "disapproval"]
    assert abs(kinds["refusal"] - 3000) < 150


@rule("TB-R2")
@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_treasures_dealt(n: int) -> None:
    sc = Scene(6, phase="window", blank=False, overrides={"switch.treasures_per_player": n})
    assert [len(sc.treasures_of(seat)) for seat in range(6)] == [n] * 6
    for bad in (2, 7):
        with pytest.raises(ValueError, match="treasures_per_player"):
            alehouse.variant("tavern_battle", overrides={"switch.treasures_per_player": bad})


# The turn


def test_the_window_goes_round_from_the_seller() -> None:
    sc = posting(trade(4).agitation(0, "refusal").agitation(1, "refusal", "disapproval").agitation(3, "disapproval"), 0)
    sc.treasures(1, "ruby").treasures(0, "wand")
    assert sc.options() == ["pass", "post:refusal"]
    sc.act("pass")
    assert (sc.turn, sc.options()) == (1, ["pass", "post:refusal", "post:disapproval"])
    sc.act("pass")
    assert (sc.turn, sc.options()) == (3, ["pass", "post:disapproval"])
    sc.act("pass")
    assert sc.question != "post"


def test_the_window_begins_with_the_seller() -> None:
    sc = Scene(3, phase="window", blank=False)
    sc.until("reveal").act(sc.options()[0]).act("confirm").act("confirm").act("seat:left1")
    order = []
    while sc.question == "post":
        order.append(sc.turn)
        sc.act("pass")
    assert (order, sc.question, sc.turn) == ([1, 2, 0], "reveal", 1)


def test_one_card_a_window() -> None:
    sc = window("bottle_under_the_cloak").agitation(0, "bottle_under_the_cloak", "insult").agitation(1, "elbow")
    sc.treasures(0, "ruby", "wand")
    sc.act("post:bottle_under_the_cloak")
    assert (sc.turn, sc.question, int(sc.s.posted), sc.cards_of(0)) == (1, "post", 1, ["insult"])
    sc.act("pass")
    assert (sc.turn, sc.question) == (0, "reveal")


def test_posted_cards_are_spent() -> None:
    sc = window("insult", seats=2).act("post:insult")
    assert (sc.cards_of(0), names(sc.s.agitation, L.AGITATION_NAMES)) == ([], ["insult"])


@rule("TB-T18")
def test_a_sale() -> None:
    def table() -> Scene:
        sc = selling("ruby", "crown", seats=4).treasures(2, "spyglass", "wand", "grimoire").treasures(1, "dark_ale", "devils_stout")
        return sc.treasures(3, "dark_ale").treasures(1, "devils_stout", "saints_bone").act("treasure:ruby")

    sc = table()
    assert (sc.question, sc.turn) == ("offer", 1)
    sc.act("confirm")
    assert (sc.turn, sc.options()) == (2, ["confirm", "treasure:spyglass", "treasure:grimoire", "treasure:wand"])
    sc.act("treasure:spyglass")
    assert sc.options() == ["confirm", "treasure:grimoire", "treasure:wand"]
    sc.act("treasure:wand").answer("offer", "confirm")
    assert sc.turn == 3
    sc.act("treasure:dark_ale").answer("offer", "confirm")
    assert (sc.question, sc.turn, sc.options()) == ("buyer", 0, ["seat:left1", "seat:left2", "seat:left3"])
    sc.act("seat:left2")
    assert sc.treasures_of(0) == ["spyglass", "wand", "crown"]
    assert sc.treasures_of(2) == ["grimoire", "ruby"]
    assert sc.treasures_of(3) == ["dark_ale"]
    assert sc.treasures_of(1) == ["devils_stout", "saints_bone"]
    assert (int(sc.s.seller), int(sc.s.turns)) == (1, 1)


@rule("TB-R17")
def test_the_seller_must_sell() -> None:
    sc = selling("ruby", "crown").treasures(1, "wand").treasures(2, "spyglass").act("treasure:ruby").act("confirm").act("confirm")
    assert (sc.question, sc.options()) == ("buyer", ["seat:left1", "seat:left2"])
    sc.act("seat:left2")
    assert (sc.treasures_of(0), sc.treasures_of(1), sc.treasures_of(2)) == (["crown"], ["wand"], ["spyglass", "ruby"])


def test_the_next_seller_sits_to_the_left() -> None:
    sc = selling("ruby", "crown").treasures(1, "wand", "grimoire").treasures(2, "spyglass")
    sc.act("treasure:ruby").act("confirm").act("confirm").act("seat:left1")
    assert (sc.question, sc.turn) == ("reveal", 1)


def test_a_seller_without_treasures_is_passed_over() -> None:
    sc = selling("ruby", "crown", seats=4).treasures(3, "wand", "spyglass").act("treasure:ruby").act("confirm").act("seat:left3")
    assert (sc.question, sc.turn, int(sc.s.turns)) == ("reveal", 3, 3)


@rule("TB-R16")
def test_offers_are_secret_until_all_are_made() -> None:
    """What a seat may see does not change while another makes its offer; then all see all offers."""

    def offered(*cards: str) -> Scene:
        sc = selling("ruby", "crown", seats=3).treasures(1, "wand", "spyglass", "dark_ale").treasures(2, "saints_bone", "grimoire")
        sc.act("treasure:ruby")
        for card in cards:
            sc.act(f"treasure:{card}")
        return sc.act("confirm")

    a, b = offered("dark_ale", "spyglass"), offered("dark_ale", "wand")
    for seat in (0, 2):
        assert (a.t.observe(0, seat) == b.t.observe(0, seat)).all()
        assert a.t.text(0, seat) == b.t.text(0, seat)
    assert (a.t.observe(0, 1) != b.t.observe(0, 1)).any()
    a.act("confirm")
    b.act("confirm")
    for seat in (0, 2):
        assert (a.t.observe(0, seat) != b.t.observe(0, seat)).any()
        assert a.t.text(0, seat) != b.t.text(0, seat)


@rule("TB-R24")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_peace_after_four_turns_a_player(seats: int) -> None:
    sc = Scene(seats, phase="window", blank=False)
    while sc.question != "over":
        turns = int(sc.s.turns)
        assert turns < 4 * seats
        options = sc.options()
        sc.act("pass" if "pass" in options else "confirm" if "confirm" in options else options[0])
    assert int(sc.s.turns) == 4 * seats
    assert (int(sc.s.posted), sc.tavern, sc.round) == (0, 30, 0)
    keeper = [seat for seat in range(seats) if "tavernkeeper" in sc.group(seat)]
    if keeper:
        assert sc.scores[keeper[0]] >= 8


def test_max_offer() -> None:
    sc = selling("ruby", "crown", overrides={"switch.max_offer": 1}).treasures(1, "wand", "spyglass", "dark_ale").act("treasure:ruby")
    assert sc.act("treasure:dark_ale").options() == ["confirm"]
    assert sc.act("confirm").turn == 0
    sc = selling("ruby", "crown", overrides={"switch.max_offer": 2}).treasures(1, "wand", "spyglass", "dark_ale", "grimoire")
    sc.act("treasure:ruby").act("treasure:dark_ale")
    assert sc.options() == ["confirm", "treasure:spyglass", "treasure:grimoire", "treasure:wand"]
    assert sc.act("treasure:spyglass").options() == ["confirm"]


# The brawl begins


@rule("TB-T17")
def test_the_last_card_ends_the_trade() -> None:
    sc = window("elbow", seats=3).agitation(0).agitation(2, "elbow").agitation(1, "insult").posted("insult", "elbow")
    sc.s.leader = 0
    posting(sc.treasures(0, "wand", "crown").treasures(1, "ruby", "grimoire"), 2)
    sc.act("post:elbow").act("seat:left2").act("treasure:ruby")
    assert (sc.fallen, sc.treasures_of(1)) == (["ruby"], ["grimoire"])
    assert (sc.phase, sc.question, sc.turn, int(sc.s.posted)) == ("brawl", "activate", 2, 3)
    assert [len(sc.hand_of(seat)) for seat in range(3)] == [3, 3, 3]
    assert sc.cards_of(1) == []


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_as_many_cards_as_players(seats: int) -> None:
    sc, last = Scene(seats, phase="window", blank=False, overrides={"switch.agitation_effects": "off"}), -1
    while sc.phase != "brawl":
        assert int(sc.s.posted) < seats or sc.question != "post"
        posts = sc.options("post")
        last = sc.turn if posts else last
        sc.act(posts[0] if posts else sc.options()[0])
    assert (int(sc.s.posted), sc.leader) == (seats, last)
    assert [seat for seat in range(seats) if sc.cards_of(seat)] == []


# Agitation cards, by name


def sold(*paid: str, seats: int = 4) -> Scene:
    """Return the scene after seat 0 has sold the ruby to seat 1 for these treasures; seats 2 and 3 hold a disapproval each."""
    sc = selling("ruby", "crown", seats=seats).treasures(1, "wand", *paid)
    for seat in range(2, seats):
        sc.agitation(seat, "disapproval")
    sc.act("treasure:ruby")
    for name in sorted(paid, key=L.TREASURE_NAMES.index):
        sc.act(f"treasure:{name}")
    return sc.answer("offer", "confirm").act("seat:left1")


@rule("TB-T30")
def test_refusal() -> None:
    sc = trade(4).treasures(1, "ruby", "wand").treasures(2, "crown", "grimoire").agitation(2, "refusal")
    sc.s.seller = 1
    posting(sc, 2).act("post:refusal")
    assert (sc.question, sc.turn, int(sc.s.seller), int(sc.s.shown)) == ("reveal", 2, 2, NOBODY)
    assert (names(sc.s.agitation, L.AGITATION_NAMES), int(sc.s.posted)) == (["refusal"], 1)
    assert (sc.treasures_of(1), sc.treasures_of(2)) == (["wand", "ruby"], ["grimoire", "crown"])


def test_refusal_of_ones_own_sale_opens_a_new_window() -> None:
    sc = window("refusal").agitation(0, "refusal", "disapproval").agitation(2, "refusal").treasures(0, "ruby", "wand")
    sc.act("post:refusal")
    assert (sc.question, sc.turn, int(sc.s.seller), int(sc.s.turns)) == ("post", 2, 1, 1)
    sc.act("pass")
    assert (sc.question, sc.turn, sc.options()) == ("post", 0, ["pass", "post:disapproval"])


def test_refusal_can_end_the_trade_or_bring_the_brawl() -> None:
    sc = window("refusal", seats=2)
    sc.s.turns = 4 * 2 - 1
    assert sc.act("post:refusal").question == "over"
    sc = window("refusal", seats=2).posted("disapproval")
    sc.s.turns = 4 * 2 - 1
    assert (sc.act("post:refusal").phase, sc.leader) == ("brawl", 0)


@rule("TB-T29")
def test_disapproval() -> None:
    sc = sold("enchanted_lute")
    assert (sc.treasures_of(0), sc.treasures_of(1)) == (["enchanted_lute", "crown"], ["wand", "ruby"])
    assert (sc.question, sc.turn, int(sc.s.seller)) == ("post", 2, 1)
    sc.act("post:disapproval")
    assert (sc.treasures_of(0), sc.treasures_of(1)) == (["ruby", "crown"], ["wand", "enchanted_lute"])
    assert (sc.question, sc.turn, int(sc.s.posted), int(sc.s.seller)) == ("post", 3, 1, 1)


def test_disapproval_takes_a_sale_back_once() -> None:
    sc = sold("enchanted_lute").act("post:disapproval").act("post:disapproval")
    assert (sc.treasures_of(0), sc.treasures_of(1)) == (["ruby", "crown"], ["wand", "enchanted_lute"])
    assert (int(sc.s.posted), sc.question, sc.turn) == (2, "reveal", 1)


@pytest.mark.parametrize("moved", ["ruby", "enchanted_lute", "spyglass"])
def test_disapproval_needs_all_treasures_where_the_sale_brought_them(moved: str) -> None:
    sc = sold("spyglass", "enchanted_lute").treasures(3, moved)
    before = [sc.treasures_of(seat) for seat in range(4)]
    sc.act("post:disapproval")
    assert ([sc.treasures_of(seat) for seat in range(4)], int(sc.s.posted)) == (before, 1)


def test_disapproval_without_a_sale_only_counts() -> None:
    sc = window("disapproval").treasures(0, "ruby", "wand").treasures(1, "crown").act("post:disapproval")
    assert (sc.treasures_of(0), sc.treasures_of(1), int(sc.s.posted)) == (["wand", "ruby"], ["crown"], 1)


def test_disapproval_concerns_the_last_sale_and_takes_effect_before_the_brawl() -> None:
    sc = sold("enchanted_lute").act("pass", "pass").act("treasure:wand", "confirm").posted("refusal", "refusal", "refusal")
    sc.act("seat:left3", "pass", "post:disapproval")
    assert (sc.phase, sc.leader) == ("brawl", 3)
    assert (sc.treasures_of(0), sc.treasures_of(1)) == (["enchanted_lute", "crown"], ["wand", "ruby"])


def test_disapproval_is_seen_by_all() -> None:
    """What was bought for nothing goes back, and everybody knows where it lies."""
    sc = selling("ruby", "crown", seats=3).treasures(2, "wand").agitation(2, "disapproval").act("treasure:ruby", "confirm", "seat:left1")
    sc.act("post:disapproval")
    assert (sc.treasures_of(0), sc.treasures_of(1)) == (["ruby", "crown"], [])
    for seat in range(3):
        may = sc.s.seat[seat].may
        ruby = 1 << L.TREASURE_NAMES.index("ruby")
        assert [place for place in range(L.PLACES) if int(may[place]) & ruby] == [L.HAND]


def test_elbow() -> None:
    sc = window("elbow").treasures(1, "ruby", "wand").act("post:elbow")
    assert (sc.question, sc.turn, sc.options()) == ("drop", 1, ["treasure:wand", "treasure:ruby"])
    sc.act("treasure:wand")
    assert (sc.fallen, sc.treasures_of(1), sc.treasures_of(0)) == (["wand"], ["ruby"], [])
    sc = window("elbow").treasures(1, "ruby", "wand").treasures(2, "crown").act("post:elbow")
    assert (sc.question, sc.turn, sc.options()) == ("victim", 0, ["seat:left1", "seat:left2"])
    assert sc.act("seat:left2").fallen == ["crown"]
    sc = window("elbow").treasures(0, "crown").act("post:elbow")
    assert (int(sc.s.posted), sc.treasures_of(0), sc.fallen) == (1, ["crown"], [])


def test_light_fingers() -> None:
    taken: Counter[str] = Counter()
    start = window("light_fingers").treasures(1, "ruby", "wand", "crown").treasures(0, "grimoire")
    for seed in range(300):
        sc = start.clone()
        sc.s.seed = seed
        sc.act("post:light_fingers")
        assert len(sc.treasures_of(1)) == 2
        taken.update(set(sc.treasures_of(0)) - {"grimoire"})
    assert sum(taken.values()) == 300
    assert all(abs(taken[name] - 100) < 50 for name in ("ruby", "wand", "crown"))


def test_round_on_the_house() -> None:
    sc = window("round_on_the_house", seats=4).treasures(0, "ruby", "wand").treasures(1, "crown", "grimoire").treasures(3, "spyglass")
    sc.act("post:round_on_the_house")
    assert (sc.question, sc.turn, sc.options()) == ("pass_left", 0, ["treasure:wand", "treasure:ruby"])
    sc.act("treasure:ruby")
    assert (sc.turn, sc.treasures_of(1)) == (1, ["grimoire", "crown"])
    sc.act("treasure:crown")
    assert sc.treasures_of(0) == ["spyglass", "wand"]
    assert sc.treasures_of(1) == ["grimoire", "ruby"]
    assert sc.treasures_of(2) == ["crown"]
    assert sc.treasures_of(3) == []


def test_what_is_passed_left_is_chosen_before_anything_moves() -> None:
    sc = window("round_on_the_house", seats=2).treasures(0, "ruby", "wand").treasures(1, "crown", "grimoire")
    sc.act("post:round_on_the_house").act("treasure:ruby")
    before = sc.t.observe(0, 1)
    assert sc.labels("treasure") == ["grimoire", "crown"]
    other = window("round_on_the_house", seats=2).treasures(0, "ruby", "wand").treasures(1, "crown", "grimoire")
    other.act("post:round_on_the_house").act("treasure:wand")
    assert (other.t.observe(0, 1) == before).all()


def test_insult() -> None:
    sc = trade(3, heroes=("dwarf", "elf", "gnome", "amazon", "thief", "troll"), overrides=INVENTED)
    posting(sc.agitation(0, "insult").agitation(1, "insult").agitation(2, "elbow"), 0).act("post:insult")
    assert (sc.question, sc.turn, sc.labels("character")) == ("insult", 0, ["troll", "thief", "gnome", "amazon"])
    sc.act("character:amazon")
    assert sc.position("amazon") == U
    assert (sc.question, sc.turn) == ("post", 1)
    sc.act("post:insult").act("character:dwarf").act("post:elbow")
    assert (sc.phase, sc.turn) == ("brawl", 2)
    assert sc.positions("dwarf", "elf", "gnome", "amazon", "thief", "troll") == [T, U, U, T, U, U]


def test_nobody_is_insulted_twice() -> None:
    sc = trade(3, heroes=("dwarf", "elf", "gnome", "amazon"), overrides=INVENTED).agitation(0, "insult").agitation(1, "insult")
    posting(sc, 0).act("post:insult").act("character:gnome").act("post:insult")
    assert sc.labels("character") == [name for name in L.HERO_NAMES if name in {"dwarf", "elf", *sc.group(2)}]


def test_bait_and_switch() -> None:
    """The treasure taken is drawn before the other one is given: the given one never comes straight back."""
    for seed in range(40):
        sc = window("bait_and_switch", seats=2).treasures(0, "ruby", "wand").treasures(1, "crown", "grimoire")
        sc.s.seed = seed
        sc.act("post:bait_and_switch")
        assert (sc.question, sc.turn, sc.options()) == ("bait", 0, ["treasure:wand", "treasure:ruby"])
        sc.act("treasure:ruby")
        got = (set(sc.treasures_of(0)) - {"wand"}).pop()
        assert got in ("crown", "grimoire")
        assert set(sc.treasures_of(1)) == {"crown", "grimoire", "ruby"} - {got}
    sc = window("bait_and_switch", seats=2).treasures(1, "crown", "wand").act("post:bait_and_switch")
    assert (sc.treasures_of(1), int(sc.s.posted)) == (["wand", "crown"], 1)


def test_bottle_under_the_cloak() -> None:
    sc = window("bottle_under_the_cloak", seats=2).agitation(1, "elbow").act("post:bottle_under_the_cloak").act("post:elbow")
    assert (sc.phase, [len(sc.hand_of(seat)) for seat in (0, 1)]) == ("brawl", [4, 3])
    sc = window("bottle_under_the_cloak", seats=2).agitation(0, "bottle_under_the_cloak", "bottle_under_the_cloak")
    sc.treasures(0, "ruby", "wand").act("post:bottle_under_the_cloak")
    while sc.phase != "brawl":
        posts = sc.options("post")
        sc.act(posts[0] if posts else sc.options()[0])
    assert [len(sc.hand_of(seat)) for seat in (0, 1)] == [5, 3]


@rule("TB-R15")
@pytest.mark.parametrize("effects", ["trade", "invented", "off"])
def test_agitation_cards_in_the_game(effects: str) -> None:
    sc = Scene(6, phase="window", blank=False, overrides={"switch.agitation_effects": effects})
    dealt = Counter(card for seat in range(6) for card in sc.cards_of(seat))
    invented = dict.fromkeys(("elbow", "light_fingers", "round_on_the_house", "insult", "bait_and_switch", "bottle_under_the_cloak"), 2)
    assert dealt == (invented if effects == "invented" else {"refusal": 6, "disapproval": 6})


@pytest.mark.parametrize("kind", L.AGITATION_NAMES)
def test_agitation_without_effects(kind: str) -> None:
    sc = window(kind, seats=2, effects="off").agitation(1, "disapproval")
    sc.treasures(0, "ruby", "wand").treasures(1, "crown", "grimoire")
    sc.s.sale.seller, sc.s.sale.buyer, sc.s.sale.sold = 1, 0, L.TREASURE_NAMES.index("ruby")
    sc.act(f"post:{kind}")
    assert (sc.question, sc.turn, int(sc.s.posted)) == ("post", 1, 1)
    sc.act("post:disapproval")
    assert (sc.phase, [len(sc.hand_of(seat)) for seat in (0, 1)]) == ("brawl", [3, 3])
    assert (sc.treasures_of(0), sc.treasures_of(1), sc.fallen) == (["wand", "ruby"], ["grimoire", "crown"], [])
    assert [sc.position(hero) for seat in (0, 1) for hero in sc.group(seat)] == [U] * 4


def test_every_agitation_card_has_a_test() -> None:
    assert [name for name in L.AGITATION_NAMES if f"test_{name}" not in globals()] == []
