"""The picture of a table of The Bloody Inn: the road, the rooms, and what lies in front of each player."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from alehouse.envs.bloody_inn.layout import NUMBERS
from alehouse.envs.bloody_inn.view import Annex, Card, Inn, Innkeeper, Place
from alehouse.envs.core.show.svg import EDGE, GAP, INSIDE, TIMES, Picture, below, places
from alehouse.envs.core.show.theme import colour
from alehouse.envs.core.show.view import View, title

FAMILIES = {"artisan": ("hammer", "c1"), "merchant": ("bag", "c4"), "religious": ("cross", "c3"), "police": ("shield", "c0"),
            "noble": ("crown", "c2"), "peasant": ("hat", "c6"), "carny": ("tent", "c5"), "notable": ("tophat", "c7")}  # fmt: skip
EFFECTS = {row["key"]: row["effect"] for table in ("cards", "annexes", "objects") for row in NUMBERS.tables[table]}
CHIP, CHIP_HIGH = 173.0, 26.0
LABELS = 66.0  # width of the words before the chips
ROOM, ROOM_HIGH = 141.0, 92.0


def draw(view: View) -> str:
    """Draw the road, the open rooms and caravans, and the players."""
    t: Inn = view.table
    season = f"Round {t.round}, season {t.season}" + (", the last round" if t.last else "")
    p = Picture(view, "The Bloody Inn", f"{season} · {t.phase}")
    road(p, t)
    corners = places(len(t.places), EDGE, p.y, INSIDE, ROOM, ROOM_HIGH)
    for at, (x, y) in zip(t.places, corners, strict=True):
        room(p, at, x, y)
    p.y = below(corners, ROOM_HIGH, p.y) + 10
    p.players(1 if view.seats == 1 else 2, innkeeper)
    return p.svg()


def road(p: Picture, t: Inn) -> None:
    """Draw the two stacks, the bistro, and what concerns this round."""
    x, y, high = float(EDGE), p.y, 92.0
    for w, name, heading, content in (
        (218.0, "entrance", f"Entrance stack: {t.stack}", stack),
        (112.0, "bistro", "Bistro", bistro),
        (300.0, "exit", f"Exit stack: {sum(t.exit.values())}", leavers),
        (222.0, "round", "This round", this_round),
    ):
        with p.thing(name, x, y, w, high):
            p.panel(x, y, w, high, heading)
            content(p, t, x, y, w)
        x += w + GAP
    p.y += high + 10


def stack(p: Picture, t: Inn, x: float, y: float, w: float) -> None:
    """Draw the visible traveler."""
    if t.top:
        traveler(p, t.top, x + 8, y + 30, w - 16, 54)
    else:
        p.text(x + 12, y + 56, "nobody", 13, "soft")


def bistro(p: Picture, t: Inn, x: float, y: float, w: float) -> None:
    """Draw the peasants of the bistro."""
    p.icon("hat", x + 34, y + 56, 36, "c6")
    p.text(x + 62, y + 65, t.bistro, 24, bold=True)


def leavers(p: Picture, t: Inn, x: float, y: float, w: float) -> None:
    """Draw the cards of the exit stack, family by family."""
    counts = {family: sum(n for key, n in t.exit.items() if t.cards[key].family == family) for family in FAMILIES}
    shown = [(family, n) for family, n in counts.items() if n]
    for (family, n), (cx, cy) in zip(shown, places(len(shown), x + 12, y + 32, w - 20, 62, 26, 6), strict=True):
        icon, paint = FAMILIES[family]
        p.tally(cx, cy + 18, icon, n, paint)
    if not shown:
        p.text(x + 12, y + 56, "empty", 13, "soft")


def this_round(p: Picture, t: Inn, x: float, y: float, w: float) -> None:
    """Write the first player, the event, the letter and the police."""
    lines = [t.ending or f"player_{t.first} is first"] + ([f"event: {title(t.event)}"] if t.event else [])
    lines += ["a letter was sent"] if t.letter else []
    lines += [f"police in {len(t.police)} rooms" if len(t.police) > 1 else "police in a room"] if t.police else []
    lines += [f"objects played: {len(t.used)}"] if t.used and len(lines) < 4 else []
    for k, told in enumerate(lines[:4]):
        p.text(x + 12, y + 39 + 15 * k, told, 12, "bad" if "police" in told or "letter" in told else "ink", fit=w - 20)


def family(p: Picture, card: Card, x: float, y: float, size: float) -> None:
    """Draw the sign of a family in a square."""
    icon, paint = FAMILIES[card.family]
    p.box(x, y, size, size, "sunk", None, 4)
    p.icon(icon, x + size / 2, y + size / 2, size * 0.72, paint)


def traveler(p: Picture, card: Card, x: float, y: float, w: float, h: float) -> None:
    """Draw a traveler: family, name, rank in the inn and afterwards, money."""
    p.box(x, y, w, h, "card", "ink", 5)
    family(p, card, x + 4, y + 4, h - 8)
    left = x + h + 2
    p.text(left, y + h / 2 - 5, title(card.key), 13, bold=True, fit=x + w - left - 5)
    rank = f"rank {card.up}" if card.up == card.low else f"rank {card.up}/{card.low}"
    p.text(left, y + h / 2 + 14, rank, 11.5, "soft", fit=x + w - left - 38)
    p.text(x + w - 6, y + h / 2 + 14, f"{card.money}F", 12, bold=True, anchor="end")


def room(p: Picture, at: Place, x: float, y: float) -> None:
    """Draw a room or caravan: the door in the colour of its owner, and the guest."""
    paint = "soft" if at.owner is None else f"c{at.owner}"
    with p.thing(f"place:{at.number}", x, y, ROOM, ROOM_HIGH):
        p.box(x, y, ROOM, ROOM_HIGH, "card", paint, 6, 2)
        p.parts.append(f'<path d="M{x:g} {y + 26:g}V{y + 6:g}Q{x:g} {y:g} {x + 6:g} {y:g}H{x + ROOM - 6:g}'
                       f'Q{x + ROOM:g} {y:g} {x + ROOM:g} {y + 6:g}V{y + 26:g}z" fill="{colour(paint)}"/>')  # fmt: skip
        if at.owner is None:
            p.icon("key", x + 15, y + 13, 16, "on")
        else:
            p.badge(at.owner, x + 15, y + 13, 22)
        marks = (
            [("cup", None)] * at.coffee + [("cake", at.cake)] * (at.cake is not None) + [("bell", at.service)] * (at.service is not None)
        )
        p.text(x + 30, y + 18, at.name, 12, "on", bold=True, fit=ROOM - 38 - 32 * len(marks))
        for k, (icon, owner) in enumerate(marks):
            p.icon(icon, x + ROOM - 13 - 32 * k, y + 13, 15, "on")
            if owner is not None:
                p.text(x + ROOM - 27 - 32 * k, y + 18, owner, 11, "on", bold=True, anchor="middle")
        if at.guest:
            traveler(p, at.guest, x + 5, y + 32, ROOM - 10, 54)
        else:
            p.box(x + 5, y + 32, ROOM - 10, 54, None, "line", 5, 1, ' stroke-dasharray="4 4"')
            p.text(x + ROOM / 2, y + 63, "empty", 12, "soft", anchor="middle")


Chip = Callable[[Picture, Any, float, float], None]


def innkeeper(p: Picture | None, view: View, seat: int, x: float, y: float, w: float, h: float) -> float:
    """Draw what lies in front of a player; return how high it is. Without a picture only the height is found."""
    t: Inn = view.table
    me = t.players[seat]
    if p:
        p.panel(x, y, w, h, f"player_{seat}", seat)
        heading(p, me, x, y, w)
        money(p, t, me, seat, x, y + 36, w)
    down = 74.0
    for label, chips, chip in rows(view, seat):
        corners = places(len(chips), x + LABELS, y + down, w - LABELS - 6, CHIP, CHIP_HIGH, 5)
        if p:
            p.text(x + 10, y + down + 17, label, 12, "soft")
            for one, (cx, cy) in zip(chips, corners, strict=True):
                chip(p, one, cx, cy)
            if not chips:
                p.text(x + LABELS + 2, y + down + 17, "none", 12, "soft")
        down = below(corners, CHIP_HIGH, y + down + 22) - y + 7
    return down + 3


def heading(p: Picture, me: Innkeeper, x: float, y: float, w: float) -> None:
    """Write the counts beside the player's name."""
    right = x + w - 150
    right = p.tally(right, y + 21, "key", me.tokens, "soft")
    p.tally(right, y + 21, "coffin", f"{me.buried} buried", "soft", 12)


def money(p: Picture, t: Inn, me: Innkeeper, seat: int, x: float, y: float, w: float) -> None:
    """Draw the wealth track with its limit, and the checks."""
    track = w - 178
    with p.thing(f"money:{seat}", x + 6, y - 2, w - 12, 34):
        p.text(x + 50, y + 21, f"{me.cash}F", 16, bold=True, anchor="end")
        p.box(x + 58, y + 6, track, 18, "sunk", "line", 4)
        part = min(1.0, me.cash / max(1, t.cash_limit))
        if part:
            p.box(x + 58, y + 6, track * part, 18, "c4", None, 4)
        for ten in range(10, t.cash_limit + 1, 10):
            at = x + 58 + track * ten / t.cash_limit
            p.line([(at, y + 6), (at, y + 24)], "ink", 2 if ten == t.cash_limit else 0.7)
        p.text(x + 62 + track, y + 20, f"{t.cash_limit}", 11, "soft")
        p.icon("note", x + w - 78, y + 15, 22, "c2")
        p.text(x + w - 62, y + 21, f"{me.checks} {TIMES} 10", 13, bold=True, fit=52)


def rows(view: View, seat: int) -> list[tuple[str, Sequence[Any], Chip]]:
    """Return the rows of chips in front of a player: a label, what is shown, and how."""
    t: Inn = view.table
    me = t.players[seat]
    found: list[tuple[str, Sequence[Any], Chip]] = [
        ("hand", held(t, me.hand, "hand", seat), person),
        ("corpses", held(t, me.corpses, "corpse", seat, me.snow), person),
        ("annexes", [(built, seat) for built in me.annexes], annex),
    ]
    if t.used is None:
        return found
    offered = [o.name.partition(":")[2] for o in view.options if o.thing.startswith(f"object:{seat}:")]
    keys = list(dict.fromkeys([*(me.objects or ()), *offered]))
    return [*found, ("objects", [(key, seat) for key in keys] if me.objects is not None else [(None, me.held)] * (me.held > 0), item)]


def held(t: Inn, cards: Mapping[str, int], kind: str, seat: int, snow: str | None = None) -> list[tuple[Card, int, str, str]]:
    """Return cards of a player with their number, the id of the thing, and the sign of what they are or what threatens them."""
    corpse = "shield" if t.police else "coffin"
    return [
        (t.cards[key], n, f"{kind}:{seat}:{key}", "snow" if key == snow else corpse if kind == "corpse" else "star")
        for key, n in cards.items()
    ]


def person(p: Picture, one: tuple[Card, int, str, str], x: float, y: float) -> None:
    """Draw a card in hand, or a corpse; a shield tells that the police are near it."""
    card, n, name, sign = one
    with p.thing(name, x, y, CHIP, CHIP_HIGH, 5, EFFECTS[card.key]):
        p.box(x, y, CHIP, CHIP_HIGH, "card", "bad" if sign == "shield" else "line", 5)
        family(p, card, x + 2, y + 2, CHIP_HIGH - 4)
        p.text(x + 30, y + 17.5, f"{n} {TIMES} {title(card.key)}" if n > 1 else title(card.key), 12, fit=CHIP - 70)
        p.icon(sign, x + CHIP - 27, y + 13, 15, "bad" if sign == "shield" else "soft")
        p.text(x + CHIP - 8, y + 17.5, card.low, 13, bold=True, anchor="end")


def annex(p: Picture, one: tuple[Annex, int], x: float, y: float) -> None:
    """Draw an annex with its graves: a coffin for each that is filled, a frame for each that is free."""
    built, seat = one
    with p.thing(f"annex:{seat}:{built.key}", x, y, CHIP, CHIP_HIGH, 5, EFFECTS[built.key]):
        p.box(x, y, CHIP, CHIP_HIGH, "sunk", "line", 5)
        graves = len(built.corpses) + built.free
        p.text(x + 7, y + 17.5, title(built.key), 12, fit=CHIP - 14 - 18 * graves)
        for k in range(graves):
            at = x + CHIP - 13 - 18 * (graves - 1 - k)
            if k < len(built.corpses):
                p.icon("coffin", at, y + 13, 18, "ink")
            else:
                p.box(at - 6, y + 5, 12, 16, "card", "ink", 2, 1, ' stroke-dasharray="3 2"')


def item(p: Picture, one: tuple[str | None, int], x: float, y: float) -> None:
    """Draw an object, or how many objects are hidden."""
    key, seat = one
    if key is None:
        p.box(x, y, CHIP, CHIP_HIGH, "c7", None, 5)
        p.text(x + CHIP / 2, y + 17.5, f"{seat} hidden", 12, "on", anchor="middle")
        return
    with p.thing(f"object:{seat}:{key}", x, y, CHIP, CHIP_HIGH, 5, EFFECTS[key]):
        p.box(x, y, CHIP, CHIP_HIGH, "card", "line", 5)
        p.icon("spark", x + 14, y + 13, 16, "c3")
        p.text(x + 28, y + 17.5, title(key), 12, fit=CHIP - 36)
