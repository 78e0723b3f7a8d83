"""The picture of a table of Taverns & Dragons: the ring of zones, the dragon, what is on display, and the taverns."""

from collections.abc import Mapping
from itertools import chain

from alehouse.envs.core.show.svg import EDGE, GAP, INSIDE, TIMES, Picture, below, places, wrapped
from alehouse.envs.core.show.view import View, title
from alehouse.envs.taverns_dragons.layout import NUMBERS
from alehouse.envs.taverns_dragons.view import Kingdom, Minion, Slot, Tavern, Zone

INGREDIENTS = {
    "plant": ("leaf", "c2"),
    "mushroom": ("mushroom", "c3"),
    "spice": ("spice", "c1"),
    "egg": ("egg", "c4"),
    "meat": ("meat", "c6"),
}
SYMBOLS = {"sword": "sword", "bow": "bow", "claw": "claw", "flame": "flame"}
ICONS = {"mead": "mug", "dragon": "flame", "ingredients": "leaf", "event_plus": "heart", "event_minus": "skull"}
OTHERS = {"gold": ("coin", "c4"), "rune": ("rune", "c5"), "sword": ("sword", "c7"), "bow": ("bow", "c7")}
PLACES = {"campfire": "flame", "portal": "target", "enchanted_runes": "rune", "caravan": "arrow", "dungeon": "skull", "forge": "hammer",
          "library": "book", "market": "bag"}  # fmt: skip
HEROES = {row["key"]: row for row in NUMBERS.tables["heroes"]}
TOLD = ("missions", "events", "heroes", "items", "places", "dragons")
EFFECTS = {row["key"]: row["effect"] for table in TOLD for row in NUMBERS.tables[table]}
TRACKS = [row["key"] for row in NUMBERS.tables["tracks"]]
BANK = {row["key"]: row["gold"] for row in NUMBERS.tables["bank"]}
BOX, BOX_HIGH, BAND = 112.0, 90.0, 142.0  # a zone, and the band between the rows of the ring
CITY = 92.0
RING = CITY + 4 * (BOX + 4)
CHIP, CHIP_HIGH = 137.0, 24.0


def draw(view: View) -> str:
    """Draw the board with the dragon beside it, the displays, the rounds, and the taverns."""
    t: Kingdom = view.table
    leader = "" if t.first is None else f" · player_{t.first} is first"
    p = Picture(view, "Taverns & Dragons", f"Round {min(t.round, t.rounds)} of {t.rounds} · {t.phase}{leader}")
    top = p.y
    ring(p, t, top)
    x, w = EDGE + RING + GAP, INSIDE - RING - GAP
    dragon(p, t, x, top, w)
    bank(p, t, x, top + 222, w)
    p.y = top + 2 * BOX_HIGH + BAND + GAP
    display(p, t)
    rounds(p, t)
    p.players(2, tavern)
    return p.svg()


# The board


def ring(p: Picture, t: Kingdom, top: float) -> None:
    """Draw the zones as a ring: the city on the left, zones 1 to 4 above from the left, 5 to 8 below from the right."""
    low = top + BOX_HIGH + BAND
    at = {0: (float(EDGE), top)}
    for k in range(4):
        x = EDGE + CITY + 4 + k * (BOX + 4)
        at[k + 1], at[8 - k] = (x, top), (x, low)
    p.line([(EDGE + CITY / 2, top + 20), (EDGE + RING - BOX / 2, top + 20), (EDGE + RING - BOX / 2, low + 50), (EDGE + CITY / 2, low + 50)],
           "line", 10)  # fmt: skip
    for zone in t.zones:
        if zone.shortcut is not None:
            here, there = at[zone.number], at[zone.shortcut]
            start = (here[0] + (BOX / 2 if here[0] < there[0] else 14), top + BOX_HIGH)
            end = (there[0] + (14 if here[0] < there[0] else BOX / 2), low)
            p.line([start, end], "soft", 2.5, "7 5")
            p.icon("pointer", end[0], end[1] - 7, 13, "soft")
    for zone in t.zones:
        x, y = at[zone.number]
        land(p, zone, x, y, CITY if zone.number == 0 else BOX, 2 * BOX_HIGH + BAND if zone.number == 0 else BOX_HIGH)
    for slot, (near, y) in zip(t.slots, ((1, top + BOX_HIGH + 6), (4, top + BOX_HIGH + 6), (5, low - 66), (8, low - 66)), strict=True):
        place(p, slot, at[near][0], y)


def land(p: Picture, zone: Zone, x: float, y: float, w: float, h: float) -> None:
    """Draw a zone: number and name, slots beside it, what lies there, and the minions."""
    with p.thing(f"zone:{zone.number}", x, y, w, h):
        p.box(x, y, w, h, "sunk" if zone.number == 0 else "card", "soft", 6, 1.5)
        p.text(x + 9, y + 17, f"{zone.number} {title(zone.key)}", 12, bold=True, fit=w - 20 - 10 * len(zone.beside))
        p.text(x + w - 6, y + 17, "".join(zone.beside), 11.5, "soft", bold=True, anchor="end")
        left = x + 12
        lying = [(*INGREDIENTS[key], False) for key, n in zone.tokens.items() for _ in range(n)]
        lying += [(*INGREDIENTS[key], True) for key in zone.printed] + [("rune", "c5", True)] * zone.runes
        lying += [("question", "c5", False)] * zone.encounter + [("goblin", "c2", False)] * (zone.goblin is not None)
        for icon, paint, printed in lying:
            if printed:
                p.box(left - 9, y + 23, 18, 18, "sunk", None, 4)
            p.icon(icon, left, y + 32, 15, paint)
            left += 19
        if zone.goblin is not None:
            p.text(left - 7, y + 36, zone.goblin, 11, bold=True)
        start = y + 34 if zone.number == 0 else y + 46
        for (seat, kind), (cx, cy) in zip(zone.minions, places(len(zone.minions), x + 5, start, w - 6, 20, 20, 1), strict=True):
            p.badge(seat, cx + 10, cy + 10, 20, kind[0].upper())


def place(p: Picture, slot: Slot, x: float, y: float) -> None:
    """Draw a slot with its place and the activation spaces that are free; a dragon closes it."""
    with p.thing(f"slot:{slot.letter}", x, y, BOX, 60, hint=EFFECTS[slot.place]):
        p.box(x, y, BOX, 60, "sunk", "bad" if slot.dragon else "soft", 8, 2 if slot.dragon else 1.5)
        p.text(x + 10, y + 18, slot.letter, 13, bold=True)
        p.icon(PLACES.get(slot.place, "spark"), x + 33, y + 14, 16, "soft")
        p.text(x + 8, y + 36, title(slot.place), 12, fit=BOX - 14)
        if slot.dragon:
            p.icon("flame", x + 15, y + 48, 15, "bad")
            p.text(x + 26, y + 53, "closed", 11.5, "bad", bold=True)
            return
        for k in range(slot.spaces):
            p.box(x + 9 + 20 * k, y + 41, 14, 14, "card" if k < slot.free else "c7", "ink", 3)


def dragon(p: Picture, t: Kingdom, x: float, y: float, w: float) -> None:
    """Draw the dragon's sheet with its lines of boxes, and the hunting dice."""
    with p.thing("dragon", x, y, w, 214, 8, EFFECTS[t.dragon.key] if t.dragon else ""):
        p.panel(x, y, w, 214, f"{title(t.dragon.key)}".capitalize() if t.dragon else "No dragon")
        for n, (printed, left, reward) in enumerate(t.dragon.lines if t.dragon else (), 1):
            top = y + 30 + 30 * (n - 1)
            with p.thing(f"line:{n}", x + 6, top, w - 12, 28):
                p.text(x + 14, top + 19, n, 12, "soft")
                for k, (symbol, marked) in enumerate(boxes(printed, left)):
                    p.box(x + 30 + 26 * k, top + 3, 22, 22, "c7" if marked else "card", "ink", 3)
                    p.icon(symbol, x + 41 + 26 * k, top + 14, 15, "on" if marked else "ink")
                p.text(x + w - 14, top + 19, reward, 12, bold=bool(left), anchor="end", paint="ink" if left else "soft", fit=w - 180)
        if t.dragon:
            p.text(x + 14, y + 166, f"flame: {t.dragon.special}", 12, "soft", fit=w - 28)
    with p.thing("hunt", x + 6, y + 174, w - 12, 36):
        dice = [symbol for symbol, n in t.hunt.items() for _ in range(n)]
        for k, symbol in enumerate(dice[:9]):
            with p.thing(f"die:{symbol}", x + 12 + 31 * k, y + 178, 28, 28, 5):
                p.box(x + 12 + 31 * k, y + 178, 28, 28, "card", "ink", 5)
                p.icon(SYMBOLS[symbol], x + 26 + 31 * k, y + 192, 19, "bad" if symbol in ("claw", "flame") else "ink")
        if not dice:
            p.text(x + 14, y + 197, "nobody hunts", 12, "soft")


def boxes(printed: Mapping[str, int], left: Mapping[str, int]) -> list[tuple[str, bool]]:
    """Return the boxes of a line: the symbol of each, and whether it is marked."""
    return [(symbol, k >= left.get(symbol, 0)) for symbol, n in printed.items() for k in range(n)]


def bank(p: Picture, t: Kingdom, x: float, y: float, w: float) -> None:
    """Draw the spaces of the bank with their gold, and the source."""
    p.panel(x, y, w, 100, "Bank and source")
    for k, (space, taken) in enumerate(t.bank.items()):
        left = x + 10 + 52 * k
        with p.thing(f"bank:{space}", left, y + 32, 47, 58):
            p.box(left, y + 32, 47, 58, "sunk", "line")
            p.die(left + 13, y + 36, k + 1 if space != "blank" else "?", 21, "c7" if taken else "card", "on" if taken else "ink")
            p.tally(left + 6, y + 82, "coin", BANK[space], "c4", 13)
    left = x + 10 + 52 * len(t.bank) + 6
    with p.thing("source", left, y + 32, w - (left - x) - 10, 58):
        p.box(left, y + 32, w - (left - x) - 10, 58, "sunk", "line")
        p.icon("bolt", left + (w - (left - x) - 10) / 2, y + 61, 28, "c4")


def display(p: Picture, t: Kingdom) -> None:
    """Draw the recipes and the heroes on display."""
    w, high, card = (INSIDE - GAP) / 2, 110.0, 102.0
    p.panel(EDGE, p.y, w, high, "Recipes, from the top")
    for k, recipe in enumerate(t.display):
        x, y = EDGE + 8 + k * (card + 4), p.y + 30
        if recipe is None:
            p.box(x, y, card, 72, None, "line", 6, 1, ' stroke-dasharray="4 4"')
            continue
        with p.thing(f"recipe:{k + 1}", x, y, card, 72):
            p.box(x, y, card, 72, "sunk", "line")
            for n, told in enumerate(wrapped(title(recipe.key), 11.5, card - 12)[:2]):
                p.text(x + 7, y + 16 + 14 * n, told, 11.5, fit=card - 12)
            needs = [key for key, n in recipe.needs.items() for _ in range(n)]
            for n, key in enumerate(needs):
                p.icon(INGREDIENTS[key][0], x + 13 + 16 * n, y + 56, 14, INGREDIENTS[key][1])
            p.text(x + card - 6, y + 62, recipe.points, 15, bold=True, anchor="end")
    left = EDGE + w + GAP
    p.panel(left, p.y, w, high, "Heroes for hire")
    if not t.market:
        p.text(left + 12, p.y + 50, "nobody", 12, "soft")
    for k, (hero, price) in enumerate(t.market.items()):
        x, y = left + 8 + k % 4 * (card + 4), p.y + 30
        with p.thing(f"hero:{hero}", x, y, card, 72, hint=EFFECTS[hero]):
            p.box(x, y, card, 72, "sunk", "line")
            p.text(x + 7, y + 16, title(hero), 12, bold=True, fit=card - 12)
            p.text(x + 7, y + 34, title(HEROES[hero]["op"]), 11.5, "soft", fit=card - 12)
            p.tally(x + 6, y + 62, "coin", price, "c4")
            icon, paint = {**INGREDIENTS, **OTHERS}[HEROES[hero]["bonus"]]
            p.icon(icon, x + card - 14, y + 57, 16, paint)
    p.y += high + GAP


def rounds(p: Picture, t: Kingdom) -> None:
    """Draw the rounds with what happens between them, the common mission and the event."""
    step = (INSIDE) / t.rounds
    for k in range(t.rounds):
        x, now = EDGE + k * step, k + 1 == t.round
        p.box(x, p.y, 30, 26, "ink" if now else "sunk", "line", 13)
        p.text(x + 15, p.y + 18, k + 1, 13, "paper" if now else "ink", bold=now, anchor="middle")
        for n, icon in enumerate(t.icons[k] if k < len(t.icons) else ()):
            p.icon(ICONS.get(icon, "spark"), x + 48 + 26 * n, p.y + 13, 17, "soft" if k + 1 < t.round else "c1")
    p.y += 36
    told = [f"Common mission: {EFFECTS[t.mission]}"] if t.mission else []
    told += [f"Event {title(t.event)}: {EFFECTS[t.event]}"] if t.event else []
    for line in told:
        p.text(EDGE, p.y + 9, line, 12, "soft", fit=INSIDE)
        p.y += 20


# Taverns

Chip = tuple[str, str, str, str, bool]  # the id of the thing, an icon and its colour, what is written, and whether it is used up


def tavern(p: Picture | None, view: View, seat: int, x: float, y: float, w: float, h: float) -> float:
    """Draw a tavern; return how high it is. Without a picture only the height is found."""
    t: Kingdom = view.table
    me = t.taverns[seat]
    if p:
        p.panel(x, y, w, h, f"player_{seat}", seat)
        heading(p, me, x, y, w)
        dice(p, me, seat, x + 8, y + 34, w)
        for k, one in enumerate(me.minions):
            minion(p, t, one, seat, x + 8 + k * (CHIP + 4), y + 64)
    down = y + 122
    for chips in (holdings(me), [*heroes(me, seat), *cards(view, me, seat)]):
        corners = places(len(chips), x + 8, down, w - 10, CHIP, CHIP_HIGH, 4)
        if p:
            for one_chip, (cx, cy) in zip(chips, corners, strict=True):
                draw_chip(p, one_chip, cx, cy)
        down = below(corners, CHIP_HIGH, down - 6) + 6
    if me.track:
        if p:
            track(p, me, seat, x + 8, down, w - 16)
        down += 30
    return down - y + 4


def heading(p: Picture, me: Tavern, x: float, y: float, w: float) -> None:
    """Write prestige, gold, energy and runes beside the name."""
    right = x + 118
    for icon, n, paint in (("star", me.score, "ink"), ("coin", me.gold, "c4"), ("bolt", me.energy, "c1"), ("rune", me.runes, "c5")):
        right = max(p.tally(right, y + 22, icon, n, paint, 14), right + 66)
    if me.trophies:
        p.tally(right, y + 22, "trophy", me.trophies, "c6", 14)


def dice(p: Picture, me: Tavern, seat: int, x: float, y: float, w: float) -> None:
    """Draw the available dice by value."""
    for value, n in me.dice.items():
        with p.thing(f"die:{seat}:{value}", x, y, 27 * n + 1, 27, 5):
            for k in range(n):
                p.die(x + 2 + 27 * k, y + 2, value, 23)
        x += 27 * n + 6
    if not me.dice:
        p.text(x + 2, y + 18, "no dice left", 12, "soft")


def minion(p: Picture, t: Kingdom, one: Minion, seat: int, x: float, y: float) -> None:
    """Draw a minion: its zone, its die, and a square for each slot: an ingredient, a wound, or free."""
    with p.thing(f"minion:{seat}:{one.key}", x, y, CHIP, 50):
        p.box(x, y, CHIP, 50, "sunk", "line")
        p.badge(seat, x + 14, y + 14, 21, one.key[0].upper())
        number = next(at.number for at in t.zones if at.key == one.zone)
        p.text(x + 28, y + 18, f"{number} {title(one.zone)}", 12, fit=CHIP - 56)
        if one.die:
            p.die(x + CHIP - 25, y + 4, one.die, 20)
        carried = [key for key, n in one.bag.items() for _ in range(n)]
        for k in range(one.slots):
            p.box(x + 6 + 24 * k, y + 27, 20, 20, "card", "line", 4)
            if k < len(carried):
                p.icon(INGREDIENTS[carried[k]][0], x + 16 + 24 * k, y + 37, 15, INGREDIENTS[carried[k]][1])
            elif k < len(carried) + one.wounds:
                p.icon("drop", x + 16 + 24 * k, y + 37, 15, "bad")


def holdings(me: Tavern) -> list[Chip]:
    """Return the ingredients of the pantry and the dishes cooked."""
    found: list[Chip] = [("", *INGREDIENTS[key], f"{n} {TIMES} {key}", False) for key, n in me.pantry.items()]
    found += [("", "star", "soft", f"{len(me.cooked)} cooked", False)] * bool(me.cooked)
    return found or [("", "bag", "soft", "empty pantry", False)]


def heroes(me: Tavern, seat: int) -> list[Chip]:
    """Return the heroes: a heart says that the bonus can still be taken, a faded chip that the hero is exhausted."""
    return [
        (f"own:{seat}:{hero}", "person" if hero in me.bonus else "heart", "c3", title(hero), hero in me.tired)
        for hero in chain(me.ready, me.tired)
    ]


def cards(view: View, me: Tavern, seat: int) -> list[Chip]:
    """Return items, forge tokens, trophies and missions."""
    found: list[Chip] = []
    for key, n in (me.items or {}).items():
        found.append((f"item:{seat}:{key}", "bag", "c2", f"{n} {TIMES} {title(key)}" if n > 1 else title(key), False))
    found += [("", "hammer", "soft", title(key), False) for key in me.forge]
    found += [("", "trophy", "c6", title(key), False) for key in me.spoils or ()]
    for k, key in enumerate(me.missions or ()):
        found.append((f"mission:{key}", "target", "c0", title(key), k == 1 and not me.undecided))
    return found


def draw_chip(p: Picture, one: Chip, x: float, y: float) -> None:
    """Draw a chip; what is used up is faded and has a broken frame."""
    name, icon, paint, told, used = one
    with p.thing(name, x, y, CHIP, CHIP_HIGH, 5, EFFECTS.get(name.rpartition(":")[2], "")):
        p.box(x, y, CHIP, CHIP_HIGH, "sunk" if used else "card", "line", 5, 1, ' stroke-dasharray="4 3"' if used else "")
        p.icon(icon, x + 13, y + 12, 15, "soft" if used else paint)
        p.text(x + 25, y + 16.5, told, 12, "soft" if used else "ink", fit=CHIP - 31)


def track(p: Picture, me: Tavern, seat: int, x: float, y: float, w: float) -> None:
    """Draw the tavern's own track with its marker."""
    with p.thing(f"track:{seat}", x, y, w, 26):
        p.text(x + 4, y + 18, title(me.track or ""), 12, "soft", fit=w - 140)
        for k in range(sum(key.startswith(f"{me.track}_") for key in TRACKS)):
            left = x + w - 128 + 32 * k
            p.box(left, y + 2, 28, 22, "ink" if k < me.marker else "sunk", "line", 4)
            p.text(left + 14, y + 18, k + 1, 12, "paper" if k < me.marker else "ink", anchor="middle")
