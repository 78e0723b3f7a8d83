"""A table in words, as the players would say it; and why an action is not to be had."""

from typing import Any

from alehouse.envs.bloody_inn.questions import QUESTIONS
from alehouse.envs.bloody_inn.layout import (
    A_OBJECT, ACTIONS, ANNEX_NAMES, CARAVANS, CARDS, EVENT_NAMES, HOMES, OBJECT_NAMES, PHASES, PLACES, RANKS, WHITES,
)  # fmt: skip
from alehouse.envs.bloody_inn.places import absolute
from alehouse.envs.bloody_inn.state import CLOSED, NOBODY, TWIN, WHITE


def title(word: str) -> str:
    """A key as it is read."""
    return word.replace("_", " ")


def several(counts: Any, names: list[str]) -> str:
    """Cards with how many there are of each."""
    found = [f"{n} {title(name)}" if n > 1 else title(name) for n, name in zip(counts, names, strict=True) if n]
    return ", ".join(found) or "-"


def some(objects: int) -> str:
    """A set of objects."""
    return ", ".join(title(name) for k, name in enumerate(OBJECT_NAMES) if objects >> k & 1) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """The table; with a seat, what that seat may know."""
    season = f"season {int(s.season) + 1}" + (", the last round" if s.last else "")
    top = title(CARDS[s.top]) if s.top != NOBODY else "nothing"
    lines = [f"round {int(s.rounds) + 1}, {season}, {PHASES[s.phase]}; player_{s.first} is first"]
    lines.append(f"entrance stack {s.entrance}, on top {top}; bistro {s.bistro} peasants; exit: {several(s.exit, CARDS)}")
    lines += [place(s, R, k) for k in range(PLACES) if s.owner[k] != CLOSED]
    for p in range(R.seats):
        lines += innkeeper(s, R, p, p == seat or seat is None)
    if s.event != NOBODY:
        lines.append(f"event: {title(EVENT_NAMES[s.event])}")
    if s.letter:
        lines.append("a letter of denunciation was sent")
    if R.objects:
        lines.append(f"objects played: {some(int(s.used))}")
    lines.append(asked(s) if s.stack.n else ending(s, R))
    return "\n".join(lines)


def place_name(s: Any, k: int) -> str:
    """A room or caravan."""
    number = k - (CARAVANS if k >= CARAVANS else WHITES if k >= WHITES else HOMES)
    kind = "caravan" if k >= CARAVANS else "white room" if s.owner[k] == WHITE else "room"
    return kind if kind != "white room" and k < WHITES else f"{kind} {number + 1}"


def place(s: Any, R: Any, k: int) -> str:
    """One line for a room or caravan."""
    whose = "" if s.owner[k] == WHITE else f" of player_{s.owner[k]}"
    guest = s.guest[k]
    who = "empty" if guest == NOBODY else f"{title(CARDS[guest])} ({R.up[guest]}/{R.low[guest]}, {R.money[guest]}F)"
    extras = [f"served by player_{s.service[k]}"] if k < CARAVANS and s.service[k] >= 0 else []
    extras += ["coffee"] if s.coffee == k else []
    extras += [f"cake of player_{s.cake_seat}"] if s.cake == k else []
    return f"  {place_name(s, k)}{whose}: {', '.join([who, *extras])}"


def innkeeper(s: Any, R: Any, p: int, open_objects: bool) -> list[str]:
    """What lies in front of a seat."""
    me = s.seat[p]
    lines = [f"player_{p}: {me.cash}F, {me.checks} checks, {me.tokens} tokens, {me.buried} buried", f"  hand: {several(me.hand, CARDS)}"]
    if me.corpses:
        hidden = f" ({title(CARDS[s.snow])} under snow)" if s.snow_seat == p else ""
        lines.append(f"  corpses: {several(me.corpse, CARDS)}{hidden}")
    lines.append("  annexes: " + ", ".join(annex(s.built[k], R) for k in range(s.annexes) if s.built[k].owner == p))
    if R.objects:
        lines.append(f"  objects: {some(int(me.objects)) if open_objects else me.held}")
    return lines


def annex(built: Any, R: Any) -> str:
    """One annex with what lies under it."""
    name = "barn" if built.card == NOBODY else title(ANNEX_NAMES[R.annex[built.card]])
    under = ["coffin" if c == TWIN else title(CARDS[c]) for c in built.corpse if c != NOBODY] + ["dwarf"] * int(built.across)
    inside = [*under, f"{built.free} free"] if built.free else under
    return f"{name} [{', '.join(inside)}]" if inside else name


def asked(s: Any) -> str:
    """Who has to decide what."""
    ask = s.stack.entry[s.stack.n - 1]
    return f"player_{ask.seat} is asked: {QUESTIONS.asked(s).prompt}"


def ending(s: Any, R: Any) -> str:
    """How it went; alone, which innkeeper one has become."""
    if R.seats > 1:
        return "the game is over"
    points = int(s.seat[0].cash) + 10 * int(s.seat[0].checks)
    if s.lost or points < R.title:
        return "the game is lost" if s.lost else "the game is over, without a title"
    reached = [rank for rank, least in zip(RANKS, R.ranks, strict=True) if R.long and points >= least]
    return f"the game is over: {' '.join(['a', *reached[-1:], 'innkeeper'])}"


def why(s: Any, R: Any, action: int) -> str:
    """Why an action is not legal now: the question, or what is missing, with the rule."""
    ask = s.stack.entry[s.stack.n - 1]
    question = QUESTIONS.asked(s)
    name, text, rule = question.name, question.prompt, question.rule
    segment, label = ACTIONS.segment(action)
    reason = ""
    if name == "action" and segment in ("bribe", "kill"):
        reason = guest_reason(s, R, int(ask.seat), segment, label)
    elif name == "action" and segment in ("build", "bury", "to_checks", "to_cash", "hire", "kill_peasant"):
        reason = f"{ACTIONS.names[action]}: {reasons(s, R, s.seat[ask.seat], segment, label)}; "
    elif action >= A_OBJECT:
        reason = f"{title(label)} is not in hand or has no use here (BI 4.4); "
    return f"{reason}player_{ask.seat} is asked to {text} (BI {rule})"


def guest_reason(s: Any, R: Any, p: int, segment: str, label: str) -> str:
    """Why this guest can not be bribed or killed."""
    words = ACTIONS.start(segment)
    k = absolute(ACTIONS.index(f"{segment}:{label}") - words, p, int(R.seats))
    guest = s.guest[k]
    if guest == NOBODY:
        return f"nobody lodges at {label} (BI 3.4); "
    if s.coffee == k:
        return f"the {title(CARDS[guest])} at {label} had coffee (BI 1.7); "
    return f"the {title(CARDS[guest])} at {label} needs {R.up[guest]} cards less discounts, {s.seat[p].cards} in hand (BI 3.4 (2)); "


def reasons(s: Any, R: Any, me: Any, segment: str, label: str) -> str:
    """Why a seat can not do the rest."""
    if segment == "build":
        kind = CARDS.index(label)
        if not me.hand[kind]:
            return "not in hand (BI 3.4.2)"
        if R.annex[kind] < 0:
            return "has no annex (BI 1.2)"
        return f"needs {R.low[kind]} other cards less discounts, and a caravan a token (BI 3.4 (2), 4.1.2)"
    if segment == "bury":
        kind = CARDS.index(label)
        if not me.corpse[kind]:
            return "no such corpse in front of the player (BI 3.4.4)"
        return f"needs {R.low[kind]} cards less discounts and a place that may take it (BI 3.4.4, 4.1.7)"
    if segment in ("hire", "kill_peasant"):
        return f"{s.bistro} peasants in the bistro, and {R.peasants} at once without a brewery (BI 3.4.1)"
    return f"{me.cash}F and {me.checks} checks; cash goes up to {R.cash_limit}F (BI 3.4.5)"
