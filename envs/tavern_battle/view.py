"""The table in words, and why an action is not legal."""

from typing import Any

from alehouse.envs.tavern_battle.questions import QUESTIONS
from alehouse.envs.core.run.question_stack import top
from alehouse.envs.tavern_battle.audit import listed
from alehouse.envs.tavern_battle.layout import (
    ACTIONS, AGITATION_NAMES, BOX, CHARACTER_NAMES, HAND, OBJECT_NAMES, P_BRAWL, P_CHOICE, PHASES, PILE, POSITIONS, SAFE, TREASURE_NAMES,
    WEAPON_NAMES,
)  # fmt: skip
from alehouse.envs.tavern_battle.state import NOBODY


def title(word: str) -> str:
    """Return a key of the tables as readable words."""
    return word.replace("_", " ")


def several(counts: Any, names: list[str]) -> str:
    """Return the names of cards, each with its number if there are several."""
    found = [f"{n} {title(name)}" if n > 1 else title(name) for n, name in zip(counts, names, strict=True) if n]
    return ", ".join(found) or "-"


def some(word: Any, names: list[str]) -> str:
    """Return the names of a set of cards."""
    return ", ".join(title(names[k]) for k in listed(word)) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Return the table in words; if a seat is given, only what that seat may know."""
    value = max(0, int(R.value) - int(s.broken_value))
    lines = [f"{headline(s, R)}; the tavern is worth {value}"]
    if int(s.posted):
        lines.append(f"posted: {several(s.agitation, AGITATION_NAMES)}")
    if s.shown != NOBODY:
        lines.append(f"for sale: {title(TREASURE_NAMES[s.shown])}")
    if int(s.fallen) or int(s.pile):
        known = s.pile if seat is None else s.seat[seat].may[PILE]
        down = f"; face down {int(s.pile).bit_count()} of {some(known, TREASURE_NAMES)}" if int(s.pile) else ""
        lines.append(f"in the centre: {some(s.fallen, TREASURE_NAMES)}{down}")
    if s.phase >= P_BRAWL:
        discarded, broken = several(s.discard, OBJECT_NAMES), several(s.broken, OBJECT_NAMES)
        lines.append(f"objects: {s.left} in the deck; discarded {discarded}; broken {broken}")
    for p in range(R.seats):
        lines += player(s, R, p, seat)
    if s.arrival != NOBODY:
        lines.append(f"who wants the {title(CHARACTER_NAMES[s.arrival])}?")
    lines.append(asked(s) if s.stack.n else "the game is over")
    return "\n".join(lines)


def headline(s: Any, R: Any) -> str:
    """Return the headline of the picture: how far the game has come."""
    if s.rounds:
        return f"round {s.rounds} of the brawl, {PHASES[s.phase]}; {s.drawn} arrivals; player_{s.leader} leads"
    turns = int(R.turns * R.seats)
    return f"trade turn {min(int(s.turns) + 1, turns)} of {turns}, {PHASES[s.phase]}; player_{s.seller} sells"


def player(s: Any, R: Any, p: int, seat: int | None) -> list[str]:
    """Return what a player has on the table and, if it may be known, in hand."""
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
    """Return in words what one seat knows of another's treasures."""
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
    """Return a character in words: its position, and what lies on it."""
    lying = [name for name in POSITIONS if int(s[name]) >> c & 1]
    marks = [] if lying == ["upright"] else lying
    marks += [f"behind the {title(OBJECT_NAMES[s.cover[c]])}"] if s.cover[c] != NOBODY else []
    marks += [f"in the {title(OBJECT_NAMES[s.den[c]])}"] if s.den[c] != NOBODY else []
    marks += [f"with the {title(WEAPON_NAMES[w])}" for w in range(len(WEAPON_NAMES)) if s.bearer[w] == c]
    marks += ["at the door"] if int(s.door) >> c & 1 else []
    marks += ["insulted"] if not s.rounds and int(s.insulted) >> c & 1 else []
    return title(CHARACTER_NAMES[c]) + (f" ({', '.join(marks)})" if marks else "")


def asked(s: Any) -> str:
    """Return who must answer which question."""
    return f"player_{top(s).seat} is asked to {QUESTIONS.asked(s).prompt}"


NEEDS = {  # for each segment of actions, the reason why the activated character cannot take one of them
    "pick_up": "no treasure lies in the centre (TB 3.4)",
    "protect": "his player does not hold this protection (TB 3.4)",
    "hide": "his player does not hold this hide-out, or cunning and supports are below 1, or he is hidden already (TB 3.4)",
    "stay_hidden": "he is not hidden, or cunning and supports are below 1 (TB 3.6)",
    "draw": "his player does not own this weapon, or it is drawn already (TB 3.4)",
    "strike": "his player does not hold this contact weapon, or he has no strength, or nobody is in reach (TB 3.5)",
    "strike_drawn": "he has not drawn it in an earlier round, or he has no strength, or nobody is in reach (TB 3.5)",
    "throw": "his player does not hold this ranged weapon, or he has no cunning, or nobody is in reach (TB 3.5)",
    "window": "cunning and supports are too low for the window (TB 3.4)",
    "door": "he stands at the door already (TB 3.4)",
}


def why(s: Any, R: Any, action: int) -> str:
    """Return why an action is not legal now: what it lacks, or which question is open instead."""
    question = QUESTIONS.asked(s)
    segment, label = ACTIONS.segment(action)
    reason = ""
    if question.name in ("action", "riposte") and segment in NEEDS:
        who = top(s).a if question.name == "riposte" else s.act.actor
        reason = f"{title(CHARACTER_NAMES[who])}: {NEEDS[segment]}; "
    elif segment in ("treasure", "character") and question.name != "action":
        reason = f"{title(label)} cannot be chosen now; "
    return f"{reason}{asked(s)} (TB {question.rule})"
