"""The table in words, as players would describe it, and why an action is not legal."""

from typing import Any

from alehouse.envs.tiefenthal.questions import QUESTIONS
from alehouse.envs.tiefenthal.layout import (
    ACTIONS, CARDS, COLUMN_NAMES, ENTERTAINER_NAMES, PHASES, PIECES, PLACES, SIDE, START_NAMES, TAVERN_NAMES,
)  # fmt: skip
from alehouse.envs.tiefenthal.state import NOBODY

KNOWN = 12  # at most this many of the cards known on top of a draw pile are named
OPEN_NAMES = ("open1", "open2", "open3", "open4", "cheap")


def title(word: str) -> str:
    """Return a key of the tables as readable words."""
    return word.replace("_", " ")


def several(counts: Any, names: Any = CARDS) -> str:
    """Return the names of things, each with how many there are."""
    return ", ".join(f"{n} {title(name)}" if n > 1 else title(name) for n, name in zip(counts, names, strict=True) if n) or "-"


def faces(dice: Any) -> str:
    """Return dice as text, by face."""
    return " ".join(str(face) for face, n in enumerate(dice, 1) for _ in range(int(n))) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Return the table as text; nothing on it is one seat's secret."""
    lines = [f"round {s.evening} of {R.rounds}, {PHASES[s.phase]}; player_{s.first} is first"]
    lines.append(f"guests: {'; '.join(offer(s, R, k) for k in range(SIDE + 1))}; {s.deck_n} in the deck, {s.cheap_n} more cheap ones")
    lines.append(f"to be had: {several(s['stock'], ('noble', *TAVERN_NAMES))}; {s.counters} counter guests")
    if R.schnapps:
        lines.append(f"schnapps in the supply: {s.schnapps}")
    if R.start_cards and s.phase == 0:
        lines.append(f"start cards: {', '.join(name for k, name in enumerate(START_NAMES) if int(s.starts) >> k & 1)}")
    if R.guest_book:
        lines.append(f"signatures in the supply: {s.tiles}")
    for p in range(R.seats):
        lines += tavern(s, R, p)
    if PHASES[s.phase] in ("juggle", "plan", "reputation", "serve"):
        lines.append(turn(s))
    lines.append(asked(s) if s.stack.n else "the game is over")
    return "\n".join(lines)


def offer(s: Any, R: Any, k: int) -> str:
    """Return a guest on display as text."""
    kind = int(s.open[k])
    if kind == NOBODY:
        return f"{OPEN_NAMES[k]} nobody"
    signed = ", with a signature" if int(s.signed) >> k & 1 else ""
    return f"{OPEN_NAMES[k]} {title(CARDS[kind])} ({R.beers[kind]} beers, {R.vp[kind]} points{signed})"


def tavern(s: Any, R: Any, p: int) -> list[str]:
    """Return the tavern of a seat as text."""
    me = s.seat[p]
    goods = [f"{me.doubloons} doubloons", f"{me.beer} beers", f"monastery {me.monastery}", f"{me.counter} counter guests"]
    goods += [f"{me.schnapps} schnapps"] if R.schnapps else []
    goods += [f"reputation {me.fame} ({R.points[me.fame]} points)"] if R.reputation else []
    lines = [f"player_{p}: {', '.join(goods)}"]
    lines.append(f"  laid out: {several(me['laid'])}; discarded: {several(me['discard'])}")
    top = [title(CARDS[me.gained[k]]) for k in range(int(me.gained_n) - 1, -1, -1)]
    more = [f"{len(top) - KNOWN} more"] if len(top) > KNOWN else []
    known = f"{', '.join([*top[:KNOWN], *more])}, then " if top else ""
    lines.append(f"  draw pile: {known}in unknown order {several(me['deck'])}")
    upgraded = [title(name) for k, name in enumerate(PIECES) if int(me.upgraded) >> k & 1]
    lines.append(f"  upgraded: {', '.join(upgraded) or '-'}; dice: {faces(me['dice'])}; coaster {p}: {faces(s['coaster'][p])}")
    sides = [title(ENTERTAINER_NAMES[2 * k + int(side) - 1]) for k, side in enumerate(me["side"]) if side]
    if sides:
        lines.append(f"  entertainers: {', '.join(sides)}")
    if R.guest_book:
        lines.append(f"  guest book: {', '.join(f'{name} {n}' for name, n in zip(COLUMN_NAMES, me['book'], strict=True))}")
    return lines


def turn(s: Any) -> str:
    """Return the current turn as text."""
    act = s.act
    return f"turn of player_{act.seat}: dice on {several(act['on'], PLACES)}; {act.pips} pips left, {act.songs} songs to sing"


def asked(s: Any) -> str:
    """Return who must answer which question."""
    question = QUESTIONS.asked(s)
    return f"player_{s.turn} is asked to {question.prompt}" + (f" (a {s.act.face})" if question.name == "place" else "")


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
        return f"{label}: a {face} with {s.act.pips} pips of dishwashers does not fit (TT 1.8)"
    return f"{label}: equal dice are placed in the order of places, the last one went to {title(PLACES[s.act.last])} (TT-R45)"


def serve_reason(s: Any, R: Any, me: Any, segment: str, label: str) -> str:
    """Return why a seat cannot do this in its turn."""
    act = s.act
    if segment == "collect":
        return f"{label}: no die there (TT 3 F1)"
    if segment == "buy":
        k = TAVERN_NAMES.index(label)
        missing = f"costs {R.price[k]} of {me.doubloons} doubloons" if s.stock[k + 1] else "none is left"
        return f"{label}: bought already, one of a kind a turn (TT 3 F3)" if int(act.bought) >> k & 1 else f"{label}: {missing} (TT 1.3)"
    if segment in ("upgrade", "free"):
        k = PIECES.index(label)
        if int(me.upgraded) >> k & 1:
            return f"{label}: upgraded already (TT 1.7)"
        schnapps = "; free, it takes the entertainer and his schnapps" if segment == "free" else ""
        return f"{label}: costs {R.cost[k]} of {me.doubloons} doubloons, less {act.discount}{schnapps} (TT 3 F3, 1.11)"
    if segment == "guest":
        kind = int(s.open[OPEN_NAMES.index(label)])
        price = "nobody is there" if kind == NOBODY else f"costs {R.beers[kind]} of {me.beer} beers"
        return f"guest: {price}, one purchase a turn (TT 3 F4, TT-R1)"
    if segment == "nobles":
        return f"nobles: {label} cost {R.noble_beers[int(label) - 1]} of {me.beer} beers, one purchase a turn (TT 1.6, TT-R1)"
    if segment in ("spend", "remove"):
        return f"{segment} {title(label)}: needs the entertainer, {me.schnapps} schnapps held, and who is removed seated (TT 1.11)"
    return {"sing": "no bard has still to sing (TT 3 F, M3-7)", "counter": "no counter guest (TT 3 F6)"}.get(segment, "")
