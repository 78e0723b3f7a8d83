"""The picture of a table of Kegs."""

from alehouse.envs.core.show.svg import EDGE, WIDTH, Picture, places
from alehouse.envs.core.show.view import View
from alehouse.skeleton.kegs.view import Brewery

ROW = 84


def draw(view: View) -> str:
    """Draw the keg on offer, and a row for each brewer."""
    t: Brewery = view.table
    p = Picture(view, "Kegs", f"Round {min(t.round, t.rounds)} of {t.rounds}")
    p.box(EDGE, p.y, WIDTH - 2 * EDGE, 52, "card")
    p.icon("barrel", EDGE + 32, p.y + 26, 36, "c6")
    p.text(EDGE + 62, p.y + 32, f"On offer: {t.keg}, worth {t.worth}", 16, bold=True)
    p.text(WIDTH - EDGE - 14, p.y + 32, f"{t.spilled} spilled", 14, "soft", anchor="end")
    p.y += 62
    for seat in range(view.seats):
        row(p, t, seat)
    return p.svg()


def row(p: Picture, t: Brewery, seat: int) -> None:
    """Draw what lies before a brewer: the cards, the bid, and the kegs won."""
    me = t.brewers[seat]
    p.panel(EDGE, p.y, WIDTH - 2 * EDGE, ROW - 10, f"player_{seat}", seat)
    p.text(EDGE + 12, p.y + 58, f"favourite: {me.favourite or 'secret'}", 13, "soft", fit=160)
    for card, (x, y) in zip(me.hand, places(len(me.hand), 190, p.y + 14, 400, 36, 46), strict=True):
        with p.thing(f"card:{seat}:{card}", x, y, 36, 46):
            p.box(x, y, 36, 46, "sunk")
            p.text(x + 18, y + 30, card, 18, bold=True, anchor="middle")
    if me.chosen:
        p.box(600, p.y + 14, 36, 46, "card" if me.bid else "c7", "ink", thick=2)
        p.text(618, p.y + 44, me.bid or "?", 18, "ink" if me.bid else "on", bold=True, anchor="middle")
    kegs = [f"{n} {name}" for name, n in me.kegs.items()] + ([f"{me.tips} tips"] if me.tips else [])
    p.paragraph(654, p.y + 30, 220, ", ".join(kegs) or "no kegs yet", 13)
    p.y += ROW
