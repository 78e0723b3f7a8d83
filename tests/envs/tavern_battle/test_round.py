"""The end of a round: objects, straightening up, arrivals and who gets them (sections 3.3 B2 to B5 and 3.7 of the rules)."""

from collections import Counter
from collections.abc import Callable

import alehouse
import numpy as np
import pytest
from alehouse.envs.core.run.luck import below
from alehouse.envs.tavern_battle import layout as L

from tests.envs.tavern_battle.page import ARRIVALS, HEROES
from tests.envs.tavern_battle.editing import FLED, KO, D, T, U
from tests.envs.scene import rule
from tests.envs.tavern_battle.scene import Scene, names


def table(*heroes: str, seats: int = 2, modules: tuple[str, ...] = (), **more: object) -> Scene:
    """Return a scene; seat 0 has the first two heroes."""
    return Scene(seats, modules, heroes=heroes, **more)  # type: ignore[arg-type]


def calm(sc: Scene) -> Scene:
    """Let everybody pass until objects are renewed or arrivals come."""
    while sc.question in ("activate", "action"):
        sc.act("pass" if sc.question == "action" else sc.options()[0])
    return sc


# Objects


def test_everybody_keeps_one_or_none_then_draws_three() -> None:
    sc = calm(table("dwarf", "elf", seats=3).hand(0, "plate", "bottle", "bottle").hand(2, "stool"))
    assert (sc.question, sc.turn, set(sc.options())) == ("keep", 0, {"pass", "keep:plate", "keep:bottle"})
    sc.act("keep:bottle")
    assert len(sc.hand_of(0)) == 4
    assert "bottle" in sc.hand_of(0)
    assert (sc.question, sc.turn, set(sc.options())) == ("keep", 2, {"pass", "keep:stool"})
    assert len(sc.hand_of(1)) == 3
    sc.act("pass")
    assert [len(sc.hand_of(seat)) for seat in range(3)] == [4, 3, 3]
    assert sc.discard == ["stool", "plate", "bottle"]


@rule("TB-R33")
def test_objects_are_renewed_from_the_leader_on() -> None:
    """So that no seat is the last one whenever the deck runs out."""
    sc = table("dwarf", "elf", seats=3).put(T, "elf", *Scene(3, heroes=("dwarf", "elf")).group(2)).hand(0, "plate").hand(2, "stool")
    for _ in range(3):
        sc.passing()
    asked = []
    while sc.question == "keep":
        asked.append(sc.turn)
        sc.act("pass")
    assert asked == [2, 0]  # the last to act was 1


@pytest.mark.parametrize(("modules", "drawn"), [((), 3), (("casse_tout",), 2)])
@pytest.mark.parametrize(("more", "wanted"), [(("monk",), 0), (("monk", "bard"), 4), (("monk", "bard", "witch"), 5)])
def test_more_than_three_living_characters_draw_as_many(modules: tuple[str, ...], drawn: int, more: tuple[str, ...], wanted: int) -> None:
    sc = table("dwarf", "elf", modules=modules).join(0, *more).next_round()
    assert [len(sc.hand_of(seat)) for seat in (0, 1)] == [wanted or drawn, drawn]
    sc = table("dwarf", "elf", modules=modules).join(0, *more).put(D, "dwarf").next_round()
    assert len(sc.hand_of(0)) == (wanted or drawn)
    sc = table("dwarf", "elf", modules=modules).join(0, "tinker", *more).put(KO, "dwarf").next_round()
    assert len(sc.hand_of(0)) == (wanted or drawn)
    sc = table("dwarf", "elf", modules=modules).join(0, "tinker", *more).put(FLED, "dwarf").next_round()
    assert len(sc.hand_of(0)) == (wanted or drawn)


@rule("TB-R13")
def test_used_weapons_are_discarded_and_the_deck_is_made_again() -> None:
    sc = table("elf", "gnome").hand(0, "plate", "bottle")
    sc.dice(lambda scene: scene.do("elf", "throw:plate", "magician"), 2, 3, 4)
    assert (sc.used, sc.discard) == (["plate"], [])
    sc.passing().dice(lambda scene: scene.do("gnome", "throw:bottle", "magician"), 2, 3, 4)
    calm(sc)
    assert (sc.used, sc.discard) == ([], ["plate", "bottle"])
    spare = names(sc.R.copies)
    spare.remove("plate")
    spare.remove("plate")
    sc = table("dwarf", "elf").wrecked(*spare).discarded("plate", "plate")
    sc.next_round()
    assert Counter(sc.hand_of(0) + sc.hand_of(1) + sc.discard) == {"plate": 2}
    assert (sc.hand_of(0), sc.hand_of(1), sc.discard) == (["plate", "plate"], [], [])


def test_objects_come_from_the_deck_at_random() -> None:
    first: Counter[str] = Counter()
    sc = table("dwarf", "elf").wrecked(*(card for card in names(Scene().R.copies) if card not in ("bottle", "chair")))
    assert int(sc.s.left) == 6
    sc.passing(3)
    for seed in range(150):
        twin = sc.clone()
        twin.s.seed = seed
        twin.next_round()
        hands = Counter(twin.hand_of(0) + twin.hand_of(1))
        assert hands == {"bottle": 4, "chair": 2}
        first.update(set(twin.hand_of(0)))
    assert abs(first["chair"] - 120) < 20


# Straightening


def test_everybody_not_ko_turns_a_quarter_back() -> None:
    sc = table("dwarf", "elf").join(1, "monk", "bard", "witch").put(D, "monk").put(T, "bard").put(KO, "dwarf")
    calm(sc).next_round()
    assert sc.positions("monk", "bard", "witch", "elf", "dwarf") == [T, U, U, U, KO]


@rule("TB-R25")
def test_the_lead_goes_on_from_round_to_round() -> None:
    sc = table("dwarf", "elf", seats=3).put(T, "elf", *Scene(3, heroes=("dwarf", "elf")).group(2))
    order = []
    for _ in range(3):
        order.append(sc.turn)
        sc.passing()
    assert order == [0, 1, 1]
    sc.until("activate")
    assert (sc.round, sc.turn) == (2, 2)


# Arrivals


def coming(arrival: str, sc: Scene, first: int = 0) -> Scene:
    """Turn up this arrival, the first of its round, and ask this seat first."""
    sc.s.phase, sc.s.cursor = L.P_ARRIVALS, 1
    sc.s.arrival = L.CHARACTER_NAMES.index(arrival)
    sc.s.arrivals = int(sc.s.arrivals) & ~(1 << L.ARRIVAL_NAMES.index(arrival))
    sc.s.drawn += 1
    sc.s.heard = 1 << first
    sc._ask("claim", first)
    return sc.show()


@rule("TB-T15")
def test_a_ko_tavernkeeper_claims_a_guard() -> None:
    sc = coming("sergeant", table("tavernkeeper", "elf").put(KO, "tavernkeeper"), first=0)
    sc.act("claim")
    assert "sergeant" in sc.group(0)
    assert sc.position("sergeant") == U


@rule("TB-R23")
def test_a_moi_is_an_order_of_all_players() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    start = table("dwarf", "elf", seats=3).until("claim")
    for seed in range(360):
        sc = start.clone()
        sc.s.seed = seed
        sc.act("pass").act("pass").act("pass")
        for _ in range(2):
            arrival, order = int(sc.s.arrival), []
            while sc.question == "claim" and int(sc.s.arrival) == arrival:
                order.append(sc.turn)
                sc.act("pass")
            orders[tuple(order)] += 1
    assert {len(order) for order in orders} == {3}
    assert len(orders) == 6
    assert all(abs(n - 120) < 50 for n in orders.values())


def test_the_next_is_asked_after_a_pass_or_a_failure() -> None:
    sc = coming("pilgrim", table("dwarf", "elf", "gnome", "thief", seats=3).heroes(2, "paladin", "priestess"), first=0)
    first = sc.turn
    sc.act("claim")
    assert (sc.question, sc.turn, sc.options()) == ("penalty", first, ["character:dwarf", "character:elf"])
    sc.act("character:elf")
    assert (sc.question, sc.turn != first, sc.position("elf")) == ("claim", True, T)
    sc.until("claim", seat=2).act("claim")
    assert sc.group(2) == ["paladin", "priestess", "pilgrim"]


def test_a_bad_claim_without_an_upright_character_costs_nothing() -> None:
    sc = coming("pilgrim", table("dwarf", "elf", "gnome", "thief").put(T, "elf").put(KO, "dwarf"), first=0)
    sc.act("claim")
    assert sc.positions("dwarf", "elf") == [KO, T]
    assert (sc.question, sc.turn) == ("claim", 1)


@rule("TB-T16")
def test_nobody_wants_the_pilgrim() -> None:
    """After 8, 8 and 5 the first two roll again; the third is out, though his next roll would beat both of theirs."""
    for best, other in ((0, 1), (1, 0)):
        sc = coming("pilgrim", table("dwarf", "elf", "gnome", "thief", seats=3))

        def then(again: list[int], best: int = best, other: int = other) -> bool:
            return again[2] > again[best] == again[other] + 1

        sc.s.seed = seed_of_rolls(int(sc.s.drawn), (8, 8, 5), then)
        sc.act("pass").act("pass").act("pass")
        assert "pilgrim" in sc.group(best)
        assert sc.position("pilgrim") == U


def seed_of_rolls(drawn: int, first: tuple[int, ...], then: Callable[[list[int]], bool]) -> int:
    """Return a seed by which three players roll these sums for the arrival, and then others that meet a condition."""

    def rolls(seed: int, again: int) -> list[int]:
        return [2 + sum(int(below(np.uint64(seed), L.ROLL_OFF, drawn, p, 2 * again + k, 6)) for k in (0, 1)) for p in range(3)]

    return next(seed for seed in range(20_000) if tuple(rolls(seed, 0)) == first and then(rolls(seed, 1)))


def test_everybody_has_the_same_chance_of_what_nobody_wants() -> None:
    taken: Counter[int] = Counter()
    start = coming("pilgrim", table("dwarf", "elf", "gnome", "thief", seats=3))
    for seed in range(400):
        sc = start.clone()
        sc.s.seed = seed
        sc.act("pass").act("pass").act("pass")
        owner = [seat for seat in range(3) if "pilgrim" in sc.group(seat)]
        assert len(owner) == 1
        assert sc.position("pilgrim") == U
        taken[owner[0]] += 1
    assert all(abs(taken[seat] - 133) < 45 for seat in range(3))


@rule("TB-R3")
def test_three_arrivals_one_by_one() -> None:
    sc = table("dwarf", "elf").until("claim")
    assert (int(sc.s.drawn), bin(int(sc.s.arrivals)).count("1")) == (1, 16)
    sc.until("activate")
    assert (int(sc.s.drawn), bin(int(sc.s.arrivals)).count("1"), sc.round) == (3, 14, 2)
    assert len(sc.group(0)) + len(sc.group(1)) == 4 + 3


@rule("TB-R4")
def test_the_militia_lies_among_the_last_six() -> None:
    """It is equally likely to be the 13th to 18th card: the game ends in round 5 or 6 after twelve to seventeen arrivals."""
    came: Counter[int] = Counter()
    start = table("dwarf", "elf")
    for seed in range(180):
        sc = start.clone()
        sc.s.seed = seed
        while sc.question != "over":
            sc.next_round()
        came[17 - bin(int(sc.s.arrivals)).count("1")] += 1
        assert sc.round in (5, 6)
    assert set(came) == set(range(12, 18))
    assert all(abs(n - 30) < 25 for n in came.values())


def test_arrivals_differ_from_game_to_game() -> None:
    first: Counter[int] = Counter()
    start = coming("pilgrim", table("dwarf", "elf")).act("pass")
    for seed in range(240):
        sc = start.clone()
        sc.s.seed = seed
        first[int(sc.act("pass").s.arrival)] += 1
    assert len(first) == L.ARRIVALS - 1
    assert max(first.values()) < 30


@rule("TB-R21")
def test_who_has_nobody_left_still_claims_and_scores() -> None:
    sc = table("dwarf", "elf", seats=3).put(KO, "dwarf", "elf").treasures(0, "dark_ale").lead(1)
    assert sc.turn == 1
    sc = coming("drunkard", sc, first=0)
    sc.act("claim")
    assert sc.group(0) == ["dwarf", "elf", "drunkard"]
    assert sc.position("drunkard") == U
    sc.until("activate").put(U, "drunkard").lead(0)
    assert sc.legal("character:drunkard")
    sc.last_round().next_round()
    assert (sc.question, sc.scores[0]) == ("over", 2)


def test_who_has_nobody_upright_does_not_act() -> None:
    sc = table("dwarf", "elf", seats=3).put(KO, "dwarf", "elf").lead(1)
    turns = []
    while sc.question in ("activate", "action"):
        turns.append(sc.turn)
        sc.passing()
    assert turns == [1, 2, 1, 2]


@pytest.mark.parametrize("arrival", ARRIVALS)
def test_whose_friend_an_arrival_is(arrival: str) -> None:
    """A hero, KO or not, claims an arrival if one of its affinities is circled with him; any other hero fails."""
    wanted = set(ARRIVALS[arrival][4].split())
    for hero in HEROES:
        others = [name for name in HEROES if not HEROES[name][3] & wanted and name != hero]
        sc = coming(arrival, table(hero, others[0], others[1], others[2]), first=0).act("claim")
        if HEROES[hero][3] & wanted:
            assert arrival in sc.group(0)
        else:
            assert (sc.question, sc.turn) == ("penalty", 0)


def test_bad_claims_can_be_masked() -> None:
    numbers = {"switch.mask_bad_claims": "on"}
    sc = coming("pilgrim", table("dwarf", "paladin", "gnome", "thief", seats=2, overrides=numbers), first=0)
    assert sc.options() == ["pass", "claim"]
    sc = table("dwarf", "elf", "gnome", "thief", overrides=numbers).until("claim")
    assert sc.question == "claim"
    while sc.question == "claim":
        mine = int(sc.R.kin[int(sc.s.arrival) - L.HEROES]) & int(sc.s.seat[sc.turn].group)
        assert mine, "who can only pass is not asked"
        assert sc.options() == ["pass", "claim"]
        sc.act("pass")


def test_claims_are_asked_of_all_by_default() -> None:
    assert alehouse.variant("tavern_battle").numbers.word("switch.mask_bad_claims") == "off"
    sc = coming("pilgrim", table("dwarf", "elf", "gnome", "thief"))
    assert sc.options() == ["pass", "claim"]
