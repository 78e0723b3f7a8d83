"""What a seat may know of a table, the same in words and as answers, and why an action is not legal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alehouse.envs.tiefenthal.questions import QUESTIONS
from alehouse.envs.tiefenthal.layout import (
    ACTIONS, ANY_DICE, BONUSES, CARDS, CASHBOX, COLUMN_NAMES, ENTERTAINER_NAMES, FACES, LOOP_SPACES, NUMBERS, PHASES, PIECES, PLACES,
    SIDE, START_NAMES, SUPPLIER, SUPPLY, TABLE, TAVERN_NAMES, UNUSED,
)  # fmt: skip
from alehouse.envs.core.words import amount
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.core.show.view import Asked, Phrases, title
from alehouse.envs.tiefenthal.service import least_price
from alehouse.envs.tiefenthal.state import NOBODY

KNOWN = 12  # at most this many of the cards known on top of a draw pile are named
OPEN_NAMES = ("open1", "open2", "open3", "open4", "cheap")


@dataclass(frozen=True)
class Guest:
    """A guest on offer."""

    key: str
    beers: int
    die: int
    pay: int
    vp: int
    bonus: str  # "none" without one
    amount: int
    signed: bool


@dataclass(frozen=True)
class Space:
    """A place for dice in a tavern, and what it brings."""

    faces: tuple[int, ...]  # dice that it takes
    many: bool  # whether it takes any number of them
    brings: int  # by each die
    goods: str
    dice: int  # that lie there


@dataclass(frozen=True)
class Piece:
    """A piece of a tavern that can be upgraded."""

    upgraded: bool
    level: int  # what it gives now
    cost: int
    least: int  # what it costs if all cards are given up that take something off


@dataclass(frozen=True)
class Tavern:
    """The tavern of a player."""

    doubloons: int
    beer: int
    counter: int  # counter guests
    monastery: int
    schnapps: int | None  # None without the module, as is the next one
    fame: tuple[int, int] | None  # the space of the reputation loop, and its points
    dice: tuple[int, ...]  # still to be placed
    coaster: tuple[int, ...]  # white dice on the coaster that began in front of the player
    tables: int
    laid: Mapping[str, int]
    discard: Mapping[str, int]
    gained: tuple[str, ...]  # cards on top of the draw pile, the top one first
    deck: Mapping[str, int]  # the cards below them, in unknown order
    spaces: Mapping[str, Space]  # patrons laid out, nobles, and the spaces of the tavern
    pieces: Mapping[str, Piece]
    entertainers: tuple[str, ...]
    book: Mapping[str, int] | None  # cells covered in each column; None without the module


@dataclass(frozen=True)
class Turn:
    """The turn under way."""

    seat: int
    face: int  # of the die to be placed
    pips: int  # left to be added to dice
    songs: int  # to be sung
    on: Mapping[str, int]  # dice on each place


@dataclass(frozen=True)
class Valley:
    """The table; nothing on it is one seat's secret."""

    round: int
    rounds: int
    phase: str
    first: int
    guests: tuple[Guest | None, ...]  # on offer, the top one of the cheap pile last
    deck: int
    cheap: int
    stock: Mapping[str, int]
    prices: Mapping[str, int]  # of tavern cards
    nobles: tuple[int, ...]  # beers for one noble, two, three
    counters: int
    schnapps: int | None  # in the supply; None without the module, as are the next ones
    starts: tuple[str, ...] | None
    tiles: int | None
    monastery: tuple[tuple[str, int], ...]  # the bonus of each step, from 0
    loop: tuple[tuple[str, int], ...] | None  # each space of the reputation loop with its points, from the host
    cells: tuple[tuple[tuple[str, int], ...], ...] | None  # the bonuses of the guest book, row by row
    turn: Turn | None
    taverns: tuple[Tavern, ...]


def view(s: Any, R: Any, seat: int | None) -> Valley:
    """Return the facts of a table, which all may know."""
    choosing = R.start_cards and s.phase == 0
    loop = range(int(R.loop) + 1)
    return Valley(
        round=int(s.evening), rounds=int(R.rounds), phase=PHASES[s.phase], first=int(s.first),
        guests=tuple(guest(s, R, k) for k in range(SIDE + 1)), deck=int(s.deck_n), cheap=int(s.cheap_n),
        stock=counted(s["stock"], ("noble", *TAVERN_NAMES)), prices=dict(zip(TAVERN_NAMES, map(int, R.price), strict=True)),
        nobles=tuple(map(int, R.noble_beers)), counters=int(s.counters), schnapps=int(s.schnapps) if R.schnapps else None,
        starts=tuple(name for k, name in enumerate(START_NAMES) if int(s.starts) >> k & 1) if choosing else None,
        tiles=int(s.tiles) if R.guest_book else None,
        monastery=tuple((BONUSES[b], int(n)) for b, n in zip(R.step_bonus, R.step_amount, strict=True)),
        loop=tuple((LOOP_SPACES[R.space[k]] if k else "host", int(R.points[k])) for k in loop) if R.reputation else None,
        cells=tuple(tuple((BONUSES[b], int(n)) for b, n in zip(*row, strict=True)) for row in zip(R.cell_bonus, R.cell_amount, strict=True))
        if R.guest_book else None,
        turn=turn(s) if PHASES[s.phase] in ("juggle", "plan", "reputation", "serve") else None,
        taverns=tuple(tavern(s, R, p) for p in range(R.seats)),
    )  # fmt: skip


def counted(counts: Any, names: Sequence[str] = CARDS) -> dict[str, int]:
    """Return things with the number of each."""
    return {name: int(n) for n, name in zip(counts, names, strict=True) if n}


def thrown(dice: Any) -> tuple[int, ...]:
    """Return dice by face."""
    return tuple(face for face, n in enumerate(dice, 1) for _ in range(int(n)))


def guest(s: Any, R: Any, k: int) -> Guest | None:
    """Return a guest on offer."""
    kind = int(s.open[k])
    if kind == NOBODY:
        return None
    return Guest(
        CARDS[kind], int(R.beers[kind]), int(R.die[kind]), int(R.pay[kind]), int(R.vp[kind]), BONUSES[R.bonus[kind]], int(R.amount[kind]),
        bool(int(s.signed) >> k & 1),
    )  # fmt: skip


def turn(s: Any) -> Turn:
    """Return the turn under way."""
    act = s.act
    return Turn(int(act.seat), int(act.face), int(act.pips), int(act.songs), counted(act.on, PLACES))


def tavern(s: Any, R: Any, p: int) -> Tavern:
    """Return the tavern of a seat."""
    me = s.seat[p]
    pieces = {
        name: Piece(bool(int(me.upgraded) >> k & 1), int(R.level[int(me.working) >> k & 1][k]), int(R.cost[k]), int(least_price(R, me, k)))
        for k, name in enumerate(PIECES)
    }
    return Tavern(
        doubloons=int(me.doubloons), beer=int(me.beer), counter=int(me.counter), monastery=int(me.monastery),
        schnapps=int(me.schnapps) if R.schnapps else None, fame=(int(me.fame), int(R.points[me.fame])) if R.reputation else None,
        dice=thrown(me["dice"]), coaster=thrown(s["coaster"][p]), tables=pieces["table"].level + int(me.laid[TABLE]),
        laid=counted(me["laid"]), discard=counted(me["discard"]),
        gained=tuple(CARDS[me.gained[k]] for k in range(int(me.gained_n) - 1, -1, -1)), deck=counted(me["deck"]),
        spaces=spaces(s, R, p, pieces), pieces=pieces,
        entertainers=tuple(ENTERTAINER_NAMES[2 * k + int(side) - 1] for k, side in enumerate(me["side"]) if side),
        book=dict(zip(COLUMN_NAMES, map(int, me["book"]), strict=True)) if R.guest_book else None,
    )  # fmt: skip


def spaces(s: Any, R: Any, p: int, pieces: Mapping[str, Piece]) -> dict[str, Space]:
    """Return the places for dice in a tavern: patrons and nobles that are laid out, then the spaces."""
    laid, found = s.seat[p].laid, {}
    for k, name in enumerate(PLACES[:UNUSED]):
        if k >= CASHBOX or laid[k]:
            each = int(R.pay[k]) if k < CASHBOX else pieces[name].level + (int(laid[SUPPLIER]) if k == SUPPLY else 0)
            faces = tuple(face + 1 for face in range(FACES) if R.pips[face][k] == 0)
            dice = int(s.act.on[k]) if s.act.seat == p else 0
            found[name] = Space(faces, bool(ANY_DICE >> k & 1), each, GOODS.get(name, "doubloons"), dice)
    return found


GOODS = {"barrel": "beer", "monk": "monastery", "supplier": "beer"}  # what spaces bring that bring no doubloons
UNITS = {"doubloons": "doubloon", "beer": "beer", "monastery": "step"}

# Words


def several(counts: Mapping[str, int]) -> str:
    """Name things with the number of each."""
    return ", ".join(f"{n} {title(name)}" if n > 1 else title(name) for name, n in counts.items()) or "-"


def faces(dice: Sequence[int]) -> str:
    """List dice by face."""
    return " ".join(map(str, dice)) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Describe the table; nothing on it is one seat's secret."""
    t = view(s, R, seat)
    lines = [f"round {t.round} of {t.rounds}, {t.phase}; player_{t.first} is first"]
    offers = "; ".join(offer_words(name, one) for name, one in zip(OPEN_NAMES, t.guests, strict=True))
    lines.append(f"guests: {offers}; {t.deck} in the deck, {t.cheap} more cheap ones")
    lines.append(f"to be had: {several(t.stock)}; {amount(t.counters, 'counter guest')}")
    if t.schnapps is not None:
        lines.append(f"schnapps in the supply: {t.schnapps}")
    if t.starts is not None:
        lines.append(f"start cards: {', '.join(t.starts)}")
    if t.tiles is not None:
        lines.append(f"signatures in the supply: {t.tiles}")
    for p, me in enumerate(t.taverns):
        lines += tavern_words(p, me)
    if t.turn:
        act = t.turn
        left = f"{amount(act.pips, 'pip')} left, {amount(act.songs, 'song')} to sing"
        lines.append(f"turn of player_{act.seat}: dice on {several(act.on)}; {left}")
    lines.append(asked(s) if s.stack.n else "the game is over")
    return "\n".join(lines)


def offer_words(name: str, one: Guest | None) -> str:
    """Describe a guest on offer."""
    if one is None:
        return f"{name} nobody"
    signed = ", with a signature" if one.signed else ""
    return f"{name} {title(one.key)} ({amount(one.beers, 'beer')}, {amount(one.vp, 'point')}{signed})"


def tavern_words(p: int, me: Tavern) -> list[str]:
    """Describe the tavern of a seat."""
    goods = [amount(me.doubloons, "doubloon"), amount(me.beer, "beer"), f"monastery {me.monastery}"]
    goods += [amount(me.counter, "counter guest")]
    goods += [f"{me.schnapps} schnapps"] if me.schnapps is not None else []
    goods += [f"reputation {me.fame[0]} ({amount(me.fame[1], 'point')})"] if me.fame else []
    lines = [f"player_{p}: {', '.join(goods)}", f"  laid out: {several(me.laid)}; discarded: {several(me.discard)}"]
    top = [title(key) for key in me.gained]
    more = [f"{len(top) - KNOWN} more"] if len(top) > KNOWN else []
    known = f"{', '.join([*top[:KNOWN], *more])}, then " if top else ""
    lines.append(f"  draw pile: {known}in unknown order {several(me.deck)}")
    upgraded = ", ".join(title(name) for name, piece in me.pieces.items() if piece.upgraded) or "-"
    lines.append(f"  upgraded: {upgraded}; dice: {faces(me.dice)}; coaster {p}: {faces(me.coaster)}")
    if me.entertainers:
        lines.append(f"  entertainers: {', '.join(map(title, me.entertainers))}")
    if me.book is not None:
        lines.append(f"  guest book: {', '.join(f'{name} {n}' for name, n in me.book.items())}")
    return lines


def asked(s: Any) -> str:
    """Say who has to decide what."""
    question = QUESTIONS.asked(s)
    more = {"place": f" (a {s.act.face})", "discount": f" ({amount(top(s).b, 'doubloon')})"}.get(question.name, "")
    return f"player_{s.turn} is asked to {question.prompt}{more}"


def why(s: Any, R: Any, action: int) -> str:
    """Return why an action is not legal now: the question that is open instead, or what is missing, with the rule."""
    question = QUESTIONS.asked(s)
    segment, label = ACTIONS.segment(action)
    reason = ""
    if question.name == "place" and segment == "place":
        reason = place_reason(s, R, PLACES.index(label))
    elif question.name == "serve":
        reason = serve_reason(s, R, s.seat[s.turn], segment, label)
    elif segment == "remove":
        reason = f"{ACTIONS.names[action]}: only patrons in the tavern without a die can leave (TT 1.11)"
    return f"{reason}{'; ' if reason else ''}player_{s.turn} is asked to {question.prompt} (TT {question.rule})"


def place_reason(s: Any, R: Any, place: int) -> str:
    """Return why the die cannot go to a place."""
    face, label = int(s.act.face), title(PLACES[place])
    if not int(s.act.vacant) >> place & 1:
        return f"{label}: not in the tavern, or it has its die (TT 1.7)"
    if not int(R.reach[face - 1][min(int(s.act.pips), 5)]) >> place & 1:
        return f"{label}: a {face} with {amount(s.act.pips, 'pip')} of dishwashers does not fit (TT 1.8)"
    return f"{label}: equal dice are placed in the order of places, the last one went to {title(PLACES[s.act.last])} (TT-R45)"


def serve_reason(s: Any, R: Any, me: Any, segment: str, label: str) -> str:
    """Return why a seat cannot do this in its turn."""
    act = s.act
    if segment == "collect":
        return f"{label}: no die there (TT 3 F1)"
    if segment == "buy":
        k = TAVERN_NAMES.index(label)
        missing = f"costs {R.price[k]} of {amount(me.doubloons, 'doubloon')}" if s.stock[k + 1] else "none is left"
        return f"{label}: bought already, one of a kind a turn (TT 3 F3)" if int(act.bought) >> k & 1 else f"{label}: {missing} (TT 1.3)"
    if segment in ("upgrade", "free"):
        k = PIECES.index(label)
        if int(me.upgraded) >> k & 1:
            return f"{label}: upgraded already (TT 1.7)"
        least = max(0, least_price(R, me, k) - int(act.discount))
        schnapps = "; free, it takes the entertainer and his schnapps" if segment == "free" else ""
        price = f"costs {R.cost[k]}, with every discount {least}, of {amount(me.doubloons, 'doubloon')}"
        return f"{label}: {price}{schnapps} (TT 3 F3, 1.11)"
    if segment == "guest":
        kind = int(s.open[OPEN_NAMES.index(label)])
        price = "nobody is there" if kind == NOBODY else f"costs {R.beers[kind]} of {amount(me.beer, 'beer')}"
        return f"guest: {price}, one purchase a turn (TT 3 F4, TT-R1)"
    if segment == "nobles":
        return f"nobles: {label} cost {R.noble_beers[int(label) - 1]} of {amount(me.beer, 'beer')}, one purchase a turn (TT 1.6, TT-R1)"
    if segment in ("spend", "remove"):
        return f"{segment} {title(label)}: needs the entertainer, {me.schnapps} schnapps held, and who is removed seated (TT 1.11)"
    return {"sing": "no bard has still to sing (TT 3 F, M3-7)", "counter": "no counter guest (TT 3 F6)"}.get(segment, "")


# Answers


def names(t: Valley, asked: Asked, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names that sentences about answers are filled with."""
    key, me = fields["key"], t.taverns[asked.seat]
    space, piece = me.spaces.get(key), me.pieces.get(key)
    old, _, new = key.partition(">")
    cost = "" if piece is None else piece.cost if piece.least == piece.cost else f"{piece.least} to {piece.cost}"
    found: dict[str, Any] = {"brings": "nothing", "cost": cost, "price": t.prices.get(key, "")}
    found |= {"old": old, "new": new}
    if space:
        found["brings"] = amount(space.brings, UNITS[space.goods])
    kind = next((row for row in PATRON_ROWS if row["key"] == key), None)
    if kind:
        found["it"] = f"{'regular' if key.startswith('regular') else 'guest'} who takes a {kind['die']}"
    one = t.guests[OPEN_NAMES.index(key)] if key in OPEN_NAMES else None
    found["guest"] = f"guest who takes a {one.die}" if one else "guest"
    found["nobles"] = "1 noble" if key == "1" else f"{key} nobles"
    found["beers"] = amount(one.beers if one else t.nobles[int(key) - 1] if fields["segment"] == "nobles" else 0, "beer")
    side = 2 * asked.args["entertainer"] + int(key) - 1 if asked.question == "side" else 0
    found["effect"] = EFFECTS[ENTERTAINER_NAMES[side]] if asked.question == "side" else EFFECTS.get(key, "")
    found["where"] = "where it brings nothing" if key == "unused" else f"with the {found.get('it', fields['it'])}: {found['brings']}"
    found["card"] = "place" if space else "card"
    given_up = asked.args if asked.question == "discount" else {}
    found |= {"rest": amount(given_up.get("price", 0), "doubloon"), "staff": CARDS[given_up["card"]] if given_up else ""}
    return found | {"coaster": asked.args.get("coaster", ""), "face": t.turn.face if t.turn else ""}


EFFECTS = {row["key"]: row["effect"] for table in ("starts", "entertainers") for row in NUMBERS.tables[table]}
PATRON_ROWS = [row for table in ("regulars", "guests") for row in NUMBERS.tables[table]]
PHRASES = Phrases(
    {
        "done": ("{otherwise}", ""),
        "place/done": ("Done", ""),
        "start": ("Choose {key}: {effect}", "start:{key}"),
        "accept": ("{first}", ""),
        "side": ("Choose side {key}: {effect}", ""),
        "take": ("Take a {it}", ""),
        "cheer/take": ("Take a {it}", ""),
        "redraw": ("{first}", ""),
        "die": ("Take a {key}", "coaster:{coaster}:{key}"),
        "turn": ("Turn a {old} into a {new}", "die:{seat}:{old}"),
        "place": ("Place the {face} {where}", "place:{seat}:{key}"),
        "collect": ("Take the dice of the {it}: {brings} a die", "place:{seat}:{key}"),
        "sing": ("Let a bard sing", "card:{seat}:bard"),
        "buy": ("Buy a {it}, price {price}", "stock:{key}"),
        "upgrade": ("Upgrade the {it}, price {cost}", "piece:{seat}:{key}"),
        "free": ("Upgrade the {it} for schnapps", "piece:{seat}:{key}"),
        "guest": ("Buy the {guest} for {beers}", "guest:{key}"),
        "nobles": ("Buy {nobles} for {beers}", "stock:noble"),
        "counter": ("Give a counter guest back for a step at the monastery", "counter:{seat}"),
        "spend": ("Spend schnapps on {it}", "schnapps:{seat}"),
        "discount/done": ("Pay {rest}", ""),
        "give_up": ("Give up a {staff}", "card:{seat}:{staff}"),
        "remove": ("Send the {it} away", "place:{seat}:{key}"),
        "column": ("Sign in column {key}", "book:{seat}:{key}"),
        "topdeck": ("Put the {it} onto the draw pile", "{card}:{seat}:{key}"),
        "end": ("End the turn", ""),
    },
    names,
)
