"""Set-up, dice and the first player (sections 2 and 3.1 of the rules)."""

import itertools
from collections import Counter

import alehouse
import pytest
from alehouse.envs.core.run.luck import below
from alehouse.envs.taverns_dragons import layout as L
from alehouse.envs.taverns_dragons.state import NOTHING

from tests.envs.taverns_dragons import page
from tests.envs.scene import members, rule
from tests.envs.taverns_dragons.scene import EVERYTHING, Scene


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_what_everybody_begins_with(seats: int) -> None:
    sc = Scene(seats, blank=False)
    for seat in range(seats):
        low = sum(sc.dice_of(seat)) < 10
        assert (sc.energy_of(seat), sc.gold_of(seat), sc.runes_of(seat), sc.score_of(seat)) == (1, 1 + low, 0, 0)
        assert len(sc.dice_of(seat)) == 5
        assert [sc.zone_of(seat, minion) for minion in L.MINION_NAMES] == ["city"] * 3
        assert (sc.pantry_of(seat), sc.ready_of(seat), sc.tired_of(seat)) == ([], [], [])


def test_what_lies_on_the_board() -> None:
    sc = Scene(3, blank=False)
    assert len(set(sc.s.place)) == 4
    assert len(sc.market_heroes) == 4
    assert (sc.dragon_name, sc.round) == (None, 1)
    tokens = Counter(kind for zone in page.ZONES for kind in sc.tokens_in(zone))
    assert tokens == {"plant": 4, "mushroom": 3, "spice": 2, "egg": 1}
    assert tuple(len(sc.tokens_in(zone)) for zone in page.ZONES) == page.SPACES


def test_places_and_tokens_lie_at_random() -> None:
    t = alehouse.Tables("taverns_dragons-2p", n=300)
    for slot in range(L.SLOTS):
        assert set(t.states["place"][:, slot]) == set(range(8))
    eggs = t.states["tokens"][:, :, L.EGG].argmax(axis=1)
    assert set(eggs) == {1, 2, 3, 4, 5, 6, 7, 8}
    assert Counter(eggs)[3] > Counter(eggs)[1]
    assert set(t.states["first"]) == {0, 1}


def test_decks_lie_at_random() -> None:
    t = alehouse.Tables("taverns_dragons-2p", n=300)
    assert set(t.states["display"][:, 0]) == set(range(20))
    assert {hero for market in t.states["market"] for hero in members(market, L.HERO_NAMES)} == set(page.HEROES)


@rule("TD-A3")
def test_one_recipe_at_first_and_one_more_at_each_end_of_round() -> None:
    sc = Scene(2, blank=False)
    assert len(sc.shown) == 1
    assert sc.s.display[0] != NOTHING
    sc = Scene()
    before = sc.shown
    for n in (2, 3, 4):
        sc.finish_round()
        assert (len(sc.shown), sc.shown[1:]) == (n, before)
        before = sc.shown
    sc.finish_round()
    assert (len(sc.shown), sc.shown[1:], sc.thrown) == (4, before[:-1], before[-1:])


@rule("TD-T32")
def test_eleven_missions_of_twelve_for_five() -> None:
    sc = Scene(5, ("missions",), blank=False)
    dealt = [int(m) for m in sc.s.mission]
    assert sorted(dealt) == list(range(12))
    offers = []
    for seat in range(5):
        assert (sc.question, sc.turn, len(sc.options())) == ("mission", seat, 2)
        offers += sc.options()
        sc.act(sc.options()[seat % 2])
    common = f"keep:{L.MISSION_NAMES[sc.s.mission[0]]}"
    assert len({*offers, common}) == 11
    assert sc.question == "turn"


@rule("TD-A23")
def test_one_space_of_each_place_with_two_players_but_a_whole_bank() -> None:
    def tables(seats: int) -> Scene:
        return Scene(seats).energy(5).paid(B=1).minion(0, "plain", "wood").tokens(**{"pass": ["egg"]}).stand("plain", "pass")

    assert not tables(2).legal("visit:B")
    for seats in (3, 4, 5):
        assert tables(seats).legal("visit:B")
        assert not tables(seats).paid(B=2).legal("visit:B")
    sc = Scene(2).dice(0, 1, 2, 3, 4)
    assert sc.options("bank") + sc.options("bank_blank") == [f"{space}:{k}" for space in ("bank", "bank_blank") for k in (1, 2, 3, 4)]


def seed_of_sums(sc: Scene, *sums: int) -> int:
    """Return a seed whose dice of the coming round have these sums."""
    for seed in range(200_000):
        found = (sum(int(below(seed, L.DICE_ROLL, int(sc.s.rounds) + 1, seat, k, 4)) + 1 for k in range(5)) for seat in range(sc.seats))
        if all(a == b for a, b in zip(found, sums, strict=True)):
            return seed
    raise AssertionError(f"no seed rolls {sums}")


def next_round(sums: tuple[int, ...], former: int) -> Scene:
    """Return a scene at the beginning of a round with these sums of dice, after a round with this first player."""
    sc = Scene(len(sums), first=(former - 1) % len(sums)).in_round(2).last_turn()
    assert sc.s.first == former
    sc.s.seed = seed_of_sums(sc, *sums)
    sc.act("source:4").end()
    assert tuple(sum(sc.dice_of(seat)) for seat in range(sc.seats)) == sums
    return sc


@rule("TD-T1")
def test_the_lowest_sum_goes_first_and_low_sums_are_paid() -> None:
    sc = next_round((12, 9, 9), former=2)
    assert (sc.turn, sc.s.first) == (2, 2)
    assert [sc.gold_of(seat) for seat in range(3)] == [0, 1, 1]


@rule("TD-A18")
def test_equal_sums_go_to_the_nearest_of_the_former_first_player() -> None:
    assert next_round((12, 9, 9), former=0).turn == 1
    assert next_round((12, 9, 9), former=1).turn == 1
    assert next_round((9, 12, 9), former=1).turn == 2
    assert next_round((9, 12, 9), former=0).turn == 0
    assert next_round((13, 11, 12), former=2).turn == 1


def test_a_sum_of_ten_is_not_paid() -> None:
    sc = next_round((10, 9), former=0)
    assert (sc.gold_of(0), sc.gold_of(1), sc.turn) == (0, 1, 1)


def test_one_die_each_clockwise_until_all_are_placed() -> None:
    sc = Scene(3, first=1).runes(1, 1, 1)
    order = []
    while sc.round == 1:
        order.append(sc.turn)
        sc.skip()
    assert order == [1, 2, 0] * 5


def test_dice_show_one_to_four() -> None:
    t = alehouse.Tables("taverns_dragons-5p", n=100)
    shown = t.states["seat"]["dice"]
    assert (shown.sum(axis=2) == 5).all()
    share = shown.sum(axis=(0, 1)) / shown.sum()
    assert (abs(share - 1 / 4) < 0.04).all()


def test_two_plays_of_a_seed_share_their_luck() -> None:
    """Dice rolled again and heroes hired in round 1 change no dice of round 2."""

    def played(again: bool) -> Scene:
        sc = Scene(2).market("druid", "bard", "thief", "jester")
        if again:
            sc.runes(2).gold(9).act("reroll:1", "reroll:2", "hire:druid")
        sc.finish_round()
        return sc

    one, other = played(False), played(True)
    assert (one.round, other.round) == (2, 2)
    assert [one.dice_of(seat) for seat in (0, 1)] == [other.dice_of(seat) for seat in (0, 1)]
    assert (one.shown, one.dragon_name, one.tokens_in("pass")) == (other.shown, other.dragon_name, other.tokens_in("pass"))


def test_all_modules_in_all_combinations() -> None:
    variants = {str(v) for v in alehouse.variants("taverns_dragons")}
    assert len(variants) == 128
    for n in range(6):
        for modules in itertools.combinations(EVERYTHING, n):
            assert str(alehouse.variant("taverns_dragons", seats=3, modules=modules)) in variants
