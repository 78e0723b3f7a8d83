"""A seat's own turn: dice, purchases, upgrades, counter guests, storage (section 3 F of the rules)."""

import pytest
from alehouse.envs.core.show.view import look

from tests.envs.scene import rule
from tests.envs.tiefenthal.scene import R21, R31, R41, Scene

G3, G4, G5, G8 = "guest3_d3", "guest4_d2", "guest5_d3", "guest8_d4_doubloons"
PRICES = {"table": 9, "waitress": 9, "dishwasher": 9, "cashbox": 8, "barrel": 6, "monk": 6, "supplier": 10, "store": 5, "safe": 5}
TAVERN = {"merchant": 2, "dishwasher": 3, "waitress": 3, "table": 4, "supplier": 5}


def serving(*laid: str, dice: tuple[tuple[str, int], ...] = (), upgraded: tuple[str, ...] = (), **more: object) -> Scene:
    """Seat 0 about to serve: cards laid out, dice placed, pieces upgraded."""
    return Scene("place", **more).lay(0, *laid).upgrade(0, *upgraded).plan(*dice)  # type: ignore[arg-type]


def rich(doubloons: int = 0, beer: int = 0, **more: object) -> Scene:
    """Seat 0 serving, with so much and an empty tavern."""
    return Scene(**more).goods_are(doubloons, beer)  # type: ignore[arg-type]


# Dice


@pytest.mark.parametrize(("piece", "place", "face", "basic", "upgraded"), [
    ("cashbox", "cashbox", 2, (1, 0, 0), (3, 0, 0)),
    ("barrel", "barrel", 2, (0, 1, 0), (0, 2, 0)),
    ("supplier", "supplier", 6, (0, 1, 0), (0, 2, 0)),
    ("monk", "monk", 5, (0, 0, 1), (0, 0, 2)),
])  # fmt: skip
def test_what_a_die_brings(piece: str, place: str, face: int, basic: tuple[int, ...], upgraded: tuple[int, ...]) -> None:
    for pieces, found in (((), basic), ((piece,), upgraded)):
        sc = serving(dice=((place, face),), upgraded=pieces).act(f"collect:{place}")
        assert (*sc.goods(), sc.get("monastery")) == found
        assert not sc.legal(f"collect:{place}")


@pytest.mark.parametrize(("cards", "upgraded", "beer"), [(0, False, 2), (1, False, 4), (2, False, 6), (0, True, 4), (2, True, 8)])
def test_each_supplier_card_is_a_beer_more_for_each_die(cards: int, upgraded: bool, beer: int) -> None:
    """TT 1.7: dice x (base + cards), here with two dice."""
    sc = serving(*["supplier"] * cards, upgraded=("supplier",) if upgraded else (), dice=(("supplier", 1), ("supplier", 6)))
    assert sc.collect("supplier").goods() == (0, beer)


def test_several_dice_on_the_monk() -> None:
    sc = serving(upgraded=("monk",), dice=(("monk", 5), ("monk", 5))).collect("monk")
    assert sc.get("monastery") == 4


def test_the_noble_table_pays_once() -> None:
    sc = serving("noble", "noble", dice=(("noble", 6),))
    assert sc.goods() == (1, 0)


@rule("TT-R44")
def test_guests_pay_at_once_and_the_end_collects_the_rest() -> None:
    sc = serving(G3, "noble", dice=((G3, 3), ("noble", 6), ("cashbox", 4), ("barrel", 4), ("monk", 5), ("supplier", 1)))
    assert (sc.goods(), sc.get("monastery")) == ((3, 0), 0)
    assert sc.options("collect") == [f"collect:{place}" for place in ("cashbox", "barrel", "monk", "supplier")]
    sc.upgrade(0, "safe").act("end")
    assert (sc.goods(), sc.get("monastery")) == ((4, 2), 1)
    sc = serving(dice=(("monk", 5),), upgraded=("monk",)).set(0, monastery=2).act("end")
    assert sc.gained() == ["merchant"]


def test_merchants_bring_a_beer_each() -> None:
    sc = serving("merchant", "merchant")
    assert sc.goods() == (0, 2)
    assert not sc.legal("nobles:1")
    assert serving(*["merchant"] * 3).legal("guest:cheap")


# Tavern cards


@pytest.mark.parametrize(("card", "price"), TAVERN.items())
def test_tavern_cards_have_a_price(card: str, price: int) -> None:
    assert not rich(price - 1).legal(f"buy:{card}")
    sc = rich(price).act(f"buy:{card}")
    assert (sc.goods(), sc.gained()) == ((0, 0), [card])


def test_bards_are_there_with_reputation_only() -> None:
    for level in (1, 2):
        assert not rich(9, level=level).legal("buy:bard")
    assert rich(1, level=3).legal("buy:bard")
    assert not rich(0, level=3).legal("buy:bard")


@rule("TT-T18")
def test_one_tavern_card_of_a_kind() -> None:
    sc = rich(10).act("buy:waitress")
    assert not sc.legal("buy:waitress")
    sc.act("buy:dishwasher")
    assert (sc.gained(), sc.goods()) == (["dishwasher", "waitress"], (4, 0))
    sc.act("buy:table").again().goods_are(3, 0)
    assert sc.legal("buy:waitress")


@rule("TT-R35")
def test_cards_gained_free_do_not_count() -> None:
    sc = rich(3, 5).offer("guest5_d2_merchant").act("guest:open1")
    assert sc.gained() == ["guest5_d2_merchant", "merchant"]
    assert sc.legal("buy:merchant")
    sc = rich(3).set(0, monastery=2, counter=1).act("buy:merchant", "counter")
    assert sc.gained() == ["merchant", "merchant"]


def test_a_card_sold_out_can_not_be_bought() -> None:
    sc = rich(9, overrides={"tavern.supplier.copies": 3}).act("buy:supplier", "end").plan().goods_are(9, 0)
    assert not sc.legal("buy:supplier")


def test_cards_gained_lie_on_the_draw_pile_the_last_one_on_top() -> None:
    """TT 3 F8: the last gained is drawn first."""
    sc = rich(18, 9).pile(0, R41).act("buy:merchant", "upgrade:safe", "nobles:1", "buy:waitress")
    assert sc.gained() == ["waitress", "noble", "noble", "merchant", R41]
    sc.discard(0).pile(0, *sc.gained(), R21, R31).next_round()
    assert sc.laid_by() == [R21, R41, "noble", "noble", "merchant", "waitress"]


# Upgrades


@pytest.mark.parametrize(("piece", "price"), PRICES.items())
def test_upgrades_have_a_price_and_bring_a_noble(piece: str, price: int) -> None:
    assert not rich(price - 1).legal(f"upgrade:{piece}")
    sc = rich(price).act(f"upgrade:{piece}")
    assert (sc.goods(), sc.gained(), sc.upgrades()) == ((0, 0), ["noble"], [piece])
    assert not sc.goods_are(30, 0).legal(f"upgrade:{piece}")


def test_upgrades_without_nobles_left() -> None:
    sc = rich(5, overrides={"noble.copies": 0}).act("upgrade:safe")
    assert (sc.gained(), sc.upgrades()) == ([], ["safe"])


@rule("TT-T13")
def test_an_upgrade_before_the_die_is_taken() -> None:
    sc = serving(G8, dice=((G8, 4), ("cashbox", 6)))
    assert sc.goods() == (5, 0)
    sc.goods_are(8, 0).act("upgrade:cashbox")
    assert (sc.goods(), sc.gained()) == ((0, 0), ["noble"])
    assert sc.act("collect:cashbox").goods() == (3, 0)


@pytest.mark.parametrize(("piece", "face", "beer", "steps"), [("barrel", 4, 2, 0), ("supplier", 6, 2, 0), ("monk", 5, 0, 2)])
def test_upgrades_work_at_once(piece: str, face: int, beer: int, steps: int) -> None:
    sc = serving(dice=((piece, face),)).goods_are(10, 0).act(f"upgrade:{piece}", f"collect:{piece}")
    assert (sc.goods()[1], sc.get("monastery")) == (beer, steps)


def test_an_upgrade_between_two_dice() -> None:
    """TT 3 F9: it works for the dice not yet taken."""
    sc = serving(dice=(("supplier", 1), ("supplier", 6))).goods_are(10, 0).act("collect:supplier", "upgrade:supplier")
    assert sc.goods() == (0, 1)
    assert sc.act("collect:supplier").goods() == (0, 3)


def test_an_upgraded_store_and_safe_keep_5_the_same_evening() -> None:
    sc = rich(20, 9).act("upgrade:safe", "upgrade:store", "end")
    assert sc.goods() == (5, 5)


@rule("TT-T14")
def test_upgraded_tables_wait_a_round() -> None:
    sc = Scene().pile(0, R21, R21, R31).round_is(2).again()
    assert (sc.round, len(sc.seated())) == (3, 3)
    sc.goods_are(9, 0).act("upgrade:table")
    assert (sc.round, len(sc.seated())) == (3, 3)
    sc.discard(0).pile(0, R21, R21, R31, R31, R41).next_round()
    assert (sc.round, len(sc.seated())) == (4, 4)


def test_an_upgraded_waitress_waits_a_round() -> None:
    sc = rich(9).act("upgrade:waitress")
    assert sc.dice_of() == []
    sc.pile(0, R21, R21, R31).next_round()
    assert len(sc.dice_of()) == 1


def test_an_upgraded_dishwasher_waits_a_round() -> None:
    sc = rich(9).act("upgrade:dishwasher").pile(0, R21, R21, R31).next_round().until("place", seat=0).dice(4)
    assert sc.legal("place:monk")


@rule("TT-R3")
def test_hires_are_like_upgrades() -> None:
    for piece in ("waitress", "dishwasher"):
        sc = rich(PRICES[piece]).act(f"upgrade:{piece}")
        assert (sc.goods(), sc.gained(), sc.upgrades()) == ((0, 0), ["noble"], [piece])
        sc = rich(level=2).side(0, e2=1).set(0, schnapps=5).act(f"free:{piece}")
        assert (sc.get("schnapps"), sc.gained(), sc.upgrades()) == (0, ["noble"], [piece])
    sc = rich(9).round_is(8).set_act(discount=3).act("upgrade:waitress")
    assert sc.goods() == (3, 0)


@rule("TT-R4")
@pytest.mark.parametrize("piece", ["waitress", "dishwasher"])
def test_hire_consumes_card(piece: str) -> None:
    sc = serving(piece).goods_are(9, 0).act(f"upgrade:{piece}", "done")
    assert (sc.goods(), sc.laid_by(), sc.boxed) == ((0, 0), [piece], [])
    taken = {"switch.hire_consumes_card": "yes"}
    sc = serving(piece, overrides=taken).goods_are(9, 0).act(f"upgrade:{piece}")
    assert (sc.laid_by(), sc.boxed) == ([], [piece])
    assert not rich(9, overrides=taken).legal(f"upgrade:{piece}")
    sc = serving(piece, overrides=taken).goods_are(9, 0).act("upgrade:cashbox")
    assert sc.laid_by() == [piece]
    assert not serving(piece, overrides=taken).goods_are(8, 0).legal(f"upgrade:{piece}")
    sc = serving(piece, piece, overrides=taken).goods_are(6, 0).act(f"upgrade:{piece}")
    assert (sc.goods(), sc.laid_by(), sc.boxed) == ((0, 0), [], [piece, piece])


# Discounts


@rule("TT-T44", "TT-R4")
@pytest.mark.parametrize(("doubloons", "given"), [(9, 0), (6, 1), (3, 2)])
def test_cards_given_up_take_their_price_off(doubloons: int, given: int) -> None:
    sc = serving("dishwasher", "dishwasher").discard(0).pile(0, R21, R31, R41).goods_are(doubloons, 0).act("upgrade:dishwasher")
    sc.answer("discount", "done")
    assert (sc.goods(), sc.upgrades(), sc.gained()[0]) == ((0, 0), ["dishwasher"], "noble")
    assert (sc.laid_by(), sc.boxed) == (["dishwasher"] * (2 - given), ["dishwasher"] * given)
    assert (sc.owned().count("dishwasher"), sc.owned().count("noble")) == (2 - given, 1)
    assert not sc.goods_are(30, 0).legal("upgrade:dishwasher")
    sc.next_round()
    assert sc.discarded() == ["dishwasher"] * (2 - given)


@rule("TT-T44")
def test_cards_that_may_be_given_up() -> None:
    assert not serving("dishwasher", "dishwasher").goods_are(2, 0).legal("upgrade:dishwasher")
    assert not serving().goods_are(6, 0).legal("upgrade:dishwasher")
    sc = serving("dishwasher", "dishwasher").goods_are(9, 0).act("upgrade:dishwasher")
    assert (sc.question, sc.options()) == ("discount", ["done", "give_up"])
    sc.act("give_up")
    assert (sc.options(), sc.goods()) == (["done", "give_up"], (9, 0))
    assert sc.act("give_up").goods() == (6, 0)
    sc = serving(*["dishwasher"] * 4).goods_are(9, 0).act("upgrade:dishwasher", "give_up", "give_up", "give_up")
    assert (sc.question, sc.goods(), sc.laid_by()) == ("serve", (9, 0), ["dishwasher"])
    sc = rich(level=2).side(0, e2=1).lay(0, "dishwasher").set(0, schnapps=5).act("free:dishwasher")
    assert (sc.question, sc.laid_by(), sc.boxed) == ("serve", ["dishwasher"], [])
    sc = serving("dishwasher").round_is(8).set_act(discount=3).goods_are(3, 0).act("upgrade:dishwasher")
    assert (sc.goods(), sc.boxed) == ((0, 0), ["dishwasher"])


def test_a_discount_is_told() -> None:
    sc = serving("dishwasher", "dishwasher").goods_are(9, 0)
    assert "Upgrade the dishwasher, price 3 to 9" in [option.words for option in look(sc.v, sc.s, sc.R, 0).options]
    sc.act("upgrade:dishwasher")
    assert [option.words for option in look(sc.v, sc.s, sc.R, 0).options] == ["Pay 9 doubloons", "Give up a dishwasher"]


@pytest.mark.parametrize(("piece", "there"), [("table", True), ("waitress", True), ("dishwasher", True), ("supplier", False)])
def test_pieces_with_a_discount(piece: str, there: bool) -> None:
    price = PRICES[piece] - TAVERN[piece]
    assert serving(piece).goods_are(price, 0).legal(f"upgrade:{piece}") == there
    assert not serving(piece).goods_are(price - 1, 0).legal(f"upgrade:{piece}")
    other = {f"upgrade_discount.{piece}": "no" if there else "yes"}
    assert serving(piece, overrides=other).goods_are(price, 0).legal(f"upgrade:{piece}") != there


@rule("TT-T45")
def test_a_discount_serves_no_other_piece() -> None:
    sc = serving("dishwasher").goods_are(PRICES["cashbox"] - 1, 0)
    assert not sc.legal("upgrade:cashbox")
    sc.goods_are(PRICES["cashbox"], 0).act("upgrade:cashbox")
    assert (sc.question, sc.goods(), sc.laid_by()) == ("serve", (0, 0), ["dishwasher"])


@rule("TT-T45")
def test_a_dishwasher_given_up_raises_no_dice_any_more() -> None:
    sc = serving("dishwasher", dice=(("monk", 4),)).discard(0).pile(0, R21, R31, R41).goods_are(6, 0).act("upgrade:dishwasher")
    assert (sc.boxed, sc.act("collect:monk").get("monastery")) == (["dishwasher"], 1)
    sc.until("place", seat=0, round=2)
    assert (sc.s.act.pips, "dishwasher" in sc.owned()) == (1, False)


@rule("TT-R37")
def test_any_number_of_upgrades() -> None:
    sc = rich(sum(PRICES.values())).act(*(f"upgrade:{piece}" for piece in PRICES))
    assert (sc.goods(), sc.gained(), sorted(sc.upgrades())) == ((0, 0), ["noble"] * 9, sorted(PRICES))


# Beer


@rule("TT-T16")
def test_nobles_for_beer() -> None:
    sc = rich(0, 18)
    assert sc.options("nobles") == ["nobles:1", "nobles:2", "nobles:3"]
    sc.act("nobles:3")
    assert (sc.goods(), sc.gained()) == ((0, 0), ["noble"] * 3)
    assert rich(0, 17).options("nobles") == ["nobles:1", "nobles:2"]
    assert rich(0, 14).act("nobles:2").gained() == ["noble"] * 2
    assert rich(0, 13).options("nobles") == ["nobles:1"]
    sc = rich(0, 9).act("nobles:1")
    assert (sc.goods(), sc.gained()) == ((0, 0), ["noble"])
    sc = rich(0, 8).offer(G8)
    assert (sc.options("nobles"), sc.legal("guest:open1")) == ([], True)


def test_more_nobles_than_in_the_box() -> None:
    sc = rich(0, 18, overrides={"noble.copies": 120}).act("nobles:3")
    assert (sc.s.stock[0], sc.gained()) == (117, ["noble"] * 3)
    with pytest.raises(ValueError, match="nobles and tavern cards"):
        rich(overrides={"noble.copies": 120} | {f"tavern.{card}.copies": 32 for card in ("merchant", "table", "supplier")})


def test_no_more_nobles_than_there_are() -> None:
    assert rich(0, 18, overrides={"noble.copies": 0}).options("nobles") == []
    sc = rich(0, 18, overrides={"noble.copies": 2})
    assert sc.act(sc.options("nobles")[-1]).gained() == ["noble"] * 2


@rule("TT-T17", "TT-R1")
def test_one_guest_a_round() -> None:
    for word in ("yes", "no"):
        sc = rich(0, 8, overrides={"switch.beer_one_purchase": word}).offer(G5).act("guest:cheap")
        assert (sc.goods(), sc.options("guest")) == ((0, 5), [])


def test_another_purchase_in_the_next_round() -> None:
    sc = rich(0, 9).act("guest:cheap").again().goods_are(0, 9)
    assert sc.legal("guest:cheap")
    sc.act("nobles:1").again().goods_are(0, 9)
    assert sc.legal("guest:cheap")
    assert sc.legal("nobles:1")


@rule("TT-R1")
def test_beer_one_purchase() -> None:
    sc = rich(0, 30).act("guest:cheap")
    assert (sc.options("nobles"), sc.options("guest")) == ([], [])
    sc = rich(0, 30).act("nobles:1")
    assert (sc.options("nobles"), sc.options("guest")) == ([], [])
    several = {"switch.beer_one_purchase": "no"}
    sc = rich(0, 30, overrides=several).act("nobles:1")
    assert sc.legal("nobles:3")
    sc.act("nobles:1", "guest:cheap", "nobles:1")
    assert (sc.goods(), len(sc.gained()), sc.options("guest")) == ((0, 0), 4, [])


def test_a_guest_leaves_the_display_and_another_comes() -> None:
    sc = rich(0, 8).offer(G4, G5, "guest5_d2", "guest4_d2", cheap="guest3_d2")
    sc.act("guest:open2")
    assert (sc.goods(), sc.gained()) == ((0, 3), [G5])
    assert sc.display[0] == G4
    assert sc.display[2:] == ["guest5_d2", "guest4_d2", "guest3_d2"]
    assert sc.display[1] is not None
    sc = rich(0, 8).offer(cheap="guest3_d2").act("guest:cheap")
    assert sc.gained() == ["guest3_d2"]
    assert str(sc.display[4]).startswith("guest3")


@pytest.mark.parametrize("price", [3, 4, 5, 6, 7, 8])
def test_guests_have_a_price(price: int) -> None:
    card = {3: "guest3_d3", 4: "guest4_d2", 5: "guest5_d2", 6: "guest6_d4_doubloons", 7: "guest7_d4_table", 8: G8}[price]
    where = {"cheap": card} if price == 3 else {}
    name = "guest:cheap" if price == 3 else "guest:open1"
    offered = () if price == 3 else (card,)
    assert not rich(0, price - 1).offer(*offered, **where).legal(name)
    sc = rich(0, price).offer(*offered, **where).act(name)
    assert sc.goods()[1] == 0
    assert card in sc.gained()


# Counter guests and storage


def test_a_counter_guest_is_a_step_in_the_monastery() -> None:
    sc = rich().set(0, counter=2).act("counter", "counter")
    assert (sc.get("monastery"), sc.get("counter"), sc.legal("counter")) == (2, 0, False)


@rule("TT-T19")
def test_storage() -> None:
    sc = rich(7, 7).upgrade(0, "safe").act("end")
    assert sc.goods() == (5, 2)
    assert rich(7, 7).upgrade(0, "store").act("end").goods() == (2, 5)
    assert rich(7, 7).act("end").goods() == (2, 2)
    assert rich(1, 1).act("end").goods() == (1, 1)


@rule("TT-R39")
def test_the_basic_beer_store_keeps_2() -> None:
    assert rich(0, 3).act("end").goods() == (0, 2)


def test_what_is_stored_can_be_used_next_round() -> None:
    sc = rich(2, 2).again()
    assert sc.goods() == (2, 2)
    assert sc.legal("buy:merchant")


def test_turn_order_and_the_next_seat() -> None:
    sc = Scene("place", seats=3, first=2)
    order = []
    for _ in range(3):
        order.append(sc.plan().turn)
        sc.act("end")
    assert order == [2, 0, 1]
