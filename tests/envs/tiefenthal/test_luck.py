"""What lies open, what is hidden, and for what luck is drawn (section 6 of the rules)."""

from tests.envs.tiefenthal.scene import R21, R22, R31, R41, Scene, kind


def test_the_draw_pile_is_known_on_top_and_unknown_below() -> None:
    """Redeals keep the cards gained and the composition of the rest; what is drawn of the rest differs."""
    sc = Scene().pile(0, "noble", R21, deck=[R22, R22, R22, R31, R31, R31, R41, R41, R41]).discard(0)
    drawn = set()
    for key in range(30):
        twin = sc.t.determinize([0], key)
        assert twin.states[0].seat[0] == sc.s.seat[0]
        while int(twin.states[0].evening) == 1 or twin.seat[0] != 0:
            twin.step(twin.sample())
        laid = twin.states[0].seat[0].laid
        assert (laid[kind("noble")], laid[kind(R21)]) == (1, 1)
        drawn.add(next(card for card in (R22, R31, R41) if laid[kind(card)]))
    assert drawn == {R22, R31, R41}


def test_the_next_guest_is_unknown() -> None:
    seen = set()
    for key in range(20):
        sc = Scene().goods_are(0, 3)
        sc.t = sc.t.determinize([0], key)
        sc.s = sc.t.states[0]
        sc.act("guest:cheap")
        seen.add(sc.display[4])
    assert seen == {"guest3_d2", "guest3_d3", "guest3_d4"}


def test_everybody_sees_the_same_luck_however_it_is_played() -> None:
    """The white dice of round 2, after turns of two kinds."""
    dice = []
    for act in ("buy:merchant", "buy:supplier"):
        sc = Scene().goods_are(5, 0).act(act).next_round()
        dice.append(sc.s.coaster.tolist())
    assert dice[0] == dice[1]


def test_all_seats_see_the_same_cards() -> None:
    """Gained cards and compositions are open: another card on a pile changes what the neighbour sees."""
    views = []
    for card in ("merchant", "supplier"):
        sc = Scene().pile(0, card, deck=[R21, R31, R41]).discard(0)
        views.append(sc.t.observe(0, 1).tolist())
    assert views[0] != views[1]
