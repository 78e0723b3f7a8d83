"""What a seat may know of a table, the same in words and as answers, and why an action is not legal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from alehouse.envs.bloody_inn.layout import (
    A_OBJECT, ACTIONS, ANNEX_NAMES, CARAVANS, CARDS, EVENT_NAMES, FAMILIES, NUMBERS, OBJECT_NAMES, PHASES,
    PLACE_NAMES, PLACES, RANKS, RELATIVE, WHITES,
)  # fmt: skip
from alehouse.envs.bloody_inn.places import absolute
from alehouse.envs.bloody_inn.questions import QUESTIONS
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, TWIN, WHITE
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.show.view import Asked, Phrases, title
from alehouse.envs.core.words import amount


@dataclass(frozen=True)
class Card:
    """A traveler or peasant."""

    key: str
    family: str
    up: int  # rank in the inn
    low: int  # rank in hand and as a corpse
    money: int


@dataclass(frozen=True)
class Place:
    """A room or caravan that is open."""

    number: int
    name: str
    owner: int | None  # None: a white key
    guest: Card | None
    service: int | None  # the seat whose service token lies there
    coffee: bool
    cake: int | None  # the seat whose cake waits there


@dataclass(frozen=True)
class Annex:
    """An annex, and who lies under it."""

    key: str
    corpses: tuple[str, ...]
    free: int  # graves without a corpse


@dataclass(frozen=True)
class Innkeeper:
    """What lies in front of a player, as far as the viewer may know it."""

    cash: int
    checks: int
    tokens: int
    buried: int
    hand: Mapping[str, int]
    corpses: Mapping[str, int]
    snow: str | None  # the corpse under a snow pile
    annexes: tuple[Annex, ...]
    objects: tuple[str, ...] | None  # None: the viewer may not see them
    held: int  # objects in hand


@dataclass(frozen=True)
class Inn:
    """What the viewer may know of a table."""

    round: int
    season: int
    last: bool
    phase: str
    first: int
    stack: int
    top: Card | None
    bistro: int
    exit: Mapping[str, int]
    places: tuple[Place, ...]
    players: tuple[Innkeeper, ...]
    police: tuple[int, ...]  # the places with police
    event: str | None
    letter: bool
    used: tuple[str, ...] | None  # objects played; None without the module
    cash_limit: int
    cards: Mapping[str, Card]
    ending: str  # how the game ended


def view(s: Any, R: Any, seat: int | None) -> Inn:
    """Return the facts that a seat may know; all of them without a seat."""
    cards = {key: card(R, kind) for kind, key in enumerate(CARDS)}
    places = tuple(place(s, R, k) for k in range(PLACES) if s.owner[k] != CLOSED)
    return Inn(
        round=int(s.rounds) + 1, season=int(s.season) + 1, last=bool(s.last), phase=PHASES[s.phase], first=int(s.first),
        stack=int(s.entrance), top=None if s.top == NOBODY else card(R, s.top), bistro=int(s.bistro), exit=counted(s.exit), places=places,
        players=tuple(innkeeper(s, R, p, seat in (None, p)) for p in range(R.seats)),
        police=tuple(at.number for at in places if at.guest and at.guest.family == "police"),
        event=None if s.event == NOBODY else EVENT_NAMES[s.event], letter=bool(s.letter), used=some(s.used) if R.objects else None,
        cash_limit=int(R.cash_limit), cards=cards, ending="" if s.stack.n else ending(s, R),
    )  # fmt: skip


def card(R: Any, kind: int) -> Card:
    """Return a kind of card."""
    return Card(CARDS[kind], FAMILIES[R.family[kind]], int(R.up[kind]), int(R.low[kind]), int(R.money[kind]))


def counted(counts: Any) -> dict[str, int]:
    """Return cards with the number of each."""
    return {key: int(n) for n, key in zip(counts, CARDS, strict=True) if n}


def some(objects: int) -> tuple[str, ...]:
    """Return the objects of a set."""
    return tuple(name for k, name in enumerate(OBJECT_NAMES) if int(objects) >> k & 1)


def place(s: Any, R: Any, k: int) -> Place:
    """Return what is to be seen of a room or caravan."""
    owner, guest = int(s.owner[k]), s.guest[k]
    return Place(
        number=k, name=place_name(s, k), owner=None if owner == WHITE else owner, guest=None if guest == NOBODY else card(R, guest),
        service=int(s.service[k]) if k < CARAVANS and s.service[k] >= 0 else None, coffee=bool(s.coffee == k),
        cake=int(s.cake_seat) if s.cake == k else None,
    )  # fmt: skip


def place_name(s: Any, k: int) -> str:
    """Return the name of a room or caravan."""
    if k >= CARAVANS:
        return f"caravan {k - CARAVANS + 1}"
    return "room" if k < WHITES else f"{'white room' if s.owner[k] == WHITE else 'room'} {k - WHITES + 1}"


def innkeeper(s: Any, R: Any, p: int, open_objects: bool) -> Innkeeper:
    """Return what lies in front of a player; `open_objects` says whether the viewer may see the objects."""
    me = s.seat[p]
    return Innkeeper(
        cash=int(me.cash), checks=int(me.checks), tokens=int(me.tokens), buried=int(me.buried), hand=counted(me.hand),
        corpses=counted(me.corpse), snow=CARDS[s.snow] if s.snow_seat == p else None,
        annexes=tuple(annex(s.built[k], R) for k in range(s.annexes) if s.built[k].owner == p),
        objects=some(me.objects) if open_objects else None, held=int(me.held),
    )  # fmt: skip


def annex(built: Any, R: Any) -> Annex:
    """Return an annex with what lies under it."""
    under = ["coffin" if c == TWIN else CARDS[c] for c in built.corpse if c != NOBODY] + ["dwarf"] * int(built.across)
    return Annex("barn" if built.card == NOBODY else ANNEX_NAMES[R.annex[built.card]], tuple(under), int(built.free))


# Words


def several(cards: Mapping[str, int]) -> str:
    """Return the names of cards with how many there are of each."""
    return ", ".join(f"{n} {title(key)}" if n > 1 else title(key) for key, n in cards.items()) or "-"


def titles(keys: Iterable[str]) -> str:
    """Return the names of things."""
    return ", ".join(title(key) for key in keys) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Return the whole table in words, or what a seat may know of it."""
    t = view(s, R, seat)
    season = f"season {t.season}" + (", the last round" if t.last else "")
    lines = [f"round {t.round}, {season}, {t.phase}; player_{t.first} is first"]
    visible = title(t.top.key) if t.top else "nothing"
    lines.append(f"entrance stack {t.stack}, on top {visible}; bistro {amount(t.bistro, 'peasant')}; exit: {several(t.exit)}")
    lines += [place_words(at) for at in t.places]
    for p, me in enumerate(t.players):
        lines += innkeeper_words(p, me, t.used is not None)
    if t.event:
        lines.append(f"event: {title(t.event)}")
    if t.letter:
        lines.append("a letter of denunciation was sent")
    if t.used is not None:
        lines.append(f"objects played: {titles(t.used)}")
    return "\n".join([*lines, t.ending or asked(s)])


def place_words(at: Place) -> str:
    """Return one line on a room or caravan."""
    whose = "" if at.owner is None else f" of player_{at.owner}"
    who = f"{title(at.guest.key)} ({at.guest.up}/{at.guest.low}, {at.guest.money}F)" if at.guest else "empty"
    extras = [f"served by player_{at.service}"] if at.service is not None else []
    extras += ["coffee"] if at.coffee else []
    extras += [f"cake of player_{at.cake}"] if at.cake is not None else []
    return f"  {at.name}{whose}: {', '.join([who, *extras])}"


def innkeeper_words(p: int, me: Innkeeper, objects: bool) -> list[str]:
    """Return lines on what lies in front of a player."""
    purse = f"{me.cash}F, {amount(me.checks, 'check')}, {amount(me.tokens, 'token')}, {me.buried} buried"
    lines = [f"player_{p}: {purse}", f"  hand: {several(me.hand)}"]
    if me.corpses:
        lines.append(f"  corpses: {several(me.corpses)}" + (f" ({title(me.snow)} under snow)" if me.snow else ""))
    lines.append("  annexes: " + ", ".join(annex_words(built) for built in me.annexes))
    if objects:
        lines.append(f"  objects: {me.held if me.objects is None else titles(me.objects)}")
    return lines


def annex_words(built: Annex) -> str:
    """Return an annex with what lies under it."""
    inside = [title(key) for key in built.corpses] + ([f"{built.free} free"] if built.free else [])
    return f"{title(built.key)} [{', '.join(inside)}]" if inside else title(built.key)


def asked(s: Any) -> str:
    """Return who must answer which question."""
    return f"player_{top(s).seat} is asked to {QUESTIONS.asked(s).prompt}"


def ending(s: Any, R: Any) -> str:
    """Return how the game ended; for a player alone, with the title or rank that was reached."""
    if R.seats > 1:
        return "the game is over"
    points = int(s.seat[0].cash) + 10 * int(s.seat[0].checks)
    if s.lost or points < R.title:
        return "the game is lost" if s.lost else "the game is over, without a title"
    reached = [rank for rank, least in zip(RANKS, R.ranks, strict=True) if R.long and points >= least]
    won = " ".join([*reached[-1:], "innkeeper"])
    return f"the game is over: {'an' if won[0] in 'aeiou' else 'a'} {won}"


def why(s: Any, R: Any, action: int) -> str:
    """Return why an action is not legal: what it lacks, or which question is open instead, each with its rule."""
    question, p = QUESTIONS.asked(s), int(top(s).seat)
    segment, label = ACTIONS.segment(action)
    lacks = ""
    if question.name == "action" and segment in ("bribe", "kill"):
        lacks = guest_lacks(s, R, p, segment, label)
    elif question.name == "action" and segment in ("build", "bury", "to_checks", "to_cash", "hire", "kill_peasant"):
        lacks = f"{ACTIONS.names[action]}: {action_lacks(s, R, s.seat[p], segment, label)}; "
    elif action >= A_OBJECT:
        lacks = f"{title(label)} is not in hand or has no use here (BI 4.4); "
    return f"{lacks}{asked(s)} (BI {question.rule})"


def guest_lacks(s: Any, R: Any, p: int, segment: str, label: str) -> str:
    """Return why a guest cannot be bribed or killed."""
    k = absolute(ACTIONS.index(f"{segment}:{label}") - ACTIONS.start(segment), p, int(R.seats))
    guest = s.guest[k]
    if guest == NOBODY:
        return f"nobody lodges at {label} (BI 3.4); "
    if s.coffee == k:
        return f"the {title(CARDS[guest])} at {label} had coffee (BI 1.7); "
    needed = amount(R.up[guest], "card")
    return f"the {title(CARDS[guest])} at {label} needs {needed} less discounts, {s.seat[p].cards} in hand (BI 3.4 (2)); "


def action_lacks(s: Any, R: Any, me: Any, segment: str, label: str) -> str:
    """Return why a seat cannot take another kind of action."""
    if segment == "build":
        kind = CARDS.index(label)
        if not me.hand[kind]:
            return "not in hand (BI 3.4.2)"
        if R.annex[kind] < 0:
            return "has no annex (BI 1.2)"
        return f"needs {amount(R.low[kind], 'other card')} less discounts, and a caravan needs a token (BI 3.4 (2), 4.1.2)"
    if segment == "bury":
        kind = CARDS.index(label)
        if not me.corpse[kind]:
            return "no such corpse lies in front of the player (BI 3.4.4)"
        return f"needs {amount(R.low[kind], 'card')} less discounts and an annex that may take it (BI 3.4.4, 4.1.7)"
    if segment in ("hire", "kill_peasant"):
        return f"{amount(s.bistro, 'peasant')} in the bistro, and without a brewery {R.peasants} can be hired at once (BI 3.4.1)"
    return f"the player has {me.cash}F and {amount(me.checks, 'check')}; cash goes up to {R.cash_limit}F (BI 3.4.5)"


# Answers


def names(t: Inn, asked: Asked, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names that sentences about answers are filled with."""
    key, seat, found = fields["key"], fields["seat"], {"thing": "", "ten": "", "annex": ""}
    if key in PLACE_NAMES:
        name = PLACE_NAMES.index(key)
        k = (name + asked.seat) % len(t.players) if name < WHITES else name
        at = next((at for at in t.places if at.number == k), None)
        whose = "" if at is None or at.owner is None else f" of player_{at.owner}"
        known = at.name if at and at.name != "room" else "the room"
        found |= {"place": f"{known}{whose}", "thing": f"place:{k}"}
        found["guest"] = title(at.guest.key) if at and at.guest else "nobody"
    elif fields["segment"].startswith("under_"):
        empty = [at.number for at in t.places if at.number >= CARAVANS and at.owner == seat and not at.guest]
        found["thing"] = f"place:{empty[0]}" if key == "caravan" and empty else f"annex:{seat}:{key}"
    elif key in CARDS and (built := ANNEX_OF[key]):
        found["annex"] = title(built)
    elif key.isdigit():
        more = "s" if int(key) > 1 else ""
        found |= {"ten": str(10 * int(key)), "peasants": f"{key} peasant{more}", "checks": f"{key} check{more}"}
    owner = asked.args.get("owner", asked.seat)
    under = asked.question == "lime_corpse"
    found["corpse"] = f"annex:{owner}:{ANNEX_NAMES[asked.args['annex']]}" if under else f"corpse:{owner}:{key}"
    return found | {"top": title(t.top.key) if t.top else "traveler"}


ANNEX_OF = {row["key"]: row["annex"] for row in NUMBERS.tables["cards"]}
PHRASES = Phrases(
    {
        "done": ("{otherwise}", ""),
        "lodge": ("Lodge the {top} in {place}", "{thing}"),
        "bribe": ("Bribe the {guest} in {place}", "{thing}"),
        "kill": ("Kill the {guest} in {place}", "{thing}"),
        "at": ("The {guest} in {place}", "{thing}"),
        "key/at": ("Put your key on {place}", "{thing}"),
        "service/at": ("Put the service token on {place}", "{thing}"),
        "hire": ("Hire {peasants}", "bistro"),
        "kill_peasant": ("Kill a peasant of the bistro", "bistro"),
        "pass": ("Pass without exchanging money", ""),
        "to_checks": ("Pass and turn {ten}F into {checks}", "money:{seat}"),
        "study/to_checks": ("Turn 10F into a check", "money:{seat}"),
        "to_cash": ("Pass and turn {checks} into {ten}F", "money:{seat}"),
        "build": ("Build the {annex} of the {it}", "hand:{seat}:{key}"),
        "bury": ("Bury the {it}", "corpse:{seat}:{key}"),
        "card": ("Play the {it}", "hand:{seat}:{key}"),
        "dismiss/card": ("Let the {it} leave unpaid", "hand:{seat}:{key}"),
        "corpse": ("The corpse of the {it}", "{corpse}"),
        "under_me": ("Under your {it}", "{thing}"),
        **{f"under_{who}": ("Under the {it} of player {seat}", "{thing}") for who in RELATIVE[1:]},
        "seat": ("Player {seat}", "seat:{seat}"),
        "cash": ("Pay {key}F in cash, the rest in checks", "money:{seat}"),
        "object": ("Use the {it}", "object:{seat}:{key}"),
        "draft/object": ("Keep the {it}", "object:{seat}:{key}"),
    },
    names,
    sealed=("draft",),
)
