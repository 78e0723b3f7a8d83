"""Every switch of the rules in each of its settings; numbers that can be changed."""

from pathlib import Path

import pytest
from alehouse.envs.tiefenthal.layout import NUMBERS

from tests.envs.tiefenthal.scene import R21, R22, R31, Scene


def test_every_switch_has_a_test() -> None:
    """By its name, or with the setting as an override."""
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    for key, entry in NUMBERS.items():
        if key.startswith("switch."):
            assert f'"{key}"' in text
            assert len(entry.allowed) == 2


@pytest.mark.parametrize(("key", "value", "act", "goods"), [
    ("tavern.supplier.price", 7, "buy:supplier", (3, 10)),
    ("upgrade_price.cashbox", 7, "upgrade:cashbox", (3, 10)),
    ("noble.beers_1", 4, "nobles:1", (10, 6)),
    ("guests.guest5_d2.price", 6, "guest:open1", (10, 4)),
])  # fmt: skip
def test_prices_can_be_changed(key: str, value: int, act: str, goods: tuple[int, int]) -> None:
    sc = Scene(overrides={key: value}).offer("guest5_d2").goods_are(10, 10).act(act)
    assert sc.goods() == goods


def test_what_pieces_do_can_be_changed() -> None:
    sc = Scene("place", overrides={"pieces.cashbox.basic": 2, "pieces.barrel.basic": 4})
    assert sc.plan(("cashbox", 1), ("barrel", 1)).collect("cashbox").collect("barrel").goods() == (2, 4)
    assert Scene(overrides={"pieces.safe.basic": 3}).goods_are(9, 9).act("end").goods() == (3, 2)
    assert len(Scene(overrides={"pieces.table.basic": 2}).pile(0, R21, R22, R31).next_round().seated()) == 2


def test_when_an_upgrade_works_can_be_changed() -> None:
    sc = Scene("place", overrides={"pieces.cashbox.works": "next_round"}).plan(("cashbox", 1)).goods_are(8, 0)
    assert sc.act("upgrade:cashbox", "collect:cashbox").goods() == (1, 0)


def test_tracks_can_be_changed() -> None:
    sc = Scene(overrides={"monastery.step1.bonus": "supplier", "monastery.step1.amount": 2}).pile(0).act("counter")
    assert sc.gained() == ["supplier", "supplier"]
    sc = Scene(overrides={"game.monastery_end": 4}).set(0, monastery=4).act("counter")
    assert sc.get("monastery") == 4
    sc = Scene(overrides={"summer.round2.counter": 2}).set(0, counter=0).pile(0, R21, R22, R31).next_round()
    assert sc.get("counter") == 2


def test_schnapps_can_be_changed() -> None:
    numbers = {"schnapps.doubloons": 3, "entertainers.e1_doubloons.cost": 2, "schnapps.keep": 1}
    sc = Scene(level=2, overrides=numbers).side(0, e1=1).set(0, schnapps=4).act("spend:doubloons")
    assert (sc.goods(), sc.get("schnapps")) == ((3, 0), 2)
    assert sc.act("end").get("schnapps") == 1


def test_the_rounds_of_a_game_can_be_changed() -> None:
    sc = Scene(overrides={"game.rounds": 3}).rest()
    assert sc.round == 3


def test_cells_and_start_cards_can_be_changed() -> None:
    sc = Scene(level=5, overrides={"book.b1.bonus": "table", "book.b1.amount": 1}).pile(0).offer("guest5_d2").goods_are(0, 5)
    assert sc.act("guest:open1").gained() == ["table", "guest5_d2"]
    sc = Scene("start", level=4, overrides={"starts.k2.bard": 2}).starts("k1", "k2").act("start:k2")
    assert sc.owned().count("bard") == 2
