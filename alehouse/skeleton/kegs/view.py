"""Kegs in words: the table as text, why an action is not legal, what was lost or made, and the score counted a second time."""

from typing import Any

from alehouse.skeleton.kegs.layout import ACTIONS, CARDS, KEGS
from alehouse.skeleton.kegs.questions import QUESTIONS
from alehouse.skeleton.kegs.state import NOTHING


def cards(members: int) -> str:
    """Return a set of bid cards as text."""
    return " ".join(str(k + 1) for k in range(CARDS) if members >> k & 1) or "-"


def describe(s: Any, R: Any, seat: int | None) -> str:
    """Return the table as text: what a seat may know of it, or all of it if no seat is given."""
    lines = [f"round {s.played + 1} of {R.rounds}: {KEGS[s.keg].replace('_', ' ')}, worth {R.value[s.keg]}; {s.spilled} spilled"]
    for p in range(R.seats):
        me, open_to = s.seat[p], seat in (None, p)
        hand = int(me.hand) if open_to or me.bid == NOTHING else int(me.hand) | 1 << int(me.bid)
        bid = "no bid" if me.bid == NOTHING else f"bids {me.bid + 1}" if open_to else "has chosen"
        favourite = KEGS[me.favourite].replace("_", " ") if open_to else "?"
        kegs = ", ".join(f"{n} {name.replace('_', ' ')}" for n, name in zip(me.kegs, KEGS, strict=True) if n) or "no kegs"
        tips = f", {me.tips} tips" if R.tips else ""
        lines.append(f"player_{p}: {bid}, holds {cards(hand)}, has {kegs}{tips}; favourite {favourite}")
    lines.append(f"player_{s.turn} is asked to {QUESTIONS.asked(s).prompt}" if s.turn >= 0 else "the game is over")
    return "\n".join(lines)


def why(s: Any, R: Any, action: int) -> str:
    """Return in words why an action is not legal."""
    held = cards(int(s.seat[s.turn].hand))
    return f"{ACTIONS.names[action]}: player_{s.turn} holds {held} and is asked to {QUESTIONS.asked(s).prompt} (KG 2)"


def audit(s: Any, R: Any) -> list[str]:
    """Report kegs and cards that were lost or made."""
    faults = []
    won = int(s.seat["kegs"].sum()) + int(s.spilled)
    if won + int(s.deck.sum()) + int(s.turn >= 0) != int(R.copies.sum()):
        faults.append("kegs were lost or made")
    for p in range(R.seats):
        held = int(s.seat[p].hand).bit_count() + int(s.seat[p].bid != NOTHING)
        if held != R.rounds - s.played:
            faults.append(f"player_{p} has {held} cards in round {s.played + 1}")
    return faults


def score_again(s: Any, R: Any) -> list[int]:
    """Return the points again, counted keg by keg."""
    points = []
    for p in range(R.seats):
        me = s.seat[p]
        kegs = [kind for kind, n in enumerate(me.kegs) for _ in range(int(n))]
        bonus = sum(int(R.favourite) for kind in kegs if kind == me.favourite)
        points.append(sum(int(R.value[kind]) for kind in kegs) + bonus + int(me.tips) * int(R.tip))
    return points
