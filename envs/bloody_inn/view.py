"""The table in words, as players would describe it, and why an action is not legal."""

from typing import Any

from alehouse.envs.bloody_inn.layout import (
    A_OBJECT, ACTIONS, ANNEX_NAMES, CARAVANS, CARDS, EVENT_NAMES, OBJECT_NAMES, PHASES, PLACES, RANKS, WHITES,
)  # fmt: skip
from alehouse.envs.bloody_inn.places import absolute
from alehouse.envs.bloody_inn.questions import QUESTIONS
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, TWIN, WHITE
from alehouse.envs.core.run.question_stack import top


def title(key: str) -> str:
    """Return a key of the tables as readable words."""
    return key.replace("_", " ")


def several(counts: Any, names: list[str]) -> str:
    """Return the names of cards, each with how many there are."""
    found = [f"{n} {title(name)}" if n > 1 else title(name) for n, name in zip(counts, names, strict=True) if n]
    return ", ".join(found) or "-"


def object_titles(objects: int) -> str:
    """Return the names of a set of objects."""
    return ", ".join(title(name) for k, name in enumerate(OBJECT_NAMES) if objects >> k & 1) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Return the whole table in words, or what a seat may know of it."""
    season = f"season {int(s.season) + 1}" + (", the last round" if s.last else "")
    visible = title(CARDS[s.top]) if s.top != NOBODY else "nothing"
    lines = [f"round {int(s.rounds) + 1}, {season}, {PHASES[s.phase]}; player_{s.first} is first"]
    lines.append(f"entrance stack {s.entrance}, on top {visible}; bistro {s.bistro} peasants; exit: {several(s.exit, CARDS)}")
    lines += [place(s, R, k) for k in range(PLACES) if s.owner[k] != CLOSED]
    for p in range(R.seats):
        lines += innkeeper(s, R, p, p == seat or seat is None)
    if s.event != NOBODY:
        lines.append(f"event: {title(EVENT_NAMES[s.event])}")
    if s.letter:
        lines.append("a letter of denunciation was sent")
    if R.objects:
        lines.append(f"objects played: {object_titles(int(s.used))}")
    lines.append(asked(s) if s.stack.n else ending(s, R))
    return "\n".join(lines)


def place_name(s: Any, k: int) -> str:
    """Return the name of a room or caravan."""
    if k >= CARAVANS:
        return f"caravan {k - CARAVANS + 1}"
    return "room" if k < WHITES else f"{'white room' if s.owner[k] == WHITE else 'room'} {k - WHITES + 1}"


def place(s: Any, R: Any, k: int) -> str:
    """Return one line of text on a room or caravan."""
    whose = "" if s.owner[k] == WHITE else f" of player_{s.owner[k]}"
    guest = s.guest[k]
    who = "empty" if guest == NOBODY else f"{title(CARDS[guest])} ({R.up[guest]}/{R.low[guest]}, {R.money[guest]}F)"
    extras = [f"served by player_{s.service[k]}"] if k < CARAVANS and s.service[k] >= 0 else []
    extras += ["coffee"] if s.coffee == k else []
    extras += [f"cake of player_{s.cake_seat}"] if s.cake == k else []
    return f"  {place_name(s, k)}{whose}: {', '.join([who, *extras])}"


def innkeeper(s: Any, R: Any, p: int, open_objects: bool) -> list[str]:
    """Return lines of text on everything in front of a seat."""
    me = s.seat[p]
    lines = [f"player_{p}: {me.cash}F, {me.checks} checks, {me.tokens} tokens, {me.buried} buried", f"  hand: {several(me.hand, CARDS)}"]
    if me.corpses:
        hidden = f" ({title(CARDS[s.snow])} under snow)" if s.snow_seat == p else ""
        lines.append(f"  corpses: {several(me.corpse, CARDS)}{hidden}")
    lines.append("  annexes: " + ", ".join(annex(s.built[k], R) for k in range(s.annexes) if s.built[k].owner == p))
    if R.objects:
        lines.append(f"  objects: {object_titles(int(me.objects)) if open_objects else me.held}")
    return lines


def annex(built: Any, R: Any) -> str:
    """Return an annex as text, with the corpses under it."""
    name = "barn" if built.card == NOBODY else title(ANNEX_NAMES[R.annex[built.card]])
    under = ["coffin" if c == TWIN else title(CARDS[c]) for c in built.corpse if c != NOBODY] + ["dwarf"] * int(built.across)
    inside = [*under, f"{built.free} free"] if built.free else under
    return f"{name} [{', '.join(inside)}]" if inside else name


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
    return f"the game is over: {' '.join(['a', *reached[-1:], 'innkeeper'])}"


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
    return f"the {title(CARDS[guest])} at {label} needs {R.up[guest]} cards less discounts, {s.seat[p].cards} in hand (BI 3.4 (2)); "


def action_lacks(s: Any, R: Any, me: Any, segment: str, label: str) -> str:
    """Return why a seat cannot take another kind of action."""
    if segment == "build":
        kind = CARDS.index(label)
        if not me.hand[kind]:
            return "not in hand (BI 3.4.2)"
        if R.annex[kind] < 0:
            return "has no annex (BI 1.2)"
        return f"needs {R.low[kind]} other cards less discounts, and a caravan needs a token (BI 3.4 (2), 4.1.2)"
    if segment == "bury":
        kind = CARDS.index(label)
        if not me.corpse[kind]:
            return "no such corpse lies in front of the player (BI 3.4.4)"
        return f"needs {R.low[kind]} cards less discounts and an annex that may take it (BI 3.4.4, 4.1.7)"
    if segment in ("hire", "kill_peasant"):
        return f"{s.bistro} peasants are in the bistro, and without a brewery {R.peasants} can be hired at once (BI 3.4.1)"
    return f"the player has {me.cash}F and {me.checks} checks; cash goes up to {R.cash_limit}F (BI 3.4.5)"
