"""A table in words, as the players would say it; and why an action is not to be had."""

from typing import Any

from alehouse.envs.tavern_battle.questions import QUESTIONS
from alehouse.envs.tavern_battle.audit import listed
from alehouse.envs.tavern_battle.layout import (
    ACTIONS, AGITATION_NAMES, BOX, CHARACTER_NAMES, HAND, OBJECT_NAMES, P_BRAWL, P_CHOICE, PHASES, PILE, POSITIONS, SAFE, TREASURE_NAMES,
    WEAPON_NAMES,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY


def title(word: str) -> str:
    """A key as it is read."""
    return word.replace("_", " ")


def several(counts: Any, names: list[str]) -> str:
    """Cards with how many there are of each."""
    found = [f"{n} {title(name)}" if n > 1 else title(name) for n, name in zip(counts, names, strict=True) if n]
    return ", ".join(found) or "-"


def some(word: Any, names: list[str]) -> str:
    """A set of cards."""
    return ", ".join(title(names[k]) for k in listed(word)) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """The table; with a seat, what that seat may know."""
    value = max(0, int(R.value) - int(s.broken_value))
    lines = [f"{headline(s, R)}; the tavern is worth {value}"]
    if int(s.posted):
        lines.append(f"posted: {several(s.agitation, AGITATION_NAMES)}")
    if s.shown != NOBODY:
        lines.append(f"for sale: {title(TREASURE_NAMES[s.shown])}")
    if int(s.fallen) or int(s.pile):
        down = (
            some(s.pile, TREASURE_NAMES) if seat is None else f"{int(s.pile).bit_count()} of {some(s.seat[seat].may[PILE], TREASURE_NAMES)}"
        )
        lines.append(f"in the centre: {some(s.fallen, TREASURE_NAMES)}" + (f"; face down {down}" if int(s.pile) else ""))
    if s.phase >= P_BRAWL:
        lines.append(
            f"objects: {s.left} in the deck; discarded {several(s.discard, OBJECT_NAMES)}; broken {several(s.broken, OBJECT_NAMES)}"
        )
    for p in range(R.seats):
        lines += player(s, R, p, seat)
    if s.arrival != NOBODY:
        lines.append(f"who wants the {title(CHARACTER_NAMES[s.arrival])}?")
    lines.append(asked(s) if s.stack.n else "the game is over")
    return "\n".join(lines)


def headline(s: Any, R: Any) -> str:
    """Where the game stands."""
    if s.rounds:
        return f"round {s.rounds} of the brawl, {PHASES[s.phase]}; {s.drawn} arrivals; player_{s.leader} leads"
    return f"trade turn {int(s.turns) + 1} of {R.turns * R.seats}, {PHASES[s.phase]}; player_{s.seller} sells"


def player(s: Any, R: Any, p: int, seat: int | None) -> list[str]:
    """What a player has, in hand and on the table."""
    me = s.seat[p]
    lines = [f"player_{p}: {', '.join(character(s, c) for c in listed(me.group))}"]
    if seat is None or p == seat:
        lines.append(
            f"  treasures: {some(me.treasures, TREASURE_NAMES)}" + (f"; safe: {some(me.safe, TREASURE_NAMES)}" if int(me.safe) else "")
        )
        cards = [f"objects: {several(me.objects, OBJECT_NAMES)}"] if me.held else []
        cards += [f"agitation: {several(me.agitation, AGITATION_NAMES)}"] if me.cards else []
    else:
        lines.append(f"  {remembered(s, R, p, seat)}")
        cards = [f"{me.held} objects"] if me.held else []
        cards += [f"{me.cards} agitation cards"] if me.cards else []
    if int(me.offer) and (seat is None or p == seat or s.phase == P_CHOICE):
        cards.append(f"offers {some(me.offer, TREASURE_NAMES)}")
    return [*lines, f"  {'; '.join(cards)}"] if cards else lines


def remembered(s: Any, R: Any, p: int, seat: int) -> str:
    """What one seat knows of another's treasures."""
    may = [int(word) for word in s.seat[seat].may]
    elsewhere = may[PILE] | may[BOX]
    for q in range(int(R.seats)):
        if q != p:
            elsewhere |= may[HAND + q] | may[SAFE + q]
    sure = (may[HAND + p] | may[SAFE + p]) & ~elsewhere
    me = s.seat[p]
    safe = f", {int(me.safe).bit_count()} safe" if int(me.safe) else ""
    return f"{int(me.treasures).bit_count()} treasures{safe}; among them {some(sure, TREASURE_NAMES)}"


def character(s: Any, c: int) -> str:
    """A character, how it lies, and what lies on it."""
    lying = [name for name in POSITIONS if int(s[name]) >> c & 1]
    marks = [] if lying == ["upright"] else lying
    marks += [f"behind the {title(OBJECT_NAMES[s.cover[c]])}"] if s.cover[c] != NOBODY else []
    marks += [f"in the {title(OBJECT_NAMES[s.den[c]])}"] if s.den[c] != NOBODY else []
    marks += [f"with the {title(WEAPON_NAMES[w])}" for w in range(len(WEAPON_NAMES)) if s.bearer[w] == c]
    marks += ["at the door"] if int(s.door) >> c & 1 else []
    marks += ["insulted"] if not s.rounds and int(s.insulted) >> c & 1 else []
    return title(CHARACTER_NAMES[c]) + (f" ({', '.join(marks)})" if marks else "")


def asked(s: Any) -> str:
    """Who has to decide what."""
    ask = s.stack.entry[s.stack.n - 1]
    return f"player_{ask.seat} is asked: {QUESTIONS.asked(s).prompt}"


NEEDS = {
    "pick_up": "nothing has been dropped (TB 3.4)",
    "protect": "no such protection in hand (TB 3.4)",
    "hide": "no such hide-out in hand, or cunning and supports below 1, or hidden already (TB 3.4)",
    "stay_hidden": "he is not hidden, or cunning and supports are below 1 (TB 3.6)",
    "draw": "not among the player's treasures or objects, or drawn already (TB 3.4)",
    "strike": "no such contact weapon in hand, or no strength, or nobody in reach (TB 3.5)",
    "strike_drawn": "not drawn by him in an earlier round, or no strength, or nobody in reach (TB 3.5)",
    "throw": "no such ranged weapon in hand, or no cunning, or nobody in reach (TB 3.5)",
    "window": "cunning and supports are too low for the window (TB 3.4)",
    "door": "he stands at the door already (TB 3.4)",
}


def why(s: Any, R: Any, action: int) -> str:
    """Why an action is not legal now: what is missing, or the question."""
    ask = s.stack.entry[s.stack.n - 1]
    question = QUESTIONS.asked(s)
    name, text, rule = question.name, question.prompt, question.rule
    segment, label = ACTIONS.segment(action)
    reason = ""
    if name in ("action", "riposte") and segment in NEEDS:
        reason = f"{title(CHARACTER_NAMES[s.act.actor])}: {NEEDS[segment]}; "
    elif segment in ("treasure", "character") and name != "action":
        reason = f"{title(label)} is not among those to choose from; "
    return f"{reason}player_{ask.seat} is asked to {text} (TB {rule})"
