"""The picture of a table of Tavern Battle: trade and brawl, the Militia's countdown, and the groups with their cards."""

from collections.abc import Sequence

from alehouse.envs.core.show.svg import EDGE, GAP, TIMES, Picture, below, places
from alehouse.envs.core.show.view import View, title
from alehouse.envs.core.words import amount
from alehouse.envs.tavern_battle.layout import NUMBERS
from alehouse.envs.tavern_battle.view import Brawl, Character, Player, sale_words

TYPES = {"beer": ("mug", "c4"), "weapon": ("sword", "c7"), "invention": ("gear", "c6"), "magic": ("spark", "c3"), "music": ("music", "c1"),
         "jewel": ("gem", "c0"), "holy": ("cross", "c2"), "demonic": ("horns", "c5"), "any": ("star", "soft"),
         "tavern": ("door", "soft")}  # fmt: skip
TURNED = {"upright": 0, "tilted": 90, "down": 180, "ko": 270, "fled": 0}
SIGNS = {"protected": "shield", "hidden": "eye", "armed": "sword", "door": "door", "insulted": "letter"}
TREASURE_TYPES = {row["key"]: [row[c] for c in ("type1", "type2") if row[c] != "none"] for row in NUMBERS.tables["treasures"]}
AFFINITIES = {
    row["key"]: [row[f"affinity{k}"] for k in (1, 2, 3) if row.get(f"affinity{k}", "none") != "none"]
    for table in ("heroes", "arrivals")
    for row in NUMBERS.tables[table]
}
EFFECTS = {row["key"]: row["effect"] for table in ("treasures", "agitation") for row in NUMBERS.tables[table]}
USES = (("contact", "hammer"), ("ranged", "bow"), ("protection", "shield"), ("hideout", "eye"))
OBJECT_USES = {row["key"]: [icon for use, icon in USES if str(row[use]) == "1"] for row in NUMBERS.tables["objects"]}
TOP_HIGH = 132.0
CELL, CELL_HIGH = 90.0, 106.0
CHIP, CHIP_HIGH = 135.0, 24.0
Chip = tuple[str, str, Sequence[str], str]  # the id of the thing, what is written on it, its icons, and its colour


def draw(view: View) -> str:
    """Draw the middle of the table, then the players in the order in which they sit."""
    t: Brawl = view.table
    brawl = f"Round {t.round} of the brawl · {t.phase} · player_{t.leader} leads"
    p = Picture(view, "Tavern Battle", brawl if t.round else f"Trade turn {t.turn} of {t.turns} · {t.phase} · player_{t.seller} sells")
    x = float(EDGE)
    for w, part in ((308.0, centre if t.round else trade), (276.0, action if t.round else agitation), (276.0, militia)):
        part(p, t, x, p.y, w)
        x += w + GAP
    p.y += TOP_HIGH + GAP
    p.players(3 if view.seats > 4 else 2, player)
    return p.svg()


# The middle of the table


def trade(p: Picture, t: Brawl, x: float, y: float, w: float) -> None:
    """Draw the treasure for sale, and an envelope for each offer."""
    p.panel(x, y, w, TOP_HIGH, "Trade mat")
    if t.shown:
        p.text(x + 12, y + 46, "for sale", 12, "soft")
        treasure(p, t.shown, x + 76, y + 32)
    offers = [(seat, me.offer) for seat, me in enumerate(t.players) if seat != t.seller] if t.shown else []
    for (seat, offer), (cx, cy) in zip(offers, places(len(offers), x + 12, y + 66, w - 20, 54, 28, 3), strict=True):
        p.badge(seat, cx + 10, cy + 14, 18)
        if offer is None:
            p.icon("letter", cx + 35, cy + 14, 24, "c7")
        else:
            p.tally(cx + 20, cy + 19, "gem", len(offer), "c4" if offer else "soft")
    if not t.shown:
        told = f"last sale: {sale_words(t.sale)}" if t.sale else "no treasure is for sale"
        p.paragraph(x + 12, y + 46, w - 22, told, 12, "soft")
    centre_cards(p, t, x, y + 102, w)


def agitation(p: Picture, t: Brawl, x: float, y: float, w: float) -> None:
    """Draw how many agitation cards are posted, and how many bring the brawl."""
    p.panel(x, y, w, TOP_HIGH, "Agitation posted")
    posted = [key for key, n in t.posted.items() for _ in range(n)]
    for k, (cx, cy) in enumerate(places(len(t.players), x + 12, y + 32, w - 20, 36, 24, 6)):
        p.box(cx, cy, 36, 24, "c1" if k < len(posted) else "sunk", "ink" if k < len(posted) else "line", 4)
        p.icon("flame", cx + 18, cy + 12, 15, "on" if k < len(posted) else "line")
    told = ", ".join(map(title, posted)) or f"{len(t.players)} cards bring the brawl"
    p.paragraph(x + 12, y + 78, w - 22, told, 12, "soft")


def centre(p: Picture, t: Brawl, x: float, y: float, w: float) -> None:
    """Draw what lies in the centre, and the objects nobody holds."""
    with p.thing("centre", x, y, w, TOP_HIGH, 8):
        p.panel(x, y, w, TOP_HIGH, "Centre")
    centre_cards(p, t, x, y + 30, w)
    told = f"objects: {t.left} in the deck, {sum(t.discarded.values())} discarded, {sum(t.broken.values())} broken"
    p.text(x + 12, y + TOP_HIGH - 12, told, 12, "soft", fit=w - 24)


def centre_cards(p: Picture, t: Brawl, x: float, y: float, w: float) -> None:
    """Draw the treasures in the centre, those face down as a pile."""
    pile = [""] * (t.pile > 0)
    w_chip = 140.0 if len(t.fallen) + len(pile) <= 6 else 92.0
    for key, (cx, cy) in zip([*t.fallen, *pile], places(len(t.fallen) + len(pile), x + 10, y, w - 18, w_chip, 24, 3), strict=True):
        if key:
            treasure(p, key, cx, cy, w_chip)
        else:
            with p.thing("pile", cx, cy, w_chip, 24, 5):
                p.box(cx, cy, w_chip, 24, "c7", None, 5)
                p.text(cx + w_chip / 2, cy + 16.5, f"{t.pile} face down", 12, "on", anchor="middle", fit=w_chip - 12)


def action(p: Picture, t: Brawl, x: float, y: float, w: float) -> None:
    """Draw the action under way or the last one: who, with what, against whom, and the dice."""
    with p.thing("dice", x, y, w, TOP_HIGH, 8):
        p.panel(x, y, w, TOP_HIGH, "Action")
        if t.action is None:
            p.text(x + 12, y + 46, "nobody has acted yet", 12, "soft")
            return
        act = t.action
        told = f"{title(act.actor)}: {title(act.verb)}" if act.verb else title(act.actor)
        told += f" with the {title(act.tool)}" if act.tool else ""
        p.text(x + 12, y + 43, told, 13, bold=True, fit=w - 24)
        if act.target:
            p.icon("target", x + 21, y + 59, 18, "bad")
            p.text(x + 36, y + 64, title(act.target), 13, fit=w - 48)
        if act.verb:
            p.text(x + 12, y + 86, f"dice to throw: {act.dice}" if act.parry is None else f"adds {act.dice} to a die", 12, "soft")
        for k, face in enumerate(act.faces[:9]):
            p.die(x + 12 + 26 * k, y + 98, face, 23)
        if act.parry:
            p.text(x + 48, y + 115, "against", 12, "soft")
            p.die(x + 102, y + 98, act.parry, 23, "c7", "on")


def militia(p: Picture, t: Brawl, x: float, y: float, w: float) -> None:
    """Draw the arrivals deck card by card: those drawn, those to come, and where the Militia may be."""
    p.panel(x, y, w, TOP_HIGH, "Arrivals and the Militia")
    for k, (cx, cy) in enumerate(places(t.arrivals, x + 12, y + 30, w - 20, 23, 22, 5)):
        drawn, danger = k < t.drawn, k >= t.militia_from
        p.box(cx, cy, 23, 22, "c7" if drawn else "card", "bad" if danger else "line", 4, 2 if danger else 1)
        if danger:
            p.icon("shield", cx + 11.5, cy + 11, 14, "on" if drawn else "bad")
    if t.arrival:
        with p.thing("arrival", x + 8, y + 84, w - 16, 42):
            p.box(x + 8, y + 84, w - 16, 42, "sunk", "ink")
            p.text(x + 18, y + 101, f"Who wants the {title(t.arrival)}?", 13, bold=True, fit=w - 36)
            affinities(p, t.arrival, x + 18, y + 115)
    else:
        p.text(x + 12, y + 100, f"{t.drawn} drawn; the Militia comes from card {t.militia_from + 1} on", 12, "soft", fit=w - 24)
        p.text(x + 12, y + 119, f"The tavern is worth {t.value}", 13, bold=True)


# Players


def player(p: Picture | None, view: View, seat: int, x: float, y: float, w: float, h: float) -> float:
    """Draw a group and the cards of its player; return how high that is. Without a picture only the height is found."""
    t: Brawl = view.table
    me = t.players[seat]
    cells = places(len(me.characters), x + 8, y + 36, w - 12, CELL, CELL_HIGH, 2)
    down = below(cells, CELL_HIGH, y + 60) + 6
    if p:
        p.panel(x, y, w, h, f"player_{seat}", seat)
        role = ("leads" if seat == t.leader else "") if t.round else ("sells" if seat == t.seller else "")
        p.text(x + w - 12, y + 21, role, 12, "soft", anchor="end")
        for one, (cx, cy) in zip(me.characters, cells, strict=True):
            character(p, one, seat, cx, cy)
    for cards in rows(me, seat):
        corners = places(len(cards), x + 8, down, w - 12, CHIP, CHIP_HIGH, 4)
        if p:
            for (name, told, icons, paint), (cx, cy) in zip(cards, corners, strict=True):
                chip(p, name, told, icons, paint, cx, cy)
        down = below(corners, CHIP_HIGH, down - 6) + 6
    return down - y + 4


def rows(me: Player, seat: int) -> list[list[Chip]]:
    """Return the chips of a player row by row: treasures by affinity, then objects and agitation cards."""
    treasures: list[Chip] = [(f"treasure:{key}", title(key), TREASURE_TYPES[key], "card") for key in by_type(me.treasures or me.known)]
    hidden = me.count + me.safe_count - len(me.known) if me.treasures is None else 0
    treasures += [("", f"{hidden} hidden", ["any"], "c7")] if hidden > 0 else []
    treasures += [("", f"safe: {title(key)}", TREASURE_TYPES[key], "sunk") for key in me.safe or ()]
    offered: list[Chip] = [("", f"offers {title(key)}", ["any"], "sunk") for key in me.offer or ()]
    objects: list[Chip]
    if me.objects is None:
        objects = [("", amount(me.held, "object"), ["hammer"], "c7")] * (me.held > 0)
    else:
        objects = [(f"object:{seat}:{key}", several(key, n), OBJECT_USES[key], "card") for key, n in me.objects.items()]
    if me.agitation is None:
        objects += [("", f"{me.cards} agitation", ["flame"], "c7")] * (me.cards > 0)
    else:
        objects += [(f"agitation:{seat}:{key}", several(key, n), ["flame"], "sunk") for key, n in me.agitation.items()]
    return [treasures + offered, objects]


def several(key: str, n: int) -> str:
    """Return a card with its number, if there are several."""
    return f"{n} {TIMES} {title(key)}" if n > 1 else title(key)


def by_type(keys: Sequence[str]) -> list[str]:
    """Return treasures in the order of their affinities."""
    return sorted(keys, key=lambda key: [list(TYPES).index(kind) for kind in TREASURE_TYPES[key]])


def chip(p: Picture, name: str, told: str, icons: Sequence[str], paint: str, x: float, y: float, w: float = CHIP) -> None:
    """Draw a card as a chip with its icons."""
    with p.thing(name, x, y, w, CHIP_HIGH, 5, EFFECTS.get(name.rpartition(":")[2], "")):
        p.box(x, y, w, CHIP_HIGH, paint, None if paint == "c7" else "line", 5)
        for k, kind in enumerate(icons):
            icon, colour = TYPES.get(kind, (kind, "soft"))
            p.icon(icon, x + 11 + 15 * k, y + 12, 13, "on" if paint == "c7" else colour)
        left = x + 6 + 15 * len(icons)
        p.text(left, y + 16.5, told, 12, "on" if paint == "c7" else "ink", fit=x + w - left - 4)


def treasure(p: Picture, key: str, x: float, y: float, w: float = CHIP) -> None:
    """Draw a treasure that lies on the table."""
    chip(p, f"treasure:{key}", title(key), TREASURE_TYPES[key], "card", x, y, w)


def affinities(p: Picture, key: str, x: float, y: float) -> None:
    """Draw the affinities of a character."""
    for k, kind in enumerate(AFFINITIES[key]):
        icon, paint = TYPES[kind]
        p.icon(icon, x + 7 + 18 * k, y, 14, paint)


def character(p: Picture, one: Character, seat: int, x: float, y: float) -> None:
    """Draw a character as a card that is turned by quarters, with strength, cunning, and what lies on it."""
    out = one.position in ("ko", "fled")
    with p.thing(f"character:{one.key}", x, y, CELL, CELL_HIGH):
        p.box(x, y, CELL, CELL_HIGH, "sunk" if one.role else None, "ink" if one.role else None, 6, 2)
        p.parts.append(f'<g transform="rotate({TURNED[one.position]} {x + 45:g} {y + 32:g})">')
        p.box(
            x + 27,
            y + 6,
            38,
            52,
            "sunk" if out else f"c{seat % 6}",
            "ink",
            5,
            1,
            ' stroke-dasharray="4 3"' if one.position == "fled" else "",
        )
        p.icon("skull" if one.position == "ko" else "person", x + 45, y + 30, 30, "soft" if out else "on")
        p.parts.append("</g>")
        p.icon("hammer", x + 11, y + 12, 13, "soft")
        p.text(x + 11, y + 30, one.strength, 13, bold=True, anchor="middle")
        p.icon("spark", x + 11, y + 42, 13, "soft")
        p.text(x + 11, y + 60, one.cunning, 13, bold=True, anchor="middle")
        signs = [SIGNS[sign] for sign in one.signs] + ["target"] * (one.role == "target") + ["heart"] * (one.role == "supports")
        for k, icon in enumerate(signs[:3]):
            p.icon(icon, x + CELL - 9, y + 12 + 19 * k, 16, "bad" if icon == "target" else "ink")
        p.text(x + CELL / 2, y + 77, title(one.key), 12, bold=one.role == "acts", anchor="middle", fit=CELL - 6)
        affinities(p, one.key, x + 4, y + 93)
        state = "out" if one.position == "ko" else one.position
        if state != "upright":
            p.text(x + CELL - 4, y + 97, state, 11, "soft", anchor="end")
