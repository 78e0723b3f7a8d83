"""The worked examples and rulings of rules.md, and the contract that every game keeps."""

from collections.abc import Sequence

import pytest

from alehouse.envs.core.declare.game import Variant
from alehouse.envs.core.run.tables import Tables
from alehouse.envs.core.verify.check import check_variant
from alehouse.skeleton.kegs import GAME

rule = pytest.mark.rule


def after_bids(bids: Sequence[int], modules: Sequence[str] = ()) -> Tables:
    """Return a table at which each seat has made one bid."""
    table = Tables(GAME.variant(len(bids), modules), n=1, autoreset=False)
    for card in bids:
        table.step([table.variants[0].action(f"bid:{card}")])
    return table


def kegs(table: Tables) -> list[int]:
    """Return how many kegs each seat has."""
    return [int(n) for n in table.states["seat"]["kegs"][0].sum(axis=1)[: table.variants[0].seats]]


@rule("KG-T1")
def test_the_highest_card_played_once_wins() -> None:
    assert kegs(after_bids([5, 5, 3])) == [0, 0, 1]


@rule("KG-T2")
def test_without_such_a_card_the_keg_is_spilled() -> None:
    table = after_bids([4, 4])
    assert kegs(table) == [0, 0]
    assert table.states["spilled"][0] == 1


@rule("KG-T3")
def test_the_lowest_card_played_once_earns_a_tip() -> None:
    table = after_bids([6, 2, 2, 1], modules=["tips"])
    assert kegs(table) == [1, 0, 0, 0]
    assert table.states["seat"]["tips"][0].tolist() == [0, 0, 0, 1, 0]


@rule("KG-R1")
def test_nobody_is_asked_for_the_last_card() -> None:
    table = Tables(GAME.variant(2), n=1, autoreset=False)
    while not table.over[0]:
        assert table.mask.sum() > 1
        table.step(table.sample())
    assert table.states["asked"][0] == 2 * 6


@pytest.mark.parametrize("v", list(GAME.variants()), ids=str)
def test_the_contract(v: Variant) -> None:
    assert check_variant(v, games=10) == []
