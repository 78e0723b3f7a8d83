"""The module missions (sections 1.10 and 4.1 of the rules)."""

import math
from collections.abc import Callable

import alehouse
import numpy as np
import pytest

from tests.envs.taverns_dragons import page
from tests.envs.taverns_dragons.scene import L, Scene

NOT_MET = ("dragon_slayer", "gourmet", "innkeeper")  # by anybody on a blank table


def scored(mission: str, set_up: Callable[[Scene], object], common: bool = False) -> int:
    """Return what a mission of seat 1, or the common one, adds to its score."""
    fillers = [name for name in NOT_MET if name != mission]
    points = []
    for modules in (("missions",), ()):
        sc = Scene(2, modules).in_round(7).last_turn()
        set_up(sc)
        if modules:
            kept = [mission, *fillers] if common else [fillers[0], fillers[1], mission]
            deal(sc, *kept)
        sc.act("bank_blank:4").end()
        points.append(sc.scores[1])
    return points[0] - points[1]


def deal(sc: Scene, common: str, *kept: str) -> None:
    """Set the common mission and those that the seats keep."""
    rest = [name for name in L.MISSION_NAMES if name not in (common, *kept)]
    order = [common]
    for mission in kept:
        order += [mission, rest.pop()]
    sc.s.mission[:] = [L.MISSION_NAMES.index(name) for name in order + rest]


def trophy(sc: Scene) -> None:
    sc.s.seat[1].trophies, sc.s.seat[1].spoils = 1, 1


def bonuses(*heroes: str) -> Callable[[Scene], object]:
    """Give a seat heroes whose bonuses are used."""

    def use(sc: Scene) -> None:
        sc.heroes(1, *heroes)
        sc.s.seat[1].bonus = sc.s.seat[1].ready

    return use


def at(*zones: str) -> Callable[[Scene], object]:
    """Put the three minions into zones."""
    return lambda sc: [sc.minion(1, minion, zone) for minion, zone in zip(page.MINIONS, zones, strict=True)]


HOME = ("city", "city", "city")
# A table that meets each mission, and one that just does not.
CASES: dict[str, tuple[Callable[[Scene], object], Callable[[Scene], object]]] = {
    "cook": (
        lambda sc: sc.cooked(1, "herb_broth", "spice_feast", "flamed_egg", "spiced_caps"),
        lambda sc: sc.cooked(1, "herb_broth", "spice_feast", "flamed_egg"),
    ),
    "innkeeper": (
        lambda sc: sc.heroes(1, "bard", "thief", tired=["druid", "jester"]),
        lambda sc: sc.heroes(1, "bard", "thief", tired=["druid"]),
    ),
    "dragon_slayer": (trophy, lambda sc: None),
    "treasurer": (lambda sc: sc.gold(0, 5), lambda sc: sc.gold(9, 4)),
    "hoarder": (lambda sc: sc.pantry(1, "plant", "plant", "egg", "meat"), lambda sc: sc.pantry(1, "plant", "egg", "meat")),
    "healthy": (lambda sc: sc.minion(0, "plain", "wood", wounds=1), lambda sc: sc.minion(1, "plain", "wood", wounds=1)),
    "homecoming": (at(*HOME), at("city", "city", "road")),
    "spice_lover": (lambda sc: sc.cooked(1, "spice_feast", "flamed_egg"), lambda sc: sc.cooked(1, "spice_feast", "herb_broth")),
    "mushroom_lover": (
        lambda sc: sc.cooked(1, "mushroom_skewers", "forest_stew", "dragon_ragout"),
        lambda sc: sc.cooked(1, "mushroom_skewers", "forest_stew", "herb_broth"),
    ),
    "gourmet": (lambda sc: sc.cooked(1, "flamed_egg", "dragon_ribs"), lambda sc: sc.cooked(1, "family_platter", "herb_broth")),
    "patron": (bonuses("bard", "thief", "druid"), bonuses("bard", "thief")),
    "tireless": (lambda sc: sc.energy(0, 4), lambda sc: sc.energy(5, 3)),
}  # fmt: skip


def test_every_mission_has_a_case() -> None:
    assert CASES.keys() == page.MISSIONS.keys() == set(L.MISSION_NAMES)


@pytest.mark.parametrize("mission", CASES)
def test_mission(mission: str) -> None:
    met, short = CASES[mission]
    assert scored(mission, met) == page.MISSIONS[mission][1]
    assert scored(mission, short) == 0


@pytest.mark.parametrize("mission", CASES)
def test_common_mission(mission: str) -> None:
    met, short = CASES[mission]
    assert scored(mission, met, common=True) == page.MISSIONS[mission][1]
    assert scored(mission, short, common=True) == 0


def test_missions_look_at_the_table_after_the_final_storing() -> None:
    sc = Scene(2, ("missions",)).in_round(7).last_turn(1).minion(0, "sturdy", bag=["plant", "plant", "egg"]).pantry(0, "plant")
    deal(sc, "dragon_slayer", "hoarder", "innkeeper")
    sc.stand("sturdy", "canyon").end()
    assert sc.scores[0] == 4 + 3


def test_the_one_kept_is_scored_and_the_other_discarded() -> None:
    sc = Scene(2, ("missions",), blank=False)
    for kept in (0, 1):
        mine, other = sc.options() if kept == 0 else sc.options()[::-1]
        sc.act(mine)
        dealt = [L.MISSION_NAMES[k] for k in sc.s.mission[1 + 2 * kept : 3 + 2 * kept]]
        assert dealt == [mine.removeprefix("keep:"), other.removeprefix("keep:")]


def test_what_the_others_keep_is_secret() -> None:
    def views(kept: int) -> list[list[int]]:
        sc = Scene(3, ("missions",), blank=False)
        for _ in range(3):
            sc.act(sc.options()[kept if sc.turn == 0 else 0])
        return [sc.t.observe(0, seat).tolist() for seat in range(3)]

    assert views(0)[1:] == views(1)[1:]
    assert views(0)[0] != views(1)[0]


def test_a_redeal_gives_the_others_any_missions_that_the_seat_has_not_seen() -> None:
    t = alehouse.Tables("taverns_dragons-3p-missions", n=150, autoreset=False)
    t.reset(seeds=[1] * t.n)
    true, dealt = t.states["mission"][0], t.determinize(1, 5).states["mission"]
    seen = [0, 3, 4]  # the common mission, and the two of seat 1
    assert (dealt[:, seen] == true[seen]).all()
    for k in {*range(true.size)} - {*seen}:
        assert {*dealt[:, k].tolist()} == {*true.tolist()} - {*true[seen].tolist()}


def test_a_redeal_deals_each_trophy_once() -> None:
    t = alehouse.Tables("taverns_dragons-3p", n=150, autoreset=False)
    seats = t.states["seat"]
    seats["spoils"][:], seats["trophies"][:] = [1, 6, 8, 0, 0], [1, 2, 1, 0, 0]
    t.states["pool"][:] = 2**L.TROPHIES - 1 & ~15
    dealt = t.determinize(0, 5).states
    found = np.array([[int(me).bit_count() for me in row] for row in dealt["seat"]["spoils"]])
    assert (found == [1, 2, 1, 0, 0]).all()
    assert {int(sets.sum()) + int(rest) for sets, rest in zip(dealt["seat"]["spoils"], dealt["pool"], strict=True)} == {2**L.TROPHIES - 1}
    assert (dealt["seat"]["spoils"][:, 0] == 1).all()
    assert len({*dealt["seat"]["spoils"][:, 1].tolist()}) == math.comb(L.TROPHIES - 1, 2)
