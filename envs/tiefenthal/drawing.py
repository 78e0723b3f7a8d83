"""The picture of a table of The Taverns of Tiefenthal: the guests on offer, the tracks, and the taverns."""

from collections.abc import Sequence

from alehouse.envs.core.show.svg import EDGE, GAP, INSIDE, TIMES, Picture, below, places
from alehouse.envs.core.show.view import View, title
from alehouse.envs.tiefenthal.layout import NUMBERS
from alehouse.envs.tiefenthal.view import EFFECTS, OPEN_NAMES, PATRON_ROWS, Guest, Space, Tavern, Valley

ICONS = {"bard": ("music", "c3"), "merchant": ("mug", "c6"), "dishwasher": ("plate", "c0"), "waitress": ("tray", "c1"),
         "table": ("table", "c6"), "supplier": ("barrel", "c4"), "noble": ("crown", "c5"), "doubloons": ("coin", "c4"),
         "beer": ("mug", "c4"), "monastery": ("cross", "c2"), "remove": ("door", "soft"), "schnapps": ("glass", "c2"),
         "reputation": ("star", "c3"), "cashbox": ("chest", "c4"), "barrel": ("barrel", "c4"), "monk": ("cross", "c2"),
         "store": ("mug", "c4"), "safe": ("coin", "c4"), "crown": ("crown", "c5"), "schnapps_or_remove": ("glass", "c2"),
         "signature": ("book", "c1"), "host": ("person", "soft"), "none": ("circle", "line")}  # fmt: skip
PATRONS = {row["key"]: row for row in PATRON_ROWS}
HINTS = {row["key"]: row["effect"] for table in ("guests", "tavern") for row in NUMBERS.tables[table]}
PIECES = {row["key"]: row["effect"] for row in NUMBERS.tables["pieces"]}
HALF = (INSIDE - GAP) / 2
SEAT, SEAT_HIGH = 66.0, 54.0


def draw(view: View) -> str:
    """Draw the display, the tracks, and the taverns."""
    t: Valley = view.table
    p = Picture(view, "The Taverns of Tiefenthal", f"Round {max(1, t.round)} of {t.rounds} · {t.phase} · player_{t.first} is first")
    display(p, t)
    for key in t.starts or ():
        with p.thing(f"start:{key}", EDGE, p.y, INSIDE, 26):
            p.box(EDGE, p.y, INSIDE, 26, "card", "line")
            p.text(EDGE + 12, p.y + 18, f"Start card {key}: {EFFECTS[key]}", 13, fit=INSIDE - 24)
        p.y += 32
    track(p, "Monastery", [(*ICONS[bonus], n if n > 1 else "") for bonus, n in t.monastery], [me.monastery for me in t.taverns])
    if t.loop:
        spaces = [(*ICONS.get(what, ("star", "c3")), points or "") for what, points in t.loop]
        track(p, "Reputation", spaces, [me.fame[0] for me in t.taverns if me.fame])
    p.players(2, tavern)
    return p.svg()


# The middle of the table


def display(p: Picture, t: Valley) -> None:
    """Draw the guests on offer and what is to be had."""
    wide, high = 534.0, 138.0
    p.panel(EDGE, p.y, wide, high, f"Guests: {t.deck} in the deck, {t.cheap} more for 3 beers")
    for k, (name, one) in enumerate(zip(OPEN_NAMES, t.guests, strict=True)):
        x, y = EDGE + 8.0 + 104 * k, p.y + 30
        with p.thing(f"guest:{name}", x, y, 101, 100, hint=HINTS[one.key] if one else ""):
            p.box(x, y, 101, 100, "sunk" if one else None, "line", 6, 1, "" if one else ' stroke-dasharray="4 4"')
            if one:
                visitor(p, one, x, y)
    x, w = EDGE + wide + GAP, INSIDE - wide - GAP
    p.panel(x, p.y, w, high, "To be had")
    for (key, n), (cx, cy) in zip(t.stock.items(), places(len(t.stock), x + 8, p.y + 30, w - 12, 76, 47, 4), strict=True):
        with p.thing(f"stock:{key}", cx, cy, 76, 47, hint=HINTS.get(key, "")):
            p.box(cx, cy, 76, 47, "sunk", "line")
            p.icon(ICONS[key][0], cx + 15, cy + 15, 19, ICONS[key][1])
            p.text(cx + 70, cy + 20, f"{TIMES} {n}", 12, "soft", anchor="end")
            cost = t.prices.get(key)
            p.icon("coin" if cost is not None else "mug", cx + 14, cy + 36, 14, "c4")
            p.text(cx + 25, cy + 41, cost if cost is not None else "/".join(map(str, t.nobles)), 12, bold=True, fit=48)
    p.y += high + GAP


def visitor(p: Picture, one: Guest, x: float, y: float) -> None:
    """Draw a guest on offer: price, points, die and pay, bonus, signature."""
    p.tally(x + 4, y + 20, "mug", one.beers, "c4", 15)
    p.text(x + 95, y + 20, f"{one.vp} VP", 13, bold=True, anchor="end")
    p.icon("person", x + 17, y + 47, 24, "soft")
    p.die(x + 37, y + 36, one.die, 22)
    p.tally(x + 65, y + 53, "coin", one.pay, "c4", 14)
    if one.bonus != "none":
        icon, paint = ICONS[one.bonus]
        p.icon(icon, x + 17, y + 81, 18, paint)
        p.text(
            x + 30, y + 86, f"{one.amount} {title(one.bonus)}" if one.amount > 1 else title(one.bonus), 11.5, fit=50 if one.signed else 68
        )
    if one.signed:
        p.icon("book", x + 48, y + 15, 17, "c1")


def track(p: Picture, name: str, cells: Sequence[tuple[str, str, object]], markers: Sequence[int]) -> None:
    """Draw a track: each space with what it brings, and the signs of the players on it."""
    x, w, high = EDGE + 92.0, (INSIDE - 92.0) / len(cells), 60.0
    p.box(EDGE, p.y, INSIDE, high, "card", "line", 8)
    p.text(EDGE + 10, p.y + 35, name, 13, bold=True, fit=78)
    for k, (icon, paint, told) in enumerate(cells):
        p.box(x + k * w + 1, p.y + 3, w - 3, high - 6, "sunk", None, 4)
        middle = x + k * w + w / 2 - 0.5
        if icon != "circle":
            p.icon(icon, middle - (7 if told != "" else 0), p.y + 14, 15, paint)
            p.text(middle + 8, p.y + 18.5, told, 12, bold=True, anchor="middle")
        else:
            p.text(middle, p.y + 18, k, 11, "soft", anchor="middle")
        here = [seat for seat, at in enumerate(markers) if at == k]
        rows = 2 if len(here) * 17 > w else 1
        for n, seat in enumerate(here):
            column, columns = n // rows, -(-len(here) // rows)
            p.badge(seat, middle + (column - (columns - 1) / 2) * 17, p.y + 40 + (n % rows - (rows - 1) / 2) * 16, 16)
    p.y += high + GAP


# Taverns


def frame(p: Picture, t: Valley, seat: int, x: float, y: float, w: float, h: float) -> None:
    """Draw the frame of a tavern with its goods."""
    me = t.taverns[seat]
    p.panel(x, y, w, h, f"player_{seat}", seat)
    right = x + 108
    for icon, told, thing in (
        ("coin", f"{me.doubloons} ({me.pieces['safe'].level})", ""),
        ("mug", f"{me.beer} ({me.pieces['store'].level})", ""),
        ("person", str(me.counter), f"counter:{seat}"),
        *((("glass", str(me.schnapps), f"schnapps:{seat}"),) if me.schnapps is not None else ()),
    ):
        with p.thing(thing, right - 4, y + 5, 26 + 9 * len(told), 24):
            p.tally(right, y + 22, icon, told, "c2" if icon == "glass" else "soft" if icon == "person" else "c4", 14)
        right += 38 + 9 * len(told)


def tavern(p: Picture | None, view: View, seat: int, x: float, y: float, w: float, h: float) -> float:
    """Draw what lies in a tavern; return how high it is. Without a picture only the height is found."""
    t: Valley = view.table
    me = t.taverns[seat]
    down = y + 36
    if p:
        frame(p, t, seat, x, y, w, h)
        dice(p, view, seat, x + 10, down)
        for k, key in enumerate(("cashbox", "barrel", "monk", "supplier", "unused")):
            space(p, t, me, seat, key, x + 8 + 84.4 * k, down + 34)
    down += 102
    patrons = [key for key in me.laid if key in PATRONS for _ in range(me.laid[key])] + ["noble"] * ("noble" in me.laid)
    free = max(0, me.tables - len(patrons))
    corners = places(len(patrons) + free, x + 8, down, w - 12, SEAT, SEAT_HIGH, 4)
    if p:
        seen = dict.fromkeys(patrons, 0)
        for key, (cx, cy) in zip([*patrons, *[""] * free], corners, strict=True):
            table(p, me, seat, key, cx, cy, seen.get(key, 0))
            seen[key] = seen.get(key, 0) + 1
    down = below(corners, SEAT_HIGH, down) + 6
    if p:
        beside(p, me, seat, x + 8, down)
        pieces(p, me, seat, x + 8, down + 32)
        piles(p, t, me, seat, x + 8, down + 68)
    return down - y + 68 + (92 if me.book is not None else 54 if me.entertainers else 38)


def dice(p: Picture, view: View, seat: int, x: float, y: float) -> None:
    """Draw the dice to be placed, and those on the coaster that lies in front of the player now."""
    t: Valley = view.table
    me, left = t.taverns[seat], x
    for face in sorted(set(me.dice)):
        n, now = me.dice.count(face), bool(t.turn and t.turn.seat == seat and t.turn.face == face)
        with p.thing(f"die:{seat}:{face}", left - 2, y - 2, 26 * n + 2, 28, 5):
            for k in range(n):
                p.die(left + 26 * k, y, face, 23, "c4" if now else "card", "on" if now else "ink")
        left += 26 * n + 5
    passed = view.asked.seat - view.asked.args["coaster"] if view.asked and view.asked.question == "die" else 0
    number = (seat - passed) % view.seats
    coaster = t.taverns[number].coaster
    if not me.dice and not coaster:
        p.text(x, y + 17, "no dice to place", 12, "soft")
    if coaster:
        wide = 30.0 * len(coaster) + 16
        left = max(left + 8, x + HALF - 20 - wide)
        p.box(left, y - 3, wide, 29, "sunk", "soft", 14, 1.5)
        for k, face in enumerate(coaster):
            with p.thing(f"coaster:{number}:{face}", left + 7 + 30 * k, y - 2, 27, 27, 5):
                p.die(left + 9 + 30 * k, y, face, 23)


def space(p: Picture, t: Valley, me: Tavern, seat: int, key: str, x: float, y: float) -> None:
    """Draw a space of the tavern: the dice it takes, what each brings, and the dice on it."""
    with p.thing(f"place:{seat}:{key}", x, y, 81, 60):
        p.box(x, y, 81, 60, "sunk", "line")
        at = me.spaces.get(key)
        if at is None:
            p.text(x + 8, y + 17, key, 12, "soft")
            on = t.turn.on.get(key, 0) if t.turn and t.turn.seat == seat else 0
        else:
            upgraded = key in me.pieces and me.pieces[key].upgraded
            p.icon(ICONS[key][0], x + 15, y + 15, 19, ICONS[key][1])
            p.text(x + 28, y + 20, takes(at), 12, bold=True, fit=36)
            if upgraded:
                p.icon("star", x + 71, y + 11, 13, "c1")
            p.tally(x + 5, y + 41, ICONS[at.goods][0], f"+{at.brings}", ICONS[at.goods][1])
            on = at.dice
        dots(p, on, x + 7, y + 45)


def takes(at: Space) -> str:
    """Return which dice a space takes."""
    return "any" if len(at.faces) == 6 else " ".join(map(str, at.faces))


def dots(p: Picture, n: int, x: float, y: float) -> None:
    """Draw dice that lie on a place."""
    for k in range(n):
        p.box(x + 13 * k, y, 11, 11, "c4", "ink", 2)


def table(p: Picture, me: Tavern, seat: int, key: str, x: float, y: float, before: int) -> None:
    """Draw a table with its patron; `before` is how many of the same kind are drawn already."""
    with p.thing(f"place:{seat}:{key}" if key else "", x, y, SEAT, SEAT_HIGH):
        p.box(x, y, SEAT, SEAT_HIGH, "card" if key else None, "soft" if key else "line", 8, 1.5, "" if key else ' stroke-dasharray="4 4"')
        if not key:
            p.icon("table", x + SEAT / 2, y + SEAT_HIGH / 2, 22, "line")
            return
        at = me.spaces[key]
        if key == "noble":
            p.tally(x + 5, y + 22, "crown", me.laid[key], "c5", 15)
        else:
            p.die(x + 6, y + 6, int(PATRONS[key]["die"]), 20)
            if key.startswith("guest"):
                p.icon("person", x + SEAT - 13, y + 15, 16, "c3")
        p.tally(x + 4, y + 46, "coin", at.brings, "c4", 13)
        dots(
            p,
            at.dice if key == "noble" else int(before < at.dice),
            x + SEAT - 16 - 13 * max(0, (at.dice if key == "noble" else 1) - 1),
            y + 36,
        )


def beside(p: Picture, me: Tavern, seat: int, x: float, y: float) -> None:
    """Draw the cards that lie beside the tables."""
    cards = [(key, n) for key, n in me.laid.items() if key in ICONS and key != "noble"]
    for k, (key, n) in enumerate(cards):
        left = x + 70 * k
        with p.thing(f"card:{seat}:{key}", left, y, 66, 26):
            p.box(left, y, 66, 26, "card", "line")
            p.tally(left + 6, y + 18, ICONS[key][0], f"{TIMES} {n}", ICONS[key][1])
    if not cards:
        p.text(x + 2, y + 18, "no cards beside the tables", 12, "soft")


def pieces(p: Picture, me: Tavern, seat: int, x: float, y: float) -> None:
    """Draw the pieces that can be upgraded, with the price of each or a star."""
    for k, (key, piece) in enumerate(me.pieces.items()):
        left = x + 46.9 * k
        with p.thing(f"piece:{seat}:{key}", left, y, 44, 28, 5, f"{title(key)}: {PIECES[key]}"):
            p.box(left, y, 44, 28, "card" if piece.upgraded else "sunk", "c1" if piece.upgraded else "line", 5, 2 if piece.upgraded else 1)
            p.icon("chest" if key == "safe" else ICONS[key][0], left + 14, y + 14, 17, ICONS[key][1])
            if piece.upgraded:
                p.icon("star", left + 32, y + 14, 14, "c1")
            else:
                p.text(left + 33, y + 19, piece.cost, 12, "soft", anchor="middle")


def piles(p: Picture, t: Valley, me: Tavern, seat: int, x: float, y: float) -> None:
    """Write the piles and the entertainers, and draw the guest book."""
    wide = HALF - 20
    if me.book is not None and t.cells:
        wide -= 160
        left = x + wide + 6
        for k, (column, covered) in enumerate(me.book.items()):
            with p.thing(f"book:{seat}:{column}", left + 38 * k, y, 36, 86, 4):
                for row, cells in enumerate(t.cells):
                    bonus, n = cells[k]
                    p.box(left + 38 * k, y + 21.5 * row, 36, 20, "c1" if row < covered else "sunk", "line", 3)
                    if row < covered:
                        p.icon("book", left + 38 * k + 18, y + 21.5 * row + 10, 13, "on")
                    elif bonus != "none":
                        p.icon(ICONS[bonus][0], left + 38 * k + (12 if n > 1 else 18), y + 21.5 * row + 10, 14, ICONS[bonus][1])
                        p.text(left + 38 * k + 27, y + 21.5 * row + 14.5, n if n > 1 else "", 11, bold=True, anchor="middle")
    drawn = sum(me.deck.values()) + len(me.gained)
    p.text(x + 2, y + 13, f"draw pile {drawn}, discarded {sum(me.discard.values())}", 12, fit=wide)
    top = [f"{'guest' if key.startswith('guest') else title(key)}" for key in me.gained[:3]]
    p.text(x + 2, y + 30, f"on top: {', '.join(top)}" if top else "", 12, "soft", fit=wide)
    if me.entertainers:
        p.icon("glass", x + 9, y + 43, 14, "c2")
        p.text(x + 20, y + 47, ", ".join(title(key.partition("_")[2]) for key in me.entertainers), 12, "soft", fit=wide - 20)
